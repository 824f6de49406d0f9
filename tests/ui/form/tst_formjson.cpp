// A form and its JSON beside it: one value, one history, and a text that stays as it was typed.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/support/testregistry.h"
#include "ui/form/abbreviatedruns.h"
#include "ui/form/formjson.h"
#include "ui/form/inputs.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/patchedtext.h"
#include "ui/form/schemaform.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QTest>

#include <utility>

using namespace Qt::StringLiterals;
using sonde::ui::FormJson;
using sonde::ui::GrowingTextEdit;
using sonde::ui::JsonEditor;
using sonde::ui::patchedText;
using sonde::ui::SchemaForm;
namespace json = sonde::json;

namespace {

// Both sides in one window.
class Sides {
public:
    explicit Sides(const QByteArray &schema, const QByteArray &text = {})
    {
        auto *row = new QHBoxLayout(&window);
        row->addWidget(form);
        row->addWidget(editor);
        both = new FormJson(form, editor, &window);
        window.resize(1000, 700);
        form->setSchema(json::parse(schema));
        both->formChanged();
        both->setShown(true, true);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        if (!text.isEmpty())
            write(text);
        settle();
    }

    // As if it was pasted.
    void write(const QByteArray &text) const
    {
        QTextCursor cursor(editor->edit()->document());
        cursor.select(QTextCursor::Document);
        cursor.insertText(QString::fromUtf8(text));
    }

    void settle() const
    {
        int drawn = -1;
        while (std::exchange(drawn, form->fieldCount()) != form->fieldCount()) {
            QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            for (int turn = 0; turn < 4; ++turn)
                QApplication::processEvents();
        }
    }

    QWidget *find(const QString &name) const { return form->findChild<QWidget *>(name); }
    QString shown() const { return editor->edit()->toPlainText(); }
    GrowingTextEdit *edit() const { return qobject_cast<GrowingTextEdit *>(editor->edit()); }
    // And what follows each edit of the text follows all of them.
    bool isSame() const
    {
        return json::compact(json::parse(editor->json())) == form->value() &&
               edit()->runs()->rawText() == edit()->document()->toRawText();
    }

    QWidget window;
    SchemaForm *form = new SchemaForm;
    JsonEditor *editor = new JsonEditor;
    FormJson *both;
};

void press(QWidget *at, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QTest::keyClick(at, key, modifiers);
}

const QByteArray MixedSchema = R"({"type":"object","required":["name"],"properties":{
    "name":{"type":"string"},
    "size":{"type":"number"},
    "tags":{"type":"array","items":{"type":"string"}},
    "place":{"type":"object","required":["kind"],"properties":{"kind":{"const":"p"},"x":{"type":"number"},
        "deep":{"type":"object","properties":{"t":{"type":"string"}}}}},
    "rows":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}},
    "labels":{"type":"object","additionalProperties":{"type":"string"}},
    "which":{"oneOf":[{"type":"object","title":"One","required":["one"],"properties":{"one":{"type":"string"}}},
                      {"type":"object","title":"Two","required":["two"],"properties":{"two":{"type":"number"}}}]},
    "flag":{"type":"boolean"},
    "free":{}}})";

}  // namespace

class TestFormJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textsArePatched_data();
    void textsArePatched();
    void aFieldChangesItsPlaceInTheText();
    void theTextChangesItsFieldOnly();
    void boxesStayWhileTheTextChanges();
    void collapsedGroupsStayCollapsed();
    void halfTypedTextIsKept();
    void oneHistory();
    void undoOfAFormEditRestoresItsWhiteSpace();
    void nothingIsAddedToWhatIsTyped();
    void switchingKeepsEachByte();
    void longTextsAreReadSoon();
    void longTextsFollowSoon();
    void typedBeforeALongTextFollowed();
    void listsOfManyItems();
    void secretsAreHiddenInTheText();
    void anotherThemeChangesNothing();
    void bothSidesSayTheSame_data();
    void bothSidesSayTheSame();
};

// Whichever side has changed, and whoever has read the text.
void TestFormJson::secretsAreHiddenInTheText()
{
    const QByteArray schema = R"({"type":"object","properties":{"a":{"type":"string"},
        "list":{"type":"array","items":{"type":"string"}},"key":{"type":"string","format":"password"}}})";
    const Sides sides(schema, R"({"a": "x", "key": "hunter1"})");
    const auto isHidden = [&sides] {
        return sides.edit()->toPlainText().contains(u"hunter"_s) && !sides.edit()->shownText().contains(u"hunter"_s);
    };
    QVERIFY(isHidden());
    QWidget *field = sides.find(u"field:/a"_s);
    field->setFocus();
    QTest::keyClicks(field, u"yz"_s);
    QVERIFY(isHidden());
    sides.form->setSchema(json::parse(R"({"type":"object","properties":{"a":{"type":"string"}}})"));
    sides.both->setValue(R"({"a":"x","b":"hunter2"})");
    QVERIFY(sides.shown().contains(u"hunter2"_s) && !isHidden());
    sides.form->setSchema(json::parse(schema));
    sides.both->setValue("{\"list\":[\"\"" + QByteArray(",\"word\"").repeated(5000) + "],\"key\":\"hunter3\"}");
    sides.settle();
    field = sides.find(u"field:/a"_s);
    field->setFocus();
    QTest::keyClicks(field, u"x"_s);
    QVERIFY(sides.both->isTextBehind());
    QTRY_VERIFY(!sides.both->isTextBehind());
    QVERIFY(isHidden());
    sides.editor->edit()->setFocus();
    sides.editor->edit()->selectAll();
    QApplication::clipboard()->setText(u"{\"a\": \""_s + QString(300'000, u'x') + u"\", \"key\": \"hunter4\"}"_s);
    QTest::keySequence(sides.editor->edit(), QKeySequence::Paste);
    QVERIFY(sides.both->isReading());
    QTRY_VERIFY(!sides.both->isReading());
    QVERIFY(isHidden());
}

// Colours are an edit to a text box, also of a text that is not shown and older than the form.
void TestFormJson::anotherThemeChangesNothing()
{
    Sides sides(MixedSchema, R"({"name":"a"})");
    sides.both->setShown(true, false);
    sides.form->setValue(json::parse(R"({"name":"b","size":1})"));
    sides.both->formChanged();
    QEvent event(QEvent::PaletteChange);
    QApplication::sendEvent(sides.editor->edit(), &event);
    sides.settle();
    QCOMPARE(sides.form->value(), QByteArray(R"({"name":"b","size":1})"));
    sides.both->setShown(true, true);
    QVERIFY2(sides.isSame(), qPrintable(sides.shown()));
}

void TestFormJson::textsArePatched_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char *name, const QByteArray &before, const QByteArray &value, const QByteArray &after) {
        QTest::newRow(name) << before << value << after;
    };
    row("nothing", " { \"a\" : 1.0 }\n", R"({"a":1.0})", " { \"a\" : 1.0 }\n");
    row("a value", "{ \"a\" : 1.0,\n\n \"b\":[1 , 2]}", R"({"a":1.0,"b":[1,3e5]})",
        "{ \"a\" : 1.0,\n\n \"b\":[1 , 3e5]}");
    row("the first member", "{}", R"({"a":1})", "{\n  \"a\": 1\n}");
    row("one more", "{\n    \"a\": 1\n}", R"({"a":1,"b":{"c":2}})",
        "{\n    \"a\": 1,\n    \"b\": {\n        \"c\": 2\n    }\n}");
    row("one more on its line", R"({"a": 1})", R"({"a":1,"b":{"c":2}})", R"({"a": 1, "b": {"c":2}})");
    row("before the others", "{\n\t\"b\": 1\n}", R"({"a":[0],"b":1})", "{\n\t\"a\": [\n\t\t0\n\t],\n\t\"b\": 1\n}");
    row("the first one goes", "{ \"a\": 1,\n  \"b\": 2 }", R"({"b":2})", "{ \"b\": 2 }");
    row("the last one goes", "{\n  \"a\": 1,\n  \"b\": 2\n}", R"({"a":1})", "{\n  \"a\": 1\n}");
    row("one in the middle goes", "[ 1,\n 2, 3 ]", "[1,3]", "[ 1, 3 ]");
    row("all go", "{\n  \"a\": 1\n}\n", "{}", "{}\n");
    row("another name", "{ \"a\" :\n 1 , \"b\": 2}", R"({"x":1,"b":2})", "{ \"x\" :\n 1 , \"b\": 2}");
    row("another kind", "{ \"a\" : [ 1 ] }", R"({"a":"t"})", "{ \"a\" : \"t\" }");
    row("escapes stay", R"({ "\u0061" : "\u00e9", "b":1 })", R"({"\u0061":"\u00e9","b":2})",
        R"({ "\u0061" : "\u00e9", "b":2 })");
    row("duplicates", R"({ "a":1, "a":2 })", R"({"a":1,"a":3})", R"({ "a":1, "a":3 })");
}

void TestFormJson::textsArePatched()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, after);
    const QByteArray patched = patchedText(json::Document::parse(before), json::parse(value));
    QCOMPARE(patched, after);
    QCOMPARE(json::compact(json::parse(patched)), value);
}

void TestFormJson::aFieldChangesItsPlaceInTheText()
{
    const Sides sides(MixedSchema, "{ \"more\": 1e400,\n\n   \"name\":\"x\", \"size\" : 1.50 }");
    QCOMPARE(sides.form->value(), R"({"more":1e400,"name":"x","size":1.50})");
    QWidget *name = sides.find(u"field:/name"_s);
    name->setFocus();
    QTest::keyClicks(name, u"yz"_s);
    QCOMPARE(sides.editor->json(), "{ \"more\": 1e400,\n\n   \"name\":\"xyz\", \"size\" : 1.50 }");
    QCOMPARE(QApplication::focusWidget(), name);
    QTest::mouseClick(sides.find(u"add:/tags"_s), Qt::LeftButton);
    sides.settle();
    QTest::keyClicks(sides.find(u"field:/tags/0"_s), u"t"_s);
    QCOMPARE(sides.editor->json(),
             "{ \"more\": 1e400,\n\n   \"name\":\"xyz\", \"size\" : 1.50, \"tags\" : [\n     \"t\"\n   ] }");
}

void TestFormJson::theTextChangesItsFieldOnly()
{
    const Sides sides(MixedSchema, R"({"name": "x", "rows": [{"a": "1"}, {"a": "2"}]})");
    const QPointer<QWidget> other = sides.find(u"field:/rows/0/a"_s);
    const QPointer<QWidget> size = sides.find(u"field:/size"_s);
    QVERIFY(other && size);
    QTextCursor cursor = sides.editor->edit()->textCursor();
    cursor.setPosition(int(sides.shown().indexOf(u"\"2\""_s)) + 2);
    sides.editor->edit()->setTextCursor(cursor);
    sides.editor->edit()->setFocus();
    QTest::keyClicks(sides.editor->edit(), u"0"_s);
    sides.settle();
    QCOMPARE(sides.form->value(), R"({"name":"x","rows":[{"a":"1"},{"a":"20"}]})");
    QCOMPARE(qobject_cast<QPlainTextEdit *>(sides.find(u"field:/rows/1/a"_s))->toPlainText(), u"20"_s);
    // A member more, or less, is one of its field alone.
    cursor.setPosition(1);
    cursor.insertText(u"\"size\": 5, "_s);
    sides.settle();
    QCOMPARE(sides.form->value(), R"({"size":5,"name":"x","rows":[{"a":"1"},{"a":"20"}]})");
    QVERIFY(other && other->isVisible());
    QCOMPARE(QApplication::focusWidget(), sides.editor->edit());
}

// Another box at every key would take longer than the key, and lose where one was in it.
void TestFormJson::boxesStayWhileTheTextChanges()
{
    const Sides sides(MixedSchema, R"({"name": "x", "size": 1})");
    const QPointer<QPlainTextEdit> name = qobject_cast<QPlainTextEdit *>(sides.find(u"field:/name"_s));
    const QPointer<QLineEdit> size = qobject_cast<QLineEdit *>(sides.find(u"field:/size"_s));
    QVERIFY(name && size);
    sides.write(R"({"name": "xy", "size": 1.50})");
    sides.settle();
    QVERIFY(name && size);
    QCOMPARE(name->toPlainText(), u"xy"_s);
    QCOMPARE(size->text(), u"1.50"_s);
    sides.write("{}");
    sides.settle();
    QVERIFY(name && size);
    QVERIFY(name->toPlainText().isEmpty() && size->text().isEmpty());
    QCOMPARE(sides.form->value(), "{}");
    QTest::keyClicks(name, u"typed"_s);
    QVERIFY(sides.form->undo());
    sides.settle();
    QVERIFY(name && name->toPlainText().isEmpty());
    QCOMPARE(sides.form->value(), "{}");
    // What they cannot hold is shown by others.
    sides.write(R"({"name": [1], "size": "one"})");
    sides.settle();
    QVERIFY(!name && !size);
    QCOMPARE(sides.form->value(), R"({"name":[1],"size":"one"})");
    sides.write(R"({"name": "z", "size": 2})");
    sides.settle();
    QCOMPARE(qobject_cast<QPlainTextEdit *>(sides.find(u"field:/name"_s))->toPlainText(), u"z"_s);
    QCOMPARE(qobject_cast<QLineEdit *>(sides.find(u"field:/size"_s))->text(), u"2"_s);
}

void TestFormJson::collapsedGroupsStayCollapsed()
{
    const Sides sides(MixedSchema, R"({"name": "x", "place": {"kind": "p", "x": 1}})");
    QTest::mouseClick(sides.find(u"open:/place"_s), Qt::LeftButton);
    QVERIFY(!sides.find(u"field:/place/x"_s)->isVisible());
    sides.write(R"({"name": "xy", "place": {"kind": "p", "x": 12}})");
    sides.settle();
    QCOMPARE(sides.form->value(), R"({"name":"xy","place":{"kind":"p","x":12}})");
    QWidget *inner = sides.find(u"field:/place/x"_s);
    QVERIFY(!inner || !inner->isVisible());
}

void TestFormJson::halfTypedTextIsKept()
{
    const Sides sides(MixedSchema, R"({"name": "x"})");
    sides.write(R"({"name": "y", "si)");
    QVERIFY(!sides.both->isObject());
    QCOMPARE(sides.form->value(), R"({"name":"x"})");
    sides.both->setShown(true, false);
    sides.both->setShown(true, true);
    QCOMPARE(sides.shown(), uR"({"name": "y", "si)"_s);
    // The server lists its tools again, and this one has another schema.
    sides.form->setSchema(json::parse(R"({"type":"object","properties":{"name":{"type":"string"}}})"));
    sides.both->setValue(R"({"name":"x"})");
    QCOMPARE(sides.shown(), uR"({"name": "y", "si)"_s);
    // What replaces it can be undone.
    sides.both->setValue(R"({"name":"z"})");
    QVERIFY(sides.isSame());
    sides.form->undo();
    QCOMPARE(sides.shown(), uR"({"name": "y", "si)"_s);
    QCOMPARE(sides.form->value(), R"({"name":"x"})");
    sides.write("[1]");
    QVERIFY(sides.editor->isValidJson() && !sides.both->isObject());
    QCOMPARE(sides.form->value(), R"({"name":"x"})");
    sides.write("");
    QVERIFY(sides.both->isObject());
    QCOMPARE(sides.form->value(), "{}");
}

void TestFormJson::oneHistory()
{
    const Sides sides(MixedSchema);
    QWidget *name = sides.find(u"field:/name"_s);
    name->setFocus();
    QTest::keyClicks(name, u"one"_s);
    const QByteArray first = sides.editor->json();
    QPlainTextEdit *text = sides.editor->edit();
    text->setFocus();
    text->moveCursor(QTextCursor::End);
    press(text, Qt::Key_Left);
    press(text, Qt::Key_Left);
    QTest::keyClicks(text, u", \"size\": 7"_s);
    const QByteArray second = sides.editor->json();
    QCOMPARE(sides.form->value(), R"({"name":"one","size":7})");
    sides.settle();
    QWidget *size = sides.find(u"field:/size"_s);
    size->setFocus();
    press(size, Qt::Key_End);
    QTest::keyClicks(size, u"5"_s);
    QCOMPARE(sides.form->value(), R"({"name":"one","size":75})");
    // Wherever the focus is, the last edit goes first.
    text->setFocus();
    press(text, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(sides.editor->json(), second);
    QCOMPARE(sides.form->value(), R"({"name":"one","size":7})");
    QCOMPARE(QApplication::focusWidget(), text);
    name->setFocus();
    press(name, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(sides.editor->json(), first);
    QCOMPARE(sides.form->value(), R"({"name":"one"})");
    sides.settle();
    press(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(sides.form->value(), "{}");
    QCOMPARE(sides.editor->json(), "{}");
    text->setFocus();
    for (int i = 0; i < 3; ++i)
        press(text, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(sides.form->value(), R"({"name":"one","size":75})");
    QVERIFY(sides.isSame());
    press(text, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(sides.isSame());
}

void TestFormJson::undoOfAFormEditRestoresItsWhiteSpace()
{
    const QByteArray before = "{\"rows\": [ {\n\n\"a\" :\"1\"  },{ \"a\":   \"2\" }   ] }";
    const Sides sides(MixedSchema, before);
    QTest::mouseClick(sides.find(u"remove:/rows/0"_s), Qt::LeftButton);
    QCOMPARE(sides.editor->json(), "{\"rows\": [ { \"a\":   \"2\" }   ] }");
    sides.form->undo();
    QCOMPARE(sides.editor->json(), before);
    sides.form->redo();
    QCOMPARE(sides.editor->json(), "{\"rows\": [ { \"a\":   \"2\" }   ] }");
}

// A form adds constants that must be sent to what is entered there; to what is typed nothing is added.
void TestFormJson::nothingIsAddedToWhatIsTyped()
{
    const Sides sides(MixedSchema);
    sides.write(R"({"place": {}, "which": {"two": 1, "one": "x"}})");
    sides.settle();
    QCOMPARE(sides.form->value(), R"({"place":{},"which":{"two":1,"one":"x"}})");
    sides.form->undo();
    sides.form->redo();
    QCOMPARE(sides.form->value(), R"({"place":{},"which":{"two":1,"one":"x"}})");
    QVERIFY(sides.isSame());
}

void TestFormJson::switchingKeepsEachByte()
{
    const QByteArray text = "{\n\n\t\"name\" : \"\\u0078\" ,\"size\":1.0e+1}\n ";
    const Sides sides(MixedSchema, text);
    sides.both->setShown(true, false);
    sides.both->setShown(false, true);
    sides.both->setShown(true, true);
    QCOMPARE(sides.editor->json(), text);
    sides.both->setShown(true, false);
    QWidget *name = sides.find(u"field:/name"_s);
    name->setFocus();
    press(name, Qt::Key_End);
    QTest::keyClicks(name, u"y"_s);
    QCOMPARE(sides.editor->json(), text);  // it follows once it is shown
    sides.both->setShown(false, true);
    QCOMPARE(sides.editor->json(), "{\n\n\t\"name\" : \"xy\" ,\"size\":1.0e+1}\n ");
}

void TestFormJson::longTextsAreReadSoon()
{
    const Sides sides(MixedSchema);
    QByteArray text = "{\"name\": \"" + QByteArray(600'000, 'x') + "\",\n \"size\": 1}";
    sides.editor->edit()->setFocus();
    sides.editor->edit()->selectAll();
    QApplication::clipboard()->setText(QString::fromLatin1(text));
    QTest::keySequence(sides.editor->edit(), QKeySequence::Paste);
    QVERIFY(sides.editor->isPending());
    QVERIFY(!sides.form->value().contains("\"size\""));
    QTRY_VERIFY(sides.form->value().endsWith(R"(","size":1})"));
    QCOMPARE(sides.editor->json(), text);
    // So that a key right after it undoes just that.
    sides.both->setValue("{}");
    QCOMPARE(sides.editor->json(), "{}");
    QTest::keySequence(sides.editor->edit(), QKeySequence::SelectAll);
    QTest::keySequence(sides.editor->edit(), QKeySequence::Paste);
    QVERIFY(sides.both->isReading());
    press(sides.editor->edit(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(sides.editor->json(), "{}");
    QCOMPARE(sides.form->value(), "{}");
    press(sides.editor->edit(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(sides.editor->json(), text);
    QVERIFY(sides.isSame());
    // What cannot wait reads it at once.
    sides.editor->edit()->moveCursor(QTextCursor::End);
    press(sides.editor->edit(), Qt::Key_Left);
    QTest::keyClicks(sides.editor->edit(), u"2"_s);
    QVERIFY(sides.both->finish());
    QVERIFY(sides.form->value().endsWith(R"(","size":12})"));
    press(sides.editor->edit(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY2(sides.isSame(), (sides.editor->json().right(40) + sides.form->value().right(40)).constData());
}

// The other way round: a worker finds what a key in the form changes in it, and nothing else moves.
void TestFormJson::longTextsFollowSoon()
{
    QByteArray rows;
    for (int i = 0; i < 2500; ++i)
        rows += (i ? ",\n  {\"a\": \"" : "{\"a\": \"") + QByteArray::number(i) + "\"}";
    const Sides sides(MixedSchema, "{\"rows\": [" + rows + "],\n \"name\": \"n\"}");
    QVERIFY(sides.both->finish());
    sides.settle();
    const QByteArray before = sides.editor->json();
    QWidget *name = sides.find(u"field:/name"_s);
    name->setFocus();
    press(name, Qt::Key_End);
    sides.editor->edit()->verticalScrollBar()->setValue(1000);
    const int shown = sides.editor->edit()->verticalScrollBar()->value();
    QVERIFY(shown > 0);
    QTest::keyClicks(name, u"ew"_s);
    QVERIFY(sides.form->value().endsWith(R"("name":"new"})"));
    QVERIFY(sides.both->isTextBehind());
    QCOMPARE(sides.editor->json(), before);
    QTRY_VERIFY(!sides.both->isTextBehind());
    QCOMPARE(sides.editor->json(), QByteArray(before).replace("\"n\"}", "\"new\"}"));
    QCOMPARE(sides.editor->edit()->verticalScrollBar()->value(), shown);
    QVERIFY(sides.isSame());
    // What is typed there is typed into what the form says.
    QTest::keyClicks(name, u"er"_s);
    QVERIFY(sides.both->isTextBehind());
    sides.editor->edit()->setFocus();
    QVERIFY(!sides.both->isTextBehind());
    QVERIFY(sides.editor->json().endsWith("\"newer\"}"));
    sides.form->undo();
    QVERIFY(sides.both->finish());
    QCOMPARE(sides.editor->json(), before);
}

// A worker makes JSON of what was pasted in the form; who types on the other side does not wait for it.
void TestFormJson::typedBeforeALongTextFollowed()
{
    const Sides sides(MixedSchema, "{\"free\":\"" + QByteArray(40'000, 'f') + "\"}");
    QVERIFY(sides.both->finish());
    sides.settle();
    sides.find(u"field:/name"_s)->setFocus();
    QApplication::clipboard()->setText(QString(1'000'000, u'n'));
    QTest::keySequence(QApplication::focusWidget(), QKeySequence::Paste);
    QVERIFY(!sides.form->isPrepared());
    sides.editor->edit()->setFocus();
    QVERIFY(!sides.both->isTextBehind());
    sides.editor->edit()->moveCursor(QTextCursor::End);
    QTest::keyClicks(sides.editor->edit(), u" "_s);
    sides.settle();
    QTRY_VERIFY(sides.form->isPrepared());
    QVERIFY(sides.both->finish());
    QVERIFY(sides.editor->json().endsWith("} "));
    QCOMPARE(json::parse(sides.form->value())[u"name"].string().size(), 1'000'000);
    QVERIFY(sides.isSame());
}

// Rows are made of what is shown, whatever the list holds.
void TestFormJson::listsOfManyItems()
{
    const Sides sides(MixedSchema);
    constexpr int count = 10'000;
    sides.editor->edit()->setFocus();
    sides.editor->edit()->selectAll();
    QApplication::clipboard()->setText(QString(u"{\"tags\": [\"0\""_s + u",\"a\""_s.repeated(count - 1) + u"]}"_s));
    QTest::keySequence(sides.editor->edit(), QKeySequence::Paste);
    QTRY_VERIFY(sides.find(u"field:/tags/99"_s));
    sides.settle();
    QVERIFY(sides.form->fieldCount() < 150);
    auto *first = sides.find(u"field:/tags/0"_s);
    first->setFocus();
    press(first, Qt::Key_End);
    QTest::keyClicks(first, u"1"_s);
    QVERIFY(sides.form->value().startsWith(R"({"tags":["01","a",)"));
    QTRY_VERIFY(!sides.both->isTextBehind());
    QVERIFY(sides.isSame());
    const json::Pointer last({u"tags"_s, QString::number(count - 1)});
    sides.form->focusPlace(last);
    QTRY_VERIFY(sides.form->focusedPlace() == last);
    QVERIFY(sides.form->fieldCount() < 200);
}

namespace {

class RandomEdits {
public:
    explicit RandomEdits(quint32 seed) : m_random(seed) {}

    int below(int bound) { return int(m_random.bounded(bound)); }

    QByteArray scalar()
    {
        static const QByteArrayList values{"1",    "-0.50", "1e400", "18446744073709551617", "\"t\"", "\"\\u0041\\n\"",
                                           "true", "null",  "\"\"",  "\"{,}\\\"\"",          "[]",    "{}"};
        return values.at(below(int(values.size())));
    }

    QByteArray space()
    {
        static const QByteArrayList spaces{"", "", " ", "\n", "\n\n  ", "\t", "   "};
        return spaces.at(below(int(spaces.size())));
    }

    QByteArray value(int depth)
    {
        if (depth == 0 || below(3) == 0)
            return scalar();
        const bool isObject = below(2) == 0;
        static const QByteArrayList names{"name", "size", "tags", "place", "x", "a", "b", "kind", "one", "two", "t"};
        QByteArray text = (isObject ? "{" : "[") + space();
        const int count = below(4);
        for (int i = 0; i < count; ++i) {
            if (i > 0)
                text += space() + ',' + space();
            if (isObject)
                text += '"' + names.at(below(int(names.size()))) + '"' + space() + ':' + space();
            text += value(depth - 1);
        }
        return text + space() + (isObject ? "}" : "]");
    }

    QByteArray arguments()
    {
        static const QByteArrayList members{R"("name" : "x")",          R"("size":1.50)",
                                            R"("tags": [ "a" ,"b" ])",  R"("place":{"x": 1,"deep" :{"t":"u"}})",
                                            R"("flag":true)",           R"("rows":[{"a":"1"}, {"b":2,"more":[]}])",
                                            R"("labels":{"k" :"v"})",   R"("which":{"one":"1"})",
                                            R"("free": { "z":[1,2] })", R"("unknown" : 0.0)"};
        QByteArray text = "{" + space();
        bool isFirst = true;
        for (const QByteArray &member : members) {
            if (below(3) == 0)
                continue;
            text += (isFirst ? QByteArray() : "," + space()) + member;
            isFirst = false;
        }
        return text + space() + "}";
    }

    // Any value within, or the root.
    json::Value pick(const json::Value &root)
    {
        json::Value at = root;
        while (at.isContainer() && !at.isEmpty() && below(4) != 0)
            at = at.at(below(int(at.size())));
        return at;
    }

private:
    QRandomGenerator m_random;
};

// The part of the text that differs lies within the value that contains all that differs.
bool isOnlyItsPlace(const QByteArray &before, const QByteArray &after)
{
    json::Value old = json::parse(before);
    json::Value now = json::parse(after);
    for (bool goesOn = true; goesOn;) {
        goesOn = false;
        if (!old.isContainer() || old.kind() != now.kind() || old.size() != now.size())
            break;
        qsizetype different = -1;
        for (qsizetype i = 0; i < old.size(); ++i) {
            const json::Value left = old.at(i);
            const json::Value right = now.at(i);
            if (left.keySlice() != right.keySlice())
                different = -2;
            else if (json::compact(left) != json::compact(right))
                different = different == -1 ? i : -2;
            if (different == -2)
                break;
        }
        if (different < 0)
            break;
        const json::Value left = old.at(different);
        now = now.at(different);
        old = left;
        goesOn = true;
    }
    const QByteArray head = before.left(old.offset());
    const QByteArray tail = before.mid(old.offset() + old.slice().size());
    return after.startsWith(head) && after.endsWith(tail);
}

}  // namespace

void TestFormJson::bothSidesSayTheSame_data()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 1; seed <= 2; ++seed)
        QTest::addRow("%u", seed) << seed;
}

void TestFormJson::bothSidesSayTheSame()
{
    QFETCH(quint32, seed);
    RandomEdits random(seed);
    const QByteArray start = random.arguments();
    const Sides sides(MixedSchema, start);
    int steps = 0;
    for (int edit = 0; edit < 12; ++edit) {
        const QByteArray before = sides.editor->json();
        const QByteArray valueBefore = sides.form->value();
        if (random.below(2) == 0) {
            const json::Document document = json::Document::parse(before.trimmed().isEmpty() ? "{}" : before);
            const json::Value at = random.pick(document.root());
            const bool isRoot = at.isSameNode(document.root());
            QTextCursor cursor(sides.editor->edit()->document());
            const QByteArray fresh = random.below(4) == 0 ? json::compact(at) : random.value(2);
            cursor.setPosition(int(QString::fromUtf8(document.text().left(at.offset())).size()));
            cursor.setPosition(cursor.position() + int(QString::fromUtf8(at.bytes()).size()), QTextCursor::KeepAnchor);
            cursor.insertText(QString::fromUtf8(isRoot ? random.arguments() : fresh));
        } else {
            QList<QWidget *> targets;
            const QList<QWidget *> all = sides.form->findChildren<QWidget *>();
            for (QWidget *widget : all) {
                const QString name = widget->objectName();
                const bool isTarget = name.startsWith(u"field:"_s) || name.startsWith(u"add:"_s) ||
                                      name.startsWith(u"remove:"_s) || name.startsWith(u"down:"_s) ||
                                      name.startsWith(u"branch:"_s) || name.startsWith(u"key:"_s);
                if (isTarget && widget->isVisible() && widget->isEnabled())
                    targets.append(widget);
            }
            QWidget *target = targets.at(random.below(int(targets.size())));
            if (qobject_cast<QAbstractButton *>(target)) {
                qobject_cast<QAbstractButton *>(target)->click();
            } else {
                target->setFocus();
                QTest::keyClicks(target, QString(QChar(u'0' + random.below(10))));
            }
            const QByteArray after = sides.editor->json();
            if (before.trimmed() != "{}" && !before.trimmed().isEmpty() &&
                json::compact(json::parse(before)) == valueBefore)
                QVERIFY2(isOnlyItsPlace(before, after),
                         qPrintable(target->objectName() + u'\n' + QString::fromUtf8(before + "\n->\n" + after)));
        }
        sides.settle();
        QVERIFY2(sides.isSame(),
                 (before + "\n->\n" + sides.editor->json() + "\nform\n" + sides.form->value()).constData());
    }
    const QByteArray last = sides.editor->json();
    const QByteArray lastValue = sides.form->value();
    for (; sides.form->undo(); ++steps) {
        sides.settle();
        QVERIFY2(sides.isSame(), (sides.editor->json() + "\nform\n" + sides.form->value()).constData());
    }
    QVERIFY(steps > 0);
    QCOMPARE(sides.form->value(), "{}");
    while (sides.form->redo()) {
        sides.settle();
        QVERIFY(sides.isSame());
    }
    QCOMPARE(sides.editor->json(), last);
    QCOMPARE(sides.form->value(), lastValue);
}

SONDE_TEST(TestFormJson)
#include "tst_formjson.moc"
