// What a tool was called with is there again tomorrow; what is secret is not.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/desk.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Desk;

class TestRememberedArguments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { Desk::clear(); }

    void theyComeBackAtTheNextStart()
    {
        {
            Desk desk;
            QVERIFY(desk.openDemo());
            QVERIFY(desk.enter(u"/a"_s, u"9007199254740993"_s));
            QVERIFY(desk.enter(u"/b"_s, u"1.50"_s));
            QVERIFY(desk.call(u"✓ OK"_s));
            QVERIFY(desk.open(u"weather"_s));
            QVERIFY(desk.enter(u"/city"_s, u"Bern"_s));
            QVERIFY(desk.call(u"✓ OK"_s));
            QVERIFY(desk.close());
        }
        Desk desk;
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

    void secretsDoNot()
    {
        {
            Desk desk;
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
        Desk desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"every-field-kind"_s));
        QVERIFY2(desk.panel()->arguments().contains("kept"), desk.panel()->arguments().constData());
        QVERIFY(!desk.panel()->arguments().contains("CANARY"));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestRememberedArguments)
#include "tst_rememberedarguments.moc"
