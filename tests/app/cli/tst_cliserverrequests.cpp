// Questions of a server at the command line: prepared responses, recorded, replayed and served again.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/session.h"
#include "core/transport/monotonicclock.h"
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::cliProgram;
using sonde::test::CliRun;
using sonde::test::runCli;

namespace {

// A server whose one tool asks for a name, twice, as it was recorded. '>': the client.
const QList<std::pair<char, QByteArray>> Asking{
    {'>', R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"elicitation":{}}}})"},
    {'<', R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
          R"("serverInfo":{"name":"s","version":"1"}}})"},
    {'>', R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"},
    {'<', R"({"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"ask","inputSchema":{"type":"object"},)"
          R"("annotations":{"readOnlyHint":true}}]}})"},
    {'>', R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask","arguments":{}}})"},
    {'<', R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"First?",)"
          R"("requestedSchema":{"type":"object","properties":{}}}})"},
    {'>', R"({"jsonrpc":"2.0","id":1,"result":{"action":"decline"}})"},
    {'<', R"({"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"message":"Last?",)"
          R"("requestedSchema":{"type":"object","properties":{}}}})"},
    {'>', R"({"jsonrpc":"2.0","id":2,"result":{"action":"decline"}})"},
    {'<', R"({"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"thanks"}]}})"},
};

}  // namespace

class tst_CliServerRequests : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        m_mock = m_folder->filePath(u"mock.mcpsession"_s);
        m_responses = m_folder->filePath(u"answers.json"_s);
        const std::unique_ptr<Session> session = Session::create(m_mock, u"s"_s);
        for (const auto &[direction, text] : Asking) {
            WireEvent event;
            event.kind = WireEvent::Kind::Message;
            event.direction = direction == '>' ? Direction::ToServer : Direction::FromServer;
            event.bytes = text;
            event.message = Message::parse(text);
            event.monotonicNs = monotonicNs();
            session->append(event, 1);
        }
        session->finish();
        QVERIFY(!session->error());
    }

    void preparedResponsesAreGivenAndReplayed()
    {
        write(R"({"elicitation/create":[{"action":"accept","content":{"name":"Ada"}},{"action":"cancel"}]})");
        const QString recorded = m_folder->filePath(u"recorded.mcpsession"_s);
        const CliRun call = ask({u"call"_s, u"ask"_s, u"--responses"_s, m_responses, u"--record"_s, recorded});
        QVERIFY2(call.exitCode == 0, call.describe().constData());
        QVERIFY2(call.out.contains("thanks"), call.describe().constData());
        QVERIFY2(call.err.contains("elicitation/create: First?") && call.err.contains("elicitation/create: Last?"),
                 call.describe().constData());
        const auto said = [](const QString &path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(said(recorded).contains("Ada"));
        // The same responses again, from the recording alone.
        const QString again = m_folder->filePath(u"again.mcpsession"_s);
        const CliRun replay = ask({u"replay"_s, recorded, u"--record"_s, again});
        QVERIFY2(replay.exitCode == 0, replay.describe().constData());
        QVERIFY(said(again).contains("Ada"));
        QVERIFY(said(again).contains("cancel"));
    }

    void whatIsNotDeclaredIsNotAsked()
    {
        write(R"({"roots/list":{"roots":[]}})");
        const CliRun call = ask({u"call"_s, u"ask"_s, u"--responses"_s, m_responses});
        QVERIFY2(call.exitCode == 0, call.describe().constData());
        QVERIFY2(!call.err.contains("asked"), call.describe().constData());
    }

    void aServerRequestThatIsMissedIsToldByTheCode()
    {
        // Recorded without questions, the calls of the other recording are made again to a server that asks.
        const QString recorded = m_folder->filePath(u"recorded.mcpsession"_s);
        write("{}");
        QCOMPARE(ask({u"call"_s, u"ask"_s, u"--responses"_s, m_responses, u"--record"_s, recorded}).exitCode, 0);
        const CliRun same = ask({u"replay"_s, recorded});
        QVERIFY2(same.exitCode == 0, same.describe().constData());
        const CliRun other = runCli({u"replay"_s, m_mock, u"--"_s, cliProgram(), u"mock"_s, recorded});
        QVERIFY2(other.exitCode == 1, other.describe().constData());
        QVERIFY2(other.out.contains("Server request missing: elicitation/create \"First?\""),
                 other.describe().constData());
    }

    void withoutResponsesARequestIsDeclined()
    {
        const QString recorded = m_folder->filePath(u"recorded.mcpsession"_s);
        const CliRun call = ask({u"call"_s, u"ask"_s, u"--record"_s, recorded});
        QVERIFY2(call.exitCode == 0 && call.out.contains("thanks"), call.describe().constData());
        QVERIFY2(call.err.contains("Declined the server request: elicitation/create: First?") &&
                     call.err.contains("--responses ask"),
                 call.describe().constData());
        QVERIFY(test::readFile(recorded).contains("decline"));
    }

    void theUserIsAskedForEachField()
    {
        const CliRun call = askUser(Form, "accept\n\n36\nblue\nred\n");
        QVERIFY2(call.exitCode == 0, call.describe().constData());
        QVERIFY2(call.err.contains("Who are you?") && call.err.contains("accept, decline or cancel?") &&
                     call.err.contains("name: Your name (string; required; default \"Ada\")") &&
                     call.err.contains("colour (string; optional; one of [\"red\",\"green\"])"),
                 call.describe().constData());
        // "blue" is no colour, so it is entered again.
        QVERIFY2(call.err.contains("\"blue\" does not match the requestedSchema"), call.describe().constData());
        QCOMPARE(call.err.count("colour (string"), 2);
        const QByteArray said = recordedAsking(Form, "accept\n\n36\nblue\nred\n");
        QVERIFY2(said.contains(R"(\"name\":\"Ada\",\"age\":36,\"colour\":\"red\")"), said.constData());
    }

    // It is a remark: what the server accepts is for the server to say.
    void aValueOfAnotherFormatIsSentAndSaidSo()
    {
        const QByteArray form =
            R"("elicitation/create","params":{"message":"Where?","requestedSchema":{"type":"object","properties":{)"
            R"("email":{"type":"string","format":"email"},"day":{"type":"string","format":"date"}}}})";
        const QByteArray input = "accept\nada\n2026-01-31\n";
        const CliRun call = askUser(form, input);
        QVERIFY2(call.exitCode == 0, call.describe().constData());
        QVERIFY2(call.err.contains("“email” should be an email address such as") &&
                     call.err.contains("It will be sent as entered.") && !call.err.contains("“day” should"),
                 call.describe().constData());
        const QByteArray said = recordedAsking(form, input);
        QVERIFY2(said.contains(R"(\"email\":\"ada\",\"day\":\"2026-01-31\")"), said.constData());
        write(R"({"elicitation/create":{"action":"accept","content":{"email":"ada","day":"tomorrow"}}})");
        const CliRun prepared = runCli(QStringList{u"call"_s, u"ask"_s, u"--responses"_s, m_responses} +
                                       serverAsking("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":" + form + "}"));
        QVERIFY2(prepared.exitCode == 0 && prepared.err.contains("Sent the prepared response") &&
                     prepared.err.contains("Warning: “email” should be an email address") &&
                     prepared.err.contains("Warning: “day” should be a date"),
                 prepared.describe().constData());
    }

    void aRequiredFieldIsEnteredOrTheRequestDeclined()
    {
        QByteArray form = Form;
        form.replace(R"(,"default":"Ada")", "");
        const QByteArray named = recordedAsking(form, "accept\n\nBea\n\n\n");
        QVERIFY2(named.contains(R"(\"content\":{\"name\":\"Bea\"})"), named.constData());
        const CliRun left = askUser(form, "accept\n\n");
        QVERIFY2(left.err.contains("A value is required.") && left.err.contains("Declined: standard input has ended."),
                 left.describe().constData());
    }

    void theLastLineNeedsNoLineFeed()
    {
        QVERIFY(recordedAsking(Form, "cancel").contains(R"({\"action\":\"cancel\"})"));
        const QByteArray said = recordedAsking(Form, "accept\nBea\n1\nred");
        QVERIFY2(said.contains(R"(\"colour\":\"red\")"), said.constData());
    }

    void untouchedFieldsAreSentWithTheirDefaults()
    {
        const QByteArray said = recordedAsking(Form, "accept\n\nmany\n36\n\n");
        QVERIFY2(said.contains(R"({\"action\":\"accept\",\"content\":{\"name\":\"Ada\",\"age\":36}})"),
                 said.constData());
    }

    void theUserDeclinesOrCancels_data()
    {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QByteArray>("sent");
        QTest::newRow("empty line") << "\n"_ba
                                    << R"({\"action\":\"decline\"})"_ba;
        QTest::newRow("decline") << "what\ndecline\n"_ba
                                 << R"({\"action\":\"decline\"})"_ba;
        QTest::newRow("cancel") << "cancel\n"_ba
                                << R"({\"action\":\"cancel\"})"_ba;
        QTest::newRow("end of input") << ""_ba
                                      << R"({\"action\":\"decline\"})"_ba;
        QTest::newRow("end in the middle") << "accept\n"_ba
                                           << R"({\"action\":\"decline\"})"_ba;
    }
    void theUserDeclinesOrCancels()
    {
        QFETCH(QByteArray, input);
        QFETCH(QByteArray, sent);
        const QByteArray said = recordedAsking(Form, input);
        QVERIFY2(said.contains(sent), said.constData());
    }

    void aUrlIsShownAndAcceptedWithoutContent()
    {
        const QByteArray url = R"("elicitation/create","params":{"message":"Open","mode":"url",)"
                               R"("url":"https://example.com/a","elicitationId":"1"})";
        QVERIFY(askUser(url, "accept\n").err.contains("https://example.com/a\nHost: example.com"));
        QVERIFY(recordedAsking(url, "accept\n").contains(R"(\"result\":{\"action\":\"accept\"})"));
    }

    void samplingIsRespondedWithTheTextThatIsEntered()
    {
        const QByteArray sampling = R"("sampling/createMessage","params":{"messages":[{"role":"user",)"
                                    R"("content":{"type":"text","text":"Say hello"}}],"maxTokens":9})";
        QVERIFY(askUser(sampling, "hello\n").err.contains("user: Say hello"));
        const QByteArray said = recordedAsking(sampling, "hello\n");
        QVERIFY2(said.contains(R"(\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"hello\"})"),
                 said.constData());
    }

    void picturesOfAMessageAreNotPrintedAsBase64()
    {
        const QByteArray picture(100'000, 'A');
        const QByteArray sampling =
            "\"sampling/createMessage\",\"params\":{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image\","
            "\"mimeType\":\"image/png\",\"data\":\"" +
            picture + "\"},{\"type\":\"text\",\"text\":\"What is it?\"}]}],\"maxTokens\":9}";
        const CliRun run = askUser(sampling, "\n");
        QVERIFY2(run.err.contains("user: [image, image/png, 75.0 kB]\nuser: What is it?") && run.err.size() < 2000,
                 run.describe().left(2000).constData());
    }

    void rootsAreFoldersAsFileUris()
    {
        const QString folder = m_folder->filePath(u"a b"_s);
        QVERIFY(QDir().mkpath(folder));
        const QString recorded = m_folder->filePath(u"r.mcpsession"_s);
        const CliRun call = runCli(QStringList{u"call"_s, u"ask"_s, u"--roots"_s, folder, u"--record"_s, recorded} +
                                   serverAsking(R"({"jsonrpc":"2.0","id":"q","method":"roots/list"})"));
        QVERIFY2(call.exitCode == 0 && call.err.contains("Sent the roots to the server."), call.describe().constData());
        const QByteArray said = test::readFile(recorded);
        QVERIFY2(said.contains("\\\"uri\\\":\\\"file://" + m_folder->path().toUtf8() + "/a%20b\\\""), said.constData());
        const CliRun none = ask({u"call"_s, u"ask"_s, u"--roots"_s, m_folder->filePath(u"none"_s)});
        QVERIFY2(none.exitCode == 4 && none.err.contains("does not exist"), none.describe().constData());
    }

    void unusableResponsesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("no JSON") << "{"_ba
                                 << "is not JSON. At byte 1: "_ba;
        QTest::newRow("no object") << "[1]"_ba
                                   << "does not contain a JSON object"_ba;
        QTest::newRow("no question") << R"({"tools/call":{}})"_ba
                                     << "tools/call"_ba;
        QTest::newRow("no result") << R"({"roots/list":1})"_ba
                                   << "roots/list"_ba;
        QTest::newRow("no results") << R"({"roots/list":[]})"_ba
                                    << "roots/list"_ba;
        QTest::newRow("not all results") << R"({"roots/list":[{"roots":[]},1]})"_ba
                                         << "roots/list"_ba;
        QTest::newRow("unknown action") << R"({"elicitation/create":[{"action":"cancel"},{"action":"agree"}]})"_ba
                                        << "response 2 to 'elicitation/create' cannot be sent. 'action' must be"_ba;
        QTest::newRow("no action") << R"({"elicitation/create":{"content":{}}})"_ba
                                   << "'action' is missing"_ba;
        QTest::newRow("content of a refusal") << R"({"elicitation/create":{"action":"decline","content":{}}})"_ba
                                              << "'content' is allowed only with the action accept"_ba;
        QTest::newRow("content that is no form")
            << R"({"elicitation/create":{"action":"accept","content":{"a":{"b":1}}}})"_ba
            << "'content.a' must be"_ba;
        QTest::newRow("no role")
            << R"({"sampling/createMessage":{"model":"m","content":{"type":"text","text":"x"}}})"_ba
            << "'role' is missing"_ba;
        QTest::newRow("content as text")
            << R"({"sampling/createMessage":{"role":"assistant","model":"m","content":"x"}})"_ba
            << "'content' must be an object or an array"_ba;
        QTest::newRow("root that is no file") << R"({"roots/list":{"roots":[{"uri":"/home"}]}})"_ba
                                              << "'roots[0].uri' must be a URI that begins with file://"_ba;
    }
    void unusableResponsesAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, why);
        write(text);
        const CliRun call = ask({u"call"_s, u"ask"_s, u"--responses"_s, m_responses});
        QVERIFY2(call.exitCode == 4, call.describe().constData());
        QVERIFY2(call.err.contains(why), call.describe().constData());
    }

    void aResponseThatTheRequestDoesNotAllowIsNotSent_data()
    {
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<QByteArray>("response");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("form content for a URL")
            << R"({"message":"Open","mode":"url","url":"https://example.com","elicitationId":"1"})"_ba
            << R"({"action":"accept","content":{"name":"Ada"}})"_ba
            << "URL elicitation: the response must not have 'content'"_ba;
        QTest::newRow("a URL that nobody may open")
            << R"({"message":"Open","mode":"url","url":"javascript:x","elicitationId":"1"})"_ba
            << R"({"action":"accept"})"_ba
            << "the scheme \xe2\x80\x9cjavascript\xe2\x80\x9d is not https"_ba;
        QTest::newRow("wrong type")
            << R"({"message":"Age?","requestedSchema":{"type":"object","properties":{"age":{"type":"integer"}}}})"_ba
            << R"({"action":"accept","content":{"age":"old"}})"_ba
            << "'content/age' does not match the requestedSchema"_ba;
        QTest::newRow("no content")
            << R"({"message":"Age?","requestedSchema":{"type":"object","properties":{"age":{"type":"integer"}}}})"_ba
            << R"({"action":"accept"})"_ba
            << "Form elicitation: the response must have 'content'"_ba;
    }
    void aResponseThatTheRequestDoesNotAllowIsNotSent()
    {
        QFETCH(QByteArray, params);
        QFETCH(QByteArray, response);
        QFETCH(QByteArray, why);
        write("{\"elicitation/create\":" + response + "}");
        const QString recorded = m_folder->filePath(u"r.mcpsession"_s);
        const CliRun call = runCli(
            QStringList{u"call"_s, u"ask"_s, u"--responses"_s, m_responses, u"--record"_s, recorded} +
            serverAsking("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\",\"params\":" + params +
                         "}"));
        QVERIFY2(call.exitCode == 0, call.describe().constData());
        QVERIFY2(call.err.contains("was not sent") && call.err.contains(why), call.describe().constData());
        const QByteArray said = test::readFile(recorded);
        QVERIFY2(said.contains("decline") && !said.contains("accept\\\""), said.constData());
    }

    void samplingWithToolsThatWereNotDeclaredIsRefused()
    {
        write(R"({"sampling/createMessage":{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}})");
        const CliRun call =
            runCli(QStringList{u"call"_s, u"ask"_s, u"--responses"_s, m_responses} +
                   serverAsking(R"({"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":)"
                                R"({"messages":[],"maxTokens":1,"tools":[{"name":"t"}]}})"));
        QVERIFY2(call.exitCode == 0 && call.err.contains("did not declare sampling.tools"),
                 call.describe().constData());
        QVERIFY2(!call.err.contains("Sent the prepared response"), call.describe().constData());
    }

    void whereResponsesDoNotBelong()
    {
        write("{}");
        QCOMPARE(ask({u"replay"_s, m_mock, u"--responses"_s, m_responses}).exitCode, 4);
        QCOMPARE(runCli({u"mock"_s, m_mock, u"--responses"_s, m_responses}).exitCode, 4);
        QCOMPARE(ask({u"call"_s, u"ask"_s, u"--responses"_s, m_folder->filePath(u"none"_s)}).exitCode, 4);
    }

    void anErrorMayRequireUrls()
    {
        const CliRun run = test::askDemo({u"call"_s, u"ask-url"_s, u"asError:=true"_s});
        QCOMPARE(run.exitCode, 2);
        const QByteArray said = run.err.mid(run.err.indexOf("in a browser first. Then run the command again."));
        QVERIFY2(said.contains("\n  https:"), run.describe().constData());
        QVERIFY2(run.out.isEmpty(), run.describe().constData());
    }

private:
    void write(const QByteArray &text)
    {
        QFile file(m_responses);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }

    CliRun ask(const QStringList &arguments) const
    {
        return runCli(arguments + QStringList{u"--"_s, cliProgram(), u"mock"_s, m_mock});
    }

    static inline const QByteArray Form =
        R"("elicitation/create","params":{"message":"Who are you?","requestedSchema":{"type":"object","properties":{)"
        R"("name":{"type":"string","description":"Your name","default":"Ada"},"age":{"type":"integer"},)"
        R"("colour":{"type":"string","enum":["red","green"]}},"required":["name"]}})";

    static CliRun askUser(const QByteArray &methodAndParams, const QByteArray &input, const QStringList &more = {})
    {
        return runCli(QStringList{u"call"_s, u"ask"_s, u"--responses"_s, u"ask"_s} + more +
                          serverAsking("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":" + methodAndParams + "}"),
                      input);
    }
    QByteArray recordedAsking(const QByteArray &methodAndParams, const QByteArray &input) const
    {
        const QString path = m_folder->filePath(u"asked.mcpsession"_s);
        const CliRun run = askUser(methodAndParams, input, {u"--record"_s, path});
        const QByteArray said = test::readFile(path);
        QFile::remove(path);
        return run.exitCode == 0 ? said : run.describe();
    }

    // A server that asks this while its tool is called.
    static QStringList serverAsking(const QByteArray &request)
    {
        return {
            u"--"_s,
            test::builtProgram(QStringLiteral("fake-stdio-server")),
            u"readline"_s,
            u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":"
            "{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}"_s,
            u"readline"_s,
            u"readline"_s,
            u"say:{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"ask\",\"inputSchema\":{\"type\":\"object\"}}]}}"_s,
            u"readline"_s,
            u"say:"_s + QString::fromUtf8(request),
            u"readline"_s,
            u"say:{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}}"_s,
            u"waiteof"_s};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_mock;
    QString m_responses;
};

SONDE_TEST(tst_CliServerRequests)
#include "tst_cliserverrequests.moc"
