// Little memory to live in: what does not fit fails, and the program ends in order.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/handmadesession.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

using namespace Qt::StringLiterals;

class CliMemoryTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLargeResponseFailsItsCallAndNothingElse_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<int>("space");  // in MiB
        QTest::addColumn<bool>("fits");
        QTest::newRow("120 MB in 512") << qint64(120) * 1'000'000 << 512 << true;
        // Once, not twice; libraries and the stacks of threads take some 170.
        QTest::newRow("240 MB in 448") << qint64(240) * 1'000'000 << 448 << true;
        QTest::newRow("240 MB in 240") << qint64(240) * 1'000'000 << 240 << false;
    }
    void aLargeResponseFailsItsCallAndNothingElse()
    {
        if (sonde::test::isSanitized())
            QSKIP("AddressSanitizer takes the address space for itself.");
        QFETCH(qint64, bytes);
        QFETCH(int, space);
        QFETCH(bool, fits);
        const QTemporaryDir home;
        QProcess cli;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const QString &name : {u"HOME"_s, u"XDG_CONFIG_HOME"_s, u"XDG_DATA_HOME"_s})
            environment.insert(name, home.path());
        environment.insert(u"MALLOC_ARENA_MAX"_s, u"1"_s);  // each thread that is busy at once would reserve 64 MiB
        cli.setProcessEnvironment(environment);
        cli.setChildProcessModifier([space] {
            const rlim_t most = rlim_t(space) * 1024 * 1024;
            const rlimit limit{most, most};
            ::setrlimit(RLIMIT_AS, &limit);
        });
        cli.start(sonde::test::builtProgram(QStringLiteral("sonde-cli")),
                  {u"call"_s, u"x"_s, u"--revision=2025-11-25"_s, u"--"_s,
                   sonde::test::builtProgram(QStringLiteral("fake-stdio-server")), u"readline"_s,
                   u"say:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
                   "\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"n\",\"version\":\"1\"}}}"_s,
                   u"readline"_s, u"readline"_s,
                   u"say:{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"x\","
                   "\"inputSchema\":{\"type\":\"object\"}}]}}"_s,
                   u"readline"_s, u"large:text:%1:3"_s.arg(bytes), u"waiteof"_s});
        QVERIFY(cli.waitForFinished(120'000));
        QCOMPARE(cli.exitStatus(), QProcess::NormalExit);
        const QByteArray said = cli.readAllStandardError();
        QVERIFY2(cli.exitCode() == (fits ? 0 : 3), said.left(2000).constData());
        QVERIFY2(fits || said.contains("Out of memory"), said.left(2000).constData());
    }

    // Before the event loop runs, too.
    void aSessionVerbEndsInOrder()
    {
        if (sonde::test::isSanitized())
            QSKIP("AddressSanitizer takes the address space for itself.");
        const QTemporaryDir folder;
        QFile file(folder.filePath(u"large.mcpsession"_s));
        sonde::test::HandmadeSession session;
        constexpr qsizetype length = 60000000;
        session.received("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"" + QByteArray(length, 'b') + "\"}");
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(session.text()), session.text().size());
        file.close();
        QProcess cli;
        cli.setChildProcessModifier([] {
            const rlimit limit{200000000, 200000000};
            ::setrlimit(RLIMIT_AS, &limit);
        });
        cli.start(sonde::test::builtProgram(QStringLiteral("sonde-cli")), {u"log"_s, file.fileName(), u"--json"_s});
        QVERIFY(cli.waitForFinished(120'000));
        const QByteArray said = cli.readAllStandardError();
        QVERIFY2(cli.exitStatus() == QProcess::NormalExit && cli.exitCode() == 3, said.left(2000).constData());
        QVERIFY2(said.contains("Out of memory"), said.left(2000).constData());
    }
};

SONDE_TEST(CliMemoryTest)
#include "tst_climemory.moc"
