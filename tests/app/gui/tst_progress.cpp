// The progress of a call in its tab.
// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/commandline.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "ui/theme/widgets.h"

#include <QLabel>
#include <QProgressBar>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::TestWindow;

namespace {

QString saysProgress(const QByteArray &members)
{
    return u"say:{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":3,"_s +
           QString::fromUtf8(members) + u"}}"_s;
}

}  // namespace

class TestProgress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void badProgressIsAFinding()
    {
        const QString long_ = QString(3'000, u'x');
        QStringList words{
            test::builtProgram(QStringLiteral("fake-stdio-server")),
            u"readline"_s,
            QString::fromUtf8(R"(say:{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",)"
                              R"("capabilities":{"tools":{}},"serverInfo":{"name":"counter","version":"1"}}})"),
            u"readline"_s,
            u"readline"_s,
            QString::fromUtf8(R"(say:{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"count",)"
                              R"("inputSchema":{"type":"object"}}]}})"),
            u"readline"_s,
            saysProgress("\"progress\":1234567,\"total\":4938268,\"message\":\"Reading\\u202e" + long_.toUtf8() + '"'),
            u"readline"_s,
            saysProgress(R"("progress":2,"total":4)"),  // backwards
            u"readline"_s,
            saysProgress(R"("progress":9,"total":4)"),  // beyond
            u"readline"_s,
            saysProgress(R"("progress":1e400,"total":1e400)"),  // no number that a bar could show
            u"readline"_s,
            saysProgress(R"("progress":1e401)"),
            u"readline"_s,
            u"say:{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}}"_s};
        TestWindow desk;
        desk.servers().connectLine(joinCommandLine(words + QStringList{u"waiteof"_s}));
        QVERIFY(desk.open(u"count"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        const auto *bar = desk.panel()->findChild<QProgressBar *>(u"progress"_s);
        const auto *text = desk.panel()->findChild<QLabel *>(u"progressText"_s);
        QTRY_VERIFY(bar->isVisible() && bar->maximum() > 0);
        QCOMPARE(bar->value() * 4, bar->maximum());
        QVERIFY2(text->text().startsWith(u"1234567 of 4938268 · Reading"_s), qPrintable(text->text().left(60)));
        QVERIFY(test::unsafeIn(text->text()).isEmpty());
        // One line, however long; the whole is in the tool tip.
        QVERIFY(text->width() <= desk.panel()->width());
        QVERIFY(text->height() < 3 * text->fontMetrics().height());
        QVERIFY(text->toolTip().size() > 1'000);

        Connection *connection = desk.panel()->connection();
        const auto finding = [&desk, connection](const QString &words_) {
            const Session *session = connection->session();
            for (qsizetype row = 0; row < session->size(); ++row) {
                if (session->at(row).kind == WireEvent::Kind::Note && session->facts(row).contains(words_.toUtf8()))
                    return true;
            }
            return false;
        };
        connection->ping();
        QTRY_COMPARE(text->text(), u"2 of 4"_s);
        QCOMPARE(bar->value() * 2, bar->maximum());
        QTRY_VERIFY(finding(u"does not increase"_s));
        connection->ping();
        QTRY_COMPARE(text->text(), u"9 of 4"_s);
        QCOMPARE(bar->value(), bar->maximum());
        QTRY_VERIFY(finding(u"beyond its total"_s));
        connection->ping();
        QTRY_VERIFY(text->text().startsWith(u"inf"_s));
        QVERIFY(bar->value() >= bar->minimum() && bar->value() <= bar->maximum());
        connection->ping();
        QTRY_COMPARE(bar->maximum(), 0);
        connection->ping();
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY(!bar->isVisible());
        QVERIFY(desk.close());
    }

    void bothErasShowIt_data()
    {
        QTest::addColumn<Revision>("revision");
        QTest::newRow("with a handshake") << Revision::R20251125;
        QTest::newRow("stateless") << Revision::R20260728;
    }
    void bothErasShowIt()
    {
        QFETCH(Revision, revision);
        TestWindow desk;
        ServerSpec spec = app::Workspace::demoSpec();
        spec.name = u"counting"_s;
        spec.revision = revision;
        QVERIFY(desk.workspace().add(spec));
        desk.workspace().start(*desk.workspace().serverNamed(spec.name));
        QVERIFY(desk.isConnected(spec.name));
        QVERIFY(desk.open(u"progress"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        const auto *bar = desk.panel()->findChild<QProgressBar *>(u"progress"_s);
        const auto *text = desk.panel()->findChild<QLabel *>(u"progressText"_s);
        QTRY_VERIFY(bar->isVisible() && bar->maximum() > 0 && bar->value() > 0);
        QVERIFY2(text->text().contains(u" of "_s), qPrintable(text->text()));
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestProgress)
#include "tst_progress.moc"
