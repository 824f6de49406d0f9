// Messages of many megabytes: the event loop goes on, memory stays in proportion, and nothing is lost or reordered.
// SPDX-License-Identifier: Apache-2.0
#include "core/client/client.h"
#include "core/client/statefuldialect.h"
#include "core/files/fileops.h"
#include "core/session/recorder.h"
#include "tests/core/transport/httpfixture.h"
#include "tests/core/transport/stdiofixture.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "tests/support/turns.h"

#include <QSignalSpy>
#include <QTemporaryDir>

#include <malloc.h>
#include <sys/resource.h>

#include <cerrno>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;

namespace largemessages {

constexpr qint64 Megabyte = 1'000'000;

qint64 statusValue(const QByteArray &name)
{
    QFile file(u"/proc/self/status"_s);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = file.readAll();
    const qsizetype at = text.indexOf('\n' + name + ':');
    return at < 0 ? 0 : text.mid(at + name.size() + 2, 20).simplified().split(' ').first().toLongLong() * 1024;
}

// The most memory in use from now on, beyond what is in use now.
class MemoryPeak {
public:
    MemoryPeak()
    {
        QFile file(u"/proc/self/clear_refs"_s);
        m_isKnown = file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && file.write("5") == 1;
        m_base = statusValue("VmRSS");
    }
    bool isKnown() const { return m_isKnown; }
    qint64 bytes() const { return statusValue("VmHWM") - m_base; }

private:
    bool m_isKnown = false;
    qint64 m_base = 0;
};

// Leaves that much address space beyond what is in use.
class LittleMemory {
public:
    explicit LittleMemory(qint64 bytes)
    {
        ::getrlimit(RLIMIT_AS, &m_before);
        rlimit less = m_before;
        less.rlim_cur = rlim_t(statusValue("VmSize") + bytes);
        ::setrlimit(RLIMIT_AS, &less);
    }
    ~LittleMemory() { ::setrlimit(RLIMIT_AS, &m_before); }
    Q_DISABLE_COPY_MOVE(LittleMemory)

private:
    rlimit m_before{};
};

class FullDisk final : public FileOps {
public:
    qint64 write(int descriptor, const void *data, size_t size) override
    {
        if (isFull && size > 1000) {
            errno = ENOSPC;
            return -1;
        }
        return FileOps::write(descriptor, data, size);
    }
    std::atomic_bool isFull = false;
};

// A client of fake-stdio-server that records.
struct Recorded {
    explicit Recorded(const QStringList &steps, const QString &path = {}, std::shared_ptr<FileOps> calls = {})
        : session(path.isEmpty() ? std::make_unique<Session>() : Session::create(path, u"x"_s, std::move(calls))),
          transport(optionsFor(steps)),
          recorder(&transport, session.get(), 1),
          client(&transport)
    {
        client.setDialect(std::make_unique<StatefulDialect>(Revision::R20250326));
        QObject::connect(&client, &Client::notified, &client,
                         [this](const Message &message) { told += message.method(); });
        QObject::connect(&client, &Client::findingAdded, &client, [this](const QString &text) { findings += text; });
        transport.open();
        isOpen = QTest::qWaitFor([this] { return transport.state() == Transport::State::Open; });
    }
    static StdioOptions optionsFor(const QStringList &steps)
    {
        StdioOptions options;
        options.program = test::builtProgram(QStringLiteral("fake-stdio-server"));
        options.arguments = steps;
        options.stopStepMs = 200;
        return options;
    }
    void call()
    {
        Call *pending = client.request(u"tools/call", R"({"name":"x"})");
        QObject::connect(pending, &Call::finished, &client, [this](const Outcome &ended) { outcome = ended; });
    }
    qsizetype rowOf(WireEvent::Kind kind, qint64 minBytes) const
    {
        for (qsizetype row = 0; row < session->size(); ++row) {
            if (session->at(row).kind == kind && session->at(row).wireLength >= minBytes)
                return row;
        }
        return -1;
    }

    std::unique_ptr<Session> session;
    StdioTransport transport;
    Recorder recorder;
    Client client;
    std::optional<Outcome> outcome;
    QStringList told;
    QStringList findings;
    bool isOpen = false;
};

}  // namespace largemessages

using namespace largemessages;

class LargeMessagesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        ::mallopt(M_MMAP_THRESHOLD, 1024 * 1024);  // as GuardedApplication does
    }

    // A turn is measured in the processor's time and without optimisation: undivided the work takes seconds.
    void theEventLoopAndTheMemoryStayFree_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("hasFile");
        QTest::newRow("text") << "text" << true;
        QTest::newRow("escapes") << "escapes" << true;
        QTest::newRow("records") << "records" << true;
        QTest::newRow("batch") << "batch" << true;
        QTest::newRow("text, in memory") << "text" << false;
    }
    void theEventLoopAndTheMemoryStayFree()
    {
        QFETCH(QString, kind);
        QFETCH(bool, hasFile);
        constexpr qint64 size = 32 * Megabyte;
        Recorded r({u"readline"_s, u"large:%1:%2"_s.arg(kind).arg(size),
                    u"say:{\"jsonrpc\":\"2.0\",\"method\":\"after\"}"_s, u"waiteof"_s},
                   hasFile ? m_folder.filePath(kind) : QString());
        QVERIFY(r.isOpen);
        r.session->addSecret(u"hT7kQ2vX9mLp4RzW"_s);
        const MemoryPeak peak;
        r.call();
        Turns turns;
        QVERIFY(
            turns.runUntil([&] { return r.outcome && r.told.contains(u"after"_s) && r.session->messageCount() >= 3; }));
        QVERIFY2(r.outcome->kind == Outcome::Kind::Ok, qPrintable(r.outcome->error.message));
        qInfo("longest turn %.1f ms, memory %.2f times the message", turns.longestCpuMs(), double(peak.bytes()) / size);
        if (!isSanitized() && peak.isKnown())
            QVERIFY2(peak.bytes() < 3 * size + 8 * Megabyte, qPrintable(QString::number(peak.bytes())));
        QCOMPARE(r.told.last(), u"after"_s);

        // In the record everything stands in the order of the wire, and belongs together.
        const qsizetype row = r.rowOf(WireEvent::Kind::Message, size / 2);
        QVERIFY(row > 0);
        QCOMPARE(r.session->bytes(row).size(), r.session->at(row).wireLength);
        QCOMPARE(r.session->at(row - 1).messageKind, Message::Kind::Request);
        QVERIFY(r.session->at(row - 1).outcome == RowOutcome::Ok);
        QCOMPARE(r.session->name(r.session->at(row + 1).method), u"after"_s);
        if (kind != u"batch"_s) {
            const QByteArray outline = r.session->outline(row);
            QVERIFY(outline.size() < 1000);
            QCOMPARE(json::parse(outline)[u"id"].toInteger().value_or(0), 1);
        }
        if (kind == u"batch"_s)
            QCOMPARE(r.told.count(u"part"_s), size / 355);
        if (!hasFile)
            return;
        const QByteArray live = r.session->bytes(row);
        r.session->finish();
        const auto read = Session::open(m_folder.filePath(kind));
        QVERIFY(read);
        QVERIFY((*read)->damage().isEmpty());
        QVERIFY((*read)->bytes(row) == live);
        QCOMPARE((*read)->at(row).messageKind, r.session->at(row).messageKind);
        QCOMPARE((*read)->at(row - 1).partner, r.session->at(row - 1).partner);
    }

    void secretsAreMaskedInALargeMessageAsWell()
    {
        Recorded r({u"readline"_s, u"raw:{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"v\":\"hT7kQ2vX9mLp4RzW"_s,
                    u"noise:600000"_s},
                   m_folder.filePath(u"masked"_s));
        QVERIFY(r.isOpen);
        r.session->addSecret(u"hT7kQ2vX9mLp4RzW"_s);
        r.call();
        QTRY_VERIFY(r.rowOf(WireEvent::Kind::Junk, 600'000) >= 0);
        const QByteArray stored = r.session->bytes(r.rowOf(WireEvent::Kind::Junk, 600'000));
        QVERIFY(stored.contains("\xE2\x80\xB9secret:"));
        QVERIFY(!stored.contains("hT7kQ2vX9mLp4RzW"));
    }

    void whatIsStillBeingWrittenIsThereAfterTheEnd()
    {
        const QString path = m_folder.filePath(u"end"_s);
        {
            Recorded r({u"readline"_s, u"large:text:20000000"_s, u"waiteof"_s}, path);
            QVERIFY(r.isOpen);
            r.call();
            QTRY_VERIFY(r.outcome);
            r.session->addFinding(u"behind it"_s, {}, 1);
            r.session->finish();
        }
        const auto read = Session::open(path);
        QVERIFY(read);
        const qsizetype last = (*read)->size() - 1;
        QCOMPARE((*read)->at(last).kind, WireEvent::Kind::End);
        QCOMPARE((*read)->at(last - 1).kind, WireEvent::Kind::Note);
        QVERIFY((*read)->at(last - 2).wireLength > 20'000'000);
        QVERIFY((*read)->damage().isEmpty());
    }

    void aFullDiskKeepsALargeRecordInMemory()
    {
        const QString path = m_folder.filePath(u"full"_s);
        const auto disk = std::make_shared<FullDisk>();
        Recorded r({u"readline"_s, u"large:text:3000000"_s, u"waiteof"_s}, path, disk);
        QVERIFY(r.isOpen);
        QSignalSpy failed(r.session.get(), &Session::recordingFailed);
        disk->isFull = true;
        r.call();
        QTRY_COMPARE(failed.size(), 1);
        QTRY_VERIFY(r.rowOf(WireEvent::Kind::Message, 3'000'000) >= 0);
        const qsizetype row = r.rowOf(WireEvent::Kind::Message, 3'000'000);
        QCOMPARE(r.session->bytes(row).size(), r.session->at(row).wireLength);
        disk->isFull = false;
        r.session->finish();
        QVERIFY(!r.session->error());
        const auto read = Session::open(path);
        QVERIFY(read);
        QVERIFY((*read)->damage().isEmpty());
        QCOMPARE((*read)->bytes(row).size(), r.session->at(row).wireLength);
    }

    void whatStandsBesideALargePayloadIsReadWithoutIt()
    {
        for (const QString &path : {QString(), m_folder.filePath(u"facts"_s)}) {
            const auto session = path.isEmpty() ? std::make_unique<Session>() : Session::create(path, {});
            WireEvent event;
            event.kind = WireEvent::Kind::Message;
            event.direction = Direction::FromServer;
            event.message = Message::response(RequestId(5), "{\"v\":\"" + QByteArray(2'000'000, 'v') + "\"}");
            event.bytes = event.message.raw();
            event.facts = R"({"stream":7})";
            session->append(event, 1);
            session->flush();
            QCOMPARE(session->size(), 1);
            QCOMPARE(json::parse(session->facts(0))[u"stream"].toInteger().value_or(0), 7);
            QVERIFY(session->wallTime(0).secsTo(QDateTime::currentDateTimeUtc()) < 600);
            QCOMPARE(session->outline(0), R"({"jsonrpc":"2.0","id":5,"result":{"v":""}})"_ba);
            QVERIFY(session->bytes(0) == event.bytes);
        }
    }

    void largeHttpResponsesArriveWholeAndInOrder_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char *kind : {"body", "event", "batch", "something else"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    void largeHttpResponsesArriveWholeAndInOrder()
    {
        QFETCH(QString, kind);
        const QByteArray result = "{\"v\":\"" + QByteArray(3'000'000, 't') + "\"}";
        FakeHttpServer server([&](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            const QByteArray response = resultFor(request, result);
            if (methodOf(request) == u"ping"_s) {
                peer.json(resultFor(request));
            } else if (kind == u"event"_s) {
                peer.beginEvents();
                peer.event(response, "1");
                peer.event(Message::notification(u"after").raw());
                peer.endEvents();
            } else if (kind == u"batch"_s) {
                peer.json('[' + Message::notification(u"before").raw() + ',' + response + ']');
            } else {
                peer.json(kind == u"body"_s ? response : Message::response(RequestId(99), result).raw());
            }
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        if (kind == u"batch"_s)
            h.transport->setRevision(Revision::R20250326);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), kind == u"event"_s ? 2 : 1);
        QVERIFY(h.probe->received.first().raw().size() > result.size());
        QTRY_COMPARE(h.probe->failed.size(), kind == u"something else"_s ? 1 : 0);
        QVERIFY(!h.call(2, u"ping"));
        QTRY_COMPARE(h.probe->received.size(), kind == u"event"_s ? 3 : 2);
        QCOMPARE(h.probe->received.last().id(), RequestId(2));
        QCOMPARE(h.probe->failed.size(), kind == u"something else"_s ? 1 : 0);
    }

    // Without memory for a line that line fails, and the next one is read as ever. Of a list of small numbers the bytes
    // may fit, and what they mean, twelve times as much, does not.
    void aMessageThatDoesNotFitIntoMemoryFailsAlone_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("megabytes");
        QTest::addColumn<int>("recorded");
        QTest::newRow("the line") << u"text"_s << 300'000'000 << 100 << int(WireEvent::Kind::Partial);
        QTest::newRow("its tree") << u"numbers"_s << 30'000'000 << 250 << int(WireEvent::Kind::Message);
    }
    void aMessageThatDoesNotFitIntoMemoryFailsAlone()
    {
        if (isSanitized())
            QSKIP("AddressSanitizer takes the address space for itself.");
        QFETCH(QString, kind);
        QFETCH(int, bytes);
        QFETCH(int, megabytes);
        QFETCH(int, recorded);
        Recorded r({u"readline"_s, u"large:%1:%2"_s.arg(kind).arg(bytes),
                    u"say:{\"jsonrpc\":\"2.0\",\"method\":\"after\"}"_s, u"waiteof"_s},
                   m_folder.filePath(u"memory-"_s + kind));
        QVERIFY(r.isOpen);
        {
            const LittleMemory limit(megabytes * Megabyte);
            r.call();
            QTRY_VERIFY_WITH_TIMEOUT(r.outcome && r.told.contains(u"after"_s), 60'000);
        }
        QVERIFY2(r.outcome->error.message.contains(u"Out of memory"_s), qPrintable(r.outcome->error.message));
        QTRY_VERIFY(r.rowOf(WireEvent::Kind(recorded), bytes) >= 0);
        QCOMPARE(r.transport.state(), Transport::State::Open);
    }

private:
    QTemporaryDir m_folder;
};

SONDE_TEST(LargeMessagesTest)
#include "tst_largemessages.moc"
