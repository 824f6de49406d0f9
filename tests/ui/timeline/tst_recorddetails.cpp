// The details of one record, and what opens from its row: windows, comparisons, copies.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/timeline/sessionfeed.h"
#include "ui/json/jsontreeview.h"
#include "ui/json/textview.h"
#include "ui/result/findingslist.h"
#include "ui/theme/fittingsegments.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/details/recorddetails.h"
#include "ui/timeline/details/recordwindow.h"
#include "ui/timeline/details/rowcomparison.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/timelinepanel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

using test::SessionFeed;

enum Segment { Response, Request, Record, Headers, Findings, EventDetails };

class TestRecordDetails : public QObject {
    Q_OBJECT

private:
    static constexpr int Patience = 20'000;

    struct Pane {
        Session session;
        SessionFeed feed{&session};
        RecordDetails details;
        FittingSegments *segments = details.findChild<FittingSegments *>();
        SegmentedControl *control = details.findChild<SegmentedControl *>(u"detailSegments"_s);
        JsonTreeView *tree = details.findChild<JsonTreeView *>(u"recordTree"_s);
        TextView *bytes = details.findChild<TextView *>(u"recordBytes"_s);
        TextView *text = details.findChild<TextView *>(u"recordFacts"_s);

        Pane()
        {
            details.resize(700, 400);
            details.setSession(&session, true);
            details.show();
        }
        void show(qsizetype row)
        {
            session.flush();
            details.showRow(row, false);
        }
        // The middle of that byte, where it is on the first line.
        void clickByte(qsizetype offset)
        {
            const QFontMetricsF metrics(monoFont());
            QTest::mouseClick(bytes->viewport(), Qt::LeftButton, {},
                              QPoint(int(4 + (double(offset) + 0.3) * metrics.horizontalAdvance(u'0')), 8));
        }
    };

    struct Panel {
        Session session;
        SessionFeed feed{&session};
        TimelinePanel panel;
        QTableView *table = panel.findChild<QTableView *>(u"timelineTable"_s);

        Panel()
        {
            panel.resize(1140, 320);
            panel.findChild<SegmentedControl *>(u"timelineViews"_s)->setCurrent(3);
            panel.setSession(&session, true);
            panel.show();
        }
        bool hasRows(int count)
        {
            session.flush();
            return QTest::qWaitFor([this, count] { return table->model()->rowCount() == count; }, Patience);
        }
        QPoint placeOf(int row) const { return table->visualRect(table->model()->index(row, 3)).center(); }
        void click(int row, Qt::KeyboardModifiers modifiers = {})
        {
            QTest::mouseClick(table->viewport(), Qt::LeftButton, modifiers, placeOf(row));
        }
        QMenu *menu(int row)
        {
            delete panel.findChild<QMenu *>(u"timelineMenu"_s);
            Q_EMIT table->customContextMenuRequested(placeOf(row));
            return panel.findChild<QMenu *>(u"timelineMenu"_s);
        }
        static QAction *entry(const QMenu *menu, const QString &start)
        {
            for (QAction *action : menu->actions()) {
                if (action->text().startsWith(start))
                    return action;
            }
            return nullptr;
        }
        // What the entry puts into the clipboard; what it says where it cannot.
        QString copied(int row, const QString &start)
        {
            QGuiApplication::clipboard()->clear();
            QAction *action = entry(menu(row), start);
            if (!action)
                return u"no such entry"_s;
            if (!action->isEnabled())
                return action->text();
            action->trigger();
            return QGuiApplication::clipboard()->text();
        }
    };

    static void feedHttpExchange(SessionFeed &feed)
    {
        Session *session = feed.session();
        const auto message = [session](Direction direction, const QByteArray &raw, const QByteArray &facts) {
            WireEvent event;
            event.kind = WireEvent::Kind::Message;
            event.direction = direction;
            event.bytes = raw;
            event.wireLength = raw.size();
            event.facts = facts;
            event.message = Message::parse(raw);
            session->append(event, 1);
        };
        message(Direction::ToServer,
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"it's\",\"arguments\":{"
                "\"n\":1.0}}}",
                "{\"stream\":7}");
        feed.other(
            WireEvent::Kind::HttpRequest, {},
            "{\"stream\":7,\"method\":\"POST\",\"url\":\"http://localhost:1/mcp\",\"headers\":[[\"X-Sent\",\"a\"],"
            "[\"Authorization\",\"Bearer canary-1234567890\"]]}",
            Direction::ToServer);
        feed.other(WireEvent::Kind::HttpRequest, {},
                   "{\"stream\":8,\"method\":\"GET\",\"url\":\"http://localhost:1/other\",\"headers\":[]}",
                   Direction::ToServer);
        feed.other(WireEvent::Kind::HttpResponse, {},
                   "{\"stream\":7,\"status\":200,\"reason\":\"OK\",\"headers\":[[\"X-Got\",\"b\"]]}");
        message(Direction::FromServer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", "{\"stream\":7}");
        session->flush();
    }

private Q_SLOTS:
    // Which call it belongs to and how that is known, or why it belongs to none.
    void theFactsSayWhyARecordIsLinked()
    {
        Panel f;
        f.feed.toServer(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one"}})");
        f.feed.toServer(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"two"}})");
        f.feed.fromServer(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":"whose?"}})");
        f.feed.fromServer(R"({"jsonrpc":"2.0","id":1,"result":{}})");
        f.session.flush();
        QTRY_COMPARE(f.table->model()->rowCount(), 4);
        const auto facts = [&f](int row) {
            f.table->setCurrentIndex(f.table->model()->index(row, 1));
            f.panel.findChild<SegmentedControl *>(u"detailSegments"_s)->setCurrent(EventDetails);
            return f.panel.findChild<TextView *>(u"recordFacts"_s)->text();
        };
        QTRY_VERIFY2(facts(2).contains("several calls were open"), facts(2).constData());
        QVERIFY2(facts(3).contains("#1 tools/call one") && facts(3).contains("by request ID"), facts(3).constData());
        QVERIFY2(!facts(0).contains("Belongs to"), facts(0).constData());
        // In a window of its own, too.
        f.table->setCurrentIndex(f.table->model()->index(2, 1));
        f.table->setFocus();
        QTest::keyClick(f.table, Qt::Key_Return);
        auto *window = f.panel.findChild<RecordWindow *>();
        QVERIFY(window);
        window->findChild<SegmentedControl *>(u"detailSegments"_s)->setCurrent(EventDetails);
        QVERIFY(window->findChild<TextView *>(u"recordFacts"_s)->text().contains("several calls were open"));
    }

    void aClickIntoTheBytesSelectsTheirNode()
    {
        Pane pane;
        const QByteArray raw = "{\"id\":1,\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"list\":[10,20]}}";
        pane.feed.toServer(raw);
        pane.show(0);
        pane.clickByte(raw.indexOf("20"));
        QCOMPARE(pane.tree->currentValue().bytes(), "20"_ba);
        pane.clickByte(raw.indexOf("list"));
        QCOMPARE(pane.tree->currentValue().bytes(), "[10,20]"_ba);
        pane.clickByte(raw.indexOf("1"));
        QCOMPARE(pane.tree->currentValue().bytes(), "1"_ba);
        pane.clickByte(0);  // the whole has no row of its own
        QVERIFY(!pane.tree->currentValue().exists());
    }

    void aClickFindsWhatIsFarDown()
    {
        Pane pane;
        QByteArray list;
        for (int i = 0; i < 3000; ++i)
            list += QByteArray::number(i) + ',';
        const QByteArray raw = "[[[" + list + "\"here\"]]]";
        pane.feed.other(WireEvent::Kind::Junk, raw);
        pane.show(0);
        pane.tree->collapseAll();
        pane.tree->selectAt(raw.indexOf("here"));
        QCOMPARE(pane.tree->currentValue().bytes(), "\"here\""_ba);
        QVERIFY(pane.tree->isExpanded(pane.tree->currentIndex().parent()));
    }

    void aNodeFarDownIsScrolledTo()
    {
        Pane pane;
        QByteArray list;
        for (int i = 0; i < 3000; ++i)
            list += "\"element " + QByteArray::number(i) + "\",";
        pane.feed.other(WireEvent::Kind::Junk, "[" + list + "\"the last one\"]");
        pane.show(0);
        QVERIFY(!pane.bytes->shownText().contains(u"the last one"));
        pane.tree->selectAt(pane.bytes->text().indexOf("the last one"));
        QVERIFY(pane.bytes->shownText().contains(u"the last one"));
    }

    void headersOfTheExchangeAreShown()
    {
        Pane pane;
        feedHttpExchange(pane.feed);
        for (const qsizetype row : {0, 1, 3, 4}) {
            pane.show(row);
            QVERIFY(!pane.control->button(Headers)->isHidden());
            pane.segments->setCurrent(Headers);
            const QByteArray shown = pane.text->text();
            QVERIFY2(shown.contains("POST http://localhost:1/mcp\nX-Sent: a\n"), shown.constData());
            QVERIFY2(shown.contains("HTTP 200 OK") && shown.contains("\nX-Got: b\n"), shown.constData());
            QVERIFY(!shown.contains("canary"));
        }
        pane.show(2);
        QVERIFY(pane.text->text().contains("No response was recorded"));
        // The segment stays while there is something to show in it.
        pane.feed.toServer("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        pane.show(5);
        QVERIFY(pane.control->button(Headers)->isHidden());
        QCOMPARE(pane.segments->current(), int(EventDetails));
    }

    void findingsOfBothHalvesAreListed()
    {
        Pane pane;
        pane.feed.toServer("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"id\":1}");
        pane.feed.fromServer("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        pane.session.flush();
        pane.session.addFinding(u"came twice"_s, RequestId(qint64(1)), 1);
        pane.show(0);
        pane.segments->setCurrent(Findings);
        auto *list = pane.details.findChild<FindingsList *>(u"recordFindings"_s);
        QTRY_VERIFY_WITH_TIMEOUT(list->findings().join(u'\n').contains(u"request: byte "), Patience);
        QVERIFY2(list->findings().join(u'\n').contains(u"response: came twice"),
                 qPrintable(list->findings().join(u'\n')));
        pane.feed.toServer("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
        pane.show(3);
        QCOMPARE(pane.segments->current(), int(Findings));
        QTRY_VERIFY(list->findings().isEmpty() && !list->isVisible());
    }

    void findingsAboveARecordAreShortAndWhole()
    {
        Pane pane;
        pane.details.resize(310, 220);  // as in a window of 1000 x 700
        pane.feed.toServer(R"({"jsonrpc":"2.0","id":2,"method":)");
        pane.show(0);
        auto *above = pane.details.findChild<FindingsList *>(u"findings"_s);
        QTRY_VERIFY(above->isVisible());
        // That it is no JSON is said once.
        QCOMPARE(above->findings().filter(u"Unexpected end of text"_s).size(), 1);
        pane.feed.toServer(R"({"jsonrpc":"1.0","id":true,"method":7,"params":1,"result":2})");
        pane.show(1);
        QTRY_VERIFY2(above->findings().size() > 2, qPrintable(above->findings().join(u'\n')));
        QCoreApplication::processEvents();
        int lines = 0;
        for (const QLabel *label : above->findChildren<QLabel *>()) {
            if (label->isVisible()) {
                ++lines;
                QCOMPARE(label->height(), label->sizeHint().height());
                QVERIFY(above->rect().contains(label->geometry()));
            }
        }
        QCOMPARE(lines, 2);
        QTest::mouseClick(above->findChild<QAbstractButton *>(u"moreFindings"_s), Qt::LeftButton);
        QCOMPARE(pane.segments->current(), int(Findings));
        auto *all = pane.details.findChild<FindingsList *>(u"recordFindings"_s);
        QTRY_VERIFY_WITH_TIMEOUT(all->findings().size() > 2, Patience);
        for (const QLabel *label : all->findChildren<QLabel *>())
            QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
    }

    void segmentsBecomeAMenuWhereTheyDoNotFit()
    {
        Pane pane;
        feedHttpExchange(pane.feed);
        pane.show(0);
        auto *choice = pane.details.findChild<QToolButton *>(u"detailSegmentsButton"_s);
        auto *resend = pane.details.findChild<QToolButton *>(u"sendAgain"_s);
        QVERIFY(pane.control->isVisible() && !choice->isVisible());
        QCOMPARE(resend->toolButtonStyle(), Qt::ToolButtonTextOnly);
        QCOMPARE(resend->text(), u"Send again"_s);
        pane.details.resize(250, 300);
        QTRY_VERIFY(choice->isVisible() && !pane.control->isVisible());
        QCOMPARE(pane.details.width(), 250);
        QCOMPARE(resend->toolButtonStyle(), Qt::ToolButtonIconOnly);
        for (const QWidget *control : {static_cast<QWidget *>(choice), static_cast<QWidget *>(resend)})
            QVERIFY(pane.details.rect().contains(QRect(control->mapTo(&pane.details, QPoint()), control->size())));
        QVERIFY(choice->text().startsWith(u"Request"));
        QTest::mouseClick(choice, Qt::LeftButton);
        auto *menu = pane.details.findChild<QMenu *>(u"detailSegmentsMenu"_s);
        QTRY_VERIFY(menu->isVisible());
        QCOMPARE(menu->actions().size(), 5);
        menu->actions().at(2)->trigger();
        QCOMPARE(pane.segments->current(), int(Headers));
        QVERIFY(choice->text().startsWith(u"Headers"));
        // Where fewer are offered they have room again.
        pane.feed.other(WireEvent::Kind::State, {}, "{\"what\":\"spawned\"}");
        pane.show(5);
        QTRY_VERIFY(pane.control->isVisible() && !choice->isVisible());
    }

    void segmentsFitIntoAnOrdinaryWindow()
    {
        Panel p;
        p.panel.resize(1180, 320);  // in a window of 1440 x 900
        p.feed.toServer("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}");
        p.feed.fromServer("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        QVERIFY(p.hasRows(2));
        p.click(1);
        const auto *control = p.panel.findChild<SegmentedControl *>(u"detailSegments"_s);
        QVERIFY(control->button(Findings)->text().startsWith(sign(Tone::Finding)));
        QTRY_VERIFY(control->isVisible());
        QCOMPARE(control->button(Response)->text(), u"Response"_s);
    }

    void aWindowStaysAtItsRow()
    {
        Panel p;
        p.feed.toServer("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"}}");
        p.feed.exchange(2, "sum", "\"result\":{}");
        QVERIFY(p.hasRows(3));
        p.click(0);
        p.table->setFocus();
        QTest::keyClick(p.table, Qt::Key_Return);
        QPointer<RecordWindow> window = p.panel.findChild<RecordWindow *>();
        QVERIFY(window && window->isVisible() && window->isWindow());
        QCOMPARE(window->windowTitle().section(u" · "_s, 0, 1), u"tools/call echo · #1"_s);
        auto *bytes = window->findChild<TextView *>(u"recordBytes"_s);
        p.click(2);
        auto *opensWindow = p.panel.findChild<QToolButton *>(u"detailsWindow"_s);
        QTRY_VERIFY(opensWindow->geometry().isValid() && opensWindow->isVisible());
        QTest::mouseClick(opensWindow, Qt::LeftButton);
        QCOMPARE(p.panel.findChildren<RecordWindow *>().size(), 2);
        QCOMPARE(bytes->text(), p.session.bytes(0));
        // The response comes while the window is open.
        auto *segments = window->findChild<SegmentedControl *>(u"detailSegments"_s);
        QVERIFY(segments->button(Response)->isHidden());
        p.feed.fromServer("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"late\":true}}");
        QVERIFY(p.hasRows(4));
        QTRY_VERIFY(!segments->button(Response)->isHidden());
        QSignalSpy sent(&p.panel, &TimelinePanel::sendRequested);
        QTest::mouseClick(window->findChild<QToolButton *>(u"sendAgain"_s), Qt::LeftButton);
        QCOMPARE(sent.value(0).value(0).toByteArray(), p.session.bytes(0));
        // Another session in the timeline: there is nobody to send this to any more.
        Session other;
        p.panel.setSession(&other, true);
        QVERIFY(!window->findChild<QToolButton *>(u"sendAgain"_s)->isEnabled());
        QTest::keyClick(bytes, Qt::Key_Escape);
        QTRY_VERIFY(!window);
        QCOMPARE(p.panel.findChildren<RecordWindow *>().size(), 1);
    }

    void twoSelectedRowsAreCompared()
    {
        Panel p;
        p.feed.exchange(1, "echo", "\"result\":{\"a\":1,\"b\":[1,2],\"text\":\"{\\\"n\\\":1}\"}");
        p.feed.exchange(2, "echo", "\"result\":{\"text\":\"{\\\"n\\\":2}\",\"b\":[1,2,3],\"a\":1.0}");
        QVERIFY(p.hasRows(4));
        p.click(1);
        p.click(3, Qt::ControlModifier);
        QVERIFY(!Panel::entry(p.menu(3), u"Mark"_s));
        Panel::entry(p.menu(3), u"Compare selected rows"_s)->trigger();
        auto *window = p.panel.findChild<RowComparison *>();
        QVERIFY(window && window->isVisible());
        const auto *model = window->findChild<QTableView *>(u"differences"_s)->model();
        QStringList found;
        for (int row = 0; row < model->rowCount(); ++row)
            found << model->index(row, 0).data().toString() + u' ' + model->index(row, 3).data().toString();
        found.sort();
        QCOMPARE(found,
                 (QStringList{u"/id "_s, u"/result/a number format"_s, u"/result/b/2 added"_s, u"/result/text#/n "_s}));
        auto *left = window->findChild<TextView *>(u"leftText"_s);
        QVERIFY(left->text().contains("\"a\": 1,"));
        // The other half of both calls.
        QTest::mouseClick(window->findChild<SegmentedControl *>(u"comparedHalves"_s)->button(1), Qt::LeftButton);
        QVERIFY(left->text().contains("tools/call"));
        QCOMPARE(model->rowCount(), 1);
        QPointer<RowComparison> gone = window;
        QTest::keyClick(left, Qt::Key_Escape);
        QTRY_VERIFY(!gone);
    }

    void anResponseIsFoundInItsBatch()
    {
        const QByteArray error = R"({"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}})";
        const QByteArray result = R"({"jsonrpc":"2.0","id":1,"result":{}})";
        Pane pane;
        Panel p;
        for (SessionFeed *feed : {&pane.feed, &p.feed}) {
            feed->toServer(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
            feed->toServer(R"({"jsonrpc":"2.0","id":2,"method":"prompts/list"})");
            feed->fromServer('[' + error + ',' + result + ']');
        }
        for (const auto &[row, response] : {std::pair(0, result), std::pair(1, error)}) {
            pane.show(row);
            pane.segments->setCurrent(Response);
            const auto [offset, length] = pane.bytes->markedRange();
            QCOMPARE(pane.bytes->text().mid(offset, length), response);
            QCOMPARE(pane.tree->currentValue().bytes(), response);
        }
        QVERIFY(p.hasRows(3));
        const auto badge = [&p](int row) { return p.table->model()->index(row, 0).data(TimelineModel::BadgeRole); };
        QVERIFY(badge(0) != badge(1));
        QVERIFY2(badge(1).toString().contains(u"32601"_s), qPrintable(badge(1).toString()));
        p.click(0);
        p.click(1, Qt::ControlModifier);
        Panel::entry(p.menu(1), u"Compare selected rows"_s)->trigger();
        auto *window = p.panel.findChild<RowComparison *>();
        QTest::mouseClick(window->findChild<SegmentedControl *>(u"comparedHalves"_s)->button(0), Qt::LeftButton);
        QVERIFY(window->findChild<TextView *>(u"leftText"_s)->text().contains("\"result\""));
        QVERIFY(!window->findChild<TextView *>(u"leftText"_s)->text().contains("\"error\""));
    }

    void aMarkedRowIsComparedWithAnother()
    {
        Panel p;
        p.feed.other(WireEvent::Kind::Stderr, "one");
        p.feed.other(WireEvent::Kind::Stderr, "two");
        QVERIFY(p.hasRows(2));
        QVERIFY(!Panel::entry(p.menu(0), u"Compare"_s));
        Panel::entry(p.menu(0), u"Select for comparison"_s)->trigger();
        QVERIFY(!Panel::entry(p.menu(0), u"Compare"_s));
        Panel::entry(p.menu(1), u"Compare with #1"_s)->trigger();
        auto *window = p.panel.findChild<RowComparison *>();
        QVERIFY(window->findChild<TextLabel *>(u"comparisonSummary"_s)->text().contains(u"must be JSON"));
        QVERIFY(window->findChild<TextView *>(u"leftText"_s)->text().startsWith("one"));
        QVERIFY(window->findChild<TextView *>(u"rightText"_s)->text().startsWith("two"));
    }

    // As a transport reports it: the head first, unless the message had to wait for the end of the handshake.
    void aMessageKnowsItsHead_data()
    {
        QTest::addColumn<bool>("isHeadFirst");
        QTest::newRow("head first") << true;
        QTest::newRow("message first") << false;
    }
    void aMessageKnowsItsHead()
    {
        QFETCH(bool, isHeadFirst);
        Panel p;
        const auto head = [&p](const QByteArray &stream) {
            p.feed.other(WireEvent::Kind::HttpRequest, {},
                         "{\"stream\":" + stream +
                             ",\"method\":\"POST\",\"url\":\"http://localhost:1/mcp\",\"headers\":[[\"X-Stream\",\"" +
                             stream + "\"]]}",
                         Direction::ToServer);
        };
        const auto message = [&p](const QByteArray &stream) {
            WireEvent event;
            event.kind = WireEvent::Kind::Message;
            event.direction = Direction::ToServer;
            event.message = Message::parse("{\"jsonrpc\":\"2.0\",\"id\":" + stream + ",\"method\":\"ping\"}");
            event.bytes = event.message.raw();
            event.facts = "{\"stream\":" + stream + '}';
            p.session.append(event, 1);
        };
        if (isHeadFirst) {
            head("7");
            message("7");
            head("8");
            message("8");
        } else {
            message("7");
            message("8");
            head("7");
            head("8");
        }
        QVERIFY(p.hasRows(4));
        const QList<int> rows = isHeadFirst ? QList<int>{1, 3} : QList<int>{0, 1};
        QSignalSpy edited(&p.panel, &TimelinePanel::editAndSendRequested);
        for (int i = 0; i < 2; ++i) {
            const int row = rows.at(i);
            const QString header = u"X-Stream: %1"_s.arg(i + 7);
            QVERIFY2(p.copied(row, u"Copy as curl"_s).contains(header), qPrintable(p.copied(row, u"Copy as curl"_s)));
            p.click(row);
            QTest::mouseClick(p.panel.findChild<QToolButton *>(u"editAndSend"_s), Qt::LeftButton);
            p.entry(p.menu(row), u"Edit and send"_s)->trigger();
            for (int way = 0; way < 2; ++way) {
                const QList<QVariant> asked = edited.takeFirst();
                QCOMPARE(asked.at(0).toByteArray(), p.session.bytes(row));
                QVERIFY(asked.at(1).toByteArray().contains("[\"X-Stream\",\"" + QByteArray::number(i + 7)));
            }
        }
    }

    void aRowIsCopiedAsACommand()
    {
        Panel p;
        feedHttpExchange(p.feed);
        p.feed.toServer(
            "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"sum\",\"arguments\":"
            "{\"a\":1.0}}}");
        p.feed.toServer("{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"ping\"}");
        QVERIFY(p.hasRows(7));
        const QString curl = p.copied(4, u"Copy as curl"_s);  // from the response as well
        QVERIFY2(curl.startsWith(u"curl ") && curl.contains(u"http://localhost:1/mcp") && curl.contains(u"X-Sent: a"),
                 qPrintable(curl));
        QVERIFY(!curl.contains(u"canary"));
        QVERIFY(p.copied(5, u"Copy as curl"_s).contains(u"HTTP only"));
        QVERIFY(p.copied(5, u"Copy as sonde-cli"_s).startsWith(u"sonde-cli call sum"));
        QVERIFY(p.copied(5, u"Copy as sonde-cli"_s).contains(u"a:=1.0"));
        QVERIFY(p.copied(6, u"Copy as sonde-cli"_s).contains(u"only"));
        // A recording may be of a server that nobody keeps.
        p.panel.setSession(&p.session, false);
        QVERIFY(p.hasRows(7));
        QVERIFY(p.copied(5, u"Copy as sonde-cli"_s).contains(u"launch command not recorded"));
        QCOMPARE(p.copied(6, u"Copy as JSON"_s).toUtf8(), p.session.bytes(6));
    }
};

}  // namespace sonde::ui

using TestRecordDetails = sonde::ui::TestRecordDetails;
SONDE_TEST(TestRecordDetails)
#include "tst_recorddetails.moc"
