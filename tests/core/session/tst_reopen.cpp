// A session that is opened again says exactly what it said while it was recorded.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace sonde::test;

class ReopenTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twin_data()
    {
        QTest::addColumn<bool>("finished");
        QTest::addRow("while it is being recorded") << false;
        QTest::addRow("after its end") << true;
    }

    void twin()
    {
        QFETCH(bool, finished);
        const std::unique_ptr<Session> live =
            Session::create(m_dir.filePath(QStringLiteral("%1").arg(finished)), QStringLiteral("Server \"x\""));
        playEverything(*live);
        if (finished)
            live->finish();
        QVERIFY(!live->error());

        const auto reopened = Session::open(live->path());
        QVERIFY(reopened);
        const Session &twin = **reopened;
        QVERIFY(twin.damage().isEmpty());
        QCOMPARE(twin.size(), live->size());
        for (qsizetype row = 0; row < twin.size(); ++row)
            QCOMPARE(describe(twin, row), describe(*live, row));
        QCOMPARE(twin.serverName(), live->serverName());
        QCOMPARE(twin.createdAt(), live->createdAt());
        QCOMPARE(twin.totalBytes(), live->totalBytes());
        QCOMPARE(twin.messageCount(), live->messageCount());
        QCOMPARE(twin.fileSize(), live->fileSize());
        QCOMPARE(twin.path(), live->path());
        QVERIFY(!twin.isLive());
        QCOMPARE(live->isLive(), !finished);
    }

    void exactBytes()
    {
        const std::unique_ptr<Session> live = Session::create(m_dir.filePath(QStringLiteral("bytes")), {});
        QList<QByteArray> payloads = {{}, QByteArray(1, '\0'), "\n", "\r\n", "\\", "\"", "\xEF\xBB\xBF", "\xC0\x80"};
        for (int i = 0; i < 256; ++i)
            payloads << QByteArray(1, char(i)) << "x" + QByteArray(1, char(i)) + "\xF0\x9F\x98\x80";
        for (int size : {4094, 4095, 4096, 4097, 8192})
            payloads << QByteArray(size, 'a') + "\xE2\x82\xAC" + QByteArray(size, '\n');
        for (const QByteArray &payload : std::as_const(payloads))
            live->append(happening(WireEvent::Kind::Junk, Direction::FromServer, payload), 1);
        live->finish();
        const auto reopened = Session::open(live->path());
        QVERIFY(reopened);
        for (qsizetype row = 0; row < payloads.size(); ++row) {
            QCOMPARE(live->bytes(row), payloads.at(row));
            QCOMPARE((*reopened)->bytes(row), payloads.at(row));
        }
    }

    void whatWasLeftOpenIsUnanswered()
    {
        const QString path = m_dir.filePath(QStringLiteral("open"));
        std::unique_ptr<Session> live = Session::create(path, {});
        live->append(sent(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), 1);
        live->flush();
        // Somebody may still answer: the recording goes on.
        const auto early = Session::open(path);
        QVERIFY(early);
        QCOMPARE((*early)->at(0).outcome, RowOutcome::Pending);
        const QByteArray bytes = readFile(path);
        live.reset();
        writeFile(path, bytes);  // as if it had been killed before its end
        const auto late = Session::open(path);
        QVERIFY(late);
        QCOMPARE((*late)->size(), 1);
        QCOMPARE((*late)->at(0).outcome, RowOutcome::NoResponse);
    }

    void readingNeverWrites()
    {
        const QString path = m_dir.filePath(QStringLiteral("untouched"));
        {
            const std::unique_ptr<Session> live = Session::create(path, {});
            playEverything(*live, true);
        }
        QByteArray bytes = readFile(path);
        bytes.chop(5);
        writeFile(path, bytes);
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner));
        {
            const auto reopened = Session::open(path);
            QVERIFY(reopened);
            (*reopened)->append(sent(R"({"jsonrpc":"2.0","method":"x"})"), 1);
            (*reopened)->flush();
            (*reopened)->finish();
            QVERIFY((*reopened)->name(1).size() > 0);
        }
        QCOMPARE(readFile(path), bytes);
    }

private:
    QTemporaryDir m_dir;
};

SONDE_TEST(ReopenTest)

#include "tst_reopen.moc"
