// What a schema declares to be secret is in no recording, by whatever way it goes out.
// SPDX-License-Identifier: Apache-2.0
#include "core/client/catalog.h"
#include "core/client/client.h"
#include "core/connection/connection.h"
#include "core/connection/secretcollector.h"
#include "core/json/builder.h"
#include "tests/support/faketransport.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "tests/support/wrongmessages.h"

#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

// Reads a line for every second word, and says the others.
ServerSpec script(const QList<QByteArray> &words)
{
    ServerSpec spec;
    spec.name = u"test"_s;
    spec.revision = Revision::R20251125;
    spec.command = test::builtProgram(QStringLiteral("fake-stdio-server"));
    for (const QByteArray &word : words)
        spec.arguments.append(word.startsWith('{') || word.startsWith('[') ? u"say:"_s + QString::fromUtf8(word)
                                                                           : QString::fromUtf8(word));
    return spec;
}

const QByteArray Hello =
    R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},)"
    R"("serverInfo":{"name":"f","version":"1"}}})";
const QByteArray Tools = R"({"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"login","inputSchema":{"type":"object",)"
                         R"("properties":{"user":{"type":"string"},"word":{"type":"string","format":"password"}}}}]}})";
const QByteArray Schema =
    R"({"type":"object","properties":{"user":{"type":"string"},"word":{"type":"string","writeOnly":true}}})";

// Without what the script is started with.
QByteArray recorded(const Connection &connection)
{
    connection.session()->flush();
    QByteArray all;
    for (qsizetype row = 0; row < connection.session()->size(); ++row)
        all += connection.session()->bytes(row) + '\n';
    return all;
}

bool isReady(Connection &connection)
{
    connection.open();
    return QTest::qWaitFor([&] { return connection.catalog()->tool(u"login"_s) != nullptr; }, test::Patience);
}

}  // namespace

class SecretCollectorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void callsByHand_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QByteArray call = R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"login","arguments":)"
                                R"({"user":"anna","word":"open-sesame"}}})";
        QTest::newRow("one") << call;
        QTest::newRow("a batch") << '[' + call + ']';
        QTest::newRow("last of a batch") << R"([{"jsonrpc":"2.0","method":"x"},)" + call + ']';
        QTest::newRow("no JSON") << QByteArray(call).replace("sesame\"", "sesame\",");
    }
    void callsByHand()
    {
        const WrongMessages wrong("written by hand");
        QFETCH(const QByteArray, text);
        Connection connection(script({"readline", Hello, "readline", "readline", Tools, "readline",
                                      R"({"jsonrpc":"2.0","method":"notifications/heard"})", "hang"}),
                              {});
        QVERIFY(isReady(connection));
        connection.sendRaw(text);
        QTRY_VERIFY(recorded(connection).contains("heard"));
        const QByteArray all = recorded(connection);
        QVERIFY2(!all.contains("open-sesame") && all.contains("anna") && all.contains("secret:"), all.constData());
    }

    // It is masked in its place, and nothing else that looks like it is touched.
    void aShortSecretDestroysNothing()
    {
        const QByteArray echo =
            R"({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"n 241113 is 4111"}],)"
            R"("structuredContent":{"n":[4111,241113,4111.25,"4111"],"ok":true}}})";
        Connection connection(script({"readline", Hello, "readline", "readline", Tools, "readline", echo, "hang"}), {});
        QVERIFY(isReady(connection));
        connection.sendRaw(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"login","arguments":)"
                           R"({"user":"4111","word":"4111"}}})");
        QTRY_VERIFY(recorded(connection).contains("241113"));
        const QByteArray all = recorded(connection);
        QVERIFY2(all.contains(echo), all.constData());
        QVERIFY2(all.contains("{\"user\":\"4111\",\"word\":\"\xE2\x80\xB9secret:"), all.constData());
    }

    // What the form shows as dots is masked, whatever its schema says.
    void byItsNameAlone_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char *name : {"password", "pin", "passphrase", "pwd", "pass", "apiToken", "client_secret"})
            QTest::newRow(name) << QByteArray(name);
    }
    void byItsNameAlone()
    {
        QFETCH(const QByteArray, name);
        Connection connection(script({"readline", Hello, "readline", "readline", Tools, "readline",
                                      R"({"jsonrpc":"2.0","method":"notifications/heard"})", "hang"}),
                              {});
        QVERIFY(isReady(connection));
        connection.callTool(u"other"_s, "{\"" + name + "\":\"12xy\",\"user\":\"anna\"}");
        QTRY_VERIFY(recorded(connection).contains("heard"));
        const QByteArray all = recorded(connection);
        QVERIFY2(!all.contains("12xy") && all.contains("anna"), all.constData());
    }

    // A list that is loaded anew is empty at first, and a form that was made of the old one can still be called. Also
    // in the turn in which the old one came.
    void whileTheListIsLoadedAnew_data()
    {
        QTest::addColumn<bool>("isAtOnce");
        QTest::newRow("later") << false;
        QTest::newRow("at once") << true;
    }
    void whileTheListIsLoadedAnew()
    {
        QFETCH(const bool, isAtOnce);
        Connection connection(script({"readline", Hello, "readline", "readline", Tools, "readline", "readline",
                                      R"({"jsonrpc":"2.0","method":"notifications/heard"})", "hang"}),
                              {});
        bool isCalled = false;
        const auto callWithoutList = [&] {
            if (isCalled || !connection.catalog()->tool(u"login"_s))
                return;
            isCalled = true;
            connection.catalog()->load(json::parse(R"({"tools":{}})"));
            QVERIFY(!connection.catalog()->tool(u"login"_s));
            connection.callTool(u"login"_s, R"({"user":"anna","word":"12xy"})");
        };
        if (isAtOnce)
            connect(connection.catalog(), &Catalog::changed, this, callWithoutList);
        connection.open();
        QTRY_VERIFY(isCalled || connection.catalog()->tool(u"login"_s));
        callWithoutList();
        QTRY_VERIFY(recorded(connection).contains("heard"));
        const QByteArray all = recorded(connection);
        QVERIFY2(!all.contains("12xy") && all.contains("anna"), all.constData());
    }

    // A result that asks for input is not made a document of to find that out: it may be long.
    void aLongResultIsNotParsed()
    {
        Session session;
        FakeTransport transport;
        Client client(&transport);
        Catalog catalog(&client);
        SecretCollector watch(&session, &catalog);
        const QByteArray text =
            R"({"jsonrpc":"2.0","id":7,"result":{"filler":)" + json::quoted(QString(200'000, u'x')) +
            R"(,"inputRequests":{"who":{"method":"elicitation/create","params":{"requestedSchema":)" + Schema + "}}}}}";
        WireEvent event;
        event.kind = WireEvent::Kind::Message;
        event.direction = Direction::FromServer;
        event.message = Message::parse(text);
        watch.see(event);
        QVERIFY(!event.message.isParsed());
        watch.look(
            json::parse(R"({"method":"tools/call","params":{"inputResponses":{"who":{"content":{"word":"12xy"}}}}})"));
        session.append(event, 1);
        event.direction = Direction::ToServer;
        event.message = Message::parse(R"({"jsonrpc":"2.0","method":"x","params":{"word":"12xy"}})");
        session.append(event, 1);
        session.flush();
        QVERIFY2(!session.bytes(1).contains("12xy"), session.bytes(1).constData());
    }

    // The schema came with the server request.
    void responsesToServerRequests()
    {
        const QByteArray ask =
            R"({"jsonrpc":"2.0","id":900,"method":"elicitation/create","params":{"message":"?","requestedSchema":)" +
            Schema + "}}";
        const QByteArray echo =
            R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"heard open-sesame"}})";
        ConnectionOptions options;
        options.capabilities = R"({"elicitation":{"form":{}}})";
        const QByteArray hello = QByteArray(Hello).replace("2025-03-26", "2025-11-25");
        Connection connection(script({"readline", hello, "readline", "readline", Tools, ask, "readline", echo, "hang"}),
                              options);
        connection.setResponder(InputRequest::Kind::Elicitation, this, [](InputRequest *request) {
            QVERIFY(!request->respond(R"({"action":"accept","content":{"user":"anna","word":"open-sesame"}})"));
        });
        QVERIFY(isReady(connection));
        QTRY_VERIFY(recorded(connection).contains("heard"));
        const QByteArray all = recorded(connection);
        QVERIFY2(!all.contains("open-sesame") && all.contains("anna"), all.constData());
        QCOMPARE(all.count("secret:"), 2);
    }

    // Revision 2026-07-28: the server request is a result, the response is in the next request.
    void responsesInRequests()
    {
        const WrongMessages wrong("written by hand");
        const QByteArray asks =
            R"({"jsonrpc":"2.0","id":7,"result":{"resultType":"input_required","inputRequests":{"who":)"
            R"({"method":"elicitation/create","params":{"message":"?","requestedSchema":)" +
            Schema + "}}}}}";
        const QByteArray echo =
            R"({"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"heard open-sesame"}]}})";
        Connection connection(
            script({"readline", Hello, "readline", "readline", Tools, "readline", asks, "readline", echo, "hang"}), {});
        QVERIFY(isReady(connection));
        connection.sendRaw(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"other"}})");
        QTRY_VERIFY(recorded(connection).contains("input_required"));
        connection.sendRaw(R"({"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"other","inputResponses":)"
                           R"({"who":{"action":"accept","content":{"user":"anna","word":"open-sesame"}}}}})");
        QTRY_VERIFY(recorded(connection).contains("heard"));
        const QByteArray all = recorded(connection);
        QVERIFY2(!all.contains("open-sesame") && all.contains("anna"), all.constData());
        QCOMPARE(all.count("secret:"), 2);
    }
};

SONDE_TEST(SecretCollectorTest)

#include "tst_secretcollector.moc"
