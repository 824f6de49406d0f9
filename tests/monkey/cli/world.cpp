// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/cli/world.h"

#include "core/json/builder.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"

#include <QDir>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <algorithm>

namespace sonde::monkey {

using namespace Qt::StringLiterals;

namespace {

constexpr int StartMs = 20'000;
constexpr qsizetype HugeSize = 8 * 1024 * 1024;

QString demo()
{
    return test::builtProgram(u"sonde-demo-server"_s);
}
QString scripted()
{
    return test::builtProgram(u"fake-stdio-server"_s);
}

bool isAnyIn(const QStringList &words, const QStringList &marks)
{
    return std::any_of(marks.begin(), marks.end(),
                       [&words](const QString &mark) { return !words.filter(mark).isEmpty(); });
}

// Its servers are nobody's run, so they have another home.
QProcessEnvironment environmentAt(const QString &home)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString &name :
         {u"HOME"_s, u"XDG_CONFIG_HOME"_s, u"XDG_DATA_HOME"_s, u"XDG_CACHE_HOME"_s, u"XDG_STATE_HOME"_s})
        environment.insert(name, home);
    return environment;
}

}  // namespace

CliWorld::CliWorld()
{
    m_httpUrl = startHttp(&m_http, {u"--http"_s});
    m_sseUrl = startHttp(&m_sse, {u"--http+sse"_s});
    if (m_httpUrl.isEmpty() || m_sseUrl.isEmpty()) {
        m_problem = u"The demo server does not serve over HTTP."_s;
        return;
    }
    const QString script = m_recorded.filePath(u"script"_s);
    test::writeFile(script,
                    "info\nlist\ncall add a=1 b=2\ncall fail\ncall structured-report\nread demo://text/greeting\n"
                    "prompt greeting\nrequest no/such/method\ncall protocol-error\ncall big bytes=20000\n");
    const auto record = [this, &script](const QString &name, const QString &revision) {
        QProcess process;
        process.setProcessEnvironment(environmentAt(m_recorded.path()));
        process.start(test::builtProgram(u"sonde-cli"_s),
                      {u"run"_s, script, u"--keep-going"_s, u"--revision"_s, revision, u"--record"_s,
                       m_recorded.filePath(name), u"--"_s, demo()});
        if (!process.waitForFinished(StartMs))
            m_problem = u"No session was recorded."_s;
    };
    record(u"whole.mcpsession"_s, u"2025-11-25"_s);
    record(u"stateless.mcpsession"_s, u"2026-07-28"_s);
    renew();
}

CliWorld::~CliWorld()
{
    for (QProcess *process : {&m_http, &m_sse}) {
        process->kill();
        process->waitForFinished();
    }
}

QString CliWorld::startHttp(QProcess *process, const QStringList &words)
{
    process->setProcessEnvironment(environmentAt(m_recorded.path()));
    process->setReadChannel(QProcess::StandardError);
    process->start(demo(), words);
    static const QRegularExpression url(u"http://\\S+"_s);
    QString said;
    while (!url.match(said).hasMatch() || !said.contains(u'\n')) {
        if (!process->waitForReadyRead(StartMs))
            return {};
        said += QString::fromUtf8(process->readAllStandardError());
    }
    return url.match(said).captured();
}

void CliWorld::renew()
{
    m_home = std::make_unique<QTemporaryDir>();
    writeFiles();
}

void CliWorld::writeFiles()
{
    QDir home(m_home->path());
    for (const QString &folder : {u"sonde"_s, u"tmp"_s, u"folder.mcpsession"_s, u"out"_s, u"closed"_s})
        home.mkpath(folder);
    const QByteArray whole = test::readFile(m_recorded.filePath(u"whole.mcpsession"_s));
    test::writeFile(path(u"whole.mcpsession"_s), whole);
    test::writeFile(path(u"stateless.mcpsession"_s), test::readFile(m_recorded.filePath(u"stateless.mcpsession"_s)));
    test::writeFile(path(u"cut.mcpsession"_s), whole.left(whole.size() * 2 / 3));
    QByteArray damaged = whole;
    std::fill_n(damaged.begin() + damaged.size() / 3, damaged.size() / 6, '\0');
    test::writeFile(path(u"damaged.mcpsession"_s), damaged);
    test::writeFile(path(u"head.mcpsession"_s), whole.left(whole.indexOf('\n') + 1));
    test::writeFile(path(u"empty.mcpsession"_s), {});
    test::writeFile(path(u"junk.mcpsession"_s), QByteArray("\x1F\x8B\x00junk\xFF", 8).repeated(5000));
    QFile::setPermissions(path(u"closed"_s), QFileDevice::ReadOwner | QFileDevice::ExeOwner);

    test::writeFile(path(u"object.json"_s), R"({"a":1,"b":2,"text":"hello","bytes":100})");
    test::writeFile(path(u"half.json"_s), R"({"a":1,"b":)");
    test::writeFile(path(u"list.json"_s), "[1,2,3]");
    test::writeFile(path(u"text.json"_s), "\"text\"");
    test::writeFile(path(u"empty.json"_s), {});
    test::writeFile(path(u"binary.json"_s), QByteArray("\x00\xFF\xFE{}", 5));
    test::writeFile(path(u"twice.json"_s), R"({"a":1,"a":2,"b":3})");
    test::writeFile(path(u"deep.json"_s), "{\"a\":" + QByteArray(100'000, '[') + QByteArray(100'000, ']') + '}');
    test::writeFile(path(u"huge.json"_s), "{\"text\":\"" + QByteArray(HugeSize, 'x') + "\"}");
    test::writeFile(path(u"responses.json"_s),
                    R"({"elicitation/create":{"action":"accept","content":{"name":"me"}},"roots/list":{"roots":[]}})");
    test::writeFile(path(u"rules.json"_s), R"({"ignore":[{"pointer":"/result/content"}]})");

    test::writeFile(path(u"good.script"_s), "info\n# a comment\ncall add a=1 b=2\nread demo://text/greeting\nping\n");
    test::writeFile(path(u"failing.script"_s), "call fail\ncall nothing-of-that-name\ninfo\n");
    test::writeFile(path(u"wrong.script"_s), "info\nno-verb a b\ncall 'unclosed\n");
    test::writeFile(path(u"long.script"_s), QByteArray("ping\n").repeated(300));
    test::writeFile(path(u"binary.script"_s), QByteArray("\x00\x01info\n\xFF", 8));

    json::Builder servers;
    servers.beginObject().key(u"mcpServers").beginObject();
    const auto add = [&servers](QStringView name, const QString &command, const QStringList &arguments) {
        servers.key(name).beginObject().member(u"command", command).key(u"args").beginArray();
        for (const QString &argument : arguments)
            servers.string(argument);
        servers.endArray().endObject();
    };
    add(u"demo", demo(), {});
    add(u"crash", scripted(), {u"signal:11"_s});
    add(u"gone", u"/no/such/program"_s, {});
    servers.key(u"http").beginObject().member(u"url", m_httpUrl).endObject();
    servers.endObject().endObject();
    const QByteArray list = servers.take();
    test::writeFile(path(u"sonde/servers.json"_s), list);
    test::writeFile(path(u"hosts.json"_s), list);
}

QString CliWorld::filled(QString word) const
{
    return word.replace(u"%home%"_s, home())
        .replace(u"%demo%"_s, demo())
        .replace(u"%fake%"_s, scripted())
        .replace(u"%cli%"_s, test::builtProgram(u"sonde-cli"_s))
        .replace(u"%http%"_s, m_httpUrl)
        .replace(u"%sse%"_s, m_sseUrl);
}

QStringList CliWorld::sessions()
{
    return {u"%home%/whole.mcpsession"_s,   u"%home%/whole.mcpsession"_s,  u"%home%/stateless.mcpsession"_s,
            u"%home%/cut.mcpsession"_s,     u"%home%/empty.mcpsession"_s,  u"%home%/damaged.mcpsession"_s,
            u"%home%/head.mcpsession"_s,    u"%home%/junk.mcpsession"_s,   u"%home%/folder.mcpsession"_s,
            u"%home%/missing.mcpsession"_s, u"%home%/out/new.mcpsession"_s};
}

QStringList CliWorld::jsonFiles()
{
    return {u"%home%/object.json"_s, u"%home%/half.json"_s,  u"%home%/list.json"_s,      u"%home%/text.json"_s,
            u"%home%/empty.json"_s,  u"%home%/huge.json"_s,  u"%home%/deep.json"_s,      u"%home%/binary.json"_s,
            u"%home%/twice.json"_s,  u"%home%/rules.json"_s, u"%home%/responses.json"_s, u"%home%/out"_s,
            u"%home%/missing.json"_s};
}

QStringList CliWorld::scripts()
{
    return {u"%home%/good.script"_s, u"%home%/failing.script"_s, u"%home%/wrong.script"_s,
            u"%home%/long.script"_s, u"%home%/binary.script"_s,  u"%home%/whole.mcpsession"_s,
            u"%home%/out"_s,         u"%home%/missing.script"_s, u"-"_s};
}

// Within its home only: whoever runs this may be allowed to replace a device.
QStringList CliWorld::places()
{
    return {u"%home%/out/new.mcpsession"_s,
            u"%home%/out/other"_s,
            u"%home%/whole.mcpsession"_s,
            u"%home%/closed/new"_s,
            u"%home%/missing/new"_s,
            u"%home%/out"_s,
            QString()};
}

bool CliWorld::staysAtHome(const QStringList &words) const
{
    static const QStringList writing{u"-o"_s, u"--output"_s, u"--record"_s, u"--save"_s, u"--junit"_s};
    const auto isInside = [this](const QString &place) {
        const QString path = QDir::cleanPath(QDir(home()).absoluteFilePath(place));
        return path == home() || path.startsWith(home() + u'/');
    };
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString option = words.at(i).section(u'=', 0, 0);
        if (!writing.contains(option))
            continue;
        const bool isAttached = words.at(i).contains(u'=');
        const QString place = isAttached ? words.at(i).section(u'=', 1) : words.value(i + 1);
        if (!place.isEmpty() && !isInside(filled(place)))
            return false;
    }
    return true;
}

QList<QStringList> CliWorld::servers()
{
    const auto demoWith = [](const QStringList &switches) {
        return QStringList{u"--revision"_s, u"2025-11-25"_s, u"--"_s, u"%demo%"_s} + switches;
    };
    const auto statelessWith = [](const QStringList &switches) {
        return QStringList{u"--revision"_s, u"2026-07-28"_s, u"--"_s, u"%demo%"_s} + switches;
    };
    const auto scriptedWith = [](const QStringList &script) {
        return QStringList{u"--revision"_s, u"2025-11-25"_s, u"--"_s, u"%fake%"_s} + script;
    };
    const auto program = [](const QStringList &words) { return QStringList{u"--"_s} + words; };
    return {
        demoWith({}),
        demoWith({}),
        statelessWith({}),
        statelessWith({}),
        program({u"%demo%"_s}),
        demoWith({u"--page-size"_s, u"3"_s}),
        demoWith({u"--slow-start"_s, u"300"_s}),
        demoWith({u"--exit-before-handshake"_s, u"3"_s}),
        demoWith({u"--stderr-then-exit"_s}),
        demoWith({u"--junk-on-stdout"_s}),
        demoWith({u"--huge-line"_s, u"3000000"_s}),
        demoWith({u"--flood"_s, u"20000"_s}),
        statelessWith({u"--flood"_s, u"5000"_s}),
        demoWith({u"--ignore-sigterm"_s}),
        demoWith({u"--never-respond"_s, u"tools/call"_s}),
        statelessWith({u"--never-respond"_s, u"tools/list"_s}),
        demoWith({u"--missing-method"_s, u"tools/list"_s}),
        demoWith({u"--crash-on-call"_s}),
        demoWith({u"--exit-on-call"_s, u"7"_s}),
        statelessWith({u"--crash-on-call"_s}),
        demoWith({u"--bad-json"_s}),
        demoWith({u"--wrong-id"_s}),
        demoWith({u"--duplicate-response"_s}),
        demoWith({u"--late"_s}),
        demoWith({u"--help"_s}),
        scriptedWith({u"signal:11"_s}),
        scriptedWith({u"readline"_s, u"signal:9"_s}),
        scriptedWith({u"readline"_s, u"exit:0"_s}),
        scriptedWith({u"exit:5"_s}),
        scriptedWith({u"hang"_s}),
        scriptedWith({u"ignore:15"_s, u"ignore:2"_s, u"hang"_s}),
        scriptedWith({u"closeout"_s, u"hang"_s}),
        scriptedWith({u"closein"_s, u"hang"_s}),
        scriptedWith({u"spawn"_s, u"exit:1"_s}),
        scriptedWith({u"spawnstubborn"_s, u"hang"_s}),
        scriptedWith({u"flood:100000"_s, u"exit:1"_s}),
        scriptedWith({u"spawnflood:3"_s, u"hang"_s}),
        scriptedWith({u"pingflood:2000"_s, u"exit:1"_s}),
        scriptedWith({u"noise:1000000"_s, u"exit:1"_s}),
        scriptedWith({u"errflood:2000000"_s, u"exit:1"_s}),
        scriptedWith({u"raw:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":"_s, u"exit:0"_s}),
        scriptedWith({u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"_s, u"hang"_s}),
        scriptedWith({u"big:3000000"_s, u"hang"_s}),
        program({u"%cli%"_s, u"mock"_s, u"%home%/whole.mcpsession"_s}),
        program({u"/bin/false"_s}),
        program({u"/bin/cat"_s}),
        program({u"/no/such/program"_s}),
        program({u"%home%/out"_s}),
        program({u"%home%/object.json"_s}),
        program({}),
        {u"--url"_s, u"%http%"_s},
        {u"--url"_s, u"%http%"_s},
        {u"--url"_s, u"%http%"_s, u"--revision"_s, u"2025-11-25"_s},
        {u"--url"_s, u"%sse%"_s},
        {u"--url"_s, u"%sse%"_s, u"--transport"_s, u"sse"_s},
        {u"--url"_s, u"%http%"_s, u"--transport"_s, u"sse"_s},
        {u"--url"_s, u"%http%/nothing/here"_s},
        {u"--url"_s, u"http://127.0.0.1:1/mcp"_s},
        {u"--url"_s, u"https://127.0.0.1:1/mcp"_s},
        {u"--url"_s, u"no url at all"_s},
        {u"--url"_s, QString()},
        {u"--server"_s, u"demo"_s, u"--yes"_s},
        {u"--server"_s, u"demo"_s},
        {u"--server"_s, u"http"_s, u"--yes"_s},
        {u"--server"_s, u"crash"_s, u"--yes"_s},
        {u"--server"_s, u"gone"_s, u"--yes"_s},
        {u"--server"_s, u"nobody"_s},
        {},
    };
}

bool CliWorld::isEndless(const QStringList &words)
{
    return isAnyIn(words, {u"hang"_s, u"--never-respond"_s, u"/bin/cat"_s, u"--wrong-id"_s, u"--bad-json"_s});
}

bool CliWorld::isDead(const QStringList &words)
{
    return !isEndless(words) && isAnyIn(words, {u"signal:"_s, u"exit:"_s, u"--stderr-then-exit"_s, u"/bin/false"_s,
                                                u"--exit-before-handshake"_s, u"/no/such/program"_s});
}

}  // namespace sonde::monkey
