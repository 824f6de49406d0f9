// Responses that come too late, twice, or to nothing, and cancellation: in both eras, over stdio and over HTTP.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connection.h"
#include "core/protocol/methods.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

QByteArray strayQuotes(QByteArray text)
{
    return text.replace('\'', '"');
}

// id: as JSON.
QByteArray callResponse(const QByteArray &id, const QByteArray &text)
{
    return strayQuotes("{'jsonrpc':'2.0','id':" + id +
                       ",'result':{'resultType':'complete','content':[{'type':'text','text':'" + text + "'}]}}");
}

const QByteArray StatelessStart = strayQuotes(
    "{'jsonrpc':'2.0','id':'server-discover-probe','result':{'resultType':'complete','ttlMs':0,"
    "'cacheScope':'private','supportedVersions':['2026-07-28'],'capabilities':{'tools':{}}}}");
const QByteArray StatefulStart = strayQuotes(
    "{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2025-11-25','capabilities':{'tools':{}},"
    "'serverInfo':{'name':'stray','version':'1'}}}");

}  // namespace

class TestStrayResponses : public QObject {
    Q_OBJECT

public:
    // What happens to the first call before the second is made.
    enum class Doing { Nothing, Cancel, TimeOut, Answered };

private Q_SLOTS:
    void strays_data()
    {
        QTest::addColumn<bool>("isStateless");
        QTest::addColumn<bool>("overHttp");
        QTest::addColumn<Doing>("doing");
        QTest::addColumn<QByteArray>("strayId");  // %1: of the first call
        QTest::addColumn<QString>("finding");
        for (const bool isStateless : {false, true}) {
            for (const bool overHttp : {false, true}) {
                const auto row = [&](const char *name, Doing doing, const QByteArray &id, const QString &finding) {
                    QTest::addRow("%s, %s, %s", isStateless ? "2026-07-28" : "2025-11-25", overHttp ? "HTTP" : "stdio",
                                  name)
                        << isStateless << overHttp << doing << id << finding;
                };
                row("after cancel", Doing::Cancel, "%1", u"Response to a cancelled request: "_s);
                row("after timeout", Doing::TimeOut, "%1", u"Late response to request "_s);
                row("twice", Doing::Answered, "%1", u"Duplicate response to request "_s);
                row("id as a string", Doing::Nothing, "\"%1\"", u"the type of an ID must not change"_s);
                row("id null", Doing::Nothing, "null", u"id"_s);
                row("id that was never sent", Doing::Nothing, "4711", u"no request with the ID 4711"_s);
            }
        }
    }
    void strays()
    {
        QFETCH(bool, isStateless);
        QFETCH(bool, overHttp);
        QFETCH(Doing, doing);
        QFETCH(QByteArray, strayId);
        QFETCH(QString, finding);
        const QByteArray firstId = isStateless ? "1" : "2";
        const QByteArray secondId = isStateless ? "2" : "3";
        const QByteArray stray = callResponse(strayId.replace("%1", firstId), "stray");
        const QByteArray right = callResponse(secondId, "second");

        QList<FakeHttpServer::Peer> calls;
        FakeHttpServer fake([&](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            const QByteArray method = Message::parse(request.body).method().toUtf8();
            if (method == "server/discover")
                return peer.json(StatelessStart);
            if (method == "initialize")
                return peer.json(StatefulStart);
            if (method != "tools/call")
                return peer.response(request.method == "GET" ? 405 : 202, {}, {});
            calls.append(peer);
            if (calls.size() == 2) {
                peer.beginEvents();
                peer.event(stray);
                peer.event(right);
                peer.endEvents();
            } else if (doing == Doing::Answered) {
                peer.json(callResponse(firstId, "first"));
            }
        });
        ServerSpec spec = fakeSpec(isStateless);
        if (overHttp) {
            spec.kind = ServerSpec::Kind::Http;
            spec.url = fake.url();
        } else {
            const auto say = [](const QByteArray &text) { return u"say:"_s + QString::fromUtf8(text); };
            spec.arguments << u"readline"_s << say(isStateless ? StatelessStart : StatefulStart);
            if (!isStateless)
                spec.arguments << u"readline"_s;
            spec.arguments << u"readline"_s;
            if (doing == Doing::Answered)
                spec.arguments << say(callResponse(firstId, "first"));
            if (doing == Doing::Cancel || doing == Doing::TimeOut)
                spec.arguments << u"readline"_s;
            spec.arguments << u"readline"_s << say(stray) << say(right) << u"waiteof"_s;
        }
        ConnectionOptions options;
        options.loadCatalog = false;
        Connection connection(spec, options);
        connection.open();
        QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Connection::State::Connected, Patience);

        CallOptions patience;
        if (doing == Doing::TimeOut)
            patience.timeout = 20ms;
        Call *first = connection.request(methods::CallTool, strayQuotes("{'name':'first'}"), patience);
        QCOMPARE(first->id().toJson(), firstId);
        QList<Outcome> firstOutcomes;
        QList<Outcome> secondOutcomes;
        connect(first, &Call::finished, this, [&](const Outcome &outcome) { firstOutcomes.append(outcome); });
        if (overHttp)
            QTRY_COMPARE_WITH_TIMEOUT(calls.size(), 1, Patience);
        if (doing == Doing::Cancel)
            first->cancel();
        if (doing != Doing::Nothing)
            QTRY_COMPARE_WITH_TIMEOUT(firstOutcomes.size(), 1, Patience);
        connect(connection.request(methods::CallTool, strayQuotes("{'name':'second'}")), &Call::finished, this,
                [&](const Outcome &outcome) { secondOutcomes.append(outcome); });
        QTRY_COMPARE_WITH_TIMEOUT(secondOutcomes.size(), 1, Patience);
        QCOMPARE(secondOutcomes[0].kind, Outcome::Kind::Ok);
        QCOMPARE(secondOutcomes[0].result()[u"content"].at(0)[u"text"].string(), u"second"_s);

        // The first call ended once with what had happened to it, or waits for its own response.
        QCOMPARE(int(firstOutcomes.size()), doing == Doing::Nothing ? 0 : 1);
        if (doing == Doing::Answered)
            QCOMPARE(firstOutcomes[0].result()[u"content"].at(0)[u"text"].string(), u"first"_s);
        else if (doing != Doing::Nothing)
            QCOMPARE(toString(firstOutcomes[0].error.kind),
                     toString(doing == Doing::Cancel ? Error::Kind::Cancelled : Error::Kind::Timeout));
        QStringList findings = findingsOf(connection);
        QCOMPARE(findings.size(), 1);
        QVERIFY2(findings[0].contains(finding, Qt::CaseInsensitive), qPrintable(findings[0]));

        // How the server was told.
        const bool isTold = doing == Doing::Cancel || doing == Doing::TimeOut;
        const bool endsStream = isStateless && overHttp;
        QCOMPARE(cancellationsIn(connection), isTold && !endsStream ? QByteArrayList{firstId} : QByteArrayList{});
        if (overHttp && isTold && endsStream)
            QTRY_VERIFY_WITH_TIMEOUT(!calls[0].isConnected(), Patience);
        else if (overHttp && doing != Doing::Answered)
            QVERIFY(calls[0].isConnected());
    }

    // The response is on its way while the call is cancelled: one end, and nobody hears of the response.
    void cancellationAndResponseCross_data()
    {
        QTest::addColumn<bool>("isStateless");
        QTest::addColumn<bool>("overHttp");
        QTest::newRow("2025-11-25, stdio") << false << false;
        QTest::newRow("2025-11-25, HTTP") << false << true;
        QTest::newRow("2026-07-28, stdio") << true << false;
        QTest::newRow("2026-07-28, HTTP") << true << true;
    }
    void cancellationAndResponseCross()
    {
        QFETCH(bool, isStateless);
        QFETCH(bool, overHttp);
        const QByteArray id = isStateless ? "1" : "2";
        FakeHttpServer fake([&](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            const QByteArray method = Message::parse(request.body).method().toUtf8();
            if (method == "server/discover")
                peer.json(StatelessStart);
            else if (method == "initialize")
                peer.json(StatefulStart);
            else if (method == "tools/call" || method == "ping")
                peer.json(callResponse(Message::parse(request.body).id().toJson(), "any"));
            else
                peer.response(request.method == "GET" ? 405 : 202, {}, {});
        });
        ServerSpec spec = fakeSpec(isStateless);
        if (overHttp) {
            spec.kind = ServerSpec::Kind::Http;
            spec.url = fake.url();
        } else {
            const auto say = [](const QByteArray &text) { return u"say:"_s + QString::fromUtf8(text); };
            spec.arguments << u"readline"_s << say(isStateless ? StatelessStart : StatefulStart);
            if (!isStateless)
                spec.arguments << u"readline"_s;
            spec.arguments << u"readline"_s << say(callResponse(id, "any")) << u"readline"_s << u"readline"_s
                           << say(callResponse(isStateless ? "2" : "3", "second")) << u"waiteof"_s;
        }
        ConnectionOptions options;
        options.loadCatalog = false;
        Connection connection(spec, options);
        connection.open();
        QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Connection::State::Connected, Patience);
        if (overHttp && !isStateless) {
            // Until the server has accepted the handshake a request is held back, and never sent once it is cancelled.
            QSignalSpy ponged(connection.ping(), &Call::finished);
            QTRY_COMPARE_WITH_TIMEOUT(ponged.size(), 1, Patience);
        }
        Call *call = connection.request(methods::CallTool, strayQuotes("{'name':'first'}"));
        QList<Outcome> outcomes;
        connect(call, &Call::finished, this, [&](const Outcome &outcome) { outcomes.append(outcome); });
        call->cancel();
        QTRY_COMPARE_WITH_TIMEOUT(outcomes.size(), 1, Patience);
        QCOMPARE(toString(outcomes[0].error.kind), toString(Error::Kind::Cancelled));
        // What is asked for next comes behind it.
        QSignalSpy second(connection.request(methods::CallTool, strayQuotes("{'name':'second'}")), &Call::finished);
        QTRY_COMPARE_WITH_TIMEOUT(second.size(), 1, Patience);
        QCOMPARE(second[0][0].value<Outcome>().kind, Outcome::Kind::Ok);
        if (isStateless && overHttp)
            QCOMPARE(findingsOf(connection).size(), 0);
        else
            QTRY_COMPARE_WITH_TIMEOUT(findingsOf(connection).size(), 1, Patience);
        QCOMPARE(outcomes.size(), 1);
        // The note that the call is no longer awaited is none.
        const Session &session = *connection.session();
        for (qsizetype row = 0; row < session.size(); ++row)
            QVERIFY2(!session.at(row).hasProblems || !json::parse(session.facts(row))[u"what"].exists(),
                     session.facts(row).constData());
    }

private:
    static ServerSpec fakeSpec(bool isStateless)
    {
        ServerSpec spec;
        spec.name = u"fake"_s;
        spec.command = test::builtProgram(QStringLiteral("fake-stdio-server"));
        spec.revision = isStateless ? Revision::R20260728 : Revision::R20251125;
        return spec;
    }

    // But for the note that a call is no longer awaited.
    static QStringList findingsOf(const Connection &connection)
    {
        QStringList findings;
        const Session &session = *connection.session();
        connection.session()->flush();
        for (qsizetype row = 0; row < session.size(); ++row) {
            const json::Value facts = json::parse(session.facts(row));
            if (session.at(row).kind == WireEvent::Kind::Note && !facts[u"what"].exists())
                findings.append(facts[u"text"].string());
        }
        return findings;
    }

    static QByteArrayList cancellationsIn(const Connection &connection)
    {
        QByteArrayList ids;
        const Session &session = *connection.session();
        connection.session()->flush();
        for (qsizetype row = 0; row < session.size(); ++row) {
            if (session.at(row).direction == Direction::ToServer &&
                session.name(session.at(row).method) == methods::Cancelled)
                ids.append(session.message(row).params()[u"requestId"].bytes());
        }
        return ids;
    }
};

SONDE_TEST(TestStrayResponses)
#include "tst_strayresponses.moc"
