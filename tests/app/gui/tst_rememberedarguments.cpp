// What a tool was called with is there again tomorrow; what is secret is not.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

class TestRememberedArguments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void theyComeBackAtTheNextStart()
    {
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY(desk.enter(u"/a"_s, u"9007199254740993"_s));
            QVERIFY(desk.enter(u"/b"_s, u"1.50"_s));
            QVERIFY(desk.call(u"✓ OK"_s));
            QVERIFY(desk.open(u"weather"_s));
            QVERIFY(desk.enter(u"/city"_s, u"Bern"_s));
            QVERIFY(desk.call(u"✓ OK"_s));
            QVERIFY(desk.close());
        }
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QCOMPARE(desk.panel()->ref().key, u"add"_s);
        QCOMPARE(desk.panel()->arguments(), QByteArray("{\"a\":9007199254740993,\"b\":1.50}"));
        QVERIFY(desk.find<QWidget>(u"recalled"_s)->isVisible());
        // One button away from an empty form.
        QVERIFY(desk.click(u"startEmpty"_s));
        QCOMPARE(desk.panel()->arguments(), QByteArray("{}"));
        QVERIFY(!desk.panel()->findChild<QWidget *>(u"recalled"_s)->isVisible());
        QVERIFY(desk.open(u"weather"_s));
        QCOMPARE(desk.panel()->arguments(), QByteArray("{\"city\":\"Bern\"}"));
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(!desk.panel()->findChild<QWidget *>(u"recalled"_s)->isVisible());
        QVERIFY(desk.close());
    }

    // Where the demo server has another name.
    void theyComeBackInAnotherLanguage()
    {
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY(desk.enter(u"/a"_s, u"40"_s));
            QVERIFY(desk.enter(u"/b"_s, u"2"_s));
            QVERIFY(desk.call(u"✓ OK"_s));
            desk.settings().set(app::setting::Language, u"de"_s);
            QVERIFY(desk.close());
        }
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QCOMPARE(desk.workspace().demo()->spec.name, u"Demo-Server"_s);
        QCOMPARE(desk.panel()->arguments(), QByteArray("{\"a\":40,\"b\":2}"));
        QVERIFY(desk.close());
    }

    // Fields can come from allOf, from a $ref, from a map, from a union.
    void theyComeBackWhereNoPropertiesAreDeclared_data()
    {
        QTest::addColumn<QByteArray>("schema");
        QTest::addColumn<QByteArray>("kept");
        QTest::addColumn<QString>("focused");
        const QByteArray both = R"({"city":"Bern","other":"x"})";
        const QByteArray city = R"({"city":"Bern"})";
        QTest::newRow("allOf") << R"({"type":"object","allOf":[{"properties":{"city":{"type":"string"}}}]})"_ba << city
                               << u"field:/city"_s;
        QTest::newRow("$ref") << R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"object",
                                     "properties":{"city":{"type":"string"}}}}})"_ba
                              << city << u"field:/city"_s;
        QTest::newRow("map") << R"({"type":"object","additionalProperties":{"type":"string"}})"_ba << both
                             << u"field:/city"_s;
        QTest::newRow("anything") << R"({"type":"object"})"_ba << both << u"callButton"_s;
        QTest::newRow("nothing") << R"({"type":"object","properties":{},"additionalProperties":false})"_ba
                                 << "{}"_ba << u"callButton"_s;
    }

    void theyComeBackWhereNoPropertiesAreDeclared()
    {
        QFETCH(QByteArray, schema);
        QFETCH(QByteArray, kept);
        QFETCH(QString, focused);
        QTemporaryDir folder;
        QFile script(folder.filePath(u"server.sh"_s));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(R"(while read -r line; do
id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
case "$line" in
*'"server/discover"'*)
    printf '{"jsonrpc":"2.0","id":"server-discover-probe","error":{"code":-32601,"message":"Method not found"}}\n';;
*'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}';;
*'"tools/list"'*) result='{"tools":[{"name":"echo","inputSchema":)" +
                     schema.simplified() +
                     R"(}]}';;
*) result='{"content":[{"type":"text","text":"ok"}]}';;
esac
[ -z "$id" ] || printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
)");
        script.close();
        const QString line = u"sh "_s + script.fileName();
        QString name;
        {
            TestWindow desk;
            name = desk.add(line);
            QVERIFY(!name.isEmpty());
            QVERIFY(desk.open(u"echo"_s));
            desk.panel()->setArguments(R"({"city":"Bern","other":"x"})");
            QVERIFY(desk.call(u"✓ OK"_s));
            QVERIFY(desk.close());
        }
        TestWindow desk;
        desk.servers().connectLine(line);
        QVERIFY(desk.isConnected(name));
        QTRY_VERIFY_WITH_TIMEOUT(desk.isListed(), Patience);
        QVERIFY(desk.open(u"echo"_s));
        QCOMPARE(desk.panel()->arguments(), kept);
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), focused);
        QVERIFY(desk.close());
    }

    void secretsDoNot()
    {
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY(desk.open(u"every-field-kind"_s));
            desk.panel()->setArguments("{\"text\":\"kept\",\"secret\":\"CANARY-one\",\"apiKey\":\"CANARY-two\"}");
            desk.press(Qt::Key_Return, Qt::ControlModifier);
            QTRY_VERIFY(!desk.panel()->isRunning());
            QVERIFY(desk.close());
        }
        const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
        QFile file(data + u"/sonde/arguments.jsonl"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray written = file.readAll();
        QVERIFY2(written.contains("kept") && !written.contains("CANARY"), written.constData());
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"every-field-kind"_s));
        QVERIFY2(desk.panel()->arguments().contains("kept"), desk.panel()->arguments().constData());
        QVERIFY(!desk.panel()->arguments().contains("CANARY"));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestRememberedArguments)
#include "tst_rememberedarguments.moc"
