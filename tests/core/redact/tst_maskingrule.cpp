// The rule of SECURITY.md: what is secret, where it is masked, and what masking leaves alone.
// SPDX-License-Identifier: Apache-2.0
#include "core/redact/redactor.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QElapsedTimer>
#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

// Apostrophes for the quotes of JSON: Qt 6.4's moc loses its way in raw strings that are full of them.
QByteArray quotes(QByteArray text)
{
    return text.replace('\'', '"');
}

}  // namespace

class MaskingRuleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A short secret or one of few different characters is met everywhere by chance.
    void whatIsShortIsMaskedInItsPlaceOnly()
    {
        for (const char *secret :
             {"4111", "true", "1111111111111111", "hunter2", "20260101", "tools", "notifications"}) {
            Session session;
            session.addSecretMember(u"word"_s, QString::fromLatin1(secret));
            const QByteArray echo = quotes(
                                        "{'jsonrpc':'2.0','id':1,'result':{'a':SECRET4,'b':[14111,4111.5],"
                                        "'c':'SECRET and xSECRET','isError':true,'SECRET':'tools'}}")
                                        .replace("SECRET4", "14111")
                                        .replace("SECRET", secret);
            session.append(sent(quotes("{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'x',"
                                       "'arguments':{'word':'SECRET','other':'SECRET'}}}")
                                    .replace("SECRET", secret)),
                           1);
            session.append(received(echo), 1);
            session.flush();
            const QByteArray call = session.bytes(0);
            QVERIFY2(call.contains("\"word\":\"\xE2\x80\xB9secret:"), call.constData());
            QCOMPARE(call.count(secret), QByteArray("tools/call").contains(secret) ? 2 : 1);
            QCOMPARE(session.bytes(1), echo);
            QCOMPARE(session.at(0).outcome, RowOutcome::ToolError);
        }
    }

    void whichAreSearchedElsewhere_data()
    {
        QTest::addColumn<QByteArray>("secret");
        QTest::addColumn<bool>("isSearched");
        const auto row = [](const char *secret, bool isSearched) {
            QTest::newRow(secret) << QByteArray(secret) << isSearched;
        };
        for (const char *secret : {"hunter22", "open-sesame", "S3cr3t!x", "4929874530617284", "abcdefghijklmnopq",
                                   "Bearer-x", "caf\u00e9-1234"})
            row(secret, true);
        for (const char *secret : {"4111", "hunter2", "12345678", "1111111111111111", "resources", "placeholder",
                                   "/run/secrets/key", "aaaa-aaaa", "\u00e9\u00e9\u00e9\u00e9-1"})
            row(secret, false);
    }
    void whichAreSearchedElsewhere()
    {
        QFETCH(const QByteArray, secret);
        QFETCH(const bool, isSearched);
        Session session;
        session.addSecret(QString::fromUtf8(secret));
        session.append(received(quotes("{'jsonrpc':'2.0','method':'n','params':{'a':'you said " + secret + "'}}")), 1);
        session.flush();
        QCOMPARE(session.bytes(0).contains(secret), !isSearched);
    }

    // What says itself that it is secret is masked where it stands, and from then on wherever it recurs.
    void whatNamesItself_data()
    {
        QTest::addColumn<QByteArray>("params");  // SECRET in it
        QTest::addColumn<QByteArray>("secret");
        const auto row = [](const char *name, const char *params, const char *secret) {
            QTest::newRow(name) << quotes(params) << QByteArray(secret);
        };
        const char *const own = "CANARY-1a2b3c";
        row("a password", "{'arguments':{'password':'SECRET'}}", own);
        row("an answer", "{'content':{'pin':'SECRET'}}", own);
        for (const char *name : {"passphrase", "pwd", "pass", "apiKey", "client_secret", "accessToken", "jwt",
                                 "passwordHash", "X-Api-Key", "db_password_2", "privateKey"})
            row(name, QByteArray("{'a':{'NAME' : 'SECRET'}}").replace("NAME", name).constData(), own);
        row("a short one", "{'a':{'password':'SECRET'}}", "CAN");
        row("a list", "{'apiKeys':['SECRET']}", own);
        row("deep in it", "{'credentials':[{'user':'SECRET','a':{'b':'SECRET'}}]}", own);
        row("an escaped name", "{'p\\u0061ssw\\u006frd':'SECRET'}", own);
        row("escapes", "{'password':'a\\'b\\\\SECRET\\n\\u00e9'}", own);
        row("JSON in a text", "{'text':'{\\'password\\': \\'SECRET\\'}'}", own);
        row("JSON in JSON in a text", "{'text':'{\\'a\\':\\'{\\\\\\'token\\\\\\':\\\\\\'SECRET\\\\\\'}\\'}'}", own);
        row("a pair", "{'headers':[{'name':'Authorization', 'value':'Bearer SECRET'}]}", own);
        row("a flag in a list", "{'args':['--api-key','SECRET']}", own);
        row("a flag", "{'args':['--api-key=SECRET']}", own);
        row("a flag in a line", "{'line':'run --token SECRET now'}", own);
        row("a variable", "{'args':['-e','DB_PASS=SECRET']}", "CAN");
        row("a login", "{'args':['LOGIN=admin:SECRET']}", "pwCANARY");
        row("a query", "{'a':'see http://h/?a=1&token=SECRET&b=2'}", "CAN");
        row("an assignment", "{'a':'line\\npassword: SECRET\\n'}", own);
        QTest::newRow("quoted") << QByteArray("{\"a\":\"<x password='SECRET'/>\"}") << QByteArray("CAN");
        row("a header", "{'a':'Authorization: Bearer SECRET'}", own);
        row("a tab", "{'text':'password:\\tSECRET'}", own);
        row("tabs around", "{'text':'{\\'text\\':\\'password\\\\t=\\\\tSECRET\\'}'}", own);
        row("many blanks", "{'text':'password:                       SECRET'}", own);
        row("the next line", "{'text':'password:\\r\\n    SECRET'}", own);
        row("a dollar", "{'text':'DB_PASSWORD=$2y$10$SECRETe9'}", "CAN");
        row("a dollar in front", "{'text':'token: $SECRETr3t99x'}", "CAN");
        row("an apostrophe", "{'text':'DB_PASSWORD=\\u0027SECRET'}", "CANARY");
        row("a PGP key",
            "{'a':'-----BEGIN PGP PRIVATE KEY BLOCK-----\\nVersion: 1\\n\\nSECRET\\n=a1B2\\n"
            "-----END PGP PRIVATE KEY BLOCK-----'}",
            "CANARYabcdefghijklmnop0123456789");
        row("a key without an end",
            "{'a':'-----BEGIN RSA PRIVATE KEY-----\\nProc-Type: 4,ENCRYPTED\\nDEK-Info: AES-128-CBC,0A1B\\n\\nSECRET',"
            "'b':2}",
            "CANARYabcdefghijklmnop0123456789");
        row("user-info", "{'a':'postgres://app:SECRET@db/x'}", "CAN");
        row("user-info with a slash", "{'a':'postgres://app:p/SECRET@db/x'}", "CAN");
        row("user-info with a question mark", "{'a':'postgres://app:p?SECRET#1@db/x'}", "CAN");
        row("user-info with escaped slashes", "{'a':'postgres:\\/\\/app:SECRET@db\\/x'}", "CAN");
        row("GitHub", "{'a':'<SECRET>'}", "ghp_CANARYabcdefghijklmnop0123");
        row("Slack", "{'a':'x\\nSECRET'}", "xoxb-CANARY-0123456789");
        row("OpenAI", "{'a':'%0ASECRET'}", "sk-CANARYabcdefghijklmnop");
        row("web token", "{'a':'SECRET'}", "eyJhbGciOiJIUzI1NiJ9.eyJDQU5BUlkifQ.CANARYabc");
    }
    void whatNamesItself()
    {
        QFETCH(const QByteArray, params);
        QFETCH(const QByteArray, secret);
        Session session;
        const QByteArray text = quotes("{'jsonrpc':'2.0','id':1,'method':'m','params':") +
                                QByteArray(params).replace("SECRET", secret) + '}';
        QVERIFY2(json::Document::parse(text).isValid(), text.constData());
        session.append(sent(text), 1);
        const bool isSearched = secret.size() > 8 && QByteArray(QTest::currentDataTag()) != "escapes";
        session.append(received(quotes("{'jsonrpc':'2.0','id':1,'result':{'a':'again PLAIN.','b':'BASE64','c':'HEX'}}")
                                    .replace("PLAIN", secret)
                                    .replace("BASE64", secret.toBase64())
                                    .replace("HEX", secret.toHex())),
                       1);
        session.append(happening(WireEvent::Kind::Stderr, Direction::FromServer, "again " + secret), 1);
        session.flush();
        QVERIFY2(!session.bytes(0).contains(secret), session.bytes(0).constData());
        QVERIFY2(json::Document::parse(session.bytes(0)).isValid(), session.bytes(0).constData());
        for (const qsizetype row : {1, 2}) {
            for (const QByteArray &form : {secret, secret.toBase64(), secret.toHex()})
                QVERIFY2(!isSearched || !session.bytes(row).contains(form), session.bytes(row).constData());
        }
    }

    // What only looks like it is evidence, and stays as it came.
    void whatNamesNothing()
    {
        const QList<QByteArray> texts{
            "{'jsonrpc':'2.0','id':1,'result':{'tools':[{'name':'login','inputSchema':{'type':'object','properties':"
            "{'password':{'type':'string','description':'Your password','minLength':8},'token':{'$ref':'#/$defs/t'}},"
            "'required':['password']}}]}}",
            "{'jsonrpc':'2.0','id':1,'result':{'nextPageToken':'page-of-results-1','max_tokens':4096,'key':'a1b2c3d4e5'"
            ","
            "'code':'E1234567','usesPassword':true,'cookie':null,'tests':{'pass':4242},'progressToken':7}}",
            "{'jsonrpc':'2.0','id':1,'result':{'content':[{'type':'text','text':'password: required, token=sometimes, "
            "export API_KEY=$KEY SOME_TOKEN=${KEY2} OTHER_TOKEN=$KEY2 A_TOKEN=$(cat x) "
            "http://localhost:3000/@vite/client git://git@h/x ssh://git@github.com/a'}]}}",
            "{'jsonrpc':'2.0','method':'m','params':{'a':'sk-learn risk-assessment-of-everything-1 http://h/?page=2'}}",
            QByteArray("{'jsonrpc':'2.0','method':'m','params':{'a':'MARK','password':'MARK','pin':-0e1234567890}}")
                .replace("MARK", "\xE2\x80\xB9password:1a2b3c4d\xE2\x80\xBA")};
        for (const QByteArray &text : texts) {
            Session session;
            session.append(received(quotes(text)), 1);
            session.flush();
            QCOMPARE(session.bytes(0), quotes(text));
        }
    }

    // Text that was cut ends within a value.
    void whatWasCut()
    {
        for (const char *text : {"{'jsonrpc':'2.0','id':1,'result':{'password':'CANARY2abc",
                                 "{'jsonrpc':'2.0','id':1,'result':{'credentials':{'user':'CANARY','b':{'c':['CANARY",
                                 "{'a':{'apiKeys':[56781234,'CANARY','x CANARY", "{'args':['--token','CANARY12",
                                 "{'text':'{\\'a\\':1,\\'password\\':\\'CANARY 9 and", "log: password='CANARY 9 and"}) {
            for (const WireEvent::Kind kind : {WireEvent::Kind::Partial, WireEvent::Kind::Junk}) {
                Session session;
                session.append(happening(kind, Direction::FromServer, quotes(text)), 1);
                session.flush();
                QVERIFY2(!session.bytes(0).contains("CANARY"), session.bytes(0).constData());
                QVERIFY2(!session.bytes(0).contains("5678"), session.bytes(0).constData());
            }
        }
    }

    // However long, and however short the name of what a schema declares.
    void whatIsLong()
    {
        const QByteArray secret = "CANARY" + QByteArray("0123456789abcdef").repeated(10'000);
        Session session;
        session.addSecretMember(u"p"_s, QString::fromLatin1(secret));
        for (const char *text : {"{'jsonrpc':'2.0','method':'m','params':{'password':'SECRET'}}",
                                 "{'jsonrpc':'2.0','method':'m','params':{'p':'SECRET'}}",
                                 "{'jsonrpc':'2.0','method':'m','params':{'a':'API_TOKEN=SECRET'}}",
                                 "{'jsonrpc':'2.0','method':'m','params':{'a':'ghp_SECRET'}}"})
            session.append(received(quotes(text).replace("SECRET", secret)), 1);
        session.flush();
        for (qsizetype row = 0; row < session.size(); ++row) {
            QVERIFY2(!session.bytes(row).contains("CANARY"), session.bytes(row).left(200).constData());
            QVERIFY2(!session.bytes(row).contains("0123456789abcdef"), session.bytes(row).right(200).constData());
        }
    }

    // Standard error comes line by line.
    void aKeyLineByLine()
    {
        const QByteArray body = "MIIECANARYabcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMN+/ab";
        const auto line = [](const QByteArray &text) {
            return happening(WireEvent::Kind::Stderr, Direction::FromServer, text);
        };
        Session session;
        session.append(line("reading -----BEGIN PRIVATE KEY-----"), 1);
        session.append(line(body), 1);
        session.append(line("something else: " + body), 2);
        session.append(line("2026-11-22 " + body.mid(3)), 1);
        session.append(line("CANARYxy9="), 1);
        session.append(line("-----END PRIVATE KEY-----"), 1);
        session.append(line("CANARYisTheNextLine"), 1);
        session.append(line("expects -----BEGIN PRIVATE KEY-----"), 1);
        session.append(line("in the file"), 1);
        session.append(line("CANARYisNoKeyOfAnySort"), 1);
        session.flush();
        const auto says = [&session](qsizetype row) { return session.bytes(row); };
        for (const qsizetype row : {1, 2, 3, 4})
            QVERIFY2(!says(row).contains("CANARY"), says(row).constData());
        QVERIFY(says(3).startsWith("2026-11-22 \xE2\x80\xB9privatekey:"));
        QCOMPARE(says(0), "reading -----BEGIN PRIVATE KEY-----"_ba);
        QCOMPARE(says(6), "CANARYisTheNextLine"_ba);
        QCOMPARE(says(8), "in the file"_ba);
        QCOMPARE(says(9), "CANARYisNoKeyOfAnySort"_ba);
    }

    // Whatever stands in front of it, and however much that costs to look at.
    void whatComesBehindALot_data()
    {
        QTest::addColumn<QByteArray>("piece");
        const QByteArray certificate = "-----BEGIN CERTIFICATE-----\\n" +
                                       QByteArray("MIIDzTCCArWgAwIBAgIQ\\n").repeated(70) +
                                       "-----END CERTIFICATE-----\\n";
        QTest::newRow("certificates") << certificate;
        for (const char *piece : {"eyJa-", "sk-a", "a://b:c/", "token=", "token:", "TOKEN=a", "token:a1", "-----BEGIN ",
                                  "-----BEGIN PRIVATE KEY-----", "'secret':{'type':", "'password':["})
            QTest::newRow(piece) << QByteArray(piece);
    }
    void whatComesBehindALot()
    {
        QFETCH(const QByteArray, piece);
        Redactor redactor("key");
        QByteArray text = quotes(
                              "{'text':'PIECES','a':['see postgres://app:CANARY1@h/x ghp_CANARYabcdefghijklmnop0123 "
                              "Bearer CANARYabcdefghijkl0123456789 password: CANARY12abc API_KEY=CANARY'],"
                              "'credentials':{'user':'CANARY'},'args':['--token','CANARY'],'pw':'CANARY'}")
                              .replace("PIECES", quotes(piece).replace("\"", "\\\"").repeated(300'000 / piece.size()));
        QList<RedactionMark> marks;
        redactor.redactPayload(text, marks);
        QVERIFY2(!text.contains("CANARY"), text.mid(text.indexOf("CANARY") - 40, 100).constData());
    }

    // A number that is secret itself stays a number, and every other one stays what it is.
    void numbersStayNumbers()
    {
        Session session;
        session.addSecretMember(u"amount"_s, u"4711"_s);
        session.append(
            sent(quotes("{'jsonrpc':'2.0','id':1,'method':'m','params':{'pin':1234,'amount':4711,'apiKeys':[5678],"
                        "'n':[1234,4711,-1234.5],'text':'{\\'pin\\': 1234}'}}")),
            1);
        session.flush();
        const json::Value params = json::parse(session.bytes(0))[u"params"];
        for (const json::Value &number : {params[u"pin"], params[u"amount"], params[u"apiKeys"].at(0)}) {
            QVERIFY2(number.isNumber() && number.toDouble() == 0, session.bytes(0).constData());
            QVERIFY(number.numberText().startsWith("-0e"));
        }
        QCOMPARE(params[u"n"].bytes(), "[1234,4711,-1234.5]"_ba);
        QVERIFY(json::parse(params[u"text"].string().toUtf8())[u"pin"].isNumber());
        QVERIFY(!params[u"text"].string().contains(u"1234}"));
    }

    // A server can say a new token in every message: what is known stays bounded, and the newest are known.
    void tokensWithoutEnd()
    {
        Redactor redactor("key");
        const auto token = [](int i) { return "tok-" + QByteArray::number(100'000 + i) + "-canary"; };
        QList<RedactionMark> marks;
        for (int i = 0; i < 5000; ++i) {
            QByteArray text = quotes("{'token':'NOW','again':'NOW','before':'THEN'}");
            text.replace("NOW", token(i)).replace("THEN", token(qMax(0, i - 5)));
            redactor.redactPayload(text, marks);
            QVERIFY2(!text.contains("canary"), text.constData());
        }
    }

    // Whatever repeats itself costs no more than its length.
    void hostileTexts_data()
    {
        QTest::addColumn<QByteArray>("piece");
        for (const char *piece : {"eyJa-",
                                  "sk-",
                                  "a://b:c/",
                                  "token=",
                                  "-----BEGIN ",
                                  "\"secret\":{",
                                  "\"secret\":{\"type\":",
                                  "\"token\":\"\\\"",
                                  "\"password\":[",
                                  "\\\"",
                                  "%25",
                                  "\\u005c",
                                  " --token ",
                                  "\"name\":\"token\",",
                                  "password='",
                                  "Bearer ",
                                  "-----BEGIN PRIVATE KEY-----",
                                  "-----BEGIN PRIVATE KEY-----a: b",
                                  "TOKEN=A1",
                                  "token:A1",
                                  "token:",
                                  "sk-A",
                                  "sk-a",
                                  "a://b:c",
                                  "a://A1:c@",
                                  "password:\\t",
                                  "\"word\":[",
                                  "\"w\":[\"",
                                  "password:\"",
                                  " -u",
                                  "curl -u",
                                  "curl -u'a:",
                                  "\"-u\",",
                                  " machine a password",
                                  "SG.",
                                  "ya29.A",
                                  "hooks.slack.com/services/a",
                                  "1:A"})
            QTest::newRow(piece) << QByteArray(piece);
    }
    void hostileTexts()
    {
        QFETCH(const QByteArray, piece);
        Redactor redactor("key");
        redactor.addSecret("CANARY-1a2b3c");
        redactor.addMember("word", "canary");
        redactor.addMember("w", "canary");
        QByteArray text = piece.repeated(1'000'000 / piece.size());
        QList<RedactionMark> marks;
        QElapsedTimer timer;
        timer.start();
        redactor.redactPayload(text, marks);
        // In proportion to its length it takes a second or two; with its square, hours.
        QVERIFY2(timer.elapsed() < 3 * Patience, qPrintable(QString::number(timer.elapsed())));
    }
};

SONDE_TEST(MaskingRuleTest)

#include "tst_maskingrule.moc"
