// A small file that several programs read and change: nothing of it is lost, whatever is in its place.
// SPDX-License-Identifier: Apache-2.0
#include "core/files/filelimits.h"
#include "core/files/filelock.h"
#include "core/files/jsonstore.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <memory>

using namespace sonde;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 Limit = 64 * filelimits::KiB;

JsonStore::Change with(const QString &name, const QByteArray &value)
{
    return [=](const QByteArray &text) { return JsonStore::withMember(text, name, value); };
}

}  // namespace

class TestJsonStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(u"new/small.json"_s);
    }

    void othersChangesAndUnknownMembersStay()
    {
        JsonStore one(m_path, {.maxBytes = Limit});
        JsonStore two(m_path, {.maxBytes = Limit});
        QCOMPARE(one.read(), QByteArray());
        QVERIFY(!one.change(with(u"a"_s, "1.50")));
        QVERIFY(!two.change(with(u"b"_s, "[2]")));
        QVERIFY(!one.change(with(u"a"_s, "{}")));
        QCOMPARE(one.read(), R"({"a":{},"b":[2]})"_ba);
        QCOMPARE(two.read(), one.read());
        QVERIFY(!two.change(with(u"a"_s, {})));
        QCOMPARE(one.read(), R"({"b":[2]})"_ba);
        QCOMPARE(QFileInfo(m_path).permissions() & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteOther),
                 QFile::Permissions());
        QCOMPARE(QFileInfo(QFileInfo(m_path).path()).permissions() & (QFile::ReadGroup | QFile::ReadOther),
                 QFile::Permissions());
    }

    void twoAtOnce()
    {
        constexpr int rounds = 50;
        const auto use = [this](const QString &name) {
            JsonStore store(m_path, {.maxBytes = Limit});
            for (int i = 0; i < rounds; ++i)
                (void)store.change(with(name + QString::number(i), "1"));
        };
        const std::unique_ptr<QThread> thread(QThread::create([&use] { use(u"one"_s); }));
        thread->start();
        use(u"two"_s);
        QVERIFY(thread->wait(test::Patience));
        QCOMPARE(json::parse(test::readFile(m_path)).size(), 2 * rounds);
    }

    // Sonde's own: a new file takes its place, and what it said can be looked at.
    void whatIsNoObjectIsPutAside()
    {
        QVERIFY(QDir().mkpath(QFileInfo(m_path).path()));
        test::writeFile(m_path, "{\"half\":");
        JsonStore store(m_path, {.maxBytes = Limit});
        QCOMPARE(store.read(), QByteArray());
        QVERIFY(store.load());
        QVERIFY(!store.change(with(u"a"_s, "1")));
        QCOMPARE(test::readFile(m_path), R"({"a":1})"_ba);
        QCOMPARE(test::readFile(m_path + u".unreadable"_s), "{\"half\":"_ba);
    }

    void whatAPersonWroteStays()
    {
        QVERIFY(QDir().mkpath(QFileInfo(m_path).path()));
        test::writeFile(m_path, "broken");
        JsonStore store(m_path, {.maxBytes = Limit, .check = [](const QByteArray &text) {
                                     return text == "broken" ? Error::local(u"broken"_s) : Error();
                                 }});
        QCOMPARE(store.change(with(u"a"_s, "1")).message, u"broken"_s);
        QCOMPARE(test::readFile(m_path), "broken"_ba);
        QCOMPARE(store.read(), QByteArray());
    }

    void whatIsTooLargeStays()
    {
        QVERIFY(QDir().mkpath(QFileInfo(m_path).path()));
        const QByteArray large = "{\"a\":\"" + QByteArray(Limit, 'x') + "\"}";
        test::writeFile(m_path, large);
        JsonStore store(m_path, {.maxBytes = Limit});
        QVERIFY(store.change(with(u"a"_s, "1")).message.contains(u"larger than"_s));
        QCOMPARE(test::readFile(m_path), large);
        QCOMPARE(store.read(), QByteArray());
    }

    // A file stands where the folder should be.
    void whatCannotBeSavedCountsUntilItCan()
    {
        const QString folder = QFileInfo(m_path).path();
        test::writeFile(folder, {});
        JsonStore store(m_path, {.maxBytes = Limit});
        QVERIFY(store.change(with(u"lost"_s, "1")));
        QCOMPARE(store.read(), QByteArray());
        QVERIFY(store.isSaved());
        QVERIFY(store.change(with(u"a"_s, "1"), with(u"a"_s, "2")));
        QCOMPARE(store.read(), R"({"a":2})"_ba);
        QVERIFY(!store.isSaved());
        QVERIFY(store.saveAgain());
        QVERIFY(QFile::remove(folder));
        QVERIFY(!store.saveAgain());
        QVERIFY(store.isSaved());
        QCOMPARE(test::readFile(m_path), R"({"a":2})"_ba);
    }

    void aRefusedChangeChangesNothing()
    {
        JsonStore store(m_path, {.maxBytes = Limit});
        QVERIFY(!store.change(with(u"a"_s, "1")));
        const JsonStore::Change refuse = [](const QByteArray &) { return Error::local(u"no"_s); };
        QCOMPARE(store.change(refuse, with(u"b"_s, "1")).message, u"no"_s);
        QVERIFY(store.isSaved());
        QCOMPARE(store.read(), R"({"a":1})"_ba);
    }

    void withoutAPlaceItIsInMemory()
    {
        JsonStore store(QString(), {.maxBytes = Limit});
        QVERIFY(store.isSaved());
        QVERIFY(store.change(with(u"a"_s, "1"), with(u"a"_s, "2")).message.contains(u"HOME"_s));
        QCOMPARE(store.read(), R"({"a":1})"_ba);
        QVERIFY(!store.isSaved());
    }

    // A program that is stopped in the middle of a change would otherwise stop this one, too.
    void aLockThatIsNotGivenBackIsSaid()
    {
        QVERIFY(QDir().mkpath(QFileInfo(m_path).path()));
        const FileLock lock(m_path + u".lock"_s);
        FileLock second(m_path + u".lock"_s, std::chrono::milliseconds(10));
        QVERIFY(!lock.isHeldElsewhere());
        QVERIFY(second.isHeldElsewhere());
    }

    void ofLinesTheNewestCount()
    {
        JsonStore store(m_path, {.content = JsonStore::Content::Lines, .maxBytes = Limit});
        for (int i = 0; QFileInfo(m_path).size() <= Limit; ++i)
            QVERIFY(!store.append("[" + QByteArray::number(i) + "," + QByteArray(1000, '1') + "]"));
        QVERIFY(!store.append("\"last\""));
        QCOMPARE(store.read().size(), Limit);
        QVERIFY(store.read().endsWith("\n\"last\"\n"));
        test::writeFile(m_path, "[1]\n[2");
        QVERIFY(!store.append("[3]"));
        QCOMPARE(store.read(), "[1]\n[2\n[3]\n"_ba);
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

SONDE_TEST(TestJsonStore)
#include "tst_jsonstore.moc"
