// The official test suite of JSON Schema: every required test, and how many of the optional ones pass.
// SPDX-License-Identifier: Apache-2.0
#include "core/schema/schema.h"
#include "tests/support/testregistry.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

static const QString suiteFolder = QStringLiteral(SONDE_SOURCE_DIR "/../shared/suites/JSON-Schema-Test-Suite");

class TestSchemaSuite : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void required_data();
    void required();
    void isWhole();
    void optional_data();
    void optional();
    void formats();

private:
    struct Tally {
        int passed = 0;
        QStringList failed;
    };
    Tally run(const QString &path, schema::Formats formats) const;

    QHash<QString, json::Value> m_remotes;
    int m_passed = 0;
};

static json::Value read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll()) : json::Value();
}

void TestSchemaSuite::initTestCase()
{
    if (!QFile::exists(suiteFolder))
        QSKIP("../shared/suites/JSON-Schema-Test-Suite is not there");
    const QString folder = suiteFolder + u"/remotes/"_s;
    QDirIterator files(folder, {u"*.json"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        m_remotes.insert(u"http://localhost:1234/"_s + path.mid(folder.size()), read(path));
    }
    QVERIFY(m_remotes.size() > 50);
}

TestSchemaSuite::Tally TestSchemaSuite::run(const QString &path, schema::Formats formats) const
{
    Tally tally;
    const json::Value groups = read(path);
    for (const json::Value &group : groups) {
        schema::Schema::Options options;
        options.documents = m_remotes;
        options.formats = formats;
        // What a file of draft-07 does not say is meant for draft-07.
        json::Value schema = group[u"schema"];
        if (path.contains("/draft7/"_L1) && schema.isObject() && !schema.contains(u"$schema")) {
            QByteArray text = schema.bytes();
            text.insert(1, schema.isEmpty() ? R"("$schema":"http://json-schema.org/draft-07/schema#")"
                                            : R"("$schema":"http://json-schema.org/draft-07/schema#",)");
            schema = json::parse(text);
        }
        const schema::Schema prepared(schema, options);
        for (const json::Value &test : group[u"tests"]) {
            const QList<schema::Issue> issues = prepared.validate(test[u"data"]);
            bool checked = true;
            for (const schema::Issue &issue : issues)
                checked = checked && !issue.notChecked;
            if (issues.isEmpty() == test[u"valid"].toBool() && checked) {
                ++tally.passed;
                continue;
            }
            QString line = group[u"description"].string() + u": "_s + test[u"description"].string();
            for (const schema::Issue &issue : issues)
                line += u"\n      "_s + issue.instance.toString() + u' ' + issue.message;
            tally.failed.append(line);
        }
    }
    return tally;
}

void TestSchemaSuite::required_data()
{
    QTest::addColumn<QString>("path");
    for (const char *draft : {"draft2020-12", "draft7"}) {
        QDirIterator files(suiteFolder + u"/tests/"_s + QLatin1StringView(draft), {u"*.json"_s}, QDir::Files);
        while (files.hasNext()) {
            const QString path = files.next();
            QTest::addRow("%s/%s", draft, qPrintable(files.fileName())) << path;
        }
    }
}

void TestSchemaSuite::required()
{
    QFETCH(QString, path);
    const Tally tally = run(path, schema::Formats::Ignored);
    QVERIFY2(tally.failed.isEmpty(), qPrintable(u"\n    "_s + tally.failed.join(u"\n    "_s)));
    QVERIFY(tally.passed > 0);
    m_passed += tally.passed;
}

void TestSchemaSuite::isWhole()
{
    QCOMPARE(m_passed, 1299 + 927);
}

// Not required of an implementation. What does not pass today is listed, so that a loss is noticed: lookbehinds of
// variable width, revision 2019-09.
void TestSchemaSuite::optional_data()
{
    QTest::addColumn<QString>("path");
    for (const char *draft : {"draft2020-12", "draft7"}) {
        QDirIterator files(suiteFolder + u"/tests/"_s + QLatin1StringView(draft) + u"/optional"_s, {u"*.json"_s},
                           QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            QTest::addRow("%s", qPrintable(path.mid(suiteFolder.size() + 7))) << path;
        }
    }
}

void TestSchemaSuite::optional()
{
    QFETCH(QString, path);
    const bool asserts = path.contains("/format/"_L1) || path.endsWith("/content.json"_L1);
    const Tally tally = run(path, asserts ? schema::Formats::Asserted : schema::Formats::Ignored);
    static const QHash<QString, int> known{{u"ecmascript-regex.json"_s, 1}, {u"cross-draft.json"_s, 1}};
    if (tally.failed.size() > known.value(path.section(u'/', -1)))
        QFAIL(qPrintable(u"\n    "_s + tally.failed.join(u"\n    "_s)));
}

void TestSchemaSuite::formats()
{
    Tally all;
    for (const char *draft : {"draft2020-12", "draft7"}) {
        QDirIterator files(suiteFolder + u"/tests/"_s + QLatin1StringView(draft) + u"/optional/format"_s, {u"*.json"_s},
                           QDir::Files);
        while (files.hasNext()) {
            const Tally tally = run(files.next(), schema::Formats::Asserted);
            all.passed += tally.passed;
            all.failed += tally.failed;
        }
    }
    const qsizetype total = all.passed + all.failed.size();
    qInfo("%d of %d tests of formats pass", all.passed, int(total));
    QVERIFY(total > 1'000);
    QVERIFY2(all.passed * 100 >= total * 98, qPrintable(u"\n    "_s + all.failed.join(u"\n    "_s)));
}

SONDE_TEST(TestSchemaSuite)
#include "tst_suite.moc"
