// A first walk through the demo server: tools, resources, templates, prompts, a restart.
// SPDX-License-Identifier: Apache-2.0
#include "core/calls/operations.h"
#include "core/json/builder.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/savecalldialog.h"
#include "ui/diff/comparisonwindow.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/schemaform.h"
#include "ui/panels/callhistory.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/offertree.h"
#include "ui/panels/problemline.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/serverpanel.h"
#include "ui/result/outcometext.h"
#include "ui/result/resultview.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinemodel.h"

#include <QAbstractButton>
#include <QAction>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProcess>
#include <QTabWidget>
#include <QTemporaryDir>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

const QByteArray Large = "9007199254740993";  // 2^53 + 1: no double holds it

enum ArgumentsMode { FormMode, BothMode, JsonMode };

}  // namespace

class TestFirstWalk : public QObject {
    Q_OBJECT

private:
    // Chooses the folder in the dialog that asks where to save a call, and saves.
    static bool saveIn(TestWindow &desk, const QString &folder, QString *path)
    {
        QPointer<ui::SaveCallDialog> dialog = desk.window().findChild<ui::SaveCallDialog *>();
        if (!dialog || !test::clickButton(dialog, u"Choose folder…"_s))
            return false;
        auto *choice = dialog->findChild<QFileDialog *>(u"saveCallFolderDialog"_s);
        choice->findChild<QLineEdit *>(u"fileNameEdit"_s)->setText(folder);
        QTest::mouseClick(choice->findChild<QDialogButtonBox *>(u"buttonBox"_s)->button(QDialogButtonBox::Open),
                          Qt::LeftButton);
        if (!QTest::qWaitFor([&dialog, &folder] { return dialog->folder() == folder; }))
            return false;
        *path = dialog->call().path;
        return test::clickButton(dialog, u"Save"_s) && QFile::exists(*path);
    }

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void theDemoOpensItsFirstTool()
    {
        TestWindow desk;
        QCOMPARE(desk.window().tabs->tabText(0), u"Welcome"_s);
        QVERIFY(desk.openDemo());
        const QString detail = desk.serverDetail(app::Workspace::demoSpec().name);
        QVERIFY2(detail.startsWith(u"stdio · 2026-07-28"_s), qPrintable(detail));
        QVERIFY(desk.offered().contains(u"every-field-kind"_s));
        QVERIFY(desk.offered().contains(u"wave.png"_s));
        QVERIFY(desk.offered().contains(u"weather"_s));
        QVERIFY(desk.offered().contains(u"summarize"_s));
        QCOMPARE(desk.panel()->ref().key, u"add"_s);
        QCOMPARE(desk.window().tabs->tabText(desk.window().tabs->currentIndex()), u"add"_s);
        QVERIFY(desk.close());
    }

    void aFilterThatLeavesNothingSaysSo()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        ui::OfferTree *tree = desk.window().offers;
        const QStringList offered = desk.offered();
        tree->focusFilter();
        desk.type(u"zzz"_s);
        const auto *empty = tree->findChild<ui::EmptyState *>(u"offerEmpty"_s);
        QVERIFY(empty->isVisible());
        QVERIFY(empty->findChild<ui::TextLabel *>()->text().contains(u"“zzz”"));
        desk.press(Qt::Key_Escape);
        QVERIFY(!empty->isVisible());
        QCOMPARE(desk.offered(), offered);
        QVERIFY(desk.close());
    }

    void numbersStayExact()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        // There is no previous call yet.
        desk.press(Qt::Key_Up, Qt::AltModifier);
        desk.press(Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(desk.panel()->arguments(), QByteArray("{}"));
        QVERIFY(desk.enter(u"/a"_s, QString::fromLatin1(Large)));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"a":9007199254740993,"b":2})"));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(desk.resultText().contains(u"9007199254740995"_s), qPrintable(desk.resultText()));
        QVERIFY(desk.bannerTitle().isEmpty());
        // One call, although the key is known to the field, the form and the window.
        QCOMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 1);
        QTRY_VERIFY2(desk.timelineModel()->rowCount() == desk.session()->size(), "the timeline lacks rows");
        for (qsizetype row = 0; row < desk.session()->size(); ++row) {
            const RecordInfo &record = desk.session()->at(row);
            const bool isStream = desk.session()->name(record.method) == u"subscriptions/listen"_s;
            if (record.messageKind == Message::Kind::Request && !isStream)
                QTRY_VERIFY2(desk.session()->partnerOf(row) > row, qPrintable(desk.session()->name(record.method)));
        }
        QVERIFY(desk.close());
    }

    // Server list, result, history, timeline and statistics read the same clock.
    void aCallTakesAsLongEverywhere_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("badge");
        QTest::newRow("answered") << QString() << u"✓ OK"_s;
        QTest::newRow("lost") << u" --exit-on-call 3"_s << u"⊘ Connection lost"_s;
    }
    void aCallTakesAsLongEverywhere()
    {
        QFETCH(QString, arguments);
        QFETCH(QString, badge);
        TestWindow desk;
        desk.add(test::demoProgram() + arguments);
        QVERIFY(desk.open(u"add"_s));
        const qint64 latency = desk.panel()->connection()->latencyNs();
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(badge));
        const qint64 duration = desk.panel()->result()->outcome().durationNs;
        QVERIFY2(desk.facts().startsWith(ui::durationText(duration)), qPrintable(desk.facts()));
        desk.session()->flush();
        Operations operations(desk.session());
        QVERIFY(operations.advance());
        int found = 0;
        for (qsizetype call = 0; call < operations.size(); ++call) {
            const qsizetype row = operations.requestRow(call);
            const QString method = desk.session()->name(desk.session()->at(row).method);
            if (method != u"tools/call"_s && method != u"server/discover"_s)
                continue;
            ++found;
            const qint64 expected = method == u"tools/call"_s ? duration : latency;
            QCOMPARE(operations.durationNs(call), expected);
            QCOMPARE(operations.serverNs(call), expected);
            if (badge == u"✓ OK"_s)
                QCOMPARE(desk.session()->durationNs(row), expected);
        }
        QCOMPARE(found, 2);
        QVERIFY(desk.close());
    }

    void theServerPageShowsThatTheStartIsOver()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.clickServer(u"Demo server"_s));
        const auto *page = desk.window().findChild<ui::ServerPanel *>();
        QVERIFY(page);
        const auto says = [page](const QString &text) {
            const QList<ui::TextLabel *> labels = page->findChildren<ui::TextLabel *>();
            return std::any_of(labels.begin(), labels.end(), [&](const ui::TextLabel *label) {
                return label->text().contains(text) || label->accessibleName().startsWith(text);
            });
        };
        QTRY_VERIFY(says(u"List tools, resources and prompts, OK"_s));
        QVERIFY(says(u"Tools: fresh until "_s));
        QVERIFY(desk.close());
    }

    // The demo server says that it may be used again for a minute.
    void aFreshResourceIsNotReadAgainByItself()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"greeting"_s));
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY2(desk.facts().contains(u"fresh until"_s) && !desk.facts().contains(u"cache"_s),
                 qPrintable(desk.facts()));
        const QString text = desk.resultText();
        QCOMPARE(desk.countOf(u"resources/read"_s, Direction::ToServer), 1);
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(desk.open(u"greeting"_s));
        QVERIFY2(desk.facts().contains(u"from the cache"_s), qPrintable(desk.facts()));
        QCOMPARE(desk.badge(), u"✓ OK"_s);
        QCOMPARE(desk.resultText(), text);
        QCOMPARE(desk.countOf(u"resources/read"_s, Direction::ToServer), 1);
        QVERIFY(desk.call(u"✓ OK"_s));  // whoever wants it reads it again
        QVERIFY2(!desk.facts().contains(u"cache"_s), qPrintable(desk.facts()));
        QCOMPARE(desk.countOf(u"resources/read"_s, Direction::ToServer), 2);
        QVERIFY(desk.close());
    }

    void earlierArgumentsComeBack()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.enter(u"/b"_s, u"1.50"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        auto *history = desk.panel()->findChild<ui::CallHistoryView *>();
        QVERIFY(!history->isVisible());  // the one call is what the result shows
        QVERIFY(desk.enter(u"/b"_s, u"1e2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(history->isVisible());
        QCOMPARE(history->model()->rowCount(), 2);
        QCOMPARE(history->model()->index(0, 0).data().toString(), u"a=1 b=1e2"_s);
        const QString second = desk.resultText();
        desk.press(Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"a":1,"b":1.50})"));
        QTRY_VERIFY2(desk.resultText().contains(u"2.5"_s), qPrintable(desk.resultText()));
        desk.press(Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"a":1,"b":1e2})"));
        QTRY_COMPARE(desk.resultText(), second);
        // A click shows an earlier answer and leaves the form alone.
        QVERIFY(test::clickRow(history, history->model()->index(1, 0)));
        QTRY_VERIFY2(desk.resultText().contains(u"2.5"_s), qPrintable(desk.resultText()));
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"a":1,"b":1e2})"));
        // Each can be compared with the one that is shown.
        const QRect other = history->visualRect(history->model()->index(0, 0));
        QTest::mouseClick(history->viewport(), Qt::LeftButton, {}, {other.right() - 14, other.center().y()});
        auto *comparison = desk.panel()->findChild<ui::ComparisonWindow *>();
        QVERIFY(comparison && comparison->isVisible());
        QVERIFY(comparison->findChild<QLabel *>(u"comparisonSummary"_s)->text().contains(u"difference"_s));
        comparison->close();
        QVERIFY(desk.close());
    }

    void aRestartLosesNothing()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.open(u"add"_s));
        QVERIFY(desk.enter(u"/a"_s, QString::fromLatin1(Large)));
        const int tabs = desk.window().tabs->count();
        Session *session = desk.session();
        const QStringList offered = desk.offered();
        const qint64 firstProcess = desk.panel()->connection()->processId();
        desk.press(Qt::Key_F5);
        QTRY_VERIFY2_WITH_TIMEOUT(
            desk.panel()->connection()->processId() > 0 && desk.panel()->connection()->processId() != firstProcess,
            "no new process was started", Patience);
        QVERIFY(desk.isConnected(app::Workspace::demoSpec().name));
        QTRY_COMPARE_WITH_TIMEOUT(desk.offered(), offered, Patience);
        QCOMPARE(desk.window().tabs->count(), tabs);
        QCOMPARE(desk.session(), session);
        QCOMPARE(int(session->at(0).connection), 1);
        QCOMPARE(int(session->at(session->size() - 1).connection), 2);
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"a":9007199254740993,"b":2})"));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.resultText().contains(u"9007199254740995"_s));
        QVERIFY(desk.close());
    }

    void formAndJsonHoldTheSame()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, QString::fromLatin1(Large)));
        auto *modes = desk.panel()->findChild<ui::SegmentedControl *>(u"modeSwitch"_s);
        QTest::mouseClick(modes->button(JsonMode), Qt::LeftButton);
        QPlainTextEdit *text = desk.panel()->findChild<ui::JsonEditor *>(u"jsonArguments"_s)->edit();
        QVERIFY(text->isVisible());
        QVERIFY2(text->toPlainText().contains(QString::fromLatin1(Large)), qPrintable(text->toPlainText()));
        QTest::mouseClick(text->viewport(), Qt::LeftButton);
        QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(text, u"{\"b\": 1.0, \"a\": 9007199254740993, \"more\": [1e400]}"_s);
        QTest::mouseClick(modes->button(FormMode), Qt::LeftButton);
        QCOMPARE(modes->current(), int(FormMode));
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"b":1.0,"a":9007199254740993,"more":[1e400]})"));
        // What is no object stays in the editor.
        QTest::mouseClick(modes->button(JsonMode), Qt::LeftButton);
        QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(text, u"{\"a\": "_s);
        QTest::mouseClick(modes->button(FormMode), Qt::LeftButton);
        QCOMPARE(modes->current(), int(JsonMode));
        QCOMPARE(text->toPlainText(), u"{\"a\": "_s);
        const auto *problems = desk.panel()->findChild<ui::ProblemLine *>(u"problems"_s);
        QVERIFY(problems->isVisible() && !problems->sentence().isEmpty());
        QVERIFY(desk.close());
    }

    void theJsonSideSaysWhatTheFormSays()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        auto *modes = desk.panel()->findChild<ui::SegmentedControl *>(u"modeSwitch"_s);
        QTest::mouseClick(modes->button(JsonMode), Qt::LeftButton);
        const auto *problems = desk.panel()->findChild<ui::ProblemLine *>(u"problems"_s);
        QTRY_COMPARE(problems->sentence(), u"1 problem: b · you can still send it"_s);
        QPlainTextEdit *text = desk.panel()->findChild<ui::JsonEditor *>(u"jsonArguments"_s)->edit();
        text->setFocus();
        QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(text, u"{\"a\": 1, \"b\": 2, \"a\": 3}"_s);
        QTRY_COMPARE(problems->sentence(), u"1 remark: a"_s);
        QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(text, u"{\"a\": 1,\"b\":}"_s);
        QTRY_VERIFY2(problems->sentence().startsWith(u"Not valid JSON: line 1, column 13"_s),
                     qPrintable(problems->sentence()));
        QTest::mouseClick(modes->button(FormMode), Qt::LeftButton);
        QVERIFY2(problems->sentence().startsWith(u"Fix the JSON first: line 1, column 13"_s),
                 qPrintable(problems->sentence()));
        QCOMPARE(text->textCursor().position(), 12);
        // Nothing at all is an empty object.
        QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(text, Qt::Key_Backspace);
        QCOMPARE(desk.panel()->arguments(), QByteArray("{}"));
        QTRY_COMPARE(problems->sentence(), u"2 problems: a, b · you can still send it"_s);
        QTest::mouseClick(modes->button(FormMode), Qt::LeftButton);
        QCOMPARE(modes->current(), int(FormMode));
        QVERIFY(desk.close());
    }

    void aCallIsSavedAndRunByTheCommandLine()
    {
        const QTemporaryDir folder;
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"fail"_s));
        QVERIFY(desk.call(u"▲ Tool error"_s));
        auto *save = desk.panel()->findChild<QAction *>(u"saveCall"_s);
        QVERIFY(save);
        save->trigger();
        QString path;
        QVERIFY(saveIn(desk, folder.path(), &path));
        QVERIFY2(path.endsWith(u"/fail.call.json"_s), qPrintable(path));
        const json::Value saved = json::parse(test::readFile(path));
        QCOMPARE(saved[u"tool"].string(), u"fail"_s);
        QCOMPARE(saved[u"expect"][u"outcome"].string(), u"tool-error"_s);
        // Where none was chosen before, its folder is the one that the tree shows.
        QTRY_COMPARE(desk.offered().count(u"fail"_s), 2);
        QProcess cli;
        cli.start(test::builtProgram(u"sonde-cli"_s), {u"run"_s, path, u"--"_s, test::demoProgram()});
        QVERIFY(cli.waitForFinished());
        QVERIFY2(cli.exitCode() == 0, (cli.readAllStandardOutput() + cli.readAllStandardError()).constData());
        QVERIFY(desk.close());
    }

    // Such a file is made to be shared.
    void aSavedCallHasNoSecret()
    {
        const QTemporaryDir folder;
        TestWindow desk;
        QVERIFY(desk.openDemo());
        ui::CallPanel *panel = desk.open(u"every-field-kind"_s);
        QVERIFY(panel);
        panel->setArguments(R"({"text":"${env:HOME}","apiToken":"hunter22","serial":9007199254740993})");
        panel->findChild<QAction *>(u"saveCall"_s)->trigger();
        QTRY_VERIFY(desk.window().findChild<ui::SaveCallDialog *>());
        const auto *message =
            desk.window().findChild<ui::SaveCallDialog *>()->findChild<ui::TextLabel *>(u"saveCallMessage"_s);
        QVERIFY2(message->text().contains(u"APITOKEN"_s), qPrintable(message->text()));
        QString path;
        QVERIFY(saveIn(desk, folder.path(), &path));
        QCOMPARE(json::compact(json::parse(test::readFile(path))[u"arguments"]),
                 QByteArray(R"({"text":"$${env:HOME}","apiToken":"${env:APITOKEN}","serial":9007199254740993})"));
        QVERIFY(desk.close());
    }

    void anExampleIsFilledIn()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"every-field-kind"_s));
        auto *form = desk.panel()->findChild<ui::SchemaForm *>(u"form"_s);
        const QByteArray before = desk.panel()->arguments();
        QTest::mouseClick(desk.panel()->findChild<QAbstractButton *>(u"fillExample"_s), Qt::LeftButton);
        QTRY_VERIFY(desk.panel()->arguments() != before);
        QTRY_VERIFY(form->issues().isEmpty());
        QVERIFY(desk.call(u"✓ OK"_s));
        form->undo();
        QCOMPARE(desk.panel()->arguments(), before);
        QVERIFY(desk.close());
    }

    // What was done on either side is undone one step after the other.
    void undoCrossesFormAndJson()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        auto *modes = desk.panel()->findChild<ui::SegmentedControl *>(u"modeSwitch"_s);
        QTest::mouseClick(modes->button(JsonMode), Qt::LeftButton);
        QPlainTextEdit *text = desk.panel()->findChild<ui::JsonEditor *>(u"jsonArguments"_s)->edit();
        text->setFocus();
        QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(text, u"{\"a\":5,\"b\":6}"_s);
        QTest::mouseClick(modes->button(FormMode), Qt::LeftButton);
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"a":5,"b":6})"));
        auto *form = desk.panel()->findChild<ui::SchemaForm *>(u"form"_s);
        form->setFocus();
        QTest::keyClick(form, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"a":1})"));
        QTest::mouseClick(modes->button(JsonMode), Qt::LeftButton);
        text->setFocus();
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.panel()->arguments(), QByteArray("{}"));
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(json::compact(json::parse(desk.panel()->arguments())), QByteArray(R"({"a":5,"b":6})"));
        QVERIFY(desk.close());
    }

    void allProblemsAreNamedAndTheFirstIsAStepAway()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        auto *problems = desk.panel()->findChild<ui::ProblemLine *>(u"problems"_s);
        QTRY_VERIFY(problems->isVisible());
        QCOMPARE(problems->sentence(), u"2 problems: a, b · you can still send it"_s);
        QCOMPARE(problems->accessibleName(), problems->sentence());
        QCOMPARE(problems->toolTip(), ui::plainToolTip(problems->sentence()));
        QVERIFY(desk.enter(u"/b"_s, u"x"_s));
        const auto focused = [&desk](QStringView place) {
            const QWidget *focus = desk.window().focusWidget();
            return focus && focus->objectName().endsWith(place);
        };
        QVERIFY(focused(u"/b"));
        QTest::mouseClick(problems, Qt::LeftButton);
        QTRY_VERIFY2(focused(u"/a"), qPrintable(desk.window().focusWidget()->objectName()));
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QTRY_COMPARE(problems->sentence(), u"1 problem: b · you can still send it"_s);
        problems->setFocus(Qt::TabFocusReason);
        desk.press(Qt::Key_Space);
        QTRY_VERIFY2(focused(u"/b"), qPrintable(desk.window().focusWidget()->objectName()));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QTRY_VERIFY(!problems->isVisible());
        // In a narrow line the names stay longest.
        const auto issue = [](const QStringList &words, bool isRemark = false) {
            return ui::FormIssue{json::Pointer(words), u"is required"_s, words, isRemark};
        };
        problems->setIssues({issue({u"first"_s}), issue({u"second"_s}), issue({u"third"_s})});
        problems->resize(problems->sizeHint().width() - 20, problems->height());
        QCOMPARE(problems->shownText(), u"3 problems: first, second, third"_s);
        problems->resize(problems->width() / 2, problems->height());
        QVERIFY2(problems->shownText().startsWith(u"3 problems: first") && problems->shownText().endsWith(u'…'),
                 qPrintable(problems->shownText()));
        // What is wrong with all of it has no name but what is said of it.
        problems->setIssues({{{}, u"Give either id or slug"_s}, issue({u"limit"_s})});
        QCOMPARE(problems->sentence(), u"2 problems: Give either id or slug, limit · you can still send it"_s);
        // Remarks come last, and a place within others is one name.
        problems->setIssues({issue({u"at"_s}, true), issue({u"rows"_s, u"item 1"_s, u"id"_s}), issue({u"mail"_s}, true),
                             issue({u"limit"_s})});
        QCOMPARE(problems->sentence(), u"2 problems: rows, item 1, id; limit · 2 remarks · you can still send it"_s);
        problems->setIssues({issue({u"at"_s}, true)});
        QCOMPARE(problems->sentence(), u"1 remark: at"_s);
        QVERIFY(desk.close());
    }

    void aResourceIsReadWhenOpened_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::newRow("text") << u"greeting"_s << u"Good day.\nThis text came from a server."_s;
        QTest::newRow("numbers") << u"readings.json"_s << u"9007199254740993"_s;
        QTest::newRow("bytes") << u"all-bytes"_s << u"f0 f1 f2 f3"_s;
        QTest::newRow("image") << u"wave.png"_s << QString();
    }

    void aResourceIsReadWhenOpened()
    {
        QFETCH(QString, name);
        QFETCH(QString, text);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(name));
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        if (text.isEmpty()) {
            const auto isShown = [&desk] {
                const auto *image = desk.panel()->findChild<QWidget *>(u"image"_s);
                return image && image->isVisible();
            };
            QTRY_VERIFY2(isShown(), "no image is shown");
        } else {
            QTRY_VERIFY2(desk.resultText().contains(text), qPrintable(desk.resultText()));
        }
        QCOMPARE(desk.countOf(u"resources/read"_s, Direction::ToServer), 1);
        QVERIFY(desk.close());
    }

    void aTemplateSaysWhatItWouldRead()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"weather"_s));
        QVERIFY(desk.enter(u"/city"_s, u"New York"_s));
        QVERIFY(desk.enter(u"/unit"_s, u"kelvin"_s));
        const auto *preview = desk.panel()->findChild<ui::TextLabel *>(u"uriPreview"_s);
        QVERIFY(preview->isVisible());
        QCOMPARE(preview->text(), u"Reads demo://weather/New%20York?unit=kelvin"_s);
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(desk.resultText().contains(u"New York: 7 degrees kelvin"_s), qPrintable(desk.resultText()));
        QVERIFY(desk.close());
    }

    void aPromptIsFilledAndShown()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"summarize"_s));
        QVERIFY(desk.enter(u"/topic"_s, u"tides"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(desk.resultText().contains(u"Summarize tides in a short way."_s), qPrintable(desk.resultText()));
        QCOMPARE(desk.panel()->findChild<ui::Badge *>(u"roleBadge"_s)->text(), u"user"_s);
        QVERIFY(desk.open(u"gallery"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QTRY_VERIFY2(desk.panel()->findChild<QWidget *>(u"image"_s), "the prompt's picture is not shown");
        QCOMPARE(desk.panel()->findChildren<ui::Badge *>(u"roleBadge"_s).size(), 5);
        // The link at its end opens the resource in a tab of its own, read.
        QVERIFY(desk.click(u"openResource"_s));
        QCOMPARE(desk.panel()->ref().key, u"demo://data/readings.json"_s);
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY(desk.close());
    }

    void theListFollowsTheServer()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(!desk.offered().contains(u"now-you-see-me"_s));
        QVERIFY(desk.open(u"toggle-tools"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QTRY_VERIFY2(desk.offered().contains(u"now-you-see-me"_s), "the new tool is not listed");
        QVERIFY(desk.open(u"now-you-see-me"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestFirstWalk)
#include "tst_firstwalk.moc"
