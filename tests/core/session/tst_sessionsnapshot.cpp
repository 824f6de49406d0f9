// A snapshot says what the session said at that moment, whatever has become of it since.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionsnapshot.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace sonde;
using namespace sonde::test;

class SessionSnapshotTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ofAnySession_data()
    {
        QTest::addColumn<bool>("hasFile");
        QTest::addColumn<bool>("isFull");
        QTest::addRow("in memory") << false << false;
        QTest::addRow("in a file") << true << false;
        QTest::addRow("the disk is full half-way") << true << true;
    }

    void ofAnySession()
    {
        QFETCH(bool, hasFile);
        QFETCH(bool, isFull);
        const auto calls = std::make_shared<FaultyCalls>();
        const QTemporaryDir folder;
        std::unique_ptr<Session> session =
            hasFile ? Session::create(folder.filePath(QStringLiteral("a")), QStringLiteral("demo"), calls)
                    : std::make_unique<Session>();
        playEverything(*session, true);
        session->flush();
        calls->isFull = isFull;
        playLittle(*session);
        session->append(sent(R"({"jsonrpc":"2.0","id":"open","method":"tools/call","params":{"name":"t"}})"), 9);
        session->flush();
        QCOMPARE(bool(session->error()), isFull);
        const QList<QByteArray> then = describeAll(*session);
        const SessionSnapshot snapshot(*session);

        // It goes on: a response changes a row that was there.
        session->append(received(R"({"jsonrpc":"2.0","id":"open","result":{}})"), 9);
        playEverything(*session, true);
        session->flush();
        QVERIFY(describeAll(*session).first(then.size()) != then);
        QCOMPARE(describedElsewhere(snapshot), then);
        session.reset();
        QCOMPARE(describedElsewhere(snapshot), then);
    }

private:
    static QList<QByteArray> describedElsewhere(const SessionSnapshot &snapshot)
    {
        QList<QByteArray> described;
        const std::unique_ptr<QThread> thread(QThread::create([&] { described = describeAll(*snapshot.open()); }));
        thread->start();
        thread->wait();
        return described;
    }
};

SONDE_TEST(SessionSnapshotTest)

#include "tst_sessionsnapshot.moc"
