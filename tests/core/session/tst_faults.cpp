// Disks that are full, broken or not to be written to.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace sonde::test;

class FaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWrite_data()
    {
        QTest::addColumn<FaultyCalls::Fault>("fault");
        QTest::addColumn<bool>("fatal");
        QTest::addColumn<bool>("lasts");
        for (const bool lasts : {true, false}) {
            const char *const when = lasts ? "from then on" : "once";
            QTest::addRow("no space, %s", when) << FaultyCalls::Fault::NoSpace << true << lasts;
            QTest::addRow("I/O error, %s", when) << FaultyCalls::Fault::IoError << true << lasts;
            QTest::addRow("short, then no space, %s", when) << FaultyCalls::Fault::ShortThenNoSpace << true << lasts;
            QTest::addRow("nothing written, %s", when) << FaultyCalls::Fault::Nothing << true << lasts;
        }
        QTest::addRow("short") << FaultyCalls::Fault::Short << false << false;
        QTest::addRow("interrupted") << FaultyCalls::Fault::Interrupted << false << false;
    }

    // The failing write moves on until a run is through without meeting it. What failed once is made up for at the end
    // at the latest.
    void everyWrite()
    {
        QFETCH(FaultyCalls::Fault, fault);
        QFETCH(bool, fatal);
        QFETCH(bool, lasts);
        int k = 1;
        for (bool met = true; met; ++k) {
            const auto calls = std::make_shared<FaultyCalls>();
            calls->fault = fault;
            calls->failAt = k;
            calls->lasts = lasts;
            const QString path = m_dir.filePath(QStringLiteral("%1-%2-%3").arg(int(fault)).arg(lasts).arg(k));
            const std::unique_ptr<Session> session = Session::create(path, QStringLiteral("demo"), calls);
            QSignalSpy failed(session.get(), &Session::recordingFailed);
            QSignalSpy resumed(session.get(), &Session::recordingResumed);
            for (int turn = 0; turn < 8; ++turn) {
                playLittle(*session);
                session->flush();
            }
            const QList<QByteArray> live = describeAll(*session);
            session->finish();
            met = calls->writes >= k;
            const bool failedBeforeTheEnd = met && fatal && k < 10;
            const bool broken = met && fatal && lasts;
            QCOMPARE(bool(session->error()), broken);
            QCOMPARE(failed.size(), k > 1 && (failedBeforeTheEnd || broken) ? 1 : 0);
            QCOMPARE(resumed.size(), failedBeforeTheEnd && !lasts ? 1 : 0);

            // Nothing that was recorded is lost to whoever looks at the session now.
            QCOMPARE(session->size(), 8 * 9 + 1);
            for (qsizetype row = 0; row < session->size(); ++row) {
                QVERIFY(session->wallTime(row).toMSecsSinceEpoch() > 0);
                const bool hasBytes = session->at(row).wireLength > 0;
                QCOMPARE(!session->bytes(row).isEmpty(), hasBytes);
            }
            // And the file is a sound session, up to where it came.
            const auto reopened = Session::open(path);
            QCOMPARE(reopened.ok(), !broken || k > 1);
            if (!reopened) {
                QVERIFY(!QFile::exists(path));
                QVERIFY(session->path().isEmpty());
                continue;
            }
            QVERIFY((*reopened)->damage().isEmpty());
            QCOMPARE((*reopened)->size() == session->size(), !broken);
            for (qsizetype row = 0; row < (*reopened)->size(); ++row)
                QCOMPARE(contentOf(**reopened, row), contentOf(*session, row));
            if (broken && fault == FaultyCalls::Fault::ShortThenNoSpace)
                QVERIFY((*reopened)->size() > 9 * (k - 2) || k == 2 || k == 10);  // whole records of half a batch stay
        }
        QCOMPARE(k, 12);  // header, eight turns, the end; and one run without a fault
    }

    void everyWriteOfAFlood_data()
    {
        QTest::addColumn<bool>("lasts");
        QTest::newRow("from then on") << true;
        QTest::newRow("once") << false;
    }

    // So many records in one turn that another thread writes most of them, and one of its writes fails.
    void everyWriteOfAFlood()
    {
        QFETCH(bool, lasts);
        constexpr int count = 2000;
        const auto note = [](int number) {
            return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                   "message\",\"params\":{\"level\":\"info\",\"data\":\"" +
                   QByteArray::number(number).rightJustified(500, '.') + "\"}}";
        };
        int k = 2;
        for (bool met = true; met; ++k) {
            const auto calls = std::make_shared<FaultyCalls>();
            calls->fault = FaultyCalls::Fault::ShortThenNoSpace;
            calls->failAt = k;
            calls->lasts = lasts;
            const QString path = m_dir.filePath(QStringLiteral("flood-%1-%2").arg(lasts).arg(k));
            const std::unique_ptr<Session> session = Session::create(path, QStringLiteral("demo"), calls);
            for (int i = 0; i < count; ++i)
                session->append(received(note(i)), 1);
            session->flush();
            session->finish();
            met = calls->writes >= k;
            QCOMPARE(bool(session->error()), met && lasts);

            QCOMPARE(session->size(), count + 1);
            for (int row = 0; row < count; ++row)
                QCOMPARE(session->bytes(row), note(row));
            const auto reopened = Session::open(path);
            QVERIFY(reopened.ok());
            QVERIFY((*reopened)->damage().isEmpty());
            QCOMPARE((*reopened)->size() == session->size(), !(met && lasts));
            for (int row = 0; row < qMin<qsizetype>(count, (*reopened)->size()); ++row)
                QCOMPARE((*reopened)->bytes(row), note(row));
        }
        QVERIFY(k > 10);
    }

    void aFileThatIsThereIsLeftAlone()
    {
        const QString path = m_dir.filePath(QStringLiteral("there"));
        writeFile(path, "precious");
        Session::create(path, {})->finish();
        QCOMPARE(readFile(path), QByteArray("precious"));
    }

    void noFolder()
    {
        const std::unique_ptr<Session> session = Session::create(m_dir.filePath(QStringLiteral("no/such")), {});
        QVERIFY(session->error());
        QVERIFY(session->path().isEmpty());
        playLittle(*session);
        session->flush();
        QCOMPARE(session->size(), 9);
        QCOMPARE(session->bytes(3), QByteArray("ready \xE2\x9C\x93"));
        QVERIFY(session->isLive());
    }

    void failingDisk()
    {
        const auto calls = std::make_shared<FaultyCalls>();
        calls->failSync = true;
        const std::unique_ptr<Session> session = Session::create(m_dir.filePath(QStringLiteral("sync")), {}, calls);
        QSignalSpy failed(session.get(), &Session::recordingFailed);
        playLittle(*session);
        session->flush();
        QVERIFY(!session->error());
        QVERIFY(failed.wait(20'000));  // brought to the disk within a second or two
        QVERIFY(session->error());
        playLittle(*session);
        session->finish();
        QCOMPARE(session->size(), 19);
        QCOMPARE(session->bytes(3), session->bytes(12));
        QCOMPARE(failed.size(), 1);
    }

private:
    QTemporaryDir m_dir;
};

SONDE_TEST(FaultsTest)

#include "tst_faults.moc"
