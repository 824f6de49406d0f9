// Saved calls of what is filled in and of what was recorded: nothing secret is in them.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/redact/secretmarks.h"
#include "tests/support/testregistry.h"
#include "ui/form/schemaform.h"
#include "ui/panels/savedcallmaker.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;

class TestSavedCallMaker : public QObject {
    Q_OBJECT
private:
    static Message request(const QByteArray &arguments, const QByteArray &method = "tools/call")
    {
        return Message::parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method +
                              "\",\"params\":{\"name\":\"sign/in\",\"arguments\":" + arguments + "}}");
    }

private Q_SLOTS:
    void whatIsFilledIn()
    {
        SchemaForm form;
        form.setSchema(
            json::parse("{\"properties\":{\"password\":{\"type\":\"string\",\"format\":\"password\"},\"text\":{"
                        "\"type\":\"string\"}}}"));
        const NewSavedCall made = savedCallOf(u"sign/in"_s, "{\"text\":\"${env:X}\",\"password\":\"hunter22\"}", form);
        QCOMPARE(made.call.tool, u"sign/in"_s);
        QCOMPARE(made.call.name, u"sign_in"_s);
        QCOMPARE(json::compact(made.call.arguments), "{\"text\":\"$${env:X}\",\"password\":\"${env:PASSWORD}\"}"_ba);
        QCOMPARE(made.variables, QStringList{u"PASSWORD"_s});
        // In the tab of a saved call its placeholders are what they are.
        const NewSavedCall again =
            savedCallOf(u"sign/in"_s, "{\"text\":\"${env:X}\",\"password\":\"${keychain:key-1}\"}", form, true);
        QCOMPARE(json::compact(again.call.arguments), "{\"text\":\"${env:X}\",\"password\":\"${keychain:key-1}\"}"_ba);
        QCOMPARE(again.variables, QStringList());
    }

    void whatWasRecorded()
    {
        const QByteArray mark = secretMark("hunter22", "password", "key");
        const QByteArray arguments =
            "{\"b\":[{\"token\":\"Bearer " + mark + "\"}],\"a\":1.50,\"token\":\"" + mark + "\"}";
        const Message failed =
            Message::parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"isError\":true,\"content\":[]}}");
        const std::optional<NewSavedCall> made = savedCallOf(request(arguments), failed);
        QVERIFY(made);
        QCOMPARE(json::compact(made->call.arguments),
                 "{\"b\":[{\"token\":\"${env:TOKEN}\"}],\"a\":1.50,\"token\":\"${env:TOKEN_2}\"}"_ba);
        QCOMPARE(made->variables, (QStringList{u"TOKEN"_s, u"TOKEN_2"_s}));
        QCOMPARE(made->call.expect.outcome, Outcome::Kind::ToolError);
        QCOMPARE(json::compact(made->response), "{\"isError\":true,\"content\":[]}"_ba);
        const Message refused =
            Message::parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"m\"}}");
        QCOMPARE(savedCallOf(request("{}"), refused)->call.expect.outcome, Outcome::Kind::ProtocolError);
        QVERIFY(!savedCallOf(request("{}"), Message())->response.exists());
        QVERIFY(!savedCallOf(request("{}", "prompts/get"), failed));
        QVERIFY(!savedCallOf(failed, failed));
    }
};

SONDE_TEST(TestSavedCallMaker)
#include "tst_savedcallmaker.moc"
