// Forms with many fields and texts without end: what a key, a click and a paste cost does not grow with them.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/schemaform.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QThreadPool>
#include <QToolTip>
#include <utility>

using namespace Qt::StringLiterals;
using sonde::ui::FormIssue;
using sonde::ui::JsonEditor;
using sonde::ui::SchemaForm;
namespace json = sonde::json;

namespace {

constexpr int MaxFieldsInATurn = 10;
constexpr qsizetype MaxLineShownLength = 8192;
constexpr int HangMs = 60'000;  // of what takes milliseconds

QByteArray describedText(const QByteArray &name)
{
    return "\"" + name +
           "\":{\"type\":\"string\",\"maxLength\":40,\"description\":\"What it is for, in a sentence that is long "
           "enough to need a second line in a form of an ordinary width.\"}";
}

QByteArray listSchema()
{
    QByteArray fields;
    for (char name = 'a'; name < 'f'; ++name)
        fields += (fields.isEmpty() ? "" : ",") + describedText(QByteArray(1, name));
    return R"({"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{)" + fields +
           "}}}}}";
}

QByteArray listValue(int rows)
{
    QByteArray items;
    for (int i = 0; i < rows; ++i)
        items += (i ? "," : "") + QByteArray(R"({"a":"1","b":"2","c":"3","d":"4","e":"5"})");
    return R"({"rows":[)" + items + "]}";
}

QByteArray wideFormSchema(int fields)
{
    QByteArray properties;
    for (int i = 0; i < fields; ++i)
        properties += (i ? "," : "") + describedText("f" + QByteArray::number(i));
    return R"({"type":"object","required":["f)" + QByteArray::number(fields - 1) + R"(","f0"],"properties":{)" +
           properties + "}}";
}

// Each is an order to lay out a part of the form.
class LayoutCounter : public QObject {
public:
    LayoutCounter() { qApp->installEventFilter(this); }
    int count = 0;

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        count += event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize;
        return false;
    }
};

qsizetype longestBlock(const QPlainTextEdit *edit)
{
    qsizetype longest = 0;
    for (QTextBlock block = edit->document()->begin(); block.isValid(); block = block.next())
        longest = qMax(longest, qsizetype(block.length()));
    return longest;
}

}  // namespace

class TestFormScale : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_form.reset(); }

    void keyLaysOutNothing_data();
    void keyLaysOutNothing();
    void messagesFollowTheKeys();
    void lastOfManyFields_data();
    void lastOfManyFields();
    void moreFields();
    void problemsFromTheTop();
    void membersThatAreNotDeclared();
    void removedItemLeavesTheFocusOnWhatIsDrawn();
    void longPaste_data();
    void longPaste();
    void longPasteIntoATextOfLines();
    void longPasteOfLines_data();
    void longPasteOfLines();
    void goesWhileALongTextIsRead();
    void manyShortPastes_data();
    void manyShortPastes();
    void lineInputs_data();
    void lineInputs();
    void longValuesInLines_data();
    void longValuesInLines();
    void longLineInTheJsonEditor();

private:
    void open(const QByteArray &schema, const QByteArray &value = {});
    int turnsUntilDrawn(int *mostInATurn) const;
    QPlainTextEdit *edit(const QString &place) const
    {
        return m_form->findChild<QPlainTextEdit *>(u"field:"_s + place);
    }

    std::unique_ptr<SchemaForm> m_form;
};

void TestFormScale::init()
{
    m_form = std::make_unique<SchemaForm>();
    m_form->resize(560, 800);
}

void TestFormScale::open(const QByteArray &schema, const QByteArray &value)
{
    m_form->setSchema(json::parse(schema));
    if (!value.isEmpty())
        m_form->setValue(json::parse(value));
    m_form->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_form.get()));
    int most = 0;
    turnsUntilDrawn(&most);
    QTest::qWait(0);
}

// The most fields that were drawn in one turn; the number of turns.
int TestFormScale::turnsUntilDrawn(int *mostInATurn) const
{
    int turns = 0;
    int idle = 0;
    int drawn = m_form->fieldCount();
    while (idle < 5) {
        QApplication::processEvents();
        const int now = m_form->fieldCount();
        *mostInATurn = qMax(*mostInATurn, now - drawn);
        idle = now == drawn ? idle + 1 : 0;
        turns += now == drawn ? 0 : 1;
        drawn = now;
    }
    return turns;
}

void TestFormScale::keyLaysOutNothing_data()
{
    QTest::addColumn<int>("rows");
    QTest::newRow("10") << 10;
    QTest::newRow("40") << 40;
    QTest::newRow("300") << 300;
}

void TestFormScale::keyLaysOutNothing()
{
    QFETCH(int, rows);
    open(listSchema(), listValue(rows));
    const json::Pointer place({u"rows"_s, QString::number(rows - 1), u"e"_s});
    m_form->focusPlace(place);
    int most = 0;
    turnsUntilDrawn(&most);
    QPlainTextEdit *last = edit(place.toString());
    QVERIFY(last);
    QTRY_VERIFY(last->hasFocus());
    QVERIFY(!last->visibleRegion().isEmpty());
    QTest::keyClicks(last, u"x"_s);
    QTest::qWait(100);  // the scroll bars of a text that has come into view
    LayoutCounter counter;
    QTest::keyClicks(last, u"yz"_s);
    for (int turn = 0; turn < 20; ++turn)
        QApplication::processEvents();
    QCOMPARE(counter.count, 0);
    QVERIFY(m_form->value().endsWith(R"("e":"5xyz"}]})"));
}

void TestFormScale::messagesFollowTheKeys()
{
    open(listSchema(), listValue(40));
    QPlainTextEdit *first = edit(u"/rows/0/a"_s);
    QSignalSpy changed(m_form.get(), &SchemaForm::issuesChanged);
    QTest::keyClicks(first, QString(50, u'x'));
    // What is sent is what was typed, whatever is known about it.
    QVERIFY(m_form->value().contains(QByteArray(50, 'x')));
    QCOMPARE(m_form->issues().size(), 1);
    QTRY_COMPARE(m_form->knownIssues().size(), 1);
    QVERIFY(!changed.isEmpty());
    const auto *label = m_form->findChild<QLabel *>(u"issue:/rows/0/a"_s);
    QVERIFY(label && label->isVisible() && label->text().contains(u"40"_s));
    first->selectAll();
    QTest::keyClick(first, Qt::Key_A);
    QTRY_VERIFY(m_form->knownIssues().isEmpty());
    QVERIFY(!label->isVisible());
}

void TestFormScale::lastOfManyFields_data()
{
    QTest::addColumn<int>("fields");
    QTest::newRow("800") << 800;
    QTest::newRow("2000") << 2000;
}

void TestFormScale::lastOfManyFields()
{
    QFETCH(int, fields);
    open(wideFormSchema(fields));
    QCOMPARE(m_form->fieldCount(), 101);
    const QString name = u"f%1"_s.arg(fields - 1);
    m_form->focusPlace(json::Pointer({name}));
    // The one that is asked for at once, its neighbours later, those between not at all.
    QCOMPARE(m_form->fieldCount(), 102);
    int most = 0;
    turnsUntilDrawn(&most);
    QVERIFY2(most <= MaxFieldsInATurn, qPrintable(QString::number(most)));
    QVERIFY2(m_form->fieldCount() < 150, qPrintable(QString::number(m_form->fieldCount())));
    QPlainTextEdit *last = edit(u'/' + name);
    QTRY_VERIFY(last->hasFocus());
    QVERIFY(!last->visibleRegion().isEmpty());
    QTest::keyClicks(last, u"end"_s);
    QCOMPARE(m_form->value(), "{\"" + name.toLatin1() + "\":\"end\"}");
    // In the order of the schema, with a button between where others are left out.
    const QPoint first = edit(u"/f99"_s)->mapTo(m_form.get(), QPoint());
    auto *between = m_form->findChild<QAbstractButton *>(u"more-fields:"_s);
    QVERIFY(between && between->isVisibleTo(m_form.get()));
    const int gap = between->mapTo(m_form.get(), QPoint()).y();
    const int neighbour = edit(u"/f%1"_s.arg(fields - 2))->mapTo(m_form.get(), QPoint()).y();
    QVERIFY(first.y() < gap && gap < neighbour && neighbour < last->mapTo(m_form.get(), QPoint()).y());
    between->click();
    turnsUntilDrawn(&most);
    QVERIFY(most <= MaxFieldsInATurn);
    QVERIFY(edit(u"/f199"_s) && !edit(u"/f200"_s));
}

void TestFormScale::moreFields()
{
    open(wideFormSchema(800));
    auto *more = m_form->findChild<QAbstractButton *>(u"more-fields:"_s);
    QVERIFY(more && more->text().contains(u"700"_s));
    more->click();
    int most = 0;
    QVERIFY(turnsUntilDrawn(&most) > 8);
    QVERIFY2(most <= MaxFieldsInATurn, qPrintable(QString::number(most)));
    QCOMPARE(m_form->fieldCount(), 201);
    QVERIFY(more->text().contains(u"600"_s));
    // After the last page nothing stays hidden.
    open(wideFormSchema(150));
    turnsUntilDrawn(&most);
    more = m_form->findChild<QAbstractButton *>(u"more-fields:"_s);
    QVERIFY(more);
    QCOMPARE(more->text(), u"Show 50 more"_s);
}

void TestFormScale::problemsFromTheTop()
{
    open(wideFormSchema(2000));
    QTRY_COMPARE(m_form->knownIssues().size(), 2);
    // Also where a field is not drawn yet.
    QCOMPARE(m_form->knownIssues().at(0).place.toString(), u"/f0"_s);
    QCOMPARE(m_form->knownIssues().at(1).place.toString(), u"/f1999"_s);
    QCOMPARE(m_form->issues().at(0).place.toString(), u"/f0"_s);
    // Each is said at its field, once that is drawn.
    const auto said = [this](const QString &place) {
        const auto *label = m_form->findChild<QLabel *>(u"issue:"_s + place);
        return label && label->isVisible() ? label->text() : QString();
    };
    m_form->markSubmitted();
    QTRY_COMPARE(said(u"/f0"_s), u"▲ is required"_s);
    QCOMPARE(said({}), QString());
    m_form->focusIssue(m_form->knownIssues().at(1));
    QTRY_COMPARE(said(u"/f1999"_s), u"▲ is required"_s);
    QVERIFY(m_form->fieldCount() < 200);
}

void TestFormScale::membersThatAreNotDeclared()
{
    constexpr int members = 20'000;
    QByteArray value;
    for (int i = 0; i < members; ++i)
        value += (i ? ",\"m" : "{\"m") + QByteArray::number(i) + "\":\"text\"";
    value += '}';
    QElapsedTimer time;
    time.start();
    m_form->setSchema(json::parse(R"({"type":"object","properties":{"first":{"type":"integer"}},
                                      "additionalProperties":{"type":"integer"}})"));
    m_form->setValue(json::parse(value));
    m_form->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_form.get()));
    int most = 0;
    turnsUntilDrawn(&most);
    QVERIFY2(most <= MaxFieldsInATurn, qPrintable(QString::number(most)));
    QCOMPARE(m_form->fieldCount(), 102);  // a page of rows, the declared field and the arguments
    auto *more = m_form->findChild<QAbstractButton *>(u"more-members:"_s);
    QVERIFY(more);
    QCOMPARE(more->text(), u"Show 100 more (19900 hidden)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_form->knownIssues().size() > 100, HangMs);
    // Led to the last one, and one that is there twice is the last of that name.
    m_form->focusPlace(*json::Pointer::fromString(u"/m19999"_s));
    turnsUntilDrawn(&most);
    auto *key = m_form->findChild<QLineEdit *>(u"key:/m19999"_s);
    QVERIFY(key);
    QCOMPARE(m_form->fieldCount(), 115);
    key->setFocus();
    QTest::keyClick(key, Qt::Key_X);
    QVERIFY(m_form->value() == QByteArray(value).replace("\"m19999\"", "\"m19999x\""));
    auto *remove = m_form->findChild<QAbstractButton *>(u"remove:/m19999x"_s);
    QVERIFY(remove);
    remove->click();
    value.replace(",\"m19999\":\"text\"", "");
    QVERIFY(m_form->value() == value);
    m_form->findChild<QAbstractButton *>(u"add:"_s)->click();
    turnsUntilDrawn(&most);
    key = m_form->findChild<QLineEdit *>(u"key:/"_s);
    QVERIFY(key);
    QTest::keyClicks(key, u"new"_s);
    QVERIFY(m_form->value() == value);  // it has no value yet
    QWidget *added = m_form->findChild<QWidget *>(u"field:/new"_s);
    QVERIFY(added);
    QTest::keyClicks(added, u"0"_s);
    QVERIFY(m_form->value().endsWith(R"(,"m19998":"text","new":0})"));
    QVERIFY(time.elapsed() < HangMs);
}

void TestFormScale::removedItemLeavesTheFocusOnWhatIsDrawn()
{
    QByteArray items;
    for (int i = 0; i < 150; ++i)
        items += (i ? ",\"" : "\"") + QByteArray::number(i) + '"';
    open(R"({"type":"object","properties":{"rows":{"type":"array","items":{"type":"string"}}}})",
         R"({"rows":[)" + items + "]}");
    // The last one of those drawn: what comes next is not there to be focused.
    auto *remove = m_form->findChild<QAbstractButton *>(u"remove:/rows/99"_s);
    QVERIFY(remove && !m_form->findChild<QWidget *>(u"field:/rows/100"_s));
    remove->click();
    QCOMPARE(QApplication::focusWidget()->objectName(), u"remove:/rows/98"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QCOMPARE(json::parse(m_form->value())[u"rows"].size(), 148);
}

void TestFormScale::longPaste_data()
{
    QTest::addColumn<qsizetype>("size");
    QTest::newRow("2 million characters") << qsizetype(2'000'000);
    QTest::newRow("20 million characters") << qsizetype(20'000'000);
}

void TestFormScale::longPaste()
{
    QFETCH(qsizetype, size);
    open(R"({"type":"object","properties":{"text":{"type":"string"}}})");
    QPlainTextEdit *text = edit(u"/text"_s);
    text->setFocus();
    QTest::keyClicks(text, u"ab"_s);
    text->moveCursor(QTextCursor::Left);
    QString pasted(size, u'x');
    pasted.replace(size / 2, 2, QString::fromUcs4(U"\U0001f600"));
    pasted[size / 2 + 100] = QChar(0x22);
    QApplication::clipboard()->setText(pasted);
    QElapsedTimer time;
    time.start();
    text->paste();
    for (int turn = 0; turn < 20; ++turn)
        QApplication::processEvents();
    QVERIFY(time.elapsed() < HangMs);
    QVERIFY(longestBlock(text) < MaxLineShownLength);
    QCOMPARE(json::parse(m_form->value())[u"text"].string(), u'a' + pasted + u'b');
    text->undo();
    QCOMPARE(m_form->value(), R"({"text":"ab"})");
    text->redo();
    QCOMPARE(json::parse(m_form->value())[u"text"].string(), u'a' + pasted + u'b');
    QTest::keyClick(text, Qt::Key_Y);
    QCOMPARE(json::parse(m_form->value())[u"text"].string(), u'a' + pasted + u"yb"_s);
    text->selectAll();
    text->copy();
    QCOMPARE(QApplication::clipboard()->text(), u'a' + pasted + u"yb"_s);
    QVERIFY(m_form->issues().isEmpty());
}

void TestFormScale::longPasteIntoATextOfLines()
{
    open(R"({"type":"object","properties":{"body":{"type":"string"}}})");
    QPlainTextEdit *text = edit(u"/body"_s);
    QString lines;
    for (int i = 0; i < 150'000; ++i)
        lines += u"line number %1\n"_s.arg(i);
    lines += QString(100'000, u'z') + u"\nlast"_s;
    QApplication::clipboard()->setText(lines);
    text->setFocus();
    text->paste();
    QCOMPARE(json::parse(m_form->value())[u"body"].string(), lines);
    QVERIFY(text->document()->characterCount() < 1'100'000);
    QVERIFY(text->toPlainText().endsWith(u"\nlast"_s));
}

// Of any length and with any ends of lines: whole in the value, and undone whole.
void TestFormScale::longPasteOfLines_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("pasted");
    const QString shortLines = u"some words\n"_s.repeated(200'000);
    const QString longLine = QString(300'000, u'x') + u'\n';
    const auto with = [](QString text, const QString &lineEnd) { return text.replace(u"\n"_s, lineEnd); };
    QTest::newRow("short lines") << u"ab"_s << shortLines;
    QTest::newRow("short lines, CR LF") << u"ab"_s << with(shortLines, u"\r\n"_s);
    QTest::newRow("long lines, CR") << u"ab"_s << with(longLine.repeated(5), u"\r"_s);
    QTest::newRow("long lines, CR LF") << u"ab"_s << with(longLine.repeated(5), u"\r\n"_s);
    QTest::newRow("one long line, CR LF at its end") << u""_s << QString(2'000'000, u'x') + u"\r\n"_s;
    QTest::newRow("CR after all that is shown") << u""_s << shortLines + u"x\ry\r\n"_s + shortLines;
    QTest::newRow("into a line as long as is shown") << QString(4000, u'a') + u'b' << QString(2'000'000, u'x');
    QTest::newRow("halves of a pair at the limits")
        << u"ab"_s << QString::fromUcs4(U"\U0001f600").repeated(1'000'000) + u'z';
}

void TestFormScale::longPasteOfLines()
{
    QFETCH(QString, before);
    QFETCH(QString, pasted);
    open(R"({"type":"object","properties":{"body":{"type":"string"}}})");
    m_form->setValue(json::parse(R"({"body":")" + before.toUtf8() + "\"}"));
    QPlainTextEdit *text = edit(u"/body"_s);
    text->setFocus();
    text->moveCursor(QTextCursor::End);
    text->moveCursor(QTextCursor::Left);
    const auto value = [this] { return json::parse(m_form->value())[u"body"].string(); };
    QString expected = before;
    const QString inserted = QString(pasted).replace(u"\r\n"_s, u"\n"_s).replace(u'\r', u'\n');
    QApplication::clipboard()->setText(pasted);
    qsizetype at = text->textCursor().position();
    for (int i = 0; i < 3; ++i, at += inserted.size()) {
        text->paste();
        expected.insert(at, inserted);
        QVERIFY(value() == expected);
        QVERIFY2(longestBlock(text) < MaxLineShownLength, qPrintable(QString::number(longestBlock(text))));
    }
    for (int i = 0; i < 3; ++i)
        text->undo();
    QCOMPARE(value(), before);
    for (int i = 0; i < 3; ++i)
        text->redo();
    QVERIFY(value() == expected);
}

// The form goes while a thread reads what was pasted.
void TestFormScale::goesWhileALongTextIsRead()
{
    open(R"({"type":"object","properties":{"text":{"type":"string"}}})");
    QPlainTextEdit *text = edit(u"/text"_s);
    QApplication::clipboard()->setText(QString(5'000'000, u'x'));
    text->paste();
    m_form.reset();
    QThreadPool::globalInstance()->waitForDone();
    QApplication::processEvents();
}

// As with Ctrl+V held down: each paste is short.
void TestFormScale::manyShortPastes_data()
{
    QTest::addColumn<bool>("atTheStart");
    QTest::newRow("at the end") << false;
    QTest::newRow("at the start") << true;
}

void TestFormScale::manyShortPastes()
{
    QFETCH(bool, atTheStart);
    open(R"({"type":"object","properties":{"text":{"type":"string"}}})");
    QPlainTextEdit *text = edit(u"/text"_s);
    text->setFocus();
    QTest::keyClicks(text, u"ab"_s);
    text->moveCursor(QTextCursor::Left);
    QElapsedTimer time;
    time.start();
    QString expected = u"ab"_s;
    for (int i = 0; i < 250; ++i) {
        QString pasted(4000, QChar(u'c' + i % 20));
        pasted.replace(100, 2, QString::fromUcs4(U"\U0001f600"));
        QApplication::clipboard()->setText(pasted);
        if (atTheStart)
            text->moveCursor(QTextCursor::Start);
        text->paste();
        QApplication::processEvents();
        QVERIFY(time.elapsed() < HangMs);
        expected.insert(atTheStart ? 0 : expected.size() - 1, pasted);
    }
    QVERIFY2(longestBlock(text) < MaxLineShownLength, qPrintable(QString::number(longestBlock(text))));
    QCOMPARE(json::parse(m_form->value())[u"text"].string(), expected);
    // Typing goes on where the last one ended.
    QTest::keyClick(text, Qt::Key_Y);
    expected.insert(atTheStart ? 4000 : expected.size() - 1, u'y');
    QCOMPARE(json::parse(m_form->value())[u"text"].string(), expected);
    for (int i = 0; i < 400 && text->document()->isUndoAvailable(); ++i)
        text->undo();
    QVERIFY(json::parse(m_form->value())[u"text"].string().size() <= 2);
}

void TestFormScale::longLineInTheJsonEditor()
{
    JsonEditor editor;
    editor.resize(400, 300);
    editor.show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor));
    const QByteArray json = "{\n  \"a\": \"" + QByteArray(2'000'000, 'x') + "\",\n  \"b\": 1\n}";
    editor.setJson(json);
    QCOMPARE(editor.json(), json);
    QVERIFY(longestBlock(editor.edit()) < MaxLineShownLength);
    editor.edit()->moveCursor(QTextCursor::End);
    editor.edit()->moveCursor(QTextCursor::PreviousBlock);
    editor.edit()->moveCursor(QTextCursor::EndOfBlock);
    QTest::keyClick(editor.edit(), Qt::Key_0);
    QVERIFY(editor.isValidJson());
    QCOMPARE(editor.json(), QByteArray(json).replace("\"b\": 1", "\"b\": 10"));
    QVERIFY(longestBlock(editor.edit()) < MaxLineShownLength);
}

void TestFormScale::lineInputs_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("line");
    QTest::addColumn<qsizetype>("size");
    QTest::addColumn<bool>("isTaken");
    for (const qsizetype size : {40'000, 2'000'000, 20'000'000}) {
        const bool isTaken = size < 100'000;
        const auto add = [&](const char *name, const QByteArray &schema, const QByteArray &value, const QString &line) {
            QTest::addRow("%s, %lld", name, qlonglong(size))
                << R"({"type":"object",)" + schema + '}' << value << line << size << isTaken;
        };
        add("number", R"("properties":{"x":{"type":"integer"}})", R"({"x":1})", u"field:/x"_s);
        // Qt copies the rest for each character that it takes, and for the sanitizers each copy is memory of its own.
        if (sonde::test::isSanitized() && !isTaken)
            continue;
        add("secret", R"("properties":{"password":{"type":"string"}})", R"({"password":"1"})", u"field:/password"_s);
        add("typed choice", R"("properties":{"x":{"enum":["1",2,3,4,5,6,7,8,9,10,11]}})", R"({"x":"1"})",
            u"field:/x"_s);
        add("name of a member", R"("additionalProperties":true)", R"({"1":2})", u"key:/1"_s);
    }
}

// A paste is taken whole or not at all.
void TestFormScale::lineInputs()
{
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, value);
    QFETCH(QString, line);
    QFETCH(qsizetype, size);
    QFETCH(bool, isTaken);
    open(schema, value);
    auto *widget = m_form->findChild<QWidget *>(line);
    QVERIFY(widget);
    auto *combo = qobject_cast<QComboBox *>(widget);
    QLineEdit *edit = combo ? combo->lineEdit() : qobject_cast<QLineEdit *>(widget);
    QVERIFY(edit);
    edit->setFocus();
    edit->end(false);
    const QString pasted(size, u'9');
    QApplication::clipboard()->setText(pasted);
    QElapsedTimer time;
    time.start();
    QTest::keySequence(edit, QKeySequence::Paste);
    for (int turn = 0; turn < 20; ++turn)
        QApplication::processEvents();
    QVERIFY(time.elapsed() < HangMs);
    QByteArray expected = value;
    if (isTaken)
        expected.insert(expected.indexOf('1') + 1, pasted.toLatin1());
    QVERIFY(m_form->value() == expected);
    QCOMPARE(QToolTip::isVisible(), !isTaken);
    if (!isTaken)
        QVERIFY2(QToolTip::text().contains(u"max 100"_s), qPrintable(QToolTip::text()));
    QToolTip::hideText();
    QTest::keyClick(edit, Qt::Key_5);
    expected.insert(expected.lastIndexOf(isTaken ? '9' : '1') + 1, '5');
    QVERIFY(m_form->value() == expected);
}

void TestFormScale::longValuesInLines_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("value");
    const QByteArray digits(200'000, '9');
    const auto add = [](const char *name, const QByteArray &schema, const QByteArray &value) {
        QTest::newRow(name) << R"({"type":"object",)" + schema + '}' << value;
    };
    add("number", R"("properties":{"x":{"type":"integer"}})", "{\"x\":" + digits + '}');
    add("secret", R"("properties":{"password":{"type":"string"}})", "{\"password\":\"" + digits + "\"}");
    add("choice", R"("properties":{"x":{"enum":[1,2,3,4,5,6,7,8,9,10,11]}})", "{\"x\":\"" + digits + "\"}");
    add("name of a member", R"("additionalProperties":true)", "{\"" + digits + "\":1}");
}

// Every line of the form gets a key; none of them rewrites a value that it does not show whole.
void TestFormScale::longValuesInLines()
{
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, value);
    open(schema, value);
    QVERIFY(m_form->value() == value);
    const auto lines = m_form->findChildren<QLineEdit *>();
    for (QLineEdit *line : lines) {
        if (line->text() == u"1"_s)
            continue;
        line->end(false);
        QTest::keyClick(line, Qt::Key_5);
    }
    QVERIFY(m_form->value() == value);
}

SONDE_TEST(TestFormScale)
#include "tst_formscale.moc"
