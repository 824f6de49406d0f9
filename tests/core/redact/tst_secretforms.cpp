// Tokens, webhooks and logins that only their form gives away. No value stands in this file: each is made when the test
// runs, in the form that its issuer documents.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/redact/redactor.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QRandomGenerator>
#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

constexpr QByteArrayView Hex = "0123456789abcdef";
constexpr QByteArrayView Capitals = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr QByteArrayView Alphanumeric = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr QByteArrayView Letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr QByteArrayView Digits = "0123456789";
constexpr QByteArrayView UrlSafe = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
constexpr QByteArrayView Base64 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/";

// Apostrophes for the quotes of JSON: Qt 6.4's moc loses its way in raw strings that are full of them.
QByteArray withQuotes(QByteArray text)
{
    return text.replace('\'', '"');
}

// The same for each run. Begins and ends with a letter, so that it is one word wherever it stands.
QByteArray madeUp(QByteArrayView alphabet, int length)
{
    QRandomGenerator random(quint32(length) * 7919 + quint32(alphabet.size()));
    QByteArray text;
    for (int i = 0; i < length; ++i)
        text += alphabet[qsizetype(random.bounded(quint32(alphabet.size())))];
    const QByteArrayView ends = alphabet == Digits ? "7" : alphabet == Hex ? "a" : "E";
    text.front() = text.back() = ends.front();
    return text;
}

QByteArray maskedForm(QByteArray text)
{
    Redactor redactor("key");
    QList<RedactionMark> marks;
    redactor.redactPayload(text, marks);
    return text;
}

QByteArray maskedLine(QByteArray text)
{
    Redactor redactor("key");
    KeyLines keys;
    QList<RedactionMark> marks;
    redactor.redactLine(text, keys, marks);
    return text;
}

// The text of a result, as a server says it; and the same as JSON within it.
QByteArray asResult(const QByteArray &text)
{
    return R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":)" +
           json::quoted(QString::fromUtf8(text)) + R"(}],"isError":false}})";
}

QByteArray asNestedResult(const QByteArray &text)
{
    return asResult("{\"note\":" + json::quoted(QString::fromUtf8(text)) + '}');
}

}  // namespace

class SecretFormsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tokens_data()
    {
        QTest::addColumn<QByteArray>("prefix");
        QTest::addColumn<QByteArray>("body");
        const auto row = [](const char *prefix, const QByteArray &body) {
            QTest::newRow(prefix) << QByteArray(prefix) << body;
        };
        const auto rows = [&row](std::initializer_list<const char *> prefixes, QByteArrayView alphabet, int length) {
            for (const char *prefix : prefixes)
                row(prefix, madeUp(alphabet, length));
        };
        rows({"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_", "pnu_"}, Alphanumeric, 36);
        row("github_pat_", madeUp(Alphanumeric, 22) + '_' + madeUp(Alphanumeric, 59));
        rows({"glpat-", "gldt-", "glft-", "glrt-", "glsoat-", "glffct-"}, UrlSafe, 20);
        rows({"glptt-", "sgp_", "pul-", "shippo_live_", "shippo_test_", "squ_", "sqp_", "sqa_"}, Hex, 40);
        row("glcbt-", "64_" + madeUp(UrlSafe, 20));
        rows({"glimt-"}, UrlSafe, 25);
        rows({"glagent-"}, UrlSafe, 50);
        rows({"gloas-"}, UrlSafe, 64);
        rows({"AKIA", "ASIA", "ABIA"}, Capitals, 16);
        rows({"LTAI"}, Alphanumeric, 20);
        rows({"AIza"}, UrlSafe, 35);
        rows({"ya29."}, UrlSafe, 200);
        row("ya29.c.", madeUp(UrlSafe, 120));
        rows({"GOCSPX-"}, UrlSafe, 28);
        rows({"dop_v1_", "doo_v1_", "dor_v1_", "sntryu_"}, Hex, 64);
        rows({"HRKU-AA"}, UrlSafe, 58);
        rows({"fo1_"}, UrlSafe, 43);
        rows({"fm1a_", "fm1r_", "fm2_"}, Base64, 120);
        row("v1.0-", madeUp(Hex, 24) + '-' + madeUp(Hex, 146));
        rows({"hvs.", "hvb."}, UrlSafe, 100);
        rows({"hvr."}, Alphanumeric, 24);
        rows({"dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}, Alphanumeric, 43);
        row("dp.st.", "dev." + madeUp(Alphanumeric, 43));
        row("dt0c01.", madeUp(Capitals, 24) + '.' + madeUp(Capitals, 64));
        rows({"nvapi-"}, UrlSafe, 64);
        rows({"sk-", "sk-proj-", "sk-ant-api03-"}, UrlSafe, 93);
        rows({"hf_", "api_org_"}, Letters, 34);
        rows({"gsk_"}, Alphanumeric, 52);
        rows({"xai-"}, Alphanumeric, 80);
        rows({"pplx-"}, Alphanumeric, 48);
        rows({"r8_"}, Alphanumeric, 37);
        row("tvly-", madeUp(Alphanumeric, 32));
        row("tvly-dev-", madeUp(Alphanumeric, 32));
        rows({"fc-", "shpat_", "shpca_", "shppa_", "shpss_", "SK", "key-"}, Hex, 32);
        rows({"e2b_", "sbp_"}, Hex, 40);
        row("pcsk_", madeUp(Alphanumeric, 6) + '_' + madeUp(Alphanumeric, 63));
        row("lsv2_pt_", madeUp(Hex, 32) + '_' + madeUp(Hex, 10));
        row("lsv2_sk_", madeUp(Hex, 32) + '_' + madeUp(Hex, 10));
        rows({"apify_api_"}, Alphanumeric, 36);
        for (const char *prefix : {"xoxa-2-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", "xoxe-1-", "xoxo-", "xapp-1-"})
            row(prefix, madeUp(Digits, 12) + '-' + madeUp(Digits, 12) + '-' + madeUp(Alphanumeric, 24));
        row("xoxp-1-", madeUp(Capitals, 163));
        row("SG.", madeUp(UrlSafe, 22) + '.' + madeUp(UrlSafe, 43));
        row("xkeysib-", madeUp(Hex, 64) + '-' + madeUp(Alphanumeric, 16));
        row("xsmtpsib-", madeUp(Hex, 64) + '-' + madeUp(Alphanumeric, 16));
        rows({"sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"}, Alphanumeric, 24);
        rows({"whsec_"}, Alphanumeric, 32);
        rows({"sq0atp-"}, UrlSafe, 22);
        rows({"sq0csp-", "duffel_live_", "duffel_test_"}, UrlSafe, 43);
        row("FLWSECK_TEST-", madeUp(Hex, 32) + "-X");
        row("FLWSECK-", madeUp(Hex, 32) + "-X");
        rows({"sb_secret_"}, UrlSafe, 31);
        rows({"lin_api_", "lin_oauth_"}, Alphanumeric, 40);
        row("ntn_", madeUp(Digits, 11) + madeUp(Alphanumeric, 35));
        rows({"secret_"}, Alphanumeric, 43);
        rows({"figd_", "figu_"}, UrlSafe, 40);
        row("PMAK-", madeUp(Hex, 24) + '-' + madeUp(Hex, 34));
        rows({"pscale_tkn_", "pscale_oauth_", "pscale_pw_"}, UrlSafe, 43);
        rows({"glc_", "sntrys_"}, Base64, 100);
        row("glsa_", madeUp(Alphanumeric, 32) + '_' + madeUp(Hex, 8));
        rows({"NRAK-"}, Capitals, 27);
        rows({"tfp_"}, UrlSafe, 59);
        rows({"rdme_"}, Alphanumeric, 70);
        rows({"CFPAT-"}, UrlSafe, 43);
        rows({"API-"}, Capitals, 26);
        rows({"pypi-AgEIcHlwaS5vcmc"}, UrlSafe, 120);
        rows({"rubygems_"}, Hex, 48);
        rows({"dckr_pat_", "dckr_oat_"}, UrlSafe, 27);
        rows({"CLOJARS_"}, Alphanumeric, 60);
        rows({"AGE-SECRET-KEY-1"}, Capitals, 58);
        rows({"ops_eyJ"}, Base64, 300);
        row("123456789:", "AA" + madeUp(UrlSafe, 33));
        // As a private key begins behind its dashes.
        for (const char *prefix : {"glpat-B", "sk-B", "nvapi-B", "xoxb-B"})
            row(prefix, madeUp(Alphanumeric, 64));
    }
    void tokens()
    {
        QFETCH(const QByteArray, prefix);
        QFETCH(const QByteArray, body);
        const QByteArray token = prefix + body;
        for (const QByteArray &around : {"TOKEN"_ba, "It is TOKEN."_ba, "a\nTOKEN\nb"_ba, "(TOKEN)"_ba, "x:TOKEN"_ba,
                                         "https://h/botTOKEN/send"_ba}) {
            const bool isInWord = around.contains("bot");
            if (isInWord && !prefix.endsWith(':'))
                continue;
            const QByteArray text = QByteArray(around).replace("TOKEN", token);
            for (const QByteArray &masked :
                 {maskedForm(asResult(text)), maskedForm(asNestedResult(text)), maskedLine(text)}) {
                QVERIFY2(!masked.contains(body), masked.constData());
                QVERIFY2(masked.contains("\xE2\x80\xB9token:"), masked.constData());
            }
            QVERIFY(json::Document::parse(maskedForm(asResult(text))).isValid());
        }
        // The rest of the sentence is evidence.
        const QByteArray sentence = maskedLine("It is " + token + ". Then");
        QVERIFY2(sentence.startsWith("It is \xE2\x80\xB9token:") && sentence.endsWith("\xE2\x80\xBA. Then"),
                 sentence.constData());
    }

    // What precedes the secret tells whose it is, and stays.
    void addresses_data()
    {
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QByteArray>("secret");
        const auto row = [](const char *start, const QByteArray &secret) {
            QTest::newRow(start) << QByteArray(start) << secret;
        };
        const QByteArray slack =
            'T' + madeUp(Capitals, 9) + "/B" + madeUp(Capitals, 9) + '/' + madeUp(Alphanumeric, 24);
        row("https://hooks.slack.com/services/", slack);
        row("hooks.slack.com/services/", slack);
        row("https://hooks.slack.com/workflows/", slack);
        row("https://hooks.slack.com/triggers/", slack);
        for (const char *host : {"https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/",
                                 "https://ptb.discord.com/api/webhooks/", "https://discord.com/api/v9/webhooks/",
                                 "https://discord.com/api/v10/webhooks/"})
            row(host, madeUp(Digits, 18) + '/' + madeUp(UrlSafe, 68));
        row("https://example.webhook.office.com/webhookb2/",
            madeUp(Hex, 32) + '@' + madeUp(Hex, 32) + "/IncomingWebhook/" + madeUp(Hex, 32));
        row("https://hooks.zapier.com/hooks/catch/", madeUp(Digits, 8) + '/' + madeUp(Alphanumeric, 7));
        row("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=", madeUp(Base64, 86) + "==");
    }
    void addresses()
    {
        QFETCH(const QByteArray, start);
        QFETCH(const QByteArray, secret);
        const QByteArray text = "post to " + start + secret + " now";
        for (const QByteArray &masked :
             {maskedForm(asResult(text)), maskedForm(asNestedResult(text)), maskedLine(text)}) {
            QVERIFY2(!masked.contains(secret.right(20)), masked.constData());
            QVERIFY2(masked.contains("post to " + start + "\xE2\x80\xB9"), masked.constData());
            QVERIFY2(masked.contains("\xE2\x80\xBA now"), masked.constData());
        }
    }

    void logins_data()
    {
        QTest::addColumn<QByteArray>("text");  // SECRET in it
        QTest::addColumn<QByteArray>("secret");
        const auto row = [](const char *name, const char *text, const char *secret = "x7!") {
            QTest::newRow(name) << QByteArray(text) << QByteArray(secret);
        };
        row("curl", "curl -s -u me:SECRET https://h/a");
        row("curl without a blank", "curl -ume:SECRET https://h/a");
        row("curl of a proxy", "$ /usr/bin/curl -U me:SECRET -x p:1 https://h/a");
        row("curl in words", "curl --user me:SECRET https://h/a");
        row("curl with an equals sign", "curl --user=me:SECRET https://h/a");
        row("curl in quotes", "curl -u \"me:a SECRET\" https://h/a");
        row("curl in apostrophes", "curl -u 'me:a SECRET' https://h/a");
        row("curl on two lines", "curl \\\n  -u me:SECRET https://h/a");
        row("mysql", "mysql -u root -pSECRET db");
        row("mysqldump in a container", "docker exec db mysqldump -h h -p'SECRET' db");
        row("mariadb", "mariadb -pSECRET");
        row("sshpass", "sshpass -p SECRET ssh h");
        row("redis-cli", "redis-cli -h h -a SECRET ping");
        row("ldapsearch", "ldapsearch -D cn=a -w SECRET");
        row("netrc", "machine api.h login me password SECRET");
        row("netrc in lines", "machine api.h\n  login me\n  password SECRET\nmachine i\n");
        row("netrc of another order", "machine api.h password SECRET login me");
        row("netrc with an account", "machine api.h login me account a password SECRET\n");
        row("netrc of all other machines", "default login me password SECRET");
    }
    void logins()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, secret);
        const QByteArray whole = QByteArray(text).replace("SECRET", secret);
        for (const QByteArray &masked :
             {maskedForm(asResult(whole)), maskedForm(asNestedResult(whole)), maskedLine(whole)}) {
            QVERIFY2(!masked.contains(secret), masked.constData());
            QVERIFY2(masked.contains("\xE2\x80\xB9password:"), masked.constData());
        }
    }

    void loginsInLists()
    {
        for (const QByteArray &list :
             {withQuotes("{'command':'curl','args':['-u','me:SECRET','https://h']}"),
              withQuotes("{'argv':['/bin/curl','-ume:SECRET']}"), withQuotes("{'argv':['curl','--user','me:SECRET']}"),
              withQuotes("{'command':'mysql','args':['-uroot','-pSECRET','db']}")}) {
            const QByteArray text = QByteArray(list).replace("SECRET", "x7!");
            for (const QByteArray &masked : {maskedForm(text), maskedForm(asResult(text))})
                QVERIFY2(!masked.contains("x7!"), masked.constData());
            Redactor redactor("key");
            QList<RedactionMark> marks;
            const QByteArray facts = redactor.redactFacts(json::Document::parse(text), marks);
            QVERIFY2(!facts.contains("x7!"), facts.constData());
        }
    }

    // Some of it looks much like one of the forms.
    void whatHasNone()
    {
        const QByteArray texts[] = {
            "docker run -u 1000:1000 -p 8080:80 -p3306:3306 --name mysql mysql:8",
            "docker run --user www-data:www-data nginx; mkdir -p a/b; ssh -p 2222 h",
            "curl -u $USER:$PASSWORD -u me https://h",
            "grep -u a:b | curl https://h; sort -u x:y1",
            "The login page password field of the machine",
            "Set the default password policy1 first.",
            "see discord.com/api/webhooks/ and hooks.slack.com/services/T0 and AccountKey=x",
            "ratio 16:9, at 12:34:56, 127.0.0.1:8080, 123456789:A, 20260101:Abc",
            "hf_hub_download tvly-search gsk_test whsec_ ntn_ SG. ya29. hvs. dp.pt. SK SKILL key-value-store-of-things",
            "secret_manager_service_account figd_comments lin_api_client AGE-SECRET-KEY-1 api_org_chart",
            "Answer: swap switch password swimming",
        };
        for (const QByteArray &text : texts) {
            QCOMPARE(maskedForm(asResult(text)), asResult(text));
            QCOMPARE(maskedLine(text), text);
        }
    }

    // Evidence of a test that passed, and what is said of secrets without saying one.
    void whatOnlySoundsSecret()
    {
        const QByteArray texts[] = {
            "PASS: test_foo_bar_123",          "PASS   : tst_Foo::bar_2()",
            "--- PASS: TestParseUrl2 (0.00s)", "XPASS: tests/core/test_parser.py::test_a1b2",
            "PASS: src/utils/md5.test.ts",
        };
        for (const QByteArray &text : texts) {
            QCOMPARE(maskedForm(asResult(text)), asResult(text));
            QCOMPARE(maskedLine(text), text);
        }
        const QByteArray members = withQuotes(
            "{'secretsCount':7,'secrets':3,'tokens':12,'passwordPolicy':'at least 12 "
            "characters','secretName':'db-main',"
            "'secretNames':['a','b'],'cookieConsent':'granted 2026','passwordMinLength':8,'tokenType':'Bearer 2',"
            "'passwordpolicy':'strict1','cookie_name':'sid2','passwordStrength':4,'secretVersion':3,'pinLength':4}");
        QCOMPARE(maskedForm(members), members);
        QCOMPARE(maskedForm(asResult(members)), asResult(members));
        const QByteArray line = "COOKIE_NAME=sid2 SECRET_NAME=db-main1 PASSWORD_MIN_LENGTH=8 token_type: bearer123";
        QCOMPARE(maskedLine(line), line);
    }

    void whatIsStillSecretBesideIt()
    {
        for (const QByteArray &text :
             {"PASS: x7hunter!9q"_ba, "pass: hunter22x"_ba, "PASS=test_foo_1"_ba, "DB_PASS: Summer-Winter2024"_ba,
              "SMTP_PASS = test4711"_ba, withQuotes("{'secrets':['x7']}"), withQuotes("{'secrets':'x7'}"),
              withQuotes("{'apiKeys':[5678]}"), withQuotes("{'db_pass':5678}"), withQuotes("{'secretNameToken':'x7'}"),
              "SECRET_ID=x7"_ba})
            QVERIFY2(maskedForm(text).contains("\xE2\x80\xB9") || maskedForm(text).contains("-0e"), text.constData());
    }

    // Many hosted servers let in whoever knows their address.
    void pathOfTheServersUrl_data()
    {
        QTest::addColumn<QByteArray>("secret");
        const QByteArray digits = madeUp(Hex, 32);
        QTest::newRow("UUID") << digits.left(8) + '-' + digits.mid(8, 4) + "-4" + digits.mid(12, 3) + "-a" +
                                     digits.mid(15, 3) + '-' + digits.mid(18, 12);
        QTest::newRow("hexadecimal") << digits;
        QTest::newRow("URL-safe") << madeUp(Alphanumeric, 14) + '_' + madeUp(Alphanumeric, 8);
        QTest::newRow("base64") << madeUp(Alphanumeric, 30) + "==";
    }
    void pathOfTheServersUrl()
    {
        QFETCH(const QByteArray, secret);
        const QByteArray url = "https://mcp.example.com/api/mcp/s/" + secret.toPercentEncoding() + "/mcp?v=1";
        Session session;
        session.append(happening(WireEvent::Kind::Open, Direction::Local, {},
                                 withQuotes("{'transport':'http','url':'") + url + "\"}"),
                       1);
        session.append(
            happening(WireEvent::Kind::HttpRequest, Direction::ToServer, {},
                      withQuotes("{'stream':1,'method':'POST','url':'") + url + withQuotes("','headers':[]}")),
            1);
        session.append(received(withQuotes("{'jsonrpc':'2.0','method':'n','params':{'at':'/s/") + secret + "\"}}"), 1);
        session.append(happening(WireEvent::Kind::Stderr, Direction::FromServer, "GET " + url), 1);
        session.flush();
        for (qsizetype row = 0; row < session.size(); ++row) {
            const QByteArray all = session.bytes(row) + session.facts(row);
            QVERIFY2(!all.contains(secret) && !all.contains(secret.toPercentEncoding()), all.constData());
        }
        QVERIFY2(session.facts(0).contains("https://mcp.example.com/api/mcp/s/\xE2\x80\xB9path:"),
                 session.facts(0).constData());
        QVERIFY2(session.facts(1).contains("\xE2\x80\xBA/mcp?v=1"), session.facts(1).constData());
    }

    // Names, versions and dates; and the addresses of others, such as an authorization server's.
    void pathsThatTellNothing()
    {
        for (const QByteArray &facts :
             {withQuotes("{'transport':'http','url':'https://h/v1/my-company-server-2026-01-01/mcp'}"),
              withQuotes("{'transport':'http','url':'https://h/projects/service-catalog-production/mcp'}"),
              withQuotes("{'transport':'http','url':'http://127.0.0.1:8080'}"),
              withQuotes("{'transport':'http','url':'no address'}"),
              withQuotes(
                  "{'stream':1,'method':'GET','url':'https://h/0a1b2c3d-0a1b-4a1b-8a1b-0a1b2c3d4e5f/v2.0/token'}")}) {
            Redactor redactor("key");
            QList<RedactionMark> marks;
            QCOMPARE(redactor.redactFacts(json::Document::parse(facts), marks), facts);
        }
    }
};

SONDE_TEST(SecretFormsTest)

#include "tst_secretforms.moc"
