// The quick look at a message never contradicts the thorough one.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/envelope.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QTest>

using namespace sonde;

class EnvelopeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plain()
    {
        const Envelope call = scanEnvelope(
            " {\"jsonrpc\":\"2.0\", "
            "\"params\":{\"name\":\"a\\\"b\",\"uri\":\"u\",\"name2\":[{\"name\":\"no\"}]},\"id\":\"x\",\"method\":"
            "\"m\"} ");
        QVERIFY(call.isPlain);
        QCOMPARE(call.kind, Message::Kind::Request);
        QCOMPARE(call.id, QByteArrayView("\"x\""));
        QCOMPARE(call.method, QByteArrayView("m"));
        const QByteArrayView name = R"(a\"b)";
        QCOMPARE(call.nameText, name);
        QCOMPARE(call.uriText, QByteArrayView("u"));

        const Envelope failed =
            scanEnvelope(R"({"result":{"a":{"isError":false},"isError":true},"jsonrpc":"2.0","id":-5})");
        QVERIFY(failed.isPlain && failed.isToolError);
        const Envelope worked =
            scanEnvelope(R"({"result":{"a":{"isError":true},"isError":"true"},"jsonrpc":"2.0","id":5})");
        QVERIFY(worked.isPlain && !worked.isToolError);
        QVERIFY(!worked.asksForInput);
        const Envelope asking =
            scanEnvelope(R"({"jsonrpc":"2.0","id":5,"result":{"resultType":"input_required","a":"b"}})");
        QVERIFY(asking.isPlain && asking.asksForInput);
        const Envelope complete =
            scanEnvelope(R"({"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","a":"input_required"}})");
        QVERIFY(complete.isPlain && !complete.asksForInput);
        QVERIFY(!scanEnvelope(R"({"jsonrpc":"2.0","id":5,"result":{"resultType":"input\u005frequired"}})").isPlain);
        const Envelope notification = scanEnvelope(R"({"jsonrpc":"2.0","method":"n"})");
        QCOMPARE(notification.kind, Message::Kind::Notification);
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
            QVERIFY2(!scanEnvelope(text).isPlain, text);
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
                const Envelope envelope = scanEnvelope(text);
                QVERIFY2(envelope.isPlain == message.problems().isEmpty(), qPrintable(file));
                if (envelope.isPlain)
                    QCOMPARE(envelope.kind, message.kind());
                plain += envelope.isPlain ? 1 : 0;
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
        QVERIFY(scanEnvelope(nested(1000)).isPlain);
        QVERIFY(!scanEnvelope(nested(1025)).isPlain);
        QVERIFY(!scanEnvelope(nested(1'000'000)).isPlain);
    }

    void cutAnywhere()
    {
        const QByteArray text = R"({"jsonrpc":"2.0","id":12,"result":{"x":[1,-2.5e+3,true,null,"\u00e9\n"],"y":{}}})";
        QVERIFY(scanEnvelope(text).isPlain);
        for (qsizetype length = 0; length < text.size(); ++length) {
            const QByteArray piece(text.constData(), length);  // a copy, so that a byte too far is noticed
            QVERIFY(!scanEnvelope(piece).isPlain);
        }
    }
};

SONDE_TEST(EnvelopeTest)

#include "tst_envelope.moc"
