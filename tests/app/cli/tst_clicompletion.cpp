// The script that completes command lines of sonde-cli in bash.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::CliRun;
using sonde::test::runCli;

class tst_CliCompletion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A list of servers may come from anybody.
    void aNameIsNotRun()
    {
        const QString bash = QStandardPaths::findExecutable(u"bash"_s);
        if (bash.isEmpty())
            QSKIP("bash is not installed");
        const CliRun script = runCli({u"completion"_s, u"bash"_s});
        QVERIFY2(script.exitCode == 0, script.describe().constData());
        const QTemporaryDir folder;
        QProcess process;
        process.setWorkingDirectory(folder.path());
        // In place of the program: it prints what it would for a server of that name.
        process.start(bash, {u"--norc"_s, u"-c"_s,
                             QString::fromUtf8(script.out) +
                                 u"sonde-cli() { printf '\\n%s\\n' 'a$(touch here)' 'other' '* b'; }\n"
                                 "COMP_WORDS=(sonde-cli call --server a); COMP_CWORD=3; _sonde_cli\n"
                                 "printf '%s\\n' \"${COMPREPLY[@]}\"\n"_s});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.readAllStandardOutput(), "a\\$\\(touch\\ here\\)\n");
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList());
    }
};

SONDE_TEST(tst_CliCompletion)

#include "tst_clicompletion.moc"
