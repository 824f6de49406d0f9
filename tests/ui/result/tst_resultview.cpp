// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/numbertext.h"
#include "tests/support/testregistry.h"
#include "ui/json/jsontreeview.h"
#include "ui/json/textview.h"
#include "ui/result/contentblock.h"
#include "ui/result/imagedecoder.h"
#include "ui/result/imageview.h"
#include "ui/result/resultheader.h"
#include "ui/result/resultview.h"
#include "ui/result/textblock.h"

#include <QBuffer>
#include <QDeadlineTimer>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestResultView : public QObject {
    Q_OBJECT

private:
    static Outcome answered(const QByteArray &result, Outcome::Kind kind = Outcome::Kind::Ok)
    {
        Outcome outcome;
        outcome.kind = kind;
        outcome.message = Message::parse(R"({"jsonrpc":"2.0","id":1,"result":)" + result + "}");
        outcome.startedAt = QDateTime::currentDateTimeUtc();
        outcome.durationNs = 412000000;
        outcome.bytes = outcome.message.raw().size();
        return outcome;
    }

    static QByteArray text(const QByteArray &escaped)
    {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"" + escaped + "\"}]}";
    }

    static QByteArray png(const QSize &size)
    {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        QImage image(size, QImage::Format_RGB32);
        image.fill(Qt::red);
        image.save(&buffer, "PNG");
        return bytes;
    }

    static QByteArray imageContent(const QByteArray &bytes)
    {
        return "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"" + bytes.toBase64() + "\"}";
    }

    static QByteArray images(int count, const QSize &size)
    {
        QByteArray all = (imageContent(png(size)) + ',').repeated(count);
        all.chop(1);
        return "{\"content\":[" + all + "]}";
    }

    // Everything that can be read on the page: labels, banners, badges and texts.
    static QString words(const QWidget &view)
    {
        QStringList all;
        for (const QLabel *label : view.findChildren<QLabel *>()) {
            if (label->isVisibleTo(&view))
                all.append(label->text());
        }
        for (const Badge *badge : view.findChildren<Badge *>()) {
            if (badge->isVisibleTo(&view))
                all.append(badge->text());
        }
        for (const TextView *block : view.findChildren<TextView *>()) {
            if (block->isVisibleTo(&view))
                all.append(QString::fromUtf8(block->text()));
        }
        return all.join(u'\n');
    }

    static void click(QWidget &view, const QString &group, int segment)
    {
        auto *control = view.findChild<SegmentedControl *>(group);
        QVERIFY(control);
        QTest::mouseClick(control->button(segment), Qt::LeftButton);
    }

    // The text an HTML page would make something of.
    static constexpr const char *Trap = "<img src='file:///etc/hostname'><b>bold</b>";

private Q_SLOTS:
    void okShowsTheTextAndNoBanner()
    {
        ResultView view;
        view.showOutcome(ResultView::Subject::Tool, answered(text("two\\nlines")));
        view.show();
        QVERIFY(words(view).contains(u"two\nlines"_s));
        QCOMPARE(view.findChild<Badge *>(u"outcomeBadge"_s)->text(), u"✓ OK"_s);
        QVERIFY(!view.findChild<QWidget *>(u"outcomeBanner"_s)->isVisible());
        const QString facts = view.findChild<QLabel *>(u"outcomeFacts"_s)->text();
        QVERIFY2(facts.startsWith(u"412 ms · "_s) && facts.count(u'·') == 2, qPrintable(facts));
        QVERIFY(view.findings().isEmpty());
    }

    // What is below must not jump when the response comes.
    void theHeaderIsAlwaysAsHigh()
    {
        ResultView view;
        view.resize(600, 400);
        view.show();
        view.showOutcome(ResultView::Subject::Tool, answered(text("it works")));
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto *header = view.findChild<QWidget *>(u"outcomeBadge"_s)->parentWidget();
        const int height = header->sizeHint().height();
        Outcome cancelled;
        cancelled.kind = Outcome::Kind::NoResponse;
        cancelled.error = Error::local(u"Cancelled by you."_s);
        view.showOutcome(ResultView::Subject::Tool, cancelled);
        QCOMPARE(header->sizeHint().height(), height);
    }

    void toolErrorKeepsTheTextAModelWouldRead()
    {
        ResultView view;
        view.showOutcome(ResultView::Subject::Tool, answered(text("it failed"), Outcome::Kind::ToolError));
        view.show();
        QVERIFY(words(view).contains(u"The tool ran and reported a failure (isError: true)."_s));
        QVERIFY(words(view).contains(u"it failed"_s));
        QCOMPARE(view.findChild<Badge *>(u"outcomeBadge"_s)->text(), u"▲ Tool error"_s);
    }

    void protocolErrorShowsMessageAndData()
    {
        Outcome outcome;
        outcome.kind = Outcome::Kind::ProtocolError;
        outcome.message = Message::parse(
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad a","data":{"big":9007199254740993}}})");
        outcome.error = outcome.message.toError();
        ResultView view;
        view.showOutcome(ResultView::Subject::Tool, outcome);
        view.show();
        QCOMPARE(view.findChild<Badge *>(u"outcomeBadge"_s)->text(), u"✕ -32602"_s);
        QVERIFY(words(view).contains(u"bad a"_s));
        auto *data = view.findChild<TextBlock *>(u"errorData"_s);
        QVERIFY(data);
        QVERIFY(data->view()->text().contains("9007199254740993"));
    }

    void noResponseShowsReasonHintAndLastWords()
    {
        Outcome outcome;
        outcome.error = {Error::Kind::Transport, 1, u"The server exited with code 1."_s, {}, u"Start it again."_s, {}};
        ResultView view;
        view.showOutcome(ResultView::Subject::Tool, outcome, {u"Traceback"_s, u"boom"_s});
        view.show();
        const QString seen = words(view);
        for (const QString &wanted :
             {u"⊘ Connection lost"_s, u"The server exited with code 1."_s, u"Start it again."_s, u"Traceback\nboom"_s})
            QVERIFY2(seen.contains(wanted), qPrintable(wanted));
        QVERIFY(!view.findChild<SegmentedControl *>(u"resultSegments"_s)->isVisible());  // nothing raw to look at
    }

    void findingsStandBesideTheResult()
    {
        Outcome outcome = answered(R"({"content":[{"type":"text","text":"7"}],"structuredContent":{"rowCount":"0"}})");
        outcome.structuredIssues = {{json::Pointer(QStringList{u"rowCount"_s}), u"must be an integer"_s, false}};
        outcome.findings = QStringList{u"an undeclared method"_s} + sentencesOf(outcome.structuredIssues);
        ResultView view;
        view.showOutcome(ResultView::Subject::Tool, outcome);
        view.show();
        QCOMPARE(view.findChild<Badge *>(u"outcomeBadge"_s)->text(), u"✓ OK"_s);  // never instead of it
        QCOMPARE(view.findings().size(), 2);
        QVERIFY(view.findings().contains(u"an undeclared method"_s));
        QVERIFY2(view.findings().back().contains(u"/rowCount"_s), qPrintable(view.findings().back()));
        QVERIFY(words(view).contains(u"◆ does not match outputSchema"_s));
        QVERIFY(words(view).contains(u"7"_s));
        view.showOutcome(ResultView::Subject::Tool, answered(text("next")));
        QVERIFY(view.findings().isEmpty());
    }

    void structuredAndRawCanBeSeen()
    {
        const Outcome outcome = answered(R"({"content":[], "structuredContent":{"n":1.50}})");
        ResultView view;
        view.resize(560, 500);
        view.showOutcome(ResultView::Subject::Tool, outcome);
        view.show();
        click(view, u"resultSegments"_s, 1);
        QVERIFY(view.findChild<JsonTreeView *>(u"structuredTree"_s)->isVisible());
        click(view, u"resultSegments"_s, 2);
        auto *raw = view.findChild<TextView *>(u"rawText"_s);
        QVERIFY(raw->isVisible());
        QCOMPARE(raw->text(), outcome.message.raw());
    }

    void textThatIsJsonIsLaidOutOrAsSent()
    {
        ResultView view;
        view.showOutcome(ResultView::Subject::Tool, answered(text("{\\\"b\\\":1.0,\\\"a\\\":[]}")));
        view.show();
        auto *block = view.findChild<TextBlock *>();
        QCOMPARE(block->view()->text(), "{\n  \"b\": 1.0,\n  \"a\": []\n}"_ba);
        click(view, u"blockViews"_s, 2);  // a tree is in between
        QCOMPARE(block->view()->text(), R"({"b":1.0,"a":[]})"_ba);
    }

    void everyKindOfContentHasItsPlace()
    {
        QByteArray png;
        QBuffer buffer(&png);
        QImage(20, 10, QImage::Format_RGB32).save(&buffer, "PNG");
        const QByteArray result =
            "{\"content\":[{\"type\":\"text\",\"text\":\"words\"},{\"type\":\"image\",\"mimeType\":\"image/"
            "png\",\"data\":\"" +
            png.toBase64() +
            "\"},{\"type\":\"audio\",\"mimeType\":\"audio/mpeg\",\"data\":\"AAAA\"},"
            R"({"type":"resource_link","uri":"demo:linked","name":"Linked","description":"what it is"},)"
            R"({"type":"resource","resource":{"uri":"demo:text","mimeType":"text/plain","text":"embedded"}},)"
            R"({"type":"resource","resource":{"uri":"demo:blob","mimeType":"application/gzip","blob":"H4sIAA=="}},)"
            R"({"type":"hologram","depth":3}]})";
        ResultView view;
        view.resize(560, 700);
        QSignalSpy activated(&view, &ResultView::resourceActivated);
        view.showOutcome(ResultView::Subject::Tool, answered(result));
        view.show();
        QCOMPARE(view.findChildren<ContentBlock *>().size(), 7);
        QCOMPARE(view.findChild<ImageView *>()->naturalSize(), QSize(20, 10));
        const QString seen = words(view);
        for (const QString &wanted :
             {u"words"_s, u"audio/mpeg"_s, u"Linked"_s, u"what it is"_s, u"embedded"_s, u"1f 8b"_s, u"hologram"_s})
            QVERIFY2(seen.contains(wanted), qPrintable(wanted));
        view.findChild<QAbstractButton *>(u"openResource"_s)->click();
        QCOMPARE(activated.value(0).value(0).toString(), u"demo:linked"_s);
    }

    void brokenBase64IsAFindingNotAFailure()
    {
        ResultView view;
        view.showOutcome(ResultView::Subject::Tool,
                         answered(R"({"content":[{"type":"image","mimeType":"image/png","data":"%%%"}]})"));
        QTRY_VERIFY(!view.findings().isEmpty());
        QCOMPARE(view.findChild<Badge *>(u"outcomeBadge"_s)->text(), u"✓ OK"_s);
    }

    void resourcesCanBeSaved()
    {
        QTemporaryDir folder;
        ResultView view;
        view.showOutcome(
            ResultView::Subject::Resource,
            answered(
                R"({"contents":[{"uri":"demo:a/data.bin","mimeType":"application/octet-stream","blob":"AAEC/w=="}]})"));
        view.show();
        QVERIFY(words(view).contains(u"00 01 02 ff"_s));
        view.findChild<QAbstractButton *>(u"saveAs"_s)->click();
        auto *dialog = view.findChild<QFileDialog *>(u"saveDialog"_s);
        QVERIFY(dialog);
        QCOMPARE(QFileInfo(dialog->selectedFiles().value(0)).fileName(), u"data.bin"_s);
        dialog->selectFile(folder.filePath(u"saved.bin"_s));
        static_cast<QDialog *>(dialog)->accept();
        QFile file(folder.filePath(u"saved.bin"_s));
        QTRY_VERIFY(file.exists());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), "\x00\x01\x02\xff"_ba);
        QVERIFY(words(view).contains(u"Saved to"_s));
    }

    void failureToSaveIsSaid()
    {
        ResultView view;
        view.showOutcome(ResultView::Subject::Resource,
                         answered(R"({"contents":[{"uri":"demo:a/data.bin","blob":"AAEC/w=="}]})"));
        view.show();
        view.findChild<QAbstractButton *>(u"saveAs"_s)->click();
        auto *dialog = view.findChild<QFileDialog *>(u"saveDialog"_s);
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(u"/proc/no-such-folder/file"_s);
        QVERIFY2(words(view).contains(u"Not saved:"_s), qPrintable(words(view)));
    }

    void promptMessagesHaveTheirRoles()
    {
        ResultView view;
        view.showOutcome(ResultView::Subject::Prompt,
                         answered(R"({"description":"greets","messages":[)"
                                  R"({"role":"user","content":{"type":"text","text":"hello"}},)"
                                  R"({"role":"assistant","content":{"type":"text","text":"hi"}}]})"));
        view.show();
        QStringList roles;
        for (const Badge *badge : view.findChildren<Badge *>(u"roleBadge"_s))
            roles.append(badge->text());
        QCOMPARE(roles, (QStringList{u"user"_s, u"assistant"_s}));
        const QString seen = words(view);
        QVERIFY(seen.contains(u"greets"_s) && seen.contains(u"hello"_s) && seen.contains(u"hi"_s));
    }

    void resultsThatAreNoneAreShownAsTheyAre()
    {
        ResultView view;
        view.showOutcome(ResultView::Subject::Tool, answered(R"({"surprise":1.0})"));
        view.show();
        QTRY_VERIFY(words(view).contains(u"\"surprise\": 1.0"_s));
        view.showOutcome(ResultView::Subject::Tool, answered(R"({"content":"just text","structuredContent":{}})"));
        QTRY_VERIFY(words(view).contains(u"just text"_s));
        view.showOutcome(ResultView::Subject::Tool, answered(R"({"content":[]})"));
        QTRY_VERIFY(words(view).contains(u"Empty content"_s));
        view.showOutcome(ResultView::Subject::Resource, answered(R"({"contents":[]})"));
        QTRY_VERIFY(words(view).contains(u"no contents"_s));
        view.showOutcome(ResultView::Subject::Other, answered("true"));
        QTRY_VERIFY(words(view).contains(u"true"_s));
    }

    void serverTextIsNeverMarkup()
    {
        const QByteArray trap = Trap;
        Outcome refused;
        refused.kind = Outcome::Kind::ProtocolError;
        refused.error = {Error::Kind::Remote,     -1, QString::fromUtf8(trap), QString::fromUtf8(trap),
                         QString::fromUtf8(trap), {}};
        Outcome lost;
        lost.error = refused.error;
        lost.error.kind = Error::Kind::Transport;
        lost.findings = {QString::fromUtf8(trap)};
        const Outcome fine = answered("{\"content\":[{\"type\":\"text\",\"text\":\"" + trap +
                                      "\"},{\"type\":\"resource_link\",\"uri\":\"" + trap + "\",\"name\":\"" + trap +
                                      "\",\"description\":\"" + trap + "\"}]}");
        for (const Outcome &outcome : {refused, lost, fine}) {
            ResultView view;
            view.showOutcome(ResultView::Subject::Tool, outcome, {QString::fromUtf8(trap)});
            view.show();
            QVERIFY(words(view).contains(QString::fromUtf8(trap)));
            for (const QLabel *label : view.findChildren<QLabel *>())
                QCOMPARE(label->textFormat(), Qt::PlainText);
            for (const QWidget *widget : view.findChildren<QWidget *>())
                QVERIFY2(!widget->toolTip().contains(u"<img"_s) && !widget->toolTip().contains(u"<b>"_s),
                         qPrintable(widget->toolTip()));
        }
    }

    void largeResponsesArriveWithoutBlocking()
    {
        QByteArray body;
        while (body.size() < 3 << 20)
            body += "0123456789abcdef";
        const Outcome large = answered(text(body));
        QVERIFY(!large.message.isParsed());
        ResultView view;
        view.resize(560, 500);
        view.show();
        view.showOutcome(ResultView::Subject::Tool, large);
        QVERIFY(!view.findChild<TextBlock *>());  // being read on a worker
        QTRY_VERIFY(view.findChild<TextBlock *>() && view.findChild<TextBlock *>()->isComplete());
        QCOMPARE(view.findChild<TextBlock *>()->view()->text().size(), body.size());
        // A second answer overtakes the first, which must not come back.
        const Outcome again = answered(text(body));
        view.showOutcome(ResultView::Subject::Tool, again);
        view.showOutcome(ResultView::Subject::Tool, answered(text("small")));
        QVERIFY(words(view).contains(u"small"_s));
        QTest::qWait(0);
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QVERIFY(words(view).contains(u"small"_s));
    }

    // The message is small enough to be read at once, not so its text to be decoded, nor its content to be laid out.
    void largePartsAreReadOnAWorker()
    {
        ResultView view;
        view.resize(560, 500);
        view.show();
        Outcome large = answered(text(QByteArray(100'000, 'x')));
        large.message = large.message.parsed();
        view.showOutcome(ResultView::Subject::Tool, large);
        const auto *block = view.findChild<TextBlock *>();
        QVERIFY(block && !block->isComplete() && !block->view()->isVisible());
        QVERIFY(words(view).contains(u"Reading 100 kB…"_s));
        QTRY_VERIFY(block->isComplete());
        QCOMPARE(block->view()->text(), QByteArray(100'000, 'x'));
        QVERIFY(block->view()->isVisible());
        QVERIFY(!words(view).contains(u"Reading"_s));

        Outcome structured = answered("{\"content\":[],\"structuredContent\":{\"long\":\"" + QByteArray(100'000, 'x') +
                                      "\",\"rowCount\":\"0\"}}");
        structured.message = structured.message.parsed();
        structured.structuredIssues = {{json::Pointer(QStringList{u"rowCount"_s}), u"must be an integer"_s, false}};
        view.showOutcome(ResultView::Subject::Tool, structured);
        block = view.findChild<TextBlock *>();
        QVERIFY(block && !block->isComplete());
        QTRY_VERIFY(block->isComplete());
        QVERIFY(block->view()->text().contains("\n  \"rowCount\": \"0\""));
        block->view()->showOffset(block->view()->text().indexOf("rowCount"));
        QTRY_VERIFY(block->view()->shownText().contains(u"rowCount"_s));
    }

    void imagesAreDecodedWhenSeen()
    {
        // Each is small as it comes and 100 MB as pixels.
        ResultView view;
        view.resize(560, 500);
        view.show();
        view.showOutcome(ResultView::Subject::Tool, answered(images(50, {5000, 5000})));
        QTRY_COMPARE(view.findChildren<ImageView *>().size(), 50);
        const QList<ImageView *> all = view.findChildren<ImageView *>();
        QTRY_VERIFY(!all.front()->visibleRegion().isEmpty() && all.front()->heldBytes() > 0);
        const auto onScreen = [&] {
            return std::count_if(all.begin(), all.end(), [](auto *each) { return !each->visibleRegion().isEmpty(); });
        };
        const auto held = [&] {
            return std::count_if(all.begin(), all.end(), [](auto *each) { return each->heldBytes() > 0; });
        };
        QTRY_COMPARE(held(), onScreen());
        QVERIFY2(onScreen() <= 2, qPrintable(QString::number(onScreen())));
        const int ofOne = 560 * 560 * 4;
        QVERIFY(all.front()->heldBytes() <= ofOne);
        // The last is decoded when it comes into sight, the others are not.
        auto *page = view.findChild<QScrollArea *>(u"resultPage"_s);
        const auto isDecodedInSight = [&] {
            page->ensureWidgetVisible(all.back());  // every time: its place is known when the page is laid out
            return all.back()->heldBytes() > 0;
        };
        QTRY_VERIFY(isDecodedInSight());
        QVERIFY(held() <= 4);
        QVERIFY(ImageDecoder::shared()->heldBytes() <= 4 * ofOne);
        QVERIFY(view.findings().isEmpty());
    }

    // Each takes a while to lay out: the window goes on between two.
    void imagesComeOneInEachTurn()
    {
        ResultView view;
        view.resize(560, 500);
        view.show();
        view.showOutcome(ResultView::Subject::Tool, answered(images(8, {4000, 4000})));
        const QDeadlineTimer limit(test::Patience);
        for (qsizetype shown = 0; shown < 8 && !limit.hasExpired();) {
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            const qsizetype now = view.findChildren<ImageView *>().size();
            QVERIFY2(now <= shown + 1, qPrintable(QString::number(now - shown)));
            shown = now;
        }
        QCOMPARE(view.findChildren<ImageView *>().size(), 8);
    }

    void imagesShareOneBudget()
    {
        ResultView view;
        view.resize(1100, 500);
        view.show();
        view.showOutcome(ResultView::Subject::Tool, answered(images(8, {800, 12'000})));  // 38 MB each in this width
        QTRY_COMPARE(view.findChildren<ImageView *>().size(), 8);
        const QList<ImageView *> all = view.findChildren<ImageView *>();
        auto *page = view.findChild<QScrollArea *>(u"resultPage"_s);
        for (ImageView *each : all) {
            QTRY_VERIFY(each->height() > 10'000);
            page->verticalScrollBar()->setValue(each->mapTo(page->widget(), QPoint(0, 1000)).y());
            QTRY_VERIFY(each->heldBytes() > 0);
            QVERIFY(each->heldBytes() <= 4 * ImageDecoder::MaxShownPixels);
            QVERIFY(ImageDecoder::shared()->heldBytes() <= ImageDecoder::MaxHeldBytes);
        }
        QCOMPARE(all.front()->heldBytes(), 0);  // out of sight for longest
        page->verticalScrollBar()->setValue(0);
        QTRY_VERIFY(all.front()->heldBytes() > 0);
    }

    void anImageThatBreaksOffIsShownAsBytes()
    {
        QByteArray broken = png({600, 600});
        broken.truncate(broken.size() / 2);
        ResultView view;
        view.resize(560, 500);
        view.show();
        view.showOutcome(ResultView::Subject::Tool, answered("{\"content\":[" + imageContent(broken) + "]}"));
        QTRY_COMPARE(view.findings().size(), 1);
        QVERIFY2(view.findings().front().contains(u"cannot be decoded"_s), qPrintable(view.findings().front()));
        QTRY_VERIFY(words(view).contains(u"89 50 4e 47"_s));
        QTRY_VERIFY(!view.findChild<ImageView *>());
    }

    void emptySaysWhatToDo()
    {
        ResultView view;
        view.showEmpty(u"Fill in the form and press Ctrl+Enter."_s);
        view.show();
        QVERIFY(words(view).contains(u"Ctrl+Enter"_s));
        QVERIFY(!view.findChild<Badge *>(u"outcomeBadge"_s)->isVisible());
    }

    void nothingIsCutWhereThereIsLittleRoom()
    {
        ResultView view;
        view.showOutcome(ResultView::Subject::Tool,
                         answered("{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\",\"annotations\":"
                                  "{\"audience\":[\"assistant\",\"user\"],\"priority\":0.5}},"
                                  "{\"type\":\"resource_link\",\"name\":\"r\",\"uri\":\"demo:" +
                                  QByteArray(300, 'u') + "\"}],\"structuredContent\":{\"a\":1}}"));
        view.resize(360, 500);
        view.show();
        QCOMPARE(view.width(), 360);
        const auto *page = view.findChild<QScrollArea *>(u"resultPage"_s);
        QTRY_COMPARE(page->widget()->width(), page->viewport()->width());
        const auto *header = view.findChild<ResultHeader *>();
        const auto isWhole = [&] {
            const auto *segments = header->findChild<SegmentedControl *>();
            return header->rect().contains(segments->geometry()) && segments->width() >= segments->sizeHint().width();
        };
        QTRY_VERIFY2(isWhole(), "the segments are squeezed");
        const auto *facts = header->findChild<TextLabel *>(u"outcomeFacts"_s);
        QTRY_VERIFY(facts->width() >= facts->fontMetrics().horizontalAdvance(facts->text()));
        // With room again they are on one line.
        view.resize(800, 500);
        QTRY_COMPARE(facts->geometry().center().y() / 8, header->findChild<Badge *>()->geometry().center().y() / 8);
    }

    void longFactsLeaveTheSegmentsWhole()
    {
        ResultView view;
        view.resize(360, 500);
        view.showOutcome(ResultView::Subject::Resource, answered(R"({"contents":[],"ttlMs":3600000})"));
        view.show();
        const auto *header = view.findChild<ResultHeader *>();
        const auto *facts = header->findChild<TextLabel *>(u"outcomeFacts"_s);
        QTRY_VERIFY(facts->width() > 200);
        QVERIFY(facts->fontMetrics().horizontalAdvance(facts->text()) > header->width());
        QVERIFY(header->rect().contains(header->findChild<SegmentedControl *>()->geometry()));
    }

    // All of its controls can be reached.
    void blocksFitTheNarrowestPane()
    {
        const QByteArray rows = "\"[{\\\"at\\\":1},{\\\"at\\\":2}]\"";
        ResultView view;
        view.resize(210, 240);
        view.showOutcome(ResultView::Subject::Tool,
                         answered("{\"content\":[{\"type\":\"text\",\"text\":" + rows +
                                  "},{\"type\":\"resource\",\"resource\":{\"uri\":\"demo:rows\",\"text\":" + rows +
                                  "}},{\"type\":\"audio\",\"mimeType\":\"audio/wav\",\"data\":\"UklGRg==\"}," +
                                  imageContent(png({400, 40})) + "]}"));
        view.show();
        const auto *page = view.findChild<QScrollArea *>(u"resultPage"_s);
        QTRY_VERIFY(page->verticalScrollBar()->maximum() > 0);
        QTRY_COMPARE(page->widget()->width(), page->viewport()->width());
    }

    // Where there is little height, only its title is above the page, and nothing is cut.
    void anErrorStaysInSightInALowPane()
    {
        Outcome failed = answered(text("The disk is full."), Outcome::Kind::ToolError);
        failed.findings = QStringList{u"The result has a member that its schema does not name: "_s + QString(80, u'm'),
                                      u"Another finding that takes several lines where there is no room for it"_s};
        QWidget window;
        ResultView view(&window);
        view.resize(210, 240);
        view.showOutcome(ResultView::Subject::Tool, failed);
        window.resize(700, 600);
        window.show();
        const auto *page = view.findChild<QScrollArea *>(u"resultPage"_s);
        const auto *banner = view.findChild<QWidget *>(u"outcomeBanner"_s);
        const auto *findings = view.findChild<QWidget *>(u"findings"_s);
        QTRY_VERIFY(page->isAncestorOf(findings) && !page->isAncestorOf(banner));
        QCOMPARE(banner->visibleRegion().boundingRect(), banner->rect());
        QTRY_VERIFY(page->viewport()->height() >= 40);
        QVERIFY(words(view).contains(u"Not a protocol error."_s));
        const auto areWhole = [](const QWidget *place) {
            const QList<QLabel *> labels = place->findChildren<QLabel *>();
            return std::all_of(labels.begin(), labels.end(), [](const QLabel *label) {
                return !label->isVisible() || label->height() >= label->heightForWidth(label->width());
            });
        };
        QTRY_VERIFY(areWhole(banner) && areWhole(findings));
        view.resize(600, 500);
        QTRY_VERIFY(!page->isAncestorOf(findings));
        QTRY_VERIFY(words(*banner).contains(u"Not a protocol error."_s));
        QVERIFY(areWhole(banner) && areWhole(findings));
        // Lower than that: the badge is above it.
        view.resize(210, 120);
        QTRY_VERIFY(page->isAncestorOf(banner) && page->isAncestorOf(findings));
        view.showOutcome(ResultView::Subject::Tool, answered(text("fine")));
        QVERIFY(!banner->isVisible() && !findings->isVisible());
    }

    void segmentsAreReadableInTheNarrowestPane()
    {
        ResultView view;
        view.resize(220, 400);
        view.showOutcome(ResultView::Subject::Tool, answered(R"({"content":[],"structuredContent":{"a":1}})"));
        view.show();
        const auto *segments = view.findChild<SegmentedControl *>(u"resultSegments"_s);
        for (int i = 0; i < 3; ++i)
            QTRY_VERIFY2(segments->button(i)->width() >= segments->button(i)->minimumSizeHint().width(),
                         qPrintable(u"%1: %2 of %3"_s.arg(segments->button(i)->text())
                                        .arg(segments->button(i)->width())
                                        .arg(segments->button(i)->minimumSizeHint().width())));
    }

    void thousandsOfBlocksComeInPortions()
    {
        QByteArray blocks;
        for (int i = 0; i < 5000; ++i)
            blocks += "{\"type\":\"text\",\"text\":\"block " + QByteArray::number(i) + "\"},";
        blocks.chop(1);
        ResultView view;
        view.resize(500, 400);
        view.showOutcome(ResultView::Subject::Tool,
                         answered("{\"content\":[" + blocks + "],\"structuredContent\":{\"last\":1}}"));
        view.show();
        QTRY_COMPARE(view.findChildren<ContentBlock *>().size(), 50);
        QVERIFY(words(view).contains(u"\"last\": 1"_s));
        auto *more = view.findChild<QAbstractButton *>(u"moreBlocks"_s);
        QVERIFY(more->isVisibleTo(&view));
        QCOMPARE(more->text(), u"Show 50 more of %1"_s.arg(grouped(4950)));
        more->click();
        QCOMPARE(view.findChildren<ContentBlock *>().size(), 100);
        // In their order, before what follows them.
        QTRY_VERIFY(words(view).contains(u"block 99"_s));
        QVERIFY(words(view).indexOf(u"block 49"_s) < words(view).indexOf(u"block 99"_s));
        view.showOutcome(ResultView::Subject::Tool, answered(text("few")));
        QVERIFY(!view.findChild<QAbstractButton *>(u"moreBlocks"_s));
    }

    void everyButtonCanBeNamed()
    {
        ResultView view;
        view.showOutcome(
            ResultView::Subject::Tool,
            answered(R"({"content":[{"type":"text","text":"{}"},{"type":"resource_link","uri":"a:b","name":"n"},)"
                     R"({"type":"resource","resource":{"uri":"x:y","blob":"AAAA"}}],"structuredContent":{}})"));
        view.show();
        for (const QAbstractButton *button : view.findChildren<QAbstractButton *>())
            QVERIFY2(!button->accessibleName().isEmpty() && !button->objectName().isEmpty(),
                     qPrintable(button->text()));
    }
};

}  // namespace sonde::ui

using TestResultView = sonde::ui::TestResultView;
SONDE_TEST(TestResultView)
#include "tst_resultview.moc"
