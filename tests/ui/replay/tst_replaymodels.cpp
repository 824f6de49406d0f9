// What the lists of a replay say: steps with their badges, differences with their rules.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/replay/baseline.h"
#include "core/replay/replayjudge.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "ui/diff/differencetable.h"
#include "ui/replay/replaydifferences.h"
#include "ui/replay/replaystepsmodel.h"
#include "ui/replay/replaystepstable.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QHeaderView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;
using Status = ReplayStep::Status;

class TestReplayModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void titlesOfColumnsAreNotCut()
    {
        ReplayStepsModel model;
        ReplayStepsTable table(&model);
        table.resize(900, 300);
        const QFontMetrics metrics(table.horizontalHeader()->font());
        for (int column = 0; column < model.columnCount(); ++column) {
            const QString title = model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
            QVERIFY2(metrics.horizontalAdvance(title) + Grid <= table.columnWidth(column), qPrintable(title));
        }
    }

    void badgesTellHowAStepCameOut_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("live");
        QTest::addColumn<int>("differences");
        QTest::addColumn<QString>("badge");
        const QByteArray result = response("\"result\":{}");
        QTest::newRow("waiting") << int(Status::Waiting) << QByteArray() << 0 << u"waiting"_s;
        QTest::newRow("running") << int(Status::Running) << QByteArray() << 0 << u"… running"_s;
        QTest::newRow("same") << int(Status::Same) << result << 0 << u"✓ same"_s;
        QTest::newRow("changed") << int(Status::Changed) << result << 3 << u"≠ 3"_s;
        QTest::newRow("a result now") << int(Status::Changed) << result << 0 << u"≠ result"_s;
        QTest::newRow("error") << int(Status::Failed) << response(R"("error":{"code":-32602,"message":"no"})") << 0
                               << u"✕ -32602"_s;
        QTest::newRow("no response") << int(Status::Failed) << QByteArray() << 0 << u"⊘ no response"_s;
        QTest::newRow("skipped") << int(Status::Skipped) << QByteArray() << 0 << u"skipped"_s;
    }

    void badgesTellHowAStepCameOut()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, live);
        QFETCH(int, differences);
        QFETCH(QString, badge);
        ReplayStep step;
        step.status = Status(status);
        if (!live.isEmpty())
            step.live = Message::parse(live);
        step.differences.resize(differences);
        QCOMPARE(stepBadge(step).text, badge);
        QVERIFY(!stepBadge(step).words.isEmpty());
    }

    void badgeAndSummaryCountAlike()
    {
        ReplayStep step;
        step.status = Status::Changed;
        step.live = Message::parse(response("\"result\":{}"));
        step.differences.resize(3);
        step.differences[0].kind = json::Difference::Kind::TextOnly;
        step.differences[2].kind = json::Difference::Kind::TextOnly;
        QCOMPARE(stepBadge(step).text, u"≠ 1"_s);
        QCOMPARE(stepBadge(step).words, u"changed in 1 place"_s);
        QCOMPARE(differencesSummary(step), u"1 difference, 2 in formatting only"_s);
    }

    void stepsFollowTheirRunAndTheFilter()
    {
        ReplayStepsModel model;
        QAbstractItemModelTester tester(&model);
        QList<StepRow> rows(5);
        for (qsizetype i = 0; i < rows.size(); ++i) {
            rows[i].method = u"tools/call"_s;
            rows[i].target = u"tool%1"_s.arg(i);
        }
        model.setRows(rows);
        QCOMPARE(model.rowCount(), 5);
        rows[3].badge = {u"✓ same"_s, Tone::Ok, u"same"_s};
        rows[3].thenNs = 31'000'000;
        model.setRow(3, rows[3]);
        const auto shown = [&model](int row, ReplayStepsModel::Column column, int role = Qt::DisplayRole) {
            return model.index(row, int(column)).data(role).toString();
        };
        QCOMPARE(shown(3, ReplayStepsModel::Column::Number), u"4"_s);
        QCOMPARE(shown(3, ReplayStepsModel::Column::Result), u"✓ same"_s);
        QCOMPARE(shown(3, ReplayStepsModel::Column::Then), u"31.0"_s);
        QCOMPARE(shown(3, ReplayStepsModel::Column::Now), QString());
        QCOMPARE(shown(3, ReplayStepsModel::Column::Step, Qt::AccessibleTextRole), u"tools/call tool3"_s);
        model.setShown(QList<qsizetype>{1, 3});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.stepAt(model.index(1, 0)), 3);
        QCOMPARE(model.indexOf(3).row(), 1);
        QVERIFY(!model.indexOf(2).isValid());
        model.setRow(2, rows[2]);  // hidden: nothing to tell
        model.setShown({});
        QCOMPARE(model.rowCount(), 5);
        model.setRows({});
        QCOMPARE(model.rowCount(), 0);
    }

    void namesOfTheServerAreMadeSafe()
    {
        ReplayStepsModel model;
        StepRow row;
        row.method = u"tools/call"_s;
        row.target = u"evil\u202Ename\n<b>"_s;
        model.setRows({row});
        const QModelIndex index = model.index(0, int(ReplayStepsModel::Column::Step));
        QVERIFY(index.data(ReplayStepsModel::TargetRole).toString().contains(u"‹U+202E›"_s));
        QVERIFY(!Qt::mightBeRichText(index.data(Qt::ToolTipRole).toString()));
    }

    void inANarrowTablePlacesStandAboveTheirValues()
    {
        ReplayStep step;
        step.status = Status::Changed;
        step.recorded = Message::parse(response(R"("result":{"a":1})"));
        step.live = Message::parse(response(R"("result":{"a":2})"));
        ReplayJudge({}).judge(step);
        DifferenceTable table;
        table.differences()->setRows(differenceRows(step));
        table.resize(700, 200);
        table.show();
        const auto width = [&table](DifferenceModel::Column column) { return table.columnWidth(int(column)); };
        const int height = table.rowHeight(0);
        QVERIFY(width(DifferenceModel::Column::Where) > 0);
        table.resize(380, 200);
        QTRY_VERIFY(table.rowHeight(0) > height);
        QVERIFY(width(DifferenceModel::Column::Left) > 120 && width(DifferenceModel::Column::Right) > 120);
        // It can be chosen and reached by keys all the same.
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(table.currentIndex().row(), 0);
        table.resize(700, 200);
        QTRY_COMPARE(table.rowHeight(0), height);
    }

    void whatIsIgnoredStaysInTheListWithItsRule()
    {
        ReplayStep step;
        step.method = u"tools/call"_s;
        step.target = u"query"_s;
        step.recorded = Message::parse(response(R"("result":{"a":1,"id":"x1","n":1.0,"gone":true})"));
        step.live = Message::parse(response(R"("result":{"a":"1","id":"x2","n":1,"new":[]})"));
        ReplayRules rules;
        ReplayRule rule;
        rule.pointer = u"/id"_s;
        QVERIFY(!rules.add(rule));
        ReplayJudge(rules).judge(step);
        QCOMPARE(step.differences.size(), 4);
        DifferenceModel model;
        QAbstractItemModelTester tester(&model);
        model.setAction(u"Ignore ▾"_s, u"Ignore this difference: menu"_s);
        model.setRows(differenceRows(step));
        QCOMPARE(model.rowCount(), 5);
        QStringList lines;
        for (int row = 0; row < model.rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model.columnCount(); ++column)
                cells << model.index(row, column).data().toString();
            cells << model.badge(row);
            lines << cells.join(u" | "_s);
        }
        QCOMPARE(lines,
                 (QStringList{u"/a | 1 | \"1\" | Ignore ▾ | type"_s, u"/id | \"x1\" | \"x2\" | rule: this path | "_s,
                              u"/n | 1.0 | 1 | Ignore ▾ | number format"_s, u"/gone | true | absent | Ignore ▾ | "_s,
                              u"/new | absent | [] | Ignore ▾ | "_s}));
        QVERIFY(model.isIgnored(1) && !model.isIgnored(0));
    }

    void whatDiffersByItselfSaysWhy()
    {
        ReplayStep step;
        step.method = u"tools/list"_s;
        step.recorded =
            Message::parse(response(R"("result":{"nextCursor":"a","key":"‹token:1a2b3c4d›","task":"t1","n":1})"));
        step.live = Message::parse(response(R"("result":{"nextCursor":"b","key":"s3cret","task":"t2","n":2})"));
        ReplayJudge judge({});
        judge.addTask(u"t1"_s, u"t2"_s);
        judge.judge(step);
        QStringList reasons;
        for (const DifferenceRow &row : differenceRows(step)) {
            reasons << row.difference.pointer + u' ' + row.ignored;
            QCOMPARE(row.wholeIgnored.isEmpty(), row.ignored.isEmpty());
        }
        QCOMPARE(reasons, (QStringList{u"/nextCursor a cursor"_s, u"/key a secret"_s, u"/task a task ID"_s, u"/n "_s}));
    }

    void nothingIsComparedWhereOneSideIsMissing()
    {
        ReplayStep step;
        step.recorded = Message::parse(response("\"result\":{}"));
        QVERIFY(differenceRows(step).isEmpty());
        step.live = Message::parse(response(R"("error":{"code":1,"message":"x"})"));
        ReplayJudge({}).judge(step);
        QVERIFY(differenceRows(step).isEmpty());
    }

    void rulesAreToldInWords()
    {
        ReplayRule rule;
        rule.pointer = u"/a"_s;
        QCOMPARE(ruleText(rule), u"anything at /a"_s);
        rule.kind = ReplayRule::Kind::Uuid;
        rule.pointer.clear();
        rule.method = u"tools/call"_s;
        rule.target = u"echo"_s;
        QCOMPARE(ruleText(rule), u"UUIDs anywhere in tools/call echo"_s);
    }

    void theOldRecordingIsKept()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"a.b.mcpsession"_s);
        const QString fresh = folder.filePath(u"fresh.mcpsession"_s);
        test::writeFile(path, "old");
        test::writeFile(fresh, "new");
        const QString kept = keptRecordingPath(path, QDateTime(QDate(2026, 11, 21), QTime(14, 2, 31)));
        QCOMPARE(kept, folder.filePath(u"a.b.before-20261121-140231.mcpsession"_s));
        const Error error = replaceRecording(path, fresh, kept);
        QVERIFY2(!error, qPrintable(error.message));
        QCOMPARE(test::readFile(path), "new"_ba);
        QCOMPARE(test::readFile(kept), "old"_ba);
        QVERIFY(!QFile::exists(fresh));
    }

    void whatCannotBeReplacedStays()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"a.mcpsession"_s);
        const QString kept = folder.filePath(u"kept.mcpsession"_s);
        test::writeFile(path, "old");
        const Error error = replaceRecording(path, folder.filePath(u"nowhere.mcpsession"_s), kept);
        QVERIFY(error.message.contains(path));
        QCOMPARE(test::readFile(path), "old"_ba);
        QVERIFY(!QFile::exists(kept));
        test::writeFile(kept, "somebody else's");
        test::writeFile(folder.filePath(u"fresh"_s), "new");
        QVERIFY(replaceRecording(path, folder.filePath(u"fresh"_s), kept));
        QCOMPARE(test::readFile(path), "old"_ba);
        QCOMPARE(test::readFile(kept), "somebody else's"_ba);
    }

private:
    static QByteArray response(const QByteArray &what) { return R"({"jsonrpc":"2.0","id":1,)" + what + '}'; }
};

SONDE_TEST(TestReplayModels)
#include "tst_replaymodels.moc"
