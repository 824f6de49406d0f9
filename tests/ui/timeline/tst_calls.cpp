// The view of calls: what is a row, its steps under it, when it is shown.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/timeline/callscript.h"
#include "tests/ui/timeline/sessionfeed.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/table/timelinetext.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

using Column = TimelineModel::Column;
using Expansion = TimelineModel::Expansion;
using View = TimelineModel::View;
using test::CallScript;
using test::SessionFeed;

class TestCalls : public QObject {
    Q_OBJECT

private:
    struct Fixture {
        TimelineModel model;
        QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

        explicit Fixture(Session *session)
        {
            model.setSession(session);
            model.setView(View::Calls);
        }

        QString cell(int row, Column column, int role = Qt::DisplayRole) const
        {
            return model.index(row, int(column)).data(role).toString();
        }
        QString method(int row) const
        {
            const auto text = model.index(row, int(Column::Method)).data(TimelineModel::TextRole).value<ui::RowText>();
            return QStringList{text.lead, text.target, text.more}.join(u'|');
        }
        QList<qsizetype> rows() const { return test::rowsOf(model); }
        void expand(int row) { model.setExpanded(model.index(row, 0), true); }
    };

private Q_SLOTS:
    void aCallExpands()
    {
        CallScript script;
        script.longCall().at(900).call(2, "echo").at(905).result(2);
        Fixture f(script.session());
        QCOMPARE(f.rows(), (QList<qsizetype>{1, 8}));
        QCOMPARE(f.model.expansion(f.model.index(0, 0)), Expansion::Collapsed);
        QCOMPARE(f.model.expansion(f.model.index(1, 0)), Expansion::None);  // request and answer are one row
        QVERIFY(!f.model.indexOfRow(3).isValid());
        QCOMPARE(f.model.indexStandingFor(3).row(), 0);
        QCOMPARE(f.model.indexStandingFor(9).row(), 1);
        QCOMPARE(f.model.recordsOf(f.model.index(0, 0)), (std::vector<qsizetype>{1, 2, 3, 4, 5, 6, 7}));
        f.expand(0);
        QCOMPARE(f.model.recordsOf(f.model.index(0, 0)), (std::vector<qsizetype>{1, 7}));
        QCOMPARE(f.model.recordsOf(f.model.index(3, 0)), (std::vector<qsizetype>{4, 5}));
        QCOMPARE(f.model.expansion(f.model.index(0, 0)), Expansion::Expanded);
        QCOMPARE(f.rows(), (QList<qsizetype>{1, 2, 3, 4, 6, 8}));
        QCOMPARE(f.method(1), u"progress||1/5"_s);
        QCOMPARE(f.method(2), u"log||info form shown"_s);
        QCOMPARE(f.method(3), u"server request|elicitation/create|Your name? · ≈ inferred"_s);
        QCOMPARE(f.cell(3, Column::Outcome), u"accept"_s);
        QCOMPARE(f.cell(0, Column::Duration), u"600.0"_s);
        QCOMPARE(f.cell(3, Column::Duration), u"400.0"_s);
        QVERIFY(f.model.index(2, 0).data(TimelineModel::StepRole).toBool());
        QCOMPARE(f.model.callOf(f.model.index(2, 0)).row(), 0);
        QVERIFY(!f.model.callOf(f.model.index(5, 0)).isValid());
        for (const qsizetype row : f.rows())
            QCOMPARE(f.model.sessionRow(f.model.indexOfRow(row)), row);
        f.model.setExpanded(f.model.index(0, 0), false);
        QCOMPARE(f.rows(), (QList<qsizetype>{1, 8}));
        f.model.reveal(4);
        QCOMPARE(f.model.indexOfRow(4).row(), 3);
    }

    void retriesAndTasksAreSteps()
    {
        CallScript script;
        script.retriedCall().taskCall();
        Fixture f(script.session());
        QCOMPARE(f.rows(), (QList<qsizetype>{1, 5}));
        QCOMPARE(f.cell(0, Column::Outcome), u"▲ Tool error"_s);  // as the retry came out
        QCOMPARE(f.cell(0, Column::Duration), u"500.0"_s);
        QCOMPARE(f.cell(1, Column::Duration), u"250.0"_s);
        f.model.setAllExpanded(true);
        QTRY_COMPARE(f.rows(), (QList<qsizetype>{1, 2, 3, 5, 7, 9, 10}));
        QCOMPARE(f.method(1), u"input required||who"_s);
        QVERIFY(f.method(2).startsWith(u"retry|book"_s));
        QCOMPARE(f.method(4), u"task poll|tasks/get|working"_s);
        QCOMPARE(f.method(5), u"task status||completed"_s);
        f.model.setAllExpanded(false);
        QTRY_COMPARE(f.rows(), (QList<qsizetype>{1, 5}));
    }

    void timesTellOfBytesAndPeople()
    {
        CallScript script;
        script.longCall();
        Fixture f(script.session());
        const auto times = f.model.index(0, 0).data(TimelineModel::TimesRole).value<CallTimes>();
        QCOMPARE(times.startNs, 100 * CallScript::Ms);
        QCOMPARE(times.firstByteNs, 150 * CallScript::Ms);
        QCOMPARE(times.endNs, 700 * CallScript::Ms);
        QCOMPARE(times.waits, (std::vector<TimeSpan>{{200 * CallScript::Ms, 600 * CallScript::Ms}}));
        const QString hint = f.cell(0, Column::Waterfall, TimelineModel::HintRole);
        QVERIFY2(hint.contains(u"First byte after 50.0 ms"_s) && hint.contains(u"Took 600 ms"_s) &&
                     hint.contains(u"Waiting for user: 400 ms"_s),
                 qPrintable(hint));
        QCOMPARE(f.cell(0, Column::Waterfall, Qt::AccessibleTextRole), QString(hint).replace(u"\n"_s, u", "_s));
        f.expand(0);
        const auto moment = f.model.index(1, 0).data(TimelineModel::TimesRole).value<CallTimes>();
        QVERIFY(moment.isMoment);
        QCOMPARE(moment.startNs, 150 * CallScript::Ms);
        QVERIFY(!f.cell(1, Column::Waterfall, Qt::AccessibleTextRole).isEmpty());
    }

    void whatIsInferredOrInDoubtSaysSo()
    {
        CallScript script;
        script.longCall().twoAtOnce().at(4000).received(R"("id":9,"method":"sampling/createMessage","params":{})");
        Fixture f(script.session());
        QCOMPARE(f.rows(),
                 (QList<qsizetype>{1, 8, 9, 13}));  // the last one is a server request that belongs to no call
        QVERIFY(f.cell(3, Column::Method, TimelineModel::HintRole).contains(u"No call was open"_s));
        QCOMPARE(f.method(3), u"sampling/createMessage||? not tied to a call"_s);
        f.expand(0);
        QCOMPARE(f.cell(2, Column::Outcome, TimelineModel::MarkRole), u"≈ inferred"_s);
        QVERIFY(f.cell(2, Column::Method, TimelineModel::HintRole).contains(u"no other call was open"_s));
        QVERIFY(f.cell(1, Column::Outcome, TimelineModel::MarkRole).isEmpty());  // by its token
        for (const View view : {View::Messages, View::Everything}) {
            f.model.setView(view);
            const int whose = f.model.indexOfRow(10).row();
            QCOMPARE(f.cell(whose, Column::Outcome, TimelineModel::MarkRole), u"? not tied to a call"_s);
            QVERIFY(f.cell(whose, Column::Outcome, Qt::AccessibleTextRole).contains(u"? not tied to a call"_s));
            QVERIFY(f.cell(whose, Column::Time, TimelineModel::HintRole).contains(u"several calls were open"_s));
            QVERIFY(f.cell(f.model.indexOfRow(3).row(), Column::Time, TimelineModel::HintRole)
                        .contains(u"no other call was open"_s));
        }
    }

    void marksComeInOtherViewsToo()
    {
        CallScript script;
        script.twoAtOnce();
        TimelineModel model;
        model.setSession(script.session());
        const auto mark = [&] {
            return model.indexOfRow(3).siblingAtColumn(int(Column::Outcome)).data(TimelineModel::MarkRole).toString();
        };
        QTRY_COMPARE(mark(), u"? not tied to a call"_s);  // in the background, nobody having asked for calls
    }

    void filtersLookAtAllOfACall_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QList<qsizetype>>("rows");
        QTest::newRow("all") << QString() << QList<qsizetype>{1, 8, 12};
        QTest::newRow("its request") << u"ask-me"_s << QList<qsizetype>{1};
        QTest::newRow("a log message") << u"'form shown'"_s << QList<qsizetype>{1};
        QTest::newRow("an answer") << u"/result/isError == true"_s << QList<qsizetype>{8};
        QTest::newRow("a retry") << u"/params/requestState == s"_s << QList<qsizetype>{8};
        QTest::newRow("what it is not, the call itself tells") << u"not tool == ask-me"_s << QList<qsizetype>{8, 12};
        QTest::newRow("and of its answers") << u"outcome == none"_s << QList<qsizetype>{};
        QTest::newRow("nor do steps differ") << u"outcome != ok"_s << QList<qsizetype>{8};
        QTest::newRow("time") << u"ms > 500"_s << QList<qsizetype>{1};
        QTest::newRow("nothing") << u"kind == stderr"_s << QList<qsizetype>{};
    }

    void filtersLookAtAllOfACall()
    {
        QFETCH(QString, filter);
        CallScript script;
        script.longCall().retriedCall().at(1600).call(2, "echo").at(1650).result(2).other(WireEvent::Kind::Stderr, "x");
        Fixture f(script.session());
        f.model.setFilter(Filter::parse(filter).filter);
        QTRY_VERIFY(!f.model.isFiltering());
        QTEST(f.rows(), "rows");
    }

    // What a live session had before it was shown is read in parts: meanwhile no call seems to run.
    void aLongLiveSessionIsReadFirst()
    {
        constexpr int Exchanges = 1500;
        Session session;
        SessionFeed feed(&session);
        feed.toServer(R"({"jsonrpc":"2.0","id":"first","method":"tools/call","params":{"name":"a"}})");
        for (int i = 0; i < Exchanges; ++i)
            feed.exchange(i, "b", "\"result\":{}");
        feed.fromServer(R"({"jsonrpc":"2.0","id":"first","result":{}})");
        session.flush();
        QVERIFY(session.isLive());
        Fixture f(&session);
        bool wasRunning = false;
        const auto look = [&] {
            wasRunning = wasRunning || (f.model.rowCount() > 0 && f.cell(0, Column::Outcome) == u"… running"_s);
            return f.model.rowCount() == Exchanges + 1 && f.cell(0, Column::Outcome).contains(u"OK"_s);
        };
        QVERIFY(!look());
        QTRY_VERIFY(look());
        QVERIFY(!wasRunning);
    }

    void callsGrowWhileTheyRun()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        feed.toServer(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":1}}})");
        session.flush();
        QTRY_COMPARE(f.rows(), QList<qsizetype>{0});
        QCOMPARE(f.cell(0, Column::Outcome), u"… running"_s);
        QVERIFY(!f.cell(0, Column::Duration).isEmpty());  // so far
        QVERIFY(f.model.index(0, 0).data(TimelineModel::TimesRole).value<CallTimes>().isOpen);
        const auto progress = [&] {
            feed.fromServer(
                R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}})");
            session.flush();
        };
        progress();
        QTRY_COMPARE(f.model.expansion(f.model.index(0, 0)), Expansion::Collapsed);
        QCOMPARE(f.model.rowCount(), 1);
        f.expand(0);
        QCOMPARE(f.rows(), (QList<qsizetype>{0, 1}));
        feed.exchange(2, "b", "\"result\":{}");
        progress();
        QTRY_COMPARE(f.rows(), (QList<qsizetype>{0, 1, 4, 2}));  // under its own call
        feed.fromServer(R"({"jsonrpc":"2.0","id":1,"result":{"isError":true}})");
        session.flush();
        QTRY_COMPARE(f.cell(0, Column::Outcome), u"▲ Tool error"_s);
        QCOMPARE(f.rows(), (QList<qsizetype>{0, 1, 4, 2}));
        progress();  // late, but its
        QTRY_COMPARE(f.rows(), (QList<qsizetype>{0, 1, 4, 6, 2}));
    }

    void responsesDecideWhatIsFiltered()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture waiting(&session);
        waiting.model.setFilter(Filter::parse(u"outcome == pending"_s).filter);
        Fixture failed(&session);
        failed.model.setFilter(Filter::parse(u"outcome == tool-error"_s).filter);
        for (const char *id : {"1", "2", "3"})
            feed.toServer(R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"},"id":)" + QByteArray(id) +
                          '}');
        session.flush();
        QTRY_COMPARE(waiting.rows(), (QList<qsizetype>{0, 1, 2}));
        QCOMPARE(failed.model.rowCount(), 0);
        const auto response = [&](const char *id) {
            feed.fromServer(R"({"jsonrpc":"2.0","result":{"isError":true},"id":)" + QByteArray(id) + '}');
            session.flush();
        };
        response("2");
        QTRY_COMPARE(waiting.rows(), (QList<qsizetype>{0, 2}));
        QTRY_COMPARE(failed.rows(), QList<qsizetype>{1});
        response("1");
        QTRY_COMPARE(waiting.rows(), QList<qsizetype>{2});
        QTRY_COMPARE(failed.rows(), (QList<qsizetype>{0, 1}));
    }

    void aCallThatNothingEndedHasNoResponse()
    {
        CallScript script;
        script.at(10).call(1, "x");
        Fixture f(script.session());
        QTRY_COMPARE(f.cell(0, Column::Outcome), u"⊘ no response"_s);
        QVERIFY(f.cell(0, Column::Duration).isEmpty());
    }

    // Another server was shown meanwhile: it has run on.
    void aRunningCallRunsOnUnseen()
    {
        Session session;
        SessionFeed feed(&session);
        feed.toServer(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})");
        session.flush();
        Fixture f(&session);
        Session other;
        f.model.setSession(&other);
        QTRY_VERIFY(session.wallTime(0).msecsTo(QDateTime::currentDateTimeUtc()) > 30);
        f.model.setSession(&session);
        QTRY_COMPARE(f.model.rowCount(), 1);
        const auto times = f.model.index(0, 0).data(TimelineModel::TimesRole).value<CallTimes>();
        QVERIFY(times.isOpen && times.endNs - times.startNs >= 30 * CallScript::Ms);
    }

    // It is open as long as the connection: its length says nothing, and would press the bars of the calls together.
    void aSubscriptionIsNotARunningCall()
    {
        Session session;
        SessionFeed feed(&session);
        feed.toServer(R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}})");
        feed.toServer(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}})");
        session.flush();
        Fixture f(&session);
        QTRY_COMPARE(f.model.rowCount(), 2);
        QTRY_VERIFY(session.wallTime(1).msecsTo(QDateTime::currentDateTimeUtc()) > 30);
        QVERIFY(f.cell(0, Column::Duration).isEmpty());
        QVERIFY(!f.cell(1, Column::Duration).isEmpty());
        const auto times = f.model.index(0, 0).data(TimelineModel::TimesRole).value<CallTimes>();
        QVERIFY(times.isOpen);
        QCOMPARE(times.endNs, session.at(1).timeNs);
        const QString hint = f.cell(0, Column::Waterfall, TimelineModel::HintRole);
        QVERIFY2(hint.contains(u"Started at"_s) && !hint.contains(u"Running"_s), qPrintable(hint));
    }

    // Of a file that is being read, what has no response yet may have one further on.
    void aCallWithoutItsResponseYetSaysNothing()
    {
        CallScript script;
        script.call(1, "slow").at(5000).call(2, "late");
        constexpr int more = 5000;  // than come at once
        for (int i = 0; i < more; ++i)
            script.log("x");
        script.at(7000).result(1);
        const QString path = script.session()->path();
        auto opened = Session::openInBatches(path);
        QVERIFY(opened);
        Fixture f(opened->get());
        QStringList early;
        connect(opened->get(), &Session::appended, this, [&](qsizetype first) {
            if (first > 0)
                return;
            f.model.setView(View::Messages);
            f.model.setView(View::Calls);  // reads what is there at once
            for (int row = 0; row < f.model.rowCount(); ++row)
                early.append(f.cell(row, Column::Outcome) + f.cell(row, Column::Duration));
        });
        QTRY_VERIFY(!(*opened)->isLoading());
        QCOMPARE(early, QStringList({QString(), QString()}));
        QTRY_COMPARE(f.cell(0, Column::Duration), u"7\u2009000"_s);
        QCOMPARE(f.cell(1, Column::Outcome), u"⊘ no response"_s);
    }

    // In the words of the result.
    void theReasonForNoResponseIsNamed()
    {
        Session session;
        SessionFeed feed(&session);
        const QStringList badges{u"⊘ no response"_s, u"⊘ Cancelled"_s, u"⊘ Connection lost"_s, u"⊘ Invalid response"_s,
                                 u"⊘ Cancelled"_s};
        for (int i = 0; i < badges.size(); ++i)
            feed.toServer(R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"a"},"id":)" +
                          QByteArray::number(i) + '}');
        session.giveUp(RequestId(qint64(0)), 1);
        session.giveUp(RequestId(qint64(1)), 1, GiveUp::Cancelled);
        session.giveUp(RequestId(qint64(2)), 1, GiveUp::Lost);
        feed.other(WireEvent::Kind::Junk, R"({"id":3,"result":{}})");
        session.giveUp(RequestId(qint64(3)), 1);
        feed.other(WireEvent::Kind::State, {}, R"({"what":"closed"})", Direction::Local);
        session.flush();
        Fixture f(&session);
        for (const View view : {View::Calls, View::Messages}) {
            f.model.setView(view);
            for (int i = 0; i < badges.size(); ++i)
                QTRY_COMPARE(f.cell(i, Column::Outcome), badges[i]);
        }
    }

    // A connection that never was cannot be lost.
    void aServerThatWasNeverReachedIsNotLost()
    {
        Session session;
        SessionFeed feed(&session);
        feed.toServer(R"({"jsonrpc":"2.0","id":0,"method":"server/discover","params":{}})");
        session.giveUp(RequestId(qint64(0)), 1, GiveUp::Lost);
        session.flush();
        Fixture f(&session);
        QTRY_COMPARE(f.cell(0, Column::Outcome), u"⊘ no response"_s);
    }

    void onlyOneCall()
    {
        CallScript script;
        script.longCall().twoAtOnce();
        Fixture f(script.session());
        f.model.setOnlyCallOf(3);  // a log message of the first call
        QTRY_COMPARE(f.rows(), (QList<qsizetype>{1, 2, 3, 4, 6}));
        f.model.setView(View::Everything);
        QTRY_COMPARE(f.rows(), (QList<qsizetype>{1, 2, 3, 4, 5, 6, 7}));
        f.model.setFilter(Filter::parse(u"progress"_s).filter);
        QTRY_COMPARE(f.rows(), (QList<qsizetype>{1, 2, 6}));  // the call gave a token
        f.model.setFilter({});
        f.model.setOnlyCallOf(10);  // belongs to none
        QTRY_VERIFY(!f.model.isFiltering());
        QCOMPARE(f.model.rowCount(), 0);
        f.model.setOnlyCallOf(-1);
        QTRY_COMPARE(f.model.rowCount(), 13);
    }

    void httpIsPartOfTheOnlyCall()
    {
        Session session;
        SessionFeed feed(&session);
        Fixture f(&session);
        feed.other(WireEvent::Kind::Open, {}, R"({"transport":"http"})", Direction::Local);
        session.flush();
        f.model.setView(View::Everything);
        QTRY_COMPARE(f.model.rowCount(), 1);
        const auto post = [&](int stream) {
            feed.other(WireEvent::Kind::HttpRequest, {},
                       "{\"method\":\"POST\",\"stream\":" + QByteArray::number(stream) + '}', Direction::ToServer);
            session.flush();
        };
        const auto call = [&](int stream) {
            WireEvent event;
            event.kind = WireEvent::Kind::Message;
            event.direction = Direction::ToServer;
            event.bytes = R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"},"id":)" +
                          QByteArray::number(stream) + '}';
            event.message = Message::parse(event.bytes);
            event.facts = "{\"stream\":" + QByteArray::number(stream) + '}';
            session.append(event, 1);
            session.flush();
        };
        post(1);
        QTRY_VERIFY(f.model.calls()->isComplete());
        f.model.setOnlyCallOf(2);  // not there yet
        call(1);
        QTRY_COMPARE(f.rows(), (QList<qsizetype>{1, 2}));  // its HTTP request had been read before
        post(2);
        call(2);
        QTRY_VERIFY(f.model.calls()->isComplete());
        QCOMPARE(f.rows(), (QList<qsizetype>{1, 2}));
        f.model.setView(View::Calls);
        QCOMPARE(f.rows(), QList<qsizetype>{2});
        QCOMPARE(f.model.expansion(f.model.index(0, 0)), Expansion::None);  // HTTP is no step
    }

    void floodStaysInOrder()
    {
        constexpr int Calls = 20000;
        Session session;
        SessionFeed feed(&session);
        TimelineModel model;
        model.setSession(&session);
        model.setView(View::Calls);
        model.setAllExpanded(true);
        int insertions = 0;
        connect(&model, &QAbstractItemModel::rowsInserted, this, [&] { ++insertions; });
        int turns = 0;
        for (int sent = 0; sent < Calls; ++turns) {
            for (int i = 0; i < 200; ++i, ++sent) {
                const QByteArray id = QByteArray::number(sent);
                feed.toServer(R"({"jsonrpc":"2.0","id":)" + id +
                              R"(,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":)" + id + "}}}");
                feed.fromServer(
                    R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":)" +
                    id + "}}");
                feed.fromServer(R"({"jsonrpc":"2.0","result":{},"id":)" + id + '}');
            }
            session.flush();
            QCoreApplication::processEvents();
        }
        QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), 2 * Calls, 60000);
        QVERIFY2(insertions < Calls / 10, qPrintable(QString::number(insertions)));
        for (int i = 0; i < model.rowCount(); ++i)
            QCOMPARE(model.sessionRow(model.index(i, 0)), i / 2 * 3 + i % 2);
        for (const int row : {0, 1, 2 * Calls - 2, 2 * Calls - 1})
            QCOMPARE(model.indexOfRow(model.sessionRow(model.index(row, 0))).row(), row);
        model.setAllExpanded(false);
        QTRY_COMPARE(model.rowCount(), Calls);
    }

    void sessionsComeAndGo()
    {
        auto first = std::make_unique<CallScript>();
        first->longCall();
        Fixture f(first->session());
        f.expand(0);
        QCOMPARE(f.model.rowCount(), 5);
        f.model.setOnlyCallOf(1);
        CallScript second;
        second.twoAtOnce();
        f.model.setSession(second.session());
        QCOMPARE(f.rows(), (QList<qsizetype>{1, 2}));
        QCOMPARE(f.model.onlyCallOf(), qsizetype(-1));
        f.model.setSession(first->session());
        QCOMPARE(f.rows(), QList<qsizetype>{1});  // collapsed
        f.expand(0);
        first.reset();
        QCOMPARE(f.model.rowCount(), 0);
        QVERIFY(!f.model.calls()->operations());
        f.model.setAllExpanded(true);
        QVERIFY(!f.model.isFiltering());
    }
};

}  // namespace sonde::ui

using TestCalls = sonde::ui::TestCalls;
SONDE_TEST(TestCalls)
#include "tst_calls.moc"
