// The quick look at a message never contradicts the thorough one.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/messagefields.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QTest>

using namespace sonde;

class MessageFieldsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plain()
    {
        const MessageFields call = MessageFields::read(
            " {\"jsonrpc\":\"2.0\", "
            "\"params\":{\"name\":\"a\\\"b\",\"uri\":\"u\",\"name2\":[{\"name\":\"no\"}]},\"id\":\"x\",\"method\":"
            "\"m\"} ");
        QVERIFY(call.isPlain);
        QCOMPARE(call.kind, Message::Kind::Request);
        QCOMPARE(call[MessageFields::Id], QByteArrayView("\"x\""));
        QCOMPARE(call.content(MessageFields::Method), QByteArrayView("m"));
        const QByteArrayView name = R"(a\"b)";
        QCOMPARE(call.content(MessageFields::Name), name);
        QCOMPARE(call.content(MessageFields::Uri), QByteArrayView("u"));
        QCOMPARE(call.string(MessageFields::Name), QStringLiteral("a\"b"));

        const MessageFields failed =
            MessageFields::read(R"({"result":{"a":{"isError":false},"isError":true},"jsonrpc":"2.0","id":-5})");
        QVERIFY(failed.isPlain && failed.isToolError());
        const MessageFields worked =
            MessageFields::read(R"({"result":{"a":{"isError":true},"isError":"true"},"jsonrpc":"2.0","id":5})");
        QVERIFY(worked.isPlain && !worked.isToolError());
        QVERIFY(!worked.asksForInput());
        const MessageFields asking =
            MessageFields::read(R"({"jsonrpc":"2.0","id":5,"result":{"resultType":"input_required","a":"b"}})");
        QVERIFY(asking.isPlain && asking.asksForInput());
        const MessageFields complete =
            MessageFields::read(R"({"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","a":"input_required"}})");
        QVERIFY(complete.isPlain && !complete.asksForInput());
        QVERIFY(
            !MessageFields::read(R"({"jsonrpc":"2.0","id":5,"result":{"resultType":"input\u005frequired"}})").isPlain);
        const MessageFields notification = MessageFields::read(R"({"jsonrpc":"2.0","method":"n"})");
        QCOMPARE(notification.kind, Message::Kind::Notification);
    }

    // What is broken or unusual has fields too: the last of several with one name, whatever its escapes.
    void unusual()
    {
        const CallFields call = callFields(
            "{\"params\":{\"task\\u0049d\":\"t\",\"requestState\":{\"a\":1},\"requestState\":\"\\u0061\","
            "\"_meta\":{\"progressToken\":7,\"io.modelcontextprotocol/subscriptionId\":\"s\"}},"
            "\"result\":{\"taskId\":\"no\"},\"id\":1.0,\"method\":\"m\",\"x\":[]}");
        QCOMPARE(call.id, RequestId(1));
        QCOMPARE(call.token, RequestId(7));
        QCOMPARE(call.subscription, RequestId(QStringLiteral("s")));
        QCOMPARE(call.task, QStringLiteral("t"));
        QCOMPARE(call.state, QByteArray("\"\\u0061\""));
        QVERIFY(call.isRetry() && !call.hasResponses && !call.asksPerson);

        const ResultFields result = resultFields(
            "{\"result\":{\"status\":\"input_required\",\"resultType\":\"task\",\"taskId\":\"t\",\"inputRequests\":"
            "{\"a\":{\"method\":\"roots/list\"},\"b\":{\"method\":\"elicitation/create\"}}},"
            "\"params\":{\"taskId\":\"no\"},\"id\":1}");
        QVERIFY(result.kind == ResultFields::Kind::Task);
        QCOMPARE(result.task, QStringLiteral("t"));
        QCOMPARE(result.status, QStringLiteral("input_required"));
        QVERIFY(result.asksPerson && !result.isToolError && !result.hasError);
        const ResultFields started =
            resultFields("{\"id\":1,\"result\":{\"task\":{\"taskId\":\"u\",\"status\":\"working\"}}}");
        QVERIFY(started.kind == ResultFields::Kind::Task);
        QCOMPARE(started.task, QStringLiteral("u"));
        const ResultFields failed =
            resultFields("{\"id\":1,\"result\":{\"taskId\":\"u\",\"result\":{\"isError\":true},\"error\":{}}}");
        QVERIFY(failed.isToolError && failed.hasError);
        QCOMPARE(elicitationsRequired("{\"id\":1,\"error\":{\"code\":-32042,\"message\":\"\",\"data\":"
                                      "{\"elicitations\":[{\"elicitationId\":\"e\"},{},5]}}}"),
                 QStringList{QStringLiteral("e")});
    }

    void leftToOthers()
    {
        for (const char *text : {"",
                                 "{",
                                 "[]",
                                 "{}",
                                 R"({"jsonrpc":"2.0"})",
                                 R"({"jsonrpc":"1.0","id":1,"method":"m"})",
                                 R"({"jsonrpc":"2.0","id":1,"id":1,"method":"m"})",
                                 R"({"jsonrpc":"2.0","id":1.0,"method":"m"})",
                                 R"({"jsonrpc":"2.0","id":1e2,"method":"m"})",
                                 R"({"jsonrpc":"2.0","id":-0,"method":"m"})",
                                 R"({"jsonrpc":"2.0","id":null,"method":"m"})",
                                 R"({"jsonrpc":"2.0","id":1,"method":"m"}})",
                                 R"({"jsonrpc":"2.0","id":1,"method":"m","params":[]})",
                                 R"({"jsonrpc":"2.0","id":1,"result":1})",
                                 R"({"jsonrpc":"2.0","id":1,"result":{},"params":{}})",
                                 R"({"jsonrpc":"2.0","id":1,"method":"m","x":1})",
                                 R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}})",
                                 R"({"jsonrpc":"2.0","result":{}})",
                                 R"({"jsonrpc":"2.0","id":"\u0061","method":"m"})",
                                 R"({"jsonrpc":"2.0","id":1,"result":{"is\u0045rror":true}})",
                                 R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"n\u0061me":"x"}})",
                                 R"({"jsonrpc":"2.0","i\u0064":1,"method":"m"})"})
            QVERIFY2(!MessageFields::read(text).isPlain, text);
    }

    // Whatever stands within: plain only when the whole text is valid JSON.
    void asStrictAsTheParser()
    {
        const QDir suite(QStringLiteral(SONDE_SOURCE_DIR "/../shared/suites/JSONTestSuite/test_parsing"));
        const QStringList files = suite.entryList(QDir::Files);
        if (files.isEmpty())
            QSKIP("JSONTestSuite is not here");
        int plain = 0;
        for (const QString &file : files) {
            const QByteArray inner = test::readFile(suite.filePath(file));
            if (inner.size() > 60'000)
                continue;  // very deep ones, which the parser does not read as a tree in a message
            for (const QByteArray &text :
                 {QByteArray(R"({"jsonrpc":"2.0","id":1,"result":{"a":)" + inner + "}}"),
                  QByteArray(R"({"jsonrpc":"2.0","method":"m","params":{"a":)" + inner + "}}")}) {
                const Message message = Message::parse(text).parsed();
                const MessageFields fields = MessageFields::read(text);
                QVERIFY2(fields.isPlain == message.problems().isEmpty(), qPrintable(file));
                if (fields.isPlain)
                    QCOMPARE(fields.kind, message.kind());
                plain += fields.isPlain ? 1 : 0;
            }
        }
        QVERIFY(plain > 150);
    }

    void depth()
    {
        const auto nested = [](int levels) {
            return R"({"jsonrpc":"2.0","method":"m","params":{"a":)" + QByteArray(levels, '[') +
                   QByteArray(levels, ']') + "}}";
        };
        QVERIFY(MessageFields::read(nested(1000)).isPlain);
        QVERIFY(!MessageFields::read(nested(1025)).isPlain);
        QVERIFY(!MessageFields::read(nested(1'000'000)).isPlain);
    }

    void cutAnywhere()
    {
        const QByteArray text = R"({"jsonrpc":"2.0","id":12,"result":{"x":[1,-2.5e+3,true,null,"\u00e9\n"],"y":{}}})";
        QVERIFY(MessageFields::read(text).isPlain);
        for (qsizetype length = 0; length < text.size(); ++length) {
            const QByteArray piece(text.constData(), length);  // a copy, so that a byte too far is noticed
            QVERIFY(!MessageFields::read(piece).isPlain);
        }
    }
};

SONDE_TEST(MessageFieldsTest)

#include "tst_messagefields.moc"
