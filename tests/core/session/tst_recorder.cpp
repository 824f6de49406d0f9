// A session that listens to a transport.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/recorder.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace sonde;
using namespace sonde::test;

namespace {

// Does nothing but what the test says.
class ScriptedTransport : public Transport {
public:
    void open() override { setState(State::Open); }
    void close() override { setState(State::Closed); }
    QString name() const override { return QStringLiteral("script"); }
    void receive(const QByteArray &bytes) { deliver(bytes, 1); }
    void happen(WireEvent::Kind kind, const QByteArray &facts)
    {
        WireEvent event = happening(kind, Direction::Local, {}, facts);
        event.eventCode = EventFacts::read(facts).eventCode();
        report(event);
    }

protected:
    Error write(const Message &, const OutgoingHeaders &) override { return {}; }
};

}  // namespace

class RecorderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingInOrder()
    {
        Session session;
        ScriptedTransport transport;
        const Recorder recorder(&transport, &session, 3);
        transport.open();
        QVERIFY(!transport.send(Message::request(RequestId(qint64(1)), u"ping")));
        transport.receive("noise");
        transport.receive(R"({"jsonrpc":"2.0","id":1,"result":{}})");
        session.flush();
        QCOMPARE(session.size(), 3);
        QCOMPARE(session.at(0).direction, Direction::ToServer);
        QCOMPARE(session.at(0).connection, 3);
        QCOMPARE(session.bytes(0), Message::request(RequestId(qint64(1)), u"ping").raw());
        QCOMPARE(session.at(1).kind, WireEvent::Kind::Junk);
        QCOMPARE(session.partnerOf(0), 2);
    }

    void theEndIsRecordedOnce()
    {
        Session session;
        ScriptedTransport transport;
        const Recorder recorder(&transport, &session, 1);
        transport.open();
        QVERIFY(!transport.send(Message::request(RequestId(qint64(1)), u"ping")));
        Q_EMIT transport.closed(Error::local(QStringLiteral("reset")));
        session.flush();
        QCOMPARE(session.size(), 2);
        const QByteArray facts = R"({"what":"closed","error":"reset"})";
        QCOMPARE(session.facts(1), facts);
        QCOMPARE(session.at(0).outcome, RowOutcome::NoResponse);

        transport.happen(WireEvent::Kind::State, R"({"what":"exited","code":0})");
        Q_EMIT transport.closed({});
        session.flush();
        QCOMPARE(session.size(), 3);
    }

    void theSessionMayGoFirst()
    {
        auto session = std::make_unique<Session>();
        ScriptedTransport transport;
        const Recorder recorder(&transport, session.get(), 1);
        transport.open();
        session.reset();
        transport.receive("noise");
        Q_EMIT transport.closed({});
    }
};

SONDE_TEST(RecorderTest)

#include "tst_recorder.moc"
