// A session whose rows come in batches ends up as one that was read in one go.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QThreadPool>
#include <atomic>
#include <cstring>
#include <new>

using namespace sonde;
using namespace sonde::test;

namespace {

// Whoever asked goes away as soon as the records are being read.
class StoppingCalls : public FaultyCalls {
public:
    qint64 read(int descriptor, void *data, size_t size, qint64 offset) override
    {
        if (offset > 0)
            *stop = true;
        return FaultyCalls::read(descriptor, data, size, offset);
    }

    std::shared_ptr<std::atomic_bool> stop = std::make_shared<std::atomic_bool>(false);
};

// There is no memory for what a thread of its own reads.
class HungryCalls : public FaultyCalls {
public:
    qint64 read(int descriptor, void *data, size_t size, qint64 offset) override
    {
        if (QThread::currentThread() != QCoreApplication::instance()->thread())
            throw std::bad_alloc();
        return FaultyCalls::read(descriptor, data, size, offset);
    }
};

}  // namespace

class LoadingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void inBatches_data()
    {
        QTest::addColumn<QByteArray>("file");
        const QString path = m_dir.filePath(QStringLiteral("source"));
        {
            const std::unique_ptr<Session> live = Session::create(path, QStringLiteral("demo"));
            playEverything(*live, true);
            constexpr int calls = 6000;  // more than a batch lie between a server request and its response
            for (int i = 1000; i < 1000 + calls; ++i)
                live->append(
                    sent(R"({"jsonrpc":"2.0","id":)" + QByteArray::number(i) +
                         R"(,"method":"tools/call","params":{"name":"t)" + QByteArray::number(i % 7) + R"("}})"),
                    4);
            for (int i = 1000; i < 1000 + calls; i += 2)
                live->append(received(R"({"jsonrpc":"2.0","id":)" + QByteArray::number(i) + R"(,"result":{}})"), 4);
        }
        const QByteArray whole = readFile(path);
        QTest::addRow("whole") << whole;
        QTest::addRow("torn") << whole.chopped(7);
        QByteArray flipped = whole;
        flipped[whole.size() / 3] = char(flipped.at(whole.size() / 3) ^ 4);
        QTest::addRow("a bit flipped") << flipped;
        QByteArray zeroed = whole;
        std::memset(zeroed.data() + 100'000, 0, 4096);
        QTest::addRow("a block zeroed") << zeroed;
        QTest::addRow("blocks swapped") << whole.first(50'000) + whole.mid(200'000, 50'000) +
                                               whole.mid(100'000, 100'000) + whole.mid(50'000, 50'000) +
                                               whole.mid(250'000);
        const qsizetype firstLine = whole.indexOf('\n') + 1;
        QTest::addRow("header only") << whole.first(firstLine);
    }

    void inBatches()
    {
        QFETCH(QByteArray, file);
        const QString path = m_dir.filePath(QStringLiteral("file"));
        writeFile(path, file);
        const auto atOnce = Session::open(path);
        QVERIFY(atOnce);

        auto opened = Session::openInBatches(path);
        QVERIFY(opened);
        Session &session = **opened;
        QVERIFY(session.isLoading());
        QCOMPARE(session.size(), 0);
        QSignalSpy loaded(&session, &Session::loaded);
        qsizetype next = 0;
        bool isGapless = true;
        QList<QByteArray> shown;  // as it was when it appeared, and brought up to date by changed()
        connect(&session, &Session::appended, this, [&](qsizetype first, qsizetype last) {
            isGapless = isGapless && first == next && last == session.size() - 1;
            next = last + 1;
            for (qsizetype row = first; row <= last; ++row)
                shown.append(describe(session, row));
        });
        connect(&session, &Session::changed, this, [&](qsizetype row) { shown[row] = describe(session, row); });
        QTRY_COMPARE_WITH_TIMEOUT(loaded.size(), 1, 30'000);
        QVERIFY(isGapless);
        QVERIFY(!session.isLoading());
        QCOMPARE(next, (*atOnce)->size());
        QCOMPARE(describeAll(session), describeAll(**atOnce));
        QCOMPARE(shown, describeAll(session));
        QCOMPARE(session.totalBytes(), (*atOnce)->totalBytes());
        QCOMPARE(session.messageCount(), (*atOnce)->messageCount());
        QCOMPARE(session.damage().size(), (*atOnce)->damage().size());
        for (qsizetype i = 0; i < session.damage().size(); ++i) {
            QCOMPARE(session.damage().at(i).offset, (*atOnce)->damage().at(i).offset);
            QCOMPARE(session.damage().at(i).length, (*atOnce)->damage().at(i).length);
            QCOMPARE(session.damage().at(i).reason, (*atOnce)->damage().at(i).reason);
        }
    }

    void goneWhileItLoads()
    {
        const QString path = m_dir.filePath(QStringLiteral("source"));
        for (int i = 0; i < 20; ++i) {
            auto opened = Session::openInBatches(path);
            QVERIFY(opened);
            if (i % 2 == 1)
                QCoreApplication::processEvents();
            const std::unique_ptr<Session> gone = std::move(opened).value();
        }
        // Somebody who hears of the first rows closes the session.
        auto opened = Session::openInBatches(path);
        QVERIFY(opened);
        std::unique_ptr<Session> session = std::move(opened).value();
        connect(session.get(), &Session::appended, this, [&] { session.reset(); });
        QTRY_VERIFY_WITH_TIMEOUT(!session, 30'000);
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
    }

    // What is left of the file is not read.
    void openingCanBeStopped()
    {
        const QString path = m_dir.filePath(QStringLiteral("long"));
        {
            const std::unique_ptr<Session> live = Session::create(path, QStringLiteral("demo"));
            const QByteArray filler(1000, 'x');
            for (int i = 0; i < 20000; ++i)
                live->append(received(R"({"jsonrpc":"2.0","method":"m","params":{"a":")" + filler + R"("}})"), 1);
        }
        const auto calls = std::make_shared<StoppingCalls>();
        const auto stopped = Session::open(path, calls, calls->stop);
        QVERIFY(!stopped);
        QVERIFY(*calls->stop);
        QVERIFY2(calls->bytesRead < QFileInfo(path).size() / 2, qPrintable(QString::number(calls->bytesRead)));
    }

    // What could be read stays, and the rest is said to be missing.
    void memoryRunsOut()
    {
        const QString path = m_dir.filePath(QStringLiteral("hungry"));
        writeFile(path, readFile(m_dir.filePath(QStringLiteral("source"))));
        const auto opened = Session::openInBatches(path, std::make_shared<HungryCalls>());
        QVERIFY(opened);
        const Session &session = **opened;
        QSignalSpy loaded(&session, &Session::loaded);
        QTRY_COMPARE_WITH_TIMEOUT(loaded.size(), 1, 30'000);
        QVERIFY(!session.isLoading());
        QCOMPARE(session.damage().size(), 1);
        QVERIFY2(session.damage().last().reason.contains(u"Not enough memory"),
                 qPrintable(session.damage().last().reason));
    }

    void noSession()
    {
        const QString path = m_dir.filePath(QStringLiteral("none"));
        QVERIFY(!Session::openInBatches(path));
        writeFile(path, "something else");
        QVERIFY(!Session::openInBatches(path));
    }

    // A bad sector costs the records in it and no others.
    void unreadablePages()
    {
        const QString path = m_dir.filePath(QStringLiteral("source"));
        const auto whole = Session::open(path);
        QVERIFY(whole);
        const auto calls = std::make_shared<FaultyCalls>();
        calls->unreadableFrom = 150'000;
        calls->unreadableTo = 160'000;
        const auto opened = Session::open(path, calls);
        QVERIFY(opened);
        const Session &session = **opened;
        QCOMPARE(session.damage().size(), 1);
        const DamagedRange damage = session.damage().first();
        QVERIFY(damage.offset <= 150'000 && damage.offset > 140'000);
        QVERIFY(damage.offset + damage.length >= 160'000 && damage.offset + damage.length < 170'000);
        QVERIFY(session.size() < (*whole)->size());
        QVERIFY(session.size() > (*whole)->size() - 200);
        for (qsizetype row = 0; row < session.size(); ++row)
            QVERIFY(!session.bytes(row).isEmpty() || session.at(row).wireLength == 0);

        // Bad only now: rows that were there say nothing rather than something else.
        const auto later = std::make_shared<FaultyCalls>();
        const auto other = Session::open(path, later);
        QVERIFY(other);
        later->unreadableTo = 1'000'000'000;
        QCOMPARE((*other)->bytes(50), QByteArray());
        QCOMPARE((*other)->facts(0), QByteArray());
        QVERIFY(!Session::open(path, later));
    }

private:
    QTemporaryDir m_dir;
};

SONDE_TEST(LoadingTest)

#include "tst_loading.moc"
