// What must not be stored is not stored, in whatever spelling, and what is stored stays readable.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/redact/redactor.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

// Every way in which a test may search for a secret in a file.
QList<QByteArray> waysToFind(const QByteArray &secret)
{
    QByteArray escaped = json::quoted(QString::fromUtf8(secret));
    escaped = escaped.mid(1, escaped.size() - 2);
    QByteArray twice = json::quoted(QString::fromUtf8(escaped));
    twice = twice.mid(1, twice.size() - 2);
    QList<QByteArray> ways = {secret,         secret.toPercentEncoding(), escaped, twice,
                              secret.toHex(), secret.toHex().toUpper()};
    for (int before = 0; before < 3; ++before) {
        // The characters that no neighbour has a part in.
        const QByteArray text = (QByteArray(before, 'x') + secret).toBase64();
        ways << text.mid((before * 8 + 5) / 6, (secret.size() * 8 - 10) / 6);
    }
    return ways;
}

}  // namespace

class RedactorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twelveCanaries()
    {
        const QByteArray bearer = "bearer-CANARY-01/+=";
        const QByteArray cookie = "sid=CANARY02-abcdefgh";
        const QByteArray apiKey = "CANARY03_key_value";
        const QByteArray sessionId = "CANARY04-session-id";
        const QByteArray user = "CANARY05user:CANARY06 pass&word";
        const QByteArray query = "CANARY07?query=val";
        const QByteArray argument = "CANARY08-argument";
        const QByteArray variable = "CANARY09\"quoted\\";
        const QByteArray registered = "CANARY10 with space/and\nnewline";
        const QByteArray unicode = "CANARY11-\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
        const QByteArray number = "4929874530617284";
        const QByteArray basic = "CANARY12-basic-password";
        const QList<QByteArray> secrets = {
            bearer,   "CANARY02-abcdefgh", apiKey,  sessionId, "CANARY05user", "CANARY06 pass&word", query, argument,
            variable, registered,          unicode, number,    basic};

        const QString path = m_dir.filePath(QStringLiteral("canaries"));
        const std::unique_ptr<Session> session = Session::create(path, QStringLiteral("demo"));
        Session memory;
        for (Session *each : {session.get(), &memory}) {
            for (const QByteArray &secret : {registered, unicode, number, argument, variable})
                each->addSecret(QString::fromUtf8(secret));
            using Kind = WireEvent::Kind;
            const auto text = [](const QByteArray &bytes) { return json::quoted(QString::fromUtf8(bytes)); };
            const auto pair = [&](const QByteArray &name, const QByteArray &value) {
                return '[' + text(name) + ',' + text(value) + ']';
            };
            const QByteArray url = "https://" + user.toPercentEncoding(":") +
                                   "@host:8080/p?a=b&access_token=" + query.toPercentEncoding() + "&c=d#x";
            each->append(
                happening(Kind::Open, Direction::Local, {},
                          "{\"argv\":[\"prog\",\"--api-key\",\"CANARY03_key_value\",\"--secret=CANARY08-argument\","
                          "\"-v\"],\"environment\":[" +
                              pair("MY_TOKEN", variable) + "]}"),
                1);
            each->append(
                happening(Kind::HttpRequest, Direction::ToServer, {},
                          "{\"url\":" + text(url) + ",\"headers\":[" + pair("Authorization", "Bearer " + bearer) + ',' +
                              pair("COOKIE", cookie) + ',' + pair("X-Api-Key", apiKey) + ',' +
                              pair("Mcp-Session-Id", sessionId) + ',' + pair("Accept", "text/plain") + ',' +
                              pair("Proxy-Authorization", "Basic " + QByteArray("me:" + basic).toBase64()) + "]}"),
                1);
            // The server says it all again, in every spelling it can think of.
            for (const QByteArray &secret : secrets) {
                const QList<QByteArray> ways = waysToFind(secret);
                QByteArray response = R"({"jsonrpc":"2.0","id":1,"result":{"a":)" + text(secret) + R"(,"inner":)" +
                                      text("{\"a\":" + text(secret) + '}') + R"(,"url":)" +
                                      text(secret.toPercentEncoding()) + R"(,"form":)" +
                                      text(QByteArray(secret.toPercentEncoding()).replace("%20", "+").toLower());
                for (int before = 0; before < 3; ++before)
                    response += R"(,"b":)" + text((QByteArray(before, 'x') + secret + "tail").toBase64());
                response += "}}";
                each->append(received(response), 1);
                each->append(happening(Kind::Stderr, Direction::FromServer, "log: " + secret + " end"), 1);
                each->append(happening(Kind::Junk, Direction::FromServer, "\xFF" + secret + '\xFE'), 1);
                each->addFinding(QString::fromUtf8(secret), {}, 1);
            }
            each->append(received(R"({"jsonrpc":"2.0","id":2,"result":{"pin":4929874530617284}})"), 1);
            each->flush();
        }
        session->finish();
        QVERIFY(!session->error());

        QByteArray everything = readFile(path);
        for (Session *each : {session.get(), &memory}) {
            for (qsizetype row = 0; row < each->size(); ++row) {
                const RecordInfo &info = each->at(row);
                everything += each->bytes(row) + each->facts(row) + each->name(info.method).toUtf8() +
                              each->name(info.target).toUtf8();
                if (info.kind == WireEvent::Kind::Message)
                    QVERIFY2(json::Document::parse(each->bytes(row)).isValid(), each->bytes(row).constData());
                if (!each->facts(row).isEmpty())
                    QVERIFY2(json::Document::parse(each->facts(row)).isValid(), each->facts(row).constData());
            }
        }
        for (const QByteArray &secret : secrets) {
            for (const QByteArray &way : waysToFind(secret))
                QVERIFY2(!everything.contains(way), (secret + " as " + way).constData());
        }
        // What tells nothing stays.
        QVERIFY(everything.contains("Bearer \xE2\x80\xB9"));
        QVERIFY(everything.contains("@host:8080/p?a=b&access_token=\xE2\x80\xB9query:"));
        const QByteArray harmless = R"(["Accept","text/plain"])";
        QVERIFY(everything.contains(harmless));
        QVERIFY(everything.contains("log: \xE2\x80\xB9"));
        QVERIFY(everything.contains("\"pin\":-0e"));
    }

    // Libraries differ in what they leave unescaped, and in the case of their digits.
    void urlEscapesOfEveryLibrary_data()
    {
        QTest::addColumn<QByteArray>("spelling");
        QTest::newRow("encodeURIComponent") << QByteArray("S3cr%2Fe%2Bt%3D%22k%20Z");
        QTest::newRow("quote of Python") << QByteArray("S3cr/e%2Bt%3D%22k%20Z");
        QTest::newRow("encodeURI") << QByteArray("S3cr/e+t=%22k%20Z");
        QTest::newRow("form") << QByteArray("S3cr%2Fe%2Bt%3D%22k+Z");
        QTest::newRow("lower case") << QByteArray("S3cr%2fe%2bt%3d%22k%20Z");
    }
    void urlEscapesOfEveryLibrary()
    {
        QFETCH(QByteArray, spelling);
        Session session;
        session.addSecret(QStringLiteral("S3cr/e+t=\"k Z"));
        session.append(received(R"({"jsonrpc":"2.0","method":"n","params":{"a":"x)" + spelling + R"(y"}})"), 1);
        session.flush();
        QVERIFY2(!session.bytes(0).contains(spelling), session.bytes(0).constData());
        QVERIFY(session.bytes(0).contains("secret:"));
    }

    void marks()
    {
        const std::unique_ptr<Session> session = Session::create(m_dir.filePath(QStringLiteral("marks")), {});
        session->addSecret(QStringLiteral("hunter22"));
        const QByteArray text = R"({"jsonrpc":"2.0","method":"n","params":{"a":"xhunter22y","b":"hunter22"}})";
        session->append(received(text), 1);
        session->append(happening(WireEvent::Kind::Note, Direction::Local, {}, R"({"text":"hunter22"})"), 1);
        session->finish();
        const QList<QByteArray> lines = readFile(session->path()).split('\n');
        const json::Value first = json::parse(lines.at(1));
        QCOMPARE(first[u"red"].size(), 2);
        const QByteArray bytes = session->bytes(0);
        QByteArray mark;
        for (const json::Value red : first[u"red"]) {
            const qsizetype offset = qsizetype(red.at(0).toInteger().value_or(-1));
            const QByteArray part = bytes.mid(offset, qsizetype(red.at(1).toInteger().value_or(-1)));
            QVERIFY2(part.startsWith("\xE2\x80\xB9secret:") && part.endsWith("\xE2\x80\xBA"), part.constData());
            QVERIFY(mark.isEmpty() || mark == part);  // equal secrets have equal marks
            mark = part;
            QCOMPARE(red.at(2).string(), QStringLiteral("secret"));
        }
        QVERIFY(bytes.contains("\"x" + mark + "y\""));
        const json::Value second = json::parse(lines.at(2))[u"red"];
        QCOMPARE(second.size(), 1);
        QCOMPARE(second.at(0).at(3).string(), QStringLiteral("m"));
        QCOMPARE(session->facts(1).mid(qsizetype(*second.at(0).at(0).toInteger()), mark.size()), mark);
        QCOMPARE(session->at(0).wireLength, text.size());  // what it was on the wire
    }

    void jsonStaysJson_data()
    {
        QTest::addColumn<QString>("secret");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");  // M: the mark
        const auto row = [](const char *name, const QString &secret, const QByteArray &text,
                            const QByteArray &expected) { QTest::newRow(name) << secret << text << expected; };
        row("a number", u"123456"_s, R"([123456,"123456"])", R"([123456,"M"])");
        row("within a number", u"3456"_s, R"([12345678,-3456,3456.5,"a 12345678 b"])",
            R"([12345678,-3456,3456.5,"a 12345678 b"])");
        row("digits within words", u"3456"_s, R"(["a3456","3456a","1.3456","3456.1","id-3456"])",
            R"(["a3456","3456a","1.3456","3456.1","id-3456"])");
        row("digits by themselves", u"3456"_s, R"(["3456","pin:3456.","\n3456\n","3456,x"])",
            R"(["M","pin:M.","\nM\n","M,x"])");
        row("words of JSON", u"true"_s, R"({"a":true,"b":"true"})", R"({"a":true,"b":"M"})");
        row("behind a backslash", u"n123x"_s, R"(["a\n123x"])", R"(["aM"])");
        row("before an escape", u"abc\\"_s, R"(["abc\\","abc\n"])", R"(["M","M"])");
        row("within an escape", u"00e9x"_s, R"(["\u00e9x"])", R"(["M"])");
        row("a key", u"somewhat"_s, R"({"somewhat":1})", R"({"M":1})");
        row("structure", u"\":{\""_s, R"({"x":{"a":1}})", R"({"x":{"a":1}})");
        row("a value whole", u"{\"a\":1}"_s, "{\"x\":{\"a\":1},\"y\":\"{\\\"a\\\":1}\"}", R"({"x":{"a":1},"y":"M"})");
        row("overlapping", u"abab"_s, R"(["xabababx"])", R"(["xMx"])");
        row("slash", u"a/b/c/d"_s, R"(["a\/b\/c\/d","a/b/c/d"])", R"(["M","M"])");
        row("upper hex", u"caf\u00e9"_s, R"(["caf\u00E9 caf\u00e9"])", R"(["M M"])");
        row("no JSON", u"123456"_s, R"({"a":123456 1234567)", R"({"a":M 1234567)");
        row("too short", u"abc"_s, R"(["abc"])", R"(["abc"])");
    }

    void jsonStaysJson()
    {
        QFETCH(QString, secret);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        Redactor redactor("key");
        redactor.addWord(secret.toUtf8());
        QList<RedactionMark> marks;
        QByteArray bytes = text;
        const bool hasReplaced = redactor.redactPayload(bytes, marks);
        QCOMPARE(hasReplaced, !marks.isEmpty());
        for (qsizetype i = marks.size(); i-- > 0;) {
            QVERIFY(bytes.mid(marks.at(i).offset).startsWith("\xE2\x80\xB9secret:"));
            bytes.replace(marks.at(i).offset, marks.at(i).length, "M");
        }
        QCOMPARE(bytes, expected);
    }

    void linksGoOnWorking()
    {
        Session session;
        session.addSecret(QStringLiteral("request-7"));
        session.append(sent(R"({"jsonrpc":"2.0","id":"request-7","method":"tools/call","params":{"name":"x"}})"), 1);
        session.append(received(R"({"jsonrpc":"2.0","id":"request-7","result":{}})"), 1);
        session.flush();
        QCOMPARE(session.partnerOf(0), 1);
        QCOMPARE(session.at(0).outcome, RowOutcome::Ok);
    }

    // The same facts come again and again in a stream; what they hold may become a secret in between.
    void aSecretLearnedInTheMiddle()
    {
        Session session;
        WireEvent event = received(R"({"jsonrpc":"2.0","method":"m"})");
        event.facts = R"({"stream":1,"event":"correct-horse"})";
        session.append(event, 1);
        session.append(event, 1);
        session.addSecret(QStringLiteral("correct-horse"));
        session.append(event, 1);
        session.append(event, 1);
        session.flush();
        QCOMPARE(session.facts(1), event.facts);
        for (qsizetype row = 2; row < 4; ++row)
            QVERIFY(!session.facts(row).contains("correct-horse") && session.facts(row).contains("secret:"));
    }

    void whatIsNoSecretIsLeftAlone()
    {
        Redactor redactor("key");
        const QByteArray facts =
            R"({"stream":1, "method":"POST","url":"http://h/p?page=2","headers":[["Accept","*/*"],)"
            R"(["MCP-Protocol-Version","2025-11-25"]],"argv":["a","-b","c"],"ms":1.50})";
        QList<RedactionMark> marks;
        QCOMPARE(redactor.redactFacts(json::Document::parse(facts), marks), facts);
        QVERIFY(marks.isEmpty());
    }

    // The kind of a mark comes from a name, and a name from outside.
    void aKindTellsNothingOfAValue_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("with a value") << QByteArray("SECRET_ID=x7sessionabcd");
        QTest::newRow("with a value behind a colon") << QByteArray("token: x7sessionabcd");
        QTest::newRow("a token") << QByteArray("ghp_x7sessionabcdefghijklmnopqrstuvwxyz1");
    }
    void aKindTellsNothingOfAValue()
    {
        QFETCH(QByteArray, name);
        Redactor redactor("a key");
        QList<RedactionMark> marks;
        const QByteArray facts = "{\"variables\":[[\"" + name + "\",\"glpat-B1c2D3e4F5g6H7i8J9k0\"]]}";
        const QByteArray redacted = redactor.redactFacts(json::Document::parse(facts), marks);
        QVERIFY2(!redacted.contains("x7session") && !redacted.contains("glpat"), redacted.constData());
    }

    // The scanner looks at many bytes together: nothing may slip through where one group ends.
    void wherever_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("a name") << QByteArray(R"({"level":"a","password":"QUJD-x7Zq"})");
        QTest::newRow("a variable") << QByteArray("API_KEY=QUJD-x7Zq9");
        QTest::newRow("an address") << QByteArray("http://me:QUJD-x7Zq@h/");
        QTest::newRow("a bearer") << QByteArray("Bearer QUJD-x7Zqabcdefgh0123");
        QTest::newRow("a token") << QByteArray("ghp_QUJDx7Zq0123456789abcdefghijABCDEFgh");
        QTest::newRow("capitals") << QByteArray("AKIAQUJDX7ZQ34567ABC");
        QTest::newRow("with a dot") << QByteArray(
            "SG.QUJDx7Zqabcdefghijklmn.QUJDx7Zqabcdefghijklmnopqrstuvwxyz0123456789ABC");
        QTest::newRow("a web token") << QByteArray("eyJhbGciOiJIUzI1NiJ9.eyJRVUpEIjoxfQ.QUJDx7ZqAbC");
        QTest::newRow("a netrc file") << QByteArray("machine h login me password QUJDx7Zq");
        QTest::newRow("hexadecimal") << QByteArray("SK51554a44000102030405060708090a0b");
    }
    void wherever()
    {
        QFETCH(QByteArray, text);
        for (int before = 0; before < 34; ++before) {
            for (const int after : {0, 1, 15, 16, 17}) {
                Redactor redactor("key");
                QByteArray masked = QByteArray(before, ' ') + text + QByteArray(after, ' ');
                QList<RedactionMark> marks;
                QVERIFY2(redactor.redactPayload(masked, marks), qPrintable(QString::number(before)));
                QVERIFY2(!masked.contains("QUJD") && !masked.contains("51554a44"), masked.constData());
            }
        }
    }

    // A name that told nothing once may be declared secret later.
    void aNameDeclaredInTheMiddle()
    {
        Redactor redactor("key");
        const QByteArray text = R"({"colour":"mauve-17"})";
        QList<RedactionMark> marks;
        for (const bool isSecret : {false, true}) {
            QByteArray masked = text;
            QCOMPARE(redactor.redactPayload(masked, marks), isSecret);
            QCOMPARE(masked.contains("mauve-17"), !isSecret);
            redactor.addMember("colour", "mauve-17");
        }
    }

private:
    QTemporaryDir m_dir;
};

SONDE_TEST(RedactorTest)

#include "tst_redactor.moc"
