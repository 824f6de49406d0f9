// The index beside a session: it saves reading the file, and can do nothing else.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/indexfile.h"
#include "core/session/sessionlibrary.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <sys/stat.h>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

using namespace sonde;
using namespace sonde::test;

class IndexFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = m_dir->filePath(QStringLiteral("large.mcpsession"));
        m_index = IndexFile::pathOf(m_path);
        const std::unique_ptr<Session> live = Session::create(m_path, QStringLiteral("demo"));
        playEverything(*live);
        live->finish();
        m_rows = live->size();
        QVERIFY(!live->error());
        QThreadPool::globalInstance()->waitForDone();
        QVERIFY(QFile::exists(m_index));
    }

    // Nothing is written any more when the folder goes.
    void cleanup() { QThreadPool::globalInstance()->waitForDone(); }

    void sparesReading()
    {
        QVERIFY(isUsed());
        struct stat status = {};
        QCOMPARE(::stat(QFile::encodeName(m_index).constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777, 0600U);
        QCOMPARE(QDir(m_dir->path()).entryList(QDir::Files | QDir::Hidden).size(), 2);  // nothing left behind
    }

    void twin()
    {
        const auto indexed = Session::open(m_path);
        QVERIFY(indexed);
        QVERIFY(QFile::remove(m_index));
        const auto read = Session::open(m_path);
        QVERIFY(read);
        QCOMPARE((*indexed)->size(), m_rows);
        QCOMPARE(describeAll(**indexed), describeAll(**read));
        QCOMPARE((*indexed)->totalBytes(), (*read)->totalBytes());
        QCOMPARE((*indexed)->messageCount(), (*read)->messageCount());
        QCOMPARE((*indexed)->serverName(), (*read)->serverName());
        QCOMPARE((*indexed)->createdAt(), (*read)->createdAt());
        QVERIFY(!(*indexed)->isLive());
    }

    void comesBack()
    {
        QVERIFY(QFile::remove(m_index));
        QVERIFY(!isUsed());
        QThreadPool::globalInstance()->waitForDone();
        QVERIFY(isUsed());
    }

    void damagedIndex()
    {
        const QByteArray bytes = readFile(m_index);
        for (qsizetype at = 0; at < bytes.size(); at += at < 90 ? 7 : 397) {
            QByteArray changed = bytes;
            changed[at] = char(changed.at(at) ^ (1 << (at % 8)));
            writeFile(m_index, changed);
            QVERIFY2(!isUsed(), qPrintable(QString::number(at)));
            QThreadPool::globalInstance()->waitForDone();
            QCOMPARE(readFile(m_index), bytes);  // made anew
        }
        for (const qsizetype size : {qsizetype(0), qsizetype(1), bytes.size() / 2, bytes.size() - 1}) {
            writeFile(m_index, bytes.first(size));
            QVERIFY(!isUsed());
            QThreadPool::globalInstance()->waitForDone();
        }
        writeFile(m_index, bytes + '\0');
        QVERIFY(!isUsed());
    }

    void staleIndex()
    {
        QByteArray bytes = readFile(m_path);
        bytes.append('\n');  // an empty line is damage
        writeFile(m_path, bytes);
        QVERIFY(!isUsed());
        bytes.chop(1);
        writeFile(m_path, bytes);  // the same again, but written later
        QVERIFY(!isUsed());
        QThreadPool::globalInstance()->waitForDone();
        QVERIFY(isUsed());
    }

    void indexOfAnotherSession()
    {
        const QByteArray bytes = readFile(m_index);
        init();
        writeFile(m_index, bytes);
        QVERIFY(!isUsed());
    }

    void damagedSessionHasNone()
    {
        QVERIFY(QFile::remove(m_index));
        QByteArray bytes = readFile(m_path);
        bytes[bytes.size() / 2] = char(bytes.at(bytes.size() / 2) ^ 1);
        writeFile(m_path, bytes);
        const auto session = Session::open(m_path);
        QVERIFY(session);
        QCOMPARE((*session)->damage().size(), 1);
        QThreadPool::globalInstance()->waitForDone();
        QVERIFY(!QFile::exists(m_index));
    }

    void linksAreNotFollowed()
    {
        const QString precious = m_dir->filePath(QStringLiteral("precious"));
        writeFile(precious, "mine");
        QVERIFY(QFile::remove(m_index));
        QVERIFY(QFile::link(precious, m_index));
        QVERIFY(!isUsed());
        QThreadPool::globalInstance()->waitForDone();
        QCOMPARE(readFile(precious), QByteArray("mine"));
        QVERIFY(isUsed());
    }

    void goesWithItsSession()
    {
        const SessionLibrary library(m_dir->path());
        QCOMPARE(library.entries().size(), 1);
        QVERIFY(!library.remove(m_path));
        QVERIFY(!QFile::exists(m_index));
    }

private:
    // Whether opening the session did without reading all of it; that it is right is said either way.
    bool isUsed() const
    {
        const auto calls = std::make_shared<FaultyCalls>();
        const auto session = Session::open(m_path, calls);
        if (!session || (*session)->size() != m_rows)
            qFatal("the session does not open");
        return calls->bytesRead < 2'000'000;
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_path;
    QString m_index;
    qsizetype m_rows = 0;
};

SONDE_TEST(IndexFileTest)

#include "tst_indexfile.moc"
