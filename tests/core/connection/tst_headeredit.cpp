// The headers of a recorded message as rows, what is sent of them, and what of it is written down.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connection.h"
#include "core/connection/headeredit.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;
using Origin = HeaderRow::Origin;
using Request = FakeHttpServer::Request;
using Peer = FakeHttpServer::Peer;

class HeaderEditTest : public QObject {
    Q_OBJECT
private:
    static QByteArray factsWith(const QByteArray &headers)
    {
        return R"({"stream":3,"method":"POST","url":"http://127.0.0.1:8080/mcp","headers":[)" + headers + "]}";
    }
    static ServerSpec address(const QUrl &url)
    {
        ServerSpec spec;
        spec.name = u"test"_s;
        spec.kind = ServerSpec::Kind::Http;
        spec.url = url;
        spec.revision = Revision::R20251125;
        return spec;
    }
    static bool opens(Connection &connection)
    {
        connection.open();
        return QTest::qWaitFor([&] { return connection.state() == Connection::State::Connected; }, Patience);
    }
    static std::optional<Outcome> outcomeOf(Call *call)
    {
        std::optional<Outcome> result;
        QObject context;
        connect(call, &Call::finished, &context, [&](const Outcome &outcome) { result = outcome; });
        return QTest::qWaitFor([&] { return result.has_value(); }, Patience) ? result : std::nullopt;
    }
    // Echoes what a message was sent with.
    static FakeHttpServer::Handler echoing()
    {
        return [](const Request &request, const Peer &peer) {
            const Message message = Message::parse(request.body);
            if (message.kind() != Message::Kind::Request)
                return peer.response(request.method == "POST" ? 202 : 405, {}, {});
            if (message.method() == methods::Initialize)
                return peer.json(Message::response(message.id(), R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                                                 R"("serverInfo":{"name":"fake","version":"1"}})")
                                     .raw(),
                                 {{"Mcp-Session-Id", "session-canary-0001"}});
            json::Builder seen;
            seen.beginObject();
            for (const auto &[name, value] : request.headers)
                seen.member(QString::fromUtf8(name), QString::fromUtf8(value));
            peer.json(Message::response(message.id(), seen.endObject().take()).raw());
        };
    }
    static QByteArray allFilesIn(const QString &folder)
    {
        QByteArray all;
        QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly))
                all += file.readAll();
        }
        return all;
    }

private Q_SLOTS:
    void maskedIsAsSondeSendsIt()
    {
        const QByteArray mark =
            "\xE2\x80\xB9"
            "kind-x:00c0ffee"
            "\xE2\x80\xBA";
        const QByteArray facts = factsWith(R"(["Host","127.0.0.1:8080"],["Connection","Keep-Alive"],)"
                                           R"(["Accept","text/plain"],["Mcp-Session-Id","MARK"],)"
                                           R"(["authorization","Bearer MARK"],["X-Once-Token","MARK"],)"
                                           R"(["X-Bytes","a\uFFFDb"],["X-Empty",""],["Content-Length","12"])")
                                     .replace("MARK", mark);
        const RecordedHeaders recorded =
            recordedHeaders(facts, {"Accept", "Mcp-Session-Id", "Authorization", "User-Agent"});
        QVERIFY(recorded.isRecorded);
        const QList<HeaderRow> expected{{u"Accept"_s, u"text/plain"_s, Origin::Typed},
                                        {u"Mcp-Session-Id"_s, {}, Origin::Own},
                                        {u"authorization"_s, {}, Origin::Own},
                                        {u"X-Once-Token"_s, {}, Origin::Lost},
                                        {u"X-Bytes"_s, {}, Origin::Lost},
                                        {u"X-Empty"_s, {}, Origin::Typed}};
        QCOMPARE(recorded.rows, expected);
        // No mask goes out. What Sonde sends by itself and was not there is left out.
        const MessageHeaders sent = messageHeaders(recorded.rows, recorded.ownNames);
        const MessageHeaders expectedSent{
            {"Accept", "text/plain"}, {"X-Once-Token", ""}, {"X-Bytes", ""}, {"X-Empty", ""}, {"User-Agent", ""}};
        QCOMPARE(sent, expectedSent);
        const QStringList findings = headerFindings(recorded.rows, recorded.ownNames);
        QCOMPARE(findings.size(), 2);
        QVERIFY(findings.at(0).contains(u"X-Once-Token") && findings.at(1).contains(u"X-Bytes"));
    }

    void whatAPersonChoseForHttpIsShown()
    {
        const RecordedHeaders recorded =
            recordedHeaders(factsWith(R"(["Host","evil.example"],["Connection","close"])"), {"Accept"});
        QCOMPARE(recorded.rows.size(), 2);
        QCOMPARE(recorded.rows.first().value, u"evil.example"_s);
        const QStringList findings = headerFindings({{u"host"_s, {}, {}}, {u"Accept"_s, u"x"_s, {}}}, {"Accept"});
        QCOMPARE(findings.size(), 1);
        QVERIFY2(findings.first().startsWith(u"host cannot be removed"), qPrintable(findings.first()));
    }

    // Sonde sends it to the proxy in any case, so there is nothing to type; but a server's header of that name is a
    // row.
    void whatAProxyAsksForIsNoRow()
    {
        const QByteArray facts = factsWith(R"(["Proxy-Authorization","Basic x"],["Accept","a"])");
        const QList<HeaderRow> accept{{u"Accept"_s, u"a"_s, Origin::Typed}};
        QCOMPARE(recordedHeaders(facts, {"Accept"}).rows, accept);
        QCOMPARE(recordedHeaders(facts, {"Accept", "Proxy-Authorization"}).rows.size(), 2);
    }

    // What nothing in HTTP needs stays away when a person takes it out.
    void whatIsRemovedIsNotSent()
    {
        FakeHttpServer server(echoing());
        Connection connection(address(server.url()), {});
        QVERIFY2(opens(connection), qPrintable(connection.error().message));
        const QList<QByteArray> removed{"Accept", "Accept-Encoding", "Accept-Language", "User-Agent"};
        QList<HeaderRow> rows;
        for (const QByteArray &own : connection.headerNames()) {
            if (!removed.contains(own))
                rows.append({QString::fromLatin1(own), {}, Origin::Own});
        }
        QVERIFY(headerFindings(rows, connection.headerNames()).isEmpty());
        const auto outcome = outcomeOf(connection.sendRaw(R"({"jsonrpc":"2.0","id":77,"method":"ping"})",
                                                          messageHeaders(rows, connection.headerNames())));
        QVERIFY(outcome && outcome->kind == Outcome::Kind::Ok);
        for (const QByteArray &name : removed)
            QVERIFY2(!server.requests("POST").last().has(name), name.constData());
    }

    void withoutARecordTheyAreSondesOwn()
    {
        for (const QByteArray &facts : {QByteArray(), "{}"_ba}) {
            const RecordedHeaders recorded = recordedHeaders(facts, {"Accept", "X-Team"});
            QVERIFY(!recorded.isRecorded);
            QCOMPARE(recorded.rows, (QList<HeaderRow>{{u"Accept"_s, {}, Origin::Own}, {u"X-Team"_s, {}, Origin::Own}}));
            QVERIFY(messageHeaders(recorded.rows, recorded.ownNames).isEmpty());
        }
        // Nothing to edit where there is no HTTP.
        QVERIFY(recordedHeaders(factsWith(R"(["Accept","x"])"), {}).rows.isEmpty());
    }

    void rowsAreJudgedByTheirNumber()
    {
        QVERIFY(!checkHeaderRows({{u"A"_s, {}, Origin::Own}, {u"B"_s, u"ü"_s, Origin::Typed}}));
        const Error error = checkHeaderRows({{u"A"_s, {}, Origin::Own}, {u"a"_s, u"2"_s, Origin::Typed}});
        QVERIFY2(error.message.contains(u"(header 2)"), qPrintable(error.message));
    }

    // Down through connection, link and client; into the response, but not into the file.
    void aSecretOfOneMessageStaysOut()
    {
        QTemporaryDir folder;
        FakeHttpServer server(echoing());
        ConnectionOptions options;
        options.sessionPath = folder.filePath(u"s.mcpsession"_s);
        const QList<QByteArray> canaries{"canary-bearer-0123", "canary-cookie-0123", "canary-signing-0123",
                                         "canary-query-0123", "canary-wrong-session"};
        {
            Connection connection(address(server.url()), options);
            QVERIFY2(opens(connection), qPrintable(connection.error().message));
            QVERIFY(connection.headerNames().contains("Mcp-Session-Id"));
            const auto outcome = outcomeOf(connection.sendRaw(R"({"jsonrpc":"2.0","id":77,"method":"ping"})",
                                                              {{"Authorization", "Bearer canary-bearer-0123"},
                                                               {"Cookie", "sid=canary-cookie-0123"},
                                                               {"X-Signing-Key", "canary-signing-0123"},
                                                               {"X-Back", "https://h/?token=canary-query-0123"},
                                                               {"Mcp-Session-Id", "canary-wrong-session"},
                                                               {"X-Plain", "in-plain-sight"},
                                                               {"Accept-Language", "de"}}));
            QVERIFY(outcome && outcome->kind == Outcome::Kind::Ok);
            for (const QByteArray &canary : canaries)
                QVERIFY2(outcome->message.raw().contains(canary), canary.constData());
            // The ones after it go as always.
            const auto after = outcomeOf(connection.request(u"ping"));
            QVERIFY(after && after->result()[u"Mcp-Session-Id"].string() == u"session-canary-0001");
            QVERIFY(!after->message.raw().contains("canary-bearer"));
        }
        const QByteArray written = allFilesIn(folder.path());
        QVERIFY(written.contains("in-plain-sight") && written.contains("[\"Accept-Language\",\"de\"]"));
        for (const QByteArray &canary : canaries) {
            for (const QByteArray &form : {canary, canary.toBase64()})
                QVERIFY2(!written.contains(form), canary.constData());
        }
    }

    // A word tried as a credential must not make the rest of the recording unreadable.
    void aShortWordIsMaskedInItsPlaceOnly()
    {
        FakeHttpServer server(echoing());
        Connection connection(address(server.url()), {});
        QVERIFY(opens(connection));
        QVERIFY(outcomeOf(connection.sendRaw(R"({"jsonrpc":"2.0","id":1001,"method":"ping"})",
                                             {{"Authorization", "Bearer"}, {"X-Other", "Bearer of news"}})));
        connection.session()->flush();
        QByteArray all;
        for (qsizetype row = 0; row < connection.session()->size(); ++row)
            all += connection.session()->facts(row) + '\n';
        QVERIFY2(all.contains("Bearer of news"), all.constData());
        QVERIFY(!all.contains("[\"Authorization\",\"Bearer\"]"));
    }

    void whatCannotBeSentSaysWhy()
    {
        FakeHttpServer server(echoing());
        Connection connection(address(server.url()), {});
        QVERIFY(opens(connection));
        QTRY_COMPARE(server.requests("POST").size(), 2);  // the handshake
        const auto outcome =
            outcomeOf(connection.sendRaw(R"({"jsonrpc":"2.0","id":77,"method":"ping"})", {{"X-A", "1\r\nX-B: 2"}}));
        QVERIFY(outcome && outcome->kind == Outcome::Kind::NoResponse);
        QVERIFY(outcome->error.kind == Error::Kind::Local);
        QVERIFY2(outcome->error.message.contains(u"X-A"), qPrintable(outcome->error.message));
        QCOMPARE(server.requests("POST").size(), 2);
        QVERIFY(connection.state() == Connection::State::Connected);
    }

    void withoutHttpThereAreNone()
    {
        ServerSpec spec;
        spec.name = u"test"_s;
        spec.command = test::builtProgram(QStringLiteral("sonde-demo-server"));
        spec.revision = Revision::R20251125;
        Connection connection(spec, {});
        QVERIFY(opens(connection));
        QVERIFY(connection.headerNames().isEmpty());
        const auto outcome =
            outcomeOf(connection.sendRaw(R"({"jsonrpc":"2.0","id":77,"method":"ping"})", {{"X-A", "1"}}));
        QVERIFY(outcome && outcome->error.kind == Error::Kind::Local);
        QVERIFY2(outcome->error.message.contains(u"stdio"), qPrintable(outcome->error.message));
        const auto plain = outcomeOf(connection.sendRaw(R"({"jsonrpc":"2.0","id":78,"method":"ping"})", {}));
        QVERIFY(plain && plain->kind == Outcome::Kind::Ok);
    }
};

SONDE_TEST(HeaderEditTest)
#include "tst_headeredit.moc"
