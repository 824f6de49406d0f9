// The file of a saved call: what is read, what is refused, and what is kept when it is written again.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/savedcalls/savedcall.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::readFile;
using sonde::test::writeFile;

class tst_SavedCall : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everythingIsRead()
    {
        const Result<SavedCall> call = SavedCall::parse(
            "{\n"
            "  \"name\": \"log in\", \"server\": \"mine\", \"tool\": \"login\",\n"
            "  \"arguments\": {\"z\": 1.0, \"a\": \"${env:USER}\"},\n"
            "  \"expect\": {\"outcome\": \"tool-error\", \"result\": {\"isError\": true},\n"
            "             \"ignore\": [{\"pointer\": \"/content/*\"}], \"maxDurationMs\": 500}\n"
            "}",
            u"/f/x.call.json"_s);
        QVERIFY2(call, call ? "" : qPrintable(call.error().message));
        QCOMPARE(call->name, u"log in"_s);
        QCOMPARE(call->server, u"mine"_s);
        QCOMPARE(call->tool, u"login"_s);
        QCOMPARE(call->arguments.bytes(), R"({"z": 1.0, "a": "${env:USER}"})"_ba);
        QVERIFY(call->expect.outcome == Outcome::Kind::ToolError);
        QVERIFY(call->expect.result.exists());
        QCOMPARE(call->expect.ignore.rules().size(), 1);
        QCOMPARE(call->expect.maxDurationMs, 500);
        QVERIFY(call->unknownMembers().isEmpty());
    }

    void aToolIsEnough()
    {
        const Result<SavedCall> call = SavedCall::parse(R"({"tool":"t"})", u"/f/only tool.call.json"_s);
        QVERIFY(call);
        QCOMPARE(call->name, u"only tool"_s);
        QVERIFY(call->server.isEmpty() && !call->arguments.exists());
        QVERIFY(call->expect.outcome == Outcome::Kind::Ok);
        QVERIFY(!call->expect.maxDurationMs);
    }

    void faultsAreNamed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("what");
        const auto row = [](const char *name, const QByteArray &text, const QString &what) {
            QTest::newRow(name) << text << what;
        };
        row("not JSON", "{\n\"tool\": x\n}", u"line 2 is not JSON"_s);
        row("nothing", "", u"is not JSON"_s);
        row("no object", "[]", u"not a JSON object"_s);
        row("no tool", "{}", u"'tool' is missing"_s);
        row("tool of another type", "{\n\n\"tool\":1}", u"line 3: 'tool' must be a string"_s);
        row("an unusable name", R"({"name":"a/b","tool":"t"})", u"'a/b' cannot be the name"_s);
        row("arguments", "{\"tool\":\"t\",\n\"arguments\":[1]}", u"line 2: 'arguments' must be an object"_s);
        row("placeholder", R"({"tool":"t","arguments":{"a":"${env:}"}})", u"'${env:}' is not a placeholder"_s);
        row("expect", R"({"tool":"t","expect":true})", u"'expect' must be an object"_s);
        row("outcome", R"({"tool":"t","expect":{"outcome":"fine"}})", u"must be ok, tool-error or protocol-error"_s);
        row("no response", R"({"tool":"t","expect":{"outcome":"no-response"}})", u"must be ok"_s);
        row("error of a result", R"({"tool":"t","expect":{"error":{}}})", u"needs the outcome protocol-error"_s);
        row("result of an error", R"({"tool":"t","expect":{"outcome":"protocol-error","result":{}}})",
            u"has no result"_s);
        row("rule", R"({"tool":"t","expect":{"ignore":[{"pointer":"/a"},{"patern":"uuid"}]}})",
            u"rule 2: unknown member 'patern'"_s);
        row("rules", R"({"tool":"t","expect":{"ignore":{}}})", u"not a list"_s);
        row("limit", R"({"tool":"t","expect":{"maxDurationMs":0}})", u"milliseconds above 0"_s);
        row("too large", "{\"tool\":\"" + QByteArray(16 * 1024 * 1024, 't') + "\"}", u"larger than the 16 MiB"_s);
        row("half a millisecond", R"({"tool":"t","expect":{"maxDurationMs":0.5}})", u"milliseconds above 0"_s);
    }
    void faultsAreNamed()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, what);
        const Result<SavedCall> call = SavedCall::parse(text, u"/f/x.call.json"_s);
        QVERIFY(!call);
        QVERIFY2(call.error().message.startsWith(u"/f/x.call.json"_s), qPrintable(call.error().message));
        QVERIFY2(call.error().message.contains(what), qPrintable(call.error().message));
    }

    void unknownMembersAreKeptInTheirPlaces()
    {
        const QByteArray text = R"({
  "comment": "why",
  "tool": "add",
  "arguments": {
    "b": 1.000000000000000000001,
    "a": 1e400
  },
  "x": [
    1
  ],
  "expect": {
    "note": "\u00e9",
    "maxDurationMs": 5
  }
}
)";
        Result<SavedCall> call = SavedCall::parse(text, u"/f/add.call.json"_s);
        QVERIFY(call);
        QCOMPARE(call->toJson(), text);
        QCOMPARE(call->unknownMembers(), (QStringList{u"/comment"_s, u"/x"_s, u"/expect/note"_s}));
        SavedCall changed = *call;
        changed.tool = u"sub"_s;
        changed.expect.maxDurationMs = {};
        changed.expect.outcome = Outcome::Kind::ToolError;
        QByteArray expected = text;
        expected.replace("\"add\"", "\"sub\"");
        expected.replace("\"maxDurationMs\": 5", "\"outcome\": \"tool-error\"");
        QCOMPARE(changed.toJson(), expected);
    }

    void aNewOneIsWrittenAndReadBack()
    {
        QTemporaryDir folder;
        SavedCall call;
        call.name = u"Log in: two"_s;
        call.server = u"mine"_s;
        call.tool = u"login"_s;
        call.arguments = json::parse(R"({"z":1.0,"a":"x"})");
        call.expect.result = json::parse(R"({"content":[]})");
        QVERIFY(!call.expect.ignore.add({ReplayRule::Kind::Uuid, {}, {}, {}, {}}));
        const QString path = folder.filePath(u"x.call.json"_s);
        QVERIFY(!call.save(path));
        const Result<SavedCall> read = SavedCall::load(path);
        QVERIFY2(read, read ? "" : qPrintable(read.error().message));
        QCOMPARE(read->name, call.name);
        QCOMPARE(json::compact(read->arguments), R"({"z":1.0,"a":"x"})"_ba);
        QCOMPARE(read->expect.ignore.rules(), call.expect.ignore.rules());
        QCOMPARE(read->toJson(), readFile(path));
    }

    void aFolderIsReadInTheOrderOfItsFiles()
    {
        QTemporaryDir folder;
        for (const char *name : {"b", "a", "B"})
            writeFile(folder.filePath(QString::fromLatin1(name) + u".call.json"_s), R"({"tool":"t"})");
        writeFile(folder.filePath(u"other.json"_s), "[]");
        const auto calls = SavedCall::loadFolder(folder.path());
        QVERIFY(calls);
        QStringList names;
        for (const SavedCall &call : *calls)
            names.append(call.name);
        QCOMPARE(names, (QStringList{u"B"_s, u"a"_s, u"b"_s}));
        writeFile(folder.filePath(u"c.call.json"_s), "{");
        QVERIFY(!SavedCall::loadFolder(folder.path()));
        QVERIFY(!SavedCall::loadFolder(folder.filePath(u"none"_s)));
    }

    void aSuiteThatCannotRunSaysWhy()
    {
        const auto call = [](const QByteArray &text, const QString &path) { return *SavedCall::parse(text, path); };
        const SavedCall login = call(R"({"tool":"t"})", u"login.call.json"_s);
        const SavedCall use = call(R"({"tool":"t","arguments":{"a":"${calls.login.result/x}"}})", u"use.call.json"_s);
        QVERIFY(!problemOfSuite({login, use}));
        const Error late = problemOfSuite({use, login});
        QVERIFY2(late.message.startsWith(u"use.call.json: ${calls.login.result/x} needs"_s), qPrintable(late.message));
        const Error twice = problemOfSuite({login, call(R"({"name":"login","tool":"t"})", u"b.call.json"_s)});
        QVERIFY2(twice.message.contains(u"both named 'login'"_s), qPrintable(twice.message));
    }

    void filesThatCannotBeChangedAreNamed()
    {
        QTemporaryDir folder;
        const QString good = folder.filePath(u"b.call.json"_s);
        const QString same = folder.filePath(u"c.call.json"_s);
        writeFile(good, R"({"tool":"t","server":"old"})");
        writeFile(same, R"({"tool":"t"})");
        const UnwrittenCalls unwritten =
            changeCalls({folder.filePath(u"a.call.json"_s), good, same}, [](SavedCall &call) {
                const bool isOld = call.server == u"old"_s;
                call.server = u"new"_s;
                return isOld;
            });
        QCOMPARE(unwritten.names, QStringList{u"a.call.json"_s});
        QVERIFY(unwritten.why);
        QCOMPARE(SavedCall::load(good)->server, u"new"_s);
        QCOMPARE(SavedCall::load(same)->server, QString());
    }

    void aScriptIsNoSavedCall()
    {
        QVERIFY(SavedCall::isMeantBy(" \n{\"tool\":1"));
        QVERIFY(!SavedCall::isMeantBy("call add a=1\n"));
        QVERIFY(!SavedCall::isMeantBy(""));
    }
};

SONDE_TEST(tst_SavedCall)
#include "tst_savedcall.moc"
