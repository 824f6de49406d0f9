// Folders of saved calls: what is in them, and what changes in them.
// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/callfolders.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class tst_CallFolders : public QObject {
    Q_OBJECT
private:
    static bool write(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        return file.open(QFile::WriteOnly | QFile::Truncate) && file.write(text) == text.size();
    }
    static QStringList names(const CallFolders &folders)
    {
        QStringList all;
        for (const CallFile &file : folders.files())
            all.append(file.problem ? u"!"_s + file.path.section(u'/', -1) : file.call.name);
        return all;
    }

private Q_SLOTS:
    void whatIsInThemIsListed()
    {
        const QTemporaryDir first;
        const QTemporaryDir second;
        QVERIFY(write(first.filePath(u"b.call.json"_s), R"({"tool":"echo"})"));
        QVERIFY(write(first.filePath(u"a.call.json"_s), R"({"name":"Named","tool":"echo"})"));
        QVERIFY(write(first.filePath(u"other.json"_s), R"({"tool":"echo"})"));
        QVERIFY(write(second.filePath(u"broken.call.json"_s), "{"));
        CallFolders folders;
        folders.setFolders({first.path(), second.path(), first.path(), u"/nowhere/at/all"_s});
        QTRY_COMPARE(names(folders), (QStringList{u"Named"_s, u"b"_s, u"!broken.call.json"_s}));
        QCOMPARE(folders.folders().size(), 3);
        QCOMPARE(folders.problems(), QStringList{u"The folder /nowhere/at/all cannot be read."_s});
        QCOMPARE(folders.filesIn(first.path()).size(), 2);
        QVERIFY(folders.file(second.filePath(u"broken.call.json"_s))->problem.message.contains(u"is not JSON"_s));
        QVERIFY(!folders.file(u"/x"_s));
        folders.setFolders({});
        QTRY_COMPARE(names(folders), QStringList());
    }

    void changesAreFollowed()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"a.call.json"_s);
        QVERIFY(write(path, R"({"tool":"echo"})"));
        CallFolders folders;
        folders.setFolders({folder.path()});
        QTRY_COMPARE(names(folders), QStringList{u"a"_s});
        const json::Value before = folders.files().constFirst().call.source;
        // In place, replaced whole, added, removed.
        QVERIFY(write(folder.filePath(u"b.call.json"_s), R"({"tool":"add"})"));
        QTRY_COMPARE(names(folders), (QStringList{u"a"_s, u"b"_s}));
        QVERIFY(folders.files().constFirst().call.source.isSameNode(before));
        QVERIFY(write(path, R"({"tool":"echo","name":"x"})"));
        QTRY_COMPARE(names(folders), (QStringList{u"x"_s, u"b"_s}));
        SavedCall call = folders.files().constFirst().call;
        call.name = u"y"_s;
        QVERIFY(!call.save(path));
        QTRY_COMPARE(names(folders), (QStringList{u"y"_s, u"b"_s}));
        call.name = u"z"_s;
        QVERIFY(!call.save(path));
        QTRY_COMPARE(names(folders), (QStringList{u"z"_s, u"b"_s}));
        QVERIFY(QFile::remove(folder.filePath(u"b.call.json"_s)));
        QTRY_COMPARE(names(folders), QStringList{u"z"_s});
        QVERIFY(QDir(folder.path()).removeRecursively());
        QTRY_COMPARE(names(folders), QStringList());
        QVERIFY(!folders.problems().isEmpty());
    }

    void thereIsALimit()
    {
        const QTemporaryDir folder;
        for (qsizetype i = 0; i < CallFolders::MaxFiles + 3; ++i)
            QVERIFY(write(folder.filePath(u"%1.call.json"_s.arg(i)), R"({"tool":"echo"})"));
        CallFolders folders;
        QSignalSpy changed(&folders, &CallFolders::changed);
        folders.setFolders({folder.path()});
        QTRY_COMPARE(folders.files().size(), CallFolders::MaxFiles);
        QVERIFY2(folders.problems().value(0).endsWith(u"has more saved calls than are shown."_s),
                 qPrintable(folders.problems().join(u' ')));
    }
};

SONDE_TEST(tst_CallFolders)
#include "tst_callfolders.moc"
