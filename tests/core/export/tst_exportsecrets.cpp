// What gives itself away as a secret, and nobody ever declared, does not leave with an export.
// SPDX-License-Identifier: Apache-2.0
#include "core/export/exporter.h"
#include "core/json/builder.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QBuffer>
#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

using Kind = WireEvent::Kind;

QByteArray exportedAs(const Session &session, ExportFormat format)
{
    ExportOptions options;
    options.format = format;
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    Exporter exporter(&session, options);
    const Error error = exporter.write(&buffer);
    return error ? "failed: " + error.message.toUtf8() : buffer.data();
}

// What each of the formats says.
QByteArray exportedAs(const Session &session)
{
    QByteArray all;
    for (const ExportFormat format :
         {ExportFormat::JsonLines, ExportFormat::Har, ExportFormat::Markdown, ExportFormat::Html})
        all += exportedAs(session, format) + '\n';
    return all;
}

QByteArray around(const QByteArray &text, const QByteArray &word)
{
    return text.mid(qMax<qsizetype>(0, text.indexOf(word) - 100), 300);
}

QByteArray response(const QByteArray &result)
{
    return R"({"jsonrpc":"2.0","id":1,"result":)" + result + '}';
}

QByteArray responseOfText(const QString &text)
{
    return response(R"({"content":[{"type":"text","text":)" + json::quoted(text) + "}]}");
}

QByteArray page(QByteArray text, int number)
{
    const QByteArray token = R"({"accessToken":"page-of-results-NUMBER"})";
    return text.replace("PAGE", token).replace("NUMBER", QByteArray::number(100000 + number));
}

}  // namespace

class ExportSecretsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Files are read line by line, and tokens stand at the beginning of them.
    void tokensInLines_data()
    {
        QTest::addColumn<QString>("before");
        QTest::newRow("line") << u"first line\n"_s;
        QTest::newRow("tab") << u"x\t"_s;
        QTest::newRow("quote") << u"\""_s;
        QTest::newRow("JSON in a string") << u"{\"a\":\"x\\n"_s;
        QTest::newRow("an address") << u"http://h/?a=x%20"_s;
        QTest::newRow("nothing") << QString();
    }
    void tokensInLines()
    {
        QFETCH(const QString, before);
        const QStringList tokens{u"ghp_CANARYabcdefghijklmnop0123456789"_s,
                                 u"AKIACANARYABCDEFGHIJ"_s,
                                 u"sk-CANARYabcdefghijklmnopqrstuv"_s,
                                 u"Bearer CANARYabcdefghijkl0123456789"_s,
                                 u"eyJhbGciOiJIUzI1NiJ9.eyJDQU5BUlkifQ.CANARYabc"_s,
                                 u"github_pat_CANARYabcdefghijklmnopqrstuvw"_s,
                                 u"password=CANARY3abc12345"_s};
        for (const QString &token : tokens) {
            Session session;
            session.append(received(responseOfText(before + token)), 1);
            session.append(
                received(responseOfText(before + token).replace("\\n", "\\u000a").replace("\\\"", "\\u0022")), 1);
            session.append(happening(Kind::Stderr, Direction::FromServer, "said " + json::quoted(before + token)), 1);
            session.flush();
            const QByteArray text = exportedAs(session);
            QVERIFY2(!text.contains("CANARY"), around(text, "CANARY").constData());
        }
    }

    // Whoever recorded it may not have known the schema yet.
    void whatSchemasDeclare()
    {
        const QByteArray schema = R"({"type":"object","properties":{"word":{"type":"string","format":"password"}}})";
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"login","arguments":)"
                            R"({"word":"ab1z","user":"anna"}}})"),
                       1);
        session.append(
            received(R"({"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"login","inputSchema":)" + schema + "}]}}"),
            1);
        session.append(received(R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?",)"
                                R"("requestedSchema":)" +
                                schema + "}}"),
                       1);
        session.append(sent(R"({"jsonrpc":"2.0","id":"q","result":{"action":"accept","content":{"word":"cd2y"}}})"), 1);
        session.flush();
        const QByteArray text = exportedAs(session);
        for (const char *secret : {"ab1z", "cd2y"})
            QVERIFY2(!text.contains(secret), around(text, secret).constData());
        QVERIFY(text.contains("anna"));
    }

    void keysInPieces()
    {
        const QString key =
            u"-----BEGIN RSA PRIVATE KEY-----\nCANARYabcdefghijklmnop0123\nCANARY2zzzzzzzzzzzzzzzz\n"
            "-----END RSA PRIVATE KEY-----"_s;
        Session session;
        session.append(received(responseOfText(u"the key:\n"_s + key + u"\nand on"_s)), 1);
        session.append(happening(Kind::Stderr, Direction::FromServer, "CANARYabcdefghijklmnop0123"), 1);
        const QByteArray list = '[' + json::quoted(key).replace("\\n", "\",\"") + ']';
        session.append(received(response(R"({"content":[],"structuredContent":{"lines":)" + list + "}}")), 1);
        session.flush();
        const QByteArray text = exportedAs(session);
        QVERIFY2(!text.contains("CANARY"), around(text, "CANARY").constData());
        QVERIFY(text.contains("the key:") && text.contains("and on"));
    }

    void whateverStandsBelowATellingName()
    {
        Session session;
        session.append(
            sent(
                R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cfg","arguments":{)"
                R"("password":12345678901234,"apiKeys":["CANARY5-abc-123456","CANARYs"],"secret":{"value":"CANARY6-a"},)"
                R"("credentials":[{"user":"CANARYu","deep":[{"v":"CANARY7zz11"}]}],"passwordHash":"CANARY8",)"
                R"("pwd":"CANARY9","pass":"CANARYp","jwt":"CANARYj.x1y2","tests":{"pass":4242},)"
                R"("pin":{"accessKey":-777.25},"usesPassword":true,"cookie":null,"plain":"stays"}}})"),
            1);
        session.append(
            received(responseOfText(uR"({"password": "CANARYa", "list": [{"api_key": "CANARYb"}], "kept": 1})"_s)), 1);
        session.append(happening(Kind::Stderr, Direction::FromServer, "pin 12345678901234, key CANARY5-abc-123456"), 1);
        session.flush();
        const QByteArray text = exportedAs(session);
        for (const char *word : {"CANARY", "12345678901234", "777.25"})
            QVERIFY2(!text.contains(word), around(text, word).constData());
        for (const char *word :
             {"\"usesPassword\":true", "\"cookie\":null", "\"plain\":\"stays\"", "\\\"kept\\\": 1", "4242"})
            QVERIFY2(text.contains(word), word);
    }

    // The schema of a tool that wants a password tells none, but for an example of one.
    void schemasStay()
    {
        const QByteArray schema =
            R"({"type":"object","properties":{"password":{"type":"string","description":"Your password","minLength":8},)"
            R"("token":{"type":"object","properties":{"secret":{"type":"string","default":"CANARYdefault"}},)"
            R"("required":["secret"]}},"required":["password"]})";
        Session session;
        session.append(received(response(R"({"tools":[{"name":"login","inputSchema":)" + schema + "}]}")), 1);
        session.flush();
        const QByteArray text = exportedAs(session);
        QVERIFY2(!text.contains("CANARY"), around(text, "CANARY").constData());
        QVERIFY2(text.contains(QByteArray(schema).replace("CANARYdefault", "").left(100)), text.left(400).constData());
    }

    void aThousandOthers()
    {
        Session session;
        for (int i = 0; i < 1100; ++i)
            session.append(sent(page(R"({"jsonrpc":"2.0","method":"x","params":PAGE})", i)), 1);
        session.append(received(responseOfText(u"A=ghp_CANARYabcdefghijklmnop0123456789 password=CANARY3abc12345"_s)),
                       1);
        session.append(happening(Kind::Stderr, Direction::FromServer, "login ghp_CANARYabcdefghijklmnop0123456789"), 1);
        session.flush();
        const QByteArray text = exportedAs(session, ExportFormat::Markdown);
        QVERIFY2(!text.contains("CANARY") && !text.contains("page-of-results"), around(text, "CANARY").constData());
    }

    // More than is remembered: each text is still free of what it gives away itself.
    void moreThanIsRemembered()
    {
        Session session;
        QByteArray list;
        for (int i = 0; i < 20500; ++i)
            list += page("PAGE,", i);
        session.append(received(response('[' + list.chopped(1) + ']')), 1);
        session.append(received(responseOfText(u"A=ghp_CANARYabcdefghijklmnop0123456789\npassword=CANARY3abc12345"_s)),
                       1);
        session.flush();
        const QByteArray text = exportedAs(session, ExportFormat::JsonLines);
        QVERIFY2(!text.contains("CANARY") && !text.contains("page-of-results"), around(text, "CANARY").constData());
    }

    // Others write sessions too, and say that nothing was replaced.
    void sessionsThatWereNotMasked()
    {
        const auto basic = [](const QByteArray &pair) { return QByteArray("Basic " + pair.toBase64()); };
        HandmadeSession made;
        made.add(Kind::Open, Direction::Local, {},
                 R"({"transport":"http","url":"https://u:CANARY0pw@h/x?sig=CANARYsig12345","variables":[["MY_KEY",)"
                 R"("CANARYvar1234"]],"argv":["a","--api-key","CANARYarg1234","--db-pass=CANARYpass"]})");
        made.add(Kind::HttpRequest, Direction::ToServer, {},
                 R"({"stream":1,"method":"POST","url":"https://h/mcp?key=CANARYq123456","headers":[["X-Api-Key",)"
                 R"("CANARY1abcdef"],["Cookie","sid=CANARY2abcdef"],["Accept","text/plain"],["Authorization",")" +
                     basic("me:CANARY3abcdef99") + R"("]]})");
        made.sent(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
        made.add(Kind::HttpResponse, Direction::FromServer, {},
                 R"({"stream":1,"status":200,"headers":[["Set-Cookie","s=CANARY4abcdef; Path=/"]]})");
        made.received(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[],"said":"CANARY3abcdef99 CANARYvar1234"}})");
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"s.mcpsession"_s);
        test::writeFile(path, made.text());
        const auto session = Session::open(path);
        QVERIFY(session);
        const QByteArray text = exportedAs(**session);
        for (const QByteArray &word : {QByteArray("CANARY"), QByteArray("me:CANARY3abcdef99").toBase64()})
            QVERIFY2(!text.contains(word), around(text, word).constData());
        QVERIFY(text.contains("text/plain") && text.contains("\xE2\x80\xB9xapikey:") == text.contains("xapikey:"));

        ExportOptions options;
        options.format = ExportFormat::Markdown;
        const QList<MaskedSecret> masked = Exporter(session->get(), options).preview();
        QVERIFY(masked.size() >= 8);
        for (const MaskedSecret &secret : masked)
            QVERIFY2(!secret.isFromRecording && secret.length > 0, qPrintable(secret.mark));
    }

    // Marks of the recording are those of the export too, so that two of them can still be told to be the same.
    void marksStay()
    {
        Session session;
        session.append(
            happening(Kind::HttpRequest, Direction::ToServer, {},
                      R"({"stream":1,"method":"POST","url":"https://u:word-word@h/?key=query-query",)"
                      R"("headers":[["X-Api-Key","header-header"],["Authorization","Bearer bearer-bearer"]]})"),
            1);
        session.flush();
        const QByteArray facts = session.facts(0);
        SessionRedactor redactor(session, SessionRedactor::Policy::Export);
        redactor.learn();
        QCOMPARE(redactor.facts(0, facts), facts);
        QCOMPARE(redactor.masked().size(), 4);
        for (const MaskedSecret &secret : redactor.masked())
            QVERIFY(secret.isFromRecording);
    }
};

SONDE_TEST(ExportSecretsTest)

#include "tst_exportsecrets.moc"
