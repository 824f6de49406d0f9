// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/protocol/message.h"
#include "tests/support/testregistry.h"

#include <QTest>
#include <memory>
#include <thread>

using namespace sonde;
using namespace Qt::StringLiterals;
using Kind = Message::Kind;

namespace {

const char *name(Kind kind)
{
    switch (kind) {
        case Kind::Invalid:
            return "Invalid";
        case Kind::Request:
            return "Request";
        case Kind::Notification:
            return "Notification";
        case Kind::Result:
            return "Result";
        case Kind::Error:
            return "Error";
        case Kind::Batch:
            return "Batch";
    }
    return "?";
}

struct Case {
    const char *name;
    QByteArray text;
    Kind kind;
    bool isJsonRpc;
    QStringList problems;  // a part of each, in order
};

const QList<Case> &cases()
{
    static const QList<Case> all = {
        {"request", R"({"jsonrpc":"2.0","id":1,"method":"ping"})", Kind::Request, true, {}},
        {"request with params", R"({"jsonrpc":"2.0","id":"a","method":"m","params":{}})", Kind::Request, true, {}},
        {"notification", R"({"jsonrpc":"2.0","method":"m","params":{"a":[1]}})", Kind::Notification, true, {}},
        {"result", R"( {"jsonrpc":"2.0","id":1,"result":{"a":"}"}} )", Kind::Result, true, {}},
        {"error", R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})", Kind::Error, true, {}},
        {"error with data",
         R"({"jsonrpc":"2.0","id":1,"error":{"data":{"code":"x"},"code":1,"message":""}})",
         Kind::Error,
         true,
         {}},
        {"error to nobody",
         R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})",
         Kind::Error,
         true,
         {}},
        {"error without id", R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}})", Kind::Error, true, {}},
        {"unknown members", R"({"jsonrpc":"2.0","id":1,"result":{},"x":1,"y":[{}]})", Kind::Result, true, {}},
        {"escaped names", R"({"jsonrp\u0063":"2.0","\u0069d":1,"m\u0065thod":"\u006d"})", Kind::Request, true, {}},

        {"both",
         R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}})",
         Kind::Error,
         true,
         {u"Both 'result' and 'error'"_s}},
        {"result with a null error",
         R"({"jsonrpc":"2.0","id":1,"result":{},"error":null})",
         Kind::Result,
         true,
         {u"Both"_s}},
        {"neither", R"({"jsonrpc":"2.0","id":1})", Kind::Invalid, true, {u"None of 'method'"_s}},
        {"no code", R"({"jsonrpc":"2.0","id":1,"error":{"message":"m"}})", Kind::Error, true, {u"'code' is missing"_s}},
        {"code as text",
         R"({"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}})",
         Kind::Error,
         true,
         {u"'code' in 'error' is not an integer"_s}},
        {"no message",
         R"({"jsonrpc":"2.0","id":1,"error":{"code":1}})",
         Kind::Error,
         true,
         {u"'message' is missing"_s}},
        {"message as number",
         R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":1}})",
         Kind::Error,
         true,
         {u"'message' in 'error' is not a string"_s}},
        {"error as text",
         R"({"jsonrpc":"2.0","id":1,"error":"bad"})",
         Kind::Error,
         true,
         {u"'error' is not an object"_s}},
        {"result as array",
         R"({"jsonrpc":"2.0","id":1,"result":[]})",
         Kind::Result,
         true,
         {u"'result' is not an object"_s}},
        {"result without id", R"({"jsonrpc":"2.0","result":{}})", Kind::Result, true, {u"'id' is missing"_s}},
        {"result to null", R"({"jsonrpc":"2.0","id":null,"result":{}})", Kind::Result, true, {u"'id' is null"_s}},
        {"fraction as id",
         R"({"jsonrpc":"2.0","id":1.5,"result":{}})",
         Kind::Result,
         true,
         {u"not written as an integer: 1.5"_s}},
        {"1.0 as id",
         R"({"jsonrpc":"2.0","id":1.0,"result":{}})",
         Kind::Result,
         true,
         {u"not written as an integer: 1.0"_s}},
        {"object as id",
         R"({"jsonrpc":"2.0","id":{},"method":"m"})",
         Kind::Request,
         true,
         {u"neither an integer nor a string"_s}},
        {"null as a request's id",
         R"({"jsonrpc":"2.0","id":null,"method":"m"})",
         Kind::Request,
         true,
         {u"'id' is null"_s}},
        {"params as array",
         R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})",
         Kind::Request,
         true,
         {u"'params' is an array"_s}},
        {"params as text",
         R"({"jsonrpc":"2.0","method":"m","params":"x"})",
         Kind::Notification,
         true,
         {u"'params' is not an object"_s}},
        {"method as number",
         R"({"jsonrpc":"2.0","id":1,"method":7})",
         Kind::Invalid,
         true,
         {u"'method' is not a string"_s}},
        {"method and result",
         R"({"jsonrpc":"2.0","id":1,"method":"m","result":{}})",
         Kind::Request,
         true,
         {u"'result' is not allowed"_s}},
        {"two ids",
         R"({"jsonrpc":"2.0","id":1,"id":2,"result":{}})",
         Kind::Result,
         true,
         {u"'id' occurs more than once"_s}},

        {"no version", R"({"id":1,"result":{}})", Kind::Invalid, false, {u"'jsonrpc' is missing"_s}},
        {"old version", R"({"jsonrpc":"1.0","id":1,"result":{}})", Kind::Invalid, false, {u"'jsonrpc' is not"_s}},
        {"version as number", R"({"jsonrpc":2.0,"id":1,"result":{}})", Kind::Invalid, false, {u"'jsonrpc' is not"_s}},
        {"log object", R"({"level":"info","msg":"ready"})", Kind::Invalid, false, {u"'jsonrpc' is missing"_s}},
        {"log line",
         "[INFO] listening on stdio",
         Kind::Invalid,
         false,
         {u"Not JSON, at byte 1"_s, u"Unexpected text"_s}},
        {"text", "Server running", Kind::Invalid, false, {u"Not JSON, at byte 0"_s, u"Unexpected text"_s}},
        {"number", "42", Kind::Invalid, false, {u"neither an object nor an array"_s}},
        {"nothing", "", Kind::Invalid, false, {u"empty"_s}},
        {"empty object", "{}", Kind::Invalid, false, {u"'jsonrpc' is missing"_s}},

        {"batch", R"([{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":1,"result":{}}])", Kind::Batch, true, {}},
        {"batch with noise", R"([1,{"jsonrpc":"2.0","method":"a"}])", Kind::Batch, true, {}},
        {"empty batch", "[]", Kind::Invalid, false, {u"An empty array"_s}},
        {"array of numbers", "[1,2]", Kind::Invalid, false, {u"No element"_s}},

        {"cut off", R"({"jsonrpc":"2.0","id":1,"result":{"a":1)", Kind::Invalid, true, {u"expected '}'"_s}},
        {"fault within", R"({"jsonrpc":"2.0","id":1,"result":{"a":01}})", Kind::Invalid, true, {u"number"_s}},
        {"not UTF-8 within",
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\xFF\"}}",
         Kind::Invalid,
         true,
         {u"UTF-8"_s}},
        {"second object", R"({"jsonrpc":"2.0","id":1,"result":{}}{})", Kind::Invalid, true, {u"Unexpected text"_s}},
        {"single quotes",
         R"({'jsonrpc':'2.0','id':1})",
         Kind::Invalid,
         false,
         {u"'''"_s, u"'''"_s, u"'''"_s, u"'jsonrpc' is missing"_s}},
    };
    return all;
}

// The same message, too large to be read at once: white space changes nothing else.
QByteArray enlarged(const QByteArray &text)
{
    const qsizetype at = text.startsWith(' ') ? 2 : 1;
    QByteArray large = text;
    return large.insert(at, QByteArray(70'000, ' '));
}

}  // namespace

class MessageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsKinds_data();
    void tellsKinds();
    void judgesLargeTextsAlike_data();
    void judgesLargeTextsAlike();
    void takesLargeBatchesApart();
    void judgesAlikeWithoutATree_data() { judgesLargeTextsAlike_data(); }
    void judgesAlikeWithoutATree();
    void readsParts();
    void postponesTrees();
    void parsesOnAnotherThread();
    void noticesFaultsDeepInLargeMessages();
    void writes();
    void writesResponses();
    void becomesAnError();
    void splitsBatches();
    void isEmptyByDefault();
    void keepsToTheLimits();
};

void MessageTest::tellsKinds_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < cases().size(); ++i)
        QTest::newRow(cases()[i].name) << i;
}

void MessageTest::tellsKinds()
{
    QFETCH(int, index);
    const Case &expected = cases()[index];
    const Message message = Message::parse(expected.text);
    QCOMPARE(name(message.kind()), name(expected.kind));
    QCOMPARE(message.isJsonRpc(), expected.isJsonRpc);
    QCOMPARE(message.raw(), expected.text);
    QVERIFY2(message.problems().size() == expected.problems.size(), qUtf8Printable(message.problems().join(u'\n')));
    for (qsizetype i = 0; i < expected.problems.size(); ++i)
        QVERIFY2(message.problems()[i].contains(expected.problems[i]), qUtf8Printable(message.problems()[i]));
}

void MessageTest::judgesLargeTextsAlike_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < cases().size(); ++i) {
        if (!cases()[i].text.isEmpty())
            QTest::newRow(cases()[i].name) << i;
    }
}

void MessageTest::judgesLargeTextsAlike()
{
    QFETCH(int, index);
    const QByteArray text = cases()[index].text;
    const Message small = Message::parse(text);
    const Message large = Message::parse(enlarged(text));
    // Whatever could not be seen from outside is known once there is a tree.
    const Message parsed = large.parsed();
    QCOMPARE(name(parsed.kind()), name(small.kind()));
    QCOMPARE(parsed.isJsonRpc(), small.isJsonRpc());
    QCOMPARE(parsed.problems().size(), small.problems().size());
    QCOMPARE(parsed.id().toJson(), small.id().toJson());
    QCOMPARE(parsed.method(), small.method());
    if (small.kind() != Kind::Invalid) {
        QCOMPARE(name(large.kind()), name(small.kind()));
        QCOMPARE(large.isJsonRpc(), small.isJsonRpc());
        QCOMPARE(large.problems(), small.problems());
        QCOMPARE(large.id().toJson(), small.id().toJson());
        QCOMPARE(large.method(), small.method());
    }
}

void MessageTest::readsParts()
{
    const Message request = Message::parse(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":1.0}})");
    QCOMPARE(request.method(), u"tools/call"_s);
    QCOMPARE(request.id(), RequestId(7));
    QCOMPARE(request.params()[u"x"].numberText(), "1.0");
    QVERIFY(!request.isResponse());
    QVERIFY(!request.result().exists());

    const Message result = Message::parse(R"({"jsonrpc":"2.0","id":"7","result":{"y":[2]}})");
    QVERIFY(result.isResponse());
    QVERIFY(!(result.id() == request.id()));
    QCOMPARE(result.id(), RequestId(u"7"_s));
    QCOMPARE(result.result()[u"y"].at(0).toInteger(), 2);
    QVERIFY(result.method().isEmpty());

    // Parts of a broken message are shown too.
    const Message broken = Message::parse(R"({"id":3,"result":{"z":3}})");
    QCOMPARE(broken.id(), RequestId(3));
    QCOMPARE(broken.result()[u"z"].toInteger(), 3);
}

void MessageTest::postponesTrees()
{
    const QByteArray text =
        R"({"jsonrpc":"2.0","result":{"text":")" + QByteArray(100'000, 'x') + R"(","id":9},"id":4})";
    const Message message = Message::parse(text);
    QVERIFY(!message.isParsed());
    QCOMPARE(name(message.kind()), "Result");
    QCOMPARE(message.id(), RequestId(4));
    QVERIFY(!message.isParsed());
    QCOMPARE(message.result()[u"text"].string().size(), 100'000);
    QVERIFY(message.isParsed());
    QVERIFY(message.parsed().root().isSameNode(message.root()));

    // What is small and as usual needs none either; what is not has to be judged by its tree.
    QVERIFY(!Message::parse(R"({"jsonrpc":"2.0","id":1,"result":{}})").isParsed());
    QVERIFY(Message::parse(R"({"jsonrpc":"2.0","id":1.5,"result":{}})").isParsed());
}

void MessageTest::takesLargeBatchesApart()
{
    QByteArrayList texts;
    for (int i = 0; i < 3000; ++i)
        texts << R"({"jsonrpc":"2.0","id":)" + QByteArray::number(i) + R"(,"result":{"a":[1,2]}})";
    texts[7] = R"({"jsonrpc":"2.0","id":1.5,"method":"odd"})";
    texts[8] = "17";
    const QByteArray text = " [" + texts.join(" ,\n ") + "] ";
    const Message batch = Message::parse(text);
    QCOMPARE(name(batch.kind()), "Batch");
    QVERIFY(batch.isJsonRpc() && !batch.isParsed() && batch.problems().isEmpty());
    const QList<Message> elements = batch.batch();
    QCOMPARE(elements.size(), texts.size());
    for (qsizetype i = 0; i < texts.size(); ++i)
        QCOMPARE(elements[i].raw(), texts[i]);
    QCOMPARE(elements.last().id(), RequestId(2999));
    QCOMPARE(name(elements[8].kind()), "Invalid");
    QCOMPARE(batch.root().size(), texts.size());
    QCOMPARE(name(batch.kind()), "Batch");

    for (const QByteArray &end : {QByteArray("]]"), QByteArray(), QByteArray(",]"), QByteArray("] x")})
        QCOMPARE(name(Message::parse('[' + texts.join(',') + end).kind()), "Invalid");
    const QByteArray nested = QByteArray(900, '[') + QByteArray(400'000, ' ') + QByteArray(900, ']');
    QCOMPARE(name(Message::parse('[' + texts[0] + ',' + nested + ']').kind()), "Batch");
    QCOMPARE(name(Message::parse('[' + QByteArrayList(40'000, "17").join(',') + ']').kind()), "Invalid");
}

void MessageTest::judgesAlikeWithoutATree()
{
    QFETCH(int, index);
    QByteArrayList texts{cases()[index].text};
    texts << "{\"jsonrpc\":\"2.0\",\"id\":\"\xEF\xBB\xBF\xC3\xA9\",\"method\":\"\xEF\xBB\xBF\xC3\xA9\"}"
          << R"({"jsonrpc":"2.0","id":-17,"result":{"a":[1,{"b":null}]}})";
    for (const QByteArray &text : std::as_const(texts)) {
        const Message quick = Message::parse(text);
        const Message thorough = quick.parsed();
        QCOMPARE(name(quick.kind()), name(thorough.kind()));
        QCOMPARE(quick.isJsonRpc(), thorough.isJsonRpc());
        QCOMPARE(quick.problems(), thorough.problems());
        QCOMPARE(quick.id().toJson(), thorough.id().toJson());
        QCOMPARE(quick.id() == thorough.id(), thorough.id().isMatchable());
        QCOMPARE(quick.method(), thorough.method());
    }
}

void MessageTest::parsesOnAnotherThread()
{
    const Message message = Message::parse(enlarged(R"({"jsonrpc":"2.0","id":1,"result":{"a":5}})"));
    Message parsed;
    std::thread worker([&parsed, message] { parsed = message.parsed(); });
    worker.join();
    QVERIFY(parsed.isParsed());
    QVERIFY(!message.isParsed());  // the worker made its own
    QCOMPARE(parsed.result()[u"a"].toInteger(), 5);
    QCOMPARE(parsed.raw(), message.raw());
    QCOMPARE(parsed.raw().constData(), message.raw().constData());  // but not of the bytes
}

void MessageTest::noticesFaultsDeepInLargeMessages()
{
    const Message message = Message::parse(enlarged(R"({"jsonrpc":"2.0","id":1,"result":{"a":nul}})"));
    QVERIFY(!message.document().isValid());
    QCOMPARE(name(message.kind()), "Invalid");
    QVERIFY(!message.problems().isEmpty());
    QCOMPARE(message.id(), RequestId(1));

    // Brackets that do not fit are seen from outside.
    QCOMPARE(name(Message::parse(enlarged(R"({"jsonrpc":"2.0","id":1,"result":{)")).kind()), "Invalid");
}

void MessageTest::writes()
{
    const Message request = Message::request(RequestId(1), u"tools/call", R"({"b":1.0,"a":2})");
    QCOMPARE(request.raw(), R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"b":1.0,"a":2}})");
    QCOMPARE(name(request.kind()), "Request");
    QVERIFY(request.problems().isEmpty());

    QCOMPARE(Message::request(RequestId(u"p\"1"_s), u"ping").raw(), R"({"jsonrpc":"2.0","id":"p\"1","method":"ping"})");
    QCOMPARE(Message::notification(u"n", "{}").raw(), R"({"jsonrpc":"2.0","method":"n","params":{}})");
    QCOMPARE(name(Message::notification(u"n").kind()), "Notification");
}

void MessageTest::writesResponses()
{
    // The id goes back exactly as it came.
    const Message asked = Message::parse(R"({"jsonrpc":"2.0","id":"\u0061","method":"ping"})");
    const Message response = Message::response(asked.id(), "{}");
    QCOMPARE(response.raw(), R"({"jsonrpc":"2.0","id":"\u0061","result":{}})");
    QCOMPARE(response.id(), asked.id());
    QVERIFY(response.problems().isEmpty());

    const Message refusal = Message::errorResponse(asked.id(), -32601, u"no \"such\" method", R"({"x":1})");
    QCOMPARE(refusal.raw(), R"({"jsonrpc":"2.0","id":"\u0061","error":{"code":-32601,"message":"no \"such\" method",)"
                            R"("data":{"x":1}}})");
    QCOMPARE(Message::errorResponse({}, -32700, u"x").raw(),
             R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}})");
}

void MessageTest::becomesAnError()
{
    const Error error =
        Message::parse(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"gone","data":{"uri":"a:b"}}})")
            .toError();
    QVERIFY(error);
    QVERIFY(error.kind == Error::Kind::Remote);
    QCOMPARE(error.code, -32002);
    QCOMPARE(error.message, u"gone"_s);
    QCOMPARE(error.data[u"uri"].string(), u"a:b"_s);
    QVERIFY(!meaningOfErrorCode(error.code).isEmpty());

    // Broken errors still are errors.
    const Error plain = Message::parse(R"({"jsonrpc":"2.0","id":1,"error":"bad luck"})").toError();
    QVERIFY(plain.kind == Error::Kind::Remote);
    QCOMPARE(plain.message, u"bad luck"_s);
    const Error empty = Message::parse(R"({"jsonrpc":"2.0","id":1,"error":{"code":99999999999}})").toError();
    QVERIFY(empty);
    QCOMPARE(empty.code, 0);
    QVERIFY(!empty.message.isEmpty());
    QVERIFY(!empty.data.exists());

    QVERIFY(meaningOfErrorCode(-32005) != meaningOfErrorCode(-32601));
    QVERIFY(meaningOfErrorCode(12).isEmpty());
    QVERIFY(meaningOfErrorCode(-1).isEmpty());  // what clients say to servers about sampling means nothing here
}

void MessageTest::splitsBatches()
{
    const Message batch =
        Message::parse(R"([{"jsonrpc":"2.0","method":"a"}, 5, {"jsonrpc":"2.0","id":1,"result":{}}])");
    const QList<Message> parts = batch.batch();
    QCOMPARE(parts.size(), 3);
    QCOMPARE(name(parts[0].kind()), "Notification");
    QCOMPARE(name(parts[1].kind()), "Invalid");
    QCOMPARE(parts[1].raw(), "5");
    QCOMPARE(name(parts[2].kind()), "Result");
    QVERIFY(parts[2].batch().isEmpty());
}

void MessageTest::isEmptyByDefault()
{
    const Message message;
    QCOMPARE(name(message.kind()), "Invalid");
    QVERIFY(message.id().isNone());
    QVERIFY(message.raw().isEmpty());
    QVERIFY(!message.isJsonRpc());
    QVERIFY(message.isParsed());
    QVERIFY(!message.root().exists());
    QVERIFY(message.parsed().document().isNull());
}

void MessageTest::keepsToTheLimits()
{
    json::Limits limits;
    limits.maxDepth = 3;
    const QByteArray text = R"({"jsonrpc":"2.0","id":1,"result":{"a":[[[1]]]}})";
    const Message message = Message::parse(text, limits);
    QCOMPARE(name(message.kind()), "Invalid");
    QCOMPARE(message.id(), RequestId(1));
    QVERIFY(message.problems().constFirst().contains(u"deeper than 3"));
    QVERIFY(!message.problems().join(u' ').contains(u"Not JSON"));  // it is
    QVERIFY(Message::parse(text.chopped(1), limits).problems().join(u' ').contains(u"Not JSON"));
    QCOMPARE(name(Message::parse(text).kind()), "Result");
    QCOMPARE(name(Message::parse(enlarged(text), limits).parsed().kind()), "Invalid");
}

SONDE_TEST(MessageTest)
#include "tst_message.moc"
