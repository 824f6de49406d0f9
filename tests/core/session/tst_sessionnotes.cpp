// Names, notes and pins of sessions, and what the retention rules would have deleted.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/retention.h"
#include "core/session/sessionnotes.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;
using namespace sonde::test;

class SessionNotesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void areKeptWhenTheFileIsMoved()
    {
        const QString path = m_folder->filePath(u"a.mcpsession"_s);
        const QString moved = m_folder->filePath(u"b.mcpsession"_s);
        Session::create(path, u"demo"_s)->finish();
        const QByteArray before = readFile(path);
        const SessionNote note{u"Before the fix"_s, u"two\nlines"_s, true};
        SessionNotes notes(file());
        QVERIFY(!notes.set(SessionLibrary::entryOf(path).id, note));
        QVERIFY(QFile::rename(path, moved));
        QCOMPARE(SessionNotes(file()).noteOf(SessionLibrary::entryOf(moved).id), note);
        QCOMPARE(readFile(moved), before);  // a session's file is never written again

        // Of another one nothing is known, and what is empty goes.
        Session::create(path, u"demo"_s)->finish();
        QVERIFY(notes.noteOf(SessionLibrary::entryOf(path).id).isEmpty());
        QVERIFY(!notes.set(SessionLibrary::entryOf(moved).id, {}));
        QVERIFY(notes.all().isEmpty());
    }

    // Each window changes one thing, and knows nothing of the other.
    void changesOfTwoWindowsStay()
    {
        SessionNotes one(file());
        SessionNotes other(file());
        QVERIFY(!one.set(u"id"_s, {u"Before the fix"_s, {}, true}, SessionNote()));
        QVERIFY(!other.set(u"id"_s, {{}, u"slow index"_s, false}, SessionNote()));
        QCOMPARE(one.noteOf(u"id"_s), (SessionNote{u"Before the fix"_s, u"slow index"_s, true}));
        QVERIFY(!one.set(u"id"_s, {u"Before the fix"_s, {}, false}, SessionNote{u"Before the fix"_s, {}, true}));
        QCOMPARE(other.noteOf(u"id"_s), (SessionNote{u"Before the fix"_s, u"slow index"_s, false}));
    }

    void aSessionWithoutUuid()
    {
        const QString path = m_folder->filePath(u"a.mcpsession"_s);
        writeFile(path, "{\"mcpsession\":1}\n");
        const QString id = SessionLibrary::entryOf(path).id;
        QVERIFY(!id.isEmpty());
        QVERIFY(!SessionNotes(file()).set(id, {u"Foreign"_s, {}, false}));
        QCOMPARE(SessionNotes(file()).noteOf(id).name, u"Foreign"_s);
    }

    void whatALaterVersionWroteStays()
    {
        writeFile(file(), R"({"order":"name","sessions":{"id":{"name":"x","color":"red"},"other":{"color":"blue"}}})");
        SessionNotes notes(file());
        QVERIFY(!notes.set(u"id"_s, {u"y"_s, {}, true}));
        QCOMPARE(readFile(file()), R"({"order":"name","sessions":{"id":{"name":"y","color":"red","pinned":true},)"
                                   R"("other":{"color":"blue"}}})"
                                   "\n"_ba);
        QVERIFY(!notes.set(u"id"_s, {}));
        QCOMPARE(readFile(file()), R"({"order":"name","sessions":{"id":{"color":"red"},"other":{"color":"blue"}}})"
                                   "\n"_ba);
        QVERIFY(!notes.remove({u"id"_s, u"unknown"_s}));
        QCOMPARE(readFile(file()), R"({"order":"name","sessions":{"other":{"color":"blue"}}})"
                                   "\n"_ba);
        // Edited by hand, and no object.
        writeFile(file(), R"({"sessions":[1,2]})");
        QVERIFY(!notes.set(u"id"_s, {u"y"_s, {}, false}));
        QCOMPARE(notes.noteOf(u"id"_s).name, u"y"_s);
    }

    void refusesWhatIsTooLong()
    {
        SessionNotes notes(file());
        QVERIFY(notes.set(u"id"_s, {QString(201, u'x'), {}, false}));
        QVERIFY(notes.set(u"id"_s, {{}, QString(20'001, u'x'), false}));
        QVERIFY(notes.set({}, {u"x"_s, {}, false}));
        QVERIFY(!QFileInfo::exists(file()));
    }

    void retention_data()
    {
        QTest::addColumn<qint64>("days");
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<qint64>("count");
        QTest::addColumn<QString>("beyond");
        QTest::addRow("off") << qint64(0) << qint64(0) << qint64(0) << QString();
        QTest::addRow("age") << qint64(15) << qint64(0) << qint64(0) << u"d c"_s;
        QTest::addRow("size") << qint64(0) << qint64(250) << qint64(0) << u"d c"_s;
        QTest::addRow("count") << qint64(0) << qint64(0) << qint64(3) << u"d"_s;
        QTest::addRow("pinned and recording ones stay") << qint64(1) << qint64(1) << qint64(1) << u"d c a"_s;
    }
    void retention()
    {
        QFETCH(qint64, days);
        QFETCH(qint64, bytes);
        QFETCH(qint64, count);
        const QDateTime now = QDateTime::currentDateTimeUtc();
        QList<SessionEntry> entries;
        const auto add = [&](const QString &path, int age) {
            SessionEntry entry;
            entry.path = path;
            entry.createdAt = now.addDays(-age);
            entry.size = 100;
            entries.append(entry);
        };
        add(u"a"_s, 5);
        add(u"pinned"_s, 10);
        add(u"c"_s, 20);
        add(u"d"_s, 30);
        if (days == 1) {
            add(u"recording"_s, 40);
            entries.last().isOpenElsewhere = true;
        }
        add(u"unreadable"_s, 50);
        entries.last().problem = u"Not a Sonde session file."_s;
        const auto isPinned = [](const SessionEntry &entry) { return entry.path == u"pinned"; };
        QStringList beyond;
        const QList<SessionEntry> found = beyondRetention(entries, {days, bytes, count}, isPinned, now);
        for (const SessionEntry &entry : found)
            beyond << entry.path;
        QTEST(beyond.join(u' '), "beyond");
    }

private:
    QString file() const { return m_folder->filePath(u"session-notes.json"_s); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

SONDE_TEST(SessionNotesTest)
#include "tst_sessionnotes.moc"
