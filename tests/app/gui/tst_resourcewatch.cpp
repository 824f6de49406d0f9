// Subscribing to a resource in its tab, and what changes there when the server says that it was updated.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/methods.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "ui/json/textview.h"
#include "ui/panels/offertree.h"
#include "ui/theme/widgets.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QTabBar>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::FakeHttpServer;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

QByteArray inDoubleQuotes(QByteArray text)
{
    return text.replace('\'', '"');
}

// Two resources, of which it does not acknowledge the one named "secret"; in either era.
class WatchedServer {
public:
    WatchedServer()
        : m_server([this](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
              handle(request, peer);
          })
    {}

    QByteArray text = "first\nsecond\nthird\n";
    bool isDeleted = false;
    QUrl url() const { return m_server.url(); }

    void tell(const QByteArray &uri) const
    {
        if (m_streams.isEmpty())
            return;
        m_streams.last().event(notification("resources/updated", inDoubleQuotes("'uri':'" + uri + '\'')));
    }
    void endStream()
    {
        m_streams.last().event(R"({"jsonrpc":"2.0","id":)" + m_listenId +
                               inDoubleQuotes(",'result':{'resultType':'complete'}}"));
        m_streams.last().endEvents();
    }

private:
    QByteArray notification(const QByteArray &method, const QByteArray &members) const
    {
        return R"({"jsonrpc":"2.0","method":"notifications/)" + method + R"(","params":{)" + members +
               (m_listenId.isEmpty() ? QByteArray()
                                     : R"(,"_meta":{"io.modelcontextprotocol/subscriptionId":)" + m_listenId + '}') +
               "}}";
    }

    void handle(const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer)
    {
        const Message message = Message::parse(request.body);
        const auto result = [&](const QByteArray &members) {
            peer.json(R"({"jsonrpc":"2.0","id":)" + message.id().toJson() +
                      inDoubleQuotes(",'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private'") + members +
                      "}}");
        };
        const QByteArray capabilities = inDoubleQuotes(",'capabilities':{'resources':{'subscribe':true}}");
        const QString method = message.method();
        if (request.method == "GET") {
            peer.beginEvents();
            m_streams.append(peer);
        } else if (method == methods::Discover) {
            result(capabilities + inDoubleQuotes(",'supportedVersions':['2026-07-28']"));
        } else if (method == methods::Initialize) {
            result(capabilities +
                   inDoubleQuotes(",'protocolVersion':'2025-11-25','serverInfo':{'name':'s','version':'1'}"));
        } else if (method == methods::Listen) {
            m_listenId = message.id().toJson();
            m_streams.append(peer);
            const QByteArray wanted = message.params()[u"notifications"][u"resourceSubscriptions"].bytes();
            peer.beginEvents();
            peer.event(notification("subscriptions/acknowledged",
                                    inDoubleQuotes("'notifications':{'resourceSubscriptions':") +
                                        QByteArray(wanted).replace(R"(,"test://secret")", "") + '}'));
        } else if (method == methods::ListResources) {
            result(
                inDoubleQuotes(",'resources':[{'uri':'test://notes','name':'notes','mimeType':'text/plain'},"
                               "{'uri':'test://secret','name':'secret'}]"));
        } else if (method == methods::ListResourceTemplates) {
            result(inDoubleQuotes(",'resourceTemplates':[]"));
        } else if (method == methods::ReadResource && isDeleted) {
            peer.json(R"({"jsonrpc":"2.0","id":)" + message.id().toJson() +
                      inDoubleQuotes(",'error':{'code':-32602,'message':'No such resource'}}"));
        } else if (method == methods::ReadResource) {
            result(inDoubleQuotes(",'contents':[{'uri':'test://notes','text':'") +
                   QByteArray(text).replace("\n", "\\n") + "\"}]");
        } else if (message.kind() == Message::Kind::Request) {
            result({});
        } else {
            peer.accept();
        }
    }

    QByteArray m_listenId;
    QList<FakeHttpServer::Peer> m_streams;
    FakeHttpServer m_server;
};

QString watchStatus(const TestWindow &desk)
{
    const auto *status = desk.panel() ? desk.panel()->findChild<ui::TextLabel *>(u"watchStatus"_s) : nullptr;
    return status && status->isVisible() ? status->text() : QString();
}

QString subscribeText(const TestWindow &desk)
{
    const auto *button = desk.panel() ? desk.panel()->findChild<QPushButton *>(u"subscribeButton"_s) : nullptr;
    return button && button->isVisible() ? button->text() : QString();
}

QString differenceText(const TestWindow &desk)
{
    const auto *view = desk.panel()->findChild<ui::TextView *>(u"versionDifference"_s);
    return view->isVisible() ? QString::fromUtf8(view->text()) : QString();
}

QString tabText(TestWindow &desk)
{
    return desk.window().tabs->tabText(desk.window().tabs->currentIndex());
}

QString treeBadge(TestWindow &desk)
{
    const ui::OfferModel *model = desk.window().offers->model();
    const QModelIndex resources = model->index(1, 0);
    return model->index(0, 0, resources).data(ui::OfferModel::BadgeTextRole).toString();
}

bool openServer(TestWindow &desk)
{
    return desk.clickServer(u"watched"_s) && desk.click(u"restartServer"_s) && desk.isConnected(u"watched"_s);
}

void configure(const WatchedServer &server, const QByteArray &revision)
{
    QDir().mkpath(QFileInfo(TestWindow::configPath({})).path());
    test::writeFile(TestWindow::configPath(u"servers.json"_s), R"({"mcpServers":{"watched":{"type":"http","url":")" +
                                                                   server.url().toEncoded() + R"(","revision":")" +
                                                                   revision + R"("}}})");
}

}  // namespace

class TestResourceWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void aChangeIsReadAndCompared_data()
    {
        QTest::addColumn<QByteArray>("revision");
        QTest::newRow("stateful") << "2025-11-25"_ba;
        QTest::newRow("stateless") << "2026-07-28"_ba;
    }
    void aChangeIsReadAndCompared()
    {
        QFETCH(QByteArray, revision);
        WatchedServer server;
        configure(server, revision);
        TestWindow desk;
        QVERIFY(openServer(desk));
        QVERIFY(desk.open(u"notes"_s));
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QCOMPARE(subscribeText(desk), u"Subscribe"_s);
        QVERIFY(watchStatus(desk).isEmpty());
        QVERIFY(desk.click(u"subscribeButton"_s));
        QTRY_COMPARE_WITH_TIMEOUT(watchStatus(desk), u"● Live"_s, Patience);
        QCOMPARE(subscribeText(desk), u"Unsubscribe"_s);
        QTRY_COMPARE(tabText(desk), u"● notes"_s);
        QCOMPARE(treeBadge(desk), u"live"_s);

        server.text = "first\nchanged\nthird\n";
        server.tell("test://notes");
        QTRY_COMPARE_WITH_TIMEOUT(desk.resultText(), u"first\nchanged\nthird\n"_s, Patience);
        QVERIFY2(watchStatus(desk).contains(u"changed at"_s), qPrintable(watchStatus(desk)));
        const auto *mode = desk.panel()->findChild<ui::SegmentedControl *>(u"versionMode"_s);
        QTRY_VERIFY(mode->isVisible());
        QCoreApplication::processEvents();  // it is laid out in the next turn
        QTest::mouseClick(mode->button(1), Qt::LeftButton);
        QCOMPARE(differenceText(desk), u"first\nsecond\nchanged\nthird\n"_s);
        const auto *summary = desk.panel()->findChild<ui::TextLabel *>(u"differenceSummary"_s);
        QCOMPARE(summary->text(), u"1 line added, 1 removed"_s);

        // A part of it changes; it is compared with the version before, and with the first one when that is chosen.
        server.text = "changed\nthird\n";
        server.tell("test://notes/part");
        QTRY_COMPARE_WITH_TIMEOUT(differenceText(desk), u"first\nchanged\nthird\n"_s, Patience);
        QVERIFY2(watchStatus(desk).contains(u"test://notes/part"_s), qPrintable(watchStatus(desk)));
        auto *older = desk.panel()->findChild<QComboBox *>(u"olderVersion"_s);
        QCOMPARE(older->count(), 2);
        older->setFocus();
        QTest::keyClick(older, Qt::Key_Down);
        QCOMPARE(differenceText(desk), u"first\nsecond\nchanged\nthird\n"_s);
        QCOMPARE(summary->text(), u"1 line added, 2 removed"_s);

        // A deleted one is an error, which has no difference.
        server.isDeleted = true;
        server.tell("test://notes");
        QTRY_VERIFY_WITH_TIMEOUT(!desk.bannerTitle().isEmpty(), Patience);
        QVERIFY(differenceText(desk).isEmpty());
        QVERIFY(!mode->isVisible());

        QVERIFY(desk.click(u"subscribeButton"_s));
        QTRY_COMPARE_WITH_TIMEOUT(subscribeText(desk), u"Subscribe"_s, Patience);
        QTRY_COMPARE_WITH_TIMEOUT(tabText(desk), u"notes"_s, Patience);
        QTRY_COMPARE_WITH_TIMEOUT(treeBadge(desk), QString(), Patience);
        QVERIFY(desk.close());
    }

    void whatWasLeftOutOrEndedIsShown()
    {
        WatchedServer server;
        configure(server, "2026-07-28");
        TestWindow desk;
        QVERIFY(openServer(desk));
        QTabWidget *tabs = desk.window().tabs;
        const int page = tabs->currentIndex();
        auto *section = tabs->currentWidget()->findChild<QWidget *>(u"subscriptions"_s);
        QVERIFY(section && !section->isVisible());
        for (const QString &each : {u"notes"_s, u"secret"_s}) {
            QVERIFY(desk.open(each));
            QVERIFY(desk.endsWith(u"✓ OK"_s));
            QVERIFY(desk.click(u"subscribeButton"_s));
            QTRY_VERIFY_WITH_TIMEOUT(subscribeText(desk) != u"Subscribe"_s && watchStatus(desk) != u"Subscribing…"_s,
                                     Patience);
        }
        QVERIFY2(watchStatus(desk).contains(u"did not acknowledge"_s), qPrintable(watchStatus(desk)));
        QCOMPARE(subscribeText(desk), u"Subscribe again"_s);

        QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(page).center());
        QTRY_VERIFY_WITH_TIMEOUT(section->isVisible(), Patience);
        const auto texts = [section] {
            QStringList shown;
            for (const ui::TextLabel *label : section->findChildren<ui::TextLabel *>())
                shown << label->text();
            return shown;
        };
        QVERIFY2(texts().contains(u"test://notes\ntest://secret"_s), qPrintable(texts().join(u'|')));
        QCOMPARE(texts().count(u"test://secret"_s), 1);  // left out
        QCOMPARE(texts().count(u"test://notes"_s), 1);   // acknowledged

        server.endStream();
        QTRY_VERIFY_WITH_TIMEOUT(texts().contains(u"Ended by the server"_s), Patience);
        QVERIFY(desk.click(u"subscribeAgain"_s));
        QTRY_VERIFY_WITH_TIMEOUT(texts().contains(u"✓ Active"_s), Patience);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestResourceWatch)
#include "tst_resourcewatch.moc"
