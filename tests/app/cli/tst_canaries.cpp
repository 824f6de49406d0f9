// Secrets on their way through the whole program, to servers that say all of it back: none is in any file or report.
// SPDX-License-Identifier: Apache-2.0
#include "core/calls/exchange.h"
#include "core/connection/clicommand.h"
#include "core/json/builder.h"
#include "core/session/session.h"
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::cliProgram;
using sonde::test::CliRun;
using sonde::test::runCli;

namespace {

// By where they are put in.
const QString Bearer = u"CANARY01-bearer/+=x"_s;
const QString Basic = u"CANARY02-basic&password"_s;
const QString Cookie = u"CANARY03-cookie-value"_s;
const QString ApiKey = u"CANARY04_key/value+"_s;
const QString UserInfo = u"CANARY05 user&info"_s;
const QString Query = u"CANARY06?query=value"_s;
const QString Variable = u"CANARY07\"quoted\\variable"_s;
const QString Flag = u"CANARY08 flag \"é\""_s;
const QString Kept = u"CANARY09/kept/server"_s;
const QString Argument = u"CANARY10 pin \\é€\""_s;
const QString ClientSecret = u"CANARY11-client-secret"_s;
const QString RefreshToken = u"CANARY12-refresh-token"_s;
const QString Path = u"CANARY13a4b5c6d7e8f9"_s;
const QStringList Canaries{Bearer, Basic, Cookie,   ApiKey,       UserInfo,     Query, Variable,
                           Flag,   Kept,  Argument, ClientSecret, RefreshToken, Path};

// Every way in which somebody may search for it.
QList<QByteArray> waysToFind(const QString &canary)
{
    const QByteArray secret = canary.toUtf8();
    const auto escaped = [](const QByteArray &text) {
        return json::quoted(QString::fromUtf8(text)).chopped(1).sliced(1);
    };
    // As JSON libraries write those characters; all of them where none are given.
    const auto forced = [&canary](const QString &characters, bool upper) {
        QByteArray text;
        for (const QChar &c : canary) {
            const QByteArray digits = QByteArray::number(c.unicode(), 16).rightJustified(4, '0');
            const bool isForced = characters.isEmpty() || characters.contains(c) || c.unicode() > 0x7F;
            text += isForced ? "\\u" + (upper ? digits.toUpper() : digits)
                             : json::quoted(QStringView(&c, 1)).chopped(1).sliced(1);
        }
        return text;
    };
    const QByteArray go = forced(u"&<>"_s, false);
    const QByteArray net = forced(u"&<>+'`\""_s, true);
    const QByteArray all = forced({}, false);
    const QByteArray percent = secret.toPercentEncoding();
    QList<QByteArray> ways{secret,
                           percent,
                           percent.toLower(),
                           percent.toPercentEncoding(),
                           escaped(secret),
                           escaped(escaped(secret)),
                           escaped(secret).replace("/", "\\/"),
                           go,
                           net,
                           all,
                           escaped(go),
                           escaped(net),
                           escaped(all),
                           go.toPercentEncoding()};
    for (int before = 0; before < 3; ++before) {
        // The characters that no neighbour has a part in.
        const QByteArray text = (QByteArray(before, 'x') + secret).toBase64();
        ways << text.mid((before * 8 + 5) / 6, (secret.size() * 8 - 10) / 6);
    }
    return ways;
}

QString node()
{
    return QStringLiteral(SONDE_SOURCE_DIR "/tests/peers/node_modules/.bin/node");
}

QString echoScript()
{
    return QStringLiteral(SONDE_SOURCE_DIR "/tests/app/cli/echoserver.cjs");
}

}  // namespace

class tst_Canaries : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo::exists(node()))
            QSKIP("Node is missing: run 'npm ci --ignore-scripts' in tests/peers, as ./test does");
        m_home = qEnvironmentVariable("HOME");
        // What a person keeps there stands there as it is.
        const QString servers = m_home + u"/sonde/servers.json"_s;
        QVERIFY(QDir().mkpath(QFileInfo(servers).path()));
        test::writeFile(servers, "{\"mcpServers\":{\"kept\":{\"command\":" + json::quoted(node()) + ",\"args\":[" +
                                     json::quoted(echoScript()) + "],\"env\":{\"KEPT_PASSWORD\":" + json::quoted(Kept) +
                                     "}}}}");
        m_http.setReadChannel(QProcess::StandardError);
        m_http.start(node(), {echoScript(), u"--http"_s});
        QByteArray said;
        while (!said.endsWith('\n')) {
            QVERIFY2(m_http.waitForReadyRead(sonde::test::Patience), said.constData());
            said += m_http.readAllStandardError();
        }
        const QString port = QString::fromLatin1(said.sliced(said.lastIndexOf(' ') + 1).trimmed());
        const auto encoded = [](const QString &text) { return QString::fromLatin1(QUrl::toPercentEncoding(text)); };
        const QString address = u"127.0.0.1:"_s + port + u"/s/"_s + Path + u"/mcp?api_key="_s + encoded(Query);
        const QStringList headers{u"--header"_s, u"Cookie: sid="_s + Cookie,
                                  u"--header"_s, u"X-Api-Key: "_s + ApiKey,
                                  u"--header"_s, u"X-Client-Secret: "_s + ClientSecret,
                                  u"--header"_s, u"X-Refresh-Token: "_s + RefreshToken};
        const QString basic = QString::fromLatin1(("me:" + Basic.toUtf8()).toBase64());
        m_servers = {
            {u"stdio"_s, {u"--env"_s, u"MY_TOKEN="_s + Variable, u"--"_s, node(), echoScript(), u"--api-key"_s, Flag}},
            {u"kept"_s, {u"--yes"_s, u"--server"_s, u"kept"_s}},
            {u"bearer"_s,
             QStringList{u"--url"_s, u"http://"_s + address, u"--header"_s, u"Authorization: Bearer "_s + Bearer} +
                 headers},
            {u"basic"_s,
             QStringList{u"--url"_s, u"http://"_s + address, u"--header"_s, u"Authorization: Basic "_s + basic} +
                 headers},
            {u"user-info"_s, {u"--url"_s, u"http://me:"_s + encoded(UserInfo) + u'@' + address}},
            {u"token as user-info"_s, {u"--url"_s, u"http://"_s + encoded(UserInfo) + u'@' + address}},
        };
    }

    void cleanupTestCase()
    {
        m_http.kill();
        m_http.waitForFinished();
    }

    void isNowhere_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("canaries");
        for (const auto &[name, words] : std::as_const(m_servers)) {
            QStringList given{Argument};
            for (const QString &canary : Canaries) {
                for (const QString &word : words) {
                    if (word.contains(canary) || word.contains(QString::fromLatin1(QUrl::toPercentEncoding(canary))))
                        given.append(canary);
                }
            }
            if (name == u"kept"_s)
                given.append(Kept);
            if (name == u"basic"_s)
                given.append(Basic);
            QTest::newRow(qUtf8Printable(name)) << words << given;
        }
    }

    void isNowhere()
    {
        QFETCH(QStringList, words);
        QFETCH(QStringList, canaries);
        const QTemporaryDir out;
        m_said.clear();
        // Options stand before the command, which comes last.
        const auto with = [&words](QStringList verb) { return verb + words; };
        QStringList sessions;
        for (const QString &tool : {u"echo"_s, u"break"_s, u"echo pin"_s}) {
            const QString session = out.filePath(QString(tool).replace(u' ', u'-') + u".mcpsession"_s);
            QStringList call{u"call"_s,     tool.section(u' ', 0, 0), u"text=hello"_s, u"--record"_s, session,
                             u"--verbose"_s};
            if (tool.endsWith(u"pin"_s))
                call.append(u"pin="_s + Argument);
            const CliRun run = runCli(with(call));
            QVERIFY2(QFile::exists(session), run.describe().constData());
            // Whoever calls a tool is shown its response as it is. So it does say back what it was told.
            for (const QString &canary : canaries) {
                if (canary != Argument || tool.endsWith(u"pin"_s))
                    QVERIFY2((run.out + run.err).contains(canary.toUtf8()),
                             (canary.toUtf8() + run.describe()).constData());
            }
            sessions.append(session);
        }
        for (const QString &session : std::as_const(sessions)) {
            for (const QString &format : {u"jsonl"_s, u"har"_s, u"markdown"_s, u"html"_s})
                say(runCli({u"export"_s, session, u"--format"_s, format}));
            for (const QStringList &verb :
                 {QStringList{u"log"_s, session}, QStringList{u"log"_s, session, u"--json"_s},
                  QStringList{u"stats"_s, session}, QStringList{u"stats"_s, session, u"--json"_s}})
                say(runCli(verb));
            const CliRun text = runCli(with({u"replay"_s, session, u"--allow-destructive"_s}));
            QVERIFY2(text.out.contains("changed"), text.describe().constData());
            say(text);
            say(runCli(with({u"replay"_s, session, u"--json"_s, u"--junit"_s, session + u".xml"_s, u"--record"_s,
                             session + u".again.mcpsession"_s})));
            QVERIFY(QFile::exists(session + u".xml"_s) && QFile::exists(session + u".again.mcpsession"_s));
            say(runCli({u"diff"_s, session, session + u".again.mcpsession"_s}));
            say(runCli({u"diff"_s, session, session + u".again.mcpsession"_s, u"--json"_s}));
            const QStringList mock{u"--"_s, cliProgram(), u"mock"_s, session};
            say(runCli(QStringList{u"call"_s, u"echo"_s, u"text=hello"_s, u"--verbose"_s} + mock));
            say(runCli(QStringList{u"info"_s, u"--json"_s} + mock));
            copyRows(session);
            if (QTest::currentTestFailed())
                return;
            say(runCli(with({u"replay"_s, session, u"--accept"_s})));
        }
        QVERIFY(m_said.contains("\xE2\x80\xB9"));  // marks stand in their places

        for (const QString &folder : {out.path(), m_home}) {
            QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                if (!file.fileName().endsWith(u"/servers.json"_s))
                    search(file.readAll(), file.fileName(), canaries);
            }
        }
        search(m_said, u"what was printed or copied"_s, canaries);
    }

private:
    void say(const CliRun &run) { m_said += run.out + '\n' + run.err + '\n'; }

    // What the menu of a row copies.
    void copyRows(const QString &path)
    {
        const Result<std::unique_ptr<Session>> opened = Session::open(path);
        QVERIFY(opened);
        const Session &session = **opened;
        for (qsizetype row = 0; row < session.size(); ++row) {
            m_said += session.bytes(row) + '\n' + session.facts(row) + '\n';
            if (session.at(row).messageKind != Message::Kind::Request)
                continue;
            const qsizetype request = httpExchangeOf(session, row).request;
            const bool isHttp = request >= 0;
            const QByteArray head = isHttp ? session.facts(request) : QByteArray();
            const Message message = session.message(row);
            const QString curl = curlCommand(head, session.bytes(row));
            const QString cli =
                cliCommand(recordedServerWords(session, row, head), message.method(), message.params().bytes());
            QCOMPARE(curl.isEmpty(), !isHttp);
            // Each of the servers is given a secret, and a mark stands in its place.
            if (message.method() == u"tools/call")
                QVERIFY2(cli.contains(u'‹') && (!isHttp || curl.contains(u'‹')), qPrintable(cli + u'\n' + curl));
            m_said += (curl + u'\n' + cli + u'\n').toUtf8();
        }
    }

    static void search(const QByteArray &text, const QString &where, const QStringList &canaries)
    {
        for (const QString &canary : canaries) {
            for (const QByteArray &way : waysToFind(canary)) {
                const qsizetype at = text.indexOf(way);
                if (at >= 0)
                    QFAIL((canary.toUtf8() + " as " + way + " in " + where.toUtf8() + ": " +
                           text.mid(qMax<qsizetype>(0, at - 200), 400))
                              .constData());
            }
        }
    }

    QString m_home;
    QProcess m_http;
    QList<std::pair<QString, QStringList>> m_servers;
    QByteArray m_said;
};

SONDE_TEST(tst_Canaries)
#include "tst_canaries.moc"
