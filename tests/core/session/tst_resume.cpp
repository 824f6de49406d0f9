// The disk was full, and is not any more. And other places that cannot be written to.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionlibrary.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cerrno>

using namespace sonde;
using namespace sonde::test;

namespace {

class ReadOnlyCalls : public FileOps {
public:
    int create(const QString &) override
    {
        errno = EROFS;
        return -1;
    }
};

}  // namespace

class ResumeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_calls = std::make_shared<FaultyCalls>();
        m_session = Session::create(m_dir.filePath(QString::number(++m_count)), QStringLiteral("demo"), m_calls);
        QVERIFY(!m_session->error());
    }

    void byItself()
    {
        fillTheDisk();
        QSignalSpy resumed(m_session.get(), &Session::recordingResumed);
        QSignalSpy failed(m_session.get(), &Session::recordingFailed);
        m_calls->isFull = false;
        QVERIFY(resumed.wait(30'000));
        QVERIFY(failed.isEmpty());
        isWhole();
    }

    void onCommand_data()
    {
        QTest::addColumn<bool>("canShorten");
        QTest::addRow("the torn line could be taken back") << true;
        QTest::addRow("the torn line is still there") << false;
    }

    void onCommand()
    {
        QFETCH(bool, canShorten);
        m_calls->canShorten = canShorten;
        fillTheDisk();
        QSignalSpy resumed(m_session.get(), &Session::recordingResumed);
        QSignalSpy failed(m_session.get(), &Session::recordingFailed);
        m_session->resumeRecording();  // too early
        m_session->flush();
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(resumed.isEmpty());
        QVERIFY(m_session->error());

        m_calls->isFull = false;
        m_session->resumeRecording();
        QTRY_COMPARE(resumed.size(), 1);
        QCOMPARE(failed.size(), 1);
        isWhole(canShorten ? 0 : 2);  // the torn line of either attempt
    }

    // More than goes out in one turn, while more of it comes.
    void inPieces()
    {
        fillTheDisk();
        const QByteArray much(300'000, 'm');
        for (int i = 0; i < 20; ++i)
            m_session->append(happening(WireEvent::Kind::Stderr, Direction::FromServer, much), 1);
        m_session->flush();
        QSignalSpy resumed(m_session.get(), &Session::recordingResumed);
        m_calls->isFull = false;
        m_session->resumeRecording();
        QVERIFY(resumed.isEmpty());  // not in one turn
        playLittle(*m_session);
        QTRY_COMPARE(resumed.size(), 1);
        isWhole();
    }

    void atOnce()
    {
        fillTheDisk();
        const QByteArray much(300'000, 'm');
        for (int i = 0; i < 20; ++i)
            m_session->append(happening(WireEvent::Kind::Stderr, Direction::FromServer, much), 1);
        m_session->flush();
        m_calls->isFull = false;
        m_session->resumeRecording();  // in turns, of which the first one ran
        QVERIFY(m_session->error());
        QSignalSpy resumed(m_session.get(), &Session::recordingResumed);
        m_session->append(happening(WireEvent::Kind::Stderr, Direction::FromServer, much), 1);
        m_session->resumeRecording(Session::Pace::AtOnce);
        QVERIFY(!m_session->error());
        QCOMPARE(resumed.size(), 1);
        QCoreApplication::processEvents();
        QCOMPARE(resumed.size(), 1);
        isWhole();
    }

    void fullAgainHalfWay()
    {
        fillTheDisk();
        const QByteArray much(300'000, 'm');
        for (int i = 0; i < 20; ++i)
            m_session->append(happening(WireEvent::Kind::Stderr, Direction::FromServer, much), 1);
        m_session->flush();
        QSignalSpy resumed(m_session.get(), &Session::recordingResumed);
        m_calls->isFull = false;
        m_session->resumeRecording();
        m_calls->isFull = true;
        QTRY_VERIFY(m_calls->writes > 4);
        QCOMPARE(resumed.size(), 0);
        {
            const auto reopened = Session::open(m_session->path());
            QVERIFY(reopened);
            QVERIFY((*reopened)->size() > 9 && (*reopened)->size() < m_session->size());
        }
        m_calls->isFull = false;
        m_session->resumeRecording();
        QTRY_COMPARE(resumed.size(), 1);
        isWhole();
    }

    void atTheEnd_data()
    {
        QTest::addColumn<bool>("isAsked");
        QTest::addRow("before anything was tried") << false;
        QTest::addRow("while it is being caught up") << true;
    }

    // Who disconnects does not wait for the next attempt.
    void atTheEnd()
    {
        QFETCH(bool, isAsked);
        fillTheDisk();
        const QByteArray much(300'000, 'm');
        for (int i = 0; i < 20; ++i)
            m_session->append(happening(WireEvent::Kind::Stderr, Direction::FromServer, much), 1);
        QSignalSpy resumed(m_session.get(), &Session::recordingResumed);
        m_calls->isFull = false;
        if (isAsked)
            m_session->resumeRecording();
        QVERIFY(m_session->error());
        m_session->finish();
        QVERIFY(!m_session->error());
        QCOMPARE(resumed.size(), 1);
        const auto reopened = Session::open(m_session->path());
        QVERIFY(reopened);
        QCOMPARE((*reopened)->damage().size(), 0);
        QCOMPARE(describeAll(**reopened), describeAll(*m_session));
        QCOMPARE((*reopened)->at((*reopened)->size() - 1).kind, WireEvent::Kind::End);
        QCoreApplication::processEvents();
        QCOMPARE(resumed.size(), 1);
    }

    void stillFullAtTheEnd()
    {
        fillTheDisk();
        QSignalSpy failed(m_session.get(), &Session::recordingFailed);
        QSignalSpy resumed(m_session.get(), &Session::recordingResumed);
        m_session->finish();
        QCOMPARE(m_session->error().code, ENOSPC);
        QVERIFY(failed.isEmpty() && resumed.isEmpty());  // it was said before
        const auto reopened = Session::open(m_session->path());
        QVERIFY(reopened);
        QVERIFY((*reopened)->damage().isEmpty());
        QVERIFY((*reopened)->size() >= 9 && (*reopened)->size() < m_session->size());
    }

    void fullFromTheBeginning_data() { onCommand_data(); }

    // Not even the header was there.
    void fullFromTheBeginning()
    {
        QFETCH(bool, canShorten);
        const auto calls = std::make_shared<FaultyCalls>();
        calls->canShorten = canShorten;
        calls->isFull = true;
        m_session = Session::create(m_dir.filePath(QString::number(++m_count)), QStringLiteral("demo"), calls);
        QCOMPARE(m_session->error().code, ENOSPC);
        QVERIFY(!m_session->error().hint.isEmpty());  // which says that it goes on by itself
        playLittle(*m_session);
        m_session->flush();
        QSignalSpy resumed(m_session.get(), &Session::recordingResumed);
        calls->isFull = false;
        QVERIFY(resumed.wait(30'000));
        isWhole();
    }

    void nothingToResume()
    {
        m_session->resumeRecording();
        playLittle(*m_session);
        m_session->finish();
        m_session->resumeRecording();
        Session memory;
        memory.resumeRecording();
        QVERIFY(!memory.error());
    }

    void readOnlyHome()
    {
        const std::unique_ptr<Session> session =
            Session::create(m_dir.filePath(QStringLiteral("no")), {}, std::make_shared<ReadOnlyCalls>());
        QCOMPARE(session->error().code, EROFS);
        playLittle(*session);
        session->flush();
        QCOMPARE(session->size(), 9);
        QCOMPARE(session->bytes(3), QByteArray("ready \xE2\x9C\x93"));
        // A real place where nobody may write, not even root.
        const SessionLibrary library(QStringLiteral("/proc/sonde/sessions"));
        QVERIFY(library.ensureFolder());
        QVERIFY(Session::create(QStringLiteral("/proc/sonde.mcpsession"), {})->error());
    }

    void twoInstances()
    {
        playLittle(*m_session);
        m_session->flush();
        const std::unique_ptr<Session> second = Session::create(m_session->path(), QStringLiteral("other"));
        QCOMPARE(second->error().code, EEXIST);
        QVERIFY(second->path().isEmpty());
        playLittle(*second);
        second->flush();
        QCOMPARE(second->size(), 9);
        // Whoever looks from elsewhere sees what there is so far, and that it goes on.
        const auto watcher = Session::openInBatches(m_session->path());
        QVERIFY(watcher);
        QTRY_VERIFY_WITH_TIMEOUT(!(*watcher)->isLoading(), 30'000);
        QCOMPARE((*watcher)->size(), 9);
        QVERIFY((*watcher)->damage().isEmpty());
        playLittle(*m_session);
        isWhole();
    }

private:
    void fillTheDisk()
    {
        playLittle(*m_session);
        m_session->flush();
        QSignalSpy failed(m_session.get(), &Session::recordingFailed);
        m_calls->isFull = true;
        for (int turn = 0; turn < 5; ++turn) {
            playLittle(*m_session);
            m_session->flush();
        }
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(m_session->error().code, ENOSPC);
        QCOMPARE(m_session->size(), 54);
    }

    // Recording goes on in the file, which holds all of it in the end.
    void isWhole(qsizetype damaged = 0)
    {
        QVERIFY(!m_session->error());
        playLittle(*m_session);
        m_session->finish();
        QVERIFY(!m_session->error());
        const auto reopened = Session::open(m_session->path());
        QVERIFY(reopened);
        QCOMPARE((*reopened)->damage().size(), damaged);
        QCOMPARE(describeAll(**reopened), describeAll(*m_session));
    }

    QTemporaryDir m_dir;
    int m_count = 0;
    std::shared_ptr<FaultyCalls> m_calls;
    std::unique_ptr<Session> m_session;
};

SONDE_TEST(ResumeTest)

#include "tst_resume.moc"
