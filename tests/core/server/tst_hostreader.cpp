// Every host's format, read from a file as people have it.
// SPDX-License-Identifier: Apache-2.0
#include "core/server/hostdetails.h"
#include "core/server/hostreader.h"
#include "core/server/relaxedjson.h"
#include "tests/support/testregistry.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

using namespace sonde;
using namespace Qt::StringLiterals;

class HostReaderTest : public QObject {
    Q_OBJECT
private:
    static HostConfig readSample(const QString &name, Host host)
    {
        return readHostFile(QStringLiteral(SONDE_SOURCE_DIR "/tests/core/server/files/") + name, host);
    }
    static HostServer serverOf(const HostConfig &config, const QString &name)
    {
        const auto it = std::find_if(config.servers.begin(), config.servers.end(),
                                     [&](const HostServer &server) { return server.spec.name == name; });
        return it == config.servers.end() ? HostServer() : *it;
    }
    static QStringList secretsOf(const HostServer &server)
    {
        QStringList names;
        for (const SecretPlace &place : server.secrets)
            names.append(place.name);
        return names;
    }
    static bool says(const HostServer &server, const QString &words)
    {
        return server.findings.join(u'\n').contains(words);
    }
    static QStringList namesOf(const HostConfig &config)
    {
        QStringList names;
        for (const HostServer &server : config.servers)
            names.append(server.spec.name);
        return names;
    }

private Q_SLOTS:
    void claudeDesktop()
    {
        const HostConfig config = readSample(u"claude_desktop_config.json"_s, Host::Unknown);
        QVERIFY2(!config.error, qPrintable(config.error.message));
        QCOMPARE(config.title(), u"Claude Desktop"_s);
        QCOMPARE(namesOf(config), QStringList({u"filesystem"_s, u"github"_s}));
        const HostServer files = serverOf(config, u"filesystem"_s);
        QCOMPARE(files.spec.command, u"npx"_s);
        QCOMPARE(files.spec.arguments.last(), u"/home/ada/my projects"_s);
        QCOMPARE(files.line, 4);
        QVERIFY(files.secrets.isEmpty() && files.problems.isEmpty());
        const HostServer github = serverOf(config, u"github"_s);
        QCOMPARE(github.secrets,
                 QList<SecretPlace>({{SecretPlace::Where::Environment, u"GITHUB_PERSONAL_ACCESS_TOKEN"_s}}));
        QVERIFY(says(github, u"x-note"_s));
    }

    void claudeCodeHasServersOfTheUserAndOfProjects()
    {
        const HostConfig config = readSample(u"claude.json"_s, Host::ClaudeCode);
        QCOMPARE(namesOf(config), QStringList({u"context7"_s, u"postgres"_s, u"sentry"_s}));
        QCOMPARE(secretsOf(serverOf(config, u"context7"_s)), QStringList({u"CONTEXT7_API_KEY"_s}));
        const HostServer postgres = serverOf(config, u"postgres"_s);
        QCOMPARE(postgres.scope, u"/home/ada/billing"_s);
        QCOMPARE(postgres.spec.workingDirectory, u"/home/ada/billing"_s);
        QVERIFY(says(postgres, u"${DATABASE_URI:-postgresql://localhost/billing}"_s));
        const HostServer sentry = serverOf(config, u"sentry"_s);
        QVERIFY(sentry.isDisabled && says(sentry, u"Disabled in Claude Code."_s));
        QCOMPARE(sentry.spec.httpKind, ServerSpec::HttpKind::Sse);
    }

    void cursor()
    {
        const HostConfig config = readSample(u"cursor.json"_s, Host::Cursor);
        const HostServer linear = serverOf(config, u"linear"_s);
        QCOMPARE(linear.spec.oauth.clientId, u"sonde"_s);
        QCOMPARE(linear.secrets, QList<SecretPlace>({{SecretPlace::Where::Authorization, u"clientSecret"_s}}));
        QVERIFY(!linear.spec.toJson().contains("CLIENT_SECRET"));
        const HostServer local = serverOf(config, u"local"_s);
        QCOMPARE(local.spec.arguments, QStringList({u"${workspaceFolder}/server.py"_s}));
        QVERIFY(says(local, u"${workspaceFolder} in argument 1"_s));
        QVERIFY(says(local, u"“envFile” is not read"_s));
    }

    void vsCodeWithCommentsAndTrailingCommas()
    {
        const HostConfig config = readSample(u"vscode.json"_s, Host::Unknown);
        QVERIFY2(!config.error, qPrintable(config.error.message));
        QCOMPARE(config.host, Host::VsCode);
        QVERIFY(config.findings.isEmpty());
        const HostServer perplexity = serverOf(config, u"perplexity"_s);
        QCOMPARE(perplexity.line, 7);
        QVERIFY(says(perplexity, u"It stands for: Perplexity API key"_s));
        QVERIFY2(perplexity.secrets.isEmpty(), "A reference is no secret itself");
        QVERIFY(serverOf(config, u"github"_s).secrets.isEmpty());
    }

    void vsCodeSettingsHaveThemUnderMcp()
    {
        const HostConfig config =
            readHostText("{\"editor.fontSize\":14,\"mcp\":{\"servers\":{\"a\":{\"command\":\"x\"}}}}", Host::VsCode);
        QCOMPARE(namesOf(config), QStringList({u"a"_s}));
    }

    void windsurf()
    {
        const HostConfig config = readSample(u"windsurf.json"_s, Host::Windsurf);
        const HostServer figma = serverOf(config, u"figma"_s);
        QCOMPARE(figma.spec.url, QUrl(u"https://mcp.figma.com/mcp"_s));
        QCOMPARE(secretsOf(figma), QStringList({u"X-Figma-Token"_s}));
        QVERIFY(serverOf(config, u"stripe"_s).isDisabled);
    }

    void cline()
    {
        const HostConfig config = readSample(u"cline.json"_s, Host::Cline);
        QVERIFY(says(serverOf(config, u"weather"_s), u"Disabled in Cline."_s));
        QCOMPARE(serverOf(config, u"docs"_s).spec.httpKind, ServerSpec::HttpKind::Streamable);
        QCOMPARE(serverOf(config, u"old"_s).spec.httpKind, ServerSpec::HttpKind::Sse);
    }

    void zed()
    {
        const HostConfig config = readSample(u"zed.json"_s, Host::Unknown);
        QCOMPARE(config.host, Host::Zed);
        QVERIFY(serverOf(config, u"mcp-server-github"_s).problems.value(0).contains(u"Zed extension"_s));
        QCOMPARE(serverOf(config, u"hexdocs"_s).problems, QStringList());
        const HostServer old = serverOf(config, u"before-2025"_s);
        QCOMPARE(old.spec.command, u"uvx"_s);
        QCOMPARE(old.spec.arguments, QStringList({u"mcp-server-git"_s}));
        QCOMPARE(old.spec.environment.value(0).second, u"cat"_s);
        QCOMPARE(old.problems, QStringList());
        QVERIFY(serverOf(config, u"remote"_s).isDisabled);
        QCOMPARE(secretsOf(serverOf(config, u"remote"_s)), QStringList({u"Authorization"_s}));
    }

    void geminiCli()
    {
        const HostConfig config = readSample(u"gemini.json"_s, Host::GeminiCli);
        QCOMPARE(serverOf(config, u"sse"_s).spec.httpKind, ServerSpec::HttpKind::Sse);
        QCOMPARE(serverOf(config, u"http"_s).spec.httpKind, ServerSpec::HttpKind::Automatic);
        QCOMPARE(serverOf(config, u"http"_s).spec.url, QUrl(u"https://api.example.com/mcp"_s));
        QVERIFY(serverOf(config, u"experimental"_s).isDisabled);
        QVERIFY(says(serverOf(config, u"pythonTools"_s), u"$DB_CONNECTION_STRING in the variable DATABASE_URL"_s));
        QCOMPARE(serverOf(config, u"pythonTools"_s).spec.workingDirectory, u"/home/ada/mcp"_s);
    }

    void codex()
    {
        const HostConfig config = readSample(u"codex.toml"_s, Host::Unknown);
        QVERIFY2(!config.error, qPrintable(config.error.message));
        QCOMPARE(namesOf(config), QStringList({u"docs"_s, u"figma"_s, u"with space"_s}));
        const HostServer docs = serverOf(config, u"docs"_s);
        QCOMPARE(docs.line, 7);
        QCOMPARE(docs.spec.arguments, QStringList({u"-y"_s, u"@openai/docs-mcp"_s}));
        QCOMPARE(secretsOf(docs), QStringList({u"DOCS_TOKEN"_s}));
        QVERIFY(docs.spec.original.contains("\"startup_timeout_sec\":20"));
        const HostServer figma = serverOf(config, u"figma"_s);
        QVERIFY(figma.isDisabled);
        const QList<std::pair<QString, QString>> headers{{u"X-Figma-Region"_s, u"us-east-1"_s},
                                                         {u"Authorization"_s, u"Bearer ${FIGMA_OAUTH_TOKEN}"_s},
                                                         {u"X-Team"_s, u"${FIGMA_TEAM}"_s}};
        QCOMPARE(figma.spec.headers, headers);
        QVERIFY(figma.secrets.isEmpty());
        QVERIFY2(!says(figma, u"Left out"_s) && !says(figma, u"Kept"_s), qPrintable(figma.findings.join(u'\n')));
        const HostServer spaced = serverOf(config, u"with space"_s);
        QCOMPARE(spaced.spec.arguments.last(), u"two\nlines"_s);
        QCOMPARE(spaced.spec.environment.value(0).first, u"Z"_s);  // the order of the file
    }

    void inspector()
    {
        const HostConfig config = readSample(u"inspector.json"_s, Host::Inspector);
        QCOMPARE(namesOf(config), QStringList({u"everything"_s, u"my-server"_s}));
        QCOMPARE(serverOf(config, u"my-server"_s).spec.roots.size(), 1);
    }

    void registry()
    {
        const HostConfig config = readSample(u"server.json"_s, Host::Unknown);
        QCOMPARE(config.host, Host::Registry);
        QCOMPARE(config.servers.size(), 7);
        const HostServer npm = config.servers[0];
        QCOMPARE(npm.spec.command, u"npx"_s);
        QCOMPARE(npm.spec.arguments, QStringList({u"-y"_s, u"@ada/weather-mcp@1.2.0"_s, u"serve"_s, u"--units"_s,
                                                  u"metric"_s, u"${city}"_s}));
        QCOMPARE(npm.spec.environment.value(0).second, u"${WEATHER_ID}"_s);
        QCOMPARE(secretsOf(npm), QStringList({u"WEATHER_PIN"_s}));
        QVERIFY(says(npm, u"Optional and left out: --cache (Folder for answers)"_s));
        QVERIFY(says(npm, u"${city} in argument 6"_s));
        QVERIFY(npm.spec.original.contains("Forecasts for any place"));
        QCOMPARE(config.servers[1].spec.arguments, QStringList({u"--python"_s, u"3.12"_s, u"weather-mcp==1.2.0"_s}));
        QCOMPARE(config.servers[2].spec.arguments,
                 QStringList({u"run"_s, u"-i"_s, u"--rm"_s, u"--network"_s, u"none"_s, u"-e"_s, u"WEATHER_MODE"_s,
                              u"docker.io/ada/weather:1.2.0"_s}));
        QCOMPARE(config.servers[3].spec.arguments,
                 QStringList({u"Ada.Weather@1.2.0"_s, u"--yes"_s, u"--"_s, u"mcp"_s, u"start"_s}));
        QVERIFY(config.servers[4].problems.value(0).contains(u"mcpb"_s));
        QCOMPARE(config.servers[5].spec.url, QUrl(u"https://eu.weather.example.com/mcp"_s));
        QCOMPARE(config.servers[5].spec.headers.value(0).second, u"acct canary-77"_s);
        QCOMPARE(secretsOf(config.servers[5]), QStringList({u"X-Weather-Account"_s}));
        QCOMPARE(config.servers[6].spec.httpKind, ServerSpec::HttpKind::Sse);
        QVERIFY(says(config.servers[6], u"${tenant}"_s));
    }

    void registryFilesFromBeforeSeptember2025()
    {
        const HostConfig config = readHostText(
            "{\"server\":{\"name\":\"a/b\",\"packages\":[{\"registry_type\":\"pypi\",\"identifier\":\"b\","
            "\"runtime_arguments\":[{\"type\":\"positional\",\"value\":\"-q\"}],"
            "\"environment_variables\":[{\"name\":\"B\",\"is_required\":true}]}]}}");
        QCOMPARE(config.servers.size(), 1);
        QCOMPARE(config.servers[0].spec.name, u"b"_s);
        QCOMPARE(config.servers[0].spec.arguments, QStringList({u"-q"_s, u"b"_s}));
        QCOMPARE(config.servers[0].spec.environment.value(0).second, u"${B}"_s);
    }

    void noSecretOfAnotherHostIsSavedAsPlainText_data()
    {
        QTest::addColumn<QString>("file");
        for (const char *file :
             {"claude_desktop_config.json", "claude.json", "cursor.json", "vscode.json", "windsurf.json", "cline.json",
              "zed.json", "gemini.json", "codex.toml", "inspector.json", "server.json"})
            QTest::newRow(file) << QString::fromLatin1(file);
    }
    void noSecretOfAnotherHostIsSavedAsPlainText()
    {
        QFETCH(QString, file);
        const HostConfig config = readSample(file, Host::Unknown);
        QVERIFY(!config.servers.isEmpty());
        for (const HostServer &server : config.servers) {
            QHash<QString, QString> values;
            const QByteArray saved = withKeychainReferences(server.spec, server.secrets, &values).toJson();
            QVERIFY2(!saved.toLower().contains("canary"), saved.constData());
        }
    }

    void secretsThatSondeDoesNotUseAreLeftOut()
    {
        const HostConfig config = readHostText(
            "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"env\":{\"API_KEY\":\"canary-1\"},\"env\":{\"A\":\"b\"},"
            "\"vault\":{\"token\":\"canary-2\",\"since\":1.50},\"note\":\"mine\",\"password\":\"canary3\","
            "\"oauth\":{\"clientId\":\"me\",\"clientSecret\":\"the-secret-1\",\"refreshToken\":\"canary-4\"}}}}");
        QCOMPARE(config.servers.size(), 1);
        const HostServer server = config.servers[0];
        const QByteArray entry = server.spec.toJson();
        QVERIFY2(!entry.contains("canary"), entry.constData());
        QVERIFY2(entry.contains("\"vault\":{\"token\":\"<token>\",\"since\":1.50},\"note\":\"mine\""),
                 entry.constData());
        QCOMPARE(server.spec.oauth.clientSecret, u"the-secret-1"_s);
        QVERIFY(says(server, u"Kept, but not used by Sonde: vault, note, password."_s));
        QVERIFY(says(server, u"Left out, since Sonde does not use them: the secrets in vault, password."_s));
        QVERIFY(says(server, u"Given more than once; the last one counts: env."_s));
    }

    // Whoever wrote the text cannot know a name in this keychain, but may guess under which a sign-in is kept there.
    void referencesToOurKeychainAreNotTakenOver_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");
        const auto row = [](const char *title, const QByteArray &entry, const QString &place) {
            QTest::newRow(title) << "{\"mcpServers\":{\"a\":" + entry + "}}" << place;
        };
        row("header",
            "{\"url\":\"https://a.example/mcp\",\"headers\":{\"X-Ctx\":\"${keychain:sign-in https://b.example/mcp}\"}}",
            u"the header X-Ctx"_s);
        row("within a text", "{\"url\":\"https://a.example/mcp\",\"headers\":{\"X\":\"a ${${keychain:n}} b\"}}",
            u"the header X"_s);
        row("variable", "{\"command\":\"x\",\"env\":{\"${keychain:n}\":\"$${keychain:n\\n}\"}}",
            u"the variable ${keychain:n}"_s);
        row("client secret",
            "{\"url\":\"https://a.example/mcp\",\"oauth\":{\"clientId\":\"c\",\"clientSecret\":\"${keychain:n}\"}}",
            u"the client secret"_s);
        row("assertion", "{\"url\":\"https://a.example/mcp\",\"oauth\":{\"assertion\":\"${keychain:n}\"}}",
            u"“oauth”"_s);
        row("argument", "{\"command\":\"x\",\"args\":[\"${keychain:n}\"]}", u"argument 1"_s);
        row("URL", "{\"url\":\"https://a.example/${keychain:n}\"}", u"the URL"_s);
        QTest::newRow("command") << "codex mcp add a --url https://a.example/mcp --bearer-token-env-var keychain:n"_ba
                                 << u"the header Authorization"_s;
        QTest::newRow("registry")
            << "{\"name\":\"a\",\"remotes\":[{\"type\":\"sse\",\"url\":\"https://a.example/\","
               "\"headers\":[{\"name\":\"X\",\"value\":\"{keychain:n}\",\"variables\":{\"keychain:n\":{}}}]}]}"_ba
            << u"the header X"_s;
    }
    void referencesToOurKeychainAreNotTakenOver()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, place);
        const HostConfig config = readHostText(text);
        QCOMPARE(config.servers.size(), 1);
        const HostServer server = config.servers[0];
        const QString problem = server.problems.join(u'\n');
        QVERIFY2(problem.contains(u"Not taken over"_s) && problem.contains(place), qPrintable(problem));
        QCOMPARE(keychainNames(server.spec), QStringList());
        const Result<ServerSpec> saved = ServerSpec::fromJson(u"a"_s, json::parse(server.spec.toJson()));
        QVERIFY(saved);
        QCOMPARE(keychainNames(*saved), QStringList());
    }

    void secretsThatAreMissingInTheKeychainAreTold()
    {
        const HostServer read = readHostText(
                                    "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"env\":{\"LANG\":\"C\","
                                    "\"A_TOKEN\":\"one-1234\",\"B_TOKEN\":\"two-1234\"}}}}")
                                    .servers.value(0);
        ServerSpec known = read.spec;
        known.environment[1].second = u"${keychain:kept}"_s;
        QVERIFY(isSameServer(known, read.spec));
        const QHash<QString, QString> expected{{u"kept"_s, u"one-1234"_s}};
        QCOMPARE(valuesOfReferences(known, read.spec), expected);
        known.oauth.clientSecret = u"${keychain:other}"_s;
        ServerSpec again = read.spec;
        again.oauth.clientSecret = u"three-1234"_s;
        QVERIFY(isSameServer(known, again));
        QCOMPARE(valuesOfReferences(known, again).value(u"other"_s), u"three-1234"_s);
    }

    void pastedTexts_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("command") << "npx -y @a/server-x"_ba << QStringList({u"server-x"_s});
        QTest::newRow("claude mcp add") << "claude mcp add files -- npx -y x"_ba << QStringList({u"files"_s});
        QTest::newRow("entry") << "{\"command\":\"npx\",\"args\":[\"server-y\"]}"_ba << QStringList({u"server-y"_s});
        QTest::newRow("object of entries")
            << "{\"a\":{\"command\":\"x\"},\"b\":{\"url\":\"http://b\"}}"_ba << QStringList({u"a"_s, u"b"_s});
        QTest::newRow("TOML") << "[mcp_servers.t]\ncommand = 'x'"_ba << QStringList({u"t"_s});
        const QByteArray entry = "{\"name\":\"play\",\"command\":\"npx\",\"args\":[\"a b\"]}";
        QTest::newRow("link of VS Code") << "vscode:mcp/install?" + entry.toPercentEncoding()
                                         << QStringList({u"play"_s});
        QTest::newRow("link on a web page")
            << "https://insiders.vscode.dev/redirect/mcp/install?name=web&config=" + entry.toPercentEncoding()
            << QStringList({u"web"_s});
        const QByteArray link = "vscode-insiders:mcp/install?" + entry.toPercentEncoding();
        QTest::newRow("link that a web page redirects to")
            << "https://insiders.vscode.dev/redirect?url=" + link << QStringList({u"play"_s});
        QTest::newRow("the same, encoded")
            << "https://vscode.dev/redirect?url=" + link.toPercentEncoding() + "&quality=a" << QStringList({u"play"_s});
        QTest::newRow("the same, encoded once")
            << "https://vscode.dev/redirect?url=" + ("vscode:mcp/install?" + entry).toPercentEncoding()
            << QStringList({u"play"_s});
        QTest::newRow("link of Cursor") << "cursor://anysphere.cursor-deeplink/mcp/install?name=c&config=" +
                                               entry.toBase64()
                                        << QStringList({u"c"_s});
        QTest::newRow("comment first") << "// mine\n{\"servers\":{\"a\":{\"command\":\"x\"}}}"_ba
                                       << QStringList({u"a"_s});
        QTest::newRow("with a byte order mark")
            << "\xEF\xBB\xBF{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}"_ba << QStringList({u"a"_s});
    }
    void pastedTexts()
    {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, names);
        const HostConfig config = readHostText(text);
        QVERIFY2(!config.error, qPrintable(config.error.message));
        QCOMPARE(namesOf(config), names);
    }

    void variablesThatAShellWouldReplaceAreSaid()
    {
        const HostConfig config =
            readHostText("claude mcp add -t http a https://a.example/mcp --header \"Authorization: Bearer $KEY\"");
        QCOMPARE(config.servers.size(), 1);
        QVERIFY2(says(config.servers[0], u"$KEY in the header Authorization is not replaced"_s),
                 qPrintable(config.servers[0].findings.join(u'\n')));
        QVERIFY(config.servers[0].secrets.isEmpty());  // the keychain would keep the name of a variable
    }

    void jsonInACommandIsReadAsAnEntry()
    {
        const HostConfig config =
            readHostText("claude mcp add-json a '{\"command\":\"x\",\"mine\":{\"token\":\"canary-1\"}}'");
        QCOMPARE(namesOf(config), QStringList({u"a"_s}));
        QVERIFY(!config.servers[0].spec.toJson().contains("canary"));
        QVERIFY(says(config.servers[0], u"Kept, but not used by Sonde: mine."_s));
    }

    void namedArgumentsOfTheRegistryHaveValues()
    {
        const HostConfig config = readHostText(
            "{\"name\":\"a/b\",\"packages\":[{\"registryType\":\"npm\",\"identifier\":\"b\",\"packageArguments\":["
            "{\"type\":\"named\",\"name\":\"--port\",\"format\":\"number\",\"description\":\"Port\"},"
            "{\"type\":\"named\",\"name\":\"--quiet\",\"format\":\"boolean\"},"
            "{\"type\":\"positional\",\"valueHint\":\"database\",\"default\":\"db\"}]}]}");
        QCOMPARE(config.servers.size(), 1);
        QCOMPARE(config.servers[0].spec.arguments, QStringList({u"-y"_s, u"b"_s, u"--quiet"_s, u"db"_s}));
        QVERIFY(says(config.servers[0], u"Optional and left out: --port (Port)"_s));
    }

    void membersOfSondeAreUsedAndShown()
    {
        const QByteArray digest = QByteArray("ab").repeated(32);
        const HostConfig config = readHostText(
            "{\"mcpServers\":{\"a\":{\"url\":\"https://a.example/mcp?api_key=canary-3\",\"proxy\":\"http://"
            "u:canary1@p.example:1\","
            "\"caFile\":\"/ca.pem\",\"clientCertificate\":\"/c.pem\",\"clientKey\":\"/"
            "k.pem\",\"acceptedCertificate\":\"" +
            digest +
            "\",\"allowedHosts\":[\"10.0.0.1\"],\"pageByPage\":true,\"revision\":\"2025-11-25\","
            "\"inheritEnv\":true,\"loginShellPath\":true,\"roots\":[{\"uri\":\"file:///r\"}],"
            "\"timeouts\":{\"request\":5,\"total\":0},"
            "\"undeclaredCapabilities\":[\"roots\"],\"oauth\":{\"clientId\":\"me\",\"clientSecret\":\"canary-2\"}}}}");
        QCOMPARE(config.servers.size(), 1);
        const HostServer server = config.servers[0];
        QVERIFY2(!says(server, u"Kept, but"_s), qPrintable(server.findings.join(u'\n')));
        const QString details = serverDetails(server, u"(secret)"_s);
        for (const QString &line :
             {u"URL:                https://a.example/mcp?api_key=(secret)"_s,
              u"Proxy:              http://u:(secret)@p.example:1"_s, u"CA file:            /ca.pem"_s,
              u"Client certificate: /c.pem"_s, u"Client key:         /k.pem"_s,
              QString(u"Trusts certificate: "_s + QString::fromLatin1(digest)), u"Allowed host:       10.0.0.1"_s,
              u"Lists:              one page at a time"_s, u"Revision:           2025-11-25"_s,
              u"Inherits:           Sonde's full environment"_s, u"PATH:               that of the login shell"_s,
              u"Root:               file:///r"_s, u"Not declared:       roots"_s, u"Client ID:          me"_s,
              u"Timeouts:           request 5 s · total no limit"_s, u"Client secret:      (secret)"_s})
            QVERIFY2(details.contains(line + u'\n'), qPrintable(line + u'\n' + details));
        QVERIFY(!details.contains(u"canary"_s));
        QCOMPARE(serverSummary(server), u"https://a.example/mcp?api_key=(secret)"_s);
    }

    void dotsInCommentsAndStringsAreNoKeys()
    {
        const QByteArray dots(100, '.');
        const HostConfig config =
            readHostText("# " + dots + "\n[mcp_servers.x]\ncommand = \"c\\\"" + dots + "\" # " + dots + "\nargs = ['" +
                             dots + "', '''a" + dots + "\n" + dots + "''''', \"\"\"" + dots + "\\\"\"\"\"]\n",
                         Host::Codex);
        QVERIFY2(!config.error, qPrintable(config.error.message));
        QCOMPARE(config.servers.size(), 1);
        QCOMPARE(config.servers[0].spec.arguments.size(), 3);
        QVERIFY(config.servers[0].spec.arguments[1].endsWith(u".''"_s));
    }

    void errorsNameFileLineColumnAndEntry()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"broken.json"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"mcpServers\": {\n  \"good\": {\"command\": \"x\"},\n  \"bad\": {\"command\": nope}\n}}\n");
        file.close();
        const HostConfig config = readHostFile(path);
        QVERIFY(config.servers.isEmpty());
        const QString message = config.error.message;
        QVERIFY2(message.contains(path) && message.contains(u"line 3, column 22"_s) && message.contains(u"“bad”"_s),
                 qPrintable(message));
        const HostConfig toml = readHostText("a = 1\n[mcp_servers.x]\ncommand = nope\n", Host::Codex);
        QVERIFY2(toml.error.message.contains(u"line 3, column "_s), qPrintable(toml.error.message));
    }

    void commentsThatAHostRejectsAreSaid()
    {
        const HostConfig config =
            readHostText("{\n// c\n\"mcpServers\":{\"a\":{\"command\":\"x\"}}}", Host::ClaudeDesktop);
        QCOMPARE(config.servers.size(), 1);
        QVERIFY(config.findings.value(0).startsWith(u"Line 2, column 1"_s));
    }

    void commentsWithinStringsStay()
    {
        const QByteArray text = "{\"a\":\"http://x/*y*/,}\" /* , */ , } // \"";
        QCOMPARE(strictJson(text).text, "{\"a\":\"http://x/*y*/,}\"           }     "_ba);
        QCOMPARE(strictJson("{\"a\":1}").firstRelaxedAt, -1);
        QCOMPARE(strictJson("{,}").text, "{,}"_ba);
        QCOMPARE(strictJson("[1,,]").text, "[1,,]"_ba);
    }
};

SONDE_TEST(HostReaderTest)
#include "tst_hostreader.moc"
