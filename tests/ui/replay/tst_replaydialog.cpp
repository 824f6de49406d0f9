// What is asked before a replay.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/session.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/replaydialog.h"
#include "ui/theme/style.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/filter/filterline.h"

#include <QComboBox>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;

class TestReplayDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theServerThatWasRecordedIsPreselected()
    {
        ReplayDialog dialog(choices());
        dialog.show();
        QCOMPARE(find<QComboBox>(dialog, u"replayServer"_s)->currentText(), u"billing"_s);
        QVERIFY(!find<QLineEdit>(dialog, u"replayLine"_s)->isVisible());
        QVERIFY(ok(dialog)->isEnabled());
        QTest::keyClick(find<QComboBox>(dialog, u"replayRecording"_s), Qt::Key_Down);
        // Nobody is called like that: what is run is the person's choice.
        QVERIFY(find<QLineEdit>(dialog, u"replayLine"_s)->isVisible());
        QVERIFY(!ok(dialog)->isEnabled());
        QVERIFY(message(dialog).contains(u"“gone” is not in the list of servers"_s));
        QTest::keyClicks(find<QLineEdit>(dialog, u"replayLine"_s), u"/bin/echo \"open"_s);
        QVERIFY(!ok(dialog)->isEnabled());
        QTest::keyClicks(find<QLineEdit>(dialog, u"replayLine"_s), u"\" x"_s);
        QVERIFY2(ok(dialog)->isEnabled(), qPrintable(message(dialog)));
        QSignalSpy accepted(&dialog, &QDialog::accepted);
        QTest::mouseClick(ok(dialog), Qt::LeftButton);
        QCOMPARE(accepted.size(), 1);
        const ReplayPlan plan = dialog.plan();
        QCOMPARE(plan.recordingPath, u"/s/two.mcpsession"_s);
        QCOMPARE(plan.recordingName(), u"two"_s);
        QCOMPARE(plan.server.arguments, (QStringList{u"open"_s, u"x"_s}));
        QVERIFY(plan.calls == ReplayPlan::Calls::All);
        QVERIFY(plan.destructive == Replayer::Destructive::Ask);
    }

    void labelsAreWholeWithAnyNumberOfLines()
    {
        ReplayDialog dialog(choices());
        dialog.show();
        QTest::keyClick(find<QComboBox>(dialog, u"replayServer"_s), Qt::Key_End);
        QTRY_VERIFY(find<QLineEdit>(dialog, u"replayLine"_s)->isVisible());
        QCoreApplication::processEvents();
        for (const QLabel *label : dialog.findChildren<QLabel *>())
            QVERIFY2(label->height() >= label->minimumSizeHint().height(), qPrintable(label->text()));
    }

    void callsAreChosenByFilterOrSelection()
    {
        ReplayDialog::Choices given = choices();
        given.shownPath = given.recordings.first().path;
        given.selectedRows = {4};
        ReplayDialog dialog(given);
        dialog.show();
        auto *selected = find<QRadioButton>(dialog, u"replaySelected"_s);
        QVERIFY(selected->isEnabled());
        QTest::mouseClick(selected, Qt::LeftButton, {}, QPoint(8, selected->height() / 2));
        QVERIFY(dialog.plan().calls == ReplayPlan::Calls::Rows);
        QCOMPARE(dialog.plan().rows, QList<qsizetype>{4});
        auto *filter = find<FilterLine>(dialog, u"replayFilterChoice"_s);
        QTest::keyClicks(filter, u"tool == "_s);
        QVERIFY(find<QRadioButton>(dialog, u"replayMatching"_s)->isChecked());
        QVERIFY(!ok(dialog)->isEnabled());
        QVERIFY2(message(dialog).startsWith(u"Filter:"_s), qPrintable(message(dialog)));
        QTest::keyClicks(filter, u"add"_s);
        QVERIFY(ok(dialog)->isEnabled());
        QCOMPARE(dialog.plan().filter.text(), u"tool == add"_s);
        // The selection is one of the first recording only.
        QTest::mouseClick(selected, Qt::LeftButton, {}, QPoint(8, selected->height() / 2));
        QTest::keyClick(find<QComboBox>(dialog, u"replayRecording"_s), Qt::Key_Down);
        QVERIFY(!selected->isEnabled());
        QVERIFY(dialog.plan().calls == ReplayPlan::Calls::All);
    }

    void anotherFileSaysWhoWasRecorded()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"x.mcpsession"_s);
        Session::create(path, u"billing"_s)->finish();
        ReplayDialog dialog(choices());
        dialog.show();
        QTest::keyClick(find<QComboBox>(dialog, u"replayRecording"_s), Qt::Key_Down);
        QVERIFY(find<QLineEdit>(dialog, u"replayLine"_s)->isVisible());
        dialog.chooseRecording(path);
        QCOMPARE(find<QComboBox>(dialog, u"replayServer"_s)->currentText(), u"billing"_s);
        QCOMPARE(dialog.plan().recordingPath, path);
    }

    // What tells two recordings of a server with a long name apart is at the end.
    void longNamesAreCutInTheMiddle()
    {
        const QString name = u"an extraordinarily long name of a server "_s.repeated(4);
        ReplayDialog::Choices given = choices();
        given.recordings = {{u"/s/one.mcpsession"_s, u"billing"_s, name + u"2026-01-31 12:00:00"_s},
                            {u"/s/two.mcpsession"_s, u"billing"_s, name + u"2026-02-28 18:11:59"_s}};
        ReplayDialog dialog(given);
        dialog.show();
        auto *recordings = find<QComboBox>(dialog, u"replayRecording"_s);
        Style style;
        recordings->setStyle(&style);
        const QImage first = recordings->grab().toImage();
        recordings->setCurrentIndex(1);
        QVERIFY(recordings->grab().toImage() != first);
        recordings->setStyle(nullptr);
    }

    void howAnUnknownServerWasStartedIsProposed()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"x.mcpsession"_s);
        record(path, R"({"transport":"stdio","program":"/bin/echo","argv":["echo","two words"],"cwd":"/tmp"})");
        ReplayDialog dialog(choices());
        dialog.show();
        dialog.chooseRecording(path);
        auto *line = find<QLineEdit>(dialog, u"replayLine"_s);
        QVERIFY(line->isVisible());
        QVERIFY2(line->text().startsWith(u"echo "_s), qPrintable(line->text()));
        QVERIFY2(message(dialog).startsWith(u"Same as when recorded."_s), qPrintable(message(dialog)));
        QVERIFY(ok(dialog)->isEnabled());
        QCOMPARE(dialog.plan().server.arguments, QStringList{u"two words"_s});
        QCOMPARE(dialog.plan().server.workingDirectory, u"/tmp"_s);
        // Of a server that is in the list nothing is proposed: another one is meant.
        find<QComboBox>(dialog, u"replayRecording"_s)->setCurrentIndex(0);
        QVERIFY(!line->isVisible());
        QCOMPARE(line->text(), QString());
        dialog.chooseRecording(path);
        QVERIFY(!line->text().isEmpty());
        // What somebody types there is theirs.
        line->setText(u"/bin/cat x"_s);
        QTest::keyClick(find<QComboBox>(dialog, u"replayRecording"_s), Qt::Key_Up);
        QCOMPARE(line->text(), u"/bin/cat x"_s);
        QVERIFY(dialog.plan().server.workingDirectory.isEmpty());
    }

    void aSecretThatWasLeftOutIsAskedFor()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"x.mcpsession"_s);
        record(path, "{\"argv\":[\"/bin/echo\",\"--token=\u2039secret:0a1b2c3d\u203a\"]}");
        ReplayDialog dialog(choices());
        dialog.show();
        dialog.chooseRecording(path);
        QVERIFY(!ok(dialog)->isEnabled());
        QVERIFY2(message(dialog).startsWith(u"A secret was redacted"_s), qPrintable(message(dialog)));
    }

    void aUrlThatWasRedactedIsAskedFor()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"x.mcpsession"_s);
        record(path, R"({"transport":"http","url":"https:\/\/h.example/3f2504e0-4f89-41d3-9a0c-0305e82c3301/mcp"})");
        ReplayDialog dialog(choices());
        dialog.show();
        dialog.chooseRecording(path);
        QCOMPARE(find<QLineEdit>(dialog, u"replayLine"_s)->text(), QString());
        QVERIFY(!ok(dialog)->isEnabled());
        QVERIFY2(message(dialog).startsWith(u"The URL was redacted"_s), qPrintable(message(dialog)));
    }

    void severalSelectedRowsAreProposed()
    {
        ReplayDialog::Choices given = choices();
        given.shownPath = given.recordings.first().path;
        given.selectedRows = {4, 6};
        given.startsSelected = true;
        ReplayDialog dialog(given);
        dialog.show();
        QVERIFY(find<QRadioButton>(dialog, u"replaySelected"_s)->isChecked());
        QCOMPARE(dialog.plan().rows, (QList<qsizetype>{4, 6}));
    }

    void withoutARecordingThereIsNothingToReplay()
    {
        ReplayDialog::Choices none = choices();
        none.recordings.clear();
        ReplayDialog dialog(none);
        dialog.show();
        QVERIFY(!ok(dialog)->isEnabled());
        QVERIFY(message(dialog).contains(u"No sessions yet"_s));
    }

private:
    // A session of somebody whom nobody knows, with the facts of its start.
    static void record(const QString &path, const QByteArray &open)
    {
        const std::unique_ptr<Session> session = Session::create(path, u"stranger"_s);
        WireEvent event;
        event.kind = WireEvent::Kind::Open;
        event.facts = open;
        session->append(event, 1);
        session->finish();
    }

    static ReplayDialog::Choices choices()
    {
        ServerSpec first;
        first.name = u"other"_s;
        first.command = u"/bin/echo"_s;
        ServerSpec second = first;
        second.name = u"billing"_s;
        ReplayDialog::Choices result;
        result.recordings = {{u"/s/one.mcpsession"_s, u"billing"_s, u"one"_s},
                             {u"/s/two.mcpsession"_s, u"gone"_s, u"two"_s}};
        result.servers = {first, second};
        return result;
    }

    template <typename T>
    static T *find(const ReplayDialog &dialog, const QString &name)
    {
        return dialog.findChild<T *>(name);
    }
    static QPushButton *ok(const ReplayDialog &dialog) { return find<QPushButton>(dialog, u"replayOk"_s); }
    static QString message(const ReplayDialog &dialog) { return find<TextLabel>(dialog, u"replayMessage"_s)->text(); }
};

SONDE_TEST(TestReplayDialog)
#include "tst_replaydialog.moc"
