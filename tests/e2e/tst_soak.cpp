// Hundreds of connects and disconnects, in both eras and over both transports, leave nothing behind.
// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/driver.h"
#include "tests/support/testregistry.h"

#include <malloc.h>
#include <QDir>
#include <QFile>
#include <QTest>
#include <QThread>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;

namespace {

constexpr int Rounds = 200;

struct Holding {
    qsizetype descriptors = 0;
    qsizetype children = 0;
    qsizetype threads = 0;
    qint64 bytes = 0;  // of the heap; 0 where a sanitizer has taken its place
};

Holding holding()
{
    Holding now;
    now.descriptors = QDir(u"/proc/self/fd"_s).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size();
    const QStringList threads = QDir(u"/proc/self/task"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    now.threads = threads.size();
    for (const QString &thread : threads) {
        QFile children(u"/proc/self/task/%1/children"_s.arg(thread));
        if (children.open(QIODevice::ReadOnly))
            now.children += children.readAll().count(' ');  // behind each of them
    }
    const struct mallinfo2 heap = mallinfo2();
    now.bytes = qint64(heap.uordblks + heap.hblkhd);
    return now;
}

}  // namespace

class tst_Soak : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void connectsLeaveNothingBehind_data()
    {
        QTest::addColumn<bool>("overHttp");
        QTest::addColumn<Revision>("revision");
        QTest::newRow("stdio, with a handshake") << false << Revision::R20251125;
        QTest::newRow("stdio, without one") << false << Revision::R20260728;
        QTest::newRow("HTTP, with a handshake") << true << Revision::R20251125;
        QTest::newRow("HTTP, without one") << true << Revision::R20260728;
    }

    void connectsLeaveNothingBehind()
    {
        QFETCH(const bool, overHttp);
        QFETCH(const Revision, revision);
        constexpr qint64 bytesOfALeak =
            1024;  // for each connect; what one holds while it lasts is a hundred times that
        const auto process = overHttp ? test::HttpProcess::demo() : nullptr;
        ServerSpec spec = overHttp ? process->spec() : test::demoServer();
        spec.revision = revision;

        Holding before;
        for (int round = -20; round < Rounds; ++round) {
            // What is made once, as caches and threads of a pool, is there by now.
            if (round == 0)
                before = holding();
            Driver driver(spec);
            QVERIFY2(driver.openOnly(), driver.describe().constData());
            const Outcome sum = driver.callTool(u"add"_s, R"({"a":1,"b":2})");
            QCOMPARE(sum.kind, Outcome::Kind::Ok);
            QVERIFY(driver.close());
        }
        QTRY_COMPARE(holding().children, before.children);
        QTRY_COMPARE(holding().descriptors, before.descriptors);
        QTRY_VERIFY(holding().threads <= before.threads + QThread::idealThreadCount());
        const qint64 grown = holding().bytes - before.bytes;
        QVERIFY2(grown < Rounds * bytesOfALeak, QByteArray::number(grown).constData());
        qInfo("%d connects: the heap grew by %lld bytes", Rounds, grown);
    }
};

SONDE_TEST(tst_Soak)
#include "tst_soak.moc"
