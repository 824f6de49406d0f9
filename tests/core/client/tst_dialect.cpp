// SPDX-License-Identifier: Apache-2.0
#include "core/client/statefuldialect.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestDialect : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initializeParams()
    {
        const QByteArray params =
            StatefulDialect::initializeParams(Revision::R20250618, R"({"roots":{"listChanged":true}})");
        QCOMPARE(params, R"({"protocolVersion":"2025-06-18","capabilities":{"roots":{"listChanged":true}},)"
                         R"("clientInfo":{"name":"sonde","title":"Sonde","version":")" SONDE_VERSION R"("}})"_ba);
        QCOMPARE(json::parse(StatefulDialect::initializeParams(Revision::R20241105, {}))[u"capabilities"].bytes(),
                 "{}"_ba);
    }

    void prepare_data()
    {
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<QByteArray>("expected");
        QTest::addColumn<QByteArray>("token");
        QTest::newRow("none") << ""_ba
                              << R"({"_meta":{"progressToken":7}})"_ba
                              << "7"_ba;
        QTest::newRow("empty") << "{}"_ba
                               << R"({"_meta":{"progressToken":7}})"_ba
                               << "7"_ba;
        QTest::newRow("white space") << " { } "_ba
                                     << R"({"_meta":{"progressToken":7}})"_ba
                                     << "7"_ba;
        QTest::newRow("members stay as they are written") << R"({ "a": [1.0 ], "z": {} })"_ba
                                                          << R"({ "a": [1.0 ], "z": {},"_meta":{"progressToken":7}})"_ba
                                                          << "7"_ba;
        QTest::newRow("order, number text, escapes and duplicates stay")
            << R"({"z":1.0,"a":1e400,"\u0061":{"y":1, "x":2},"z":0})"_ba
            << R"({"z":1.0,"a":1e400,"\u0061":{"y":1, "x":2},"z":0,"_meta":{"progressToken":7}})"_ba
            << "7"_ba;
        QTest::newRow("meta is kept") << R"({"_meta":{"k":1.50},"name":"x"})"_ba
                                      << R"({"_meta":{"k":1.50,"progressToken":7},"name":"x"})"_ba
                                      << "7"_ba;
        QTest::newRow("own token is kept") << R"({"_meta":{"progressToken":"mine"}})"_ba
                                           << R"({"_meta":{"progressToken":"mine"}})"_ba
                                           << R"("mine")"_ba;
        QTest::newRow("wrong meta is sent as it is") << R"({"_meta":5})"_ba
                                                     << R"({"_meta":5})"_ba
                                                     << ""_ba;
        QTest::newRow("no object") << "[1]"_ba
                                   << "[1]"_ba
                                   << ""_ba;
    }
    void prepare()
    {
        QFETCH(QByteArray, params);
        QFETCH(QByteArray, expected);
        QFETCH(QByteArray, token);
        const StatefulDialect dialect;
        const PreparedRequest prepared =
            dialect.prepare({methods::CallTool.toString(), params}, RequestId(7), CallOptions());
        QCOMPARE(prepared.params, expected);
        QCOMPARE(prepared.progressToken.toJson(), token);
        QVERIFY(prepared.headers.isEmpty());
        CallOptions silent;
        silent.askForProgress = false;
        QCOMPARE(dialect.prepare({methods::CallTool.toString(), params}, RequestId(7), silent).params, params);
        QCOMPARE(dialect.prepare({methods::Initialize.toString(), params}, RequestId(7), CallOptions()).params, params);
    }

    void interpret_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QByteArray>("response");
        QTest::addColumn<Outcome::Kind>("kind");
        QTest::addColumn<QString>("finding");  // part of the only one; empty: there is none
        const QString call = methods::CallTool.toString();
        using Kind = Outcome::Kind;
        QTest::newRow("ok") << call << R"("result":{"content":[]})"_ba << Kind::Ok << u""_s;
        QTest::newRow("isError false") << call << R"("result":{"content":[],"isError":false})"_ba << Kind::Ok << u""_s;
        QTest::newRow("isError true") << call << R"("result":{"content":[],"isError":true})"_ba << Kind::ToolError
                                      << u""_s;
        QTest::newRow("isError elsewhere")
            << u"prompts/get"_s << R"("result":{"messages":[],"isError":true})"_ba << Kind::Ok << u""_s;
        QTest::newRow("isError a string")
            << call << R"("result":{"content":[],"isError":"true"})"_ba << Kind::Ok << u"'isError' is \"true\""_s;
        QTest::newRow("no content") << call << R"("result":{})"_ba << Kind::Ok << u"'content' is missing"_s;
        QTest::newRow("no content of an error")
            << call << R"("result":{"isError":true})"_ba << Kind::ToolError << u"'content' is missing"_s;
        QTest::newRow("content no array") << call << R"("result":{"content":"hello"})"_ba << Kind::Ok
                                          << u"'content' must be an array; it is \"hello\""_s;
        QTest::newRow("a task") << call << R"("result":{"task":{"taskId":"1"}})"_ba << Kind::Ok << u""_s;
        QTest::newRow("structuredContent no object")
            << call << R"("result":{"content":[],"structuredContent":[1]})"_ba << Kind::Ok << u"an array"_s;
        QTest::newRow("no contents") << u"resources/read"_s << R"("result":{})"_ba << Kind::Ok << u"'contents'"_s;
        QTest::newRow("no tools") << u"tools/list"_s << R"("result":{})"_ba << Kind::Ok << u"'tools'"_s;
        QTest::newRow("ping") << u"ping"_s << R"("result":{})"_ba << Kind::Ok << u""_s;
        QTest::newRow("result no object") << call << R"("result":[])"_ba << Kind::NoResponse << u"result"_s;
        QTest::newRow("empty result no object") << u"ping"_s << R"("result":null)"_ba << Kind::Ok << u"result"_s;
        QTest::newRow("duplicate key") << u"ping"_s << R"("result":{"a":1,"a":2})"_ba << Kind::Ok << u"At byte"_s;
        QTest::newRow("error") << call << R"("error":{"code":-32602,"message":"bad"})"_ba << Kind::ProtocolError
                               << u""_s;
        QTest::newRow("error without code")
            << call << R"("error":{"message":"bad"})"_ba << Kind::ProtocolError << u"code"_s;
        QTest::newRow("error beside a result")
            << call << R"("result":{},"error":{"code":1,"message":"bad"})"_ba << Kind::ProtocolError << u"Both"_s;
        QTest::newRow("neither") << call << R"("data":1)"_ba << Kind::NoResponse << u""_s;
        QTest::newRow("no JSON") << call << R"("result":{"content":[],})"_ba << Kind::NoResponse << u""_s;
    }
    void interpret()
    {
        QFETCH(QString, method);
        QFETCH(QByteArray, response);
        QFETCH(Outcome::Kind, kind);
        QFETCH(QString, finding);
        const QByteArray text = R"({"jsonrpc":"2.0","id":1,)" + response + '}';
        const Outcome outcome = StatefulDialect().interpret(method, Message::parse(text)).outcome;
        QCOMPARE(outcome.kind, kind);
        QCOMPARE(outcome.bytes, text.size());
        QCOMPARE(outcome.message.raw(), text);
        const QByteArray all = outcome.findings.join(u'|').toUtf8();
        QVERIFY2(outcome.findings.size() == (finding.isEmpty() ? 0 : 1), all.constData());
        QVERIFY2(finding.isEmpty() || outcome.findings.constFirst().contains(finding), all.constData());
        const Error::Kind expected = kind == Outcome::Kind::ProtocolError ? Error::Kind::Remote
                                     : kind == Outcome::Kind::NoResponse  ? Error::Kind::Protocol
                                                                          : Error::Kind::None;
        QCOMPARE(toString(outcome.error.kind), toString(expected));
    }

    void findingsHaveAnEnd()
    {
        QByteArray members;
        for (int i = 0; i < 50; ++i)
            members += R"(,"a":1)";
        const Outcome outcome =
            StatefulDialect()
                .interpret(u"ping", Message::parse(R"({"jsonrpc":"2.0","id":1,"result":{"a":0)" + members + "}}"))
                .outcome;
        QCOMPARE(outcome.findings.size(), 6);
    }

    void structuredContentIsJudgedWhereItExists()
    {
        const Message response =
            Message::parse(R"({"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":1}})");
        QCOMPARE(StatefulDialect(Revision::R20241105).interpret(u"tools/call", response).outcome.findings.size(), 0);
        QCOMPARE(StatefulDialect(Revision::R20250618).interpret(u"tools/call", response).outcome.findings.size(), 1);
    }

    void cancellation()
    {
        const StatefulDialect dialect;
        const Message message = dialect.cancellation(u"tools/call", RequestId(u"a\"b"_s), u"why \"so\""_s);
        QCOMPARE(message.kind(), Message::Kind::Notification);
        QCOMPARE(message.params().bytes(), "{\"requestId\":\"a\\\"b\",\"reason\":\"why \\\"so\\\"\"}"_ba);
        QCOMPARE(dialect.cancellation(u"tools/call", RequestId(3), {}).params().bytes(), R"({"requestId":3})"_ba);
        QCOMPARE(dialect.cancellation(u"tools/call", {}, {}).kind(), Message::Kind::Invalid);
        QCOMPARE(dialect.cancellation(u"initialize", RequestId(3), {}).kind(), Message::Kind::Invalid);
    }

    void responsesPing()
    {
        const StatefulDialect dialect;
        const Message response = dialect.response(Message::parse(R"({"jsonrpc":"2.0","id":"\u0031","method":"ping"})"));
        QCOMPARE(response.kind(), Message::Kind::Result);
        QCOMPARE(response.id().toJson(), R"("\u0031")"_ba);
        QCOMPARE(response.result().bytes(), "{}"_ba);
        QCOMPARE(dialect.response(Message::parse(R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})")).kind(),
                 Message::Kind::Invalid);
    }
};

SONDE_TEST(TestDialect)
#include "tst_dialect.moc"
