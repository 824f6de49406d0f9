// Sessions of each revision and transport that were recorded once: sonde-cli tells of them what it told then.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/expectedfile.h"
#include "tests/support/testregistry.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::cliProgram;
using sonde::test::CliRun;
using sonde::test::runCli;

class TestCliFormerSessions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isToldAsItWas_data()
    {
        QTest::addColumn<QString>("name");
        const QDir folder = QFileInfo(sonde::test::formerSession({})).dir();
        const QStringList files = folder.entryList({u"*.mcpsession"_s}, QDir::Files, QDir::Name);
        QVERIFY(files.size() >= 10);
        for (const QString &file : files)
            QTest::newRow(qPrintable(file)) << file.chopped(int(qstrlen(".mcpsession")));
    }
    void isToldAsItWas()
    {
        QFETCH(QString, name);
        const QString file = sonde::test::formerSession(name + u".mcpsession"_s);
        const QString other = sonde::test::formerSession(u"calls-2025-06-18.mcpsession"_s);
        QByteArray told;
        const auto add = [&](const QByteArray &title, const QStringList &words) {
            const CliRun run = printed(words);
            told += "== " + title + ": " + QByteArray::number(run.exitCode) + '\n' + run.out;
        };
        add("records", {u"log"_s, file});
        add("statistics", {u"stats"_s, file});
        add("compared with calls-2025-06-18", {u"diff"_s, other, file});
        add("replayed",
            {u"replay"_s, file, u"--allow-destructive"_s, u"--json"_s, u"--"_s, cliProgram(), u"mock"_s, file});
        for (const QString &format : {u"jsonl"_s, u"har"_s, u"markdown"_s, u"html"_s}) {
            const CliRun run = printed({u"export"_s, file, u"--format"_s, format});
            // The key of an export's marks is made anew for each.
            const QByteArray exported =
                QString::fromUtf8(run.out)
                    .replace(QRegularExpression(u"(\u2039[a-z0-9-]+):[0-9a-f]{8}\u203A"_s), u"\\1"_s)
                    .replace(QStringLiteral(SONDE_VERSION), u"VERSION"_s)
                    .toUtf8();
            told += "== exported as " + format.toLatin1() + ": " + QByteArray::number(run.exitCode) + ", " +
                    QByteArray::number(exported.size()) + " bytes, SHA-256 " +
                    QCryptographicHash::hash(exported, QCryptographicHash::Sha256).toHex() + '\n';
        }
        const QString text =
            QString::fromUtf8(told).remove(QRegularExpression(u"\"(durationMs|recordedMs)\":[0-9.e+-]+,?"_s));
        sonde::test::compareWithFile(text.toUtf8(), sonde::test::formerSession(name + u".printed"_s));
    }

private:
    CliRun printed(const QStringList &words) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"HOME"_s, m_home.path());
        environment.insert(u"TZ"_s, u"UTC"_s);
        environment.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
        return runCli(words, {}, m_home.path(), environment);
    }

    const QTemporaryDir m_home;
};

SONDE_TEST(TestCliFormerSessions)
#include "tst_cliformersessions.moc"
