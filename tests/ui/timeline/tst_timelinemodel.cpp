// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/timeline/sessionfeed.h"
#include "ui/timeline/calls/callwords.h"
#include "ui/timeline/details/recordfindings.h"
#include "ui/timeline/details/recordwindow.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/table/timelinetext.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

using Column = TimelineModel::Column;
using View = TimelineModel::View;
using test::rowsOf;
using test::SessionFeed;

class TestTimelineModel : public QObject {
    Q_OBJECT

private:
    static ui::RowText textAt(const TimelineModel &model, int row)
    {
        return model.index(row, int(Column::Method)).data(TimelineModel::TextRole).value<ui::RowText>();
    }
    static QString cell(const TimelineModel &model, int row, Column column, int role = Qt::DisplayRole)
    {
        return model.index(row, int(column)).data(role).toString();
    }

    // Ten rows of every sort.
    static void fill(SessionFeed &feed)
    {
        feed.other(WireEvent::Kind::Open, {}, R"({"transport":"stdio","argv":["node","server.js"]})", Direction::Local);
        feed.toServer(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");
        feed.other(WireEvent::Kind::Stderr, "Listening to Größe");
        feed.fromServer(R"({"jsonrpc":"2.0","id":1,"result":{}})");
        feed.fromServer(
            R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hello"}})");
        feed.other(WireEvent::Kind::Junk, "npm notice\x1b[0m");
        feed.exchange(2, "get-sum", "\"result\":{\"content\":[],\"isError\":true}");
        feed.exchange(3, "get-sum", "\"error\":{\"code\":-32602,\"message\":\"no\"}");
    }

private Q_SLOTS:
    void rowsSayWhatHappened()
    {
        Session session;
        SessionFeed feed(&session);
        TimelineModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSession(&session);
        fill(feed);
        session.flush();
        QTRY_COMPARE(model.rowCount(), 10);
        QCOMPARE(textAt(model, 0).more, u"node server.js"_s);
        QCOMPARE(cell(model, 1, Column::Number), u"2"_s);
        QCOMPARE(cell(model, 1, Column::Method), u"initialize"_s);
        QCOMPARE(cell(model, 1, Column::Direction), u"▸"_s);
        QCOMPARE(cell(model, 1, Column::Outcome), u"✓ OK"_s);
        QVERIFY(!cell(model, 1, Column::Duration).isEmpty());
        QVERIFY(cell(model, 3, Column::Duration).isEmpty());  // said once
        QCOMPARE(cell(model, 3, Column::Direction), u"◂"_s);
        QCOMPARE(cell(model, 2, Column::Direction), u"!"_s);
        QVERIFY(textAt(model, 2).more.contains(u"Größe"_s));
        QVERIFY(textAt(model, 4).more.contains(u"info hello"_s));
        QVERIFY(!textAt(model, 5).more.contains(QChar(0x1b)));
        QCOMPARE(textAt(model, 6).target, u"get-sum"_s);
        QCOMPARE(cell(model, 6, Column::Outcome), u"▲ Tool error"_s);
        QCOMPARE(cell(model, 8, Column::Outcome), u"✕ -32602"_s);
        QCOMPARE(cell(model, 9, Column::Outcome), u"✕ -32602"_s);
        QVERIFY(textAt(model, 7).more.contains(u"7"_s));  // whose response it is
        QVERIFY(cell(model, 6, Column::Time).count(u':') == 2);
        QCOMPARE(cell(model, 6, Column::Direction, Qt::AccessibleTextRole), u"to the server"_s);
    }

    // Also behind a record that is missing.
    void numbersAreThoseOfTheFile()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"s.mcpsession"_s);
        {
            const std::unique_ptr<Session> written = Session::create(path, u"demo"_s);
            SessionFeed feed(written.get());
            fill(feed);
            written->addFinding(u"odd"_s, RequestId(qint64(1)), 1);
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QList<QByteArray> lines = file.readAll().split('\n');
        lines.removeAt(1);
        QVERIFY(file.resize(0) && file.seek(0));
        file.write(lines.join('\n'));
        file.close();
        const auto session = Session::open(path);
        QVERIFY(session);
        TimelineModel model;
        model.setSession(session->get());
        QTRY_COMPARE(model.rowCount(), 11);
        QCOMPARE(cell(model, 0, Column::Method), u"initialize"_s);
        QCOMPARE(cell(model, 0, Column::Number), u"2"_s);
        QCOMPARE(cell(model, 8, Column::Number), u"10"_s);
        QVERIFY(rowTitle(**session, 0).endsWith(u"#2"));
        QVERIFY(callTitle(**session, 0).startsWith(u"#2 "));
        const qsizetype about = (*session)->partnerOf(9);
        QCOMPARE(notesOn(**session, about), QStringList(u"odd"_s));
    }

    void viewsChooseRows()
    {
        Session session;
        SessionFeed feed(&session);
        fill(feed);
        session.flush();
        TimelineModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSession(&session);
        QCOMPARE(model.rowCount(), 10);
        model.setView(View::Calls);
        QCOMPARE(rowsOf(model), (QList<qsizetype>{1, 6, 8}));
        // A row stands for the exchange: it tells the size of the response.
        QCOMPARE(cell(model, 0, Column::Size), QString::number(session.at(3).wireLength) + u" B"_s);
        model.setView(View::Messages);
        QCOMPARE(rowsOf(model), (QList<qsizetype>{1, 3, 4, 5, 6, 7, 8, 9}));
        model.setView(View::Stderr);
        QCOMPARE(rowsOf(model), (QList<qsizetype>{2}));
        feed.other(WireEvent::Kind::Stderr, "more");
        feed.exchange(9, "x", "\"result\":{}");
        session.flush();
        QTRY_COMPARE(rowsOf(model), (QList<qsizetype>{2, 10}));
    }

    void filterFindsWords_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QList<qsizetype>>("rows");
        QTest::newRow("in bytes") << u"hello"_s << QList<qsizetype>{4};
        QTest::newRow("either case") << u"HELLO"_s << QList<qsizetype>{4};
        QTest::newRow("beyond ASCII") << u"größe"_s << QList<qsizetype>{2};
        QTest::newRow("all of them") << u"get-sum 3"_s << QList<qsizetype>{8, 9};
        QTest::newRow("answers too, by their request") << u"initialize"_s << QList<qsizetype>{1, 3};
        QTest::newRow("outcome") << u"outcome == tool-error"_s << QList<qsizetype>{6, 7};
        QTest::newRow("place") << u"/error/code < 0 or kind == open"_s << QList<qsizetype>{0, 9};
        QTest::newRow("facts") << u"server.js"_s << QList<qsizetype>{0};
        QTest::newRow("nothing") << u"absent"_s << QList<qsizetype>{};
        QTest::newRow("only spaces") << u"   "_s << QList<qsizetype>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    }

    void logMessagesAreToldApartByLevel()
    {
        Session session;
        SessionFeed feed(&session);
        const QByteArray line = "{'jsonrpc':'2.0','method':'notifications/message','params':{'level':'?','data':'x'}}";
        for (const char *level : {"debug", "notice", "warning", "error", "emergency", "loud"})
            feed.fromServer(QByteArray(line).replace('\'', '"').replace('?', level));
        session.flush();
        TimelineModel model;
        model.setSession(&session);
        QTRY_COMPARE(model.rowCount(), 6);
        const QList<ui::Tone> tones{ui::Tone::Neutral,       ui::Tone::Neutral,       ui::Tone::ToolError,
                                    ui::Tone::ProtocolError, ui::Tone::ProtocolError, ui::Tone::Neutral};
        for (int row = 0; row < tones.size(); ++row)
            QCOMPARE(textAt(model, row).moreTone, tones.at(row));
        QVERIFY(textAt(model, 3).more.contains(u"error x"_s));
    }

    void filterFindsWords()
    {
        QFETCH(QString, filter);
        Session session;
        SessionFeed feed(&session);
        fill(feed);
        session.flush();
        TimelineModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSession(&session);
        model.setFilter(Filter::parse(filter).filter);
        QTRY_VERIFY(!model.isFiltering());
        QTEST(rowsOf(model), "rows");
        for (const qsizetype row : rowsOf(model))
            QCOMPARE(model.sessionRow(model.indexOfRow(row)), row);
        if (!rowsOf(model).contains(5))
            QVERIFY(!model.indexOfRow(5).isValid());
    }

    void floodIsInsertedInBatches()
    {
        constexpr int Count = 100000;
        Session session;
        SessionFeed feed(&session);
        TimelineModel model;
        model.setSession(&session);
        int batches = 0;
        int turns = 0;
        int expected = 0;
        bool inOrder = true;
        connect(&model, &QAbstractItemModel::rowsInserted, this, [&](const QModelIndex &, int first, int last) {
            ++batches;
            inOrder &= first == expected;
            expected = last + 1;
        });
        // As a transport delivers: many messages in each turn of the event loop.
        int sent = 0;
        while (sent < Count) {
            for (int i = 0; i < 500 && sent < Count; ++i, ++sent)
                feed.fromServer(
                    R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":)" +
                    QByteArray::number(sent) + "}}");
            session.flush();
            QCoreApplication::processEvents();
            ++turns;
        }
        QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), Count, 30000);
        QVERIFY(inOrder);
        QVERIFY2(batches <= turns && batches < Count / 100, qPrintable(QString::number(batches)));
        for (const int row : {0, 1, 50000, Count - 1})
            QVERIFY(textAt(model, row).more.endsWith(u' ' + QString::number(row)));
    }

    void oneTurnIsOneInsertion()
    {
        Session session;
        SessionFeed feed(&session);
        TimelineModel model;
        model.setSession(&session);
        const QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        for (int i = 0; i < 200; ++i)
            feed.other(WireEvent::Kind::Stderr, "line");
        session.flush();
        QTRY_COMPARE(model.rowCount(), 200);
        QCOMPARE(inserted.size(), 1);
    }

    void longFiltersComeInSlices()
    {
        Session session;
        SessionFeed feed(&session);
        for (int i = 0; i < 60000; ++i)
            feed.other(WireEvent::Kind::Stderr, i % 1000 == 999 ? "rare" : QByteArray(200, 'x'));
        session.flush();
        TimelineModel model;
        model.setSession(&session);
        QTRY_COMPARE(model.rowCount(), 60000);
        model.setFilter(Filter::parse(u"rare"_s).filter);
        QVERIFY(model.isFiltering());  // the window is free again before the end
        model.setFilter(Filter::parse(u"rare nothing"_s).filter);
        model.setFilter(Filter::parse(u"rare"_s).filter);  // typing on starts afresh
        QTRY_VERIFY(!model.isFiltering());
        QCOMPARE(model.rowCount(), 60);
    }

    // What was judged before its response came appears and goes in its place.
    void responsesChangeWhatIsFiltered()
    {
        Session session;
        SessionFeed feed(&session);
        for (const char *id : {"1", "2", "3"})
            feed.toServer(R"({"jsonrpc":"2.0","method":"ping","id":)" + QByteArray(id) + '}');
        session.flush();
        TimelineModel waiting;
        const QAbstractItemModelTester waitingTester(&waiting, QAbstractItemModelTester::FailureReportingMode::QtTest);
        waiting.setSession(&session);
        waiting.setFilter(Filter::parse(u"outcome == pending"_s).filter);
        TimelineModel answered;
        const QAbstractItemModelTester answeredTester(&answered,
                                                      QAbstractItemModelTester::FailureReportingMode::QtTest);
        answered.setSession(&session);
        answered.setFilter(Filter::parse(u"outcome == ok and kind == request"_s).filter);
        QCOMPARE(rowsOf(waiting), (QList<qsizetype>{0, 1, 2}));
        QCOMPARE(rowsOf(answered), QList<qsizetype>());
        const auto response = [&](const char *id) {
            feed.fromServer(R"({"jsonrpc":"2.0","result":{},"id":)" + QByteArray(id) + '}');
            session.flush();
        };
        response("2");
        QTRY_COMPARE(rowsOf(waiting), (QList<qsizetype>{0, 2}));
        QTRY_COMPARE(rowsOf(answered), (QList<qsizetype>{1}));
        response("1");
        QTRY_COMPARE(rowsOf(waiting), (QList<qsizetype>{2}));
        QTRY_COMPARE(rowsOf(answered), (QList<qsizetype>{0, 1}));
        for (int id = 10; id < 2000; ++id)
            feed.toServer(R"({"jsonrpc":"2.0","method":"ping","id":)" + QByteArray::number(id) + '}');
        session.flush();
        QTRY_COMPARE(waiting.rowCount(), 1991);
        for (int id = 10; id < 1999; ++id)
            feed.fromServer(R"({"jsonrpc":"2.0","result":{},"id":)" + QByteArray::number(id) + '}');
        session.flush();
        QTRY_COMPARE(waiting.rowCount(), 2);
        QTRY_COMPARE(answered.rowCount(), 1991);
    }

    void firstRuleColours()
    {
        Session session;
        SessionFeed feed(&session);
        fill(feed);
        session.flush();
        TimelineModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSession(&session);
        QCOMPARE(model.index(2, 0).data(TimelineModel::HighlightRole).toInt(), -1);
        const QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setHighlights({{Filter::parse(u"outcome == tool-error"_s).filter, Tone::ToolError},
                             {Filter::parse(u"tool == get-sum"_s).filter, Tone::Accent}});
        QCOMPARE(changed.size(), 1);
        const auto colorAt = [&](int row) { return model.index(row, 3).data(TimelineModel::HighlightRole).toInt(); };
        QCOMPARE(colorAt(2), -1);
        QCOMPARE(colorAt(6), int(Tone::ToolError));
        QCOMPARE(colorAt(8), int(Tone::Accent));
        model.setHighlights({});
        QCOMPARE(colorAt(6), -1);
    }

    void responsesUpdateTheirRequests()
    {
        Session session;
        SessionFeed feed(&session);
        feed.toServer(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
        session.flush();
        TimelineModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSession(&session);
        QCOMPARE(cell(model, 0, Column::Outcome), u"… running"_s);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        feed.fromServer(R"({"jsonrpc":"2.0","id":1,"result":{}})");
        session.flush();
        QTRY_VERIFY(!changed.isEmpty());
        QCOMPARE(cell(model, 0, Column::Outcome), u"✓ OK"_s);
    }

    void requestsOfTheServerAreOpenUntilTheyHaveAResponse()
    {
        Session session;
        SessionFeed feed(&session);
        feed.fromServer(R"({"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{}})");
        session.flush();
        TimelineModel model;
        model.setSession(&session);
        QCOMPARE(cell(model, 0, Column::Outcome), u"? open"_s);
        feed.toServer(R"({"jsonrpc":"2.0","id":"q","result":{}})");
        session.flush();
        QTRY_COMPARE(cell(model, 0, Column::Outcome), u"✓ OK"_s);
    }

    // "No response" would be wrong: the server has answered, in HTTP.
    void anHttpStatusStandsForTheResponse()
    {
        Session session;
        SessionFeed feed(&session);
        int id = 0;
        for (const QByteArray status : {"404", "500", "200"}) {
            const QByteArray number = QByteArray::number(++id);
            const QByteArray stream = "{\"stream\":" + number;
            feed.other(WireEvent::Kind::HttpRequest, {}, stream + '}', Direction::ToServer);
            feed.message(Direction::ToServer, R"({"jsonrpc":"2.0","id":)" + number + R"(,"method":"ping"})",
                         stream + '}');
            feed.other(WireEvent::Kind::HttpResponse, {}, stream + ",\"status\":" + status + '}');
            session.giveUp(RequestId(id), 1);
        }
        session.flush();
        TimelineModel model;
        model.setView(View::Everything);
        model.setSession(&session);
        QStringList outcomes;
        for (int row = 0; row < model.rowCount(); ++row) {
            if (const QString text = cell(model, row, Column::Outcome); !text.isEmpty())
                outcomes.append(text);
        }
        QCOMPARE(outcomes, QStringList({u"⊘ HTTP 404"_s, u"⊘ HTTP 500"_s, u"⊘ no response"_s}));
    }

    void timeCanBeRelative()
    {
        Session session;
        SessionFeed feed(&session);
        feed.exchange(1, "a", "\"result\":{}");
        session.flush();
        TimelineModel model;
        model.setSession(&session);
        for (const auto format : {TimelineModel::TimeFormat::SinceStart, TimelineModel::TimeFormat::SincePrevious,
                                  TimelineModel::TimeFormat::SinceRequest}) {
            model.setTimeFormat(format);
            QVERIFY(cell(model, 1, Column::Time).startsWith(u'+'));
        }
        QCOMPARE(cell(model, 0, Column::Time).count(u':'), 2);  // has no request
    }

    void sessionsComeAndGo()
    {
        auto first = std::make_unique<Session>();
        SessionFeed(first.get()).other(WireEvent::Kind::Stderr, "one");
        first->flush();
        TimelineModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSession(first.get());
        QCOMPARE(model.rowCount(), 1);
        SessionFeed(first.get()).other(WireEvent::Kind::Stderr, "two");
        first->flush();
        first.reset();  // with rows still to be inserted
        QCOMPARE(model.rowCount(), 0);
        Session second;
        model.setSession(&second);
        QCOMPARE(model.rowCount(), 0);
        model.setSession(nullptr);
        QVERIFY(!model.isFiltering());
    }

    // It does not run, and that it was closed is no failure.
    void aSubscriptionIsOpen_data()
    {
        QTest::addColumn<TimelineModel::View>("view");
        QTest::newRow("messages") << TimelineModel::View::Messages;
        QTest::newRow("calls") << TimelineModel::View::Calls;
    }
    void aSubscriptionIsOpen()
    {
        QFETCH(TimelineModel::View, view);
        Session session;
        SessionFeed feed(&session);
        TimelineModel model;
        model.setView(view);
        model.setSession(&session);
        feed.toServer(R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}})");
        feed.toServer(R"({"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{}})");
        feed.toServer(R"({"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{}})");
        session.flush();
        QTRY_COMPARE(model.rowCount(), 3);
        QCOMPARE(cell(model, 0, Column::Outcome), u"● open"_s);
        session.giveUp(RequestId(1), 1);
        session.giveUp(RequestId(3), 1, GiveUp::Lost);
        feed.fromServer(R"({"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}})");
        session.flush();
        QTRY_COMPARE(cell(model, 0, Column::Outcome), u"closed"_s);
        QCOMPARE(model.index(0, 0).data(TimelineModel::ToneRole).toInt(), int(Tone::Neutral));
        QTRY_COMPARE(cell(model, 1, Column::Outcome), u"✓ ended"_s);
        QTRY_COMPARE(cell(model, 2, Column::Outcome), u"⊘ Connection lost"_s);
        QCOMPARE(model.index(2, 0).data(TimelineModel::ToneRole).toInt(), int(Tone::NoResponse));
    }

    void durationsAreShort()
    {
        QCOMPARE(millisecondsText(31200000), u"31.2"_s);
        QCOMPARE(millisecondsText(23000), u"0.02"_s);
        QCOMPARE(millisecondsText(9204000000), u"9\u2009204"_s);
        QCOMPARE(millisecondsText(-1), QString());
    }
};

}  // namespace sonde::ui

using TestTimelineModel = sonde::ui::TestTimelineModel;
SONDE_TEST(TestTimelineModel)
#include "tst_timelinemodel.moc"
