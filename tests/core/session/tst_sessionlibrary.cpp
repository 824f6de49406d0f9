// The folder of recorded sessions.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionlibrary.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <sys/stat.h>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cerrno>

using namespace sonde;
using namespace Qt::StringLiterals;
using namespace sonde::test;

class SessionLibraryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void defaultFolder()
    {
        const SessionLibrary library;
        QCOMPARE(library.folder(), qEnvironmentVariable("XDG_DATA_HOME") + QStringLiteral("/sonde/sessions"));
        QVERIFY(library.entries().isEmpty());
        QVERIFY(!QFileInfo::exists(library.folder()));  // only when first needed
    }

    void folderIsForItsOwnerOnly()
    {
        const SessionLibrary library(m_dir->filePath(QStringLiteral("a/b/c")));
        const mode_t before = ::umask(0);
        QVERIFY(!library.ensureFolder());
        ::umask(before);
        for (const char *folder : {"a", "a/b", "a/b/c"}) {
            struct stat status = {};
            QCOMPARE(::stat(m_dir->filePath(QString::fromLatin1(folder)).toUtf8().constData(), &status), 0);
            QCOMPARE(status.st_mode & 0777, mode_t(0700));
        }
        QVERIFY(!library.ensureFolder());
        writeFile(m_dir->filePath(QStringLiteral("file")), "x");
        QVERIFY(SessionLibrary(m_dir->filePath(QStringLiteral("file"))).ensureFolder());
        QVERIFY(SessionLibrary(m_dir->filePath(QStringLiteral("file/below"))).ensureFolder());
    }

    void entries()
    {
        const SessionLibrary library(m_dir->path());
        const std::unique_ptr<Session> live =
            Session::create(m_dir->filePath(QStringLiteral("1.mcpsession")), QStringLiteral("first \u00fc"));
        Session::create(m_dir->filePath(QStringLiteral("2.mcpsession")), QStringLiteral("second"))->finish();
        writeFile(m_dir->filePath(QStringLiteral("3.mcpsession")), "nonsense");
        writeFile(m_dir->filePath(QStringLiteral("4.txt")), "something else");
        QHash<QString, SessionEntry> found;
        QDateTime last = QDateTime::currentDateTimeUtc().addYears(1);
        const QList<SessionEntry> entries = library.entries();
        for (const SessionEntry &entry : entries) {
            found.insert(QFileInfo(entry.path).baseName(), entry);
            QVERIFY(entry.createdAt <= last);
            last = entry.createdAt;
        }
        QCOMPARE(found.size(), 3);
        QCOMPARE(found[QStringLiteral("1")].serverName, QStringLiteral("first \u00fc"));
        QCOMPARE(found[QStringLiteral("1")].createdAt, live->createdAt());
        QVERIFY(found[QStringLiteral("1")].isOpenElsewhere);
        QVERIFY(found[QStringLiteral("1")].problem.isEmpty());
        QVERIFY(!found[QStringLiteral("2")].isOpenElsewhere);
        QCOMPARE(found[QStringLiteral("2")].size, QFileInfo(m_dir->filePath(QStringLiteral("2.mcpsession"))).size());
        QVERIFY(!found[QStringLiteral("3")].problem.isEmpty());
    }

    void removing()
    {
        const SessionLibrary library(m_dir->path());
        const QString path = m_dir->filePath(QStringLiteral("1.mcpsession"));
        std::unique_ptr<Session> live = Session::create(path, {});
        QVERIFY(library.remove(path));  // still being written
        live.reset();
        QVERIFY(QFileInfo::exists(path));

        const QString text = m_dir->filePath(QStringLiteral("notes.txt"));
        writeFile(text, "x");
        QVERIFY(library.remove(text));
        QVERIFY(QDir(m_dir->path()).mkdir(QStringLiteral("sub")));
        const QString below = m_dir->filePath(QStringLiteral("sub/2.mcpsession"));
        writeFile(below, "x");
        QVERIFY(library.remove(below));
        const QString link = m_dir->filePath(QStringLiteral("3.mcpsession"));
        QVERIFY(QFile::link(text, link));
        QVERIFY(library.remove(link));
        QVERIFY(library.remove(m_dir->filePath(QStringLiteral("missing.mcpsession"))));
        QVERIFY(QFileInfo::exists(text) && QFileInfo::exists(below) && QFileInfo(link).isSymLink());

        QVERIFY(!library.remove(m_dir->filePath(QStringLiteral("sub/../1.mcpsession"))));
        QVERIFY(!QFileInfo::exists(path));
    }

    void newPaths_data()
    {
        QTest::addColumn<QString>("server");
        QTest::addColumn<QString>("stem");
        QTest::addRow("plain") << "everything"
                               << "everything";
        QTest::addRow("path") << "../../etc/passwd"
                              << "etc-passwd";
        QTest::addRow("spaces") << "  My server (dev)  "
                                << "My-server-dev";
        QTest::addRow("dots") << "..hidden.."
                              << "hidden";
        QTest::addRow("nothing") << ""
                                 << "session";
        QTest::addRow("nothing usable") << "///\x01\n"
                                        << "session";
        QTest::addRow("letters") << QStringLiteral("s\u00fc\u00df\u540d") << QStringLiteral("s\u00fc\u00df\u540d");
    }

    void newPaths()
    {
        QFETCH(QString, server);
        QFETCH(QString, stem);
        const SessionLibrary library(m_dir->path());
        const QDateTime when(QDate(2026, 11, 21), QTime(14, 2, 31));
        const QString path = library.newPath(server, when);
        QCOMPARE(path, m_dir->path() + u'/' + stem + QStringLiteral("-2026-11-21-140231.mcpsession"));
    }

    // Two of us who begin in the same second want the same name. Both record.
    void theSameNameAtOnce()
    {
        const SessionLibrary library(m_dir->path());
        const QDateTime when(QDate(2026, 11, 21), QTime(14, 2, 31));
        for (const QString &wish : {library.newPath(u"a"_s, when), library.newReplayPath(u"a"_s, when)}) {
            std::vector<std::unique_ptr<Session>> sessions;
            QStringList paths;
            for (int i = 0; i < 3; ++i) {
                sessions.push_back(Session::create(wish, u"a"_s, {}, Session::IfTaken::NumberIt));
                QVERIFY2(!sessions.back()->error(), qPrintable(sessions.back()->error().message));
                playLittle(*sessions.back());
                paths << sessions.back()->path();
            }
            QCOMPARE(paths, QStringList({wish, SessionLibrary::numbered(wish, 2), SessionLibrary::numbered(wish, 3)}));
            for (const std::unique_ptr<Session> &session : sessions)
                session->finish();
            for (const QString &path : std::as_const(paths)) {
                const auto reopened = Session::open(path);
                QVERIFY(reopened);
                QCOMPARE((*reopened)->size(), 10);
            }
        }
        // Who names a file means that one.
        QCOMPARE(Session::create(library.newPath(u"a"_s, when), u"a"_s)->error().code, EEXIST);
    }

    void replaysAreToldApart()
    {
        const SessionLibrary library(m_dir->path());
        const QDateTime when(QDate(2026, 11, 21), QTime(14, 2, 31));
        const QString path = library.newReplayPath(u"a.replay"_s, when);
        QCOMPARE(path, m_dir->path() + u"/a.replay-2026-11-21-140231.replay.mcpsession"_s);
        Session::create(path, u"a"_s)->finish();
        Session::create(library.newPath(u"a.replay"_s, when), u"a"_s)->finish();
        QCOMPARE(SessionLibrary::numbered(path, 2),
                 m_dir->path() + u"/a.replay-2026-11-21-140231-2.replay.mcpsession"_s);
        const QList<SessionEntry> entries = library.entries();
        QCOMPARE(entries.size(), 2);
        for (const SessionEntry &entry : entries)
            QCOMPARE(entry.isReplay, entry.path == path);
    }

    void longNames()
    {
        const SessionLibrary library(m_dir->path());
        for (const QChar c : {QChar(u'a'), QChar(0x540d)}) {
            const auto session =
                Session::create(library.newPath(QString(5000, c), QDateTime::currentDateTimeUtc()), {});
            QVERIFY2(!session->error(), qPrintable(session->error().message));
        }
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
};

SONDE_TEST(SessionLibraryTest)

#include "tst_sessionlibrary.moc"
