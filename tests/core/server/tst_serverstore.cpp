// SPDX-License-Identifier: Apache-2.0
#include "core/connection/profile.h"
#include "core/files/filelock.h"
#include "core/files/filewatch.h"
#include "core/server/serverstore.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <sys/resource.h>
#include <sys/stat.h>
#include <chrono>
#include <csignal>

using namespace sonde;
using namespace Qt::StringLiterals;

class TestServerStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void startsEmpty();
    void defaultPathAndModes();
    void addsIntoANewFile();
    void keepsEveryOtherByte();
    void replacesInPlace();
    void renames();
    void removes_data();
    void removes();
    void takenNamesAreRefused();
    void brokenFileIsNeverWritten_data();
    void brokenFileIsNeverWritten();
    void misunderstoodEntriesStay();
    void duplicateNames();
    void twoInstances();
    void waitsForWhoeverWrites();
    void editMergesWithAnotherProgramsEdit();
    void editOfATransportIsWritten();
    void editOfAnEntryRemovedElsewhere();
    void folderThatCannotBeWritten();
    void whatCannotBeWrittenCountsInMemory();
    void aFullDiskLeavesTheFileAsItWas();
    void aNameThatIsTakenMeanwhileCostsNothing();
    void withoutAHomeNothingIsWritten();
    void aListThatOthersCanWriteIsSaid();
    void freeNames();
    void followsALink();
    void followsTheFile_data();
    void followsTheFile();
    void aFileThatIsEmptiedForAMomentKeepsItsServers();
    void aBrokenFileIsToldOfOnce();
    void anEditOfWhatWasShownKeepsTheirs();

private:
    void write(const QByteArray &text) const;
    QByteArray read() const;
    static ServerSpec command(const QString &name, const QString &line);

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

void TestServerStore::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(u"servers.json"_s);
}

void TestServerStore::write(const QByteArray &text) const
{
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

QByteArray TestServerStore::read() const
{
    QFile file(m_path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

ServerSpec TestServerStore::command(const QString &name, const QString &line)
{
    ServerSpec spec = std::move(ServerSpec::fromLine(line)).value();
    spec.name = name;
    return spec;
}

static QString text(const Error &error)
{
    return error ? error.message : QString();
}

static mode_t modeOf(const QString &path)
{
    struct stat info {};
    return ::stat(QFile::encodeName(path).constData(), &info) == 0 ? info.st_mode & 07777 : 0;
}

void TestServerStore::startsEmpty()
{
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    QVERIFY(store.servers().isEmpty());
    QVERIFY(!QFileInfo::exists(m_path));
    QVERIFY(!store.server(u"a"_s));
}

void TestServerStore::defaultPathAndModes()
{
    const QByteArray before = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", QFile::encodeName(m_folder->filePath(u"new/config"_s)));
    const mode_t mask = ::umask(0);
    const std::shared_ptr<ServerStore> store = Profile::ofUser().servers;
    const Error error = store->add(command(u"a"_s, u"run a"_s));
    ::umask(mask);
    qputenv("XDG_CONFIG_HOME", before);
    QCOMPARE(text(error), QString());
    QCOMPARE(store->path(), m_folder->filePath(u"new/config/sonde/servers.json"_s));
    QCOMPARE(modeOf(store->path()), mode_t(0600));
    QCOMPARE(modeOf(QFileInfo(store->path()).path()), mode_t(0700));
}

void TestServerStore::addsIntoANewFile()
{
    ServerStore store(m_path);
    QSignalSpy changed(&store, &ServerStore::changed);
    QCOMPARE(text(store.add(command(u"a"_s, u"run \"x y\""_s))), QString());
    QCOMPARE(changed.count(), 1);
    QCOMPARE(
        read(),
        "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"run\",\n      \"args\": [\n        \"x y\"\n      ]\n    }\n  }\n}\n"_ba);
    ServerStore other(m_path);
    QCOMPARE(text(other.load()), QString());
    QCOMPARE(other.servers(), store.servers());
    QCOMPARE(other.server(u"a"_s)->line(), u"run 'x y'"_s);
}

void TestServerStore::keepsEveryOtherByte()
{
    write(
        "{\n\t\"$schema\" : \"x\", \"n\": 1.0e+2,\n\t\"mcpServers\": {\n\t\t\"a\":  { \"command\":\"a\" , "
        "\"k\":[1,\n2] }\n\t},"
        "\n\t\"z\": {\"b\":1,\"b\":2}\n}");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    QCOMPARE(text(store.add(command(u"é\"b"_s, u"b"_s))), QString());
    QCOMPARE(read(),
             "{\n\t\"$schema\" : \"x\", \"n\": 1.0e+2,\n\t\"mcpServers\": {\n\t\t\"a\":  { \"command\":\"a\" , "
             "\"k\":[1,\n2] },"
             "\n\t\t\"é\\\"b\": {\n\t\t  \"command\": \"b\"\n\t\t}\n\t},\n\t\"z\": {\"b\":1,\"b\":2}\n}"_ba);
    QCOMPARE(store.servers().size(), 2);
    QCOMPARE(text(store.remove(u"é\"b"_s)), QString());
    QVERIFY(read().contains("\"a\":  { \"command\":\"a\" , \"k\":[1,\n2] }\n\t}"));
}

void TestServerStore::replacesInPlace()
{
    write(R"({"mcpServers":{"a":{"command":"a"},"b":{"command":"b","timeout":1.50},"c":{"url":"http://h"}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    ServerSpec spec = *store.server(u"b"_s);
    spec.arguments = QStringList{u"-v"_s};
    QCOMPARE(text(store.replace(u"b"_s, spec)), QString());
    QCOMPARE(read(),
             "{\"mcpServers\":{\"a\":{\"command\":\"a\"},\"b\":{\"command\":\"b\",\"timeout\":1.50,\"args\":[\"-v\"]},"
             "\"c\":{\"url\":\"http://h\"}}}"_ba);
    QCOMPARE(store.servers().at(1).arguments, QStringList{u"-v"_s});
}

void TestServerStore::renames()
{
    write(R"({"mcpServers":{"a":{"command":"a"},"b":{ "command" : "b" },"c":{"command":"c"}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    ServerSpec spec = *store.server(u"b"_s);
    spec.name = u"B2"_s;
    QCOMPARE(text(store.replace(u"b"_s, spec)), QString());
    QCOMPARE(
        read(),
        "{\"mcpServers\":{\"a\":{\"command\":\"a\"},\"B2\":{ \"command\" : \"b\" },\"c\":{\"command\":\"c\"}}}"_ba);
    QCOMPARE(store.servers().at(1).name, u"B2"_s);
    spec.name = u"c"_s;
    QVERIFY(store.replace(u"B2"_s, spec));
    QCOMPARE(store.servers().size(), 3);
}

void TestServerStore::removes_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("first") << u"a"_s << R"({"mcpServers":{ "b" : {} , "c":{}}})"_ba;
    QTest::newRow("middle") << u"b"_s << R"({"mcpServers":{"a":{}, "c":{}}})"_ba;
    QTest::newRow("last") << u"c"_s << R"({"mcpServers":{"a":{}, "b" : {} }})"_ba;
}

void TestServerStore::removes()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, after);
    write(R"({"mcpServers":{"a":{}, "b" : {} , "c":{}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    QCOMPARE(text(store.remove(name)), QString());
    QCOMPARE(read(), after);
    QCOMPARE(store.servers().size(), 2);
    QVERIFY(store.remove(name));
}

void TestServerStore::takenNamesAreRefused()
{
    ServerStore store(m_path);
    QCOMPARE(text(store.add(command(u"a"_s, u"a"_s))), QString());
    const Error error = store.add(command(u"a"_s, u"b"_s));
    QVERIFY(error.kind == Error::Kind::Local);
    QVERIFY(error.message.contains(u"“a”"));
    QVERIFY(store.add(command({}, u"b"_s)));
    QCOMPARE(store.server(u"a"_s)->command, u"a"_s);
}

void TestServerStore::brokenFileIsNeverWritten_data()
{
    QTest::addColumn<QByteArray>("broken");
    QTest::addColumn<QString>("where");
    QTest::newRow("comma") << "{\n  \"mcpServers\": {\n    \"é\": 1,\n  }\n}"_ba << u"line 4, column 3"_s;
    QTest::newRow("comment") << "{\n  // mine\n}"_ba << u"line 2, column 3"_s;
    QTest::newRow("cut off") << "{\"mcpServers\": {"_ba << u"line 1, column 17"_s;
    QTest::newRow("array") << " []"_ba << u"line 1, column 2"_s;
    QTest::newRow("servers") << "{\"mcpServers\": 1}"_ba << u"line 1, column 16"_s;
}

void TestServerStore::brokenFileIsNeverWritten()
{
    QFETCH(QByteArray, broken);
    QFETCH(QString, where);
    write(R"({"mcpServers":{"a":{"command":"a"}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    write(broken);
    const Error unread = store.load();
    QSignalSpy notSaved(&store, &ServerStore::notSaved);
    QCOMPARE(text(store.add(command(u"b"_s, u"b"_s))), QString());
    QCOMPARE(text(store.remove(u"a"_s)), QString());
    for (const Error &error : {unread, notSaved.value(0).value(0).value<Error>()}) {
        QVERIFY(error);
        QVERIFY2(error.message.contains(where), qPrintable(error.message));
        QVERIFY(error.message.contains(m_path));
    }
    QCOMPARE(read(), broken);
    QCOMPARE(store.servers().size(), 1);
    QVERIFY(store.server(u"b"_s));
}

void TestServerStore::misunderstoodEntriesStay()
{
    const QByteArray before =
        "{\"mcpServers\":{\"a\":17,\"b\":{\"type\":\"pigeon\",\"url\":\"http://h/sse\"},\"c\":{\"command\":\"c\"}}}"_ba;
    write(before);
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    QCOMPARE(store.servers().size(), 3);
    QVERIFY(!store.server(u"a"_s)->problems().isEmpty());
    QVERIFY(!store.server(u"b"_s)->problems().isEmpty());
    QVERIFY(store.server(u"c"_s)->problems().isEmpty());
    ServerSpec spec = *store.server(u"b"_s);
    spec.url = QUrl(u"http://h/mcp"_s);
    QCOMPARE(text(store.replace(u"b"_s, spec)), QString());
    QVERIFY(store.server(u"b"_s)->problems().isEmpty());
    QCOMPARE(
        read(),
        "{\"mcpServers\":{\"a\":17,\"b\":{\"type\":\"http\",\"url\":\"http://h/mcp\"},\"c\":{\"command\":\"c\"}}}"_ba);
}

void TestServerStore::duplicateNames()
{
    write(R"({"mcpServers":{"a":{"command":"1"},"b":{"command":"b"},"a":{"command":"2"}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    QCOMPARE(store.servers().size(), 2);
    QCOMPARE(store.server(u"a"_s)->command, u"2"_s);
    QCOMPARE(text(store.add(command(u"c"_s, u"c"_s))), QString());
    QCOMPARE(
        read(),
        "{\"mcpServers\":{\"a\":{\"command\":\"1\"},\"b\":{\"command\":\"b\"},\"a\":{\"command\":\"2\"},\"c\": {\"command\":\"c\"}}}"_ba);
}

void TestServerStore::twoInstances()
{
    ServerStore one(m_path);
    ServerStore two(m_path);
    QCOMPARE(text(one.load()), QString());
    QCOMPARE(text(two.load()), QString());
    QCOMPARE(text(one.add(command(u"a"_s, u"a"_s))), QString());
    QCOMPARE(text(two.add(command(u"b"_s, u"b"_s))), QString());
    QCOMPARE(text(one.add(command(u"c"_s, u"c"_s))), QString());
    QCOMPARE(one.servers().size(), 3);
    QVERIFY(two.add(command(u"c"_s, u"other"_s)));
    QCOMPARE(text(two.load()), QString());
    QCOMPARE(two.servers(), one.servers());
}

void TestServerStore::waitsForWhoeverWrites()
{
    auto lock = std::make_unique<FileLock>(m_path + u".lock"_s);
    QVERIFY(!lock->isHeldElsewhere());
    Error error;
    QSemaphore added;
    const std::unique_ptr<QThread> thread(QThread::create([&] {
        error = ServerStore(m_path).add(command(u"b"_s, u"b"_s));
        added.release();
    }));
    thread->start();
    const bool hasWaited = !added.tryAcquire(1, 50);  // ms, which it is far from needing
    write(R"({"mcpServers":{"a":{"command":"a"}}})");
    lock.reset();
    QVERIFY(thread->wait(sonde::test::Patience));
    QVERIFY(hasWaited);
    QCOMPARE(text(error), QString());
    QCOMPARE(read(), R"({"mcpServers":{"a":{"command":"a"},"b": {"command":"b"}}})"_ba);
}

void TestServerStore::editMergesWithAnotherProgramsEdit()
{
    write(R"({"mcpServers":{"a":{"command":"a","cwd":"/old"}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    write(R"({"mcpServers":{"a":{"command":"a","cwd":"/new","env":{"X":"1"},"timeouts":{"total":9},"note":true}}})");
    ServerSpec spec = *store.server(u"a"_s);
    spec.command = u"better"_s;
    spec.timeouts.request = std::chrono::seconds(7);
    QCOMPARE(text(store.replace(u"a"_s, spec)), QString());
    QCOMPARE(read(),
             "{\"mcpServers\":{\"a\":{\"command\":\"better\",\"cwd\":\"/new\",\"env\":{\"X\":\"1\"},"
             "\"timeouts\":{\"total\":9,\"request\":7},\"note\":true}}}"_ba);
}

void TestServerStore::editOfATransportIsWritten()
{
    write(R"({"mcpServers":{"a":{"type":"http","url":"http://h/mcp"}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    ServerSpec spec = *store.server(u"a"_s);
    spec.httpKind = ServerSpec::HttpKind::Sse;
    QCOMPARE(text(store.replace(u"a"_s, spec)), QString());
    const QByteArray expected = R"({"mcpServers":{"a":{"type":"sse","url":"http://h/mcp"}}})";
    QCOMPARE(read(), expected);
    QVERIFY(store.server(u"a"_s)->httpKind == ServerSpec::HttpKind::Sse);
}

void TestServerStore::editOfAnEntryRemovedElsewhere()
{
    write(R"({"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    write(R"({"mcpServers":{"b":{"command":"b"}}})");
    ServerSpec spec = *store.server(u"a"_s);
    spec.command = u"mine"_s;
    QCOMPARE(text(store.replace(u"a"_s, spec)), QString());
    QCOMPARE(store.server(u"a"_s)->command, u"mine"_s);
    write(R"({"mcpServers":{"b":{"command":"b"}}})");
    QCOMPARE(text(store.remove(u"a"_s)), QString());
    QCOMPARE(store.servers().size(), 1);
}

void TestServerStore::followsTheFile_data()
{
    QTest::addColumn<QString>("way");
    QTest::newRow("written in place") << u"place"_s;
    QTest::newRow("replaced by rename") << u"rename"_s;
    QTest::newRow("removed and made again") << u"removed"_s;
    QTest::newRow("through a link") << u"link"_s;
    QTest::newRow("in a folder that is made later") << u"folder"_s;
}

void TestServerStore::followsTheFile()
{
    QFETCH(QString, way);
    const QString real = m_path;
    if (way == u"link"_s) {
        QVERIFY(QDir(m_folder->path()).mkdir(u"dotfiles"_s));
        QVERIFY(QFile::link(m_folder->filePath(u"dotfiles/servers.json"_s), m_path));
    }
    if (way == u"folder"_s)
        m_path = m_folder->filePath(u"new/sonde/servers.json"_s);
    else
        write(R"({"mcpServers":{"a":{"command":"a"}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    store.follow();
    // Twice: the first change must not be the last one that is seen.
    for (const QByteArray &name : {"b"_ba, "c"_ba}) {
        const QByteArray now = R"({"mcpServers":{")" + name + R"(":{"command":"x"}}})";
        if (way == u"folder"_s)
            QVERIFY(QDir().mkpath(QFileInfo(m_path).path()));
        if (way == u"removed"_s)
            QVERIFY(QFile::remove(m_path));
        if (way == u"rename"_s || way == u"link"_s) {
            QSaveFile file(way == u"link"_s ? QFileInfo(m_path).canonicalFilePath() : m_path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(now) == now.size() && file.commit());
        } else {
            write(now);
        }
        QTRY_VERIFY2(store.server(QString::fromLatin1(name)), name.constData());
        QCOMPARE(store.servers().size(), 1);
    }
    m_path = real;
}

void TestServerStore::aFileThatIsEmptiedForAMomentKeepsItsServers()
{
    write(R"({"mcpServers":{"a":{"command":"a"}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    store.follow();
    qsizetype fewest = 1;
    connect(&store, &ServerStore::changed, this, [&] { fewest = qMin(fewest, store.servers().size()); });
    FileWatch seen(m_path);  // of what the store sees
    QSignalSpy changes(&seen, &FileWatch::changed);
    write({});
    QTRY_VERIFY(!changes.isEmpty());
    write(R"({"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}})");
    QTRY_COMPARE(store.servers().size(), 2);
    QCOMPARE(fewest, 1);
    // One that stays empty is what it says.
    write({});
    QTRY_COMPARE(store.servers().size(), 0);
}

void TestServerStore::aBrokenFileIsToldOfOnce()
{
    write(R"({"mcpServers":{"a":{"command":"a"}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    store.follow();
    QSignalSpy reads(&store, &ServerStore::read);
    write(R"({"mcpServers":{"a":)");
    QTRY_COMPARE(reads.size(), 1);
    QVERIFY(reads.at(0).at(0).value<Error>());
    QCOMPARE(store.servers().size(), 1);
    // A neighbour changes.
    FileWatch seen(m_path);
    QSignalSpy changes(&seen, &FileWatch::changed);
    QVERIFY(QFile(m_folder->filePath(u"window.ini"_s)).open(QIODevice::WriteOnly));
    QTRY_VERIFY(!changes.isEmpty());
    QCOMPARE(reads.size(), 1);
    write(R"({"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}})");
    QTRY_COMPARE(reads.size(), 2);
    QVERIFY(!reads.at(1).at(0).value<Error>());
    QCOMPARE(store.servers().size(), 2);
}

// The list has followed the file while the person was typing.
void TestServerStore::anEditOfWhatWasShownKeepsTheirs()
{
    write(R"({"mcpServers":{"a":{"command":"a","cwd":"/old"}}})");
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    const ServerSpec shown = *store.server(u"a"_s);
    ServerSpec spec = shown;
    spec.command = u"better"_s;
    write(R"({"mcpServers":{"a":{"command":"a","cwd":"/new","note":true}}})");
    QCOMPARE(text(store.load()), QString());
    QCOMPARE(text(store.replace(shown, spec)), QString());
    QCOMPARE(read(), "{\"mcpServers\":{\"a\":{\"command\":\"better\",\"cwd\":\"/new\",\"note\":true}}}"_ba);
    // Removed there, and what was entered is not lost.
    write(R"({"mcpServers":{}})");
    QCOMPARE(text(store.load()), QString());
    QCOMPARE(text(store.replace(shown, spec)), QString());
    QCOMPARE(store.server(u"a"_s)->command, u"better"_s);
}

void TestServerStore::folderThatCannotBeWritten()
{
    write(R"({"mcpServers":{}})");
    // A file where the folder should be: also root cannot write there.
    ServerStore store(m_path + u"/sub/servers.json"_s);
    QSignalSpy notSaved(&store, &ServerStore::notSaved);
    QCOMPARE(text(store.add(command(u"a"_s, u"a"_s))), QString());
    QVERIFY(store.server(u"a"_s));
    const auto reason = notSaved.value(0).value(0).value<Error>();
    QVERIFY(reason.kind == Error::Kind::Local);
    QVERIFY(reason.message.contains(m_path));
}

void TestServerStore::whatCannotBeWrittenCountsInMemory()
{
    const QString folder = m_folder->filePath(u"home"_s);
    QFile inTheWay(folder);
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    inTheWay.close();
    ServerStore store(folder + u"/servers.json"_s);
    QSignalSpy changed(&store, &ServerStore::changed);
    QSignalSpy notSaved(&store, &ServerStore::notSaved);
    QSignalSpy saved(&store, &ServerStore::saved);
    QCOMPARE(text(store.load()), QString());
    QCOMPARE(text(store.add(command(u"a"_s, u"first"_s))), QString());
    QCOMPARE(text(store.add(command(u"b"_s, u"second"_s))), QString());
    QCOMPARE(text(store.replace(u"a"_s, command(u"z"_s, u"third"_s))), QString());
    QVERIFY(store.add(command(u"z"_s, u"fourth"_s)));  // its name is taken, whatever the disk is like
    QCOMPARE(changed.size(), 3);
    QCOMPARE(notSaved.size(), 1);
    QCOMPARE(store.servers().size(), 2);
    QCOMPARE(store.server(u"z"_s)->command, u"third"_s);
    QCOMPARE(text(store.load()), QString());
    QCOMPARE(store.servers().size(), 2);

    // The disk is back: the next change takes the others along.
    QVERIFY(store.saveAgain());
    QVERIFY(QFile::remove(folder));
    QCOMPARE(text(store.remove(u"b"_s)), QString());
    QCOMPARE(saved.size(), 1);
    ServerStore next(folder + u"/servers.json"_s);
    QCOMPARE(text(next.load()), QString());
    QCOMPARE(next.servers(), store.servers());
    QCOMPARE(next.servers().size(), 1);
    QCOMPARE(next.server(u"z"_s)->command, u"third"_s);
}

// No file of this process grows any more, which is what a full disk is to it.
void TestServerStore::aFullDiskLeavesTheFileAsItWas()
{
    const QByteArray before = R"({"mcpServers":{"a":{"command":"a"}}})";
    write(before);
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit usual{};
    ::getrlimit(RLIMIT_FSIZE, &usual);
    const rlimit none{0, usual.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
    QSignalSpy notSaved(&store, &ServerStore::notSaved);
    const Error error = store.add(command(u"b"_s, u"b"_s));
    ::setrlimit(RLIMIT_FSIZE, &usual);
    QCOMPARE(text(error), QString());
    QCOMPARE(read(), before);
    QVERIFY(store.server(u"b"_s));
    const QString reason = notSaved.value(0).value(0).value<Error>().message;
    QVERIFY2(reason.contains(u"too large"_s), qPrintable(reason));
    QCOMPARE(text(store.saveAgain()), QString());
    QVERIFY(read().contains("\"b\""));
}

void TestServerStore::aNameThatIsTakenMeanwhileCostsNothing()
{
    const QString folder = m_folder->filePath(u"home"_s);
    QVERIFY(QFile(folder).open(QIODevice::WriteOnly));
    ServerStore store(folder + u"/servers.json"_s);
    QCOMPARE(text(store.add(command(u"a"_s, u"mine"_s))), QString());
    QVERIFY(QFile::remove(folder));
    QCOMPARE(text(ServerStore(folder + u"/servers.json"_s).add(command(u"a"_s, u"theirs"_s))), QString());
    QCOMPARE(text(store.saveAgain()), QString());
    QCOMPARE(store.servers().size(), 2);
    QCOMPARE(store.server(u"a"_s)->command, u"theirs"_s);
    QCOMPARE(store.server(u"a 2"_s)->command, u"mine"_s);
}

void TestServerStore::withoutAHomeNothingIsWritten()
{
    const QByteArray home = qgetenv("HOME");
    const QByteArray config = qgetenv("XDG_CONFIG_HOME");
    qunsetenv("XDG_CONFIG_HOME");
    const auto restore = qScopeGuard([&] {
        qputenv("HOME", home);
        qputenv("XDG_CONFIG_HOME", config);
    });
    const bool hadConfig = QFileInfo::exists(u"/.config"_s);
    for (const bool isSet : {true, false}) {
        qputenv("HOME", {});
        if (!isSet)
            qunsetenv("HOME");
        const std::shared_ptr<ServerStore> store = Profile::ofUser().servers;
        QCOMPARE(store->path(), QString());
        QCOMPARE(text(store->load()), QString());
        QCOMPARE(text(store->add(command(u"a"_s, u"a"_s))), QString());
        QVERIFY(store->server(u"a"_s));
        QVERIFY(store->saveAgain().message.contains(u"HOME"_s));
        QCOMPARE(QFileInfo::exists(u"/.config"_s), hadConfig);
        QVERIFY(!QFileInfo::exists(u"/.config/sonde"_s));
    }
}

void TestServerStore::aListThatOthersCanWriteIsSaid()
{
    write(R"({"mcpServers":{"a":{"command":"a"}}})");
    const QByteArray file = QFile::encodeName(m_path);
    const QByteArray folder = QFile::encodeName(m_folder->path());
    ServerStore store(m_path);
    QCOMPARE(text(store.load()), QString());
    ::chmod(file.constData(), 0644);
    ::chmod(folder.constData(), 0755);
    QCOMPARE(text(store.exposure()), QString());
    ::chmod(file.constData(), 0666);
    QVERIFY(store.exposure().message.contains(m_path));
    ::chmod(folder.constData(), 0700);  // nobody comes there
    QCOMPARE(text(store.exposure()), QString());
    ::chmod(folder.constData(), 0777);
    QVERIFY(store.exposure());
    QCOMPARE(text(store.closeToOthers()), QString());
    QCOMPARE(text(store.exposure()), QString());
    struct stat status = {};
    QCOMPARE(::stat(file.constData(), &status), 0);
    QCOMPARE(int(status.st_mode & 0777), 0600);
}

void TestServerStore::freeNames()
{
    ServerStore store(m_path);
    QCOMPARE(store.freeName(u"a"_s), u"a"_s);
    QCOMPARE(text(store.add(command(u"a"_s, u"a"_s))), QString());
    QCOMPARE(store.freeName(u" a "_s), u"a 2"_s);
    QCOMPARE(text(store.add(command(u"a 2"_s, u"a"_s))), QString());
    QCOMPARE(store.freeName(u"a"_s), u"a 3"_s);
    QCOMPARE(store.freeName({}), u"server"_s);
}

void TestServerStore::followsALink()
{
    write(R"({"mcpServers":{}})");
    const QString link = m_folder->filePath(u"link.json"_s);
    QVERIFY(QFile::link(m_path, link));
    ServerStore store(link);
    QCOMPARE(text(store.add(command(u"a"_s, u"a"_s))), QString());
    QVERIFY(QFileInfo(link).isSymLink());
    QVERIFY(read().contains("\"a\""));
}

SONDE_TEST(TestServerStore)
#include "tst_serverstore.moc"
