// Sonde is killed while it records: nothing that was shown is lost.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/session.h"
#include "tests/support/testregistry.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

using namespace sonde;

class CrashTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void killed()
    {
        bool isNumber = false;
        const int wanted = qEnvironmentVariableIntValue("SONDE_KILLS", &isNumber);
        const int kills = isNumber ? wanted : 50;
        QRandomGenerator random(20251125);
        qsizetype records = 0;
        int torn = 0;
        for (int i = 0; i < kills; ++i) {
            const QString path = m_dir.filePath(QString::number(i));
            QProcess writer;
            writer.start(QStringLiteral(SONDE_BIN_DIR "/session-writer"), {path});
            QVERIFY(writer.waitForReadyRead(30'000));
            // A number of rows rather than a time, so that a busy machine changes nothing.
            const int rows = random.bounded(1, 3000);
            QByteArray output = writer.readAllStandardOutput();
            while (lastRow(output) < rows && writer.waitForReadyRead(30'000))
                output += writer.readAllStandardOutput();
            ::kill(pid_t(writer.processId()), SIGKILL);
            QVERIFY(writer.waitForFinished());
            output += writer.readAllStandardOutput();
            QCOMPARE(writer.exitStatus(), QProcess::CrashExit);

            const auto session = Session::open(path);
            QVERIFY(session);
            const Session &left = **session;
            QVERIFY(left.size() > lastRow(output));
            QVERIFY(left.damage().size() <= 1);
            torn += int(left.damage().size());
            records += left.size();
            for (qsizetype row = 0; row < left.size(); ++row) {
                const QByteArray wantedNumber = "\"number\":" + QByteArray::number(row + 1) + ',';
                QVERIFY(left.bytes(row).contains(wantedNumber));
            }
            QVERIFY(QFile::remove(path));
        }
        qInfo("%d kills, %lld records, %d torn tails", kills, qlonglong(records), torn);
    }

private:
    // Of the last complete line.
    static qsizetype lastRow(const QByteArray &output)
    {
        const qsizetype end = output.lastIndexOf('\n');
        const qsizetype start = end > 0 ? output.lastIndexOf('\n', end - 1) + 1 : 0;
        return end < 0 ? -1 : output.mid(start, end - start).toLongLong();
    }

    QTemporaryDir m_dir;
};

SONDE_TEST(CrashTest)

#include "tst_crash.moc"
