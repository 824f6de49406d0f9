// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/support/turns.h"
#include "ui/json/jsontable.h"
#include "ui/json/jsontreeview.h"
#include "ui/json/textview.h"
#include "ui/result/contentblock.h"
#include "ui/result/findingslist.h"
#include "ui/result/resultheader.h"
#include "ui/result/resultview.h"
#include "ui/result/textblock.h"
#include "ui/theme/widgets.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QTest>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

// One find for all that a result shows.
class TestResultFind : public QObject {
    Q_OBJECT

private:
    // A result beside a form, in a window where Ctrl+F means something else.
    struct Page {
        explicit Page(const QByteArray &result)
        {
            auto *layout = new QVBoxLayout(&window);
            layout->addWidget(form);
            layout->addWidget(view);
            filter->setShortcut(QKeySequence::Find);
            window.addAction(filter);
            QObject::connect(filter, &QAction::triggered, filter, [this] { ++filtered; });
            cancel->setShortcut(Qt::Key_Escape);
            window.addAction(cancel);
            QObject::connect(cancel, &QAction::triggered, cancel, [this] { ++cancelled; });
            window.resize(560, 560);
            window.show();
            Outcome outcome;
            outcome.kind = Outcome::Kind::Ok;
            outcome.message = Message::parse(R"({"jsonrpc":"2.0","id":1,"result":)" + result + "}");
            view->showOutcome(ResultView::Subject::Tool, outcome);
        }

        QLineEdit *edit() const { return view->findChild<QLineEdit *>(u"findEdit"_s); }
        QString count() const { return view->findChild<QLabel *>(u"findCount"_s)->text(); }
        bool isOpen() const { return view->findChild<QWidget *>(u"findBar"_s)->isVisible(); }
        TextBlock *block(int index) const { return view->findChildren<TextBlock *>().value(index); }
        void open(QWidget *from) const
        {
            from->setFocus();
            QTest::keyClick(from, Qt::Key_F, Qt::ControlModifier);
        }
        void show(int segment) const
        {
            view->findChild<SegmentedControl *>(u"resultSegments"_s)->button(segment)->click();
        }

        QWidget window;
        QLineEdit *form = new QLineEdit;
        ResultView *view = new ResultView;
        QAction *filter = new QAction(&window);
        QAction *cancel = new QAction(&window);
        int filtered = 0;
        int cancelled = 0;
    };

    static QByteArray texts(const QByteArrayList &texts)
    {
        QByteArrayList blocks;
        for (const QByteArray &text : texts)
            blocks.append("{\"type\":\"text\",\"text\":\"" + text + "\"}");
        return "{\"content\":[" + blocks.join(',') + "]}";
    }

private Q_SLOTS:
    void everyBlockIsSearched()
    {
        Page page(
            "{\"content\":[{\"type\":\"text\",\"text\":\"alpha "
            "beta\"},{\"type\":\"text\",\"text\":\"{\\\"beta\\\":1}\"}],"
            R"("structuredContent":{"x":"beta","list":["Beta"]}})");
        QVERIFY(QTest::qWaitForWindowExposed(&page.window));
        QVERIFY(!page.isOpen());
        page.open(page.block(1)->view());  // from any of them
        QVERIFY(page.isOpen());
        QTRY_VERIFY(page.edit()->hasFocus());
        QTest::keyClicks(page.edit(), u"beta"_s);
        QTRY_COMPARE(page.count(), u"1 of 4"_s);
        QCOMPARE(page.block(0)->view()->selectedText(), u"beta"_s);
        QTest::keyClick(page.edit(), Qt::Key_F3);
        QCOMPARE(page.count(), u"2 of 4"_s);
        QCOMPARE(page.block(1)->view()->selectedText(), u"beta"_s);
        QTest::keyClick(page.edit(), Qt::Key_Return);
        QTest::keyClick(page.edit(), Qt::Key_Return);
        QCOMPARE(page.count(), u"4 of 4"_s);
        QCOMPARE(page.block(2)->view()->selectedText(), u"Beta"_s);
        QTest::keyClick(page.edit(), Qt::Key_F3);
        QCOMPARE(page.count(), u"1 of 4"_s);
        QTest::keyClick(page.edit(), Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(page.count(), u"4 of 4"_s);
        page.edit()->setText(u"gamma"_s);
        QTRY_COMPARE(page.count(), u"Not found"_s);
        QTest::keyClick(page.edit(), Qt::Key_Escape);
        QVERIFY(!page.isOpen());
        QTRY_VERIFY(page.block(1)->view()->hasFocus());
        QCOMPARE(page.filtered, 0);
        QCOMPARE(page.cancelled, 0);  // a call that runs goes on
        QTest::keyClick(page.block(1)->view(), Qt::Key_Escape);
        QCOMPARE(page.cancelled, 1);
    }

    void linksToResourcesAreSearchedToo()
    {
        Page page(R"({"content":[{"type":"text","text":"hay"},{"type":"resource_link","uri":"demo:needle",
            "name":"n","title":"The Needle","description":"where it is"}]})");
        page.open(page.block(0)->view());
        QTest::keyClicks(page.edit(), u"needle"_s);
        QTRY_COMPARE(page.count(), u"1 of 2"_s);
        const auto labels = page.window.findChild<QWidget *>(u"resourceLink"_s)->findChildren<QLabel *>();
        QCOMPARE(labels.first()->selectedText(), u"Needle"_s);
        QTest::keyClick(page.edit(), Qt::Key_F3);
        QCOMPARE(page.count(), u"2 of 2"_s);
        QVERIFY(!labels.first()->hasSelectedText());
        QCOMPARE(labels.at(1)->selectedText(), u"needle"_s);
    }

    void elsewhereTheKeyIsTheWindows()
    {
        Page page(texts({"some text"}));
        QVERIFY(QTest::qWaitForWindowExposed(&page.window));
        page.open(page.form);
        QCOMPARE(page.filtered, 1);
        QVERIFY(!page.isOpen());
        // A button of the result is part of it.
        page.open(page.view->findChild<QAbstractButton *>(u"copyText"_s));
        QCOMPARE(page.filtered, 1);
        QVERIFY(page.isOpen());
    }

    void whatIsFoundIsScrolledTo()
    {
        QByteArrayList all;
        for (int i = 0; i < 40; ++i)
            all.append("line one of block " + QByteArray::number(i) + "\\nline two");
        QByteArray lines;
        for (int i = 0; i < 2000; ++i)
            lines += i == 1500 ? "the needle\\n" : "hay\\n";
        all.append(lines);
        Page page(texts(all));
        QVERIFY(QTest::qWaitForWindowExposed(&page.window));
        const auto *area = page.view->findChild<QScrollArea *>(u"resultPage"_s);
        page.open(page.block(0)->view());
        page.edit()->setText(u"needle"_s);
        QTRY_COMPARE(page.count(), u"1 of 1"_s);
        TextView *last = page.block(40)->view();
        QVERIFY(last->verticalScrollBar()->value() > 1000);  // within its block
        const QString shown = last->shownText();
        QVERIFY(shown.contains(u"the needle"_s));
        // And the line is on the page, not only in the block.
        const int row = int(shown.split(u'\n').indexOf(u"the needle"_s));
        const QPoint place =
            last->viewport()->mapTo(area->viewport(), QPoint(4, 4 + row * last->fontMetrics().lineSpacing()));
        QVERIFY2(area->viewport()->rect().contains(place), qPrintable(QString::number(place.y())));
    }

    void theOtherPagesAreSearchedToo()
    {
        Page page(
            "{\"content\":[],\"structuredContent\":{\"word\":1,\"list\":[\"a word\",\"none\"],\"\\u0077ord\":2}}");
        QVERIFY(QTest::qWaitForWindowExposed(&page.window));
        page.open(page.block(0)->view());
        page.edit()->setText(u"word"_s);
        QTRY_COMPARE(page.count(), u"1 of 2"_s);  // as it is written
        page.show(ResultHeader::StructuredSegment);
        QTRY_COMPARE(page.count(), u"1 of 3"_s);  // as it reads
        auto *tree = page.view->findChild<JsonTreeView *>(u"structuredTree"_s);
        QCOMPARE(tree->currentValue().key(), u"word"_s);
        QTest::keyClick(page.edit(), Qt::Key_Return);
        QCOMPARE(tree->currentValue().string(), u"a word"_s);
        page.show(ResultHeader::RawSegment);
        page.edit()->setText(u"jsonrpc"_s);
        QTRY_COMPARE(page.count(), u"1 of 1"_s);
        QCOMPARE(page.view->findChild<TextView *>(u"rawText"_s)->selectedText(), u"jsonrpc"_s);
    }

    void tablesAreSearchedByCells()
    {
        Page page(R"({"content":[],"structuredContent":[{"a":"x","b":"one x"},{"a":"y","b":"x"}]})");
        QVERIFY(QTest::qWaitForWindowExposed(&page.window));
        page.view->findChild<SegmentedControl *>(u"blockViews"_s)->setCurrent(2);
        auto *table = page.view->findChild<QTableView *>(u"jsonTable"_s);
        QVERIFY(table && table->isVisible());
        page.open(table);
        page.edit()->setText(u"x"_s);
        QTRY_COMPARE(page.count(), u"1 of 3"_s);
        QTest::keyClick(page.edit(), Qt::Key_F3);
        QTest::keyClick(page.edit(), Qt::Key_F3);
        QCOMPARE(table->currentIndex(), table->model()->index(1, 1));
        table->sortByColumn(0, Qt::DescendingOrder);
        QTRY_COMPARE(table->model()->index(0, 0).data().toString(), u"y"_s);
        QTRY_COMPARE(page.count().section(u' ', 1), u"of 3"_s);
    }

    void findingsAreSearchedToo()
    {
        Page page(texts({"the word of a text"}));
        QVERIFY(QTest::qWaitForWindowExposed(&page.window));
        Outcome outcome;
        outcome.kind = Outcome::Kind::Ok;
        outcome.message = Message::parse(R"({"jsonrpc":"2.0","id":1,"result":)" + texts({"word"}) + "}");
        outcome.findings = {u"one"_s, u"a Word"_s, u"three"_s, u"four"_s, u"five"_s, u"last word"_s};
        page.view->showOutcome(ResultView::Subject::Tool, outcome);
        page.open(page.block(0)->view());
        page.edit()->setText(u"word"_s);
        QTRY_COMPARE(page.count(), u"1 of 3"_s);
        const auto *findings = page.view->findChild<FindingsList *>();
        QCOMPARE(findings->findChildren<TextLabel *>().size(), 4);
        QTest::keyClick(page.edit(), Qt::Key_Return);
        QCOMPARE(page.count(), u"2 of 3"_s);
        QCOMPARE(findings->findChildren<TextLabel *>().size(), 6);  // the match was not shown yet
        QTest::keyClick(page.edit(), Qt::Key_Return);
        QCOMPARE(page.block(0)->view()->selectedText(), u"word"_s);
    }

    void aCollapsedTreeUnfoldsAtAMatch()
    {
        Page page(R"({"content":[],"structuredContent":{"a":{"b":{"c":["x","the needle"]}}}})");
        QVERIFY(QTest::qWaitForWindowExposed(&page.window));
        page.view->findChild<SegmentedControl *>(u"blockViews"_s)->setCurrent(1);
        auto *tree = page.view->findChild<JsonTreeView *>(u"blockTree"_s);
        QVERIFY(tree && tree->isVisible());
        tree->collapseAll();
        page.open(tree);
        page.edit()->setText(u"needle"_s);
        QTRY_COMPARE(page.count(), u"1 of 1"_s);
        QCOMPARE(tree->currentValue().string(), u"the needle"_s);
        QTRY_VERIFY(tree->viewport()->rect().contains(tree->visualRect(tree->currentIndex()).center()));
    }

    void whatIsNotShownIsSaidToBeUnsearched()
    {
        Page page(texts(QByteArrayList(120, "same word")));
        QVERIFY(QTest::qWaitForWindowExposed(&page.window));
        page.open(page.block(0)->view());
        page.edit()->setText(u"word"_s);
        QTRY_COMPARE(page.count(), u"1 of 50 · 70 blocks not shown"_s);
        page.view->findChild<QAbstractButton *>(u"moreBlocks"_s)->click();
        QTRY_COMPARE(page.count(), u"1 of 100 · 20 blocks not shown"_s);
        page.view->findChild<QAbstractButton *>(u"moreBlocks"_s)->click();
        QTRY_COMPARE(page.count(), u"1 of 120"_s);
    }

    void aNewResultIsSearchedAgain()
    {
        Page page(texts({"one match"}));
        QVERIFY(QTest::qWaitForWindowExposed(&page.window));
        page.open(page.block(0)->view());
        page.edit()->setText(u"match"_s);
        QTRY_COMPARE(page.count(), u"1 of 1"_s);
        Outcome next;
        next.kind = Outcome::Kind::Ok;
        next.message = Message::parse(R"({"jsonrpc":"2.0","id":2,"result":)" + texts({"match", "match match"}) + "}");
        page.view->showOutcome(ResultView::Subject::Tool, next);
        QTRY_COMPARE(page.count(), u"1 of 3"_s);
        page.view->showEmpty({});
        QTRY_COMPARE(page.count(), u"Not found"_s);
    }

    // A worker searches, so that twenty million characters hold up nothing, and counts on while a match is shown.
    void largeTextsAreSearchedInTheBackground()
    {
        QByteArray text = QByteArray(20'000'000, 'x');
        for (qsizetype i = 999; i < text.size(); i += 1000)
            text[i] = 'e';
        Page page(texts({text}));
        QVERIFY(QTest::qWaitForWindowExposed(&page.window));
        QTRY_VERIFY(page.block(0) && page.block(0)->isComplete());
        page.open(page.block(0)->view());
        test::Turns turns;
        bool wasCounting = false;
        page.edit()->setText(u"e"_s);
        QVERIFY(turns.runUntil([&] {
            wasCounting |= page.count().startsWith(u"1 of "_s) && page.count().endsWith(u'…');
            return page.count() == u"1 of 20 000"_s;
        }));
        QVERIFY(wasCounting);
        QTest::keyClick(page.edit(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(page.count(), u"20 000 of 20 000"_s);
        QTRY_VERIFY(page.block(0)->view()->shownText().contains(u'e'));
        // More than can be counted.
        page.edit()->setText(u"x"_s);
        QVERIFY(turns.runUntil([&] { return page.count() == u"1 of 1 000 000+"_s; }));
    }
};

}  // namespace sonde::ui

using TestResultFind = sonde::ui::TestResultFind;
SONDE_TEST(TestResultFind)
#include "tst_resultfind.moc"
