// Arguments kept for the next time: the last ones, never a secret, never too many.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/argumentstore.h"
#include "core/connection/secretarguments.h"
#include "core/redact/secretproperties.h"
#include "core/session/session.h"
#include "tests/support/testregistry.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

ArgumentStore::Place tool(const QString &server, const QString &name)
{
    return {server, u"tool"_s, name};
}

}  // namespace

class TestArgumentStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(u"new/arguments.jsonl"_s);
    }

    void theLastOnesComeBack()
    {
        const ArgumentStore::Place add = tool(u"demo"_s, u"add"_s);
        {
            ArgumentStore store(m_path);
            QCOMPARE(store.recall(add), QByteArray());
            QVERIFY(!store.remember(add, R"({"a":1})"));
            QVERIFY(!store.remember(add, R"({"b":1.50,"a":9007199254740993})"));
            QVERIFY(!store.remember(tool(u"other"_s, u"add"_s), R"({"a":7})"));
            QVERIFY(!store.remember({u"demo"_s, u"prompt"_s, u"add"_s}, R"({"topic":"x\ny"})"));
        }
        ArgumentStore store(m_path);
        QCOMPARE(store.recall(add), R"({"b":1.50,"a":9007199254740993})"_ba);
        QCOMPARE(store.recall(tool(u"other"_s, u"add"_s)), R"({"a":7})"_ba);
        QCOMPARE(store.recall({u"demo"_s, u"prompt"_s, u"add"_s}), R"({"topic":"x\ny"})"_ba);
        QCOMPARE(store.recall(tool(u"demo"_s, u"echo"_s)), QByteArray());
        QCOMPARE(QFileInfo(m_path).permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    }

    void theSameIsWrittenOnce()
    {
        ArgumentStore store(m_path);
        QVERIFY(!store.remember(tool(u"demo"_s, u"add"_s), R"({"a":1})"));
        const qint64 size = QFileInfo(m_path).size();
        QVERIFY(!store.remember(tool(u"demo"_s, u"add"_s), R"({"a":1})"));
        QCOMPARE(QFileInfo(m_path).size(), size);
    }

    void serversAreRenamedAndForgotten()
    {
        {
            ArgumentStore store(m_path);
            QVERIFY(!store.remember(tool(u"one"_s, u"t"_s), R"({"a":1})"));
            QVERIFY(!store.remember(tool(u"two"_s, u"t"_s), R"({"a":2})"));
            QVERIFY(!store.renameServer(u"one"_s, u"uno"_s));
            QVERIFY(!store.forgetServer(u"two"_s));
        }
        ArgumentStore store(m_path);
        QCOMPARE(store.recall(tool(u"uno"_s, u"t"_s)), R"({"a":1})"_ba);
        QCOMPARE(store.recall(tool(u"one"_s, u"t"_s)), QByteArray());
        QCOMPARE(store.recall(tool(u"two"_s, u"t"_s)), QByteArray());
        QCOMPARE(QFileInfo(m_path).permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    }

    void twoWindowsKeepEachOthersLines()
    {
        ArgumentStore one(m_path);
        ArgumentStore two(m_path);
        QVERIFY(!one.remember(tool(u"x"_s, u"t"_s), R"({"a":1})"));
        QVERIFY(!two.remember(tool(u"mine"_s, u"t"_s), R"({"b":1})"));
        QVERIFY(!one.remember(tool(u"other"_s, u"t"_s), R"({"c":1})"));
        QVERIFY(!one.renameServer(u"x"_s, u"y"_s));
        QVERIFY(!two.remember(tool(u"mine"_s, u"t"_s), R"({"b":2})"));
        QVERIFY(!one.forgetServer(u"other"_s));
        ArgumentStore next(m_path);
        QCOMPARE(next.recall(tool(u"y"_s, u"t"_s)), R"({"a":1})"_ba);
        QCOMPARE(next.recall(tool(u"mine"_s, u"t"_s)), R"({"b":2})"_ba);
        QCOMPARE(next.recall(tool(u"other"_s, u"t"_s)), QByteArray());
    }

    // Each appends and has the file written anew at the same time as the other.
    void twoWindowsAtOnce()
    {
        constexpr int rounds = 50;
        const auto use = [this](const QString &server) {
            ArgumentStore store(m_path);
            for (int i = 0; i < rounds; ++i) {
                (void)store.remember(tool(server, QString::number(i)), R"({"a":1})");
                (void)store.forgetServer(u"nobody"_s);
            }
        };
        const std::unique_ptr<QThread> thread(QThread::create([&use] { use(u"one"_s); }));
        thread->start();
        use(u"two"_s);
        QVERIFY(thread->wait(sonde::test::Patience));
        ArgumentStore next(m_path);
        for (int i = 0; i < rounds; ++i) {
            QVERIFY2(!next.recall(tool(u"one"_s, QString::number(i))).isEmpty(), qPrintable(QString::number(i)));
            QVERIFY2(!next.recall(tool(u"two"_s, QString::number(i))).isEmpty(), qPrintable(QString::number(i)));
        }
    }

    void foldersAreMadeForOneselfOnly()
    {
        ArgumentStore store(m_path);
        QVERIFY(!store.remember(tool(u"s"_s, u"a"_s), R"({"n":1})"));
        QCOMPARE(QFileInfo(QFileInfo(m_path).path()).permissions() & (QFile::ReadGroup | QFile::ReadOther),
                 QFile::Permissions());
    }

    void damagedLinesAreNoneOfTheOthersBusiness()
    {
        {
            ArgumentStore store(m_path);
            QVERIFY(!store.remember(tool(u"s"_s, u"a"_s), R"({"n":1})"));
        }
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::Append));
        file.write("[1]\n{\"server\":\"s\",\"kind\":\"tool\",\"name\":\"b\",\"arguments\":3}\n{\"server\":\"to");
        file.close();
        {
            ArgumentStore store(m_path);
            QCOMPARE(store.recall(tool(u"s"_s, u"a"_s)), R"({"n":1})"_ba);
            QCOMPARE(store.recall(tool(u"s"_s, u"b"_s)), QByteArray());
            QVERIFY(!store.remember(tool(u"s"_s, u"c"_s), R"({"n":3})"));
        }
        QCOMPARE(ArgumentStore(m_path).recall(tool(u"s"_s, u"c"_s)), R"({"n":3})"_ba);
    }

    void itStaysSmall()
    {
        const ArgumentStore::Place first = tool(u"s"_s, u"first"_s);
        {
            ArgumentStore store(m_path);
            QVERIFY(!store.remember(first, R"({"n":0})"));
            const QByteArray tooLong = "{\"t\":\"" + QByteArray(ArgumentStore::MaxArguments, 'x') + "\"}";
            QVERIFY(!store.remember(first, tooLong));
            QCOMPARE(store.recall(first), R"({"n":0})"_ba);
            for (qsizetype i = 0; i < ArgumentStore::MaxPlaces; ++i)
                QVERIFY(!store.remember(tool(u"s"_s, QString::number(i)), R"({"n":1})"));
            QCOMPARE(store.recall(first), QByteArray());
            QCOMPARE(store.recall(tool(u"s"_s, u"0"_s)), R"({"n":1})"_ba);
            const QByteArray text(60'000, 'y');
            for (int i = 0; QFileInfo(m_path).size() <= ArgumentStore::MaxFile; ++i)
                QVERIFY(!store.remember(first, "{\"t\":\"" + text + QByteArray::number(i) + "\"}"));
        }
        ArgumentStore store(m_path);
        QVERIFY(store.recall(first).size() > 60'000);
        QVERIFY(QFileInfo(m_path).size() < 200'000);
    }

    void aFailureIsSaidAndHarmsNothing()
    {
        ArgumentStore store(u"/proc/nowhere/arguments.jsonl"_s);
        QVERIFY(store.remember(tool(u"s"_s, u"t"_s), R"({"n":1})"));
        QCOMPARE(store.recall(tool(u"s"_s, u"t"_s)), R"({"n":1})"_ba);  // for as long as the window is open
    }

    // Those of other tools, too, which are not called again.
    void whatCouldNotBeWrittenIsWrittenLater()
    {
        const QString folder = QFileInfo(m_path).path();
        QVERIFY(QFile(folder).open(QIODevice::WriteOnly));
        ArgumentStore store(m_path);
        QVERIFY(store.remember(tool(u"s"_s, u"a"_s), R"({"n":1})"));
        QVERIFY(store.remember(tool(u"s"_s, u"a"_s), R"({"n":1})"));  // the same is still not saved
        QVERIFY(QFile::remove(folder));
        QVERIFY(!store.remember(tool(u"s"_s, u"b"_s), R"({"n":2})"));
        ArgumentStore next(m_path);
        QCOMPARE(next.recall(tool(u"s"_s, u"a"_s)), R"({"n":1})"_ba);
        QCOMPARE(next.recall(tool(u"s"_s, u"b"_s)), R"({"n":2})"_ba);
    }

    void secretsAreLeftOut_data()
    {
        QTest::addColumn<QByteArray>("schema");
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QByteArray>("kept");
        const QByteArray none = "{}";
        QTest::newRow("nothing secret") << none << R"({"a":1.50,"b":[{"c":null}],"t":"the session key"})"_ba
                                        << R"({"a":1.50,"b":[{"c":null}],"t":"the session key"})"_ba;
        QTest::newRow("by name") << none << R"({"a":1,"apiKey":"abcdefgh","in":{"password":"p","user":"u"}})"_ba
                                 << R"({"a":1,"in":{"user":"u"}})"_ba;
        QTest::newRow("by format")
            << R"({"properties":{"pin":{"type":"string","format":"password"},"a":{"type":"string"}}})"_ba
            << R"({"pin":"1234","a":"x"})"_ba
            << R"({"a":"x"})"_ba;
        QTest::newRow("write-only") << R"({"properties":{"pin":{"writeOnly":true}}})"_ba
                                    << R"({"pin":"1234"})"_ba << none;
        QTest::newRow("by a branch")
            << R"({"properties":{"pin":{"anyOf":[{"type":"null"},{"type":"string","format":"password"}]}}})"_ba
            << R"({"pin":"1234"})"_ba << none;
        QTest::newRow("by reference")
            << R"({"$defs":{"s":{"format":"password"}},"properties":{"pin":{"$ref":"#/$defs/s"}}})"_ba
            << R"({"pin":"1234"})"_ba << none;
        QTest::newRow("by its items") << R"({"properties":{"pins":{"items":{"format":"password"}}}})"_ba
                                      << R"({"pins":["1234"],"n":1})"_ba
                                      << R"({"n":1})"_ba;
        QTest::newRow("nested") << R"({"properties":{"o":{"properties":{"pin":{"format":"password"}}}}})"_ba
                                << R"({"o":{"pin":"1234","n":1}})"_ba
                                << R"({"o":{"n":1}})"_ba;
        QTest::newRow("a known secret") << none << R"({"q":"say hush-hush now","n":1})"_ba
                                        << R"({"n":1})"_ba;
        QTest::newRow("an authorization") << none << R"({"v":"Bearer abc","n":1})"_ba
                                          << R"({"n":1})"_ba;
        QTest::newRow("in an address") << none << "{\"db\":\"postgres://ada:lovelace@host/db\",\"n\":1}"_ba
                                       << R"({"n":1})"_ba;
        QTest::newRow("after a flag") << none << R"({"args":["--api-key","abcdefgh"],"n":1})"_ba
                                      << R"({"n":1})"_ba;
        QTest::newRow("beside its name") << none
                                         << R"({"headers":[{"name":"Authorization","value":"abcdefgh"}],"n":1})"_ba
                                         << R"({"n":1})"_ba;
        for (const char *name : {"passphrase", "pwd", "pass", "pin", "token", "client_secret", "userPassword"})
            QTest::newRow(name) << none << QByteArray(R"({"NAME":"x","n":1})").replace("NAME", name) << R"({"n":1})"_ba;
        QTest::newRow("a token's form") << none << R"({"t":"use ghp_CANARYabcdefghijklmnop0123 here","n":1})"_ba
                                        << R"({"n":1})"_ba;
        QTest::newRow("a slash in an address") << none << R"({"db":"postgres://app:p/w@db","n":1})"_ba
                                               << R"({"n":1})"_ba;
        QTest::newRow("cursors and keys") << none << R"({"pageToken":"abcdefgh1","key":"abcdefgh1"})"_ba
                                          << R"({"pageToken":"abcdefgh1","key":"abcdefgh1"})"_ba;
        QTest::newRow("no object") << none << R"([1])"_ba << QByteArray();
        QTest::newRow("too deep") << none << "{\"a\":" + QByteArray(70, '[') + QByteArray(70, ']') + '}' << none;
    }

    void secretsAreLeftOut()
    {
        QFETCH(QByteArray, schema);
        QFETCH(QByteArray, arguments);
        QFETCH(QByteArray, kept);
        QCOMPARE(withoutSecrets(json::parse(arguments), json::parse(schema), {u"hush-hush"_s}, Session()), kept);
    }

    // What a server said is a secret is one when it is handed to another tool, whatever it looks like there.
    void whatTheSessionKnowsIsLeftOut()
    {
        Session session;
        WireEvent event;
        event.kind = WireEvent::Kind::Message;
        event.direction = Direction::FromServer;
        event.message = Message::parse(R"({"jsonrpc":"2.0","id":1,"result":{"accessToken":"CANARY-1a2b3c"}})");
        session.append(event, 1);
        const QByteArray secret = "CANARY-1a2b3c";
        for (const QByteArray &member :
             {"\"q\":\"" + secret + '"', "\"q\":\"x " + secret.toBase64() + '"', "\"q\":\"" + secret.toHex() + '"',
              "\"q\":\"C\\u0041NARY-1a2b3c\""_ba, "\"q\":[1,\"" + secret + "\"]", '"' + secret + "\":1"})
            QCOMPARE(withoutSecrets(json::parse('{' + member + ",\"n\":1.50}"), {}, {}, session), R"({"n":1.50})"_ba);
    }

    void whatIsBeingTypedIsKeptExactlyOrNotAtAll()
    {
        const auto kept = [](const QByteArray &text, const QByteArray &schema = {}) {
            return textWithoutSecrets(text, json::parse(schema), {u"hush-hush"_s}, Session());
        };
        const QByteArray whole = "{ \"a\" : 1.50,\n \"b\":[ ] }";
        QCOMPARE(kept(whole), whole);
        const QByteArray named = "{ \"n\" : 1.50, \"password\":\"hunter2\" }";
        QCOMPARE(kept(named), "{\"n\":1.50}"_ba);
        for (const QByteArray &text : {"{ \"a\": 1."_ba, "[1]"_ba, "so \xC3\xA9"_ba, QByteArray()})
            QCOMPARE(kept(text), text);
        for (const QByteArray &text :
             {"{\"a\": \"hush-hush"_ba, "{\"password\": \"hunter2\", "_ba, "{\"Authorization\": \"Bearer abc"_ba})
            QCOMPARE(kept(text), QByteArray());
        const QByteArray schema = "{\"properties\":{\"pin\":{\"format\":\"password\"}}}";
        QCOMPARE(kept("{\"pin\": \"12", schema), QByteArray());
    }

    void secretValuesAreFoundWhereverTheyStand()
    {
        const json::Value schema =
            json::parse(R"({"properties":{"user":{},"pin":{"writeOnly":true},"logins":{"items":{"$ref":"#/$defs/l"}}},)"
                        "\"$defs\":{\"l\":{\"properties\":{\"word\":{\"anyOf\":[{\"format\":\"password\"}]}}}}}");
        const json::Value arguments =
            json::parse(R"({"user":"anna","pin":12345678901234567890,"logins":[{"word":["one","two"]},{"word":"x"}]})");
        QStringList values;
        for (const schema::SecretValue &each : schema::secretValues(arguments, schema))
            values.append(each.name + u'=' + each.value);
        values.sort();
        QCOMPARE(values, (QStringList{u"pin=12345678901234567890"_s, u"word=one"_s, u"word=two"_s, u"word=x"_s}));
        QVERIFY(schema::secretValues(arguments, json::parse(R"({"properties":{"user":{"type":"string"}}})")).isEmpty());
    }

    void schemasThatNeverEndKeepNothing()
    {
        // Each branch leads to two of the next.
        QByteArray schema = R"({"properties":{"a":{"$ref":"#/$defs/0"}},"$defs":{)";
        for (int i = 0; i < 40; ++i) {
            const QByteArray next = "{\"$ref\":\"#/$defs/" + QByteArray::number(i + 1) + "\"}";
            schema += '"' + QByteArray::number(i) + "\":{\"anyOf\":[" + next + ',' + next + "]},";
        }
        schema += R"("40":{}}})";
        QCOMPARE(withoutSecrets(json::parse(R"({"a":"x"})"), json::parse(schema), {}, Session()), QByteArray());
        QCOMPARE(withoutSecrets(json::parse(R"({"a":"x"})"),
                                json::parse(R"({"properties":{"a":{"$ref":"#/properties/a"}}})"), {}, Session()),
                 QByteArray());
        schema.replace("\"40\":{}", "\"40\":{\"title\":\"password\"}");
        QCOMPARE(schema::secretValues(json::parse(R"({"b":["x",{"c":7}]})"), json::parse(schema)).size(), 2);
    }

    void schemasTooLargeToLookThroughMakeEverythingSecret()
    {
        const QByteArray words = "\"description\":\"" + QByteArray(1'100'000, 'w') + '"';
        const json::Value arguments = json::parse(R"({"pin":"1234","user":"anna"})");
        const auto secretsOf = [&arguments](const QByteArray &schema) {
            return schema::secretValues(arguments, json::parse(schema));
        };
        QCOMPARE(secretsOf(R"({"properties":{"pin":{"format":"password"}},)" + words + '}').size(), 2);
        QVERIFY(secretsOf(R"({"properties":{"pin":{}},)" + words + '}').isEmpty());
        QCOMPARE(secretsOf(R"({"properties":{"pin":{"\u0066ormat":"p\u0061ssword"}}})"),
                 QList<schema::SecretValue>({{u"pin"_s, u"1234"_s}}));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

SONDE_TEST(TestArgumentStore)
#include "tst_argumentstore.moc"
