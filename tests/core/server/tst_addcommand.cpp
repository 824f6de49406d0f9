// The commands of other hosts that add a server, pasted where Sonde takes a command line.
// SPDX-License-Identifier: Apache-2.0
#include "core/server/serverspec.h"
#include "tests/support/testregistry.h"

using namespace sonde;
using namespace Qt::StringLiterals;

class AddCommandTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCommandIsFoundIn_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("meaning");      // the command line or the address
        QTest::addColumn<QString>("environment");  // NAME=value, or Name: value of headers
        const auto row = [](const char *title, const QString &line, const QString &name, const QString &meaning,
                            const QString &environment = {}) {
            QTest::newRow(title) << line << name << meaning << environment;
        };
        row("claude", u"claude mcp add files -- npx -y server-files \"/my docs\""_s, u"files"_s,
            u"npx -y server-files '/my docs'"_s);
        row("claude, options anywhere",
            u"claude mcp add --transport stdio air --env KEY=a=b -s user -- npx -y airtable"_s, u"air"_s,
            u"npx -y airtable"_s, u"KEY=a=b"_s);
        row("claude, several variables behind one option", u"claude mcp add -e A=1 B=2 air -- x"_s, u"air"_s, u"x"_s,
            u"A=1 B=2"_s);
        row("claude, a header behind the address",
            u"claude mcp add --transport http gh https://api.example.com/mcp --header 'Authorization: Bearer t'"_s,
            u"gh"_s, u"https://api.example.com/mcp"_s, u"Authorization: Bearer t"_s);
        row("claude without --", u"claude mcp add files npx -y server"_s, u"files"_s, u"npx -y server"_s);
        row("claude, HTTP+SSE", u"/usr/bin/claude mcp add -t sse asana https://mcp.asana.com/sse"_s, u"asana"_s,
            u"https://mcp.asana.com/sse"_s);
        row("claude add-json",
            u"claude mcp add-json -s user w '{\"command\":\"/w\",\"args\":[\"a b\"],\"env\":{\"K\":\"v\"}}'"_s, u"w"_s,
            u"/w 'a b'"_s, u"K=v"_s);
        row("code", u"code --add-mcp '{\"name\":\"play\",\"command\":\"npx\",\"args\":[\"@playwright/mcp\"]}'"_s,
            u"play"_s, u"npx @playwright/mcp"_s);
        row("gemini", u"gemini mcp add -e K=v --trust py python server.py --port 8080"_s, u"py"_s,
            u"python server.py --port 8080"_s, u"K=v"_s);
        row("codex", u"codex mcp add docs --env K=v -- npx -y docs"_s, u"docs"_s, u"npx -y docs"_s, u"K=v"_s);
        row("codex, URL", u"codex mcp add figma --url https://mcp.figma.com/mcp --bearer-token-env-var T"_s, u"figma"_s,
            u"https://mcp.figma.com/mcp"_s, u"Authorization: Bearer ${T}"_s);
        row("claude, several headers behind one option",
            u"claude mcp add gh https://api.example.com/mcp --header 'A: b' 'C: d' -t http"_s, u"gh"_s,
            u"https://api.example.com/mcp"_s, u"A: b C: d"_s);
        row("after lines of their own", u"cd /tmp\nexport A=1\nclaude mcp add files -- npx -y x"_s, u"files"_s,
            u"npx -y x"_s);
        row("options on a line of their own", u"claude mcp add files\n  --env K=v\n  -- npx -y x"_s, u"files"_s,
            u"npx -y x"_s, u"K=v"_s);
        row("claude as a server", u"claude mcp serve"_s, u"claude"_s, u"claude mcp serve"_s);
    }
    void aCommandIsFoundIn()
    {
        QFETCH(QString, line);
        QFETCH(QString, name);
        QFETCH(QString, meaning);
        QFETCH(QString, environment);
        const Result<ServerSpec> spec = ServerSpec::fromLine(line);
        QVERIFY2(spec, qPrintable(spec ? QString() : spec.error().message));
        QCOMPARE(spec->name, name);
        QCOMPARE(spec->line(), meaning);
        QStringList pairs;
        for (const auto &[key, value] : spec->environment)
            pairs.append(key + u'=' + value);
        for (const auto &[key, value] : spec->headers)
            pairs.append(key + u": "_s + value);
        QCOMPARE(pairs.join(u' '), environment);
    }

    void httpSseIsKept()
    {
        const Result<ServerSpec> spec = ServerSpec::fromLine(u"claude mcp add -t sse a https://a.example/sse"_s);
        QVERIFY(spec && spec->httpKind == ServerSpec::HttpKind::Sse);
    }

    void theClientThatIsRegisteredIsKept()
    {
        const Result<ServerSpec> spec = ServerSpec::fromLine(
            u"claude mcp add -t http --client-id me --callback-port 8080 --client-secret a https://a.example/mcp"_s);
        QVERIFY2(spec, qPrintable(spec ? QString() : spec.error().message));
        QCOMPARE(spec->oauth.clientId, u"me"_s);
        QCOMPARE(spec->oauth.redirectUri, QUrl(u"http://localhost:8080/callback"_s));
    }

    void whatIsWrongIsSaid_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("message");
        QTest::newRow("no command") << u"claude mcp add files"_s << u"which server to add"_s;
        QTest::newRow("unknown option") << u"claude mcp add --wrong x y"_s << u"--wrong"_s;
        QTest::newRow("no value") << u"claude mcp add x --env"_s << u"--env"_s;
        QTest::newRow("no header") << u"claude mcp add --header nope x https://x"_s << u"“nope”"_s;
        QTest::newRow("no port") << u"claude mcp add --callback-port x a https://x"_s << u"“x”"_s;
        QTest::newRow("a word behind the URL") << u"claude mcp add a https://x more"_s << u"“more”"_s;
        QTest::newRow("two on two lines")
            << u"claude mcp add a -- npx -y pkg-a\nclaude mcp add b -- npx -y pkg-b\n"_s << u"several commands"_s;
        QTest::newRow("two on one line") << u"claude mcp add a -- npx -y pkg-a claude mcp add b -- npx -y pkg-b"_s
                                         << u"several commands"_s;
        QTest::newRow("no JSON") << u"claude mcp add-json x nope"_s << u"JSON"_s;
    }
    void whatIsWrongIsSaid()
    {
        QFETCH(QString, line);
        QFETCH(QString, message);
        const Result<ServerSpec> spec = ServerSpec::fromLine(line);
        QVERIFY(!spec);
        QVERIFY2(spec.error().message.contains(message), qPrintable(spec.error().message));
    }
};

SONDE_TEST(AddCommandTest)
#include "tst_addcommand.moc"
