// The tool lists of real servers: every form opens, and every argument object comes back as it went in.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/support/fallbacks.h"
#include "tests/support/testregistry.h"
#include "ui/form/schemaform.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::fallbacksOf;
using sonde::ui::SchemaForm;
namespace json = sonde::json;

namespace {

const QString Shared = QStringLiteral(SONDE_SOURCE_DIR "/../shared/");

json::Document read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? json::Document::parse(file.readAll()) : json::Document();
}

}  // namespace

class TestFormCorpus : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void roundTrip_data();
    void roundTrip();
    void cleanupTestCase();

private:
    int m_servers = 0;
    int m_tools = 0;
    int m_complete = 0;
    int m_values = 0;
    QStringList m_incomplete;
};

void TestFormCorpus::initTestCase()
{
    if (!QDir(Shared + u"corpus"_s).exists())
        QSKIP("the recorded tool lists are not beside the project (../shared/corpus)");
}

void TestFormCorpus::roundTrip_data()
{
    QTest::addColumn<QString>("server");
    const QStringList files = QDir(Shared + u"corpus"_s).entryList({u"*.json"_s}, QDir::Files);
    const int sample = qMax(1, qEnvironmentVariableIntValue("SONDE_SAMPLE"));
    for (qsizetype i = 0; i < files.size(); i += sample)
        QTest::newRow(qPrintable(files.at(i).chopped(5))) << files.at(i);
}

void TestFormCorpus::roundTrip()
{
    QFETCH(QString, server);
    const json::Document list = read(Shared + u"corpus/"_s + server);
    const json::Document instances = read(Shared + u"instances/"_s + server);
    QVERIFY(list.isValid());
    QVERIFY(instances.isValid());
    const json::Value tools = list.root()[u"tools"];
    QVERIFY(!tools.isEmpty());
    ++m_servers;
    for (const json::Value &tool : tools) {
        const QString name = tool[u"name"].string();
        SchemaForm form;
        form.resize(560, 800);
        form.setSchema(tool[u"inputSchema"]);
        form.show();
        QApplication::processEvents();
        QVERIFY2(form.fieldCount() > 0, qPrintable(name));
        bool isComplete = fallbacksOf(form).isEmpty();
        bool hasInstances = false;
        const json::Value all = instances.root();
        for (const json::Value &entry : all) {
            if (entry[u"tool"].string() != name)
                continue;
            hasInstances = true;
            int shown = 0;  // the rest is loaded and drawn, only not laid out
            const json::Value values = entry[u"args"];
            for (const json::Value &value : values) {
                form.setValue(value);
                if (++shown <= 3)
                    QApplication::processEvents();
                const QByteArray expected = json::compact(value);
                if (form.value() != expected) {
                    QFAIL(qPrintable(u"%1: %2\nbecame %3"_s.arg(name, QString::fromUtf8(expected),
                                                                QString::fromUtf8(form.value()))));
                }
                isComplete = isComplete && fallbacksOf(form).isEmpty();
                ++m_values;
            }
        }
        QVERIFY2(hasInstances, qPrintable(u"no argument objects for "_s + name));
        ++m_tools;
        if (isComplete)
            ++m_complete;
        else
            m_incomplete.append(server.chopped(5) + u'/' + name);
    }
}

void TestFormCorpus::cleanupTestCase()
{
    if (m_tools == 0)
        return;
    qInfo("%d servers, %d tools, %d argument objects; drawn completely: %d tools", m_servers, m_tools, m_values,
          m_complete);
    if (!m_incomplete.isEmpty())
        qInfo("with raw JSON somewhere: %s", qPrintable(m_incomplete.join(u", "_s)));
}

SONDE_TEST(TestFormCorpus)
#include "tst_formcorpus.moc"
