// What is read whole is an ordinary file of a bounded size, and everything else is refused at once.
// SPDX-License-Identifier: Apache-2.0
#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <sys/stat.h>
#include <QDir>
#include <QLocalServer>
#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <thread>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestReadFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsRefused_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("what");
        QTest::newRow("device") << u"/dev/zero"_s << u"a device"_s;
        QTest::newRow("folder") << m_folder.path() << u"a folder"_s;
        QTest::newRow("pipe without a writer") << pipe(u"pipe"_s) << u"a named pipe"_s;
        QTest::newRow("link to a device") << link(u"link"_s, u"/dev/zero"_s) << u"a device"_s;
        QTest::newRow("socket") << socket() << u"a socket"_s;
    }
    void whatIsRefused()
    {
        QFETCH(QString, path);
        QFETCH(QString, what);
        for (const IfLarger ifLarger : {IfLarger::Refuse, IfLarger::ReadStart, IfLarger::ReadEnd}) {
            const Result<QByteArray> text = readFile(path, 100, ifLarger);
            QVERIFY(!text);
            QVERIFY2(text.error().message.contains(path), qPrintable(text.error().message));
            QVERIFY2(text.error().message.contains(what), qPrintable(text.error().message));
            QVERIFY(!text.error().hint.isEmpty());
            QVERIFY(!isFileMissing(text.error()));
        }
        QVERIFY(problemOfFile(path, 100));
    }

    void whatIsMissing()
    {
        const Result<QByteArray> text = readFile(m_folder.filePath(u"nothing"_s), 100);
        QVERIFY(!text && isFileMissing(text.error()));
        QCOMPARE(text.error().code, ENOENT);
        QVERIFY(!problemOfFile(m_folder.filePath(u"nothing"_s), 100));
    }

    void howMuchIsRead()
    {
        const QString path = m_folder.filePath(u"file"_s);
        test::writeFile(path, "0123456789");
        QCOMPARE(*readFile(path, 10), "0123456789"_ba);
        QCOMPARE(*readFile(path, 9, IfLarger::ReadStart), "012345678"_ba);
        QCOMPARE(*readFile(path, 9, IfLarger::ReadEnd), "123456789"_ba);
        const Result<QByteArray> refused = readFile(path, 9);
        QVERIFY(!refused && refused.error().message.contains(u"larger than 9 bytes"_s));
        QVERIFY(problemOfFile(path, 9) && !problemOfFile(path, 10));
        test::writeFile(path, {});
        QCOMPARE(*readFile(path, 10), QByteArray());
        // The size of this one is said to be 0.
        QVERIFY(readFile(u"/proc/self/status"_s, filelimits::MiB)->contains("Name:"));
        QVERIFY(!readFile(u"/proc/self/status"_s, 10));
    }

    void aPipeOnTheCommandLine()
    {
        const QString path = pipe(u"input"_s);
        std::thread writer([path] { test::writeFile(path, QByteArray(300'000, 'x')); });
        const Result<QByteArray> text = readFileOrPipe(path, 300'000);
        writer.join();
        QVERIFY(text);
        QCOMPARE(text->size(), 300'000);
        // A device is none, and /dev/zero would never end.
        QVERIFY(!readFileOrPipe(u"/dev/zero"_s, 100));
    }

    void aPathThatMovesTheCursor() { QVERIFY(!readFile(u"/no/\x1b[2K"_s, 10).error().message.contains(u'\x1b')); }

private:
    QString pipe(const QString &name) const
    {
        const QString path = m_folder.filePath(name);
        if (::mkfifo(path.toLocal8Bit().constData(), 0600) != 0)
            qFatal("no pipe");
        return path;
    }
    QString link(const QString &name, const QString &target) const
    {
        QFile::link(target, m_folder.filePath(name));
        return m_folder.filePath(name);
    }
    QString socket()
    {
        if (!m_server.listen(m_folder.filePath(u"socket"_s)))
            qFatal("no socket");
        return m_folder.filePath(u"socket"_s);
    }

    QTemporaryDir m_folder;
    QLocalServer m_server;
};

SONDE_TEST(TestReadFile)
#include "tst_readfile.moc"
