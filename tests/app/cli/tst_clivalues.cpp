// sonde-cli: from words of the command line to the JSON that is sent, seen from the server's side.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "tests/support/wrongmessages.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::askDemo;
using sonde::test::CliRun;
using sonde::test::readFile;
using sonde::test::runCli;

namespace {

// What every-field-kind requires; it answers with the arguments as they arrived.
const QStringList Required{u"text=t"_s, u"color=red"_s, u"version=v1"_s, u"serial=1"_s,
                           u"people:=[{\"name\":\"A\"}]"_s};
const QByteArray RequiredJson = R"({"text":"t","color":"red","version":"v1","serial":1,"people":[{"name":"A"}])";

QByteArray sent(const QStringList &words, const QByteArray &input = {})
{
    const CliRun run = askDemo(QStringList{u"call"_s, u"every-field-kind"_s} + words, {}, input);
    return run.exitCode == 0 ? run.out.trimmed() : run.describe();
}

}  // namespace

class tst_CliValues : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void followsTheSchema_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("member");
        const auto row = [](const char *name, const QStringList &words, const char *member) {
            QTest::newRow(name) << words << QByteArray(member);
        };
        row("text that looks like a number", {u"code=123"_s}, R"("code":"123")");
        row("empty text", {u"notes="_s}, R"("notes":"")");
        row("text with everything", {u"notes=a=b \"q\" \\ ü\n2"_s}, "\"notes\":\"a=b \\\"q\\\" \\\\ ü\\n2\"");
        row("number text", {u"ratio=0.50"_s}, R"("ratio":0.50)");
        row("integer as a float", {u"limit=1e2"_s}, R"("limit":1e2)");
        row("boolean", {u"enabled=true"_s}, R"("enabled":true)");
        row("object", {u"place={\"name\": \"x\"}"_s}, R"("place":{"name": "x"})");
        row("list as JSON", {u"tags=[\"a\",\"b\"]"_s}, R"("tags":["a","b"])");
        row("list word by word", {u"tags=a"_s, u"tags=1"_s}, R"("tags":["a","1"])");
        row("null where allowed", {u"nickname=null"_s}, R"("nickname":null)");
        row("text where null is allowed", {u"nickname=Al"_s}, R"("nickname":"Al")");
        row("number of text or number", {u"textOrNumber=1.0"_s}, R"("textOrNumber":1.0)");
        row("text of text or number", {u"textOrNumber=one"_s}, R"("textOrNumber":"one")");
        row("union of objects", {u"shape={\"kind\":\"circle\",\"radius\":1}"_s},
            R"("shape":{"kind":"circle","radius":1})");
        row("through a reference", {u"parent={\"label\":\"p\"}"_s}, R"("parent":{"label":"p"})");
        row("no type said", {u"anything=1"_s}, R"("anything":"1")");
        row("not in the schema", {u"unknown=true"_s}, R"("unknown":"true")");
        row("JSON against the schema", {u"enabled:=\"no\""_s}, R"("enabled":"no")");
        row("JSON with its digits", {u"anything:=1e400"_s}, R"("anything":1e400)");
    }
    void followsTheSchema()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, member);
        // The server compacts what it echoes.
        member.replace(": ", ":");
        QCOMPARE(sent(Required + words), RequiredJson + ',' + member + '}');
    }

    void keepsIntegersExact()
    {
        QStringList words = Required;
        words[3] = u"serial=9223372036854775807"_s;
        QVERIFY(sent(words).contains("\"serial\":9223372036854775807,"));
    }

    void refusesWhatDoesNotFit_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("fraction") << u"limit=1.5"_s << "limit: '1.5' is not of type integer"_ba;
        QTest::newRow("no boolean") << u"enabled=yes"_s << "enabled: 'yes' is not of type boolean"_ba;
        QTest::newRow("no object") << u"place=here"_s << "place: 'here' is not of type object"_ba;
        QTest::newRow("broken object") << u"place={"_s << "place: '{' is not of type object"_ba;
        QTest::newRow("text in quotes") << u"limit=\"5\""_s << "is not of type integer"_ba;
    }
    void refusesWhatDoesNotFit()
    {
        QFETCH(QString, word);
        QFETCH(QByteArray, error);
        const CliRun run = askDemo(QStringList{u"call"_s, u"every-field-kind"_s} + Required + QStringList{word});
        QVERIFY2(run.exitCode == 4, run.describe().constData());
        QVERIFY2(run.err.contains(error) && run.err.contains("KEY:=JSON"), run.describe().constData());
    }

    // What KEY=VALUE cannot say; the server's side stands in what was recorded.
    void sendsParamsAsTheyAre_data()
    {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QByteArray>("params");
        QTest::newRow("call")
            << u"call"_s
            << R"({"name":"every-field-kind","arguments":{"a=b":"1"},"_meta":{"progressToken":"mine"}})"_ba;
        QTest::newRow("arguments that are a list")
            << u"call"_s << R"({"name":"add","arguments":[1,2.50],"_meta":{"progressToken":1,"trace":"t"}})"_ba;
        QTest::newRow("unknown tool") << u"call"_s << R"({"x":1,"_meta":{"progressToken":1}})"_ba;
        QTest::newRow("read") << u"read"_s << R"({"uri":"demo://nowhere","_meta":{"progressToken":1}})"_ba;
        QTest::newRow("prompt") << u"prompt"_s << R"({"name":"none","arguments":[],"_meta":{"progressToken":1}})"_ba;
    }
    void sendsParamsAsTheyAre()
    {
        const sonde::test::WrongMessages wrong("parameters as the user typed them");
        QFETCH(const QString, verb);
        QFETCH(const QByteArray, params);
        QTemporaryDir folder;
        const QString path = folder.filePath(u"s.mcpsession"_s);
        const CliRun run = askDemo({verb, u"--params"_s, QString::fromUtf8(params), u"--record"_s, path});
        QVERIFY2(run.exitCode >= 0 && run.exitCode < 3, run.describe().constData());
        QVERIFY2(QString::fromUtf8(readFile(path)).contains(QString::fromUtf8(params).replace(u'"', u"\\\""_s)),
                 run.describe().constData());
    }

    // Alternatives that refer to one another in circles: each is looked at once, and the call is made.
    void schemasInCircles_data()
    {
        QTest::addColumn<QByteArray>("schema");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QByteArray>("member");
        const QByteArray circle =
            R"({"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}%1]}},"type":"object",)"
            R"("properties":{"x":{"$ref":"#/$defs/a"}}})";
        QTest::newRow("nothing but itself") << QByteArray(circle).replace("%1", "") << u"x=5"_s << R"("x":"5")"_ba;
        QTest::newRow("and a number") << QByteArray(circle).replace("%1", R"(,{"type":"integer"})") << u"x=5"_s
                                      << R"("x":5)"_ba;
        QByteArray deep;
        for (int level = 0; level < 60; ++level) {
            const QByteArray next = R"({"$ref":"#/$defs/n)" + QByteArray::number(level + 1) + "\"}";
            deep += "\"n" + QByteArray::number(level) + "\":{\"allOf\":[" + next + ',' + next + "]},";
        }
        QTest::newRow("each level twice") << R"({"type":"object","properties":{"x":{"$ref":"#/$defs/n0"}},"$defs":{)" +
                                                 deep + R"("n60":{"type":"boolean"}}})"
                                          << u"x=true"_s << R"("x":true)"_ba;
    }
    void schemasInCircles()
    {
        QFETCH(const QByteArray, schema);
        QFETCH(const QString, word);
        QFETCH(const QByteArray, member);
        QTemporaryDir folder;
        const QString path = folder.filePath(u"s.mcpsession"_s);
        const auto response = [](int id, const QByteArray &result) {
            return QString::fromUtf8("say:{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) +
                                     ",\"result\":" + result + '}');
        };
        const CliRun run = runCli({u"call"_s, u"t"_s, word, u"--timeout"_s, u"20"_s, u"--record"_s, path, u"--"_s,
                                   sonde::test::builtProgram(QStringLiteral("fake-stdio-server")), u"readline"_s,
                                   response(1, R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},)"
                                               R"("serverInfo":{"name":"s","version":"1"}})"),
                                   u"readline"_s, u"readline"_s,
                                   response(2, R"({"tools":[{"name":"t","inputSchema":)" + schema + "}]}"),
                                   u"readline"_s, response(3, R"({"content":[]})"), u"waiteof"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        const QByteArray sent = QByteArray("\"arguments\":{" + member + '}').replace('"', "\\\"");
        const QByteArray recorded = readFile(path);
        QVERIFY2(recorded.contains(sent), recorded.constData());
    }

    void readsArgumentsFromAFile()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(u"arguments.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\n  \"serial\": 1.0,\n  \"text\": \"t\"\n}");
        file.close();
        const QStringList rest{u"color=red"_s, u"version=v1"_s, u"people:=[]"_s, u"text=changed"_s};
        const QByteArray expected = R"({"serial":1.0,"text":"changed","color":"red","version":"v1","people":[]})";
        QCOMPARE(sent(QStringList{u"--args"_s, file.fileName()} + rest), expected);
        QCOMPARE(sent(QStringList{u"--args"_s, u"-"_s} + rest, R"({"serial":1.0,"text":"t"})"), expected);
        const CliRun broken = askDemo({u"call"_s, u"add"_s, u"--args"_s, u"-"_s}, {}, "{\"a\":}");
        QCOMPARE(broken.exitCode, 4);
        const CliRun list = askDemo({u"call"_s, u"add"_s, u"--args"_s, u"-"_s}, {}, "[]");
        QCOMPARE(list.exitCode, 4);
        QVERIFY(list.err.contains("does not contain a JSON object"));
    }
};

SONDE_TEST(tst_CliValues)
#include "tst_clivalues.moc"
