// Saved calls out of what Postman, Insomnia, Hoppscotch and MCP Inspector export.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/json/stringcodec.h"
#include "core/savedcalls/callimport.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class tst_CallImport : public QObject {
    Q_OBJECT
private:
    // As the app writes it: the body is text within the JSON.
    static QByteArray item(const QByteArray &name, const QByteArray &body)
    {
        return "{\"name\":\"" + name +
               "\",\"request\":{\"method\":\"POST\",\"header\":[],\"body\":{\"mode\":\"raw\",\"raw\":" +
               json::quoted(QString::fromUtf8(body)) + R"(},"url":{"raw":"{{baseUrl}}/mcp"}},"response":[]})";
    }
    static QByteArray call(const QByteArray &tool, const QByteArray &arguments)
    {
        return "{\n  \"jsonrpc\": \"2.0\", \"id\": 4, \"method\": \"tools/call\",\n  \"params\": {\"name\": \"" + tool +
               "\", \"arguments\": " + arguments + "}\n}";
    }
    static QByteArray collection(const QList<QByteArray> &items)
    {
        return R"({"info":{"name":"c","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},)"
               R"("item":[)" +
               items.join(',') +
               "],\"variable\":[{\"key\":\"baseUrl\",\"value\":\"http://"
               "localhost:8000\"},{\"key\":\"city\",\"value\":\"New \\\"York\\\"\"},"
               R"({"key":"limit","value":"10"},{"key":"token","value":"x","type":"secret"}]})";
    }
    static QString summary(const ImportedCalls &imported)
    {
        QStringList lines;
        for (const SavedCall &each : imported.calls)
            lines << each.name + u" = "_s + each.tool + u' ' +
                         QString::fromUtf8(each.arguments.exists() ? json::compact(each.arguments) : "-") + u' ' +
                         outcomeName(each.expect.outcome);
        return lines.join(u'\n');
    }

private Q_SLOTS:
    void aPostmanCollection()
    {
        const QByteArray text = collection(
            {item("01. Initialize", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"),
             R"({"name":"Weather","item":[)" + item("Forecast: NY", call("get_forecast", R"({"city":"New York"})")) +
                 "," + item("Forecast: NY", call("get_forecast", R"({"city":"{{city}}","limit":{{limit}}})")) + "]}",
             item("Login",
                  call("login", R"({"token":"Bearer {{token}}","n":{{count}},"big":1e400,"x":"${env:HOME}"})")),
             item("REST", R"({"a":1})"), item("Broken", "{"),
             R"({"name":"Get","request":{"method":"GET","url":"http://x"},"event":[{"listen":"test"}]})",
             R"({"name":"Unknown kind"})"});
        const Result<ImportedCalls> imported = importCalls(text, u"c.json"_s);
        QVERIFY(imported);
        QCOMPARE(
            summary(*imported),
            u"Forecast_ NY = get_forecast {\"city\":\"New York\"} ok\n"
            u"Forecast_ NY-2 = get_forecast {\"city\":\"New \\\"York\\\"\",\"limit\":10} ok\n"
            u"Login = login {\"token\":\"Bearer ${env:TOKEN}\",\"n\":\"${env:COUNT}\",\"big\":1e400,\"x\":\"$${env:HOME}\"} ok"_s);
        QCOMPARE(imported->notes, (QStringList{u"“01. Initialize” was not imported: initialize is not a tool call."_s,
                                               u"“REST” was not imported: its body is not a JSON-RPC request."_s,
                                               u"“Broken” was not imported: its body is not a JSON object."_s,
                                               u"“Get” was not imported: it has no JSON as its body."_s,
                                               u"“Unknown kind” was not imported: it is not an HTTP request."_s,
                                               u"Set these environment variables before running them: TOKEN, COUNT."_s,
                                               u"Scripts, such as tests, are not imported."_s}));
    }

    // The value of a variable is only text: an export must not have the keychain read when its call is run.
    void valuesAreNoPlaceholders()
    {
        const QByteArray text =
            R"({"info":{},"item":[)" +
            item("Log in", call("{{tool}}", R"({"a":"{{key}}","b":"${{half}}","c":{{key}}})")) +
            R"(],"variable":[{"key":"key","value":"${keychain:TOKEN}"},{"key":"half","value":"{env:HOME}"},)"
            R"({"key":"tool","value":"login"}]})";
        const Result<ImportedCalls> imported = importCalls(text, u"c.json"_s);
        QVERIFY(imported);
        QCOMPARE(imported->calls.size(), 1);
        const SavedCall &made = imported->calls.first();
        QCOMPARE(made.tool, u"login"_s);
        QCOMPARE(json::compact(made.arguments), R"({"a":"$${keychain:TOKEN}","b":"$${env:HOME}",)"
                                                R"("c":"$${keychain:TOKEN}"})"_ba);
        QVERIFY(placeholdersOf(made).isEmpty());
    }

    void manyCallsOfOneToolGetNames()
    {
        QList<QByteArray> entries;
        for (int i = 0; i < 4000; ++i)
            entries.append(call("add", "{\"a\":" + QByteArray::number(i) + "}"));
        const Result<ImportedCalls> imported = importCalls("[" + entries.join(',') + "]", u"x"_s);
        QVERIFY(imported);
        QCOMPARE(imported->calls.constLast().name, u"add-4000"_s);
    }

    void anInspectorHistory()
    {
        const QByteArray entry = R"({"id":"a","timestamp":"2026-05-23T10:00:00.000Z","direction":"request",)"
                                 R"("origin":"client","message":{"jsonrpc":"2.0","id":3,"method":"tools/call",)"
                                 R"("params":{"name":"add","arguments":{"a":1,"b":2},"_meta":{"progressToken":3}}},)"
                                 R"("response":{"jsonrpc":"2.0","id":3,"result":{"content":[],"isError":true}},)"
                                 R"("duration":12})";
        const Result<ImportedCalls> imported = importCalls(
            "[" + entry + "," + entry +
                R"(,{"id":"b","direction":"notification","message":{"jsonrpc":"2.0","method":"notifications/x"}},)"
                R"({"id":"c","direction":"request","origin":"client","message":{"jsonrpc":"2.0","id":4,)"
                R"("method":"tools/call","params":{"name":"add"}},"response":{"error":{"code":-32602,"message":"m"}}}])",
            u"inspector-history.json"_s);
        QVERIFY(imported);
        QCOMPARE(summary(*imported), u"add = add {\"a\":1,\"b\":2} tool-error\nadd-2 = add - protocol-error"_s);
        QCOMPARE(imported->notes, QStringList{u"1 other message is not a tool call."_s});
        // One request of it, as it can be copied.
        const Result<ImportedCalls> one = importCalls(call("add", "{}"), u"x"_s);
        QVERIFY(one);
        QCOMPARE(summary(*one), u"add = add {} ok"_s);
    }

    void requestsOfOtherPrograms_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("calls");
        QTest::addColumn<QStringList>("notes");
        const QByteArray mcp =
            "$kind: mcp-request\r\ntransport: stdio\r\ncommand: uvx x\r\nenv:\r\n  KEY: '{{KEY}}'\r\n"
            "message: |-\r\n  {\"method\": \"tools/call\",\r\n    \"params\": {\"name\": \"add\", "
            "\"arguments\": {\"a\": 1, \"b\": {{second}}}}}\r\norder: 1000\r\n";
        QTest::newRow("Postman's MCP request as YAML")
            << u"/w/Add two.request.yaml"_s << mcp << u"Add two = add {\"a\":1,\"b\":\"${env:SECOND}\"} ok"_s
            << QStringList{u"Set these environment variables before running them: SECOND."_s};
        QTest::newRow("Postman's MCP request in one line")
            << u"list.request.yml"_s << "$kind: mcp-request\nmessage: '{\"method\": \"tools/list\"}'\n"_ba << QString()
            << QStringList{u"“list” was not imported: tools/list is not a tool call."_s};
        QTest::newRow("Postman's HTTP request as YAML")
            << u"add.request.yaml"_s
            << "$kind: http-request\nmethod: POST\nbody:\n  type: json\n  content: |\n    "_ba +
                   call("add", "{}").replace("\n", "\n    ") + "\norder: 1\n"
            << u"add = add {} ok"_s << QStringList();
        QTest::newRow("Insomnia")
            << u"i.json"_s
            << R"({"_type":"export","__export_format":4,"resources":[)"
               R"({"_id":"wrk_1","parentId":null,"name":"W","_type":"workspace"},)"
               R"({"_id":"env_1","parentId":"wrk_1","_type":"environment","data":{"n":7,"city":"Rome"}},)"
               R"({"_id":"env_2","parentId":"env_1","_type":"environment","data":{"n":8}},)"
               R"({"_id":"req_1","_type":"request","name":"One","method":"POST","body":{"mimeType":)"
               R"("application/json","text":)"_ba +
                   json::quoted(
                       QString::fromUtf8(call("add", R"({"a":{{ _.n }},"b":"in {{ _.city }}","c":"{{ token }}"})"))) +
                   R"(}},{"_type":"request","name":"Two","method":"GET","body":{}}]})"
            << u"One = add {\"a\":7,\"b\":\"in Rome\",\"c\":\"${env:TOKEN}\"} ok"_s
            << QStringList{u"“Two” was not imported: it has no JSON as its body."_s,
                           u"Set these environment variables before running them: TOKEN."_s};
        QTest::newRow("Hoppscotch")
            << u"h.json"_s
            << R"([{"v":10,"name":"C","variables":[{"key":"n","initialValue":"1","currentValue":"","secret":false},)"
               R"({"key":"key","initialValue":"s3cret","currentValue":"","secret":true}],"folders":[)"
               R"({"v":10,"name":"F","folders":[],"requests":[{"v":"14","name":"In F","method":"POST",)"
               R"("testScript":"x","body":{"contentType":"application/json","body":)"_ba +
                   json::quoted(QString::fromUtf8(call("add", R"({"a":<<n>>,"k":"<<key>>"})"))) +
                   R"(}}]}],"requests":[]}])"
            << u"In F = add {\"a\":1,\"k\":\"${env:KEY}\"} ok"_s
            << QStringList{u"Set these environment variables before running them: KEY."_s,
                           u"Scripts, such as tests, are not imported."_s};
        QTest::newRow("Inspector's network page")
            << u"n.json"_s
            << R"([{"id":"1","method":"GET","url":"http://x/mcp","category":"transport"},)"
               R"({"id":"2","method":"POST","url":"http://x/mcp","category":"transport","requestBody":)"_ba +
                   json::quoted(QString::fromUtf8(call("add", R"({"a":1})"))) + R"(,"responseBody":)" +
                   json::quoted(u"event: message\ndata: {\"result\":{\"isError\":true}}\n\n"_s) + "}]"
            << u"add = add {\"a\":1} tool-error"_s << QStringList{u"1 other message is not a tool call."_s};
        QTest::newRow("a secret") << u"x"_s << call("login", R"({"password":"hunter2-hunter2"})")
                                  << u"login = login {\"password\":\"hunter2-hunter2\"} ok"_s
                                  << QStringList{
                                         u"“login” has what looks like a secret in its arguments: put ${env:NAME} or "
                                         "${keychain:NAME} in its place before you share the file."_s};
        QTest::newRow("a request of an earlier Inspector")
            << u"x"_s << R"({"method":"tools/call","params":{"name":"add","arguments":{"a":1}}})"_ba
            << u"add = add {\"a\":1} ok"_s << QStringList();
    }
    void requestsOfOtherPrograms()
    {
        QFETCH(QString, path);
        QFETCH(QByteArray, text);
        QFETCH(QString, calls);
        QFETCH(QStringList, notes);
        const Result<ImportedCalls> imported = importCalls(text, path);
        QVERIFY2(imported, qPrintable(imported ? QString() : imported.error().message));
        QCOMPARE(summary(*imported), calls);
        QCOMPARE(imported->notes, notes);
    }

    void whatIsNeitherIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("why");
        QTest::newRow("no JSON") << "{"_ba << u"f.json is not JSON."_s;
        QTest::newRow("servers") << R"({"mcpServers":{"a":{"command":"x"}}})"_ba
                                 << u"f.json is a list of servers, without calls."_s;
        QTest::newRow("something else") << "[1]"_ba << u"f.json is not an export with tool calls."_s;
        QTest::newRow("Insomnia 5") << "type: collection.insomnia.rest/5.0\nname: x\n"_ba << u"f.json is YAML."_s;
        QTest::newRow("an MCP client of Insomnia")
            << "type: mcpClient.insomnia/5.0\n"_ba
            << u"f.json is an MCP client of Insomnia, which has no calls in it."_s;
        QTest::newRow("a string") << "\"x\""_ba << u"f.json is not an export with tool calls."_s;
    }
    void whatIsNeitherIsRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, why);
        const Result<ImportedCalls> imported = importCalls(text, u"f.json"_s);
        QVERIFY(!imported);
        QCOMPARE(imported.error().message, why);
    }

    void namesLeadNowhereElse()
    {
        const QByteArray text = collection({item("/tmp/../a\\ud800", call("add", "{}"))});
        const Result<ImportedCalls> imported = importCalls(text, u"c.json"_s);
        QVERIFY(imported);
        QCOMPARE(imported->calls.first().name, u"_tmp_.._a_"_s);
    }

    void longNamesFitTheFileSystem()
    {
        const QTemporaryDir folder;
        for (const QString &letter : {u"語"_s, u"𠮷"_s}) {
            const QByteArray text = collection({item(letter.repeated(100).toUtf8(), call("add", "{}"))});
            const Result<ImportedCalls> imported = importCalls(text, u"c.json"_s);
            QVERIFY(imported);
            const QString name = imported->calls.first().name;
            QVERIFY(name.size() >= 50 && problemOfCallName(name).isEmpty());
            const SavedImport import = saveImported(imported->calls, folder.path());
            QVERIFY2(!import.problem, qPrintable(import.problem.message));
            QVERIFY(QFile::exists(import.saved.first().path));
        }
    }

    void noFileIsReplaced()
    {
        const QTemporaryDir folder;
        SavedCall call;
        call.tool = u"add"_s;
        call.name = u"Add"_s;
        QVERIFY(!call.save(folder.filePath(u"add.call.json"_s)));
        const SavedImport import = saveImported({call, call}, folder.path());
        QVERIFY(!import.problem);
        QCOMPARE(import.saved.at(0).name, u"Add-2"_s);
        QCOMPARE(import.saved.at(1).fileName(), u"Add-3.call.json"_s);
        const Result<QList<SavedCall>> read = SavedCall::loadFolder(folder.path());
        QVERIFY(read);
        QCOMPARE(read->size(), 3);
        QVERIFY(saveImported({call}, u"/nowhere/at/all"_s).problem);
    }
};

SONDE_TEST(tst_CallImport)
#include "tst_callimport.moc"
