// SPDX-License-Identifier: Apache-2.0
#include "core/server/serverspec.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>

using namespace sonde;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestServerSpec : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commandLine();
    void address();
    void addressesWithoutAScheme_data();
    void addressesWithoutAScheme();
    void theFolderOfALine();
    void names_data();
    void names();
    void linesThatAreNothing_data();
    void linesThatAreNothing();
    void pastedJson_data();
    void pastedJson();
    void readsEntries_data();
    void readsEntries();
    void keepsWhatItDoesNotKnow();
    void unchangedIsByteForByte_data();
    void unchangedIsByteForByte();
    void changesOnlyWhatChanged();
    void changesKind();
    void typesNameTheTransport();
    void misunderstoodMembers_data();
    void misunderstoodMembers();
    void problems_data();
    void problems();
    void preview();
    void previewOfAddress();
    void secrets();
    void rootsAndCapabilitiesAreKept();
    void pageByPage();
    void timeoutsAreOptional();
    void aTimeoutThatCannotBeIsIgnored_data();
    void aTimeoutThatCannotBeIsIgnored();
    void networkSettings();
    void networkProblems_data();
    void networkProblems();
    void innocentValuesAreNoSecrets();
    void lineHidesThePassword();
};

static ServerSpec fromJson(const QByteArray &text)
{
    const Result<ServerSpec> spec = ServerSpec::fromJson(u"x"_s, json::parse(text));
    return spec ? *spec : ServerSpec();
}

void TestServerSpec::commandLine()
{
    const Result<ServerSpec> spec = ServerSpec::fromLine(uR"( LEVEL=3 npx -y "@scope/server thing" 'a b' c\ d )"_s);
    QVERIFY(spec.ok());
    QCOMPARE(spec->kind, ServerSpec::Kind::Stdio);
    QCOMPARE(spec->command, u"npx"_s);
    QCOMPARE(spec->arguments, QStringList({u"-y"_s, u"@scope/server thing"_s, u"a b"_s, u"c d"_s}));
    QCOMPARE(spec->environment.size(), 1);
    QCOMPARE(spec->environment.first().first, u"LEVEL"_s);
    QCOMPARE(spec->environment.first().second, u"3"_s);
    QCOMPARE(ServerSpec::fromLine(spec->line())->arguments, spec->arguments);
}

void TestServerSpec::address()
{
    const Result<ServerSpec> spec = ServerSpec::fromLine(u"  HTTPS://example.org:8443/mcp?x=1 "_s);
    QVERIFY(spec.ok());
    QCOMPARE(spec->kind, ServerSpec::Kind::Http);
    QCOMPARE(spec->url, QUrl(u"https://example.org:8443/mcp?x=1"_s));
    QCOMPARE(spec->name, u"example.org:8443"_s);
    QCOMPARE(spec->toJson(), "{\"type\":\"http\",\"url\":\"HTTPS://example.org:8443/mcp?x=1\"}"_ba);
}

void TestServerSpec::names_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("name");
    QTest::newRow("built file") << u"node /opt/billing/dist/index.js --stdio"_s << u"billing"_s;
    QTest::newRow("nothing but an index") << u"node index.js"_s << u"index"_s;
    QTest::newRow("npx") << u"npx -y @modelcontextprotocol/server-everything@1.2 stdio"_s << u"server-everything"_s;
    QTest::newRow("value of an option") << u"python3 -X utf8 /srv/tools/weather.py"_s << u"weather"_s;
    QTest::newRow("node") << u"node /srv/tools/weather.mjs --verbose"_s << u"weather"_s;
    QTest::newRow("uv") << u"uv tool run mcp-server-git"_s << u"mcp-server-git"_s;
    QTest::newRow("path") << u"/opt/acme/acme-mcp --stdio"_s << u"acme-mcp"_s;
    QTest::newRow("runner alone") << u"npx"_s << u"npx"_s;
    QTest::newRow("address") << u"http://localhost:3000/mcp"_s << u"localhost:3000"_s;
    QTest::newRow("host") << u"https://example.org/mcp"_s << u"example.org"_s;
    QTest::newRow("host without a scheme") << u"localhost:3000"_s << u"localhost:3000"_s;
    QTest::newRow("one of several on a host") << u"https://example.org/billing/mcp"_s << u"example.org/billing"_s;
    QTest::newRow("with a port and a version")
        << u"http://localhost:3000/v1/notes/sse"_s << u"localhost:3000/v1/notes"_s;
    QTest::newRow("token in the path") << u"https://example.org/s/Zk3vQ9xLt7/mcp"_s << u"example.org/s"_s;
    QTest::newRow("number in the path") << u"https://example.org/s/1234567/mcp"_s << u"example.org/s"_s;
}

void TestServerSpec::addressesWithoutAScheme_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("url");  // empty: a command
    QTest::newRow("local") << u"localhost:3000"_s << u"http://localhost:3000"_s;
    QTest::newRow("local with a path") << u"localhost/mcp"_s << u"http://localhost/mcp"_s;
    QTest::newRow("IPv4") << u"127.0.0.1:8000/mcp"_s << u"http://127.0.0.1:8000/mcp"_s;
    QTest::newRow("IPv6") << u"[::1]:3000/mcp"_s << u"http://[::1]:3000/mcp"_s;
    QTest::newRow("other machine") << u"192.168.1.7:3000"_s << u"https://192.168.1.7:3000"_s;
    QTest::newRow("domain") << u"example.com/mcp"_s << u"https://example.com/mcp"_s;
    QTest::newRow("domain with a port") << u"mcp.example.com:8443"_s << u"https://mcp.example.com:8443"_s;
    QTest::newRow("a machine's name with a port") << u"buildbox:8080"_s << u"https://buildbox:8080"_s;
    QTest::newRow("as it is") << u"http://example.com/mcp"_s << u"http://example.com/mcp"_s;
    QTest::newRow("script") << u"server.py"_s << QString();
    QTest::newRow("script in a folder") << u"dist.old/run.sh"_s << QString();
    QTest::newRow("path") << u"./localhost/x"_s << QString();
    QTest::newRow("program") << u"npx"_s << QString();
    QTest::newRow("two words") << u"node example.com/mcp"_s << QString();
    QTest::newRow("no port") << u"localhost:99999"_s << QString();
    QTest::newRow("scope") << u"@scope/server"_s << QString();
    QTest::newRow("drive") << u"C:/x"_s << QString();
}

void TestServerSpec::addressesWithoutAScheme()
{
    QFETCH(QString, text);
    QFETCH(QString, url);
    const Result<ServerSpec> spec = ServerSpec::fromLine(text);
    QVERIFY2(spec.ok(), spec.ok() ? "" : qPrintable(spec.error().message));
    QCOMPARE(spec->kind, url.isEmpty() ? ServerSpec::Kind::Stdio : ServerSpec::Kind::Http);
    QCOMPARE(spec->url, QUrl(url));
}

void TestServerSpec::theFolderOfALine()
{
    const Result<ServerSpec> spec = ServerSpec::fromLine(u"cd x/../y && FOO=1 node z.js"_s);
    QVERIFY(spec.ok());
    QCOMPARE(spec->workingDirectory, QDir::homePath() + u"/y"_s);
    QCOMPARE(spec->line(), u"node z.js"_s);
    QCOMPARE(spec->environment.value(0).second, u"1"_s);
    QCOMPARE(spec->name, u"z"_s);
    QCOMPARE(ServerSpec::fromLine(u"cd y && node z"_s, u"/srv"_s)->workingDirectory, u"/srv/y"_s);
    QVERIFY(ServerSpec::fromLine(u"node z"_s)->workingDirectory.isEmpty());
    const Result<ServerSpec> other = ServerSpec::fromLine(u"ws://example.com/mcp"_s);
    QVERIFY(!other.ok() && other.error().message.contains(u"ws:"_s));
}

void TestServerSpec::names()
{
    QFETCH(QString, line);
    QFETCH(QString, name);
    const Result<ServerSpec> spec = ServerSpec::fromLine(line);
    QVERIFY(spec.ok());
    QCOMPARE(spec->name, name);
}

void TestServerSpec::linesThatAreNothing_data()
{
    QTest::addColumn<QString>("line");
    QTest::newRow("empty") << u""_s;
    QTest::newRow("blank") << u"  \t"_s;
    QTest::newRow("open quote") << u"npx \"a"_s;
    QTest::newRow("variables only") << u"A=1 B=2"_s;
    QTest::newRow("no host") << u"https://"_s;
    QTest::newRow("no JSON") << u"{\"command\": npx}"_s;
    QTest::newRow("two servers") << u"{\"mcpServers\":{\"a\":{\"command\":\"a\"},\"b\":{\"command\":\"b\"}}}"_s;
    QTest::newRow("no servers") << u"{\"mcpServers\":{}}"_s;
}

void TestServerSpec::linesThatAreNothing()
{
    QFETCH(QString, line);
    const Result<ServerSpec> spec = ServerSpec::fromLine(line);
    QVERIFY(!spec);
    QVERIFY(!spec.error().message.isEmpty());
}

void TestServerSpec::pastedJson_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("line");
    QTest::newRow("file") << u"{\"mcpServers\":{\"git\":{\"command\":\"uvx\",\"args\":[\"mcp-git\"]}}}"_s << u"git"_s
                          << u"uvx mcp-git"_s;
    QTest::newRow("servers") << u"{\"git\":{\"command\":\"uvx\"}}"_s << u"git"_s << u"uvx"_s;
    QTest::newRow("entry") << u"{\"command\":\"uvx\",\"args\":[\"mcp-git\"]}"_s << u"mcp-git"_s << u"uvx mcp-git"_s;
    QTest::newRow("address") << u"{\"url\":\"http://h/mcp\"}"_s << u"h"_s << u"http://h/mcp"_s;
}

void TestServerSpec::pastedJson()
{
    QFETCH(QString, text);
    const Result<ServerSpec> spec = ServerSpec::fromLine(text);
    QVERIFY(spec.ok());
    QTEST(spec->name, "name");
    QTEST(spec->line(), "line");
}

void TestServerSpec::readsEntries_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("kind");
    const int stdio = int(ServerSpec::Kind::Stdio);
    const int http = int(ServerSpec::Kind::Http);
    QTest::newRow("no type") << R"({"command":"a","args":["b"]})"_ba << u"a b"_s << stdio;
    QTest::newRow("stdio") << R"({"type":"stdio","command":"a"})"_ba << u"a"_s << stdio;
    QTest::newRow("http") << R"({"type":"http","url":"http://h/m"})"_ba << u"http://h/m"_s << http;
    QTest::newRow("streamable") << R"({"type":"streamable-http","url":"http://h/m"})"_ba << u"http://h/m"_s << http;
    QTest::newRow("url only") << R"({"url":"http://h/m"})"_ba << u"http://h/m"_s << http;
    QTest::newRow("serverUrl") << R"({"serverUrl":"http://h/m"})"_ba << u"http://h/m"_s << http;
    QTest::newRow("numbers") << R"({"command":"a","args":["-p",8080,true]})"_ba << u"a -p 8080 true"_s << stdio;
}

void TestServerSpec::readsEntries()
{
    QFETCH(QByteArray, text);
    const Result<ServerSpec> spec = ServerSpec::fromJson(u"x"_s, json::parse(text));
    QVERIFY(spec.ok());
    QTEST(spec->line(), "line");
    QTEST(int(spec->kind), "kind");
    QVERIFY(spec->problems().isEmpty());
}

void TestServerSpec::keepsWhatItDoesNotKnow()
{
    const QByteArray text =
        R"({"z":1.0,"command":"a","disabled":false,"timeout":1e3,"args":["b"],"always\u0041llow":["*"]})"_ba;
    ServerSpec spec = fromJson(text);
    spec.command = u"c"_s;
    spec.workingDirectory = u"/tmp"_s;
    QCOMPARE(
        spec.toJson(),
        "{\"z\":1.0,\"command\":\"c\",\"disabled\":false,\"timeout\":1e3,\"args\":[\"b\"],\"always\\u0041llow\":[\"*\"],\"cwd\":\"/tmp\"}"_ba);
    spec.arguments.clear();
    QVERIFY(!json::parse(spec.toJson()).contains(u"args"));
    QVERIFY(json::parse(spec.toJson()).contains(u"alwaysAllow"));
}

void TestServerSpec::unchangedIsByteForByte_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("spaces") << "{ \"command\" : \"a\" ,\n\t\"args\": [ ] }"_ba;
    QTest::newRow("empty members") << R"({"command":"a","args":[],"env":{},"cwd":""})"_ba;
    QTest::newRow("nulls") << R"({"command":"a","args":null,"env":null})"_ba;
    QTest::newRow("numbers in env") << R"({"command":"a","env":{"PORT":8080}})"_ba;
    QTest::newRow("duplicates") << R"({"command":"a","command":"b"})"_ba;
    QTest::newRow("odd address") << R"({"url":"HTTP://Host:80/a b"})"_ba;
}

void TestServerSpec::unchangedIsByteForByte()
{
    QFETCH(QByteArray, text);
    const ServerSpec spec = fromJson(text);
    QVERIFY(!spec.name.isEmpty());
    QCOMPARE(spec.toJson(), text);
}

void TestServerSpec::changesOnlyWhatChanged()
{
    ServerSpec spec = fromJson(R"({"command":"old","command":"a","env":{"PORT":8080,"A":"1","B":"\u0032"}})");
    spec.environment = {{u"PORT"_s, u"8080"_s}, {u"B"_s, u"2"_s}, {u"C"_s, u"3"_s}};
    QCOMPARE(spec.toJson(),
             "{\"command\":\"old\",\"command\":\"a\",\"env\":{\"PORT\":8080,\"B\":\"\\u0032\",\"C\":\"3\"}}"_ba);
    spec.command = u"b"_s;
    spec.environment.clear();
    QCOMPARE(spec.toJson(), "{\"command\":\"old\",\"command\":\"b\"}"_ba);
}

void TestServerSpec::changesKind()
{
    ServerSpec spec = fromJson(R"({"command":"a","args":["b"],"x":1})");
    spec.kind = ServerSpec::Kind::Http;
    spec.command.clear();
    spec.arguments.clear();
    spec.url = QUrl(u"http://h/m"_s);
    const QByteArray json = spec.toJson();
    QCOMPARE(json, "{\"x\":1,\"type\":\"http\",\"url\":\"http://h/m\"}"_ba);
    ServerSpec back = fromJson(json);
    QCOMPARE(back.kind, ServerSpec::Kind::Http);
    back.kind = ServerSpec::Kind::Stdio;
    back.url = {};
    back.command = u"a"_s;
    QCOMPARE(back.toJson(), "{\"x\":1,\"type\":\"stdio\",\"command\":\"a\"}"_ba);
}

void TestServerSpec::typesNameTheTransport()
{
    using HttpKind = ServerSpec::HttpKind;
    const auto entry = [](const QByteArray &type) {
        return "{\"type\":\"" + type + "\",\"url\":\"http://h/\",\"extra\":[1]}";
    };
    const auto read = [](const QByteArray &text) { return *ServerSpec::fromJson(u"x"_s, json::parse(text)); };
    QCOMPARE(read("{\"url\":\"http://h/\"}").httpKind, HttpKind::Automatic);
    QCOMPARE(read(entry("http")).httpKind, HttpKind::Automatic);
    QCOMPARE(read(entry("streamable-http")).httpKind, HttpKind::Streamable);
    ServerSpec spec = read(entry("SSE"));
    QCOMPARE(spec.httpKind, HttpKind::Sse);
    QVERIFY(spec.problems().isEmpty());
    QCOMPARE(spec.transportName(), u"HTTP+SSE"_s);
    QCOMPARE(spec.toJson(), entry("SSE"));
    spec.httpKind = HttpKind::Streamable;
    QCOMPARE(spec.toJson(), entry("streamable-http"));
    spec.httpKind = HttpKind::Automatic;
    QCOMPARE(spec.toJson(), entry("http"));
}

void TestServerSpec::misunderstoodMembers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("part");  // of the problem
    QTest::newRow("no object") << "[1]"_ba << u"not a JSON object"_s;
    QTest::newRow("command") << R"({"command":["a"]})"_ba << u"“command”"_s;
    QTest::newRow("args") << R"({"command":"a","args":"b c"})"_ba << u"“args”"_s;
    QTest::newRow("argument") << R"({"command":"a","args":["b",{}]})"_ba << u"Argument 2"_s;
    QTest::newRow("env") << R"({"command":"a","env":["A=1"]})"_ba << u"“env”"_s;
    QTest::newRow("variable") << R"({"command":"a","env":{"A":null}})"_ba << u"“A”"_s;
    QTest::newRow("type") << R"({"type":"carrier-pigeon","command":"a"})"_ba << u"carrier-pigeon"_s;
    QTest::newRow("nothing") << "{}"_ba << u"No command"_s;
}

void TestServerSpec::misunderstoodMembers()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, part);
    const Result<ServerSpec> read = ServerSpec::fromJson(u"x"_s, json::parse(text));
    const QStringList problems = read ? read->problems() : QStringList{read.error().message};
    QVERIFY2(problems.join(u' ').contains(part), qPrintable(problems.join(u' ')));
}

void TestServerSpec::problems_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("part");
    QTest::newRow("no scheme") << R"({"type":"http","url":"example.org/mcp"})"_ba << u"no scheme"_s;
    QTest::newRow("other scheme") << R"({"url":"ftp://h/m"})"_ba << u"ftp:"_s;
    QTest::newRow("no address") << R"({"type":"http"})"_ba << u"No URL"_s;
    QTest::newRow("line break") << R"({"url":"http://h","headers":{"X-A":"a\r\nB: c"}})"_ba
                                << u"“X-A” contains a line"_s;
    QTest::newRow("header name") << R"({"url":"http://h","headers":{"X A":"a"}})"_ba
                                 << u"“X A” is not a valid header name"_s;
    QTest::newRow("own header") << R"({"url":"http://h","headers":{"Content-type":"a"}})"_ba << u"set by Sonde"_s;
    // Whatever the transport would refuse at every start.
    for (const char *name : {"Accept-Encoding", "TE", "Expect", "Upgrade", "Mcp-Method", "mcp-param-x", "Keep-Alive"})
        QTest::addRow("own header %s", name)
            << R"({"url":"http://h","headers":{"NAME":"a"}})"_ba.replace("NAME", name) << u"set by Sonde"_s;
    QTest::newRow("revision") << R"({"type":"sse","url":"http://h","revision":"2026-07-28"})"_ba
                              << u"Revision 2026-07-28 does not work over HTTP+SSE"_s;
    QTest::newRow("accents") << R"({"url":"http://h","headers":{"X-A":"é"}})"_ba << u"cannot carry"_s;
    QTest::newRow("variable name") << R"({"command":"a","env":{"A=B":"c"}})"_ba << u"“A=B”"_s;
    QTest::newRow("NUL") << R"({"command":"a","args":["b\u0000c"]})"_ba << u"NUL"_s;
}

void TestServerSpec::problems()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, part);
    const ServerSpec spec = fromJson(text);
    const QStringList problems = spec.problems();
    QCOMPARE(problems.size(), 1);
    QVERIFY2(problems.first().contains(part), qPrintable(problems.first()));
    QCOMPARE(spec.preview(), problems.first());
}

void TestServerSpec::preview()
{
    QTemporaryDir folder;
    const QString program = folder.filePath(u"tool"_s);
    QFile file(program);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\n");
    file.close();
    ServerSpec spec;
    spec.command = program;
    spec.arguments = QStringList{u"a"_s, u"b"_s, u"c"_s};

    const QString refused = spec.preview();
    QVERIFY2(!refused.startsWith(u"Runs"), qPrintable(refused));
    QVERIFY2(refused.contains(u"xecutable"), qPrintable(refused));

    QVERIFY(file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner));
    QCOMPARE(spec.preview(), u"Runs %1 with 3 arguments in ~. Nothing runs until you click Connect."_s.arg(program));
    spec.arguments = QStringList{u"|"_s};
    spec.workingDirectory = u"/"_s;
    QCOMPARE(spec.preview(),
             u"Runs %1 with 1 argument in /. “|” is passed as is: no shell is used. Use sh -c '…' if you need a shell. "
             "Nothing runs until you click Connect."_s.arg(program));
    spec.workingDirectory = u"/nowhere/at/all"_s;
    QVERIFY(spec.preview().contains(u"/nowhere/at/all does not exist"));
    spec.workingDirectory.clear();
    spec.command = u"no-such-program-here"_s;
    QVERIFY(!spec.preview().startsWith(u"Runs"));
    QVERIFY(spec.preview().contains(u"no-such-program-here"));
}

void TestServerSpec::previewOfAddress()
{
    const ServerSpec spec = fromJson(R"({"url":"http://ada:word@h/m","headers":{"X-A":"1","X-B":"2"}})");
    QCOMPARE(spec.preview(),
             u"Connects to http://ada@h/m with 2 custom headers. Nothing is sent until you click Connect."_s);
}

void TestServerSpec::secrets()
{
    const auto sorted = [](const ServerSpec &spec) {
        QStringList secrets = spec.secrets();
        secrets.sort();
        return secrets;
    };
    ServerSpec spec = fromJson(R"({"command":"a","args":["--api-key","k-argument","--token=t-argument","plain",
        "--db=postgres://ada:p-address@h/db","pg://u:p/slash-word@h"],
        "env":{"GITHUB_TOKEN":"t-environment","clientSecret":"s-environment","HOME":"/home/ada",
        "DATABASE_URL":"pg://u:p-database@h/d","LOGIN":"admin:l-environment"}})");
    QStringList secrets = sorted(spec);
    for (const QString &info : {u"ada:p-address"_s, u"u:p-database"_s, u"u:p/slash-word"_s})
        QVERIFY2(secrets.removeOne(info), qPrintable(secrets.join(u' ')));
    QCOMPARE(secrets, QStringList({u"k-argument"_s, u"l-environment"_s, u"p-address"_s, u"p-database"_s,
                                   u"p/slash-word"_s, u"s-environment"_s, u"t-argument"_s, u"t-environment"_s}));

    spec = fromJson(R"({"url":"https://ada:p-url-word@h/m?api_key=k-query-word&page=twelve",
        "headers":{"Authorization":"Bearer b-token-word","X-Api-Key":"k-header","Accept-Language":"english"}})");
    secrets = sorted(spec);
    QVERIFY(secrets.removeOne(u"ada:p-url-word"_s));
    QCOMPARE(secrets, QStringList({u"b-token-word"_s, u"k-header"_s, u"k-query-word"_s, u"p-url-word"_s}));

    spec = fromJson(R"({"url":"https://h/m","headers":{"Authorization":"Basic YWRhOndvcmQtYmFzaWM="}})");
    QVERIFY(spec.secrets().contains(u"word-basic"_s));

    // What is handed on to somebody else.
    spec = fromJson(R"({"command":"docker","args":["run","-e","API_KEY=k-handed-on","-eGITHUB_TOKEN=t-shortly","--env",
        "LEVEL=debug","--header","Authorization: Bearer b-argument","--header=X-Api-Key:k-joined","sort=downwards"],
        "env":{"HEADERS":"{\"Accept\":\"text\",\"Authorization\":\"Bearer b-nested-1\"}"}})");
    QCOMPARE(sorted(spec),
             QStringList({u"b-argument"_s, u"b-nested-1"_s, u"k-handed-on"_s, u"k-joined"_s, u"t-shortly"_s}));
}

void TestServerSpec::rootsAndCapabilitiesAreKept()
{
    // Qt 6.4's moc takes two slashes in a raw string for a comment.
    ServerSpec spec = fromJson(
        "{\"command\":\"a\",\"roots\":[{\"uri\":\"file:///srv\",\"name\":\"Data\"},{\"uri\":\"file:///tmp\"}],"
        "\"undeclaredCapabilities\":[\"sampling\",\"of.the.future\"]}");
    const QList<std::pair<QString, QString>> roots{{u"file:///srv"_s, u"Data"_s}, {u"file:///tmp"_s, {}}};
    QCOMPARE(spec.roots, roots);
    QCOMPARE(spec.undeclaredCapabilities, QStringList({u"sampling"_s, u"of.the.future"_s}));
    spec.roots.removeFirst();
    spec.undeclaredCapabilities.clear();
    QCOMPARE(spec.toJson(), "{\"command\":\"a\",\"roots\":[{\"uri\":\"file:///tmp\"}]}"_ba);
    QVERIFY(spec.problems().isEmpty());
    for (const auto &uri : {u"/tmp"_s, u"https://example.com/"_s, u"file://host/tmp"_s, u"file:///srv/../etc"_s}) {
        spec.roots = {{uri, {}}};
        QVERIFY2(spec.problems().join(u' ').contains(uri), qPrintable(spec.problems().join(u' ')));
    }
}

void TestServerSpec::pageByPage()
{
    ServerSpec spec = fromJson(R"({"command":"a"})");
    QVERIFY(!spec.pageByPage);
    spec.pageByPage = true;
    QCOMPARE(spec.toJson(), R"({"command":"a","pageByPage":true})"_ba);
    spec = fromJson(spec.toJson());
    QVERIFY(spec.pageByPage);
    spec.pageByPage = false;
    QCOMPARE(spec.toJson(), R"({"command":"a"})"_ba);
}

void TestServerSpec::timeoutsAreOptional()
{
    const QByteArray text = R"({"command":"/bin/true","timeouts":{"x":[ 1 ],"request":2.50,"connection":null}})";
    ServerSpec spec = fromJson(text);
    QVERIFY(spec.timeouts == ServerTimeouts{.request = 2500ms});
    QCOMPARE(spec.timeouts.summary(), u"request 2.5 s"_s);
    QCOMPARE(spec.toJson(), text);
    QVERIFY(spec.problems().isEmpty());
    // What is said of one changes only that one.
    spec.timeouts.total = 0ms;
    QCOMPARE(spec.toJson(),
             R"({"command":"/bin/true","timeouts":{"x":[ 1 ],"request":2.50,"connection":null,"total":0}})"_ba);
    QVERIFY(fromJson(spec.toJson()).timeouts == spec.timeouts);
    spec.timeouts = {.connection = 90s};
    QCOMPARE(spec.toJson(), R"({"command":"/bin/true","timeouts":{"x":[ 1 ],"connection":90}})"_ba);
    spec = fromJson(R"({"command":"/bin/true","timeouts":{"request":1}})");
    spec.timeouts = {};
    QCOMPARE(spec.toJson(), R"({"command":"/bin/true"})"_ba);
}

void TestServerSpec::aTimeoutThatCannotBeIsIgnored_data()
{
    QTest::addColumn<QByteArray>("timeouts");
    QTest::addColumn<QString>("finding");
    const auto outside = [](const QString &member, int min, int max) {
        return u"Ignored: “%1” of “timeouts” is not a number of seconds from %2 to %3."_s.arg(member).arg(min).arg(max);
    };
    QTest::newRow("no object") << "5"_ba << u"Ignored: “timeouts” is not an object."_s;
    QTest::newRow("text") << R"({"request":"5"})"_ba << outside(u"request"_s, 0, 86'400);
    QTest::newRow("negative") << R"({"request":-1})"_ba << outside(u"request"_s, 0, 86'400);
    QTest::newRow("nearly none") << R"({"request":1e-9})"_ba << outside(u"request"_s, 0, 86'400);
    QTest::newRow("huge") << R"({"total":1e400})"_ba << outside(u"total"_s, 0, 86'400);
    QTest::newRow("never connects") << R"({"connection":0})"_ba << outside(u"connection"_s, 1, 3'600);
}

// The server can be used, and what is wrong stays in the file until it is replaced.
void TestServerSpec::aTimeoutThatCannotBeIsIgnored()
{
    QFETCH(const QByteArray, timeouts);
    QFETCH(const QString, finding);
    const QByteArray text = R"({"command":"/bin/true","timeouts":)" + timeouts + '}';
    ServerSpec spec = fromJson(text);
    QVERIFY(spec.timeouts == ServerTimeouts());
    QVERIFY(spec.problems().isEmpty());
    QVERIFY2(spec.preview().contains(finding), qPrintable(spec.preview()));
    spec.command = u"/bin/false"_s;
    QVERIFY(spec.toJson().contains("\"timeouts\":" + timeouts));
    spec.timeouts = {.request = 1s, .total = 2s, .connection = 3s};
    QVERIFY2(!spec.preview().contains(finding), qPrintable(spec.preview()));
}

void TestServerSpec::networkSettings()
{
    const QByteArray text =
        R"({"url":"https://h/m","x":[ 1 ],"proxy":"none","clientKey":{"of":"others"},"allowedHosts":["a"]})";
    ServerSpec spec = fromJson(text);
    QCOMPARE(spec.network.proxy, u"none"_s);
    QVERIFY(spec.network.clientKey.isEmpty());
    QCOMPARE(spec.toJson(), text);
    spec.network = {u"socks5://ada:pass-word-77@h:1"_s, u"/ca.pem"_s, u"/c.pem"_s, {}, QString(64, u'a'), {}};
    QCOMPARE(spec.toJson(), R"({"url":"https://h/m","x":[ 1 ],"proxy":"socks5://ada:pass-word-77@h:1",)"
                            R"("clientKey":{"of":"others"},"caFile":"/ca.pem","clientCertificate":"/c.pem",)"
                            R"("acceptedCertificate":")" +
                                QByteArray(64, 'a') + R"("})");
    QCOMPARE(fromJson(spec.toJson()).network, spec.network);
    QVERIFY2(spec.problems().isEmpty(), qPrintable(spec.problems().join(u' ')));
    QCOMPARE(spec.secrets(), (QStringList{u"ada:pass-word-77"_s, u"pass-word-77"_s}));
    QVERIFY2(spec.preview().contains(u"/ca.pem cannot be read"_s), qPrintable(spec.preview()));
    http::NetworkOptions more;
    more.caFile = u"/other.pem"_s;
    more.allowedHosts = {u"h"_s};
    spec.network.take(more);
    QCOMPARE(spec.network.caFile, u"/other.pem"_s);
    QCOMPARE(spec.network.clientCertificate, u"/c.pem"_s);
    QCOMPARE(spec.network.allowedHosts, QStringList{u"h"_s});
}

void TestServerSpec::networkProblems_data()
{
    QTest::addColumn<QByteArray>("member");
    QTest::addColumn<QString>("word");
    QTest::newRow("proxy") << R"("proxy":"proxy.example:80")"_ba << u"proxy"_s;
    QTest::newRow("relative path") << R"("caFile":"ca.pem")"_ba << u"absolute path"_s;
    QTest::newRow("key alone") << R"("clientKey":"/key.pem")"_ba << u"no client certificate"_s;
    QTest::newRow("fingerprint") << R"("acceptedCertificate":"AB:CD")"_ba << u"fingerprint"_s;
    QTest::newRow("host") << R"("allowedHosts":["https://h/"])"_ba << u"name of a host"_s;
}

void TestServerSpec::networkProblems()
{
    QFETCH(QByteArray, member);
    QFETCH(QString, word);
    const QStringList problems = fromJson(R"({"url":"https://h/m",)" + member + '}').problems();
    QVERIFY2(problems.join(u' ').contains(word), qPrintable(problems.join(u' ')));
}

void TestServerSpec::innocentValuesAreNoSecrets()
{
    const ServerSpec spec =
        fromJson(R"({"command":"a","env":{"USE_TOKEN":"true","MAX_TOKENS":"4096","API_KEY":"","PASSWORD":"abc"}})");
    QVERIFY2(spec.secrets().isEmpty(), qPrintable(spec.secrets().join(u' ')));
}

void TestServerSpec::lineHidesThePassword()
{
    const ServerSpec spec = fromJson(R"({"url":"https://ada:word@h/m"})");
    QVERIFY(!spec.line().contains(u"word"));
    QCOMPARE(spec.url.password(), u"word"_s);
}

SONDE_TEST(TestServerSpec)
#include "tst_serverspec.moc"
