// Saved calls out of what Postman and MCP Inspector export.
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
        QCOMPARE(imported->notes, (QStringList{u"“01. Initialize” was not imported: initialize is no call of a tool."_s,
                                               u"“REST” was not imported: its body is no JSON-RPC request."_s,
                                               u"“Broken” was not imported: its body is no JSON object."_s,
                                               u"“Get” was not imported: it has no JSON as its body."_s,
                                               u"“Unknown kind” was not imported: it is no HTTP request."_s,
                                               u"Set these environment variables before running them: TOKEN, COUNT."_s,
                                               u"Scripts, such as tests, are not imported."_s}));
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
        QCOMPARE(imported->notes, QStringList{u"1 other message is no call of a tool."_s});
        // One request of it, as it can be copied.
        const Result<ImportedCalls> one = importCalls(call("add", "{}"), u"x"_s);
        QVERIFY(one);
        QCOMPARE(summary(*one), u"add = add {} ok"_s);
    }

    void whatIsNeitherIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("why");
        QTest::newRow("no JSON") << "{"_ba << u"f.json is not JSON."_s;
        QTest::newRow("servers") << R"({"mcpServers":{"a":{"command":"x"}}})"_ba
                                 << u"f.json is a list of servers, without calls."_s;
        QTest::newRow("something else") << "[1]"_ba << u"f.json is no export with calls of tools."_s;
        QTest::newRow("a string") << "\"x\""_ba << u"f.json is no export with calls of tools."_s;
    }
    void whatIsNeitherIsRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, why);
        const Result<ImportedCalls> imported = importCalls(text, u"f.json"_s);
        QVERIFY(!imported);
        QCOMPARE(imported.error().message, why);
    }

    void noFileIsReplaced()
    {
        const QTemporaryDir folder;
        SavedCall call;
        call.tool = u"add"_s;
        call.name = u"Add"_s;
        QVERIFY(!call.save(folder.filePath(u"add.call.json"_s)));
        const Result<QList<SavedCall>> saved = saveImported({call, call}, folder.path());
        QVERIFY(saved);
        QCOMPARE(saved->at(0).name, u"Add-2"_s);
        QCOMPARE(saved->at(1).fileName(), u"Add-3.call.json"_s);
        const Result<QList<SavedCall>> read = SavedCall::loadFolder(folder.path());
        QVERIFY(read);
        QCOMPARE(read->size(), 3);
        QVERIFY(!saveImported({call}, u"/nowhere/at/all"_s));
    }
};

SONDE_TEST(tst_CallImport)
#include "tst_callimport.moc"
