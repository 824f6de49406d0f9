// SPDX-License-Identifier: Apache-2.0
#include "core/client/catalog.h"
#include "core/protocol/methods.h"
#include "tests/core/client/clockedclient.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using namespace sonde::test;

using List = Catalog::List;
using State = Catalog::State;

namespace {

const QByteArray everything = R"({"tools":{"listChanged":true},"resources":{},"prompts":{},"logging":{}})";

QByteArray toolPage(const QByteArrayList &names, const QByteArray &next = {})
{
    QByteArrayList tools;
    for (const QByteArray &name : names)
        tools.append(R"({"name":")" + name + R"(","inputSchema":{"type":"object"}})");
    return R"({"tools":[)" + tools.join(',') + ']' + (next.isEmpty() ? ""_ba : R"(,"nextCursor":)" + next) + '}';
}

QStringList names(const QList<Tool> &tools)
{
    QStringList all;
    for (const Tool &tool : tools)
        all.append(tool.name);
    return all;
}

}  // namespace

class TestCatalog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_transport = std::make_unique<FakeTransport>();
        m_transport->openNow();
        m_client = std::make_unique<ClockedClient>(m_transport.get());
        m_catalog = std::make_unique<Catalog>(m_client.get());
        m_catalog->setRefreshInterval(0ms);
    }

    void cleanup()
    {
        m_catalog.reset();
        m_client.reset();
        m_transport.reset();
    }

    void loadsAllFourLists()
    {
        QSignalSpy loaded(m_catalog.get(), &Catalog::loaded);
        m_catalog->load(json::parse(everything));
        QVERIFY(m_catalog->isLoading());
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"echo", "add"}));
        m_transport->response(m_transport->expectSent(methods::ListResources),
                              R"({"resources":[{"name":"a","uri":"x:a","size":3}]})");
        m_transport->response(m_transport->expectSent(methods::ListResourceTemplates),
                              R"({"resourceTemplates":[{"name":"t","uriTemplate":"x:{a}"}]})");
        QCOMPARE(loaded.size(), 0);
        m_transport->response(m_transport->expectSent(methods::ListPrompts),
                              R"({"prompts":[{"name":"p","arguments":[{"name":"q","required":true}]}]})");
        QCOMPARE(loaded.size(), 1);
        QVERIFY(m_transport->sendsNothing());
        QVERIFY(!m_catalog->isLoading());

        QCOMPARE(names(m_catalog->tools()), QStringList({u"echo"_s, u"add"_s}));
        QCOMPARE(m_catalog->resources().constFirst().uri, u"x:a"_s);
        QCOMPARE(m_catalog->resourceTemplates().constFirst().uriTemplate, u"x:{a}"_s);
        QCOMPARE(m_catalog->prompts().constFirst().arguments.size(), 1);
        QVERIFY(m_catalog->tool(u"add") && m_catalog->tool(u"add")->name == u"add"_s);
        QVERIFY(!m_catalog->tool(u"sub"));
        QVERIFY(m_catalog->prompt(u"p"));
        QVERIFY(!m_catalog->prompt(u"q"));
        for (const List list : {List::Tools, List::Resources, List::ResourceTemplates, List::Prompts}) {
            QCOMPARE(m_catalog->status(list).state, State::Ready);
            QCOMPARE(m_catalog->status(list).findings, QStringList());
            QCOMPARE(m_catalog->status(list).pages, 1);
        }
    }

    void loadsWhatIsDeclared()
    {
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"echo"}));
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_catalog->status(List::Prompts).state, State::NotOffered);
        // A person may ask all the same.
        m_catalog->refresh(List::Prompts);
        m_transport->response(m_transport->expectSent(methods::ListPrompts), R"({"prompts":[{"name":"hidden"}]})");
        QVERIFY(m_catalog->prompt(u"hidden"));
    }

    void nothingIsDeclared()
    {
        QSignalSpy loaded(m_catalog.get(), &Catalog::loaded);
        m_catalog->load(json::Value());
        QCOMPARE(loaded.size(), 0);
        QTRY_COMPARE(loaded.size(), 1);
        QVERIFY(m_transport->sendsNothing());
    }

    // Lists are independent.

    void oneThatHangsOrFailsHidesNoOther()
    {
        QSignalSpy loaded(m_catalog.get(), &Catalog::loaded);
        m_catalog->load(json::parse(everything));
        m_transport->expectSent(methods::ListTools);  // never answered
        m_transport->responseError(m_transport->expectSent(methods::ListResources), -32603, u"database down"_s);
        m_transport->responseError(m_transport->expectSent(methods::ListResourceTemplates), -32601, u"what?"_s);
        m_transport->response(m_transport->expectSent(methods::ListPrompts), R"({"prompts":[{"name":"p"}]})");
        QCOMPARE(m_catalog->prompts().size(), 1);
        QCOMPARE(m_catalog->status(List::Resources).state, State::Failed);
        QCOMPARE(m_catalog->status(List::Resources).error.message, u"database down"_s);
        QCOMPARE(m_catalog->status(List::ResourceTemplates).state, State::Ready);
        QCOMPARE(m_catalog->status(List::ResourceTemplates).findings.size(), 1);
        QVERIFY(m_catalog->status(List::ResourceTemplates).findings.constFirst().contains(u"-32601"_s));
        QVERIFY(!m_catalog->status(List::ResourceTemplates).error);
        QCOMPARE(m_catalog->status(List::Tools).state, State::Loading);
        QCOMPARE(loaded.size(), 0);
        m_client->advance(30s);
        QCOMPARE(m_catalog->status(List::Tools).state, State::Failed);
        QCOMPARE(toString(m_catalog->status(List::Tools).error.kind), toString(Error::Kind::Timeout));
        QCOMPARE(loaded.size(), 1);
    }

    // As when the response is stuck behind a flood.
    void whatGetsNoResponseIsAskedAgainByItself()
    {
        QSignalSpy loaded(m_catalog.get(), &Catalog::loaded);
        m_catalog->setRetryInterval(1ms);
        m_catalog->load(json::parse(R"({"tools":{},"prompts":{}})"));
        m_transport->expectSent(methods::ListTools);
        m_transport->response(m_transport->expectSent(methods::ListPrompts), R"({"prompts":[]})");
        m_client->advance(30s);
        m_transport->expectSent(methods::Cancelled);
        QCOMPARE(m_catalog->status(List::Tools).state, State::Failed);
        QVERIFY(m_catalog->status(List::Tools).error.hint.contains(u"Retrying in"));
        QCOMPARE(loaded.size(), 1);
        const Message again = m_transport->expectSent(methods::ListTools);
        QCOMPARE(m_catalog->status(List::Tools).state, State::Loading);
        m_transport->response(again, toolPage({"echo"}));
        QCOMPARE(m_catalog->status(List::Tools).state, State::Ready);
        QCOMPARE(names(m_catalog->tools()), QStringList({u"echo"_s}));
        QCOMPARE(loaded.size(), 1);
        // The other one is left alone.
        QVERIFY(m_transport->sendsNothing());
    }

    void whatNeverResponsesIsGivenUp()
    {
        m_catalog->setRetryInterval(1ms);
        m_catalog->load(json::parse(R"({"tools":{}})"));
        for (int attempt = 0; attempt < 4; ++attempt) {
            m_transport->expectSent(methods::ListTools);
            m_client->advance(30s);
            m_transport->expectSent(methods::Cancelled);
        }
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_catalog->status(List::Tools).state, State::Failed);
        QVERIFY(!m_catalog->status(List::Tools).error.hint.contains(u"Retrying in"));
        // Until somebody wants it again.
        toolsChanged();
        m_transport->expectSent(methods::ListTools);
        m_client->advance(30s);
        m_transport->expectSent(methods::Cancelled);
        m_transport->expectSent(methods::ListTools);
    }

    void whoWantsItDoesNotWaitForTheRetry()
    {
        m_catalog->setRetryInterval(1h);
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->expectSent(methods::ListTools);
        m_client->advance(30s);
        m_transport->expectSent(methods::Cancelled);
        QVERIFY(m_transport->sendsNothing());
        m_catalog->refresh(List::Tools);
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"echo"}));
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_catalog->status(List::Tools).state, State::Ready);
        // An error of the server is a response.
        m_catalog->refresh(List::Tools);
        m_transport->responseError(m_transport->expectSent(methods::ListTools), -32603, u"oops"_s);
        QVERIFY(m_transport->sendsNothing());
    }

    void theTimeoutIsForOnePage()
    {
        m_catalog->setListTimeout(10s);
        m_catalog->load(json::parse(R"({"tools":{}})"));
        for (int page = 1; page <= 5; ++page) {
            const Message request = m_transport->expectSent(methods::ListTools);
            m_client->advance(9s);
            m_transport->response(request, toolPage({"t" + QByteArray::number(page)},
                                                    page < 5 ? QByteArray::number(page).prepend('"').append('"') : ""));
        }
        QCOMPARE(m_catalog->status(List::Tools).state, State::Ready);
        QCOMPARE(m_catalog->tools().size(), 5);
    }

    void theConnectionIsLost()
    {
        m_catalog->load(json::parse(everything));
        m_transport->closeWithError({Error::Kind::Transport, 9, u"killed"_s, {}, {}, {}});
        for (const List list : {List::Tools, List::Resources, List::ResourceTemplates, List::Prompts})
            QCOMPARE(m_catalog->status(list).error.message, u"killed"_s);
        QVERIFY(!m_catalog->isLoading());
    }

    void theClientIsGone()
    {
        m_client.reset();
        m_catalog->refresh(List::Tools);
        QTRY_COMPARE(m_catalog->status(List::Tools).state, State::Failed);
    }

    // Pages.

    void pagesKeepTheServersOrder()
    {
        m_catalog->load(json::parse(R"({"tools":{}})"));
        Message request = m_transport->expectSent(methods::ListTools);
        QVERIFY(!request.params().exists());
        m_transport->response(request, toolPage({"z", "a"}, R"("")"));
        request = m_transport->expectSent(methods::ListTools);
        QCOMPARE(request.params().bytes(), R"({"cursor":""})"_ba);  // an empty cursor is one
        m_transport->response(request, toolPage({}, R"("p\u00e4ge \"3\"")"));
        request = m_transport->expectSent(methods::ListTools);
        QCOMPARE(request.params()[u"cursor"].string(), u"päge \"3\""_s);
        m_transport->response(request, toolPage({"m"}, "null"));
        QCOMPARE(names(m_catalog->tools()), QStringList({u"z"_s, u"a"_s, u"m"_s}));
        QCOMPARE(m_catalog->status(List::Tools).pages, 3);
        QCOMPARE(m_catalog->status(List::Tools).findings, QStringList());
        QVERIFY(m_transport->sendsNothing());
    }

    // The pages under way are read to their end, and then the list once more.
    void aListThatChangesWhileItIsPaged()
    {
        m_catalog->setRefreshInterval(0ms);
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"a"}, R"("x")"));
        for (int i = 0; i < 3; ++i)
            toolsChanged();
        const Message second = m_transport->expectSent(methods::ListTools);
        QCOMPARE(second.params()[u"cursor"].string(), u"x"_s);
        QVERIFY(m_transport->sendsNothing());
        m_transport->response(second, toolPage({}, R"("y")"));
        toolsChanged();
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"b"}));
        const Message again = m_transport->expectSent(methods::ListTools);
        QVERIFY(!again.params()[u"cursor"].exists());
        m_transport->response(again, toolPage({"c"}));
        QCOMPARE(names(m_catalog->tools()), QStringList({u"c"_s}));
        QCOMPARE(m_catalog->status(List::Tools).findings, QStringList());
        QVERIFY(m_transport->sendsNothing());
    }

    void aRepeatedCursorEndsTheList()
    {
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"a"}, R"("x")"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"b"}, R"("y")"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"c"}, R"("x")"));
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_catalog->status(List::Tools).state, State::Ready);
        QCOMPARE(m_catalog->status(List::Tools).findings.size(), 1);
        QVERIFY(m_catalog->status(List::Tools).findings.constFirst().contains(u"'x'"_s));
        QCOMPARE(m_catalog->tools().size(), 3);
    }

    void endlessPagesEnd()
    {
        m_catalog->load(json::parse(R"({"tools":{}})"));
        int asked = 0;
        while (m_transport->sentCount() > 0 && asked < 2000) {
            const QByteArray number = QByteArray::number(++asked);
            m_transport->response(m_transport->takeSent(), toolPage({"t" + number}, '"' + number + '"'));
        }
        QCOMPARE(asked, 1000);
        QTRY_COMPARE(m_catalog->status(List::Tools).state, State::Ready);
        QCOMPARE(m_catalog->status(List::Tools).findings.size(), 1);
        QVERIFY(m_catalog->status(List::Tools).findings.constFirst().contains(u"1000"_s));
        QCOMPARE(m_catalog->tools().size(), 1000);
    }

    void aCursorOfAnotherType()
    {
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"a"}, "5"));
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_catalog->status(List::Tools).findings.size(), 1);
    }

    void aCursorThatHasExpiredStartsOverOnce()
    {
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"old"}, R"("x")"));
        m_transport->responseError(m_transport->expectSent(methods::ListTools), -32602, u"bad cursor"_s);
        const Message again = m_transport->expectSent(methods::ListTools);
        QVERIFY(!again.params().exists());
        m_transport->response(again, toolPage({"new"}, R"("x")"));
        m_transport->responseError(m_transport->expectSent(methods::ListTools), -32602, u"bad cursor"_s);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(m_catalog->status(List::Tools).state, State::Failed);
        // There was no list before: what did come is better than nothing, and it is said.
        QCOMPARE(names(m_catalog->tools()), QStringList({u"new"_s}));
        QCOMPARE(m_catalog->status(List::Tools).findings.size(), 1);
    }

    void oddResponses_data()
    {
        QTest::addColumn<QByteArray>("result");
        QTest::addColumn<int>("tools");
        QTest::newRow("no list") << "{}"_ba << 0;
        QTest::newRow("no array") << R"({"tools":{"a":1}})"_ba << 0;
        QTest::newRow("the same name twice") << toolPage({"a", "b", "a"}) << 3;
    }
    void oddResponses()
    {
        QFETCH(QByteArray, result);
        QFETCH(int, tools);
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), result);
        QCOMPARE(m_catalog->status(List::Tools).state, State::Ready);
        QCOMPARE(m_catalog->tools().size(), tools);
        QCOMPARE(m_catalog->status(List::Tools).findings.size(), 1);
        // Each of the two is marked in the list.
        for (const Tool &tool : m_catalog->tools())
            QCOMPARE(tool.findings.join(u' ').contains(u"'a' occurs more than once"_s), tool.name == u"a"_s);
    }

    void aResultThatIsNoObjectIsNoList()
    {
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), "null");
        QCOMPARE(m_catalog->status(List::Tools).state, State::Failed);
        QVERIFY(m_catalog->status(List::Tools).error.message.contains(u"null, not an object"_s));
    }

    void aLargePageArrivesWhole()
    {
        QByteArrayList many;
        for (int i = 0; i < 5000; ++i)
            many.append("tool-" + QByteArray::number(i));
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage(many));
        QVERIFY(m_catalog->isLoading());
        QTRY_VERIFY(!m_catalog->isLoading());
        QCOMPARE(m_catalog->tools().size(), 5000);
        QCOMPARE(m_catalog->tools().constLast().name, u"tool-4999"_s);
    }

    void aReloadForgetsWhatIsStillBeingRead()
    {
        QByteArrayList many;
        for (int i = 0; i < 500; ++i)
            many.append(QByteArray::number(i));
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage(many));
        QVERIFY(m_catalog->isLoading());
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"new"}));
        QVERIFY(!m_catalog->isLoading());
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(names(m_catalog->tools()), QStringList{u"new"_s});
        QVERIFY(m_transport->sendsNothing());
    }

    // Refreshing.

    void refreshesTheListThatChanged_data()
    {
        QTest::addColumn<QString>("notification");
        QTest::addColumn<QStringList>("asked");
        QTest::newRow("tools") << u"notifications/tools/list_changed"_s << QStringList{u"tools/list"_s};
        QTest::newRow("resources") << u"notifications/resources/list_changed"_s
                                   << QStringList{u"resources/list"_s, u"resources/templates/list"_s};
        QTest::newRow("prompts") << u"notifications/prompts/list_changed"_s << QStringList{u"prompts/list"_s};
        QTest::newRow("another") << u"notifications/message"_s << QStringList{};
    }
    void refreshesTheListThatChanged()
    {
        QFETCH(QString, notification);
        QFETCH(QStringList, asked);
        loadEverything();
        m_transport->inject(Message::notification(notification).raw());
        for (const QString &method : std::as_const(asked))
            QCOMPARE(m_transport->takeSent().method(), method);
        QVERIFY(m_transport->sendsNothing());
    }

    void aListThatIsNotOfferedIsNotRefreshed()
    {
        m_catalog->load(json::parse(R"({"prompts":{}})"));
        m_transport->expectSent(methods::ListPrompts);
        toolsChanged();
        QVERIFY(m_transport->sendsNothing());
    }

    void aStormMakesOneInFlightAndOneMore()
    {
        QSignalSpy loaded(m_catalog.get(), &Catalog::loaded);
        m_catalog->load(json::parse(R"({"tools":{}})"));
        for (int i = 0; i < 100; ++i)
            toolsChanged();
        Message request = m_transport->expectSent(methods::ListTools);
        QVERIFY(m_transport->sendsNothing());
        m_transport->response(request, toolPage({"first"}));
        QCOMPARE(names(m_catalog->tools()), QStringList({u"first"_s}));
        QCOMPARE(loaded.size(), 1);
        request = m_transport->expectSent(methods::ListTools);
        for (int i = 0; i < 100; ++i)
            toolsChanged();
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(names(m_catalog->tools()), QStringList({u"first"_s}));  // kept meanwhile
        QVERIFY(m_catalog->isLoading());
        m_transport->response(request, toolPage({"second"}));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"third"}));
        QCOMPARE(names(m_catalog->tools()), QStringList({u"third"_s}));
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(loaded.size(), 1);
    }

    void refreshesKeepTheirDistance()
    {
        m_catalog->setRefreshInterval(1h);
        loadEverything();
        for (int i = 0; i < 10; ++i)
            toolsChanged();
        QVERIFY(m_transport->sendsNothing());

        auto brief = std::make_unique<Catalog>(m_client.get());
        brief->setRefreshInterval(2ms);
        brief->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({}));
        brief->refresh(List::Tools);
        brief->refresh(List::Tools);
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"later"}));
        QCOMPARE(names(brief->tools()), QStringList({u"later"_s}));
        QVERIFY(m_transport->sendsNothing());
    }

    void aRefreshThatFailsKeepsTheOldEntries()
    {
        loadEverything();
        QCOMPARE(m_catalog->tools().size(), 1);
        m_catalog->refresh(List::Tools);
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"x"}, R"("2")"));
        m_transport->responseError(m_transport->expectSent(methods::ListTools), -32603, u"oops"_s);
        QCOMPARE(m_catalog->status(List::Tools).state, State::Failed);
        QCOMPARE(names(m_catalog->tools()), QStringList({u"echo"_s}));
        m_catalog->refresh(List::Tools);
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"y"}));
        QCOMPARE(m_catalog->status(List::Tools).state, State::Ready);
        QVERIFY(!m_catalog->status(List::Tools).error);
        QCOMPARE(names(m_catalog->tools()), QStringList({u"y"_s}));
    }

    void loadingAgainForgetsTheOldServer()
    {
        loadEverything();
        QSignalSpy loaded(m_catalog.get(), &Catalog::loaded);
        m_catalog->refresh(List::Tools);
        const Message old = m_transport->expectSent(methods::ListTools);
        m_catalog->load(json::parse(R"({"tools":{}})"));
        QCOMPARE(m_catalog->tools().size(), 0);
        QCOMPARE(m_catalog->status(List::Prompts).state, State::NotOffered);
        m_transport->expectSent(methods::Cancelled);
        const Message fresh = m_transport->expectSent(methods::ListTools);
        m_transport->response(old, toolPage({"old"}));
        QCOMPARE(m_catalog->tools().size(), 0);
        m_transport->response(fresh, toolPage({"fresh"}));
        QCOMPARE(names(m_catalog->tools()), QStringList({u"fresh"_s}));
        QCOMPARE(loaded.size(), 1);
    }

    void aListIsFreshAsLongAsItsPages()
    {
        loadEverything();
        QVERIFY(!m_catalog->status(List::Prompts).cache);
        m_catalog->refreshUnlessFresh(List::Prompts);  // the server has said nothing of that
        const Message first = m_transport->expectSent(methods::ListPrompts);
        m_transport->response(first,
                              "{\"prompts\":[],\"nextCursor\":\"2\",\"ttlMs\":600000,\"cacheScope\":\"public\"}");
        m_transport->response(m_transport->expectSent(methods::ListPrompts), "{\"prompts\":[],\"ttlMs\":60000}");
        const std::optional<CacheHint> cache = m_catalog->status(List::Prompts).cache;
        QVERIFY(cache);
        QVERIFY(!cache->isPublic);
        const qint64 freshMs = QDateTime::currentDateTimeUtc().msecsTo(cache->freshUntil);
        QVERIFY2(freshMs > 0 && freshMs <= 60'000, QByteArray::number(freshMs).constData());
        m_catalog->refreshUnlessFresh(List::Prompts);
        QVERIFY(m_transport->sendsNothing());
        m_catalog->refresh(List::Prompts);  // whoever wants it asks anyway
        m_transport->response(m_transport->expectSent(methods::ListPrompts), "{\"prompts\":[],\"ttlMs\":0}");
        m_catalog->refreshUnlessFresh(List::Prompts);
        m_transport->expectSent(methods::ListPrompts);
    }

    void aChangedListIsNotFreshAnyMore()
    {
        loadEverything();
        m_catalog->refresh(List::Tools);
        m_transport->response(m_transport->expectSent(methods::ListTools), "{\"tools\":[],\"ttlMs\":600000}");
        QVERIFY(m_catalog->status(List::Tools).cache);
        toolsChanged();
        QVERIFY(!m_catalog->status(List::Tools).cache);
        m_transport->expectSent(methods::ListTools);
    }

    // Page by page.

    void pagesAreLoadedAsTheyAreWanted()
    {
        QSignalSpy loaded(m_catalog.get(), &Catalog::loaded);
        loadFirstPage(toolPage({"a"}, R"("p\u00e4ge\/2 ")"));
        QCOMPARE(loaded.size(), 1);
        QCOMPARE(m_catalog->status(List::Tools).state, State::Ready);
        QVERIFY(m_catalog->status(List::Tools).hasMore);
        QVERIFY(m_transport->sendsNothing());

        m_catalog->loadMore(List::Tools, Catalog::Extent::NextPage);
        QVERIFY(m_catalog->isLoading());
        m_catalog->loadMore(List::Tools, Catalog::Extent::NextPage);  // one at a time
        const Message second = m_transport->expectSent(methods::ListTools);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(second.params().bytes(), R"({"cursor":"p\u00e4ge\/2 "})"_ba);  // as it was written
        m_transport->response(second, toolPage({"b"}, R"("3")"));
        QCOMPARE(names(m_catalog->tools()), QStringList({u"a"_s, u"b"_s}));
        QCOMPARE(m_catalog->status(List::Tools).pages, 2);
        QVERIFY(m_catalog->status(List::Tools).hasMore);
        QVERIFY(m_transport->sendsNothing());

        m_catalog->loadMore(List::Tools, Catalog::Extent::AllPages);
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"c"}, R"("4")"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"a"}));
        QCOMPARE(names(m_catalog->tools()), QStringList({u"a"_s, u"b"_s, u"c"_s, u"a"_s}));
        QCOMPARE(m_catalog->status(List::Tools).pages, 4);
        QCOMPARE(m_catalog->status(List::Tools).findings.size(), 1);  // a name of the first page again
        QVERIFY(!m_catalog->status(List::Tools).hasMore);
        m_catalog->loadMore(List::Tools, Catalog::Extent::NextPage);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(loaded.size(), 1);
    }

    void aChangedListBeginsWithItsFirstPage()
    {
        loadFirstPage(toolPage({"a"}, R"("2")"));
        m_catalog->loadMore(List::Tools, Catalog::Extent::NextPage);
        const Message second = m_transport->expectSent(methods::ListTools);
        toolsChanged();
        QVERIFY(m_transport->sendsNothing());
        m_transport->response(second, toolPage({"b"}, R"("3")"));
        QCOMPARE(m_catalog->tools().size(), 2);
        const Message again = m_transport->expectSent(methods::ListTools);
        QVERIFY(!again.params().exists());
        m_transport->response(again, toolPage({"new"}, R"("2")"));
        QCOMPARE(names(m_catalog->tools()), QStringList{u"new"_s});
        QVERIFY(m_catalog->status(List::Tools).hasMore);
        QVERIFY(m_transport->sendsNothing());
    }

    void aRefusedCursorIsSaid()
    {
        loadFirstPage(toolPage({"a"}, R"("2")"));
        m_catalog->loadMore(List::Tools, Catalog::Extent::NextPage);
        m_transport->responseError(m_transport->expectSent(methods::ListTools), -32602, u"stale"_s);
        QVERIFY(m_transport->sendsNothing());
        const Catalog::Status &status = m_catalog->status(List::Tools);
        QCOMPARE(status.state, State::Failed);
        QVERIFY2(status.error.message.contains(u"cursor of page 2 (-32602): stale"), qPrintable(status.error.message));
        QVERIFY(!status.hasMore);
        QCOMPARE(names(m_catalog->tools()), QStringList{u"a"_s});
        m_catalog->refresh(List::Tools);
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"b"}));
        QCOMPARE(status.state, State::Ready);
    }

    void wholeListsStartOverWhereTheCursorIsRefused()
    {
        loadFirstPage(toolPage({"a"}, R"("2")"));
        m_catalog->loadMore(List::Tools, Catalog::Extent::AllPages);
        m_transport->responseError(m_transport->expectSent(methods::ListTools), -32602, u"stale"_s);
        const Message again = m_transport->expectSent(methods::ListTools);
        QVERIFY(!again.params().exists());
        m_transport->response(again, toolPage({"b"}, R"("2")"));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"c"}));
        QCOMPARE(names(m_catalog->tools()), QStringList({u"b"_s, u"c"_s}));
        QCOMPARE(m_catalog->status(List::Tools).state, State::Ready);
    }

    void aPageThatFailsCanBeTriedAgain()
    {
        m_catalog->setRetryInterval(1ms);
        loadFirstPage(toolPage({"a"}, R"("2")"));
        m_catalog->loadMore(List::Tools, Catalog::Extent::AllPages);
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"b"}, R"("3")"));
        m_transport->expectSent(methods::ListTools);
        m_client->advance(30s);
        m_transport->expectSent(methods::Cancelled);
        QVERIFY(m_transport->sendsNothing());  // not by itself
        QCOMPARE(m_catalog->status(List::Tools).state, State::Failed);
        QCOMPARE(names(m_catalog->tools()), QStringList({u"a"_s, u"b"_s}));
        m_catalog->loadMore(List::Tools, Catalog::Extent::NextPage);
        const Message third = m_transport->expectSent(methods::ListTools);
        QCOMPARE(third.params()[u"cursor"].string(), u"3"_s);
        m_transport->response(third, toolPage({"c"}, R"("2")"));
        QCOMPARE(m_catalog->status(List::Tools).state, State::Ready);
        QCOMPARE(m_catalog->tools().size(), 3);
        QVERIFY(!m_catalog->status(List::Tools).hasMore);
        QVERIFY(m_catalog->status(List::Tools).findings.constFirst().contains(u"repeated the cursor '2'"));
    }

    // Where the tools are needed again for a call, it may be one of a further page.
    void readingAgainForACallKeepsTheNumberOfPages()
    {
        loadFirstPage(toolPage({"a"}, R"("2")"));
        m_catalog->loadMore(List::Tools, Catalog::Extent::NextPage);
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"b"}, R"("3")"));
        bool isDone = false;
        m_catalog->refreshThen(List::Tools, [&isDone] { isDone = true; });
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"c"}, R"("2")"));
        QVERIFY(!isDone);
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"d"}, R"("3")"));
        QVERIFY(isDone);
        QCOMPARE(names(m_catalog->tools()), QStringList({u"c"_s, u"d"_s}));
        QVERIFY(m_transport->sendsNothing());
    }

    void slotsMayDeleteIt()
    {
        m_catalog->load(json::parse(everything));
        connect(m_catalog.get(), &Catalog::changed, this, [this] { m_catalog.reset(); });
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"a"}));
        QVERIFY(!m_catalog);
    }

private:
    void loadFirstPage(const QByteArray &page)
    {
        m_catalog->setPageByPage(true);
        m_catalog->load(json::parse(R"({"tools":{}})"));
        m_transport->response(m_transport->expectSent(methods::ListTools), page);
    }

    void loadEverything()
    {
        m_catalog->load(json::parse(everything));
        m_transport->response(m_transport->expectSent(methods::ListTools), toolPage({"echo"}));
        m_transport->response(m_transport->expectSent(methods::ListResources), R"({"resources":[]})");
        m_transport->response(m_transport->expectSent(methods::ListResourceTemplates), R"({"resourceTemplates":[]})");
        m_transport->response(m_transport->expectSent(methods::ListPrompts), R"({"prompts":[]})");
    }

    void toolsChanged() { m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"); }

    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<ClockedClient> m_client;
    std::unique_ptr<Catalog> m_catalog;
};

SONDE_TEST(TestCatalog)
#include "tst_catalog.moc"
