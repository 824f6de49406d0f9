// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/tokenstore.h"
#include "core/connection/connection.h"
#include "core/connection/toolmemory.h"
#include "core/protocol/methods.h"
#include "core/secrets/secretstore.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/files.h"
#include "tests/support/heldcredentials.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QPointer>
#include <QProcess>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <signal.h>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

using State = Connection::State;

static QString demo()
{
    return test::builtProgram(QStringLiteral("sonde-demo-server"));
}
constexpr int ConnectTimeoutMs = 20'000;

static ServerSpec program(const QString &command, const QStringList &arguments = {})
{
    ServerSpec spec;
    spec.name = u"test"_s;
    spec.command = command;
    spec.arguments = arguments;
    spec.revision = Revision::R20251125;  // finding out the era is tst_eras' business
    return spec;
}

static ServerSpec address(const QString &url)
{
    ServerSpec spec;
    spec.name = u"test"_s;
    spec.kind = ServerSpec::Kind::Http;
    spec.url = QUrl(url);
    spec.revision = Revision::R20251125;
    return spec;
}

// Opens and waits for the end of that: true when connected.
static bool opens(Connection &connection)
{
    connection.open();
    return QTest::qWaitFor(
               [&] { return connection.state() == State::Connected || connection.state() == State::Disconnected; },
               ConnectTimeoutMs) &&
           connection.state() == State::Connected;
}

static bool ends(Connection &connection)
{
    return QTest::qWaitFor([&] { return connection.state() == State::Disconnected; }, ConnectTimeoutMs);
}

static std::optional<Outcome> outcomeOf(Call *call)
{
    std::optional<Outcome> result;
    QObject context;
    QObject::connect(call, &Call::finished, &context, [&](const Outcome &outcome) { result = outcome; });
    if (!QTest::qWaitFor([&] { return result.has_value(); }, ConnectTimeoutMs))
        return std::nullopt;
    return result;
}

static bool isAlive(qint64 pid)
{
    return ::kill(pid_t(pid), 0) == 0;
}

// One HTTP answer to whatever is asked, as bytes.
class FixedHttpServer : public QObject {
public:
    explicit FixedHttpServer(const QByteArray &response) : m_response(response)
    {
        m_server.listen(QHostAddress::LocalHost);
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *socket = m_server.nextPendingConnection()) {
                connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
                    if (!socket->readAll().contains("\r\n\r\n"))
                        return;
                    socket->write(m_response);
                    socket->disconnectFromHost();
                });
            }
        });
    }
    QString url(const QString &scheme = u"http"_s) const
    {
        return u"%1://127.0.0.1:%2/mcp"_s.arg(scheme, QString::number(m_server.serverPort()));
    }

private:
    QTcpServer m_server;
    QByteArray m_response;
};

class TestConnection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void connectsAndLists();
    void whatTwoLearnOfToolsIsKept();
    void callsAndReads();
    void overHttp();
    void closesInOrder();
    void closeWhileConnecting();
    void restartCountsConnections();
    void restartWithAnotherSpec();
    void stderrOfAnotherCallIsNoEvidence();
    void findingsOfAStart();
    void aFindingQuotesNoSecret();
    void catalogStaysTheSame();
    void crashEndsTheCall();
    void requestsWhileDisconnected();
    void timeoutIsGivenUp();
    void pendingListIsGivenUp();
    void findingsAreRecorded();
    void secretsStayOut();
    void secretArgumentsAreNotRecorded();
    void recordsIntoAFile();
    void pingMeasures();
    void deletedWhileRunning();
    void deletedWithinASignal();

    void aServerOfHttpSseIsFound();
    void theIdInAnEndpointIsNotRecorded_data();
    void theIdInAnEndpointIsNotRecorded();
    void aChosenTransportIsTheOnlyOne();
    void aLostSessionIsReplaced_data();
    void aLostSessionIsReplaced();
    void aSessionLostWhileListingIsReplaced_data();
    void aSessionLostWhileListingIsReplaced();
    void aSessionAlwaysLostWhileListingEndsTheConnection_data();
    void aSessionAlwaysLostWhileListingEndsTheConnection();
    void aSessionThatIsLostAgainEndsTheConnection();
    void everyConnectionOverHttpHasAnEnd_data();
    void everyConnectionOverHttpHasAnEnd();

    void whatIsDeclaredFollowsFromWhoResponds();
    void capabilitiesAreLeftOutPerServer_data();
    void capabilitiesAreLeftOutPerServer();
    void startsInNamedSteps();
    void stepsThatFailSayWhy_data();
    void stepsThatFailSayWhy();
    void stepsCanWaitAndBeRunAgain();
    void credentialsAreAwaitedInAStepOfTheirOwn();
    void notFound();
    void notExecutable();
    void exitsBeforeTheHandshake();
    void exitCodeOfAShell();
    void killedBeforeTheHandshake();
    void connectionRefused();
    void tls();
    void httpStatus();
    void notAuthorised();
    void noCommonRevision();
    void handshakeTimeout();
    void brokenSpec();
};

void TestConnection::connectsAndLists()
{
    Connection connection(program(demo()), {});
    QVERIFY(connection.state() == State::Disconnected);
    QCOMPARE(connection.statusText(), u"Not connected"_s);
    QSignalSpy changes(&connection, &Connection::stateChanged);
    QVERIFY2(opens(connection), qPrintable(connection.error().message));
    QVERIFY(changes.count() >= 2);
    QVERIFY(!connection.error());
    QCOMPARE(connection.statusText(), u"Connected"_s);
    QCOMPARE(connection.transportName(), u"stdio"_s);
    QCOMPARE(connection.resolvedTarget(), demo());
    QVERIFY(isAlive(connection.processId()));
    QVERIFY(connection.latencyNs() > 0);
    QVERIFY(!connection.serverInfo().implementation.name.isEmpty());
    QVERIFY(!connection.serverInfo().protocolVersion.isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(!connection.catalog()->isLoading(), ConnectTimeoutMs);
    QVERIFY(connection.catalog()->tool(u"echo"));
    QVERIFY(!connection.catalog()->resources().isEmpty());
    QVERIFY(!connection.catalog()->prompts().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(connection.session()->messageCount() > 4, ConnectTimeoutMs);
}

// Two windows have read the file before either of them writes it.
void TestConnection::whatTwoLearnOfToolsIsKept()
{
    const QTemporaryDir folder;
    ConnectionOptions options;
    options.profile.tools = std::make_shared<ToolStore>(folder.filePath(u"tools"_s));
    {
        Connection first(program(demo()), options);
        Connection second(program(test::builtProgram(u"conformance-server"_s)), options);
        for (Connection *connection : {&first, &second}) {
            QVERIFY(opens(*connection));
            QTRY_VERIFY(!connection->catalog()->tools().isEmpty() && !connection->catalog()->isLoading());
        }
        const Tool *tool = first.catalog()->tool(u"echo"_s);
        QVERIFY(tool);
        first.toolMemory()->allowAlways(*tool);
    }
    const QFileInfoList files = QDir(folder.filePath(u"tools"_s)).entryInfoList({u"*.json"_s});
    QCOMPARE(files.size(), 1);
    const json::Value tools = json::parse(test::readFile(files.first().filePath()))[u"tools"];
    QVERIFY(tools[u"echo"][u"isAllowed"].toBool());
    QVERIFY2(tools.contains(u"greet"), "what the other window had learned is gone");
}

void TestConnection::callsAndReads()
{
    Connection connection(program(demo()), {});
    QVERIFY(opens(connection));
    const auto echo = outcomeOf(connection.callTool(u"echo"_s, R"({"value":"hello"})"));
    QVERIFY(echo && echo->kind == Outcome::Kind::Ok);
    QTRY_VERIFY_WITH_TIMEOUT(!connection.catalog()->isLoading(), ConnectTimeoutMs);
    const QString uri = connection.catalog()->resources().constFirst().uri;
    const auto read = outcomeOf(connection.readResource(uri));
    QVERIFY(read && read->kind == Outcome::Kind::Ok);
    QVERIFY(read->result()[u"contents"].isArray());
    const auto unknown = outcomeOf(connection.getPrompt(u"no such prompt"_s, {}));
    QVERIFY(unknown && unknown->kind == Outcome::Kind::ProtocolError);
    const auto raw = outcomeOf(connection.sendRaw(R"({"jsonrpc":"2.0","id":"mine","method":"ping"})"));
    QVERIFY(raw && raw->kind == Outcome::Kind::Ok);
}

void TestConnection::overHttp()
{
    QProcess server;
    server.setProcessChannelMode(QProcess::MergedChannels);
    server.start(demo(), {u"--http"_s});
    QVERIFY(server.waitForStarted());
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said += server.readAll()).contains("/mcp"), ConnectTimeoutMs);
    const QString url = QString::fromUtf8(said.mid(said.indexOf("http://"))).section(u'\n', 0, 0).trimmed();
    {
        Connection connection(address(url), {});
        QVERIFY2(opens(connection), qPrintable(connection.error().message));
        QCOMPARE(connection.transportName(), u"HTTP"_s);
        QCOMPARE(connection.resolvedTarget(), url);
        QCOMPARE(connection.processId(), 0);
        const auto echo = outcomeOf(connection.callTool(u"echo"_s, R"({"value":1})"));
        QVERIFY(echo && echo->kind == Outcome::Kind::Ok);
        connection.close();
        QVERIFY(ends(connection));
        QVERIFY(!connection.error());
    }
    server.kill();
    QVERIFY(server.waitForFinished());
}

void TestConnection::closesInOrder()
{
    Connection connection(program(demo()), {});
    QVERIFY(opens(connection));
    const qint64 pid = connection.processId();
    connection.close();
    QVERIFY(connection.state() == State::Closing);
    QVERIFY(ends(connection));
    QVERIFY(!isAlive(pid));
    QVERIFY(!connection.error());
    QCOMPARE(connection.statusText(), u"Not connected"_s);
    QCOMPARE(connection.catalog()->status(Catalog::List::Tools).state, Catalog::State::NotOffered);
    QVERIFY(connection.session()->isLive());
    connection.close();
    QVERIFY(connection.state() == State::Disconnected);
}

void TestConnection::closeWhileConnecting()
{
    Connection connection(program(demo(), {u"--slow-start"_s, u"60000"_s}), {});
    connection.open();
    QTRY_VERIFY_WITH_TIMEOUT(connection.statusText() == u"Waiting for the handshake…"_s, ConnectTimeoutMs);
    connection.close();
    QVERIFY(ends(connection));
    QVERIFY(!connection.error());
    connection.open();
    connection.close();
    QVERIFY(ends(connection));
    QVERIFY(!connection.error());
}

void TestConnection::restartCountsConnections()
{
    Connection connection(program(demo()), {});
    QVERIFY(opens(connection));
    const qint64 first = connection.processId();
    QSignalSpy changes(&connection, &Connection::stateChanged);
    connection.restart();
    QTRY_VERIFY_WITH_TIMEOUT(connection.state() == State::Connected && connection.processId() != first,
                             ConnectTimeoutMs);
    QVERIFY(!isAlive(first));
    connection.session()->flush();
    const Session *session = connection.session();
    int highest = 0;
    for (qsizetype row = 0; row < session->size(); ++row)
        highest = std::max<int>(highest, session->at(row).connection);
    QCOMPARE(highest, 2);
    QCOMPARE(session->at(0).connection, 1);
    connection.close();
    connection.restart();  // closing already: opens when it is closed
    QTRY_VERIFY_WITH_TIMEOUT(connection.state() == State::Connected, ConnectTimeoutMs);
}

void TestConnection::restartWithAnotherSpec()
{
    Connection connection(program(u"no-such-program-here"_s), {});
    QVERIFY(!opens(connection));
    connection.setSpec(program(demo()));
    QVERIFY(opens(connection));
    QCOMPARE(connection.spec().command, demo());
}

void TestConnection::stderrOfAnotherCallIsNoEvidence()
{
    const QString hello =
        u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
        "\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"_s;
    Connection connection(
        program(test::builtProgram(QStringLiteral("fake-stdio-server")),
                {u"readline"_s, hello, u"err:of old"_s, u"readline"_s, u"readline"_s,
                 u"say:{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}"_s, u"readline"_s, u"err:of now"_s, u"exit:1"_s}),
        {});
    QVERIFY(opens(connection));
    QTRY_VERIFY(connection.stderrTail().contains(u"of old"_s));
    const auto first = outcomeOf(connection.ping());
    QVERIFY(first && first->kind == Outcome::Kind::Ok);
    QTRY_VERIFY(connection.stderrSince(QDateTime::currentDateTimeUtc()).isEmpty());  // its time has passed
    const auto second = outcomeOf(connection.request(u"tools/call", R"({"name":"x"})"));
    QVERIFY(second && second->kind == Outcome::Kind::NoResponse);
    QTRY_VERIFY(connection.stderrTail().contains(u"of now"_s));
    QCOMPARE(connection.stderrSince(second->startedAt), QStringList{u"of now"_s});
}

void TestConnection::findingsOfAStart()
{
    Connection connection(program(demo(), {u"--junk-on-stdout"_s}), {});
    QSignalSpy changed(&connection, &Connection::stateChanged);
    QVERIFY(opens(connection));
    QTRY_COMPARE(connection.findings().size(), 1);
    QVERIFY2(connection.findings().first().contains(u"not JSON-RPC"_s), qPrintable(connection.findings().first()));
    connection.close();
    QVERIFY(ends(connection));
}

// Reports print findings. The token goes on where the quotation ends.
void TestConnection::aFindingQuotesNoSecret()
{
    const QString token = u"ghp_0123456789abcdefABCDEFghijklmnopqrst"_s;
    Connection connection(
        program(
            test::builtProgram(QStringLiteral("fake-stdio-server")),
            {u"say:"_s + QString(80, u'-') + u' ' + token, u"readline"_s,
             QStringLiteral(R"(say:{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},)"
                            R"("serverInfo":{"name":"s","version":"1"}}})"),
             u"waiteof"_s}),
        {});
    QVERIFY(opens(connection));
    QTRY_COMPARE(connection.findings().size(), 1);
    const QString finding = connection.findings().first();
    QVERIFY2(finding.contains(u"---"_s) && !finding.contains(token.left(8)), qPrintable(finding));
}

void TestConnection::catalogStaysTheSame()
{
    Connection connection(program(demo()), {});
    const Catalog *catalog = connection.catalog();
    QVERIFY(catalog->tools().isEmpty());
    QVERIFY(opens(connection));
    QTRY_VERIFY_WITH_TIMEOUT(!catalog->tools().isEmpty(), ConnectTimeoutMs);
    // Too short a moment to be found by looking now and then.
    bool wasEmpty = false;
    connect(catalog, &Catalog::changed, this, [&] { wasEmpty = wasEmpty || catalog->tools().isEmpty(); });
    connection.restart();
    QTRY_VERIFY_WITH_TIMEOUT(wasEmpty && !catalog->tools().isEmpty(), ConnectTimeoutMs);
    QCOMPARE(connection.catalog(), catalog);
}

static RowOutcome outcomeOfLast(const Session *session, QStringView method)
{
    for (qsizetype row = session->size() - 1; row >= 0; --row) {
        const RecordInfo &info = session->at(row);
        if (info.messageKind == Message::Kind::Request && session->name(info.method) == method)
            return info.outcome;
    }
    return RowOutcome::None;
}

void TestConnection::crashEndsTheCall()
{
    Connection connection(program(demo(), {u"--crash-on-call"_s}), {});
    QVERIFY(opens(connection));
    const auto outcome = outcomeOf(connection.callTool(u"echo"_s, R"({"value":1})"));
    QVERIFY(outcome && outcome->kind == Outcome::Kind::NoResponse);
    QVERIFY(outcome->error.message.contains(u"SIGABRT"));
    QVERIFY(ends(connection));
    QCOMPARE(connection.statusText(), u"terminated by SIGABRT"_s);
    QVERIFY(connection.error().kind == Error::Kind::Transport);
    QTRY_COMPARE(int(outcomeOfLast(connection.session(), u"tools/call")), int(RowOutcome::NoResponse));
}

void TestConnection::requestsWhileDisconnected()
{
    Connection connection(program(demo()), {});
    Call *call = connection.callTool(u"echo"_s, {});
    QVERIFY(call);
    QVERIFY(!call->isFinished());
    const auto outcome = outcomeOf(call);
    QVERIFY(outcome && outcome->kind == Outcome::Kind::NoResponse);
    QVERIFY(outcome->error);
}

void TestConnection::timeoutIsGivenUp()
{
    Connection connection(program(demo(), {u"--never-respond"_s, u"tools/call"_s}), {});
    QVERIFY(opens(connection));
    connection.setTimeouts({.request = std::chrono::milliseconds(200)});
    QVERIFY(connection.options().callOptions.timeout == std::chrono::milliseconds(200));
    const auto outcome = outcomeOf(connection.callTool(u"echo"_s, R"({"value":1})"));
    QVERIFY(outcome && outcome->error.kind == Error::Kind::Timeout);
    QVERIFY(connection.state() == State::Connected);
    QTRY_COMPARE(int(outcomeOfLast(connection.session(), u"tools/call")), int(RowOutcome::NoResponse));
}

void TestConnection::pendingListIsGivenUp()
{
    Connection connection(program(demo(), {u"--never-respond"_s, u"tools/list"_s}), {});
    QVERIFY(opens(connection));
    QTRY_COMPARE(int(outcomeOfLast(connection.session(), u"tools/list")), int(RowOutcome::Pending));
    connection.close();
    QVERIFY(ends(connection));
    QTRY_COMPARE(int(outcomeOfLast(connection.session(), u"tools/list")), int(RowOutcome::NoResponse));
}

void TestConnection::findingsAreRecorded()
{
    Connection connection(program(demo(), {u"--duplicate-response"_s}), {});
    QVERIFY(opens(connection));
    const auto outcome = outcomeOf(connection.callTool(u"echo"_s, R"({"value":1})"));
    QVERIFY(outcome && outcome->kind == Outcome::Kind::Ok);
    const auto hasNote = [&] {
        const Session *session = connection.session();
        for (qsizetype row = 0; row < session->size(); ++row) {
            if (session->at(row).kind == WireEvent::Kind::Note)
                return true;
        }
        return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasNote(), ConnectTimeoutMs);
}

void TestConnection::secretsStayOut()
{
    QTemporaryDir folder;
    ConnectionOptions options;
    options.sessionPath = folder.filePath(u"s.mcpsession"_s);
    ServerSpec spec = program(demo(), {u"--revision"_s, u"2025-06-18"_s});
    spec.environment = {{u"SERVICE_TOKEN"_s, u"hush-hush-4711"_s}};
    {
        Connection connection(spec, options);
        QVERIFY(opens(connection));
        const auto outcome = outcomeOf(connection.callTool(u"echo"_s, R"({"value":"say hush-hush-4711"})"));
        QVERIFY(outcome && outcome->kind == Outcome::Kind::Ok);
        QVERIFY(outcome->message.raw().contains("hush-hush-4711"));  // the person sees it
    }
    const QByteArray text = test::readFile(options.sessionPath);
    QVERIFY(text.contains("tools/call"));
    QVERIFY(!text.contains("hush-hush-4711"));
}

// Of everything that was typed this is the one thing that the server itself calls a secret.
void TestConnection::secretArgumentsAreNotRecorded()
{
    const auto say = [](const char *text) { return QString::fromUtf8(text).prepend(u"say:"_s); };
    const ServerSpec spec =
        program(test::builtProgram(QStringLiteral("fake-stdio-server")),
                {u"readline"_s,
                 say(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                     R"("serverInfo":{"name":"f","version":"1"}}})"),
                 u"readline"_s, u"readline"_s,
                 say(R"({"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"login","inputSchema":{"type":"object",)"
                     R"("properties":{"user":{"type":"string"},"word":{"type":"string","format":"password"}}}}]}})"),
                 u"readline"_s,
                 say(R"({"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"anna: open-sesame"}]}})"),
                 u"readline"_s, say(R"({"jsonrpc":"2.0","id":4,"result":{"content":[]}})"), u"hang"_s});
    Connection connection(spec, {});
    QVERIFY(opens(connection));
    QTRY_VERIFY_WITH_TIMEOUT(connection.catalog()->tool(u"login"_s) != nullptr, ConnectTimeoutMs);
    const auto outcome = outcomeOf(connection.callTool(u"login"_s, R"({"user":"anna","word":"open-sesame"})"));
    QVERIFY(outcome && outcome->kind == Outcome::Kind::Ok);
    QVERIFY(outcome->message.raw().contains("anna: open-sesame"));  // the person sees it as it is
    QVERIFY(outcomeOf(connection.sendRaw(
        R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"login","arguments":{"word":"abracadabra"}}})")));
    connection.session()->flush();
    int masked = 0;
    for (qsizetype row = 0; row < connection.session()->size(); ++row) {
        const QByteArray bytes = connection.session()->bytes(row);
        QVERIFY2(!bytes.contains("open-sesame") && !bytes.contains("abracadabra"), bytes.constData());
        masked += bytes.contains("secret:") ? 1 : 0;
    }
    QCOMPARE(masked, 3);
}

void TestConnection::recordsIntoAFile()
{
    QTemporaryDir folder;
    ConnectionOptions options;
    options.sessionPath = folder.filePath(u"s.mcpsession"_s);
    qsizetype messages = 0;
    {
        Connection connection(program(demo()), options);
        QVERIFY(opens(connection));
        QTRY_VERIFY_WITH_TIMEOUT(!connection.catalog()->isLoading(), ConnectTimeoutMs);
        QCOMPARE(connection.session()->path(), options.sessionPath);
        QCOMPARE(connection.session()->serverName(), u"test"_s);
        connection.session()->flush();
        messages = connection.session()->messageCount();
    }
    const auto reopened = Session::open(options.sessionPath);
    QVERIFY(reopened.ok());
    const Session *session = reopened.value().get();
    QVERIFY(session->messageCount() >= messages);
    QVERIFY(session->damage().isEmpty());
    QVERIFY(session->at(0).kind == WireEvent::Kind::Open);
    QVERIFY(!session->isLive());
}

void TestConnection::pingMeasures()
{
    Connection connection(program(demo()), {});
    QVERIFY(opens(connection));
    const qint64 handshake = connection.latencyNs();
    const auto outcome = outcomeOf(connection.ping());
    QVERIFY(outcome && outcome->kind == Outcome::Kind::Ok);
    QCOMPARE(connection.latencyNs(), outcome->durationNs);
    QVERIFY(connection.latencyNs() != handshake);
}

void TestConnection::deletedWhileRunning()
{
    qint64 pid = 0;
    {
        Connection connection(program(demo()), {});
        QVERIFY(opens(connection));
        pid = connection.processId();
        connection.callTool(u"slow"_s, {});
    }
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), ConnectTimeoutMs);
}

void TestConnection::deletedWithinASignal()
{
    auto *connection = new Connection(program(demo()), {});
    QPointer<Connection> alive(connection);
    QVERIFY(opens(*connection));
    const qint64 pid = connection->processId();
    QObject context;
    connect(connection->callTool(u"echo"_s, R"({"value":1})"), &Call::finished, &context,
            [connection] { delete connection; });
    QTRY_VERIFY_WITH_TIMEOUT(!alive, ConnectTimeoutMs);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), ConnectTimeoutMs);

    connection = new Connection(program(u"no-such-program-here"_s), {});
    alive = connection;
    connect(connection, &Connection::stateChanged, &context, [connection] {
        if (connection->state() == State::Disconnected)
            delete connection;
    });
    connection->open();
    QTRY_VERIFY_WITH_TIMEOUT(!alive, ConnectTimeoutMs);
}

namespace {

// A server of HTTP that forgets its session when it is told to. Every tool call is answered, in a session that it
// knows, with the name of the session; but for "ask", in the course of which it sends a request and no response.
class ForgetfulServer {
public:
    ForgetfulServer()
        : m_server([this](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
              response(request, peer);
          })
    {}
    QString url() const { return m_server.url().toString(); }
    void forget() { m_known.clear(); }
    void forgetAlways() { m_isForgetful = true; }
    int count(QStringView method) const
    {
        int found = 0;
        for (const FakeHttpServer::Request &request : m_server.requests())
            found += Message::parse(request.body).method() == method ? 1 : 0;
        return found;
    }
    // While its tools are listed.
    enum class LossAt : quint8 { FirstPage, SecondPage };
    void forgetWhenListing(LossAt at, int times)
    {
        m_lossAt = at;
        m_listLosses = times;
    }

private:
    void response(const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer)
    {
        if (request.method != "POST")
            return peer.response(request.method == "GET" ? 405 : 200, {}, {});
        const Message message = Message::parse(request.body);
        const auto respond = [&](const QByteArray &result, const FakeHttpServer::Headers &headers = {}) {
            peer.json(Message::response(message.id(), result).raw(), headers);
        };
        if (message.method() == methods::Initialize) {
            m_known = "session-" + QByteArray::number(++m_sessions);
            respond(
                R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}})",
                {{"Mcp-Session-Id", m_known}});
            return;
        }
        if (request.header("Mcp-Session-Id") != m_known || (m_isForgetful && message.method() == methods::CallTool))
            return peer.response(404, {}, {});
        if (message.kind() != Message::Kind::Request)
            return peer.accept();
        const json::Value cursor = message.params()[u"cursor"];
        const bool isLoss = message.method() == methods::ListTools && m_listLosses > 0 &&
                            cursor.exists() == (m_lossAt == LossAt::SecondPage);
        if (isLoss) {
            --m_listLosses;
            m_known.clear();
            return peer.response(404, {}, {});
        }
        if (message.method() == methods::ListTools && m_lossAt == LossAt::SecondPage && !cursor.exists())
            return respond(R"({"tools":[{"name":"plain","inputSchema":{"type":"object"}}],"nextCursor":"2"})");
        if (message.method() == methods::ListTools && cursor.exists())
            return respond(R"({"tools":[{"name":"safe","inputSchema":{"type":"object"}}]})");
        if (message.method() == methods::ListTools)
            return respond(
                R"({"tools":[{"name":"plain","inputSchema":{"type":"object"}},)"
                R"({"name":"safe","inputSchema":{"type":"object"},"annotations":{"idempotentHint":true}}]})");
        if (message.params()[u"name"].string() == "ask"_L1) {
            peer.beginEvents();
            peer.event(R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?",)"
                       R"("requestedSchema":{"type":"object","properties":{}}}})");
            return;
        }
        respond(R"({"content":[{"type":"text","text":")" + m_known + R"("}]})");
    }

    FakeHttpServer m_server;
    QByteArray m_known;
    int m_sessions = 0;
    bool m_isForgetful = false;
    LossAt m_lossAt = LossAt::FirstPage;
    int m_listLosses = 0;
};

// Its tools are for whoever has the token.
class GuardedServer {
public:
    GuardedServer()
        : m_server([](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
              if (request.header("Authorization") != "Bearer " + QByteArray(Token))
                  return peer.response(401, {{"WWW-Authenticate", "Bearer"}}, {});
              if (request.method != "POST")
                  return peer.response(request.method == "GET" ? 405 : 200, {}, {});
              const Message message = Message::parse(request.body);
              if (message.kind() != Message::Kind::Request)
                  return peer.accept();
              peer.json(Message::response(message.id(), R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                                        R"("serverInfo":{"name":"s","version":"1"},"token":")" +
                                                            QByteArray(Token) + R"("})")
                            .raw());
          })
    {}
    static constexpr char Token[] = "a8Kd03-kfLw2-token";
    QString url() const { return m_server.url().toString(); }

private:
    FakeHttpServer m_server;
};

// Speaks HTTP+SSE only, until it is upgraded to Streamable HTTP.
class SseServer {
public:
    SseServer()
        : m_server([this](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
              respond(request, peer);
          })
    {}
    static constexpr char SessionId[] = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0";
    QByteArray endpoint = "/messages?sessionId=" + QByteArray(SessionId);
    QString url() const { return m_server.url(u"/sse"_s).toString(); }
    const QList<FakeHttpServer::Request> &requests() const { return m_server.requests(); }
    void upgrade()
    {
        m_isUpgraded = true;
        m_server.cutAll();
    }

private:
    void respond(const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer)
    {
        if (request.method == "GET" && !m_isUpgraded) {
            m_stream = std::make_unique<FakeHttpServer::Peer>(peer);
            peer.beginEvents();
            return peer.piece("event: endpoint\ndata: " + endpoint + "\n\n");
        }
        if (request.method != "POST" || (!m_isUpgraded && request.path == "/sse"))
            return peer.response(m_isUpgraded ? 405 : 404, {}, {});
        const Message message = Message::parse(request.body);
        if (message.kind() != Message::Kind::Request)
            return peer.accept();
        const QByteArray response =
            Message::response(message.id(), R"({"protocolVersion":"2024-11-05","capabilities":{},)"
                                            R"("serverInfo":{"name":"s","version":"1"}})")
                .raw();
        if (m_isUpgraded)
            return peer.json(response);
        peer.accept();
        m_stream->piece("event: message\ndata: " + response + "\n\n");
    }

    FakeHttpServer m_server;
    std::unique_ptr<FakeHttpServer::Peer> m_stream;
    bool m_isUpgraded = false;
};

bool hasTools(Connection &connection)
{
    return QTest::qWaitFor([&] { return connection.catalog()->tools().size() == 2; }, ConnectTimeoutMs);
}

}  // namespace

void TestConnection::aServerOfHttpSseIsFound()
{
    SseServer server;
    QTemporaryDir folder;
    ConnectionOptions options;
    options.sessionPath = folder.filePath(u"s.mcpsession"_s);
    ServerSpec spec = address(server.url());
    spec.revision = std::nullopt;
    Connection connection(spec, options);
    const auto choice = [&] { return connection.startSteps().at(int(StartStep::Kind::ChooseTransport)); };
    QVERIFY(opens(connection));
    QCOMPARE(connection.transportName(), u"HTTP+SSE"_s);
    QCOMPARE(choice().attempt, 2);
    QVERIFY(choice().state == Step::State::Done);
    QVERIFY2(choice().text.contains(u"HTTP 404"), qPrintable(choice().text));
    QCOMPARE(connection.startSteps().first().attempt, 1);
    QVERIFY2(connection.revisionReason().contains(u"HTTP+SSE"), qPrintable(connection.revisionReason()));
    connection.session()->flush();
    const QByteArray recorded = readFile(options.sessionPath);
    QVERIFY(recorded.contains("\"transport changed\",\"to\":\"http+sse\""));
    QVERIFY(recorded.contains("/messages?sessionId="));
    QCOMPARE(connection.serverInfo().protocolVersion, u"2024-11-05"_s);
    const auto firstVerb = [&](qsizetype before) { return server.requests().at(before).method; };
    QCOMPARE(firstVerb(0), QByteArray("POST"));

    // The next start begins with what worked.
    connection.close();
    QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
    const qsizetype before = server.requests().size();
    QVERIFY(opens(connection));
    QCOMPARE(firstVerb(before), QByteArray("GET"));
    QCOMPARE(choice().attempt, 1);
    QVERIFY2(choice().text.contains(u"before"), qPrintable(choice().text));
    connection.close();
    QTRY_COMPARE(connection.state(), Connection::State::Disconnected);

    // And tries the other when that fails.
    server.upgrade();
    QVERIFY(opens(connection));
    QCOMPARE(connection.transportName(), u"HTTP"_s);
    QCOMPARE(choice().attempt, 2);
    QVERIFY2(choice().text.startsWith(u"Streamable HTTP: HTTP+SSE failed"), qPrintable(choice().text));
}

void TestConnection::theIdInAnEndpointIsNotRecorded_data()
{
    QTest::addColumn<QByteArray>("endpoint");
    const QByteArray id = SseServer::SessionId;
    QTest::newRow("named") << "/messages?sessionId=" + id;
    QTest::newRow("named otherwise") << "/messages?x=1&transport=" + id + "&y=2";
    QTest::newRow("in the path") << "/sse/" + id + "/messages";
}

// Nor where the server repeats it.
void TestConnection::theIdInAnEndpointIsNotRecorded()
{
    QFETCH(QByteArray, endpoint);
    SseServer server;
    server.endpoint = endpoint;
    QTemporaryDir folder;
    ConnectionOptions options;
    options.sessionPath = folder.filePath(u"s.mcpsession"_s);
    ServerSpec spec = address(server.url());
    spec.httpKind = ServerSpec::HttpKind::Sse;
    {
        Connection connection(spec, options);
        QVERIFY(opens(connection));
        connection.close();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
    }
    const QByteArray recorded = readFile(options.sessionPath);
    QVERIFY(recorded.contains("endpoint") && recorded.contains("messages"));
    QVERIFY2(!recorded.contains(SseServer::SessionId), recorded.constData());
}

void TestConnection::aChosenTransportIsTheOnlyOne()
{
    SseServer server;
    ServerSpec spec = address(server.url());
    spec.httpKind = ServerSpec::HttpKind::Sse;
    Connection chosen(spec, {});
    QVERIFY(opens(chosen));
    QCOMPARE(server.requests().first().method, QByteArray("GET"));

    spec.httpKind = ServerSpec::HttpKind::Streamable;
    Connection other(spec, {});
    other.open();
    QTRY_COMPARE(other.state(), Connection::State::Disconnected);
    QVERIFY2(other.error().message.contains(u"HTTP+SSE"_s), qPrintable(other.error().message));
}

void TestConnection::aLostSessionIsReplaced_data()
{
    QTest::addColumn<QString>("tool");
    QTest::addColumn<bool>("isRepeated");
    QTest::newRow("a tool that may run twice") << u"safe"_s << true;
    QTest::newRow("a tool that does not say so") << u"plain"_s << false;
}

void TestConnection::aLostSessionIsReplaced()
{
    QFETCH(QString, tool);
    QFETCH(bool, isRepeated);
    ForgetfulServer server;
    Connection connection(address(server.url()), {});
    QVERIFY(opens(connection));
    QVERIFY(hasTools(connection));
    for (int round = 1; round <= 2; ++round) {
        server.forget();
        QStringList states;
        const QMetaObject::Connection watching =
            connect(&connection, &Connection::stateChanged, this, [&] { states.append(connection.statusText()); });
        const std::optional<Outcome> outcome = outcomeOf(connection.callTool(tool, {}));
        QVERIFY(outcome);
        QTRY_VERIFY_WITH_TIMEOUT(connection.state() == State::Connected, ConnectTimeoutMs);
        disconnect(watching);
        QCOMPARE(server.count(methods::Initialize), round + 1);
        QVERIFY2(states.contains(u"Session lost. Starting a new one…"_s), qPrintable(states.join(u'|')));
        QVERIFY(outcome->kind == (isRepeated ? Outcome::Kind::Ok : Outcome::Kind::NoResponse));
        if (isRepeated) {
            QVERIFY(outcome->result().bytes().contains("session-" + QByteArray::number(round + 1)));
        } else {
            QVERIFY(outcome->error.reason == Error::Reason::SessionLost);
            QVERIFY2(outcome->error.hint.contains(u"only if that is safe"), qPrintable(outcome->error.hint));
        }
        // The next call, in the new session, allows another.
        const std::optional<Outcome> next = outcomeOf(connection.callTool(tool, {}));
        QVERIFY(next && next->kind == Outcome::Kind::Ok);
        QVERIFY(hasTools(connection));
    }
    int findings = 0;
    for (qsizetype row = 0; row < connection.session()->size(); ++row)
        findings += connection.session()->facts(row).contains("Starting a new one") ? 1 : 0;
    QCOMPARE(findings, 2);
}

void TestConnection::aSessionLostWhileListingIsReplaced_data()
{
    QTest::addColumn<bool>("isSecondPage");
    QTest::newRow("first page") << false;
    QTest::newRow("second page") << true;
}

// Spec: basic/transports, "Session Management". The lists are read anew; nobody sees them fail.
void TestConnection::aSessionLostWhileListingIsReplaced()
{
    QFETCH(bool, isSecondPage);
    ForgetfulServer server;
    server.forgetWhenListing(isSecondPage ? ForgetfulServer::LossAt::SecondPage : ForgetfulServer::LossAt::FirstPage,
                             1);
    Connection connection(address(server.url()), {});
    bool hasFailed = false;
    connect(connection.catalog(), &Catalog::changed, this,
            [&] { hasFailed |= connection.catalog()->status(Catalog::List::Tools).state == Catalog::State::Failed; });
    QVERIFY(opens(connection));
    QTRY_COMPARE_WITH_TIMEOUT(connection.catalog()->tools().size(), 2, ConnectTimeoutMs);
    QVERIFY(!hasFailed);
    QCOMPARE(connection.state(), State::Connected);
    QCOMPARE(server.count(methods::Initialize), 2);
    QCOMPARE(server.count(methods::ListTools), isSecondPage ? 4 : 2);
}

void TestConnection::aSessionAlwaysLostWhileListingEndsTheConnection_data()
{
    aSessionLostWhileListingIsReplaced_data();
}

void TestConnection::aSessionAlwaysLostWhileListingEndsTheConnection()
{
    QFETCH(bool, isSecondPage);
    ForgetfulServer server;
    server.forgetWhenListing(isSecondPage ? ForgetfulServer::LossAt::SecondPage : ForgetfulServer::LossAt::FirstPage,
                             1000);
    Connection connection(address(server.url()), {});
    connection.open();
    QTRY_VERIFY_WITH_TIMEOUT(connection.state() == State::Disconnected && connection.error(), ConnectTimeoutMs);
    QCOMPARE(server.count(methods::Initialize), 2);
    QCOMPARE(connection.statusText(), u"session lost"_s);
    QVERIFY2(connection.error().message.contains(u"the new session either"), qPrintable(connection.error().message));
    QVERIFY(!connection.catalog()->isLoading());
}

void TestConnection::aSessionThatIsLostAgainEndsTheConnection()
{
    ForgetfulServer server;
    Connection connection(address(server.url()), {});
    QVERIFY(opens(connection));
    QVERIFY(hasTools(connection));
    server.forgetAlways();
    const std::optional<Outcome> outcome = outcomeOf(connection.callTool(u"safe"_s, {}));
    QVERIFY(outcome);
    QVERIFY(outcome->kind == Outcome::Kind::NoResponse);
    QVERIFY(ends(connection));
    QCOMPARE(connection.statusText(), u"session lost"_s);
    QVERIFY(connection.error().hint.contains(u"reconnect"));
    QCOMPARE(server.count(methods::Initialize), 2);
    QCOMPARE(server.count(methods::CallTool), 2);
}

void TestConnection::everyConnectionOverHttpHasAnEnd_data()
{
    QTest::addColumn<bool>("isLost");
    QTest::newRow("restarted") << false;
    QTest::newRow("the server lost its session") << true;
}

void TestConnection::everyConnectionOverHttpHasAnEnd()
{
    QFETCH(bool, isLost);
    ForgetfulServer server;
    ConnectionOptions options;
    options.capabilities = R"({"elicitation":{}})";
    Connection connection(address(server.url()), options);
    QPointer<InputRequest> request;
    connection.setResponder(InputRequest::Kind::Elicitation, this, [&](InputRequest *asked) { request = asked; });
    QVERIFY(opens(connection));
    QVERIFY(hasTools(connection));
    connection.callTool(u"ask"_s, {});
    QTRY_VERIFY_WITH_TIMEOUT(request, ConnectTimeoutMs);
    if (isLost) {
        server.forget();
        connection.callTool(u"plain"_s, {});
    } else {
        connection.restart();
    }
    QTRY_VERIFY_WITH_TIMEOUT(server.count(methods::Initialize) == 2 && connection.state() == State::Connected,
                             ConnectTimeoutMs);
    Session *session = connection.session();
    session->flush();
    int ends = 0;
    for (qsizetype row = 0; row < session->size(); ++row) {
        if (session->at(row).connection != 1)
            continue;
        ends += session->facts(row).contains(R"("what":"closed")") ? 1 : 0;
        QVERIFY(session->at(row).outcome != RowOutcome::Pending);
    }
    QCOMPARE(ends, 1);
    connection.close();
    QVERIFY(QTest::qWaitFor([&] { return connection.state() == State::Disconnected; }, ConnectTimeoutMs));
    session->flush();
    QVERIFY(session->facts(session->size() - 1).contains(R"("what":"closed")"));
}

// Details stay as they were given, in their order, and what nobody responds to is left out.
void TestConnection::whatIsDeclaredFollowsFromWhoResponds()
{
    ConnectionOptions options;
    options.capabilities = R"({"roots":{"listChanged":true},"experimental":{"x":1.0},"sampling":{"tools":{}}})";
    Connection connection({}, options);
    QCOMPARE(connection.clientCapabilities(), R"({"experimental":{"x":1.0}})"_ba);
    auto person = std::make_unique<QObject>();
    connection.setResponder(InputRequest::Kind::Elicitation, this, [](InputRequest *) {});
    connection.setResponder(InputRequest::Kind::Roots, person.get(), [](InputRequest *) {});
    QCOMPARE(connection.clientCapabilities(),
             R"({"roots":{"listChanged":true},"experimental":{"x":1.0},"elicitation":{}})"_ba);
    person.reset();
    QCOMPARE(connection.clientCapabilities(), R"({"experimental":{"x":1.0},"elicitation":{}})"_ba);
}

void TestConnection::capabilitiesAreLeftOutPerServer_data()
{
    QTest::addColumn<QStringList>("off");
    QTest::addColumn<QByteArray>("declared");
    QTest::newRow("nothing")
        << QStringList()
        << R"({"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}})"_ba;
    QTest::newRow("roots") << QStringList{u"roots"_s}
                           << R"({"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}})"_ba;
    QTest::newRow("tools") << QStringList{u"sampling.tools"_s}
                           << R"({"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}}})"_ba;
    QTest::newRow("URLs") << QStringList{u"elicitation.url"_s, u"sampling"_s}
                          << R"({"roots":{"listChanged":true},"elicitation":{"form":{}}})"_ba;
    QTest::newRow("forms") << QStringList{u"elicitation.form"_s}
                           << R"({"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"url":{}}})"_ba;
    QTest::newRow("elicitation") << QStringList{u"elicitation.form"_s, u"elicitation.url"_s}
                                 << R"({"roots":{"listChanged":true},"sampling":{"tools":{}}})"_ba;
}

void TestConnection::capabilitiesAreLeftOutPerServer()
{
    QFETCH(QStringList, off);
    ConnectionOptions options;
    options.capabilities =
        R"({"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}})";
    ServerSpec spec;
    spec.undeclaredCapabilities = off;
    Connection connection(spec, options);
    for (const auto kind : {InputRequest::Kind::Elicitation, InputRequest::Kind::Sampling, InputRequest::Kind::Roots})
        connection.setResponder(kind, this, [](InputRequest *) {});
    QTEST(connection.clientCapabilities(), "declared");
}

void TestConnection::startsInNamedSteps()
{
    using Kind = StartStep::Kind;
    using Progress = Step::State;
    Connection connection(program(demo()), {});
    QVERIFY(connection.startSteps().isEmpty());
    QSignalSpy loaded(connection.catalog(), &Catalog::loaded);
    QVERIFY(opens(connection));
    QVERIFY(!loaded.isEmpty() || loaded.wait(ConnectTimeoutMs));
    const QList<StartStep> &steps = connection.startSteps();
    QCOMPARE(steps.size(), 9);
    const QList<std::pair<Kind, Progress>> expected = {
        {Kind::Approve, Progress::Skipped}, {Kind::ResolveSecrets, Progress::Done},
        {Kind::FindTarget, Progress::Done}, {Kind::ChooseTransport, Progress::Skipped},
        {Kind::Open, Progress::Done},       {Kind::Authorize, Progress::Skipped},
        {Kind::Probe, Progress::Skipped},   {Kind::AgreeOnRevision, Progress::Done},
        {Kind::List, Progress::Done},
    };
    for (qsizetype i = 0; i < steps.size(); ++i) {
        QCOMPARE(steps[i].kind, expected[i].first);
        QVERIFY2(steps[i].state == expected[i].second, qPrintable(nameOf(steps[i].kind)));
        QCOMPARE(steps[i].ms >= 0, steps[i].startedMs >= 0);
    }
    QVERIFY(steps[2].text.contains(u"sonde-demo-server"_s));
    QCOMPARE(steps[7].text, connection.serverInfo().protocolVersion);
}

void TestConnection::credentialsAreAwaitedInAStepOfTheirOwn()
{
    GuardedServer server;
    const auto source = std::make_shared<HeldCredentials>();
    source->once = {CredentialSource::Headers()};
    ConnectionOptions options;
    options.credentials = source;
    QTemporaryDir folder;
    options.sessionPath = folder.filePath(u"s.mcpsession"_s);
    auto connection = std::make_unique<Connection>(address(server.url()), options);
    QStringList states;
    connect(connection.get(), &Connection::stateChanged, this, [&] { states.append(connection->statusText()); });
    connection->open();
    const auto step = [&](StartStep::Kind kind) { return connection->startSteps().at(int(kind)); };
    QTRY_COMPARE(source->waiting.size(), 1);
    QTRY_VERIFY(step(StartStep::Kind::Authorize).state == Step::State::Paused);
    QVERIFY(step(StartStep::Kind::Authorize).text.contains(u"HTTP 401"));
    QVERIFY(step(StartStep::Kind::AgreeOnRevision).state == Step::State::Waiting);
    QCOMPARE(states.last(), u"Waiting for credentials…"_s);
    source->next = HeldCredentials::bearer(GuardedServer::Token);
    states.clear();
    disconnect(connection.get(), &Connection::stateChanged, this, nullptr);
    source->give(*source->next);
    QTRY_VERIFY_WITH_TIMEOUT(connection->state() == State::Connected, ConnectTimeoutMs);
    QVERIFY(step(StartStep::Kind::Authorize).state == Step::State::Done);
    QCOMPARE(step(StartStep::Kind::AgreeOnRevision).attempt, 2);
    connection->close();
    QTRY_VERIFY(connection->state() == State::Disconnected);
    connection.reset();
    const QByteArray text = readFile(options.sessionPath);
    QVERIFY(text.contains("credentials awaited"));
    QVERIFY2(!text.contains(GuardedServer::Token), text.constData());
}

void TestConnection::stepsThatFailSayWhy_data()
{
    QTest::addColumn<ServerSpec>("spec");
    QTest::addColumn<StartStep::Kind>("kind");
    QTest::addColumn<QString>("text");
    QTest::newRow("no program") << program(u"no-such-program-here"_s) << StartStep::Kind::FindTarget
                                << u"command not found"_s;
    QTest::newRow("ends at once") << program(u"false"_s) << StartStep::Kind::AgreeOnRevision
                                  << u"exited with code 1 during startup"_s;
    QTest::newRow("says nothing, until somebody has had enough")
        << program(u"cat"_s, {u"/dev/zero"_s}) << StartStep::Kind::AgreeOnRevision << u"Cancelled by you"_s;
}

void TestConnection::stepsThatFailSayWhy()
{
    QFETCH(ServerSpec, spec);
    QFETCH(StartStep::Kind, kind);
    QFETCH(QString, text);
    Connection connection(spec, {});
    connection.open();
    if (text == u"Cancelled by you"_s) {
        QTRY_VERIFY(std::any_of(connection.startSteps().begin(), connection.startSteps().end(), [&](const auto &step) {
            return step.kind == kind && step.state == Step::State::Running;
        }));
        connection.close();
    }
    QTRY_VERIFY_WITH_TIMEOUT(connection.state() == State::Disconnected, ConnectTimeoutMs);
    for (const StartStep &step : connection.startSteps()) {
        if (step.kind == kind) {
            QVERIFY(step.state == Step::State::Failed);
            QCOMPARE(step.text, text);
        } else {
            QVERIFY(step.state == (step.kind < kind && step.startedMs >= 0 ? Step::State::Done
                                   : step.kind < kind                      ? Step::State::Skipped
                                                                           : Step::State::Waiting));
        }
    }
    QCOMPARE(connection.startingForMs(), -1);
}

void TestConnection::stepsCanWaitAndBeRunAgain()
{
    StartSteps steps;
    steps.begin();
    steps.enter(StartStep::Kind::Open);
    steps.enter(StartStep::Kind::Authorize);
    const QList<StartStep> shown = steps.all();
    steps.pause(u"waiting for the browser"_s);
    // Those who show the steps compare them with what they were.
    QVERIFY(shown.at(int(StartStep::Kind::Authorize)).state == Step::State::Running);
    QVERIFY(steps.current()->state == Step::State::Paused);
    QCOMPARE(steps.current()->text, u"waiting for the browser"_s);
    steps.resume();
    steps.enter(StartStep::Kind::AgreeOnRevision);
    // The same server over another transport.
    steps.restartFrom(StartStep::Kind::Open);
    QVERIFY(!steps.current());
    steps.enter(StartStep::Kind::Open);
    QCOMPARE(steps.current()->attempt, 2);
    steps.complete();
    QVERIFY(!steps.current());
    QCOMPARE(steps.elapsedMs(), -1);
    QVERIFY(steps.all().at(0).state == Step::State::Skipped);
}

void TestConnection::notFound()
{
    ServerSpec spec = program(u"no-such-program-here"_s);
    spec.environment = {{u"PATH"_s, u"/usr/bin:/nowhere/at/all"_s}};
    Connection connection(spec, {});
    QVERIFY(!opens(connection));
    QCOMPARE(connection.statusText(), u"command not found"_s);
    QVERIFY(connection.error().message.contains(u"no-such-program-here"));
    QVERIFY(connection.error().detail.contains(u"/usr/bin:/nowhere/at/all"));
    QVERIFY(!connection.error().hint.isEmpty());
}

void TestConnection::notExecutable()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"tool"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    Connection connection(program(file.fileName()), {});
    QVERIFY(!opens(connection));
    QCOMPARE(connection.statusText(), u"not executable"_s);
    QVERIFY(connection.error().message.contains(u"not executable"));

    ServerSpec spec = program(u"tool"_s);
    spec.environment = {{u"PATH"_s, folder.path()}};
    connection.setSpec(spec);
    QVERIFY(!opens(connection));
    QCOMPARE(connection.statusText(), u"not executable"_s);
}

void TestConnection::exitsBeforeTheHandshake()
{
    Connection connection(program(demo(), {u"--stderr-then-exit"_s}), {});
    QVERIFY(!opens(connection));
    QCOMPARE(connection.statusText(), u"exited with code 1 during startup"_s);
    QVERIFY(connection.error().kind == Error::Kind::Transport);
    QCOMPARE(connection.error().code, 1);
    QVERIFY(connection.error().detail.contains(u"Cannot open ./demo-config.json"));
    QVERIFY(connection.stderrTail().join(u'\n').contains(u"Cannot open ./demo-config.json"));
}

void TestConnection::exitCodeOfAShell()
{
    Connection connection(program(u"/bin/sh"_s, {u"-c"_s, u"no-such-program-here"_s}), {});
    QVERIFY(!opens(connection));
    QCOMPARE(connection.statusText(), u"exited with code 127 during startup"_s);
    QVERIFY(connection.error().detail.contains(u"no-such-program-here"));
    QVERIFY(!connection.error().hint.isEmpty());
}

void TestConnection::killedBeforeTheHandshake()
{
    Connection connection(program(u"/bin/sh"_s, {u"-c"_s, u"kill -SEGV $$"_s}), {});
    QVERIFY(!opens(connection));
    QCOMPARE(connection.statusText(), u"terminated by SIGSEGV during startup"_s);
    QVERIFY(connection.error().message.contains(u"SIGSEGV"));
}

void TestConnection::connectionRefused()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const QString url = u"http://127.0.0.1:%1/mcp"_s.arg(server.serverPort());
    server.close();
    Connection connection(address(url), {});
    QVERIFY(!opens(connection));
    QCOMPARE(connection.statusText(), u"connection refused"_s);
    QVERIFY(connection.error().message.contains(u"127.0.0.1"));
    QVERIFY(!connection.error().hint.isEmpty());
}

void TestConnection::tls()
{
    QTcpServer plain;
    QVERIFY(plain.listen(QHostAddress::LocalHost));
    connect(&plain, &QTcpServer::newConnection, this, [&plain] {
        QTcpSocket *socket = plain.nextPendingConnection();
        QObject::connect(socket, &QTcpSocket::readyRead, socket, [socket] {
            socket->write("this is no TLS\r\n");
            socket->disconnectFromHost();
        });
    });
    Connection connection(address(u"https://127.0.0.1:%1/mcp"_s.arg(plain.serverPort())), {});
    QVERIFY(!opens(connection));
    QVERIFY2(connection.statusText().endsWith(u" does not speak TLS."), qPrintable(connection.statusText()));
    QVERIFY(connection.error().hint.contains(u"http://"));
}

void TestConnection::httpStatus()
{
    const QByteArray body = "<html>" + QByteArray(5000, 'x') + "</html>";
    FixedHttpServer server("HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: " +
                           QByteArray::number(body.size()) + "\r\n\r\n" + body);
    Connection connection(address(server.url()), {});
    QVERIFY(!opens(connection));
    QCOMPARE(connection.statusText(), u"HTTP 502"_s);
    QCOMPARE(connection.error().code, 502);
    QVERIFY(connection.error().detail.contains(u"<html>xxxx"));
    QVERIFY(connection.error().detail.size() >= 2048 && connection.error().detail.size() < 3000);
}

void TestConnection::notAuthorised()
{
    FixedHttpServer server("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n");
    Connection connection(address(server.url()), {});
    QVERIFY(!opens(connection));
    QCOMPARE(connection.statusText(), u"HTTP 401 · not authorized"_s);
    QVERIFY(connection.error().kind == Error::Kind::Auth);
    // Also where somebody would have to sign in, and nobody is there.
    ConnectionOptions options;
    options.profile.tokens =
        std::make_shared<TokenStore>(std::make_shared<SecretVault>(std::make_unique<MemorySecretStore>()), QString());
    options.hasPerson = false;
    Connection guarded(address(server.url()), options);
    QVERIFY(!opens(guarded));
    QCOMPARE(guarded.statusText(), u"HTTP 401 · not authorized"_s);
    QCOMPARE(guarded.error().code, 401);
}

void TestConnection::noCommonRevision()
{
    Connection connection(program(demo(), {u"--revision"_s, u"1999-01-01"_s}), {});
    QVERIFY(!opens(connection));
    QVERIFY(connection.error().kind == Error::Kind::Protocol);
    QVERIFY(connection.error().message.contains(u"1999-01-01"));
    QVERIFY(connection.error().message.contains(u"2025-11-25"));
    QVERIFY(connection.statusText().startsWith(u"No common protocol revision"));
    QVERIFY(connection.processId() == 0);
}

void TestConnection::handshakeTimeout()
{
    ConnectionOptions options;
    options.handshakeTimeout = std::chrono::milliseconds(300);
    Connection connection(program(u"/bin/sh"_s, {u"-c"_s, u"echo still thinking >&2; exec cat >/dev/null"_s}), options);
    QVERIFY(!opens(connection));
    QVERIFY(connection.error().kind == Error::Kind::Timeout);
    QCOMPARE(connection.statusText(), u"timed out"_s);
    QVERIFY(connection.error().detail.contains(u"still thinking"));
}

void TestConnection::brokenSpec()
{
    Connection connection(address(u"ftp://example.org/"_s), {});
    connection.open();
    QVERIFY(connection.state() == State::Connecting);
    QVERIFY(ends(connection));
    QVERIFY(connection.error().kind == Error::Kind::Local);
    QVERIFY(connection.error().message.contains(u"ftp"));
}

SONDE_TEST(TestConnection)
#include "tst_connection.moc"
