// What a live session tells about what was recorded.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <sys/stat.h>
#include <QCoreApplication>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <utility>

using namespace sonde;
using namespace sonde::test;

class SessionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneWriteForEachTurn()
    {
        const auto calls = std::make_shared<FaultyCalls>();
        const std::unique_ptr<Session> session = Session::create(m_dir.filePath(QStringLiteral("turn")), {}, calls);
        QCOMPARE(calls->writes, 1);  // the header
        QSignalSpy appended(session.get(), &Session::appended);
        qint64 sizeWhenShown = 0;
        connect(session.get(), &Session::appended, this, [&](qsizetype, qsizetype last) {
            const RecordInfo &info = session->at(last);
            sizeWhenShown = QFileInfo(session->path()).size() - (info.fileOffset + qint64(info.lineLength));
        });
        for (int i = 0; i < 100; ++i)
            session->append(received(R"({"jsonrpc":"2.0","method":"notifications/x"})"), 1);
        QCOMPARE(session->size(), 0);
        QVERIFY(appended.isEmpty());
        QCoreApplication::processEvents();
        QCOMPARE(calls->writes, 2);
        QCOMPARE(appended.size(), 1);
        QCOMPARE(appended.at(0).at(0).value<qsizetype>(), 0);
        QCOMPARE(appended.at(0).at(1).value<qsizetype>(), 99);
        QCOMPARE(sizeWhenShown, 0);  // the last line was in the file, up to its last byte
        QCoreApplication::processEvents();
        QCOMPARE(calls->writes, 2);
    }

    void aFloodInOneTurnIsBoundedInMemory()
    {
        const auto calls = std::make_shared<FaultyCalls>();
        const std::unique_ptr<Session> session = Session::create(m_dir.filePath(QStringLiteral("flood")), {}, calls);
        const QByteArray text =
            "{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{\"x\":\"" + QByteArray(1000, 'x') + "\"}}";
        for (int i = 0; i < 5000; ++i)
            session->append(received(text), 1);
        QVERIFY(calls->writes > 3);
        QCOMPARE(session->size(), 0);  // written, but the turn is not over
        session->flush();
        QCOMPARE(session->size(), 5000);
        for (qsizetype row = 0; row < session->size(); row += 499)
            QCOMPARE(session->bytes(row), text);
    }

    void aResponseThatAsksForInputIsNotOk()
    {
        Session session;
        session.append(sent("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}"), 1);
        session.append(received("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"input_required\"}}"), 1);
        session.append(sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\"}"), 1);
        // Written in a way that takes another path.
        session.append(received("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resultType\":\"input\\u005frequired\"}}"),
                       1);
        session.append(sent("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\"}"), 1);
        session.append(received("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"resultType\":\"complete\"}}"), 1);
        session.flush();
        for (const qsizetype row : {0, 1, 2, 3})
            QVERIFY2(session.at(row).outcome == RowOutcome::InputRequired, qPrintable(QString::number(row)));
        QVERIFY(session.at(4).outcome == RowOutcome::Ok && session.at(5).outcome == RowOutcome::Ok);
    }

    // While it lasts, another thread writes it, and its rows are shown as they reach the file.
    void aFloodIsShownWhileItIsWritten()
    {
        const std::unique_ptr<Session> session = Session::create(m_dir.filePath(QStringLiteral("shown")), {});
        const QByteArray text =
            "{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{\"x\":\"" + QByteArray(300, 'x') + "\"}}";
        qsizetype shown = 0;
        QStringList faults;
        connect(session.get(), &Session::appended, this, [&](qsizetype first, qsizetype last) {
            if (first != std::exchange(shown, last + 1))
                faults += QStringLiteral("rows %1 to %2 came out of order").arg(first).arg(last);
            for (qsizetype row = first; row <= last; ++row) {
                if (qsizetype(session->at(row).partner) > session->size())
                    faults += QStringLiteral("row %1 names one that is not shown").arg(row);
                if (QFileInfo(session->path()).size() < session->at(row).fileOffset + session->at(row).lineLength)
                    faults += QStringLiteral("row %1 is not in the file").arg(row);
            }
        });
        constexpr int Turns = 20;
        constexpr int EachTurn = 1000;
        constexpr int Sent = EachTurn - 250;  // long enough before its response for another thread to be done with it
        for (int turn = 0; turn < Turns; ++turn) {
            const QByteArray id = QByteArray::number(turn);
            for (int i = 0; i < EachTurn - 1; ++i) {
                session->append(
                    i == Sent ? sent("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}") : received(text),
                    1);
            }
            session->append(received(turn % 2 == 0 ? "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}" : text),
                            1);
            QCoreApplication::processEvents();
        }
        QTRY_COMPARE(session->size(), qsizetype(Turns) * EachTurn);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
        for (int turn = 0; turn < Turns; ++turn)
            QCOMPARE(session->partnerOf(turn * EachTurn + Sent),
                     turn % 2 == 0 ? qsizetype((turn + 1) * EachTurn - 1) : qsizetype(-1));
    }

    // A large record is written a turn later than it came, and what came after it waits for it.
    void largeRecordsKeepTheirPlaces()
    {
        QByteArray large = R"({"jsonrpc":"2.0","id":1,"result":{"text":"%"}})";
        QByteArray larger = large;
        large.replace('%', QByteArray(3'000'000, 'x'));
        larger.replace('%', QByteArray(4'000'000, 'y'));
        const QByteArray call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})";
        const QByteArray notification = R"({"jsonrpc":"2.0","method":"n"})";
        const QList<QByteArray> expected{call, notification, large, notification, call, larger, large, notification};
        for (const bool atOnce : {false, true}) {
            const QString path = m_dir.filePath(QStringLiteral("large%1").arg(int(atOnce)));
            const std::unique_ptr<Session> session = Session::create(path, {});
            QSignalSpy appended(session.get(), &Session::appended);
            for (const QByteArray &text : expected)
                session->append(text == call ? sent(text) : received(text), 1);
            QCOMPARE(session->size(), 0);
            if (atOnce)
                session->flush();
            QTRY_COMPARE(session->size(), expected.size());
            if (atOnce)
                QCOMPARE(appended.size(), 1);
            for (qsizetype row = 0; row < expected.size(); ++row)
                QVERIFY(session->bytes(row) == expected[row]);
            QCOMPARE(session->partnerOf(0), 2);
            QCOMPARE(session->partnerOf(4), 5);
            session->finish();
            const auto again = Session::open(path);
            QVERIFY(again);
            QVERIFY((*again)->damage().isEmpty());
            QCOMPARE(describeAll(**again), describeAll(*session));
        }
    }

    // The name of an event can be as long as a message.
    void longFactsAreCut()
    {
        Session session;
        QByteArray facts = R"({"stream":3,"event":"%","id":"x"})";
        facts.replace('%', QByteArray("\\u0001").repeated(3'000'000));
        session.append(happening(WireEvent::Kind::Sse, Direction::FromServer, {}, facts), 1);
        session.flush();
        const json::Value kept = json::parse(session.facts(0));
        QCOMPARE(kept[u"stream"].toInteger().value_or(0), 3);
        QCOMPARE(kept[u"id"].string(), QStringLiteral("x"));
        QCOMPARE(kept[u"event"].string(), QStringLiteral("18000002 bytes left out"));
    }

    void fileIsForItsOwnerOnly()
    {
        for (const mode_t mask : {mode_t(0), mode_t(022)}) {
            const mode_t before = ::umask(mask);
            const std::unique_ptr<Session> session =
                Session::create(m_dir.filePath(QStringLiteral("mode%1").arg(mask)), {});
            ::umask(before);
            struct stat status = {};
            QCOMPARE(::stat(session->path().toUtf8().constData(), &status), 0);
            QCOMPARE(status.st_mode & 0777, mode_t(0600));
        }
    }

    void requestAndResponse()
    {
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}})"), 1);
        session.append(sent(R"({"jsonrpc":"2.0","id":"1","method":"resources/read","params":{"uri":"x:y"}})"), 1);
        session.flush();
        QCOMPARE(session.at(0).outcome, RowOutcome::Pending);
        QCOMPARE(session.partnerOf(0), -1);
        QCOMPARE(session.durationNs(0), -1);
        QCOMPARE(session.name(session.at(0).target), QStringLiteral("add"));
        QCOMPARE(session.name(session.at(1).target), QStringLiteral("x:y"));

        QSignalSpy changed(&session, &Session::changed);
        session.append(received(R"({"jsonrpc":"2.0","id":"1","error":{"code":1,"message":"no"}})"), 1);
        QCOMPARE(session.at(1).outcome, RowOutcome::Pending);  // until the response is shown
        session.append(received(R"({"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}})"), 1);
        session.append(received(R"({"jsonrpc":"2.0","id":1,"result":{}})"), 2);  // another connection
        session.flush();
        QCOMPARE(changed.size(), 2);
        QCOMPARE(session.at(0).outcome, RowOutcome::ToolError);
        QCOMPARE(session.at(3).outcome, RowOutcome::ToolError);
        QCOMPARE(session.at(1).outcome, RowOutcome::ProtocolError);
        QCOMPARE(session.at(2).outcome, RowOutcome::ProtocolError);
        QCOMPARE(session.partnerOf(0), 3);
        QCOMPARE(session.partnerOf(3), 0);
        QCOMPARE(session.partnerOf(1), 2);
        QCOMPARE(session.partnerOf(4), -1);
        QVERIFY(session.at(4).hasProblems);
        QVERIFY(!session.at(3).hasProblems);
        QCOMPARE(session.name(session.at(3).method), QStringLiteral("tools/call"));
        QCOMPARE(session.name(session.at(3).target), QStringLiteral("add"));
        QCOMPARE(session.durationNs(0), session.at(3).timeNs - session.at(0).timeNs);
        QCOMPARE(session.durationNs(3), session.durationNs(0));
    }

    void bothSidesAskWithTheSameId()
    {
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":7,"method":"tools/list"})"), 1);
        session.append(received(R"({"jsonrpc":"2.0","id":7,"method":"roots/list"})"), 1);
        session.append(received(R"({"jsonrpc":"2.0","id":7,"result":{"tools":[]}})"), 1);
        session.append(sent(R"({"jsonrpc":"2.0","id":7,"result":{"roots":[]}})"), 1);
        session.flush();
        QCOMPARE(session.partnerOf(0), 2);
        QCOMPARE(session.partnerOf(1), 3);
        QCOMPARE(session.name(session.at(2).method), QStringLiteral("tools/list"));
        QCOMPARE(session.name(session.at(3).method), QStringLiteral("roots/list"));
    }

    // By whom, on which connection, and also in a batch; not before it has a row.
    void requestsAreFoundByTheirIds()
    {
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"), 1);
        session.append(received(R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})"), 1);
        QCOMPARE(session.rowOfRequest(RequestId(1), 1, Direction::FromServer), -1);
        session.flush();
        QCOMPARE(session.rowOfRequest(RequestId(1), 1, Direction::ToServer), 0);
        QCOMPARE(session.rowOfRequest(RequestId(1), 1, Direction::FromServer), 1);
        QCOMPARE(session.rowOfRequest(RequestId(1), 2, Direction::FromServer), -1);
        session.append(
            received(R"([{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"ping"}])"), 1);
        session.append(received(R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required"}})"), 1);
        session.flush();
        QCOMPARE(session.rowOfRequest(RequestId(2), 1, Direction::FromServer), 2);
        QCOMPARE(session.rowOfRequest(RequestId(3), 1, Direction::FromServer), 2);
        QCOMPARE(session.rowOfRequest(RequestId(1), 1, Direction::ToServer), 0);
    }

    // Of a batch with more requests than get a response.
    void notEachRequestOfALargeBatchIsAwaited()
    {
        QByteArray many;
        for (int id = 0; id < 20'010; ++id)
            many +=
                (id > 0 ? ",{\"id\":" : "{\"id\":") + QByteArray::number(id) + R"(,"jsonrpc":"2.0","method":"ping"})";
        Session session;
        session.append(received('[' + many + ']'), 1);
        session.flush();
        QCOMPARE(session.rowOfRequest(RequestId(19'999), 1, Direction::FromServer), 0);
        QCOMPARE(session.rowOfRequest(RequestId(20'000), 1, Direction::FromServer), -1);
        QCOMPARE(session.at(0).outcome, RowOutcome::Pending);
    }

    void givenUpAndLate()
    {
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), 1);
        session.flush();
        QSignalSpy changed(&session, &Session::changed);
        session.giveUp(RequestId(qint64(1)), 1);
        session.giveUp(RequestId(qint64(1)), 1);  // nothing more to give up
        session.giveUp(RequestId(qint64(2)), 1);
        session.flush();
        QCOMPARE(session.size(), 2);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(session.at(0).outcome, RowOutcome::NoResponse);
        QCOMPARE(session.partnerOf(1), 0);  // the note says what it is about
        QVERIFY(session.at(1).hasProblems);

        session.append(received(R"({"jsonrpc":"2.0","id":1,"result":{}})"), 1);
        session.flush();
        QCOMPARE(session.at(0).outcome, RowOutcome::NoResponse);
        QCOMPARE(session.partnerOf(0), 2);
        QVERIFY(session.at(2).isLate);
        QCOMPARE(session.at(2).outcome, RowOutcome::Ok);
        QVERIFY(session.durationNs(0) >= 0);
    }

    void whatAPersonCancelsIsNoFinding()
    {
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})"), 1);
        session.giveUp(RequestId(qint64(1)), 1, GiveUp::Cancelled);
        session.flush();
        QCOMPARE(session.size(), 2);
        QVERIFY(!session.at(0).hasProblems && !session.at(1).hasProblems);
    }

    void secondResponse()
    {
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), 1);
        session.append(received(R"({"jsonrpc":"2.0","id":1,"result":{}})"), 1);
        session.append(received(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}})"), 1);
        session.flush();
        QCOMPARE(session.at(0).outcome, RowOutcome::Ok);  // the first one counts
        QCOMPARE(session.partnerOf(0), 1);
        QVERIFY(!session.at(1).hasProblems);
        QVERIFY(session.at(2).hasProblems);
        QCOMPARE(session.partnerOf(2), 0);
    }

    void whatCannotBeToldStaysUnlinked()
    {
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), 1);
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"), 1);
        session.append(received(R"({"jsonrpc":"2.0","id":1,"result":{}})"), 1);
        session.append(received(R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"?"}})"), 1);
        session.flush();
        for (qsizetype row = 0; row < session.size(); ++row)
            QCOMPARE(session.partnerOf(row), -1);
        QVERIFY(session.at(1).hasProblems);
        QVERIFY(session.at(2).hasProblems);
    }

    void endOfAConnection()
    {
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), 1);
        session.append(received(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), 1);
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), 2);
        session.flush();
        session.append(happening(WireEvent::Kind::State, Direction::Local, {}, R"({"what":"exited","signal":11})"), 1);
        session.flush();
        QCOMPARE(session.at(0).outcome, RowOutcome::NoResponse);
        QCOMPARE(session.at(1).outcome, RowOutcome::NoResponse);
        QCOMPARE(session.at(2).outcome, RowOutcome::Pending);
        QSignalSpy changed(&session, &Session::changed);
        session.finish();
        QCOMPARE(session.at(2).outcome, RowOutcome::NoResponse);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(session.at(session.size() - 1).kind, WireEvent::Kind::End);
    }

    void findings()
    {
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":"x","method":"ping"})"), 1);
        session.addFinding(QStringLiteral("odd \"thing\""), RequestId(QStringLiteral("x")), 1);
        session.addFinding(QStringLiteral("elsewhere"), RequestId(QStringLiteral("x")), 2);
        session.flush();
        QCOMPARE(session.partnerOf(1), 0);
        QCOMPARE(session.partnerOf(2), -1);
        const QByteArray facts = "{\"text\":\"odd \\\"thing\\\"\"}";
        QCOMPARE(session.facts(1), facts);
        QCOMPARE(session.at(1).kind, WireEvent::Kind::Note);
        QCOMPARE(session.at(1).direction, Direction::Local);
        QVERIFY(session.at(1).hasProblems);
        QCOMPARE(session.at(0).outcome, RowOutcome::Pending);
    }

    void lateResponsesAreForgottenInTheEnd()
    {
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":0,"method":"ping"})"), 1);
        session.giveUp(RequestId(qint64(0)), 1);
        for (int i = 1; i < 10'000; ++i) {
            const QByteArray id = QByteArray::number(i);
            session.append(sent("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}"), 1);
            session.append(received("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}"), 1);
        }
        session.append(received(R"({"jsonrpc":"2.0","id":0,"result":{}})"), 1);
        session.flush();
        const qsizetype last = session.size() - 1;
        QCOMPARE(session.partnerOf(last), -1);
        QVERIFY(session.at(last).hasProblems);
        QCOMPARE(session.at(last - 1).outcome, RowOutcome::Ok);
        QCOMPARE(session.partnerOf(last - 1), last - 2);
    }

    void afterItsEndNothingIsRecorded()
    {
        const std::unique_ptr<Session> session = Session::create(m_dir.filePath(QStringLiteral("end")), {});
        session->append(sent(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), 1);
        session->finish();
        const QByteArray bytes = readFile(session->path());
        const QByteArray end = R"("k":"end")";
        QVERIFY(bytes.contains(end));
        session->append(sent(R"({"jsonrpc":"2.0","id":2,"method":"ping"})"), 1);
        session->addFinding(QStringLiteral("late"), {}, 1);
        session->finish();
        session->flush();
        QCOMPARE(session->size(), 2);
        QCOMPARE(readFile(session->path()), bytes);
    }

    void theSessionMayBeDeletedWhileItTells()
    {
        auto *session = new Session;
        connect(session, &Session::appended, this, [session] { delete session; });
        session->append(sent(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), 1);
        session->flush();
    }

    void whoHearsOfARowMayRecordMore()
    {
        Session session;
        connect(&session, &Session::appended, &session, [&session](qsizetype first, qsizetype) {
            if (first == 0) {
                session.addFinding(QStringLiteral("seen"), RequestId(qint64(1)), 1);
                session.flush();
            }
        });
        QSignalSpy appended(&session, &Session::appended);
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), 1);
        session.flush();
        QCOMPARE(session.size(), 2);
        QCOMPARE(session.partnerOf(1), 0);
        QCOMPARE(appended.size(), 2);
    }

    void inMemoryItIsTheSame()
    {
        Session session;
        playEverything(session, true);
        QVERIFY(session.path().isEmpty());
        QCOMPARE(session.fileSize(), 0);
        const std::unique_ptr<Session> other = Session::create(m_dir.filePath(QStringLiteral("same")), {});
        playEverything(*other, true);
        QCOMPARE(session.size(), other->size());
        for (qsizetype row = 0; row < session.size(); ++row) {
            QCOMPARE(session.bytes(row), other->bytes(row));
            QCOMPARE(session.facts(row), other->facts(row));
            QCOMPARE(session.at(row).outcome, other->at(row).outcome);
            QCOMPARE(session.partnerOf(row), other->partnerOf(row));
        }
    }

private:
    QTemporaryDir m_dir;
};

SONDE_TEST(SessionTest)

#include "tst_session.moc"
