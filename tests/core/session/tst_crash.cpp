// Sonde is killed while it records: nothing that was shown is lost.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "tests/support/writtensession.h"

#include <QEventLoop>
#include <QFileInfo>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <csignal>

using namespace sonde;

namespace {

// Of the last complete line; -1: nothing was shown.
qsizetype lastRow(const QByteArray &output)
{
    const qsizetype end = output.lastIndexOf('\n');
    const qsizetype start = end > 0 ? output.lastIndexOf('\n', end - 1) + 1 : 0;
    return end < 0 ? -1 : output.mid(start, end - start).toLongLong();
}

// A writer that is going to die.
struct Victim {
    QString path;
    QProcess process;
    QByteArray output;
    int killAtRow = -1;  // when it has shown that many; -1: it dies by itself
};

}  // namespace

class CrashTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void killed_data()
    {
        QTest::addColumn<bool>("withinWrites");
        QTest::newRow("whenever it has shown so many rows") << false;
        QTest::newRow("in the middle of a write") << true;
    }

    // A thousand kills altogether, unless the variable has another number; with sanitizers a start takes ten times as
    // long.
    void killed()
    {
        QFETCH(bool, withinWrites);
        bool isNumber = false;
        const int wanted = qEnvironmentVariableIntValue("SONDE_KILLS", &isNumber);
        const int kills = (isNumber ? wanted : test::isSanitized() ? 250 : 1000) / 2;
        QRandomGenerator random(20251125);
        m_records = 0;
        m_torn = 0;
        for (int first = 0; first < kills; first += AtOnce) {
            // They are looked at when all are dead: whoever is not listened to writes on and on.
            std::vector<std::unique_ptr<Victim>> victims;
            for (int i = first; i < qMin(first + AtOnce, kills); ++i)
                victims.push_back(start(i, random, withinWrites));
            while (!std::all_of(victims.begin(), victims.end(), isDead))
                QVERIFY(waitForADeath());
            for (const std::unique_ptr<Victim> &each : victims) {
                look(*each);
                if (QTest::currentTestFailed())
                    return;
            }
        }
        qInfo("%d kills, %lld records, %d torn tails", kills, qlonglong(m_records), m_torn);
        // Without torn tails nothing is proved about them.
        if (withinWrites)
            QVERIFY(m_torn > kills / 2);
    }

private:
    static constexpr int AtOnce = 8;

    static bool isDead(const std::unique_ptr<Victim> &victim)
    {
        return victim->process.state() == QProcess::NotRunning;
    }

    bool waitForADeath()
    {
        QTimer guard;
        guard.setSingleShot(true);
        connect(&guard, &QTimer::timeout, &m_loop, [this] { m_loop.exit(1); });
        guard.start(sonde::test::Patience);
        return m_loop.exec() == 0;
    }

    std::unique_ptr<Victim> start(int number, QRandomGenerator &random, bool withinWrites)
    {
        auto victim = std::make_unique<Victim>();
        victim->path = m_dir.filePath(QString::number(number));
        QStringList arguments{victim->path};
        if (withinWrites)
            arguments << QString::number(random.bounded(1, 40)) << QString::number(random.bounded(0, 101));
        else
            victim->killAtRow = random.bounded(0, 1000);  // rather than a time: a busy machine changes nothing
        Victim *const each = victim.get();
        connect(&each->process, &QProcess::readyReadStandardOutput, &each->process, [each] {
            each->output += each->process.readAllStandardOutput();
            if (each->killAtRow >= 0 && lastRow(each->output) >= each->killAtRow)
                ::kill(pid_t(each->process.processId()), SIGKILL);
        });
        connect(&each->process, &QProcess::finished, &m_loop, &QEventLoop::quit);
        each->process.start(test::builtProgram(QStringLiteral("session-writer")), arguments);
        return victim;
    }

    void look(Victim &victim)
    {
        victim.output += victim.process.readAllStandardOutput();
        QVERIFY2(victim.process.exitStatus() == QProcess::CrashExit, victim.process.readAllStandardError().constData());
        const qsizetype shown = lastRow(victim.output) + 1;
        const auto session = Session::open(victim.path);
        if (!session) {
            // Nothing but a piece of the file's first words.
            QCOMPARE(shown, 0);
            QVERIFY(QFileInfo(victim.path).size() < 14);
        } else {
            const Session &left = **session;
            QVERIFY2(left.size() >= shown, qPrintable(QStringLiteral("%1 of %2 rows").arg(left.size()).arg(shown)));
            QVERIFY(left.damage().size() <= 1);
            if (!left.damage().isEmpty()) {
                const DamagedRange &torn = left.damage().constFirst();
                QCOMPARE(torn.offset + torn.length, QFileInfo(victim.path).size());
                ++m_torn;
            }
            m_records += left.size();
            for (qsizetype row = 0; row < left.size(); ++row) {
                if (left.bytes(row) != test::writtenMessage(row))
                    QFAIL(qPrintable(QStringLiteral("row %1 is another one").arg(row)));
            }
        }
        QVERIFY(QFile::remove(victim.path));
    }

    QTemporaryDir m_dir;
    QEventLoop m_loop;
    qsizetype m_records = 0;
    int m_torn = 0;
};

SONDE_TEST(CrashTest)

#include "tst_crash.moc"
