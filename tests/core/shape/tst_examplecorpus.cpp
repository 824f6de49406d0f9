// "Fill with example" over the tools of real servers, and over the schemas of the official test suite.
// SPDX-License-Identifier: Apache-2.0
#include "core/shape/example.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

static const QString shared = QStringLiteral(SONDE_SOURCE_DIR "/../shared/");

class TestExampleCorpus : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void toolsOfRealServers();
    void schemasOfTheSuite();

private:
    struct Tally {
        int valid = 0;
        QStringList failed;

        int percent() const { return valid * 100 / qMax(1, int(valid + failed.size())); }
        void add(const json::Value &schema, const QString &name);
        void print(const char *what) const;
    };
};

void TestExampleCorpus::Tally::add(const json::Value &schema, const QString &name)
{
    const ShapeReader reader(schema);
    const QByteArray example = exampleOf(reader, reader.read(schema));
    const QList<schema::Issue> issues = reader.schema().validate(json::parse(example));
    if (!example.isEmpty() && issues.isEmpty()) {
        ++valid;
        return;
    }
    const QString why =
        issues.isEmpty() ? QString() : issues.first().instance.toString() + u' ' + issues.first().message;
    failed.append(name + u": "_s + QString::fromUtf8(example.left(80)) + u' ' + why);
}

void TestExampleCorpus::Tally::print(const char *what) const
{
    qInfo("%s: %d of %d examples are valid", what, valid, int(valid + failed.size()));
    for (const QString &each : failed)
        qInfo("  %s", qPrintable(each));
}

static json::Value read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll()) : json::Value();
}

void TestExampleCorpus::toolsOfRealServers()
{
    const QStringList files = QDir(shared + u"corpus"_s).entryList({u"*.json"_s}, QDir::Files);
    if (files.isEmpty())
        QSKIP("the recorded tool lists are not beside the project (../shared/corpus)");
    Tally tally;
    for (const QString &file : files) {
        for (const json::Value &tool : read(shared + u"corpus/"_s + file)[u"tools"]) {
            for (const auto name : {u"inputSchema", u"outputSchema"}) {
                if (tool[name].isObject())
                    tally.add(tool[name], file.chopped(5) + u'/' + tool[u"name"].string());
            }
        }
    }
    tally.print("tools");
    QVERIFY(tally.valid > 500);
    QVERIFY(tally.percent() >= 99);
}

// Each that some value of the suite is valid for. Remote references are never fetched.
void TestExampleCorpus::schemasOfTheSuite()
{
    const QString folder = shared + u"suites/JSON-Schema-Test-Suite/tests/"_s;
    if (!QFile::exists(folder))
        QSKIP("../shared/suites/JSON-Schema-Test-Suite is not there");
    Tally tally;
    for (const char *draft : {"draft2020-12", "draft7"}) {
        QDirIterator files(folder + QLatin1StringView(draft), {u"*.json"_s}, QDir::Files);
        while (files.hasNext()) {
            const QString path = files.next();
            for (const json::Value &group : read(path)) {
                const schema::Schema checked(group[u"schema"], schema::Schema::forArguments());
                bool hasValid = false;
                for (const json::Value &test : group[u"tests"]) {
                    hasValid = hasValid || (test[u"valid"].toBool() && checked.validate(test[u"data"]).isEmpty());
                }
                if (hasValid)
                    tally.add(group[u"schema"], files.fileName() + u' ' + group[u"description"].string());
            }
        }
    }
    tally.print("suite");
    QVERIFY(tally.valid > 300);
    QVERIFY(tally.percent() >= 99);
}

SONDE_TEST(TestExampleCorpus)
#include "tst_examplecorpus.moc"
