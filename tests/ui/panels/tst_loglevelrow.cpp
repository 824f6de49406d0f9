// The log level on a server's page.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connection.h"
#include "core/connection/loglevelchoice.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "ui/panels/serverpanel.h"
#include "ui/theme/widgets.h"

#include <QComboBox>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

class TestLogLevelRow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLevelIsChosenOnTheServersPage_data()
    {
        QTest::addColumn<Revision>("revision");
        QTest::addColumn<QString>("none");
        QTest::addColumn<QString>("note");
        QTest::newRow("session") << Revision::R20251125 << u"Server default"_s << u""_s;
        QTest::newRow("each request") << Revision::R20260728 << u"Off"_s << u"Sent with each request."_s;
    }
    void theLevelIsChosenOnTheServersPage()
    {
        QFETCH(Revision, revision);
        ServerSpec spec;
        spec.name = u"demo"_s;
        spec.command = test::builtProgram(QStringLiteral("sonde-demo-server"));
        spec.revision = revision;
        Connection connection(spec, {});
        ui::ServerPanel panel;
        panel.resize(900, 700);
        panel.setServer(spec, &connection);
        panel.show();
        auto *levels = panel.findChild<QComboBox *>(u"logLevel"_s);
        QVERIFY(levels && !levels->isVisible());
        connection.open();
        QTRY_VERIFY(levels->isVisible());
        QTEST(levels->currentText(), "none");

        QTest::keyClick(levels, Qt::Key_Down);
        QCOMPARE(connection.logLevel()->level(), u"debug"_s);
        QCOMPARE(levels->currentText(), u"debug"_s);
        QTEST(panel.findChild<ui::TextLabel *>(u"logLevelNote"_s)->text(), "note");
        connection.close();
        QTRY_VERIFY(!levels->isVisible());
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
        connection.open();
        QTRY_VERIFY(levels->isVisible());
        QCOMPARE(levels->currentText(), u"debug"_s);
    }
};

SONDE_TEST(TestLogLevelRow)
#include "tst_loglevelrow.moc"
