// SPDX-License-Identifier: Apache-2.0
#include "core/client/client.h"
#include "core/protocol/methods.h"
#include "tests/core/client/clockedclient.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"
#include "tests/support/testtranslators.h"
#include "tests/support/wrongmessages.h"

#include <QCoreApplication>
#include <QScopeGuard>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using namespace sonde::test;

namespace {

const Error lost{Error::Kind::Transport, 11, u"The server crashed."_s, u"last words"_s, {}, {}};

// Counts how its calls end.
struct Endings {
    void watch(Call *call)
    {
        QObject::connect(call, &Call::finished, call, [this](const Outcome &outcome) { all.append(outcome); });
    }
    QList<Outcome> all;
};

QByteArray largeResponse(int id)
{
    return R"({"jsonrpc":"2.0","id":)" + QByteArray::number(id) + R"(,"result":{"content":[],"text":")" +
           QByteArray(200'000, 'x') + R"("}})";
}

void handleEvents()
{
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
}

}  // namespace

// The contract of call.h, point by point.
class TestCall : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_transport = std::make_unique<FakeTransport>();
        m_transport->openNow();
        m_client = std::make_unique<ClockedClient>(m_transport.get());
    }

    void cleanup()
    {
        m_client.reset();
        m_transport.reset();
    }

    // 1
    void neverFinishedOnReturn_data()
    {
        QTest::addColumn<int>("way");
        QTest::newRow("the transport refuses") << 0;
        QTest::newRow("the transport is closed") << 1;
        QTest::newRow("the transport is gone") << 2;
        QTest::newRow("the parameters are wrong") << 3;
        QTest::newRow("the transport fails within send()") << 4;
        QTest::newRow("the answer comes within send()") << 5;
    }
    void neverFinishedOnReturn()
    {
        QFETCH(int, way);
        QByteArray params;
        switch (way) {
            case 0:
                m_transport->refuseToSend(lost);
                break;
            case 1:
                m_transport->closeWithError(lost);
                break;
            case 2:
                m_transport.reset();
                break;
            case 3:
                params = "[1]";
                break;
            case 4:
                connect(m_transport.get(), &Transport::tapped, this, [this] { m_transport->closeWithError(lost); });
                break;
            case 5:
                connect(m_transport.get(), &Transport::tapped, this, [this](const WireEvent &event) {
                    if (event.direction == Direction::ToServer)
                        m_transport->response(event.message);
                });
                break;
        }
        Call *call = m_client->request(u"ping", params);
        QVERIFY(call);
        QVERIFY(!call->isFinished());
        QSignalSpy finished(call, &Call::finished);
        QTRY_COMPARE(finished.size(), 1);
        handleEvents();
        QCOMPARE(finished.size(), 1);
        const auto outcome = finished.constFirst().constFirst().value<Outcome>();
        QCOMPARE(outcome.kind, way == 5 ? Outcome::Kind::Ok : Outcome::Kind::NoResponse);
        if (way == 0 || way == 1 || way == 4)
            QCOMPARE(outcome.error.message, lost.message);
        if (way == 3)
            QCOMPARE(toString(outcome.error.kind), toString(Error::Kind::Local));
        QCOMPARE(openCalls(*m_client), 0);
    }

    // 2
    void deletesItself()
    {
        const QPointer<Call> call = m_client->request(u"tools/list");
        QCOMPARE(call->parent(), m_client.get());
        Endings endings;
        endings.watch(call);
        m_transport->response(m_transport->expectSent(u"tools/list"), R"({"tools":[]})");
        QCOMPARE(endings.all.size(), 1);
        QVERIFY(call);
        QVERIFY(call->isFinished());
        handleEvents();
        QVERIFY(!call);
    }

    void aSlotMayDeleteTheClient()
    {
        Call *call = m_client->request(u"ping");
        connect(call, &Call::finished, this, [this] { m_client.reset(); });
        m_transport->response(m_transport->expectSent(u"ping"));
        QVERIFY(!m_client);
        handleEvents();
    }

    void aSlotOfProgressMayDeleteTheClient()
    {
        Call *call = m_client->request(u"tools/call", R"({"name":"a"})");
        connect(call, &Call::progressed, this, [this] { m_client.reset(); });
        m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                            R"("params":{"progressToken":1,"progress":1}})");
        QVERIFY(!m_client);
    }

    // 3
    void manyEndAtOnce_data()
    {
        QTest::addColumn<int>("way");
        QTest::newRow("the transport is lost") << 0;
        QTest::newRow("all time out") << 1;
    }
    void manyEndAtOnce()
    {
        QFETCH(int, way);
        constexpr int count = 20;
        QList<QPointer<Call>> calls;
        QList<int> endings(count, 0);
        QList<Error::Kind> kinds(count, Error::Kind::None);
        QSet<int> cancelled;
        for (int i = 0; i < count; ++i) {
            Call *call = m_client->request(u"ping");
            calls.append(call);
            connect(call, &Call::finished, this, [&, i](const Outcome &outcome) {
                ++endings[i];
                kinds[i] = outcome.error.kind;
                // Whoever comes first meddles with those that have not ended.
                delete calls.at((i + 1) % count);
                Call *other = calls.at((i + 2) % count);
                if (other && !other->isFinished()) {
                    cancelled.insert((i + 2) % count);
                    other->cancel();
                }
            });
        }
        switch (way) {
            case 0:
                m_transport->closeWithError(lost);
                break;
            case 1:
                m_client->advance(60s);
                break;
        }
        handleEvents();
        QCOMPARE(openCalls(*m_client), 0);
        for (int i = 0; i < count; ++i) {
            QVERIFY2(endings.at(i) <= 1, qPrintable(QString::number(i)));
            QVERIFY(!calls.at(i));
            if (endings.at(i) == 1 && cancelled.contains(i))
                QCOMPARE(toString(kinds.at(i)), toString(Error::Kind::Cancelled));
        }
        QVERIFY(!cancelled.isEmpty());
        QVERIFY(endings.count(1) >= count / 3);
    }

    void manyEndAndTheFirstDeletesTheClient_data() { manyEndAtOnce_data(); }
    void manyEndAndTheFirstDeletesTheClient()
    {
        QFETCH(int, way);
        int endings = 0;
        for (int i = 0; i < 5; ++i) {
            connect(m_client->request(u"ping"), &Call::finished, this, [this, &endings] {
                ++endings;
                m_client.reset();
            });
        }
        ClockedClient *client = m_client.get();
        switch (way) {
            case 0:
                m_transport->closeWithError(lost);
                break;
            case 1:
                client->advance(60s);
                break;
        }
        handleEvents();
        QCOMPARE(endings, 1);
    }

    void aRequestMadeWhileAllFailIsItsOwn()
    {
        QPointer<Call> next;
        connect(m_client->request(u"ping"), &Call::finished, this, [&] { next = m_client->request(u"tools/list"); });
        m_client->advance(60s);
        QVERIFY(next);
        QCOMPARE(openCalls(*m_client), 1);
        QVERIFY(!next->isFinished());
    }

    // 4
    void lossEndsEveryCallWithTheReason()
    {
        Endings endings;
        for (int i = 0; i < 3; ++i)
            endings.watch(m_client->request(u"ping"));
        m_transport->closeWithError(lost);
        QCOMPARE(endings.all.size(), 3);
        for (const Outcome &outcome : std::as_const(endings.all)) {
            QCOMPARE(outcome.kind, Outcome::Kind::NoResponse);
            QCOMPARE(toString(outcome.error.kind), toString(Error::Kind::Transport));
            QCOMPARE(outcome.error.code, 11);
            QCOMPARE(outcome.error.detail, u"last words"_s);
            QVERIFY(outcome.startedAt.isValid());
        }
    }

    void closingOnPurposeIsACancellation()
    {
        Endings endings;
        endings.watch(m_client->request(u"ping"));
        m_transport->close();
        QTRY_COMPARE(endings.all.size(), 1);
        QCOMPARE(toString(endings.all.constFirst().error.kind), toString(Error::Kind::Cancelled));
    }

    void deletingTheTransportEndsCalls()
    {
        Endings endings;
        endings.watch(m_client->request(u"ping"));
        m_transport.reset();
        QCOMPARE(endings.all.size(), 1);
        QVERIFY(endings.all.constFirst().error);
    }

    void deletingTheClientEmitsNothing()
    {
        const QPointer<Call> call = m_client->request(u"ping");
        QSignalSpy finished(call, &Call::finished);
        m_client.reset();
        QVERIFY(!call);
        handleEvents();
        QCOMPARE(finished.size(), 0);
    }

    void timesOut()
    {
        Call *call = m_client->request(u"tools/call", R"({"name":"slow"})");
        Endings endings;
        endings.watch(call);
        m_transport->expectSent(u"tools/call");
        m_client->advance(59'999ms);
        QCOMPARE(endings.all.size(), 0);
        QVERIFY(m_transport->sendsNothing());
        m_client->advance(1ms);
        QCOMPARE(endings.all.size(), 1);
        const Outcome outcome = endings.all.constFirst();
        QCOMPARE(outcome.kind, Outcome::Kind::NoResponse);
        QCOMPARE(toString(outcome.error.kind), toString(Error::Kind::Timeout));
        QVERIFY2(outcome.error.message.contains(u"60 s"_s), qPrintable(outcome.error.message));
        QCOMPARE(outcome.durationNs, 60'000'000'000);
        const Message told = m_transport->expectSent(methods::Cancelled);
        QCOMPARE(told.params()[u"requestId"].bytes(), "1"_ba);
        QVERIFY(m_transport->sendsNothing());
    }

    void noDeadlineCountsTheWaitForCredentials()
    {
        CallOptions options;
        options.timeout = 10s;
        options.maxTotal = 25s;
        Call *call = m_client->request(u"tools/call", R"({"name":"slow"})", options);
        Endings endings;
        endings.watch(call);
        m_client->advance(6s);
        auto wait = std::make_unique<CredentialWait>(call->id(), Error());
        Q_EMIT m_transport->credentialsAwaited(wait.get());
        QVERIFY(call->isAwaitingCredentials());
        m_client->advance(1h);
        QCOMPARE(endings.all.size(), 0);
        wait.reset();
        QVERIFY(!call->isAwaitingCredentials());
        m_client->advance(9s);
        QCOMPARE(endings.all.size(), 0);
        m_client->advance(1s);
        QCOMPARE(endings.all.size(), 1);
        QVERIFY(endings.all[0].error.kind == Error::Kind::Timeout);
    }

    void aCallThatIsRepeatedHasItsDeadlineAgain()
    {
        CallOptions options;
        options.timeout = 10s;
        options.repeat = CallOptions::Repeat::Yes;
        Call *call = m_client->request(u"tools/call", R"({"name":"slow"})", options);
        Endings endings;
        endings.watch(call);
        m_transport->expectSent(u"tools/call");
        auto wait = std::make_unique<CredentialWait>(call->id(), Error());
        Q_EMIT m_transport->credentialsAwaited(wait.get());
        m_client->advance(1h);
        wait.reset();  // with the stream of the lost session
        Error forgotten{Error::Kind::Transport, 404, u"session lost"_s, {}, {}, {}};
        forgotten.reason = Error::Reason::SessionLost;
        m_transport->closeWithError(forgotten);
        m_transport->openNow();
        m_client->repeatKept();
        m_transport->expectSent(u"tools/call");
        m_client->advance(9s);
        QCOMPARE(endings.all.size(), 0);
        m_client->advance(1s);
        QCOMPARE(endings.all.size(), 1);
        QVERIFY(endings.all[0].error.kind == Error::Kind::Timeout);
    }

    void progressPutsOffTheTimeoutButNotTheCap()
    {
        CallOptions options;
        options.timeout = 10s;
        options.maxTotal = 25s;
        Call *call = m_client->request(u"tools/call", R"({"name":"slow"})", options);
        Endings endings;
        endings.watch(call);
        for (int i = 1; i <= 4; ++i) {
            m_client->advance(6s);
            QCOMPARE(endings.all.size(), 0);
            m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,)"
                                R"("progress":)" +
                                QByteArray::number(i) + "}}");
        }
        m_client->advance(1s);
        QCOMPARE(endings.all.size(), 1);
        QCOMPARE(toString(endings.all.constFirst().error.kind), toString(Error::Kind::Timeout));
        QVERIFY2(endings.all.constFirst().error.message.contains(u"25 s"_s),
                 qPrintable(endings.all.constFirst().error.message));
    }

    void theTimerItselfRuns()
    {
        Client client(m_transport.get());
        CallOptions brief;
        brief.timeout = 3ms;
        CallOptions patient;
        patient.timeout = 0ms;
        patient.maxTotal = 0ms;
        const QPointer<Call> forEver = client.request(u"ping", {}, patient);
        QSignalSpy first(client.request(u"ping", {}, brief), &Call::finished);
        brief.timeout = 1ms;
        QSignalSpy second(client.request(u"ping", {}, brief), &Call::finished);
        QTRY_COMPARE(first.size(), 1);
        QTRY_COMPARE(second.size(), 1);
        QCOMPARE(toString(first.constFirst().constFirst().value<Outcome>().error.kind), toString(Error::Kind::Timeout));
        QCOMPARE(openCalls(client), 1);
        QVERIFY(forEver && !forEver->isFinished());
    }

    // 5
    void cancelTellsTheServerAndEndsLater()
    {
        Call *call = m_client->request(u"tools/call", R"({"name":"slow"})");
        Endings endings;
        endings.watch(call);
        m_transport->expectSent(u"tools/call");
        m_client->advance(10ms);
        call->cancel(u"no need"_s);
        m_client->advance(5ms);
        QCOMPARE(endings.all.size(), 0);
        const Message told = m_transport->takeSent();
        QCOMPARE(told.method(), methods::Cancelled);
        QCOMPARE(told.params().bytes(), R"({"requestId":1,"reason":"no need"})"_ba);
        QTRY_COMPARE(endings.all.size(), 1);
        QCOMPARE(endings.all.constFirst().kind, Outcome::Kind::NoResponse);
        QCOMPARE(toString(endings.all.constFirst().error.kind), toString(Error::Kind::Cancelled));
        QCOMPARE(endings.all.constFirst().durationNs, 10'000'000);  // as in the record of it
        QVERIFY(m_transport->sendsNothing());
    }

    // The server is told in English, whatever language the window has.
    void reasonsForTheServerAreNotTranslated()
    {
        test::LongerTexts translator;
        QCoreApplication::installTranslator(&translator);
        const auto removed = qScopeGuard([&translator] { QCoreApplication::removeTranslator(&translator); });
        Endings endings;
        endings.watch(m_client->request(u"tools/call", R"({"name":"slow"})"));
        m_transport->expectSent(u"tools/call");
        m_client->advance(60s);
        QCOMPARE(m_transport->takeSent().params()[u"reason"].string(), u"Timed out"_s);
        QCOMPARE(endings.all.size(), 1);
        QVERIFY(endings.all.constLast().error.message.contains(QChar(0x014D)));

        Call *call = m_client->request(u"tools/call", R"({"name":"slow"})");
        endings.watch(call);
        m_transport->expectSent(u"tools/call");
        call->cancel(u"Cancelled by the user"_s);
        QCOMPARE(m_transport->takeSent().params()[u"reason"].string(), u"Cancelled by the user"_s);
        QTRY_COMPARE(endings.all.size(), 2);
        QVERIFY2(endings.all.constLast().error.message.contains(QChar(0x014D)),
                 qPrintable(endings.all.constLast().error.message));
    }

    void cancelOfWhatHasEndedIsANoOp()
    {
        const QPointer<Call> call = m_client->request(u"tools/call", R"({"name":"a"})");
        Endings endings;
        endings.watch(call);
        m_transport->response(m_transport->expectSent(u"tools/call"), R"({"content":[]})");
        call->cancel();
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(endings.all.size(), 1);

        const QPointer<Call> twice = m_client->request(u"tools/call", R"({"name":"b"})");
        endings.watch(twice);
        m_transport->expectSent(u"tools/call");
        twice->cancel();
        twice->cancel();
        m_transport->expectSent(methods::Cancelled);
        QVERIFY(m_transport->sendsNothing());
        QCOMPARE(endings.all.size(), 2);
    }

    void whateverComesBetweenCancelAndTheEnd_data()
    {
        QTest::addColumn<int>("event");
        QTest::newRow("the connection is lost") << 0;
        QTest::newRow("time passes") << 2;
        QTest::newRow("the answer") << 3;
    }
    void whateverComesBetweenCancelAndTheEnd()
    {
        QFETCH(int, event);
        Call *call = m_client->request(u"tools/call", R"({"name":"slow"})");
        Endings endings;
        endings.watch(call);
        const Message request = m_transport->expectSent(u"tools/call");
        call->cancel();
        switch (event) {
            case 0:
                m_transport->closeWithError(lost);
                break;
            case 2:
                m_client->advance(1h);
                break;
            case 3:
                m_transport->response(request, R"({"content":[]})");
                break;
        }
        QCOMPARE(endings.all.size(), 0);
        handleEvents();
        QCOMPARE(endings.all.size(), 1);
        QCOMPARE(toString(endings.all.constFirst().error.kind), toString(Error::Kind::Cancelled));
    }

    void theResponseToADeletedCallIsLate()
    {
        Call *call = m_client->request(u"ping");
        const Message request = m_transport->expectSent(u"ping");
        delete call;
        QCOMPARE(openCalls(*m_client), 0);
        QSignalSpy findings(m_client.get(), &Client::findingAdded);
        m_transport->response(request);
        QCOMPARE(findings.size(), 1);
        QVERIFY(findings.constFirst().constFirst().toString().startsWith(u"Response to a cancelled request"_s));
    }

    void initializeIsNeverCancelledOnTheWire()
    {
        const WrongMessages wrong("initialize without parameters");
        Call *call = m_client->request(methods::Initialize, R"({})");
        Endings endings;
        endings.watch(call);
        m_transport->expectSent(methods::Initialize);
        call->cancel();
        QVERIFY(m_transport->sendsNothing());
        QTRY_COMPARE(endings.all.size(), 1);
    }

    // 6
    void lateResponsesAreFindingsOnly_data()
    {
        QTest::addColumn<bool>("byTimeout");
        QTest::newRow("cancelled") << false;
        QTest::newRow("timed out") << true;
    }
    void lateResponsesAreFindingsOnly()
    {
        QFETCH(bool, byTimeout);
        Call *call = m_client->request(u"tools/call", R"({"name":"slow"})");
        Endings endings;
        endings.watch(call);
        const Message request = m_transport->expectSent(u"tools/call");
        if (byTimeout)
            m_client->advance(60s);
        else
            call->cancel();
        QSignalSpy findings(m_client.get(), &Client::findingAdded);
        m_transport->response(request, R"({"content":[]})");
        handleEvents();
        QCOMPARE(endings.all.size(), 1);
        QCOMPARE(endings.all.constFirst().kind, Outcome::Kind::NoResponse);
        QCOMPARE(findings.size(), 1);
        const QString finding = findings.constFirst().constFirst().toString();
        QVERIFY2((finding.startsWith(u"Response to a cancelled request: 1 (tools/call)"_s) ||
                  finding.startsWith(u"Late response to request 1 (tools/call)"_s)),
                 qPrintable(finding));
    }

    // Responses that are parsed on a worker.
    void largeResponseArrives()
    {
        Endings endings;
        endings.watch(m_client->request(u"tools/call", R"({"name":"big"})"));
        const QByteArray response = largeResponse(1);
        m_client->advance(7s);
        m_transport->inject(response);
        QCOMPARE(endings.all.size(), 0);
        m_client->advance(10min);  // the response is here: no deadline counts any more
        QCOMPARE(endings.all.size(), 0);
        QTRY_COMPARE(endings.all.size(), 1);
        const Outcome outcome = endings.all.constFirst();
        QCOMPARE(outcome.kind, Outcome::Kind::Ok);
        QVERIFY(outcome.message.isParsed());
        QCOMPARE(outcome.message.raw(), response);
        QCOMPARE(outcome.result()[u"text"].string().size(), 200'000);
        QCOMPARE(outcome.bytes, response.size());
        QCOMPARE(outcome.durationNs, 7'000'000'000);
    }

    void largeResponseWithAFaultIsNone()
    {
        Endings endings;
        endings.watch(m_client->request(u"tools/call", R"({"name":"big"})"));
        QByteArray response = largeResponse(1);
        response.replace("[],", "[tru],");
        m_transport->inject(response);
        QTRY_COMPARE(endings.all.size(), 1);
        QCOMPARE(endings.all.constFirst().kind, Outcome::Kind::NoResponse);
        QCOMPARE(toString(endings.all.constFirst().error.kind), toString(Error::Kind::Protocol));
        QVERIFY(!endings.all.constFirst().error.detail.isEmpty());
    }

    void whatHappensWhileAnResponseIsParsed_data()
    {
        QTest::addColumn<int>("event");
        QTest::addColumn<Outcome::Kind>("kind");
        QTest::addColumn<Error::Kind>("error");
        QTest::newRow("cancelled") << 0 << Outcome::Kind::NoResponse << Error::Kind::Cancelled;
        QTest::newRow("connection lost") << 1 << Outcome::Kind::Ok << Error::Kind::None;
        QTest::newRow("answered again") << 3 << Outcome::Kind::Ok << Error::Kind::None;
        QTest::newRow("progress") << 4 << Outcome::Kind::Ok << Error::Kind::None;
        QTest::newRow("its way failed") << 5 << Outcome::Kind::Ok << Error::Kind::None;
    }
    void whatHappensWhileAnResponseIsParsed()
    {
        QFETCH(int, event);
        QFETCH(Outcome::Kind, kind);
        QFETCH(Error::Kind, error);
        Call *call = m_client->request(u"tools/call", R"({"name":"big"})");
        Endings endings;
        endings.watch(call);
        QSignalSpy progressed(call, &Call::progressed);
        QSignalSpy findings(m_client.get(), &Client::findingAdded);
        m_transport->expectSent(u"tools/call");
        m_transport->inject(largeResponse(1));
        switch (event) {
            case 0:
                call->cancel();
                break;
            case 1:
                m_transport->closeWithError(lost);
                break;
            case 3:
                m_transport->inject(R"({"jsonrpc":"2.0","id":1,"result":{"content":"other"}})");
                break;
            case 4:
                m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                                    R"("params":{"progressToken":1,"progress":1}})");
                break;
            case 5:
                m_transport->failMessage(call->id(), lost);
                break;
        }
        QTRY_COMPARE(endings.all.size(), 1);
        handleEvents();
        QCOMPARE(endings.all.size(), 1);
        QCOMPARE(endings.all.constFirst().kind, kind);
        QCOMPARE(toString(endings.all.constFirst().error.kind), toString(error));
        QCOMPARE(progressed.size(), 0);
        QCOMPARE(findings.size(), event == 3 ? 1 : 0);
        if (m_transport->state() == Transport::State::Open)
            QVERIFY(m_transport->sendsNothing());
    }

    void theClientMayDieWhileAnResponseIsParsed()
    {
        for (int i = 1; i <= 8; ++i) {
            m_client->request(u"tools/call", R"({"name":"big"})");
            m_transport->inject(largeResponse(i));
        }
        m_client.reset();
        handleEvents();
    }

    void progressBeforeALargeResponseComesFirst()
    {
        Call *call = m_client->request(u"tools/call", R"({"name":"big"})");
        QStringList order;
        connect(call, &Call::progressed, this, [&] { order.append(u"progress"_s); });
        connect(call, &Call::finished, this, [&] { order.append(u"finished"_s); });
        m_transport->inject(R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                            R"("params":{"progressToken":1,"progress":1}})");
        m_transport->inject(largeResponse(1));
        QTRY_COMPARE(order, QStringList({u"progress"_s, u"finished"_s}));
    }

private:
    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<ClockedClient> m_client;
};

SONDE_TEST(TestCall)
#include "tst_call.moc"
