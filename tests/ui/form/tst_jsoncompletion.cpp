// What the JSON side offers: names that are not given yet, and values, as the schema has them at the cursor.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/form/jsoncaret.h"
#include "ui/form/jsoncompletion.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/schemaform.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QPlainTextEdit>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::ui::jsonCaretAt;
using sonde::ui::JsonCompletion;
using sonde::ui::JsonEditor;
using sonde::ui::SchemaForm;
namespace json = sonde::json;

namespace {

const QByteArray OfferedSchema = R"({"type":"object","required":["query"],
    "$defs":{"point":{"type":"object","required":["y"],"properties":{"x":{"type":"number"},
                      "y":{"type":"integer","description":"From the top"}}}},
    "properties":{
        "limit":{"type":"integer","minimum":1},
        "query":{"type":"string"},
        "mode":{"enum":["fast","fine","full"]},
        "on":{"type":"boolean"},
        "when":{"type":["string","null"],"examples":["2024-01-01"],"default":"now"},
        "at":{"$ref":"#/$defs/point"},
        "all":{"type":"array","items":{"$ref":"#/$defs/point"}},
        "which":{"oneOf":[
            {"type":"object","required":["kind","one"],"properties":{"kind":{"const":"a"},"one":{"type":"string"}}},
            {"type":"object","required":["kind","two"],"properties":{"kind":{"const":"b"},"two":{"type":"number"}}}]}
    },
    "if":{"required":["on"],"properties":{"on":{"const":true}}},
    "then":{"properties":{"extra":{"type":"string"}},"required":["extra"]}})";

class Completed {
public:
    Completed()
    {
        form.setSchema(json::parse(OfferedSchema));
        editor.resize(600, 400);
        editor.show();
        (void)QTest::qWaitForWindowActive(&editor);
        editor.edit()->setFocus();
    }

    // At the place of "|".
    QStringList offered(QString text) const
    {
        const qsizetype at = text.indexOf(u'|');
        text.remove(at, 1);
        QStringList labels;
        const QList<JsonCompletion::Offer> offers = completion->offers(text, int(at));
        for (const JsonCompletion::Offer &offer : offers)
            labels.append(offer.label);
        return labels;
    }

    void write(QString text)
    {
        const qsizetype at = text.indexOf(u'|');
        text.remove(at, 1);
        editor.setJson(text.toUtf8());
        QTextCursor cursor = editor.edit()->textCursor();
        cursor.setPosition(int(at));
        editor.edit()->setTextCursor(cursor);
    }

    // With "|" at the cursor, or on both sides of what is selected.
    QString shown() const
    {
        QString text = editor.edit()->toPlainText();
        const QTextCursor cursor = editor.edit()->textCursor();
        text.insert(cursor.selectionEnd(), u'|');
        if (cursor.hasSelection())
            text.insert(cursor.selectionStart(), u'|');
        return text;
    }

    static QAbstractItemView *popup() { return qobject_cast<QAbstractItemView *>(QApplication::activePopupWidget()); }

    static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWidget *at = popup() ? popup() : QApplication::focusWidget();
        QTest::keyClick(at, key, modifiers);
    }

    SchemaForm form;
    JsonEditor editor;
    JsonCompletion *completion = new JsonCompletion(&editor, &form);
};

}  // namespace

class TestJsonCompletion : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void caretsAreFound_data();
    void caretsAreFound();
    void offers_data();
    void offers();
    void namesAreInserted_data();
    void namesAreInserted();
    void aQuoteOpensTheList();
    void escapeLeavesTheText();
    void typingNarrowsTheList();
    void theNextListOpensByItself();
};

void TestJsonCompletion::caretsAreFound_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("found");
    QTest::newRow("empty") << u"|"_s << u":value:"_s;
    QTest::newRow("a name") << u"{\"na|"_s << u":name:na"_s;
    QTest::newRow("a name among others") << u"{\"a\": 1, \"n|\", \"b\":[{\"c\":2}]}"_s << u":name:n:a,b"_s;
    QTest::newRow("within") << u"{\"a\": {\"b\": [1, {\"c|\": 2}]}}"_s << u"/a/b/1:name:c"_s;
    QTest::newRow("a value") << u"{\"a\": [true, \"x|\"]}"_s << u"/a/1:value:x"_s;
    QTest::newRow("a word") << u"{\"a\": tr|}"_s << u"/a:value:tr"_s;
    QTest::newRow("behind a string with signs") << u"{\"a\": \"}],{\\\"\", \"b\": \"|\"}"_s << u"/b:value:"_s;
    QTest::newRow("without a comma") << u"{\"a\": 1\n \"b|"_s << u":name:b:a"_s;
    // Lines end as in a text, and as in a text box.
    QTest::newRow("behind a quote without its partner") << u"{\"c\": \"x\n \"b|"_s << u"/c:value:x\n \"b"_s;
    QTest::newRow("the same in a text box") << u"{\"c\": \"x\u2029 \"b|"_s << u"/c:value:x\u2029 \"b"_s;
}

void TestJsonCompletion::caretsAreFound()
{
    QFETCH(QString, text);
    QFETCH(QString, found);
    const qsizetype at = text.indexOf(u'|');
    text.remove(at, 1);
    const sonde::ui::JsonCaret caret = jsonCaretAt(text, int(at));
    QString words = json::Pointer(caret.path).toString() + (caret.isName ? u":name:"_s : u":value:"_s) + caret.typed;
    if (!caret.names.isEmpty())
        words += u':' + caret.names.join(u',');
    QCOMPARE(words, found);
}

void TestJsonCompletion::offers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("labels");
    const auto row = [](const char *name, const QString &text, const QString &labels) {
        QTest::newRow(name) << text << (labels.isEmpty() ? QStringList() : labels.split(u' '));
    };
    row("names, required first", u"{|}"_s, u"query limit mode on when at all which"_s);
    row("not those given", u"{\"query\": \"x\", \"|\", \"mode\": 1}"_s, u"limit on when at all which"_s);
    row("that match", u"{\"QU|"_s, u"query"_s);
    row("of a reference", u"{\"at\": {\"|"_s, u"y x"_s);
    row("of an item", u"{\"all\": [{\"x\":1}, {\"x\": 2, \"|"_s, u"y"_s);
    row("of a branch", u"{\"which\": {\"kind\": \"b\", \"|"_s, u"two"_s);
    row("of a branch, in a text box", u"{\"which\":\u2029{\"kind\": \"b\",\u2029 \"|\"}}"_s, u"two"_s);
    row("of all branches", u"{\"which\": {\"|"_s, u"kind one two"_s);
    row("of a condition", u"{\"query\":\"\",\"on\": true, \"e|\"}"_s, u"extra mode when"_s);
    row("not of a condition that does not hold", u"{\"query\":\"\",\"on\": false, \"ex|\"}"_s, {});
    row("choices", u"{\"mode\": |}"_s, u"fast fine full"_s);
    row("choices, quoted", u"{\"mode\": \"fi|\"}"_s, u"fine"_s);
    row("a constant", u"{\"which\": {\"kind\": \"|\"}}"_s, u"a b"_s);
    row("booleans", u"{\"on\": |}"_s, u"true false"_s);
    row("no booleans in quotes", u"{\"on\": \"|\"}"_s, {});
    row("examples and null", u"{\"when\": |}"_s, u"now 2024-01-01 null"_s);
    row("nothing for a free text", u"{\"query\": \"|\"}"_s, {});
    row("nothing for an unknown place", u"{\"other\": {\"|"_s, {});
}

void TestJsonCompletion::offers()
{
    QFETCH(QString, text);
    QFETCH(QStringList, labels);
    const Completed completed;
    QCOMPARE(completed.offered(text), labels);
}

void TestJsonCompletion::namesAreInserted_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::newRow("a text") << u"{\"qu|}"_s << u"{\"query\": \"|\"}"_s;
    QTest::newRow("a number") << u"{\"lim|\"}"_s << u"{\"limit\": |1|}"_s;
    QTest::newRow("a boolean") << u"{\"on|\"}"_s << u"{\"on\": |false|}"_s;
    QTest::newRow("an object") << u"{\"at|\"}"_s << u"{\"at\": {|}}"_s;
    QTest::newRow("a list") << u"{\"all|\"}"_s << u"{\"all\": [|]}"_s;
    QTest::newRow("a default") << u"{\"when|\"}"_s << u"{\"when\": |\"now\"|}"_s;
    QTest::newRow("only the name") << u"{\"li|\": 7}"_s << u"{\"limit\"|: 7}"_s;
    QTest::newRow("with a comma behind") << u"{\"li| \"query\": \"\"}"_s << u"{\"limit\": |1|, \"query\": \"\"}"_s;
    QTest::newRow("with a comma before") << u"{\"query\": \"\"\n \"li|}"_s << u"{\"query\": \"\",\n \"limit\": |1|}"_s;
    QTest::newRow("a value") << u"{\"mode\": \"fi|\"}"_s << u"{\"mode\": \"fine\"|}"_s;
    QTest::newRow("a word") << u"{\"on\": t|}"_s << u"{\"on\": true|}"_s;
}

void TestJsonCompletion::namesAreInserted()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Tab}) {
        Completed completed;
        completed.write(before);
        Completed::press(Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(Completed::popup());
        Completed::press(key);
        QVERIFY(!Completed::popup());
        QCOMPARE(completed.shown(), after);
        QVERIFY(completed.editor.isValidJson());
        QCOMPARE(QApplication::focusWidget(), completed.editor.edit());
    }
}

void TestJsonCompletion::aQuoteOpensTheList()
{
    Completed completed;
    QTest::keyClicks(completed.editor.edit(), u"{"_s);
    QVERIFY(!Completed::popup());
    QTest::keyClicks(completed.editor.edit(), u"\""_s);
    QVERIFY(Completed::popup());
    QCOMPARE(Completed::popup()->currentIndex().data().toString(), u"query"_s);
    Completed::press(Qt::Key_Down);
    Completed::press(Qt::Key_Down);
    QCOMPARE(Completed::popup()->currentIndex().data().toString(), u"mode"_s);
    Completed::press(Qt::Key_Escape);
    QTest::keyClicks(completed.editor.edit(), u"x\": \""_s);
    QVERIFY(!Completed::popup());
}

void TestJsonCompletion::escapeLeavesTheText()
{
    Completed completed;
    QTest::keyClicks(completed.editor.edit(), u"{\""_s);
    QVERIFY(Completed::popup());
    Completed::press(Qt::Key_Escape);
    QVERIFY(!Completed::popup());
    QCOMPARE(completed.shown(), u"{\"|"_s);
    QCOMPARE(QApplication::focusWidget(), completed.editor.edit());
}

void TestJsonCompletion::typingNarrowsTheList()
{
    Completed completed;
    QTest::keyClicks(completed.editor.edit(), u"{\""_s);
    QVERIFY(Completed::popup());
    QTest::keyClicks(Completed::popup(), u"w"_s);
    QVERIFY(Completed::popup());
    QCOMPARE(Completed::popup()->model()->rowCount(), 2);  // when, which
    QTest::keyClicks(Completed::popup(), u"hi"_s);
    QCOMPARE(Completed::popup()->model()->rowCount(), 1);
    Completed::press(Qt::Key_Return);
    QVERIFY2(completed.shown().startsWith(u"{\"which\": "_s), qPrintable(completed.shown()));
}

void TestJsonCompletion::theNextListOpensByItself()
{
    Completed completed;
    completed.write(u"{\"mo|\"}"_s);
    Completed::press(Qt::Key_Space, Qt::ControlModifier);
    Completed::press(Qt::Key_Return);
    QVERIFY(Completed::popup());
    Completed::press(Qt::Key_Return);
    QCOMPARE(completed.shown(), u"{\"mode\": \"fast\"|}"_s);
}

SONDE_TEST(TestJsonCompletion)
#include "tst_jsoncompletion.moc"
