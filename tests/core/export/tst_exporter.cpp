// Others can read what was exported, and find nothing in it that is secret or that runs.
// SPDX-License-Identifier: Apache-2.0
#include "core/export/exporter.h"
#include "core/filter/filterfields.h"
#include "core/json/builder.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <unistd.h>
#include <QBuffer>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

using Kind = WireEvent::Kind;

const ExportFormat formats[] = {ExportFormat::JsonLines, ExportFormat::Har, ExportFormat::Markdown, ExportFormat::Html};

QByteArray exported(const Session &session, const ExportOptions &options)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    Exporter exporter(&session, options);
    const Error error = exporter.write(&buffer);
    return error ? "failed: " + error.message.toUtf8() : buffer.data();
}

QByteArray exported(const Session &session, ExportFormat format)
{
    ExportOptions options;
    options.format = format;
    return exported(session, options);
}

// One call over HTTP that is answered by an event stream, and a notification that is only accepted.
void playHttp(Session &session, const QByteArray &argument = "1", const QByteArray &response = "3")
{
    session.append(happening(Kind::Open, Direction::Local, {}, "{\"transport\":\"http\"}"), 1);
    const auto post = [](int stream) {
        return "{\"stream\":" + QByteArray::number(stream) +
               R"(,"method":"POST","url":"http:\/\/127.0.0.1:1\/mcp?a=b%20c","headers":[["Content-Type","application/json"],)"
               R"(["Authorization","Bearer CANARY-header-0001"]]})";
    };
    session.append(happening(Kind::HttpRequest, Direction::ToServer, {}, post(1)), 1);
    session.append(message(Direction::ToServer,
                           R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":)" +
                               argument + "}}}",
                           "{\"stream\":1}"),
                   1);
    session.append(
        happening(Kind::HttpResponse, Direction::FromServer, {},
                  R"({"stream":1,"status":200,"reason":"OK","headers":[["Content-Type","text/event-stream"]],)"
                  R"("ms":0})"),
        1);
    session.append(message(Direction::FromServer,
                           R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}})",
                           R"({"stream":1,"event":"message","id":"e-7","retry":1500})"),
                   1);
    session.append(happening(Kind::Sse, Direction::FromServer, {}, R"({"stream":1,"comment":"keep-alive"})"), 1);
    session.append(happening(Kind::Sse, Direction::FromServer, {}, R"({"stream":1,"id":"e-8","retry":2000})"), 1);
    session.append(
        message(Direction::FromServer,
                R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":")" + response + "\"}]}}",
                "{\"stream\":1}"),
        1);
    session.append(happening(Kind::HttpRequest, Direction::ToServer, {}, post(2)), 1);
    session.append(
        message(Direction::ToServer, R"({"jsonrpc":"2.0","method":"notifications/initialized"})", "{\"stream\":2}"), 1);
    session.append(happening(Kind::HttpResponse, Direction::FromServer, {},
                             R"({"stream":2,"status":202,"reason":"Accepted","headers":[],"ms":0})"),
                   1);
    session.append(happening(Kind::HttpRequest, Direction::ToServer, {}, post(3)), 1);
    session.flush();
}

QList<QByteArray> exportedForms(const QByteArray &secret)
{
    QByteArray padded = "xx" + secret;
    return {secret, secret.toPercentEncoding(), secret.toBase64().chopped(4), padded.toBase64().mid(3).chopped(4)};
}

}  // namespace

class ExporterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void jsonLinesAreMessages()
    {
        Session session;
        playEverything(session, true);
        const QList<QByteArray> lines = exported(session, ExportFormat::JsonLines).split('\n');
        QCOMPARE(lines.last(), QByteArray());
        QCOMPARE(lines.size() - 1, session.messageCount());
        qsizetype last = 0;
        for (const QByteArray &line : lines.first(lines.size() - 1)) {
            const json::Document document = json::Document::parse(line);
            QVERIFY2(document.isValid(), line.constData());
            const qsizetype n = qsizetype(document.root()[u"record"].toInteger().value_or(0));
            QVERIFY(n > last && session.at(n - 1).kind == Kind::Message);
            last = n;
            // The words are those of filters.
            const RecordInfo &record = session.at(n - 1);
            QCOMPARE(document.root()[u"direction"].string(), filterWordOf(FilterField::Dir, record));
            if (record.outcome != RowOutcome::None)
                QCOMPARE(document.root()[u"outcome"].string(), filterWordOf(FilterField::Outcome, record));
            const json::Value shown = document.root()[u"message"];
            QVERIFY2(shown.exists() || document.root()[u"text"].isString(), line.constData());
            if (shown.exists())
                QCOMPARE(json::compact(shown), json::compact(session.message(n - 1).root()));
        }
    }

    void onlyWhatWasChosen()
    {
        Session session;
        playLittle(session);
        session.flush();
        ExportOptions options;
        options.rows = std::vector<qsizetype>{1, 2};
        QCOMPARE(exported(session, options).count('\n'), 2);
        options.format = ExportFormat::Html;
        const QByteArray page = exported(session, options);
        QCOMPARE(page.count("<details>"), 2);
        QVERIFY(!page.contains("tools/call</b>"));
    }

    void harHasItsShape()
    {
        Session session;
        playHttp(session);
        const QByteArray text = exported(session, ExportFormat::Har);
        const json::Document document = json::Document::parse(text);
        QVERIFY2(document.isValid(), text.constData());
        const json::Value log = document.root()[u"log"];
        QCOMPARE(log[u"version"].string(), u"1.2"_s);
        QCOMPARE(log[u"creator"][u"name"].string(), u"Sonde"_s);
        QCOMPARE(log[u"entries"].size(), 3);
        for (const json::Value entry : log[u"entries"]) {
            // Every member that HAR 1.2 does not call optional.
            QVERIFY(QDateTime::fromString(entry[u"startedDateTime"].string(), Qt::ISODateWithMs).isValid());
            QVERIFY(entry[u"time"].isNumber() && entry[u"cache"].isObject());
            const json::Value request = entry[u"request"];
            for (const QStringView name : {u"method", u"url", u"httpVersion"})
                QVERIFY(request[name].isString());
            for (const QStringView name : {u"cookies", u"headers", u"queryString"})
                QVERIFY(request[name].isArray());
            const json::Value response = entry[u"response"];
            for (const QStringView name : {u"statusText", u"httpVersion", u"redirectURL"})
                QVERIFY(response[name].isString());
            for (const QStringView name : {u"cookies", u"headers"})
                QVERIFY(response[name].isArray());
            QVERIFY(response[u"status"].isNumber() && response[u"content"][u"size"].isNumber() &&
                    response[u"content"][u"mimeType"].isString());
            double sum = 0;
            for (const QStringView name : {u"send", u"wait", u"receive"}) {
                QVERIFY(entry[u"timings"][name].toDouble(-1) >= 0);
                sum += entry[u"timings"][name].toDouble();
            }
            QVERIFY(qAbs(sum - entry[u"time"].toDouble()) < 0.01);
            for (const json::Value &side : {request, response}) {
                QVERIFY(side[u"headersSize"].isNumber() && side[u"bodySize"].isNumber());
                for (const json::Value header : side[u"headers"])
                    QVERIFY(header[u"name"].isString() && header[u"value"].isString());
            }
        }
        const json::Value call = log[u"entries"].at(0);
        QCOMPARE(call[u"request"][u"queryString"].at(0)[u"value"].string(), u"b c"_s);
        QCOMPARE(call[u"request"][u"postData"][u"mimeType"].string(), u"application/json"_s);
        QVERIFY(json::parse(call[u"request"][u"postData"][u"text"].string().toUtf8())[u"id"].exists());
        QVERIFY(call[u"request"][u"headers"].at(1)[u"value"].string().startsWith(u"Bearer ‹authorization:"_s));
        const QString body = call[u"response"][u"content"][u"text"].string();
        QCOMPARE(body.count(u"data: {"_s), 2);
        QVERIFY(body.endsWith(u"\n\n"_s));
        QVERIFY2(body.startsWith(u"event: message\nid: e-7\nretry: 1500\ndata: {"_s), qPrintable(body.left(200)));
        QVERIFY2(body.contains(u"\n\n: keep-alive\n\nid: e-8\nretry: 2000\n\ndata: {"_s), qPrintable(body));
        QCOMPARE(log[u"entries"].at(1)[u"response"][u"status"].toInteger().value_or(0), 202);
        QCOMPARE(log[u"entries"].at(2)[u"response"][u"status"].toInteger().value_or(-1), 0);  // never came
    }

    void pagesHoldNoMarkupOfTheServer()
    {
        const auto withEvil = [](QByteArray text) {
            return text.replace("EVIL", "<script>alert(1)<\\/script><img src=x onerror=alert(1)>&lt;\\u202e\\\"'>");
        };
        Session session;
        session.append(sent(withEvil(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"EVIL"}})")), 1);
        session.append(
            received(withEvil(R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"EVIL"}]}})")), 1);
        session.append(happening(Kind::Stderr, Direction::FromServer, "</pre></details><iframe src='x'>\x1b[31m"), 1);
        session.append(happening(Kind::Junk, Direction::FromServer, "<b>\xFF\xFE"), 1);
        session.flush();
        const QByteArray page = exported(session, ExportFormat::Html);
        for (const char *markup : {"<script", "<img", "<iframe", "<b>\xEF", "onerror=alert(1)>", "\x1b", "javascript:",
                                   "\xE2\x80\xAE", "http:", "https:", "url(", "@import", "<link", "src=\""})
            QVERIFY2(!page.contains(markup), markup);
        QVERIFY(page.contains("default-src &#x27;none&#x27;") || page.contains("default-src 'none'"));
        QVERIFY(page.contains("&lt;script&gt;"));
        // Every tag is one of ours.
        QRegularExpressionMatchIterator tags =
            QRegularExpression(u"<(/?[a-zA-Z!][a-zA-Z0-9]*)"_s).globalMatch(QString::fromUtf8(page));
        const QStringList known{u"!doctype"_s, u"html"_s,    u"head"_s, u"meta"_s,  u"title"_s, u"style"_s, u"body"_s,
                                u"h1"_s,       u"h2"_s,      u"p"_s,    u"table"_s, u"tr"_s,    u"th"_s,    u"td"_s,
                                u"details"_s,  u"summary"_s, u"span"_s, u"b"_s,     u"pre"_s,   u"div"_s,   u"i"_s};
        QVERIFY(tags.hasNext());
        while (tags.hasNext()) {
            QString tag = tags.next().captured(1);
            tag.remove(u'/');
            QVERIFY2(known.contains(tag), qPrintable(tag));
        }
        QCOMPARE(page.count("<details>"), page.count("</details>"));
    }

    void markdownKeepsServerTextInItsFence()
    {
        const QByteArray ticks(4, '`');
        const auto named = [](QByteArray text, const QByteArray &name) { return text.replace("NAME", name); };
        Session session;
        session.append(received(named(R"({"jsonrpc":"2.0","method":"x","params":{"t":"NAME"}})", ticks)), 1);
        session.append(happening(Kind::Stderr, Direction::FromServer, ticks + "` <b>out</b>"), 1);
        session.append(
            sent(named(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"NAME"}})", "[a](x) <i> `b`")),
            1);
        session.flush();
        const QByteArray text = exported(session, ExportFormat::Markdown);
        QVERIFY2(text.contains('\n' + ticks + "`json\n"), text.constData());
        QVERIFY2(text.contains('\n' + ticks + "``\n" + ticks + "` <b>out</b>\n" + ticks + "``\n"), text.constData());
        QVERIFY2(text.contains("\\[a\\]\\(x\\) \\<i\\> \\`b\\`"), text.constData());
    }

    void secretsDoNotLeave()
    {
        Session session;
        const QByteArray given = "CANARY-given word/1";
        const QByteArray password = "CANARY-password-2";
        const QByteArray token = "ghp_CANARY3CANARY3CANARY3CANARY3";
        const QByteArray assigned = "CANARY-assigned-4";
        const QByteArray bearer = "CANARY.bearer.555555";
        const QByteArray pin = "1234";
        const auto with = [&](QByteArray text) {
            return text.replace("PASSWORD", password)
                .replace("PIN", pin)
                .replace("TOKEN", token)
                .replace("GIVEN", given.toPercentEncoding())
                .replace("BASE64", password.toBase64());
        };
        // First in plain sight, and only later where it says what it is.
        session.append(
            received(with(
                R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":"user PASSWORD logs in"}})")),
            1);
        session.append(
            sent(with(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"login","arguments":)"
                      R"({"userPassword":"PASSWORD","pass_phrase":"PIN"},"_meta":{"progressToken":"progress-01"}}})")),
            1);
        session.append(received(with(R"({"jsonrpc":"2.0","id":1,"result":{"content":[)"
                                     R"({"type":"text","text":"got TOKEN and GIVEN"}],)"
                                     R"("structuredContent":{"b":"BASE64"}}})")),
                       1);
        session.append(happening(Kind::Stderr, Direction::FromServer, "API_KEY=" + assigned + " Bearer " + bearer), 1);
        session.append(happening(Kind::Stderr, Direction::FromServer, "password: required, token=sometimes"), 1);
        playHttp(session);
        for (const ExportFormat format : formats) {
            ExportOptions options;
            options.format = format;
            options.secrets = QStringList{QString::fromUtf8(given)};
            const QByteArray text = exported(session, options);
            for (const QByteArray &secret :
                 {given, password, token, assigned, bearer, QByteArray("CANARY-header-0001")}) {
                for (const QByteArray &way : exportedForms(secret))
                    QVERIFY2(!text.contains(way), (way + " in " + text).constData());
            }
            QVERIFY2(!text.contains("\"1234\"") && !text.contains("&quot;1234&quot;"), text.constData());
        }
        const QByteArray all = exported(session, ExportFormat::Markdown);
        QVERIFY(all.contains("progress-01"));
        QVERIFY(all.contains("password: required, token=sometimes"));

        ExportOptions options;
        options.format = ExportFormat::Markdown;
        options.secrets = QStringList{QString::fromUtf8(given)};
        Exporter exporter(&session, options);
        const QList<MaskedSecret> masked = exporter.preview();
        QStringList kinds;
        qsizetype passwords = 0;
        bool hasEarlier = false;
        for (const MaskedSecret &secret : masked) {
            kinds.append(secret.kind);
            QVERIFY(secret.occurrences > 0 && !secret.where.isEmpty());
            QVERIFY(!secret.mark.contains(u"CANARY"_s));
            QCOMPARE(secret.length == 0, secret.isFromRecording);
            passwords += secret.kind == u"password"_s ? secret.occurrences : 0;
            // The recording did not know it yet; its own mark, later on, tells which word it is.
            if (secret.kind == u"password"_s && !secret.isFromRecording) {
                QCOMPARE(secret.firstRow, 0);
                QCOMPARE(secret.length, password.size());
                hasEarlier = true;
            }
        }
        QCOMPARE(passwords, 3);
        QVERIFY(hasEarlier);
        for (const char *kind : {"secret", "password", "passphrase", "token", "key", "authorization"})
            QVERIFY2(kinds.contains(QLatin1String(kind)), kind);
        // Writing says the same as the preview did.
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        QVERIFY(!exporter.write(&buffer));
        QCOMPARE(exporter.masked().size(), masked.size());
    }

    void homesDoNotLeave_data()
    {
        QTest::addColumn<QByteArray>("home");
        QTest::addColumn<QByteArray>("others");  // which are none
        QTest::newRow("Linux") << QByteArray("/home/ada") << QByteArray("/home/adam /home/bob");
        QTest::newRow("macOS") << QByteArray("/Users/ada") << QByteArray("/Users/adam");
        QTest::newRow("root") << QByteArray("/root") << QByteArray("/mnt/root /rooted http://a.b/root");
        QTest::newRow("temporary") << QByteArray("/tmp/x/home") << QByteArray("/tmp/x/homes /tmp/x");
        QTest::newRow("with a slash") << QByteArray("/home/ada/") << QByteArray("/home/adam");
    }
    void homesDoNotLeave()
    {
        QFETCH(const QByteArray, home);
        QFETCH(const QByteArray, others);
        const QByteArray path = home.endsWith('/') ? home.chopped(1) : home;
        const QByteArray own = qgetenv("HOME");
        const auto restored = qScopeGuard([&own] { qputenv("HOME", own); });
        qputenv("HOME", "/home/exporter");
        const auto with = [&](QByteArray text) {
            return text.replace("VALUE", home)
                .replace("ESCAPED", path.toPercentEncoding())
                .replace("PLACE", path)
                .replace("OTHERS", others);
        };
        Session session;
        // The server says it before anybody knows that it is one.
        session.append(
            happening(Kind::Stderr, Direction::FromServer, with("/home/exporter: reads PLACE/notes, not OTHERS")), 1);
        session.append(
            happening(Kind::Open, Direction::Local, {},
                      with(R"({"transport":"stdio","program":"PLACE/bin/server","argv":["PLACE/bin/server"],)"
                           R"("cwd":"PLACE","environment":[],"variables":[["HOME","VALUE"],)"
                           R"(["PATH","/usr/bin:PLACE/bin"]],"inherited":[]})")),
            1);
        session.append(received(with(R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text",)"
                                     R"("text":"In:\nPLACE\nfile:\/\/PLACE/a file%3A%2F%2FESCAPED%2Fb. OTHERS"}]}})")),
                       1);
        session.flush();
        for (const ExportFormat format : formats) {
            const QByteArray text = exported(session, format);
            QByteArray rest = text;
            for (const QByteArray &other : others.split(' '))
                rest.replace(other, "");
            for (const QByteArray &hidden : {path, path.toPercentEncoding(), QByteArray("exporter")})
                QVERIFY2(!rest.contains(hidden), text.constData());
        }
        ExportOptions options;
        options.format = ExportFormat::Markdown;
        QVERIFY(exported(session, options).contains(others));
        const QList<MaskedSecret> masked = Exporter(&session, options).preview();
        QCOMPARE(masked.size(), 2);
        for (const MaskedSecret &secret : masked) {
            QCOMPARE(secret.kind, u"home"_s);
            QCOMPARE(secret.where, u"home directory"_s);
            QCOMPARE(secret.firstRow, 0);
        }
        QCOMPARE(masked[0].occurrences, 1);
        QCOMPARE(masked[1].occurrences, 9);
        QCOMPARE(masked[1].length, path.size());
    }

    // Also behind a record that is missing, or that cannot be read.
    void numbersAreThoseOfTheFile()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"s.mcpsession"_s);
        {
            const std::unique_ptr<Session> written = Session::create(path, u"demo"_s);
            written->append(received(R"({"jsonrpc":"2.0","method":"first"})"), 1);
            written->append(received(R"({"jsonrpc":"2.0","method":"second"})"), 1);
            written->append(sent(R"({"jsonrpc":"2.0","id":1,"method":"third","params":{"token":"CANARY-0001"}})"), 1);
            written->append(received(R"({"jsonrpc":"2.0","id":1,"result":{}})"), 1);
        }
        QList<QByteArray> lines = readFile(path).split('\n');
        lines.removeAt(2);
        writeFile(path, lines.join('\n'));
        const auto opened = Session::open(path);
        QVERIFY(opened);
        const Session &session = **opened;
        QCOMPARE(session.size(), 4);
        QList<qint64> numbers;
        QList<qint64> partners;
        for (const QByteArray &line : exported(session, ExportFormat::JsonLines).trimmed().split('\n')) {
            numbers << json::parse(line)[u"record"].toInteger().value_or(0);
            partners << json::parse(line)[u"partner"].toInteger().value_or(0);
        }
        Exporter exporter(&session, {});
        const QList<MaskedSecret> masked = exporter.preview();
        QCOMPARE(masked.size(), 1);
        QCOMPARE(masked.first().firstNumber, 3U);
        QCOMPARE(numbers, QList<qint64>({1, 3, 4}));
        QCOMPARE(partners, QList<qint64>({0, 4, 3}));
        const QByteArray text = exported(session, ExportFormat::Markdown);
        QVERIFY2(text.contains("### 3 → third") && text.contains("### 4 ← third"), text.constData());
        const QByteArray page = exported(session, ExportFormat::Html);
        QVERIFY2(!page.contains("dim\">2 ") && page.contains("dim\">3 ") && page.contains("dim\">4 "),
                 page.constData());
    }

    void aRecordingIsNotReplaced_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isRefused");
        QTest::addRow("itself") << u"s.mcpsession"_s << true;
        QTest::addRow("itself, by a longer way") << u"./../%1/s.mcpsession"_s << true;
        QTest::addRow("a symbolic link to it") << u"symbolic"_s << true;
        QTest::addRow("another name of it") << u"hard"_s << true;
        QTest::addRow("another recording") << u"t.mcpsession"_s << false;
        QTest::addRow("a new file") << u"new"_s << false;
    }

    void aRecordingIsNotReplaced()
    {
        QFETCH(QString, name);
        QFETCH(bool, isRefused);
        QTemporaryDir folder;
        const QString path = folder.filePath(u"s.mcpsession"_s);
        for (const QString &each : {path, folder.filePath(u"t.mcpsession"_s)}) {
            const std::unique_ptr<Session> written = Session::create(each, u"demo"_s);
            playLittle(*written);
        }
        QVERIFY(QFile::link(path, folder.filePath(u"symbolic"_s)));
        QCOMPARE(::link(path.toUtf8().constData(), folder.filePath(u"hard"_s).toUtf8().constData()), 0);
        const QByteArray before = readFile(path);
        const auto session = Session::open(path);
        QVERIFY(session);
        const QString target = folder.path() + u'/' + name.replace(u"%1"_s, QFileInfo(folder.path()).fileName());
        for (const ExportFormat format : formats) {
            ExportOptions options;
            options.format = format;
            Exporter exporter(session->get(), options);
            QSaveFile out(target);
            QVERIFY(out.open(QIODevice::WriteOnly));
            QCOMPARE(bool(exporter.write(&out)), isRefused);
            QCOMPARE(out.size() == 0, isRefused);
        }
        // A shell has opened it: it has no name here.
        QFile appending(target);
        QVERIFY(appending.open(QIODevice::Append));
        QFile unnamed;
        QVERIFY(unnamed.open(appending.handle(), QIODevice::WriteOnly));
        Exporter exporter(session->get(), {});
        QCOMPARE(bool(exporter.write(&unnamed)), isRefused);
        unnamed.close();
        QCOMPARE(readFile(path), before);
    }

    void anythingCanBeExported()
    {
        Session session;
        playEverything(session, true);
        playHttp(session, "\"\xE2\x80\xB9\"", "\\u0000");
        for (const ExportFormat format : formats) {
            const QByteArray text = exported(session, format);
            QVERIFY(text.size() > 100);
            QVERIFY(QString::fromUtf8(text).toUtf8() == text);
            QVERIFY(!text.contains('\0'));
        }
        const Session empty;
        for (const ExportFormat format : formats)
            QVERIFY(!exported(empty, format).startsWith("failed"));
    }

    void aDeviceThatFailsIsSaid()
    {
        Session session;
        playLittle(session);
        session.flush();
        QBuffer closed;
        Exporter exporter(&session, {});
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"QIODevice::write.*"_s));
        QVERIFY(exporter.write(&closed));
    }
};

SONDE_TEST(ExporterTest)
#include "tst_exporter.moc"
