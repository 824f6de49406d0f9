// Saved calls in the window: their place in the tree, their tabs, and suites of them.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "core/connection/toolmemory.h"
#include "core/json/builder.h"
#include "core/json/pointer.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/importcallsdialog.h"
#include "ui/dialogs/savecalldialog.h"
#include "ui/dialogs/useindialog.h"
#include "ui/form/schemaform.h"
#include "ui/json/textview.h"
#include "ui/panels/callhistory.h"
#include "ui/panels/offertree.h"
#include "ui/panels/savedcallspanel.h"
#include "ui/result/resultview.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTreeView>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

// Of Postman: the body is text within the JSON.
QByteArray collection()
{
    return QByteArray(
               "{'info':{'name':'c'},'item':["
               "{'name':'Sum','request':{'body':{'mode':'raw','raw':'{\\'method\\':\\'tools/call\\',"
               "\\'params\\':{\\'name\\':\\'add\\',\\'arguments\\':{\\'a\\':1,\\'b\\':2}}}'}}},"
               "{'name':'Echo','request':{'body':{'mode':'raw','raw':'{\\'method\\':\\'tools/call\\',"
               "\\'params\\':{\\'name\\':\\'echo\\'}}'}}},"
               "{'name':'Other','request':{'body':{'mode':'raw','raw':'x'}}}]}")
        .replace('\'', '"');
}

}  // namespace

class TestSavedCallsWindow : public QObject {
    Q_OBJECT
private:
    static QString write(const QTemporaryDir &folder, const QString &name, const QByteArray &text)
    {
        const QString path = folder.filePath(name + u".call.json"_s);
        test::writeFile(path, text);
        return path;
    }
    // As somebody has chosen it before.
    static void remember(const QTemporaryDir &folder)
    {
        app::Settings settings;
        settings.set(app::setting::SavedCallFolders, QStringList{folder.path()});
        settings.save();
    }
    // Below the saved calls.
    static QStringList actions(TestWindow &desk)
    {
        const ui::OfferModel &model = *desk.window().offers->model();
        const QModelIndex group = model.index(model.savedCallsRow(), 0);
        QStringList all;
        for (int row = 0; row < model.rowCount(group); ++row) {
            const QModelIndex index = model.index(row, 0, group);
            if (index.data(ui::OfferModel::IsActionRole).toBool())
                all << index.data().toString();
        }
        return all;
    }
    static ui::SavedCallsPanel *suite(TestWindow &desk)
    {
        return qobject_cast<ui::SavedCallsPanel *>(desk.window().tabs->currentWidget());
    }
    static QStringList statuses(const ui::SavedCallsPanel &panel)
    {
        QStringList all;
        for (const CallStep &step : panel.suite()->steps())
            all << step.call.name + u' ' + toString(step.status);
        return all;
    }
    static bool hasEnded(TestWindow &desk)
    {
        return QTest::qWaitFor([&desk] { return suite(desk) && suite(desk)->suite() && !suite(desk)->isRunning(); },
                               Patience);
    }
    static QString textsOf(const QWidget *widget)
    {
        QStringList texts;
        for (const QLabel *label : widget->findChildren<QLabel *>())
            texts << label->text();
        return texts.join(u'\n');
    }
    static QString verdict(TestWindow &desk)
    {
        const auto *banner = desk.window().tabs->currentWidget()->findChild<ui::Banner *>(u"savedCallVerdict"_s);
        return banner && banner->isVisible() ? textsOf(banner) : QString();
    }
    static QString notice(TestWindow &desk)
    {
        const QWidget *banner = desk.window().tabs->currentWidget()->findChild<QWidget *>(u"savedCallsNotice"_s);
        return banner && banner->isVisible() ? textsOf(banner) : QString();
    }
    // Ctrl+W asks, and that button is pressed.
    static bool closeTab(TestWindow &desk, const QString &answer)
    {
        bool isAnswered = false;
        const test::WhenDialog question([&](QDialog *box) { isAnswered = test::clickButton(box, answer); });
        desk.press(Qt::Key_W, Qt::ControlModifier);
        return question.hasRun() && isAnswered;
    }
    static bool chooseInTree(TestWindow &desk, const QString &call, const QString &entry)
    {
        auto *tree = desk.find<QTreeView>(u"offerTree"_s);
        const QModelIndexList found =
            tree->model()->match(tree->model()->index(tree->model()->rowCount() - 1, 0), 0, u"Saved calls"_s);
        if (found.isEmpty())
            return false;
        for (int row = 0; row < tree->model()->rowCount(found.first()); ++row) {
            const QModelIndex index = tree->model()->index(row, 0, found.first());
            if (index.data().toString() != call)
                continue;
            tree->scrollTo(index);
            const QPoint place = tree->visualRect(index).center();
            bool chosen = false;
            const test::WhenMenu menu([&](QMenu *shown) { chosen = test::chooseInMenu(shown, entry); });
            QContextMenuEvent event(QContextMenuEvent::Mouse, place, tree->viewport()->mapToGlobal(place));
            QApplication::sendEvent(tree->viewport(), &event);
            return QTest::qWaitFor([&menu] { return menu.hasRun(); }, Patience) && chosen;
        }
        return false;
    }

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void aFolderIsChosenAndRemembered()
    {
        const QTemporaryDir folder;
        write(folder, u"ours"_s, R"({"tool":"echo"})");
        write(folder, u"of another server"_s, R"({"tool":"echo","server":"somebody else"})");
        write(folder, u"another build"_s, R"({"tool":"no_such_tool"})");
        write(folder, u"broken"_s, "{");
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY2(actions(desk).contains(u"Calls that you save appear here."_s),
                     qPrintable(actions(desk).join(u'\n')));
            QVERIFY(actions(desk).contains(u"Import calls…"_s));
            QVERIFY(desk.open(u"Choose folder…"_s));
            auto *dialog = desk.window().findChild<QFileDialog *>(u"savedCallFolderDialog"_s);
            QTRY_VERIFY(dialog && dialog->isVisible());
            dialog->findChild<QLineEdit *>(u"fileNameEdit"_s)->setText(folder.path());
            QTest::mouseClick(dialog->findChild<QDialogButtonBox *>(u"buttonBox"_s)->button(QDialogButtonBox::Open),
                              Qt::LeftButton);
            QTRY_VERIFY(desk.offered().contains(u"ours"_s));
            QVERIFY(actions(desk).contains(u"Run all"_s));
            QVERIFY(!desk.offered().contains(u"of another server"_s));
            // What cannot be opened says why.
            const ui::OfferModel &model = *desk.window().offers->model();
            const QModelIndex group = model.index(model.savedCallsRow(), 0);
            QStringList refusals;
            for (int row = 0; row < model.rowCount(group); ++row) {
                const QModelIndex index = model.index(row, 0, group);
                if (const QString why = index.data(ui::OfferModel::RefusalRole).toString(); !why.isEmpty()) {
                    refusals << why;
                    QVERIFY(!index.data(ui::OfferModel::OfferedRole).toBool());
                }
            }
            QCOMPARE(refusals.size(), 2);
            QCOMPARE(refusals.first(), u"This server has no tool “no_such_tool”."_s);
            QVERIFY2(refusals.last().contains(u"is not JSON"_s), qPrintable(refusals.last()));
            // New files appear by themselves.
            write(folder, u"new"_s, R"({"tool":"add"})");
            QTRY_VERIFY(desk.offered().contains(u"new"_s));
            QVERIFY(desk.close());
        }
        TestWindow again;
        QVERIFY(again.openDemo());
        QTRY_VERIFY(again.offered().contains(u"ours"_s));
        QVERIFY(again.close());
    }

    void aSavedCallIsOpenedCalledAndSaved()
    {
        const QTemporaryDir folder;
        const QString path = write(folder, u"sum"_s,
                                   R"({"note":"kept","tool":"add","arguments":{"b":2,"a":0.10},)"
                                   R"("expect":{"result":{"structuredContent":{"sum":2.1},)"
                                   R"("content":[{"type":"text","text":"2.1"}]},)"
                                   R"("ignore":[{"pointer":"/_meta"},{"pointer":"/resultType"}]}})");
        remember(folder);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        ui::CallPanel *panel = desk.open(u"sum"_s);
        QVERIFY(panel);
        QCOMPARE(panel->name(), u"sum"_s);
        QCOMPARE(json::compact(json::parse(panel->arguments())), R"({"b":2,"a":0.10})"_ba);
        auto *save = panel->findChild<QAbstractButton *>(u"savedCallSave"_s);
        QVERIFY(!save->isEnabled());
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(verdict(desk).startsWith(u"✓ Passed"_s), qPrintable(verdict(desk)));
        // Another argument: another result, whose differences are shown.
        QVERIFY(desk.enter(u"/a"_s, u"1.10"_s));
        QTRY_VERIFY(save->isEnabled());
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(verdict(desk).startsWith(u"The result differs from the expected one"_s), qPrintable(verdict(desk)));
        QVERIFY(desk.click(u"savedCallShowDifferences"_s));
        auto *window = panel->findChild<QWidget *>(u"savedCallDifferences"_s);
        QTRY_VERIFY(window && window->isVisible());
        QTest::keyClick(window, Qt::Key_Escape);
        desk.window().activateWindow();  // it is not by itself, without a window manager
        QVERIFY(QTest::qWaitForWindowActive(&desk.window()));
        QTest::mouseClick(save, Qt::LeftButton);
        QTRY_VERIFY(!save->isEnabled());
        const json::Value written = json::parse(test::readFile(path));
        QStringList members;
        for (const json::Value &member : written)
            members << member.key();
        QCOMPARE(members, (QStringList{u"note"_s, u"tool"_s, u"arguments"_s, u"expect"_s}));
        QCOMPARE(json::compact(written[u"arguments"]), R"({"b":2,"a":1.10})"_ba);
        QVERIFY(desk.click(u"savedCallAccept"_s));
        QVERIFY2(verdict(desk).startsWith(u"✓ Passed"_s), qPrintable(verdict(desk)));
        QCOMPARE(json::compact(json::parse(test::readFile(path))[u"expect"][u"result"][u"structuredContent"]),
                 R"({"sum":3.1})"_ba);
        QCOMPARE(json::parse(test::readFile(path))[u"note"].string(), u"kept"_s);
        // The file is edited elsewhere.
        write(folder, u"sum"_s, R"({"tool":"add","arguments":{"a":7,"b":8}})");
        QTRY_COMPARE(json::compact(json::parse(panel->arguments())), R"({"a":7,"b":8})"_ba);
        QVERIFY(desk.enter(u"/a"_s, u"9"_s));
        QTRY_VERIFY(save->isEnabled());
        write(folder, u"sum"_s, R"({"tool":"add","arguments":{"a":10,"b":8}})");
        auto *reload = panel->findChild<QAbstractButton *>(u"savedCallReload"_s);
        auto *keep = panel->findChild<QAbstractButton *>(u"savedCallKeep"_s);
        const auto arguments = [panel] { return json::compact(json::parse(panel->arguments())); };
        QTRY_VERIFY(reload->isVisible() && keep->isVisible());
        QCOMPARE(arguments(), R"({"a":9,"b":8})"_ba);
        QTest::mouseClick(keep, Qt::LeftButton);
        QVERIFY(!reload->isVisible() && !keep->isVisible() && save->isEnabled());
        QCOMPARE(arguments(), R"({"a":9,"b":8})"_ba);
        // While its tab is closed, too.
        QTRY_COMPARE(desk.window().tabs->tabText(desk.window().tabs->currentIndex()), u"*sum"_s);
        QVERIFY(closeTab(desk, u"Cancel"_s));
        QCOMPARE(desk.panel(), panel);
        QVERIFY(closeTab(desk, u"Discard"_s));
        QTRY_VERIFY(desk.panel() != panel);
        write(folder, u"sum"_s, R"({"tool":"add","arguments":{"a":11,"b":8}})");
        desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(desk.panel(), panel);
        QTRY_VERIFY(reload->isVisible() && keep->isVisible());
        QTest::mouseClick(reload, Qt::LeftButton);
        QCOMPARE(arguments(), R"({"a":11,"b":8})"_ba);
        QVERIFY(!reload->isVisible() && !save->isEnabled());
        // What was typed is not lost.
        panel->focusForm();
        desk.press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(arguments(), R"({"a":9,"b":8})"_ba);
        QTRY_VERIFY(save->isEnabled());
        const auto saved = [&path] { return json::compact(json::parse(test::readFile(path))[u"arguments"]); };
        desk.press(Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(saved(), R"({"a":9,"b":8})"_ba);
        QTRY_COMPARE(desk.window().tabs->tabText(desk.window().tabs->currentIndex()), u"sum"_s);
        QVERIFY(desk.enter(u"/b"_s, u"4"_s));
        QVERIFY(closeTab(desk, u"Save"_s));
        QCOMPARE(saved(), R"({"a":9,"b":4})"_ba);
        QTRY_VERIFY(desk.panel() != panel);
        QVERIFY(desk.close());
    }

    void callsFollowTheirServersName()
    {
        const QTemporaryDir folder;
        remember(folder);
        TestWindow desk;
        const QString name = desk.add(test::demoProgram());
        QVERIFY(!name.isEmpty());
        const QString path =
            write(folder, u"ours"_s,
                  QByteArray(R"({"tool":"fail","server":"NAME","note":"kept"})").replace("NAME", name.toUtf8()));
        const QString other = write(folder, u"other"_s, R"({"tool":"echo","server":"another"})");
        QTRY_VERIFY(desk.offered().contains(u"ours"_s));
        desk.open(u"Run all"_s);
        QVERIFY(hasEnded(desk));
        ui::SavedCallsPanel *run = suite(desk);
        ui::CallPanel *panel = desk.open(u"ours"_s);
        QVERIFY(panel);
        // The form begins with a default, which the file has not.
        QVERIFY(!panel->isUnsaved() && panel->isAsInFile());
        ServerSpec renamed = *desk.workspace().store().server(name);
        renamed.name = u"Renamed"_s;
        QVERIFY(!desk.workspace().change(name, renamed));
        QTRY_COMPARE(json::parse(test::readFile(path))[u"server"].string(), u"Renamed"_s);
        QCOMPARE(json::parse(test::readFile(path))[u"note"].string(), u"kept"_s);
        QCOMPARE(test::readFile(other), R"({"tool":"echo","server":"another"})"_ba);
        QTRY_VERIFY(desk.offered().contains(u"ours"_s));
        QTRY_VERIFY2(panel->findChild<QLabel *>(u"subjectServer"_s)->text().startsWith(u"Renamed"_s),
                     qPrintable(textsOf(panel)));
        QVERIFY(desk.window().tabs->tabText(desk.window().tabs->indexOf(run)).endsWith(u"→ Renamed"_s));
        QVERIFY(desk.close());
    }

    void placeholdersAreResolvedWhenItIsSent()
    {
        const QByteArray secret = "Gk7-plain-Zq91xT";
        qputenv("SONDE_TEST_SECRET", secret);
        const QTemporaryDir folder;
        write(folder, u"login"_s, R"({"tool":"echo","arguments":{"value":"${env:SONDE_TEST_SECRET}"}})");
        write(folder, u"unset"_s, R"({"tool":"echo","arguments":{"value":"${env:SONDE_NO_SUCH_VARIABLE}"}})");
        write(folder, u"later"_s, R"({"tool":"echo","arguments":{"value":"${calls.login.result/content/0/text}"}})");
        remember(folder);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const ui::CallPanel *panel = desk.open(u"login"_s);
        QVERIFY(panel);
        QVERIFY(panel->arguments().contains("${env:SONDE_TEST_SECRET}"));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(desk.resultText().contains(QString::fromUtf8(secret)), qPrintable(desk.resultText()));
        QVERIFY(panel->arguments().contains("${env:SONDE_TEST_SECRET}"));
        qunsetenv("SONDE_TEST_SECRET");
        const Session &session = *desk.session();
        for (qsizetype row = 0; row < session.size(); ++row)
            QVERIFY2(!session.bytes(row).contains(secret), session.bytes(row).constData());
        QVERIFY(desk.open(u"unset"_s));
        QVERIFY(desk.call(u"⊘ No response"_s));
        QVERIFY2(textsOf(desk.panel()).contains(u"SONDE_NO_SUCH_VARIABLE is not set"_s),
                 qPrintable(textsOf(desk.panel())));
        QCOMPARE(verdict(desk), QString());
        QVERIFY(desk.open(u"later"_s));
        QVERIFY(desk.call(u"⊘ No response"_s));
        QVERIFY2(textsOf(desk.panel()).contains(u"'login', which was not run before this one"_s),
                 qPrintable(textsOf(desk.panel())));
        QVERIFY(desk.close());
    }

    void aSuiteIsRunAcceptedAndReported()
    {
        const QTemporaryDir folder;
        write(folder, u"a"_s, R"({"tool":"add","arguments":{"a":1,"b":2}})");
        const QString path = write(folder, u"b"_s,
                                   R"({"tool":"add","arguments":{"a":"${calls.a.result/structuredContent/sum}","b":1},)"
                                   R"("expect":{"result":null,"ignore":[{"pointer":"/_meta"}]}})");
        write(folder, u"c"_s, R"({"tool":"fail"})");
        write(folder, u"d"_s, R"({"tool":"protocol-error"})");
        write(folder, u"elsewhere"_s, R"({"tool":"no_such_tool"})");
        remember(folder);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        desk.open(u"Run all"_s);
        QVERIFY(hasEnded(desk));
        ui::SavedCallsPanel *panel = suite(desk);
        QCOMPARE(statuses(*panel), (QStringList{u"a passed"_s, u"b failed"_s, u"c failed"_s, u"d error"_s}));
        QVERIFY2(notice(desk).contains(u"1 saved call was skipped"_s), qPrintable(notice(desk)));
        QTRY_VERIFY2(textsOf(panel).contains(u"4 calls"_s), qPrintable(textsOf(panel)));
        // In a small window all of it scrolls, and nothing is squeezed.
        const QSize size = desk.window().size();
        desk.window().resize(800, 560);
        const auto *runFailed = panel->findChild<QWidget *>(u"savedCallsRunFailed"_s);
        const auto *left = panel->findChild<QWidget *>(u"savedCallsNotice"_s);
        QTRY_VERIFY(runFailed->height() >= 28 && left->height() >= left->heightForWidth(left->width()));
        QVERIFY(panel->findChild<QWidget *>(u"savedCallsTable"_s)->height() > 100);
        desk.window().resize(size);
        // A rule for a difference that leaves others.
        SavedCall ruled = panel->suite()->steps()[1].call;
        Q_EMIT panel->callChanged(ruled);
        QCOMPARE(notice(desk).trimmed(), u"Saved to b.call.json"_s);
        // What came back becomes what is expected.
        QVERIFY(desk.click(u"replayAccept"_s));
        QCOMPARE(statuses(*panel), (QStringList{u"a passed"_s, u"b passed"_s, u"c passed"_s, u"d passed"_s}));
        QCOMPARE(json::parse(test::readFile(path))[u"expect"][u"result"][u"structuredContent"][u"sum"].bytes(), "4"_ba);
        QTRY_VERIFY(!panel->findChild<QAbstractButton *>(u"replayAccept"_s)->isEnabled());
        write(folder, u"c"_s, R"({"tool":"fail"})");
        QVERIFY(desk.click(u"replayRun"_s));
        QVERIFY(hasEnded(desk));
        QTRY_COMPARE(suite(desk), panel);
        // Those that failed are run again, with what they need of others.
        write(folder, u"b"_s,
              R"({"tool":"add","arguments":{"a":"${calls.a.result/structuredContent/sum}","b":1},)"
              R"("expect":{"outcome":"tool-error"}})");
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                if (!panel->isRunning())
                    desk.click(u"replayRun"_s);
                return hasEnded(desk) && statuses(*panel).contains(u"b failed"_s) &&
                       statuses(*panel).contains(u"c failed"_s);
            }(),
            Patience);
        QVERIFY(desk.click(u"savedCallsRunFailed"_s));
        QVERIFY(hasEnded(desk));
        QCOMPARE(statuses(*panel), (QStringList{u"a passed"_s, u"b failed"_s, u"c failed"_s}));
        const QString report = folder.filePath(u"report.xml"_s);
        QVERIFY(desk.click(u"replayReport"_s));
        auto *dialog = panel->findChild<QFileDialog *>(u"saveDialog"_s);
        QTRY_VERIFY(dialog && dialog->isVisible());
        dialog->findChild<QLineEdit *>(u"fileNameEdit"_s)->setText(report);
        QTest::mouseClick(dialog->findChild<QDialogButtonBox *>(u"buttonBox"_s)->button(QDialogButtonBox::Save),
                          Qt::LeftButton);
        QTRY_VERIFY(QFile::exists(report));
        QXmlStreamReader xml(test::readFile(report));
        int cases = 0;
        while (!xml.atEnd())
            cases += xml.readNext() == QXmlStreamReader::StartElement && xml.name() == u"testcase"_s ? 1 : 0;
        QVERIFY2(!xml.hasError() && cases == 3, qPrintable(xml.errorString()));
        QVERIFY(desk.close());
    }

    void aSuiteEndsWithItsServer_data()
    {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("reason");
        QTest::newRow("removed") << u"removed"_s << u"The server was "_s;
        QTest::newRow("stopped") << u"stopped"_s << u"The server was stopped."_s;
        QTest::newRow("restarted") << u"restarted"_s << u"The server was restarted."_s;
        QTest::newRow("its tab is closed") << u"closed"_s << QString();
    }
    void aSuiteEndsWithItsServer()
    {
        QFETCH(QString, how);
        QFETCH(QString, reason);
        const QTemporaryDir folder;
        const QByteArray add = R"({"tool":"add","arguments":{"a":1,"b":2}})";
        write(folder, u"a"_s, add);
        write(folder, u"b"_s, R"({"tool":"slow","arguments":{"seconds":60}})");
        write(folder, u"c"_s, add);
        write(folder, u"elsewhere"_s, R"({"tool":"no_such_tool"})");
        remember(folder);
        TestWindow desk;
        const QString name = desk.add(test::demoProgram());
        QVERIFY(!name.isEmpty());
        desk.open(u"Run all"_s);
        QTRY_VERIFY_WITH_TIMEOUT(
            suite(desk) && suite(desk)->suite() && suite(desk)->suite()->steps()[1].status == CallStep::Status::Running,
            Patience);
        QPointer<ui::SavedCallsPanel> panel = suite(desk);
        Connection *connection = panel->connection();
        if (how == u"removed"_s) {
            QVERIFY(!desk.workspace().remove(name));
            QTRY_VERIFY(!desk.workspace().serverNamed(name));
        } else if (how == u"stopped"_s) {
            connection->close();
        } else if (how == u"restarted"_s) {
            connection->restart();
        } else {
            // Once for all its calls, also before the program ends.
            QString question;
            const test::WhenDialog keep([&question](QDialog *box) {
                question = qobject_cast<QMessageBox *>(box)->text();
                test::clickButton(box, u"Keep running"_s);
            });
            desk.window().close();
            QVERIFY(keep.hasRun() && panel->isRunning());
            QCOMPARE(question, u"2 calls are running or waiting. Quitting cancels them."_s);
            const test::WhenDialog close([&question](QDialog *box) {
                question = qobject_cast<QMessageBox *>(box)->text();
                test::clickButton(box, u"Cancel calls and close"_s);
            });
            Q_EMIT desk.window().tabs->tabCloseRequested(desk.window().tabs->indexOf(panel));
            QTRY_VERIFY(!panel);
            QVERIFY2(question.contains(u"Closing its tab cancels the calls that are left."_s), qPrintable(question));
            QVERIFY(desk.close());
            return;
        }
        QTRY_VERIFY_WITH_TIMEOUT(!panel->isRunning(), Patience);
        QCOMPARE(statuses(*panel), (QStringList{u"a passed"_s, u"b error"_s, u"c skipped"_s}));
        const CallStep &cut = panel->suite()->steps()[1];
        QVERIFY2(cut.reasons.first().startsWith(u"No response: "_s + reason), qPrintable(cut.reasons.first()));
        const QStringList said{u"Not all calls were run"_s, u"1 saved call was skipped\nelsewhere"_s};
        for (const QString &text : said)
            QVERIFY2(textsOf(panel).contains(text), qPrintable(textsOf(panel)));
        QVERIFY(desk.close());
    }

    void nothingIsRunWithoutAConnection()
    {
        const QTemporaryDir folder;
        write(folder, u"a"_s, R"({"tool":"echo"})");
        remember(folder);
        TestWindow desk;
        const QString name = desk.add(test::demoProgram());
        QVERIFY(!name.isEmpty());
        QTRY_VERIFY(actions(desk).contains(u"Run all"_s));
        Connection *connection = desk.workspace().currentConnection();
        connection->close();
        QTRY_COMPARE(connection->state(), Connection::State::Disconnected);
        // By the menu or the palette; the tree has the same.
        QAction *run = desk.window().actions->runSavedCalls;
        run->trigger();
        QVERIFY(!suite(desk));
        const auto *banner = desk.find<QWidget>(u"notice"_s);
        QVERIFY(banner->isVisible());
        QVERIFY2(textsOf(banner).contains(u"is not connected."_s), qPrintable(textsOf(banner)));
        auto *start = desk.find<QAbstractButton>(u"noticeRemedy"_s);
        QCOMPARE(start->text(), u"Start server"_s);
        QTest::mouseClick(start, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!banner->isVisible(), Patience);
        QCOMPARE(connection->state(), Connection::State::Connected);
        QTRY_VERIFY_WITH_TIMEOUT(desk.isListed(), Patience);
        run->trigger();
        QVERIFY(hasEnded(desk));
        QCOMPARE(suite(desk)->suite()->steps().size(), 1);
        QVERIFY(desk.close());
    }

    void destructiveToolsAreAskedForOnce()
    {
        const QTemporaryDir folder;
        write(folder, u"a"_s, R"({"tool":"delete-everything"})");
        write(folder, u"b"_s, R"({"tool":"delete-everything"})");
        remember(folder);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        for (const bool agrees : {false, true}) {
            desk.open(u"Run all"_s);
            auto *box = desk.window().findChild<QMessageBox *>(u"confirmSavedCalls"_s);
            QTRY_VERIFY(box && box->isVisible());
            QVERIFY(box->text().contains(u"delete-everything"_s));
            QVERIFY(test::clickButton(box, agrees ? u"Run all"_s : u"Cancel"_s));
            QTRY_VERIFY(!desk.window().findChild<QMessageBox *>(u"confirmSavedCalls"_s));
            QCOMPARE(suite(desk) != nullptr, agrees);
        }
        QVERIFY(hasEnded(desk));
        QCOMPARE(suite(desk)->suite()->count(CallStep::Status::Waiting), 0);
        QVERIFY(desk.close());
    }

    void withoutAFolderEnterLeadsToChoosingOne()
    {
        ui::NewSavedCall made;
        made.call.name = made.call.tool = u"echo"_s;
        ui::SaveCallDialog dialog(made, {});
        dialog.show();
        auto *name = dialog.findChild<QLineEdit *>(u"saveCallName"_s);
        QTest::keyClick(name, Qt::Key_Return);
        const auto chooser = [&dialog] { return dialog.findChild<QFileDialog *>(u"saveCallFolderDialog"_s); };
        QTRY_VERIFY(chooser() && chooser()->isVisible());
        QVERIFY(dialog.isVisible() && dialog.folder().isEmpty());
    }

    void aPreviousCallAndARecordedOneAreSaved()
    {
        const QTemporaryDir folder;
        remember(folder);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        ui::CallPanel *panel = desk.open(u"fail"_s);
        QVERIFY(panel);
        QVERIFY(desk.call(u"▲ Tool error"_s));
        QVERIFY(desk.call(u"▲ Tool error"_s));
        auto *history = panel->findChild<ui::CallHistoryView *>(u"previousCalls"_s);
        Q_EMIT history->saveRequested(1);
        auto *dialog = desk.window().findChild<ui::SaveCallDialog *>();
        QTRY_VERIFY(dialog && dialog->isVisible());
        dialog->findChild<QLineEdit *>(u"saveCallName"_s)->setText(u"from history"_s);
        dialog->findChild<QCheckBox *>(u"saveCallExpects"_s)->setChecked(true);
        QVERIFY(test::clickButton(dialog, u"Save"_s));
        const json::Value saved = json::parse(test::readFile(folder.filePath(u"from history.call.json"_s)));
        QCOMPARE(saved[u"tool"].string(), u"fail"_s);
        QCOMPARE(saved[u"expect"][u"outcome"].string(), u"tool-error"_s);
        QVERIFY(saved[u"expect"][u"result"][u"isError"].toBool());
        QTRY_VERIFY(desk.offered().contains(u"from history"_s));
        // A row of the timeline: the response means its request.
        qsizetype response = -1;
        for (qsizetype row = 0; row < desk.session()->size(); ++row) {
            const qsizetype partner = desk.session()->partnerOf(row);
            if (partner >= 0 && partner < row && desk.session()->message(partner).method() == u"tools/call"_s)
                response = row;
        }
        QVERIFY(response >= 0);
        Q_EMIT desk.window().timeline->saveCallRequested(response);
        dialog = nullptr;
        QTRY_VERIFY([&] {
            for (auto *each : desk.window().findChildren<ui::SaveCallDialog *>()) {
                if (each->isVisible())
                    dialog = each;
            }
            return dialog != nullptr;
        }());
        QCOMPARE(dialog->findChild<QLineEdit *>(u"saveCallName"_s)->text(), u"fail"_s);
        QVERIFY(test::clickButton(dialog, u"Save"_s));
        QCOMPARE(json::parse(test::readFile(folder.filePath(u"fail.call.json"_s)))[u"expect"][u"outcome"].string(),
                 u"tool-error"_s);
        QVERIFY(desk.close());
    }

    void aSavedCallIsRenamedAndDeleted()
    {
        const QTemporaryDir folder;
        write(folder, u"old"_s, R"({"tool":"echo","name":"old","x":1})");
        const QString other =
            write(folder, u"other"_s,
                  R"({"tool":"echo","arguments":{"value":"${calls.old.result/x} $${calls.old.result}"}})");
        remember(folder);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        ui::CallPanel *panel = desk.open(u"old"_s);
        QVERIFY(panel);
        // A click leaves the keys to the tree.
        QCOMPARE(desk.preview(u"old"_s), panel);
        desk.press(Qt::Key_F2);
        auto *dialog = desk.window().findChild<QInputDialog *>(u"savedCallRename"_s);
        QTRY_VERIFY(dialog && dialog->isVisible());
        dialog->setTextValue(u"new name"_s);
        dialog->accept();
        QTRY_VERIFY(desk.offered().contains(u"new name"_s));
        QVERIFY(!QFile::exists(folder.filePath(u"old.call.json"_s)));
        QCOMPARE(panel->name(), u"new name"_s);
        QCOMPARE(panel->ref().savedCall, folder.filePath(u"new name.call.json"_s));
        QCOMPARE(json::parse(test::readFile(panel->ref().savedCall))[u"x"].bytes(), "1"_ba);
        QTRY_COMPARE(json::parse(test::readFile(other))[u"arguments"][u"value"].string(),
                     u"${calls.new name.result/x} $${calls.old.result}"_s);
        const test::WhenDialog question([](QDialog *box) { test::clickButton(box, u"Delete"_s); });
        QVERIFY(chooseInTree(desk, u"new name"_s, u"Delete…"_s));
        QTRY_VERIFY(question.hasRun());
        QTRY_VERIFY(!desk.offered().contains(u"new name"_s));
        QVERIFY(!QFile::exists(folder.filePath(u"new name.call.json"_s)));
        QTRY_VERIFY2(textsOf(panel).contains(u"Save writes it again."_s), qPrintable(textsOf(panel)));
        desk.open(u"Run all"_s);
        const auto *said = desk.find<QWidget>(u"notice"_s);
        QVERIFY2(textsOf(said).contains(u"in the order of their file names"_s), qPrintable(textsOf(said)));
        QVERIFY(desk.close());
    }

    void aValueIsUsedInAnotherCall()
    {
        const QTemporaryDir folder;
        write(folder, u"first"_s, R"({"tool":"add","arguments":{"a":1,"b":2}})");
        write(folder, u"second"_s, R"({"tool":"add","arguments":{"a":0,"b":5}})");
        remember(folder);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        ui::CallPanel *plain = desk.panel();  // of the first tool, add
        ui::CallPanel *second = desk.open(u"second"_s);
        ui::CallPanel *first = desk.open(u"first"_s);
        QVERIFY(plain && second && first && plain->ref().key == u"add"_s);
        QVERIFY(desk.call(u"✓ OK"_s));
        const json::Value sum = first->result()->outcome().result()[u"structuredContent"][u"sum"];
        QCOMPARE(sum.bytes(), "3"_ba);
        const auto use = [&](const QString &target, bool isReference) {
            QMenu menu;
            Q_EMIT first->result()->valueMenuRequested(&menu, sum, u"/structuredContent/sum"_s);
            auto *action = menu.findChild<QAction *>(u"useIn"_s);
            if (!action)
                return false;
            action->trigger();
            QPointer<ui::UseInDialog> dialog;
            for (auto *each : desk.window().findChildren<ui::UseInDialog *>()) {
                if (each->isVisible())
                    dialog = each;
            }
            auto *targets = dialog ? dialog->findChild<QComboBox *>(u"useInTarget"_s) : nullptr;
            if (!targets || targets->findText(target) < 0)
                return false;
            targets->setCurrentIndex(targets->findText(target));
            dialog->findChild<QCheckBox *>(u"useInReference"_s)->setChecked(isReference);
            return test::clickButton(dialog, u"Use"_s);
        };
        QVERIFY(use(u"second · saved call"_s, true));
        QCOMPARE(desk.panel(), second);
        QCOMPARE(json::compact(json::parse(second->arguments())),
                 R"({"a":"${calls.first.result/structuredContent/sum}","b":5})"_ba);
        desk.window().activateWindow();  // it is not by itself, without a window manager
        QVERIFY(QTest::qWaitForWindowActive(&desk.window()));
        QTRY_COMPARE(second->form().focusedPlace(), json::Pointer({u"a"_s}));
        QVERIFY(use(u"add · open tab"_s, false));
        QCOMPARE(desk.panel(), plain);
        QCOMPARE(json::compact(json::parse(plain->arguments())), R"({"a":3})"_ba);
        QVERIFY(use(u"slow"_s, false));
        QCOMPARE(desk.panel()->ref().key, u"slow"_s);
        QCOMPARE(json::compact(json::parse(desk.panel()->arguments()))[2], 's');
        QVERIFY(desk.close());
    }

    void thePaletteFindsThem()
    {
        const QTemporaryDir folder;
        write(folder, u"greet maria"_s, R"({"tool":"echo","arguments":{"value":"Hello"}})");
        remember(folder);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QTRY_VERIFY(desk.offered().contains(u"greet maria"_s));
        desk.press(Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(desk.window().findChild<QLineEdit *>(u"gotoLine"_s));
        auto *line = desk.window().findChild<QLineEdit *>(u"gotoLine"_s);
        QTest::keyClicks(line, u"greet m"_s);
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY(desk.panel() && desk.panel()->ref().savedCall == folder.filePath(u"greet maria.call.json"_s));
        QVERIFY(desk.panel()->arguments().contains("Hello"));
        QVERIFY(desk.badge().isEmpty());
        // Ctrl+Enter runs it, as a line says.
        desk.press(Qt::Key_K, Qt::ControlModifier);
        QPointer<QLineEdit> again;
        QTRY_VERIFY((again = desk.window().findChild<QLineEdit *>(u"gotoLine"_s)) && again->isVisible());
        QTest::keyClicks(again, u"greet m"_s);
        QCOMPARE(again->parentWidget()->findChild<QLabel *>(u"gotoKeys"_s)->text(),
                 u"Enter opens the saved call, Ctrl+Enter runs it."_s);
        QTest::keyClick(again, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY2(desk.resultText().contains(u"Hello"_s), qPrintable(desk.resultText()));
        QVERIFY(desk.close());
    }

    void callsOfOtherProgramsAreImported()
    {
        const QTemporaryDir folder;
        const QTemporaryDir exports;
        const QString path = exports.filePath(u"server.postman_collection.json"_s);
        test::writeFile(path, collection());
        write(folder, u"sum"_s, R"({"tool":"add"})");
        remember(folder);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        desk.window().actions->importCalls->trigger();
        auto *dialog = desk.window().findChild<ui::ImportCallsDialog *>();
        QTRY_VERIFY(dialog && dialog->isVisible());
        QVERIFY(!dialog->findChild<QPushButton *>(u"importCallsAccept"_s)->isEnabled());
        dialog->addFile(path);
        auto *table = dialog->findChild<QTableWidget *>(u"importCallsTable"_s);
        QTRY_COMPARE(table->rowCount(), 2);
        QCOMPARE(table->item(0, 0)->text(), u"Sum-2"_s);  // there is one, however it is written
        QCOMPARE(table->item(0, 1)->text(), u"add"_s);
        QCOMPARE(table->item(0, 2)->text(), u"{\"a\":1,\"b\":2}"_s);
        const auto *notes = dialog->findChild<ui::TextView *>(u"importCallsNotes"_s);
        QVERIFY(notes->text().contains("“Other” was not imported"));
        QVERIFY(dialog->findChild<ui::TextView *>(u"importCallsDetails"_s)->text().contains("\"tool\": \"add\""));
        // What cannot be read leaves what was found.
        dialog->addFile(exports.filePath(u"missing.json"_s));
        QTRY_VERIFY(dialog->findChild<ui::Banner *>(u"importCallsBanner"_s)->isVisible());
        table->item(1, 0)->setCheckState(Qt::Unchecked);
        QVERIFY(test::clickButton(dialog, u"Import 1 call"_s));
        QTRY_VERIFY(desk.offered().contains(u"Sum-2"_s));
        QVERIFY(!desk.offered().contains(u"Echo"_s));
        QCOMPARE(test::readFile(folder.filePath(u"sum.call.json"_s)), R"({"tool":"add"})"_ba);
        QVERIFY2(desk.window().told->text().startsWith(u"Imported 1 call to "_s),
                 qPrintable(desk.window().told->text()));
        // Dropped onto the window, they are no list of servers.
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&desk.window(), &enter);
        QDropEvent drop({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&desk.window(), &drop);
        QTRY_VERIFY(desk.window().findChild<ui::ImportCallsDialog *>());
        desk.window().findChild<ui::ImportCallsDialog *>()->reject();
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestSavedCallsWindow)
#include "tst_savedcallswindow.moc"
