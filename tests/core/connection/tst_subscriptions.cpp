// Subscriptions in both eras: against a scripted transport, a scripted HTTP server, and the demo server.
// SPDX-License-Identifier: Apache-2.0
#include "core/client/statelessdialect.h"
#include "core/connection/connection.h"
#include "core/connection/subscriptions.h"
#include "core/protocol/methods.h"
#include "tests/core/client/clockedclient.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/faketransport.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "tests/support/wrongmessages.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using namespace sonde::test;

namespace {

using SubscriptionState = Subscriptions::State;

QByteArray withQuotes(QByteArray text)
{
    return text.replace('\'', '"');
}

// A notification of the stream that this request opened. members: of params, or empty.
QByteArray onStream(const Message &listen, QStringView method, const QByteArray &members = {})
{
    return R"({"jsonrpc":"2.0","method":")" + method.toUtf8() + R"(","params":{)" + withQuotes(members) +
           (members.isEmpty() ? "" : ",") + R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" +
           listen.id().toJson() + "}}}";
}

QByteArray filterOf(const Message &listen)
{
    return listen.params()[u"notifications"].bytes();
}

// Everything around the subscriptions of one server, without a process.
struct Stage {
    FakeTransport transport;
    ClockedClient client{&transport};
    Catalog catalog{&client};
    Subscriptions subscriptions{&client, &catalog};
    QSignalSpy updated{&subscriptions, &Subscriptions::updated};
    QSignalSpy resumed{&subscriptions, &Subscriptions::resumed};
    QSignalSpy findings{&subscriptions, &Subscriptions::findingAdded};
    QSignalSpy clientFindings{&client, &Client::findingAdded};

    explicit Stage(bool isStateless = true, bool followsLists = false)
    {
        transport.openNow();
        if (isStateless)
            client.setDialect(std::make_unique<StatelessDialect>(Revision::R20260728, "{}", false));
        subscriptions.begin(json::parse(withQuotes("{'tools':{'listChanged':true},'prompts':{},"
                                                   "'resources':{'subscribe':true,'listChanged':true}}")),
                            followsLists);
    }

    void acknowledge(const Message &listen, const QByteArray &granted)
    {
        transport.inject(onStream(listen, methods::SubscriptionAcknowledged, "'notifications':" + granted));
    }
    // Subscribed, and acknowledged as requested.
    Message listenTo(const QString &uri)
    {
        subscriptions.subscribe(uri);
        Message listen = transport.expectSent(methods::Listen);
        acknowledge(listen, filterOf(listen));
        return listen;
    }
    QString lastFinding() const { return findings.isEmpty() ? QString() : findings.last().first().toString(); }
};

const Error BrokenStream{Error::Kind::Transport, 0, u"The stream broke."_s, {}, {}, {}};

}  // namespace

class TestSubscriptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void subResources_data()
    {
        QTest::addColumn<QString>("changed");
        QTest::addColumn<bool>("isPart");
        QTest::newRow("itself") << u"demo://a"_s << true;
        QTest::newRow("below") << u"demo://a/b"_s << true;
        QTest::newRow("fragment") << u"demo://a#top"_s << true;
        QTest::newRow("a longer name") << u"demo://ab"_s << false;
        QTest::newRow("above") << u"demo:"_s << false;
    }
    void subResources()
    {
        QFETCH(QString, changed);
        QTEST(isWithin(changed, u"demo://a"_s), "isPart");
    }

    void oneStreamCarriesListsAndResources()
    {
        Stage stage(true, true);
        const Message first = stage.transport.expectSent(methods::Listen);
        QCOMPARE(filterOf(first), withQuotes("{'toolsListChanged':true,'resourcesListChanged':true}"));
        QCOMPARE(stage.subscriptions.state(), SubscriptionState::Requested);
        stage.acknowledge(first, filterOf(first));
        QCOMPARE(stage.subscriptions.state(), SubscriptionState::Active);

        // Two wishes of one turn are one new stream; the old one goes when that is acknowledged, not before.
        stage.subscriptions.subscribe(u"demo://a"_s);
        stage.subscriptions.subscribe(u"demo://b"_s);
        const Message second = stage.transport.expectSent(methods::Listen);
        QCOMPARE(filterOf(second), withQuotes("{'toolsListChanged':true,'resourcesListChanged':true,"
                                              "'resourceSubscriptions':['demo://a','demo://b']}"));
        QVERIFY(second.id() != first.id());
        QVERIFY(stage.transport.sendsNothing());
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Requested);
        stage.acknowledge(second, filterOf(second));
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Active);
        const Message cancelled = stage.transport.expectSent(methods::Cancelled);
        QVERIFY(RequestId::fromValue(cancelled.params()[u"requestId"]) == first.id());
        QVERIFY(stage.transport.sendsNothing());

        // What the old stream still says is no fault, and its result is no news.
        stage.transport.inject(onStream(first, methods::ToolsChanged));
        stage.transport.response(first, withQuotes("{'resultType':'complete'}"));
        QCOMPARE(stage.findings.size(), 0);
        QCOMPARE(stage.clientFindings.size(), 0);
        QCOMPARE(stage.resumed.size(), 0);
    }

    void runningTasksAreListenedTo()
    {
        Stage stage;
        stage.subscriptions.setTasks({u"t1"_s});
        const Message first = stage.transport.expectSent(methods::Listen);
        QCOMPARE(filterOf(first), withQuotes("{'taskIds':['t1']}"));
        stage.acknowledge(first, filterOf(first));
        stage.transport.inject(onStream(first, methods::TaskChanged, "'taskId':'t1','status':'working'"));
        QCOMPARE(stage.findings.size(), 0);
        stage.transport.inject(onStream(first, methods::TaskChanged, "'taskId':'t9','status':'working'"));
        QVERIFY2(stage.lastFinding().contains(u"notifications/tasks, which it had not acknowledged"),
                 qPrintable(stage.lastFinding()));

        // A task that is over is not worth a new stream; a new task is.
        stage.subscriptions.setTasks({u"t2"_s, u"t1"_s});
        const Message second = stage.transport.expectSent(methods::Listen);
        QCOMPARE(filterOf(second), withQuotes("{'taskIds':['t2','t1']}"));
        stage.acknowledge(second, withQuotes("{'taskIds':['t2']}"));
        stage.transport.expectSent(methods::Cancelled);
        QCOMPARE(stage.subscriptions.requested().without(stage.subscriptions.acknowledged()).taskIds,
                 QStringList{u"t1"_s});
        stage.subscriptions.setTasks({u"t2"_s});
        QVERIFY(stage.transport.sendsNothing());
        stage.subscriptions.setTasks({});  // nothing is left to listen to
        stage.transport.expectSent(methods::Cancelled);
        QVERIFY(stage.transport.sendsNothing());
        QCOMPARE(stage.subscriptions.state(), SubscriptionState::None);
    }

    void whatWasNotAcknowledgedIsRefused()
    {
        Stage stage;
        stage.subscriptions.subscribe(u"demo://a"_s);
        stage.subscriptions.subscribe(u"demo://b"_s);
        const Message listen = stage.transport.expectSent(methods::Listen);
        stage.acknowledge(listen, "{'resourceSubscriptions':['demo://b']}");
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Refused);
        QVERIFY(!stage.subscriptions.problemOf(u"demo://a"_s).message.isEmpty());
        QCOMPARE(stage.subscriptions.stateOf(u"demo://b"_s), SubscriptionState::Active);
        QVERIFY(stage.subscriptions.problemOf(u"demo://b"_s).message.isEmpty());
        QCOMPARE(stage.subscriptions.requested().without(stage.subscriptions.acknowledged()).uris,
                 QStringList(u"demo://a"_s));
        // It was refused, so its updates are none of this stream's.
        stage.transport.inject(onStream(listen, methods::ResourceUpdated, "'uri':'demo://a'"));
        QCOMPARE(stage.updated.size(), 0);
        QVERIFY2(stage.lastFinding().contains(u"demo://a"_s), qPrintable(stage.lastFinding()));
    }

    void moreThanRequestedIsAFinding()
    {
        Stage stage;
        stage.subscriptions.subscribe(u"demo://a"_s);
        stage.acknowledge(stage.transport.expectSent(methods::Listen),
                          "{'toolsListChanged':true,'resourceSubscriptions':['demo://a']}");
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Active);
        QCOMPARE(stage.findings.size(), 1);
    }

    void oddAcknowledgements_data()
    {
        QTest::addColumn<QByteArray>("granted");
        QTest::addColumn<QString>("finding");
        QTest::newRow("a string") << "'all'"_ba << u"'notifications' must be an object"_s;
        QTest::newRow("null") << "null"_ba << u"'notifications' must be an object"_s;
        QTest::newRow("a flag that is none") << "{'toolsListChanged':'yes','resourceSubscriptions':['demo://a']}"_ba
                                             << u"In the acknowledgement, 'toolsListChanged' must be a boolean"_s;
        QTest::newRow("one resource") << "{'resourceSubscriptions':'demo://a'}"_ba
                                      << u"'resourceSubscriptions' must be an array"_s;
        QTest::newRow("an object of them")
            << "{'resourceSubscriptions':{'a':'demo://a'}}"_ba << u"'resourceSubscriptions' must be an array"_s;
        QTest::newRow("numbers among them")
            << "{'resourceSubscriptions':[1,'demo://a']}"_ba << u"'resourceSubscriptions[0]' must be a string"_s;
    }
    void oddAcknowledgements()
    {
        QFETCH(QByteArray, granted);
        QFETCH(QString, finding);
        Stage stage;
        stage.subscriptions.subscribe(u"demo://a"_s);
        const Message listen = stage.transport.expectSent(methods::Listen);
        stage.acknowledge(listen, granted);
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s),
                 granted.contains("['demo://a']") || granted.startsWith("{'resourceSubscriptions':[1")
                     ? SubscriptionState::Active
                     : SubscriptionState::Refused);
        QCOMPARE(stage.findings.size(), 1);
        QVERIFY2(stage.lastFinding().contains(finding), qPrintable(stage.lastFinding()));
        // However often it is said, memory stays bounded.
        for (int i = 0; i < 300; ++i)
            stage.acknowledge(listen, granted);
        QVERIFY(stage.findings.size() <= 100);
    }

    void onlyTheAcknowledgementHasADeadline()
    {
        Stage stage;
        stage.listenTo(u"demo://a"_s);
        stage.client.advance(24h);
        QVERIFY(stage.transport.sendsNothing());
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Active);
    }

    void aLateAcknowledgementChangesNothing()
    {
        Stage stage;
        stage.subscriptions.setAcknowledgementTimeout(1ms);
        stage.subscriptions.subscribe(u"demo://a"_s);
        const Message listen = stage.transport.expectSent(methods::Listen);
        QTRY_COMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Refused);
        QVERIFY(stage.transport.expectSent(methods::Cancelled).kind() == Message::Kind::Notification);
        stage.acknowledge(listen, filterOf(listen));
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Refused);
        QVERIFY(!stage.subscriptions.problemOf(u"demo://a"_s).message.isEmpty());
        QCOMPARE(stage.findings.size(), 1);  // that it was not acknowledged
        QVERIFY(stage.transport.sendsNothing());
    }

    void aRefusedChangeKeepsTheOldStream()
    {
        Stage stage;
        const Message first = stage.listenTo(u"demo://a"_s);
        stage.subscriptions.subscribe(u"demo://b"_s);
        stage.transport.responseError(stage.transport.expectSent(methods::Listen), -32602, u"No."_s);
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Active);
        QCOMPARE(stage.subscriptions.stateOf(u"demo://b"_s), SubscriptionState::Refused);
        QCOMPARE(stage.subscriptions.problemOf(u"demo://b"_s).message, u"No."_s);
        stage.transport.inject(onStream(first, methods::ResourceUpdated, "'uri':'demo://a'"));
        QCOMPARE(stage.updated.size(), 1);
        QVERIFY(stage.transport.sendsNothing());
    }

    void anOrderlyEndIsNotUndone_data()
    {
        QTest::addColumn<QString>("order");
        QTest::newRow("result") << u"r"_s;
        QTest::newRow("cancelled") << u"c"_s;
        QTest::newRow("result, cancelled") << u"rc"_s;
        QTest::newRow("cancelled, result") << u"cr"_s;
    }
    void anOrderlyEndIsNotUndone()
    {
        QFETCH(QString, order);
        Stage stage;
        const Message listen = stage.listenTo(u"demo://a"_s);
        for (const QChar each : std::as_const(order)) {
            if (each == u'r')
                stage.transport.response(listen, withQuotes("{'resultType':'complete','_meta':{"
                                                            "'io.modelcontextprotocol/subscriptionId':") +
                                                     listen.id().toJson() + "}}");
            else
                stage.transport.inject(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                                       listen.id().toJson() + "}}");
        }
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Ended);
        QVERIFY(stage.transport.sendsNothing());
        QCOMPARE(stage.findings.size() + stage.clientFindings.size(), 0);
        // Not for the sake of one that is given up; only when a person wants it.
        stage.subscriptions.subscribe(u"demo://b"_s);
        QCOMPARE(filterOf(stage.transport.expectSent(methods::Listen)),
                 withQuotes("{'resourceSubscriptions':['demo://a','demo://b']}"));
    }

    void oneThatEndedIsOpenedOnlyForAWish()
    {
        Stage stage;
        stage.subscriptions.subscribe(u"demo://a"_s);
        const Message listen = stage.listenTo(u"demo://b"_s);
        stage.transport.response(listen, withQuotes("{'resultType':'complete'}"));
        stage.subscriptions.unsubscribe(u"demo://a"_s);
        QVERIFY(stage.transport.sendsNothing());
        QCOMPARE(stage.subscriptions.state(), SubscriptionState::Ended);
        stage.subscriptions.listenAgain();
        stage.acknowledge(stage.transport.expectSent(methods::Listen), "{'resourceSubscriptions':['demo://b']}");
        QCOMPARE(stage.resumed.size(), 1);
        QCOMPARE(stage.resumed.last().first().toString(), u"demo://b"_s);
    }

    void aLostStreamIsOpenedAgainAndListsAreRead()
    {
        Stage stage(true, true);
        stage.catalog.setRefreshInterval(0ms);
        stage.catalog.load(json::parse(withQuotes("{'tools':{}}")));
        stage.transport.response(stage.transport.expectSent(methods::ListTools),
                                 withQuotes("{'resultType':'complete','tools':[]}"));
        const Message first = stage.transport.expectSent(methods::Listen);
        stage.acknowledge(first, filterOf(first));
        const Message second = stage.listenTo(u"demo://a"_s);
        (void)stage.transport.expectSent(methods::Cancelled);

        stage.subscriptions.setRetryInterval(1ms);
        stage.transport.failMessage(second.id(), BrokenStream);
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Lost);
        QVERIFY(!stage.subscriptions.error().hint.isEmpty());
        QVERIFY2(stage.lastFinding().contains(BrokenStream.message), qPrintable(stage.lastFinding()));
        // A second failure, before anything was acknowledged, is followed by one more try.
        stage.transport.failMessage(stage.transport.expectSent(methods::Listen).id(), BrokenStream);
        const Message third = stage.transport.expectSent(methods::Listen);
        QVERIFY(stage.transport.sendsNothing());
        stage.acknowledge(third, filterOf(third));
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Active);
        QCOMPARE(stage.resumed.size(), 1);
        QCOMPARE(stage.transport.expectSent(methods::ListTools).kind(), Message::Kind::Request);
    }

    void aServerThatNeverAcknowledgesIsLeftAlone()
    {
        Stage stage;
        stage.subscriptions.setRetryInterval(1ms);
        stage.subscriptions.subscribe(u"demo://a"_s);
        for (int i = 0; i < 5; ++i)
            stage.transport.failMessage(stage.transport.expectSent(methods::Listen).id(), BrokenStream);
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Refused);
        QTest::qWait(50);
        QVERIFY(stage.transport.sendsNothing());
    }

    void unsubscribingFromAllClosesTheStream()
    {
        Stage stage;
        const Message listen = stage.listenTo(u"demo://a"_s);
        stage.subscriptions.unsubscribe(u"demo://a"_s);
        const Message cancelled = stage.transport.expectSent(methods::Cancelled);
        QVERIFY(RequestId::fromValue(cancelled.params()[u"requestId"]) == listen.id());
        QCOMPARE(stage.subscriptions.state(), SubscriptionState::None);
        stage.transport.inject(onStream(listen, methods::ResourceUpdated, "'uri':'demo://a'"));
        stage.transport.response(listen, withQuotes("{'resultType':'complete'}"));
        QCOMPARE(stage.updated.size(), 0);
        QCOMPARE(stage.findings.size() + stage.clientFindings.size(), 0);
    }

    void messagesAreToldApartByTheirSubscription()
    {
        Stage stage;
        const Message listen = stage.listenTo(u"demo://a"_s);
        stage.transport.inject(onStream(listen, methods::ResourceUpdated, "'uri':'demo://a/part'"));
        QCOMPARE(stage.updated.size(), 1);
        QCOMPARE(stage.updated.last(), QVariantList({u"demo://a"_s, u"demo://a/part"_s}));
        QCOMPARE(stage.findings.size(), 0);

        // The right text of an id with another type is another id.
        stage.transport.inject(onStream(Message::request(RequestId(listen.id().toString()), methods::Listen, "{}"),
                                        methods::ResourceUpdated, "'uri':'demo://a'"));
        QCOMPARE(stage.updated.size(), 1);
        QVERIFY2(stage.lastFinding().contains(u"unknown"_s), qPrintable(stage.lastFinding()));

        stage.transport.inject(
            withQuotes("{'jsonrpc':'2.0','method':'notifications/resources/updated',"
                       "'params':{'uri':'demo://a'}}"));
        QCOMPARE(stage.updated.size(), 2);
        QCOMPARE(stage.findings.size(), 2);

        // A stream that was opened by hand is nobody's fault.
        const WrongMessages wrong("without _meta, as it was typed");
        Call *byHand = stage.client.sendRaw(
            withQuotes("{'jsonrpc':'2.0','id':'mine','method':'subscriptions/listen','params':{}}"));
        (void)stage.transport.expectSent(methods::Listen);
        stage.transport.inject(onStream(Message::request(byHand->id(), methods::Listen, "{}"), methods::ResourceUpdated,
                                        "'uri':'demo://x'"));
        QCOMPARE(stage.findings.size(), 2);
        QCOMPARE(stage.updated.size(), 2);
    }

    void nothingComesBeforeTheAcknowledgement()
    {
        Stage stage;
        stage.subscriptions.subscribe(u"demo://a"_s);
        const Message listen = stage.transport.expectSent(methods::Listen);
        stage.transport.inject(onStream(listen, methods::ResourceUpdated, "'uri':'demo://a'"));
        QCOMPARE(stage.findings.size(), 1);
        stage.acknowledge(listen, filterOf(listen));
        stage.acknowledge(listen, filterOf(listen));
        QCOMPARE(stage.findings.size(), 2);
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Active);
    }

    void statefulRequestsFollowTheLastWish()
    {
        Stage stage(false);
        stage.subscriptions.subscribe(u"demo://a"_s);
        const Message subscription = stage.transport.expectSent(methods::Subscribe);
        QCOMPARE(subscription.params()[u"uri"].string(), u"demo://a"_s);
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::Requested);
        stage.subscriptions.unsubscribe(u"demo://a"_s);
        QVERIFY(stage.transport.sendsNothing());
        stage.transport.response(subscription);
        stage.transport.response(stage.transport.expectSent(methods::Unsubscribe));
        QCOMPARE(stage.subscriptions.stateOf(u"demo://a"_s), SubscriptionState::None);
        QVERIFY(stage.transport.sendsNothing());

        stage.subscriptions.subscribe(u"demo://b"_s);
        stage.transport.responseError(stage.transport.expectSent(methods::Subscribe), -32602, u"No."_s);
        QCOMPARE(stage.subscriptions.stateOf(u"demo://b"_s), SubscriptionState::Refused);
        QCOMPARE(stage.subscriptions.problemOf(u"demo://b"_s).message, u"No."_s);
        stage.subscriptions.subscribe(u"demo://b"_s);
        stage.transport.response(stage.transport.expectSent(methods::Subscribe));
        QCOMPARE(stage.subscriptions.stateOf(u"demo://b"_s), SubscriptionState::Active);

        stage.transport.inject(
            withQuotes("{'jsonrpc':'2.0','method':'notifications/resources/updated',"
                       "'params':{'uri':'demo://b/part'}}"));
        stage.transport.inject(
            withQuotes("{'jsonrpc':'2.0','method':'notifications/resources/updated',"
                       "'params':{'uri':'demo://a'}}"));
        QCOMPARE(stage.updated.size(), 1);
        QCOMPARE(stage.updated.last(), QVariantList({u"demo://b"_s, u"demo://b/part"_s}));
    }

    void aRestartedServerIsSubscribedAgain_data()
    {
        QTest::addColumn<int>("revision");
        QTest::newRow("stateful") << int(Revision::R20251125);
        QTest::newRow("stateless") << int(Revision::R20260728);
    }
    void aRestartedServerIsSubscribedAgain()
    {
        QFETCH(int, revision);
        ServerSpec spec;
        spec.name = u"demo"_s;
        spec.command = test::builtProgram(QStringLiteral("sonde-demo-server"));
        spec.revision = Revision(revision);
        ConnectionOptions options;
        options.followLists = true;
        Connection connection(spec, options);
        Subscriptions *subscriptions = connection.subscriptions();
        const QString uri = u"demo://live/clock"_s;
        subscriptions->subscribe(uri);
        QCOMPARE(subscriptions->stateOf(uri), SubscriptionState::None);
        connection.open();
        QTRY_COMPARE_WITH_TIMEOUT(subscriptions->stateOf(uri), SubscriptionState::Active, Patience);
        QVERIFY(subscriptions->canSubscribe());
        QSignalSpy updated(subscriptions, &Subscriptions::updated);
        QSignalSpy resumed(subscriptions, &Subscriptions::resumed);
        for (int start = 0; start < 2; ++start) {
            connection.callTool(u"touch-resource"_s, {});
            QTRY_COMPARE_WITH_TIMEOUT(updated.size(), start + 1, Patience);
            if (start == 1)
                break;
            connection.restart();
            QTRY_COMPARE_WITH_TIMEOUT(subscriptions->stateOf(uri), SubscriptionState::None, Patience);
            QTRY_COMPARE_WITH_TIMEOUT(subscriptions->stateOf(uri), SubscriptionState::Active, Patience);
            QCOMPARE(resumed.size(), 1);
        }
        // The list changes while somebody listens for that.
        QTRY_VERIFY_WITH_TIMEOUT(connection.catalog()->tool(u"toggle-tools"), Patience);
        connection.callTool(u"toggle-tools"_s, {});
        QTRY_VERIFY_WITH_TIMEOUT(connection.catalog()->tool(u"now-you-see-me"), Patience);
        if (Revision(revision) == Revision::R20260728) {
            connection.callTool(u"end-subscriptions"_s, {});
            QTRY_COMPARE_WITH_TIMEOUT(subscriptions->stateOf(uri), SubscriptionState::Ended, Patience);
        }
        connection.session()->flush();
        for (qsizetype row = 0; row < connection.session()->size(); ++row) {
            // That a subscription was closed is noted; that is no finding.
            const RecordInfo &record = connection.session()->at(row);
            QVERIFY2(record.kind != WireEvent::Kind::Note || !record.hasProblems,
                     connection.session()->facts(row).constData());
            QVERIFY(!record.isLate);
        }
    }

    void overHttpEachSubscriptionIsAStream()
    {
        QList<std::pair<Message, FakeHttpServer::Peer>> streams;
        FakeHttpServer fake([&](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            const Message message = Message::parse(request.body);
            if (message.method() != methods::Listen) {
                peer.json(R"({"jsonrpc":"2.0","id":)" + message.id().toJson() +
                          withQuotes(",'result':{'resultType':'complete','supportedVersions':['2026-07-28'],'ttlMs':0,"
                                     "'cacheScope':'private','capabilities':{'resources':{'subscribe':true}}}}"));
                return;
            }
            QCOMPARE(request.header("Mcp-Method"), QByteArray("subscriptions/listen"));
            QVERIFY(!request.has("Mcp-Name"));
            streams.append({message, peer});
            peer.beginEvents();
            peer.event(onStream(message, methods::SubscriptionAcknowledged, "'notifications':" + filterOf(message)));
        });
        ServerSpec spec;
        spec.name = u"fake"_s;
        spec.kind = ServerSpec::Kind::Http;
        spec.url = fake.url();
        spec.revision = Revision::R20260728;
        ConnectionOptions options;
        options.loadCatalog = false;
        Connection connection(spec, options);
        Subscriptions *subscriptions = connection.subscriptions();
        subscriptions->setRetryInterval(1ms);
        QSignalSpy updated(subscriptions, &Subscriptions::updated);
        connection.open();
        QTRY_VERIFY_WITH_TIMEOUT(subscriptions->canSubscribe(), Patience);
        subscriptions->subscribe(u"demo://a"_s);
        QTRY_COMPARE_WITH_TIMEOUT(subscriptions->stateOf(u"demo://a"_s), SubscriptionState::Active, Patience);
        subscriptions->subscribe(u"demo://b"_s);
        QTRY_COMPARE_WITH_TIMEOUT(subscriptions->stateOf(u"demo://b"_s), SubscriptionState::Active, Patience);
        // Closing its stream ends the old one; nothing is said of it.
        QTRY_VERIFY_WITH_TIMEOUT(!streams.at(0).second.isConnected(), Patience);
        streams.at(1).second.event(onStream(streams.at(1).first, methods::ResourceUpdated, "'uri':'demo://b'"));
        QTRY_COMPARE_WITH_TIMEOUT(updated.size(), 1, Patience);

        // The end of a stream without a result is a loss, and the last one a wish of the server.
        streams.at(1).second.cut();
        QTRY_COMPARE_WITH_TIMEOUT(streams.size(), 3, Patience);
        QTRY_COMPARE_WITH_TIMEOUT(subscriptions->state(), SubscriptionState::Active, Patience);
        streams.at(2).second.event(R"({"jsonrpc":"2.0","id":)" + streams.at(2).first.id().toJson() +
                                   withQuotes(",'result':{'resultType':'complete'}}"));
        streams.at(2).second.endEvents();
        QTRY_COMPARE_WITH_TIMEOUT(subscriptions->state(), SubscriptionState::Ended, Patience);
        subscriptions->listenAgain();
        QTRY_COMPARE_WITH_TIMEOUT(subscriptions->state(), SubscriptionState::Active, Patience);
        QCOMPARE(streams.size(), 4);
        connection.close();
        QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Connection::State::Disconnected, Patience);
        for (const FakeHttpServer::Request &request : fake.requests())
            QVERIFY(!request.body.contains("notifications/cancelled"));
        // Only the stream that was cut was lost, and only that is a fault.
        QList<bool> lost;
        int faults = 0;
        connection.session()->flush();
        for (qsizetype row = 0; row < connection.session()->size(); ++row) {
            const RecordInfo &record = connection.session()->at(row);
            if (record.messageKind == Message::Kind::Request &&
                connection.session()->name(record.method) == methods::Listen)
                lost.append(record.isLost);
            faults += int(record.kind == WireEvent::Kind::Note && record.hasProblems);
        }
        QCOMPARE(lost, QList<bool>({false, true, false, false}));
        QCOMPARE(faults, 1);
    }

    // Over HTTP it is known which stream brought a message; what the message says of itself is only checked.
    void overHttpTheStreamDecides()
    {
        QList<std::pair<Message, FakeHttpServer::Peer>> streams;
        std::optional<FakeHttpServer::Peer> ofCall;
        FakeHttpServer fake([&](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            const Message message = Message::parse(request.body);
            if (message.method() == methods::Discover)
                return peer.json(R"({"jsonrpc":"2.0","id":)" + message.id().toJson() +
                                 withQuotes(",'result':{'resultType':'complete','supportedVersions':['2026-07-28'],"
                                            "'ttlMs':0,'cacheScope':'private',"
                                            "'capabilities':{'tools':{},'resources':{'subscribe':true}}}}"));
            peer.beginEvents();
            if (message.method() == methods::Listen)
                streams.append({message, peer});
            else
                ofCall = peer;
        });
        ServerSpec spec;
        spec.name = u"fake"_s;
        spec.kind = ServerSpec::Kind::Http;
        spec.url = fake.url();
        spec.revision = Revision::R20260728;
        ConnectionOptions options;
        options.loadCatalog = false;
        Connection connection(spec, options);
        Subscriptions *subscriptions = connection.subscriptions();
        QSignalSpy updated(subscriptions, &Subscriptions::updated);
        QSignalSpy findings(subscriptions, &Subscriptions::findingAdded);
        connection.open();
        QTRY_VERIFY_WITH_TIMEOUT(subscriptions->canSubscribe(), Patience);
        for (const QString &uri : {u"demo://a"_s, u"demo://b"_s}) {
            subscriptions->subscribe(uri);
            QTRY_COMPARE_WITH_TIMEOUT(streams.size(), uri == u"demo://a"_s ? 1 : 2, Patience);
            if (streams.size() == 1) {
                streams[0].second.event(onStream(streams[0].first, methods::SubscriptionAcknowledged,
                                                 "'notifications':" + filterOf(streams[0].first)));
                QTRY_COMPARE_WITH_TIMEOUT(subscriptions->stateOf(uri), SubscriptionState::Active, Patience);
            }
        }
        const auto &[first, firstPeer] = streams[0];
        const auto &[second, secondPeer] = streams[1];
        const auto lastFinding = [&] { return findings.isEmpty() ? QString() : findings.last().at(0).toString(); };

        // Both are open. Neither a missing nor a wrong name makes it a message of the other one.
        firstPeer.event(
            withQuotes("{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{'uri':'demo://a'}}"));
        QTRY_COMPARE_WITH_TIMEOUT(updated.size(), 1, Patience);
        QVERIFY2(lastFinding().contains(u"without the ID"_s), qPrintable(lastFinding()));
        QCOMPARE(findings.last().at(1).value<RequestId>(), first.id());
        firstPeer.event(onStream(second, methods::ResourceUpdated, "'uri':'demo://a'"));
        QTRY_COMPARE_WITH_TIMEOUT(updated.size(), 2, Patience);
        QVERIFY2(lastFinding().contains(u"names the subscription "_s + second.id().toString()),
                 qPrintable(lastFinding()));
        QCOMPARE(subscriptions->stateOf(u"demo://b"_s), SubscriptionState::Requested);
        secondPeer.event(onStream(first, methods::SubscriptionAcknowledged, "'notifications':" + filterOf(second)));
        QTRY_COMPARE_WITH_TIMEOUT(subscriptions->stateOf(u"demo://b"_s), SubscriptionState::Active, Patience);
        QCOMPARE(findings.size(), 3);

        // The stream of a call is none of a subscription, whatever is said there.
        Call *call = connection.callTool(u"any"_s, {});
        QSignalSpy finished(call, &Call::finished);
        QTRY_VERIFY_WITH_TIMEOUT(ofCall, Patience);
        ofCall->event(onStream(second, methods::ResourceUpdated, "'uri':'demo://b'"));
        ofCall->event(R"({"jsonrpc":"2.0","id":)" + call->id().toJson() +
                      withQuotes(",'result':{'resultType':'complete','content':[]}}"));
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, Patience);
        QCOMPARE(updated.size(), 2);
        QVERIFY2(lastFinding().contains(u"is not a subscription"_s), qPrintable(lastFinding()));
        QCOMPARE(findings.size(), 4);
    }
};

SONDE_TEST(TestSubscriptions)
#include "tst_subscriptions.moc"
