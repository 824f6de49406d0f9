// What stands for a value in the arguments of a saved call, and what is sent in its place.
// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/placeholders.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class tst_Placeholders : public QObject {
    Q_OBJECT
private:
    static Result<json::Value> valueOf(const Placeholder &placeholder)
    {
        if (placeholder.name == "none"_L1)
            return Error::local(u"no "_s + placeholder.text);
        if (placeholder.kind != Placeholder::Kind::Result)
            return json::parse('"' + placeholder.name.toLower().toUtf8() + "\\\"!\"");
        const json::Value result = json::parse(
            "{\"n\":1.50,\"list\":[1, "
            "{\"a\":null}],\"on\":true,\"text\":\"{\\\"token\\\":\\\"t-1\\\"}\",\"a#\":{\"/\":7}}");
        const json::Value value = resolvePlace(result, placeholder.pointer);
        return value.exists() ? Result<json::Value>(value) : Error::local(u"missing"_s);
    }

private Q_SLOTS:
    void valuesTakeTheirPlaces_data()
    {
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QByteArray>("sent");
        const auto row = [](const char *name, const QByteArray &arguments, const QByteArray &sent) {
            QTest::newRow(name) << arguments << sent;
        };
        row("none: every byte", R"({ "b" : 1.000000000000000000001e400, "a":"\u0041$ {env:A} ${x}", "b":2 })",
            R"({ "b" : 1.000000000000000000001e400, "a":"\u0041$ {env:A} ${x}", "b":2 })");
        row("a variable", R"({"z":1.0, "a":"${env:USER}","c":[1e2]})", "{\"z\":1.0, \"a\":\"user\\\"!\",\"c\":[1e2]}");
        row("within a text", R"({"a":"Bearer ${keychain:key-1} and ${env:B}."})",
            "{\"a\":\"Bearer key-1\\\"! and b\\\"!.\"}");
        row("written with an escape", R"({"a":"\u0024{env:B}"})", "{\"a\":\"b\\\"!\"}");
        row("a number keeps its digits", R"({"a":"${calls.x.result/n}"})", R"({"a":1.50})");
        row("a list", R"({"a":["${calls.x.result/list}"]})", R"({"a":[[1,{"a":null}]]})");
        row("true", R"({"a":"${calls.x.result/on}"})", R"({"a":true})");
        row("its text within a text", R"({"a":"n=${calls.x.result/n} l=${calls.x.result/list}"})",
            "{\"a\":\"n=1.50 l=[1,{\\\"a\\\":null}]\"}");
        row("JSON within a text", "{\"a\":\"${calls.x.result/text#/token}\"}", R"({"a":"t-1"})");
        row("a name with a point", R"({"a":"${calls.a.result.b.result/on}"})", R"({"a":true})");
        row("a member that ends with #", "{\"a\":\"${calls.x.result/a#/~1}\"}", R"({"a":7})");
        row("escaped", R"({"a":"$${env:B} $$${env:B} $${calls.x}"})", R"({"a":"${env:B} $${env:B} ${calls.x}"})");
        row("of others", R"({"a":"${HOME} ${input:x} ${ env:B }"})", R"({"a":"${HOME} ${input:x} ${ env:B }"})");
    }
    void valuesTakeTheirPlaces()
    {
        QFETCH(QByteArray, arguments);
        QFETCH(QByteArray, sent);
        const Result<QByteArray> made = withPlaceholderValues(json::parse(arguments), valueOf);
        QVERIFY2(made, made ? "" : qPrintable(made.error().message));
        QCOMPARE(*made, sent);
        QVERIFY(placeholdersIn(json::parse(arguments)));
    }

    void whatWasTypedIsSentAsItIs()
    {
        const QByteArray typed = R"({"a":"${env:B} $${env:B} ${calls.x} ${x}","${env:B}":1.50,"b":["${keychain:k}"]})";
        const QByteArray saved = withoutPlaceholders(json::parse(typed));
        QVERIFY(placeholdersIn(json::parse(saved))->isEmpty());
        QCOMPARE(*withPlaceholderValues(json::parse(saved), valueOf), typed);
    }

    void aRenamedCallIsNamedInItsPlaceholders()
    {
        const QByteArray text =
            R"({"a":"x ${calls.b.result/c}${calls.b.result}","b":1.50,"c":["$${calls.b.result} ${calls.bb.result}"]})";
        const QByteArray renamed =
            R"({"a":"x ${calls.a b.result/c}${calls.a b.result}","b":1.50,"c":["$${calls.b.result} ${calls.bb.result}"]})";
        QCOMPARE(withResultsRenamed(json::parse(text), u"b"_s, u"a b"_s), renamed);
    }

    void valuesAreNotReadAgain()
    {
        const auto tricky = [](const Placeholder &) -> Result<json::Value> { return json::parse(R"("${env:A}")"); };
        QCOMPARE(*withPlaceholderValues(json::parse(R"({"a":"x ${env:B}"})"), tricky), R"({"a":"x ${env:A}"})"_ba);
    }

    void theFirstErrorIsTold()
    {
        const Result<QByteArray> made = withPlaceholderValues(json::parse(R"({"a":"${env:none}"})"), valueOf);
        QVERIFY(!made);
        QCOMPARE(made.error().message, u"no ${env:none}"_s);
    }

    void whatIsNoPlaceholderIsNamed_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"${env:1B}", "${env:}", "${keychain:}", "${keychain:a b}", "${calls.login}",
                                 "${calls.login.result", "${calls..result/a}", "${env:HOME"})
            QTest::newRow(text) << QByteArray(text);
    }
    void whatIsNoPlaceholderIsNamed()
    {
        QFETCH(QByteArray, text);
        const auto found = placeholdersIn(json::parse("{\"a\":[\"x " + text + "\"]}"));
        QVERIFY(!found);
        QVERIFY2(found.error().message.contains(QString::fromUtf8(text)), qPrintable(found.error().message));
        QVERIFY2(found.error().hint.contains(u"$${"), qPrintable(found.error().hint));
    }

    void deepArgumentsAreNoStack()
    {
        const QByteArray deep = "{\"a\":" + QByteArray(1000, '[') + "\"${env:B}\"" + QByteArray(1000, ']') + '}';
        QCOMPARE(*withPlaceholderValues(json::parse(deep), valueOf),
                 "{\"a\":" + QByteArray(1000, '[') + "\"b\\\"!\"" + QByteArray(1000, ']') + '}');
    }
};

SONDE_TEST(tst_Placeholders)
#include "tst_placeholders.moc"
