// What is left of a server's processes after Sonde: nothing, however it ends.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace sonde::test;

namespace {

// Processes with this in their environment, which goes from parent to child.
int processesWith(const QByteArray &mark)
{
    int count = 0;
    for (const QString &pid : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        if (pid.front().isDigit() && readFile(u"/proc/%1/environ"_s.arg(pid)).contains(mark))
            ++count;
    }
    return count;
}

}  // namespace

class TestOrphans : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void s16_nothingOfAServerOutlivesSonde_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("signal");
        const std::pair<const char *, int> ends[] = {{"quits", SIGTERM}, {"crashes", SIGSEGV}, {"is killed", SIGKILL}};
        for (const auto &[how, signal] : ends) {
            QTest::addRow("sonde-cli %s", how)
                << cliProgram() << QStringList{u"call"_s, u"progress"_s, u"steps=10000"_s} << signal;
            QTest::addRow("sonde %s", how) << test::builtProgram(QStringLiteral("sonde")) << QStringList() << signal;
        }
    }
    void s16_nothingOfAServerOutlivesSonde()
    {
#ifndef SONDE_UNIX
        QSKIP("needs process groups");
#endif
        QFETCH(QString, program);
        QFETCH(QStringList, arguments);
        QFETCH(int, signal);
        const QByteArray mark = "SONDE_TREE=" + QByteArray::number(QCoreApplication::applicationPid()) + '-' +
                                QByteArray(QTest::currentDataTag()).toHex();
        const QString node = QStandardPaths::findExecutable(u"node"_s);
        QString script = u"sleep 1000 & sh -c 'sleep 1000; true' & '%1'; true"_s.arg(demoProgram());
        if (!node.isEmpty())
            script.prepend(u"'%1' -e 'setInterval(function () {}, 1000)' & "_s.arg(node));
        const int expected = node.isEmpty() ? 5 : 6;  // sh, node, sleep, sh with its sleep, the server
        QProcess sonde;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
        sonde.setProcessEnvironment(environment);
        sonde.start(program, arguments + QStringList{u"--"_s, u"/usr/bin/env"_s, QString::fromLatin1(mark),
                                                     u"/bin/sh"_s, u"-c"_s, script});
        QTRY_VERIFY2_WITH_TIMEOUT(
            processesWith(mark) >= expected,
            qPrintable(QString::number(processesWith(mark)) + QString::fromUtf8(sonde.readAllStandardError())),
            Patience);
        ::kill(pid_t(sonde.processId()), signal);
        QVERIFY(sonde.waitForFinished(20'000));
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(mark), 0, Patience);
    }
};

SONDE_TEST(TestOrphans)
#include "tst_orphans.moc"
