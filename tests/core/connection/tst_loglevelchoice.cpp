// The log level of a server: told to it at once and at each start, or by each request.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connection.h"
#include "core/connection/loglevelchoice.h"
#include "core/protocol/methods.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

namespace {

ServerSpec levelledServer(Revision revision)
{
    ServerSpec spec;
    spec.name = u"test"_s;
    spec.command = test::builtProgram(QStringLiteral("sonde-demo-server"));
    spec.revision = revision;
    return spec;
}

bool isUp(Connection &connection)
{
    connection.open();
    return QTest::qWaitFor([&] { return connection.state() == Connection::State::Connected; }, test::Patience);
}

// The levels in the requests of this method that were sent.
QStringList sentLevels(const Connection &connection, QStringView method)
{
    QStringList levels;
    connection.session()->flush();
    const Session &session = *connection.session();
    for (qsizetype row = 0; row < session.size(); ++row) {
        const RecordInfo &record = session.at(row);
        if (record.kind != WireEvent::Kind::Message || record.messageKind != Message::Kind::Request ||
            session.name(record.method) != method)
            continue;
        const json::Value params = session.message(row).params();
        levels << (method == methods::SetLogLevel ? params[u"level"].string()
                                                  : params[u"_meta"][u"io.modelcontextprotocol/logLevel"].string());
    }
    return levels;
}

// How many log messages came while the demo server's tool sent one of this level.
int logged(Connection &connection, const QByteArray &level)
{
    int count = 0;
    bool isOver = false;
    QObject context;
    QObject::connect(&connection, &Connection::notified, &context,
                     [&](const Message &message) { count += message.method() == methods::LogMessage; });
    QObject::connect(connection.callTool(u"log"_s, "{\"data\":\"x\",\"level\":\"" + level + "\"}"), &Call::finished,
                     &context, [&](const Outcome &outcome) { isOver = outcome.kind == Outcome::Kind::Ok; });
    return QTest::qWaitFor([&] { return isOver; }, test::Patience) ? count : -1;
}

}  // namespace

class TestLogLevelChoice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSessionIsToldAtOnceAndAtEachStart()
    {
        Connection connection(levelledServer(Revision::R20251125), {});
        const LogLevelChoice &choice = *connection.logLevel();
        QVERIFY(!choice.isOffered());
        QVERIFY(isUp(connection));
        QVERIFY(choice.isOffered() && !choice.isPerRequest());
        QCOMPARE(logged(connection, "debug"), 1);
        QVERIFY(sentLevels(connection, methods::SetLogLevel).isEmpty());

        connection.logLevel()->choose(u"warning"_s);
        QCOMPARE(logged(connection, "info"), 0);
        QCOMPARE(logged(connection, "error"), 1);
        connection.restart();
        QTRY_COMPARE(sentLevels(connection, methods::SetLogLevel), QStringList({u"warning"_s, u"warning"_s}));
        QTRY_COMPARE(connection.state(), Connection::State::Connected);
        QCOMPARE(logged(connection, "info"), 0);
        QVERIFY(choice.problem().isEmpty());

        // There is no way to take it back within a session.
        connection.logLevel()->choose({});
        QCOMPARE(choice.sent(), u"warning"_s);
        connection.restart();
        QTRY_VERIFY(choice.sent().isEmpty());
        QCOMPARE(sentLevels(connection, methods::SetLogLevel).size(), 2);
        QVERIFY(sentLevels(connection, methods::CallTool).join(QString()).isEmpty());
    }

    void withoutASessionEachRequestSaysIt()
    {
        Connection connection(levelledServer(Revision::R20260728), {});
        QVERIFY(isUp(connection));
        QVERIFY(connection.logLevel()->isOffered() && connection.logLevel()->isPerRequest());
        QCOMPARE(logged(connection, "emergency"), 0);
        connection.logLevel()->choose(u"warning"_s);
        QCOMPARE(logged(connection, "info"), 0);
        QCOMPARE(logged(connection, "error"), 1);
        connection.logLevel()->choose({});
        QCOMPARE(logged(connection, "error"), 0);
        QCOMPARE(sentLevels(connection, methods::CallTool),
                 QStringList({QString(), u"warning"_s, u"warning"_s, QString()}));
        QVERIFY(sentLevels(connection, methods::SetLogLevel).isEmpty());
    }

    void aRefusalIsSaid()
    {
        ServerSpec spec = levelledServer(Revision::R20251125);
        spec.command = test::builtProgram(QStringLiteral("fake-stdio-server"));
        spec.arguments = {u"readline"_s,
                          uR"(say:{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":)"
                          R"({"logging":{}},"serverInfo":{"name":"s","version":"1"}}})"_s,
                          u"readline"_s,
                          u"readline"_s,
                          uR"(say:{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"no logs today"}})"_s,
                          u"waiteof"_s};
        Connection connection(spec, {});
        connection.logLevel()->choose(u"alert"_s);
        const QSignalSpy changes(connection.logLevel(), &LogLevelChoice::changed);
        QVERIFY(isUp(connection));
        QTRY_COMPARE(connection.logLevel()->problem(), u"no logs today"_s);
        QCOMPARE(connection.logLevel()->level(), u"alert"_s);
        QVERIFY(changes.size() >= 2);
    }
};

SONDE_TEST(TestLogLevelChoice)
#include "tst_loglevelchoice.moc"
