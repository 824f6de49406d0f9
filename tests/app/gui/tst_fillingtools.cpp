// A tool of each kind, filled by mouse and by keyboard alone, and called: its server gets exactly what was entered.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "core/transport/process/commandline.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAction>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

// One thing that a hand does.
struct HandStep {
    enum class Kind { Click, Type, Press, Reach, Entry, Item, File, Cell };
    Kind kind;
    QString what = {};  // an object name, or what is typed
    Qt::Key key = Qt::Key_unknown;
    Qt::KeyboardModifiers modifiers = {};
};

HandStep handClick(const QString &name)
{
    return {HandStep::Kind::Click, name};
}
HandStep handType(const QString &text)
{
    return {HandStep::Kind::Type, text};
}
HandStep handPress(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
{
    return {HandStep::Kind::Press, {}, key, modifiers};
}
// A key that moves the keyboard focus there.
HandStep handReach(const QString &name, Qt::Key key = Qt::Key_Tab, Qt::KeyboardModifiers modifiers = {})
{
    return {HandStep::Kind::Reach, name, key, modifiers};
}
HandStep handEntry(const QString &action,
                   Qt::Key key = Qt::Key_unknown)  // of the menu that is open; by that key, or by mouse
{
    return {HandStep::Kind::Entry, action, key};
}
HandStep handItem(const QString &text)  // of the list that is open
{
    return {HandStep::Kind::Item, text};
}
HandStep handFile(Qt::Key key = Qt::Key_unknown)  // in the dialog that is open
{
    return {HandStep::Kind::File, {}, key};
}
HandStep handCell(const QString &table, int row, int column)
{
    return {HandStep::Kind::Cell, u"%1 %2 %3"_s.arg(table).arg(row).arg(column)};
}

using HandSteps = QList<HandStep>;

struct FilledTool {
    QString name;
    QByteArray schema;  // without its type
    HandSteps mouse;
    QString first;  // what has the keyboard focus at once
    HandSteps keyboard;
    QByteArray sent;
};

const QByteArray FilledPerson =
    R"({"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}}})"_ba;
const QByteArray CardBranch = R"({"type":"object","title":"Card","required":["kind","number"],)"
                              R"("properties":{"kind":{"const":"card"},"number":{"type":"string"}}})"_ba;
const QByteArray SepaBranch = R"({"type":"object","title":"SEPA","required":["kind","iban"],)"
                              R"("properties":{"kind":{"const":"sepa"},"iban":{"type":"string"}}})"_ba;

QString nameOfFocus()
{
    const QWidget *widget = QApplication::focusWidget();
    return !widget                          ? QString()
           : widget->objectName().isEmpty() ? QString::fromLatin1(widget->metaObject()->className())
                                            : widget->objectName();
}

QList<FilledTool> filledTools()
{
    const auto with = [](const QByteArray &name, const QByteArray &schema) {
        return "\"properties\":{\"" + name + "\":" + schema + '}';
    };
    return {
        {u"texts"_s,
         R"("properties":{"text":{"type":"string"},"big":{"type":"integer"},)"
         R"("token":{"type":"string","format":"password"},"at":{"type":"string","format":"date-time"}})",
         {handClick(u"field:/text"_s), handType(u"say \"hi\" \\ there"_s), handClick(u"field:/big"_s),
          handType(u"18446744073709551615"_s), handClick(u"field:/token"_s), handType(u"s3cret"_s),
          handClick(u"reveal:/token"_s), handType(u"!"_s), handClick(u"field:/at"_s),
          handType(u"2026-03-31T12:34:56.25Z"_s)},
         u"field:/text"_s,
         {handType(u"say \"hi\" \\ there"_s), handReach(u"field:/big"_s), handType(u"18446744073709551615"_s),
          handReach(u"field:/token"_s), handType(u"s3cret!"_s), handReach(u"field:/at"_s),
          handType(u"2026-03-31T12:34:56.25Z"_s), handReach(u"callButton"_s)},
         "{\"text\":\"say \\\"hi\\\" \\\\ there\",\"big\":18446744073709551615,\"token\":\"s3cret!\","
         "\"at\":\"2026-03-31T12:34:56.25Z\"}"},
        {u"boolean"_s,
         R"("properties":{"on":{"type":"boolean"},"off":{"type":"boolean"}})",
         {handClick(u"true:/on"_s), handClick(u"false:/off"_s)},
         u"presence:/on"_s,
         {handReach(u"false:/on"_s, Qt::Key_Left), handReach(u"true:/on"_s, Qt::Key_Left),
          handReach(u"presence:/off"_s), handReach(u"false:/off"_s, Qt::Key_Left), handReach(u"callButton"_s)},
         R"({"on":true,"off":false})"},
        {u"enum"_s,
         with("level", R"({"enum":["low","mid","high"]})"),
         {handClick(u"field:/level"_s), handItem(u"mid"_s)},
         u"field:/level"_s,
         {handType(u"m"_s), handReach(u"callButton"_s)},
         R"({"level":"mid"})"},
        {u"nullable"_s,
         with("note", R"({"type":["string","null"]})"),
         {handClick(u"presence:/note"_s), handEntry(u"Null"_s)},
         u"field:/note"_s,
         {handReach(u"presence:/note"_s, Qt::Key_Right, Qt::AltModifier), handPress(Qt::Key_Space),
          handEntry(u"Null"_s, Qt::Key_Down)},
         R"({"note":null})"},
        {u"list"_s,
         with("tags", R"({"type":"array","items":{"type":"string"}})"),
         {handClick(u"add:/tags"_s), handType(u"one"_s), handClick(u"add:/tags"_s), handType(u"two"_s)},
         u"add:/tags"_s,
         {handReach(u"field:/tags/0"_s, Qt::Key_Return), handType(u"one"_s),
          handReach(u"field:/tags/1"_s, Qt::Key_Return), handType(u"two"_s), handReach(u"add:/tags"_s),
          handReach(u"callButton"_s)},
         R"({"tags":["one","two"]})"},
        {u"table"_s,
         with("people", R"({"type":"array","items":)" + FilledPerson + '}'),
         {handClick(u"as-table:/people"_s), handCell(u"table:/people"_s, 0, 0), handType(u"Ada"_s),
          handCell(u"table:/people"_s, 0, 1), handType(u"36"_s)},
         u"add:/people"_s,
         {handReach(u"open:/people"_s, Qt::Key_Left, Qt::AltModifier),
          handReach(u"presence:/people"_s, Qt::Key_Left, Qt::AltModifier),
          handReach(u"as-table:/people"_s, Qt::Key_Left, Qt::AltModifier), handReach(u"table:/people"_s, Qt::Key_Space),
          handType(u"Ada"_s), handReach(u"table:/people"_s), handType(u"36"_s),
          handReach(u"table:/people"_s, Qt::Key_Return), handReach(u"callButton"_s)},
         R"({"people":[{"name":"Ada","age":36}]})"},
        {u"union"_s,
         R"("required":["pay"],)" + with("pay", R"({"oneOf":[)" + CardBranch + ',' + SepaBranch + "]}"),
         {handClick(u"branch:1:/pay"_s), handClick(u"field:/pay/iban"_s), handType(u"DE1"_s)},
         u"field:/pay/number"_s,
         {handReach(u"branch:0:/pay"_s, Qt::Key_Backtab, Qt::ShiftModifier),
          handReach(u"branch:1:/pay"_s, Qt::Key_Right), handReach(u"field:/pay/iban"_s), handType(u"DE1"_s),
          handReach(u"callButton"_s)},
         R"({"pay":{"kind":"sepa","iban":"DE1"}})"},
        {u"condition"_s,
         R"("properties":{"send":{"enum":["mail","post"]}},"if":{"required":["send"],)"
         R"("properties":{"send":{"const":"post"}}},"then":{"required":["zip"],"properties":{"zip":{"type":"string"}}})",
         {handClick(u"field:/send"_s), handItem(u"post"_s), handClick(u"field:/zip"_s), handType(u"01099"_s)},
         u"field:/send"_s,
         {handType(u"p"_s), handReach(u"field:/zip"_s), handType(u"01099"_s), handReach(u"callButton"_s)},
         R"({"send":"post","zip":"01099"})"},
        {u"alternative"_s,
         R"("properties":{"id":{"type":"integer"},"slug":{"type":"string"}},)"
         R"("oneOf":[{"required":["id"]},{"required":["slug"]}])",
         {handClick(u"branch:1:"_s), handClick(u"field:/slug"_s), handType(u"first"_s)},
         u"field:/id"_s,
         {handReach(u"branch:0:"_s, Qt::Key_Backtab, Qt::ShiftModifier), handReach(u"branch:1:"_s, Qt::Key_Right),
          handReach(u"field:/slug"_s), handType(u"first"_s), handReach(u"callButton"_s)},
         R"({"slug":"first"})"},
        {u"file"_s,
         with("data", R"({"type":"string","contentEncoding":"base64"})"),
         {handClick(u"load:/data"_s), handFile()},
         u"field:/data"_s,
         {handReach(u"load:/data"_s, Qt::Key_Right, Qt::AltModifier), handPress(Qt::Key_Space),
          handFile(Qt::Key_Return)},
         R"({"data":"+/8A"})"},
        {u"map"_s,
         with("env", R"({"type":"object","additionalProperties":{"type":"number"}})"),
         {handClick(u"add:/env"_s), handType(u"RATE"_s), handClick(u"field:/env/RATE"_s), handType(u"1.50"_s)},
         u"add:/env"_s,
         {handReach(u"key:/env/"_s, Qt::Key_Return), handType(u"RATE"_s), handReach(u"field:/env/RATE"_s),
          handType(u"1.50"_s), handReach(u"add:/env"_s), handReach(u"callButton"_s)},
         R"({"env":{"RATE":1.50}})"},
    };
}

}  // namespace

class TestFillingTools : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { TestWindow::clear(); }
    void byMouse() { fill(true); }
    void byKeyboard() { fill(false); }

private:
    static QString serverLine();
    void fill(bool isByMouse);
    bool fillTool(TestWindow *desk, const FilledTool &tool, bool isByMouse);
    bool perform(TestWindow *desk, const HandStep &step) const;
    static bool clickAt(TestWindow *desk, const QString &name);
    static bool chooseEntry(const HandStep &step);
    static bool chooseItem(const QString &text);
    bool chooseFile(TestWindow *desk, bool isByKey) const;
    static bool clickCell(TestWindow *desk, const QStringList &place);

    QTemporaryDir m_folder;
};

void TestFillingTools::initTestCase()
{
    // A list that was just opened ignores the mouse for so long.
    QApplication::setDoubleClickInterval(1);
    test::writeFile(m_folder.filePath(u"a.bin"_s), QByteArray("\xfb\xff\x00", 3));
}

QString TestFillingTools::serverLine()
{
    QByteArrayList listed;
    const QList<FilledTool> all = filledTools();
    for (const FilledTool &tool : all)
        listed.append("{\"name\":\"" + tool.name.toUtf8() + "\",\"inputSchema\":{\"type\":\"object\"," + tool.schema +
                      "}}");
    return joinCommandLine(
        {test::builtProgram(u"fake-stdio-server"_s), u"readline"_s,
         QString::fromUtf8(R"(say:{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",)"
                           R"("capabilities":{"tools":{}},"serverInfo":{"name":"all kinds","version":"1"}}})"),
         u"readline"_s, u"readline"_s,
         QString::fromUtf8(R"(say:{"jsonrpc":"2.0","id":2,"result":{"tools":[)" + listed.join(',') + "]}}"),
         u"calls"_s});
}

void TestFillingTools::fill(bool isByMouse)
{
    TestWindow desk;
    desk.window().resize(1440, 900);
    desk.servers().connectLine(serverLine());
    const QList<FilledTool> all = filledTools();
    QStringList failed;
    for (const FilledTool &tool : all) {
        if (!fillTool(&desk, tool, isByMouse))
            failed << tool.name;
    }
    QCOMPARE(failed, QStringList());
    QVERIFY(desk.close());
}

bool TestFillingTools::fillTool(TestWindow *desk, const FilledTool &tool, bool isByMouse)
{
    if (!desk->open(tool.name))
        return false;
    if (!QTest::qWaitFor([&tool] { return nameOfFocus() == tool.first; }, Patience)) {
        qWarning("the keyboard is at %s, not at %s", qUtf8Printable(nameOfFocus()), qUtf8Printable(tool.first));
        return false;
    }
    const HandSteps steps = isByMouse ? tool.mouse : tool.keyboard;
    for (const HandStep &step : steps) {
        if (!perform(desk, step))
            return false;
        QCoreApplication::processEvents();
    }
    // A file is read by a worker.
    if (!QTest::qWaitFor([&] { return desk->panel()->arguments() == tool.sent; }, Patience)) {
        qWarning("entered was %s", desk->panel()->arguments().constData());
        return false;
    }
    if (isByMouse ? !desk->click(u"callButton"_s) || !desk->endsWith(u"✓ OK"_s) : !desk->call(u"✓ OK"_s))
        return false;
    const json::Document received = json::Document::parse(desk->resultText().toUtf8().mid(int(qstrlen("received "))));
    const QByteArray arguments = received.root()[u"params"][u"arguments"].bytes();
    if (arguments == tool.sent)
        return true;
    qWarning("the server got %s, not %s", arguments.constData(), tool.sent.constData());
    return false;
}

bool TestFillingTools::perform(TestWindow *desk, const HandStep &step) const
{
    switch (step.kind) {
        case HandStep::Kind::Click:
            return clickAt(desk, step.what);
        case HandStep::Kind::Type:
            // Each key where the focus is by then: the first one may open an editor.
            for (const QChar key : step.what)
                desk->type(QString(key));
            return true;
        case HandStep::Kind::Press:
            desk->press(step.key, step.modifiers);
            return true;
        case HandStep::Kind::Reach:
            desk->press(step.key, step.modifiers);
            // What a key adds gets the focus in the next turn of the event loop.
            if (QTest::qWaitFor([&step] { return nameOfFocus() == step.what; }, Patience))
                return true;
            qWarning("the keyboard is at %s, not at %s", qUtf8Printable(nameOfFocus()), qUtf8Printable(step.what));
            return false;
        case HandStep::Kind::Entry:
            return chooseEntry(step);
        case HandStep::Kind::Item:
            return chooseItem(step.what);
        case HandStep::Kind::File:
            return chooseFile(desk, step.key != Qt::Key_unknown);
        case HandStep::Kind::Cell:
            return clickCell(desk, step.what.split(u' '));
    }
    return false;
}

bool TestFillingTools::clickAt(TestWindow *desk, const QString &name)
{
    QWidget *widget = nullptr;
    const auto isThere = [&] {
        widget = desk->panel() ? desk->panel()->findChild<QWidget *>(name) : nullptr;
        return widget && widget->isVisible() && widget->isEnabled();
    };
    if (!QTest::qWaitFor(isThere, Patience)) {
        qWarning("there is no %s", qUtf8Printable(name));
        return false;
    }
    QCoreApplication::processEvents();
    if (!isThere())
        return false;
    const auto *area = qobject_cast<QAbstractScrollArea *>(widget);
    QTest::mouseClick(area ? area->viewport() : widget, Qt::LeftButton);
    return true;
}

bool TestFillingTools::chooseEntry(const HandStep &step)
{
    QMenu *menu = nullptr;
    const auto isOpen = [&menu] {
        menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        return menu != nullptr;
    };
    if (!QTest::qWaitFor(isOpen, Patience)) {
        qWarning("no menu is open");
        return false;
    }
    auto *action = menu->findChild<QAction *>(step.what);
    if (!action) {
        qWarning("there is no entry %s", qUtf8Printable(step.what));
        return false;
    }
    if (step.key == Qt::Key_unknown) {
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    } else {
        for (qsizetype i = 0; i < menu->actions().size() && menu->activeAction() != action; ++i)
            QTest::keyClick(menu, step.key);
        QTest::keyClick(menu, Qt::Key_Return);
    }
    return QTest::qWaitFor([] { return !QApplication::activePopupWidget(); }, Patience);
}

bool TestFillingTools::chooseItem(const QString &text)
{
    const auto choose = [&text] {
        QWidget *popup = QApplication::activePopupWidget();
        auto *list = popup ? popup->findChild<QAbstractItemView *>() : nullptr;
        if (!list)
            return false;
        for (int row = 0; row < list->model()->rowCount(); ++row) {
            const QModelIndex index = list->model()->index(row, 0);
            if (index.data().toString() != text)
                continue;
            QTest::mouseMove(list->viewport(), list->visualRect(index).center());
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
        }
        return !QApplication::activePopupWidget();
    };
    if (QTest::qWaitFor(choose, Patience))
        return true;
    qWarning("%s cannot be chosen", qUtf8Printable(text));
    return false;
}

bool TestFillingTools::chooseFile(TestWindow *desk, bool isByKey) const
{
    QFileDialog *dialog = nullptr;
    const auto isOpen = [&] {
        dialog = desk->panel()->findChild<QFileDialog *>(u"loadDialog"_s);
        return dialog && dialog->isVisible();
    };
    if (!QTest::qWaitFor(isOpen, Patience)) {
        qWarning("no dialog is open");
        return false;
    }
    auto *name = dialog->findChild<QLineEdit *>(u"fileNameEdit"_s);
    name->setText(m_folder.filePath(u"a.bin"_s));
    const QPointer<QFileDialog> shown = dialog;
    if (isByKey)
        QTest::keyClick(name, Qt::Key_Return);
    else if (!test::clickButton(dialog, u"Open"_s))
        return false;
    if (!QTest::qWaitFor([&shown] { return !shown || !shown->isVisible(); }, Patience))
        return false;
    // This platform has no window manager to give the focus back.
    desk->window().activateWindow();
    return QTest::qWaitForWindowActive(&desk->window(), Patience);
}

bool TestFillingTools::clickCell(TestWindow *desk, const QStringList &place)
{
    QAbstractItemView *table = nullptr;
    const auto isThere = [&] {
        table = desk->panel()->findChild<QAbstractItemView *>(place.at(0));
        return table && table->isVisible();
    };
    if (!QTest::qWaitFor(isThere, Patience)) {
        qWarning("there is no %s", qUtf8Printable(place.at(0)));
        return false;
    }
    return test::clickRow(table, table->model()->index(place.at(1).toInt(), place.at(2).toInt()));
}

SONDE_TEST(TestFillingTools)
#include "tst_fillingtools.moc"
