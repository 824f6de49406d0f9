// What the list of sessions says of each, and the file that keeps it.
// SPDX-License-Identifier: Apache-2.0
#include "core/calls/summarystore.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;
using namespace sonde::test;

namespace {

const QByteArray wrongTool = R"({"jsonrpc":"2.0","id":2,"result":{"content":[],"isError":true}})";
const QByteArray wrongCall = R"({"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no"}})";

const QByteArray otherKinds = R"({"countedBy":2,"sessions":{"a.mcpsession":{"size":"x"}}})";
const QByteArray negative = R"({"countedBy":2,"sessions":{"a.mcpsession":{"size":1,"modifiedMs":1,"calls":-5}}})";
const QByteArray deep = R"({"countedBy":2,"sessions":)";

// Four calls: fine, tool error, protocol error, no response.
QByteArray fourCalls(bool isEnded)
{
    const auto call = [](int id) {
        return R"({"jsonrpc":"2.0","id":)" + QByteArray::number(id) +
               R"(,"method":"tools/call","params":{"name":"search"}})";
    };
    HandmadeSession made;
    made.sent(call(1)).at(1'000'000).received(R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})");
    made.sent(call(2)).received(wrongTool).sent(call(3)).received(wrongCall).sent(call(4));
    made.at(2'500'000'000).add(WireEvent::Kind::Note, Direction::Local, {}, R"({"text":"Something is wrong."})");
    if (isEnded)
        made.add(WireEvent::Kind::End, Direction::Local, {});
    return made.text();
}

}  // namespace

class SessionSummaryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void countsAsTheTimelineDoes()
    {
        const QString path = m_folder->filePath(u"a.mcpsession"_s);
        writeFile(path, fourCalls(true));
        const Result<SessionSummary> read = SessionSummary::read(path);
        QVERIFY(read);
        QCOMPARE(*read, (SessionSummary{.calls = 4,
                                        .toolErrors = 1,
                                        .protocolErrors = 1,
                                        .unanswered = 1,
                                        .findings = 1,
                                        .messages = 7,
                                        .durationNs = 2'500'000'000,
                                        .isEnded = true}));
        writeFile(path, fourCalls(false));
        QVERIFY(!SessionSummary::read(path)->isEnded);
        QVERIFY(!SessionSummary::read(m_folder->filePath(u"absent"_s)));
    }

    // A subscription is open as long as the connection, and the program that ends closes it.
    void aSubscriptionThatEndsWithTheSessionHasNotFailed()
    {
        const QString path = m_folder->filePath(u"a.mcpsession"_s);
        HandmadeSession made;
        made.sent(R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}})");
        made.add(WireEvent::Kind::End, Direction::Local, {});
        writeFile(path, made.text());
        const Result<SessionSummary> read = SessionSummary::read(path);
        QVERIFY(read);
        QCOMPARE(read->calls, 1);
        QCOMPARE(read->failures(), 0);
    }

    // The next list has them at once; a file that has changed is read again, and one that is no session is not waited
    // for.
    void isKeptUntilTheFileChanges()
    {
        const QString path = m_folder->filePath(u"a.mcpsession"_s);
        writeFile(path, fourCalls(true));
        writeFile(m_folder->filePath(u"b.mcpsession"_s), "nonsense");
        const SessionLibrary library(m_folder->path());
        readAll(library);
        const auto entry = [&library] {
            for (const SessionEntry &each : library.entries()) {
                if (each.problem.isEmpty())
                    return each;
            }
            return SessionEntry();
        };
        {
            const SummaryStore again(library.folder());
            QCOMPARE(again.summaryOf(entry()).value_or(SessionSummary()).calls, 4);
        }
        writeFile(path, fourCalls(false));
        QVERIFY(!SummaryStore(library.folder()).summaryOf(entry()));
        readAll(library);
        QVERIFY(!SummaryStore(library.folder()).summaryOf(entry()).value_or(SessionSummary{.isEnded = true}).isEnded);
    }

    void aRecordingIsReadOnceItHasEnded()
    {
        writeFile(m_folder->filePath(u"a.mcpsession"_s), fourCalls(true));
        QList<SessionEntry> entries = SessionLibrary(m_folder->path()).entries();
        QCOMPARE(entries.size(), 1);
        SummaryStore store(m_folder->path());
        QSignalSpy finished(&store, &SummaryStore::finished);
        entries.first().isOpenElsewhere = true;
        store.read(entries);
        QCOMPARE(finished.size(), 1);
        QVERIFY(!store.summaryOf(entries.first()));
        entries.first().isOpenElsewhere = false;
        store.read(entries);
        QTRY_COMPARE(finished.size(), 2);
        QVERIFY(store.summaryOf(entries.first()));
    }

    void aFileThatIsNoneOfOurs_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addRow("nonsense") << QByteArray("nonsense");
        QTest::addRow("list") << QByteArray("[1,2]");
        QTest::addRow("other kinds") << otherKinds;
        QTest::addRow("negative") << negative;
        QTest::addRow("deep") << deep + QByteArray(100'000, '[');
    }
    void aFileThatIsNoneOfOurs()
    {
        QFETCH(QByteArray, text);
        writeFile(m_folder->filePath(u"summaries.json"_s), text);
        const QString path = m_folder->filePath(u"a.mcpsession"_s);
        writeFile(path, fourCalls(true));
        const SessionLibrary library(m_folder->path());
        QVERIFY(!SummaryStore(library.folder()).summaryOf(SessionLibrary::entryOf(path)));
        readAll(library);
        QVERIFY(SummaryStore(library.folder()).summaryOf(SessionLibrary::entryOf(path)));
    }

    // Sums of them would overflow.
    void aNumberThatNobodyCounted()
    {
        const QString path = m_folder->filePath(u"a.mcpsession"_s);
        const QString file = m_folder->filePath(u"summaries.json"_s);
        writeFile(path, fourCalls(true));
        const SessionLibrary library(m_folder->path());
        readAll(library);
        QByteArray text = readFile(file);
        QVERIFY(text.contains("\"toolErrors\":1,"));
        writeFile(file, text.replace("\"toolErrors\":1,", "\"toolErrors\":9223372036854775807,"));
        QVERIFY(!SummaryStore(library.folder()).summaryOf(SessionLibrary::entryOf(path)));
    }

private:
    static void readAll(const SessionLibrary &library)
    {
        SummaryStore store(library.folder());
        QSignalSpy finished(&store, &SummaryStore::finished);
        store.read(library.entries());
        QTRY_COMPARE(finished.size(), 1);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

SONDE_TEST(SessionSummaryTest)
#include "tst_sessionsummary.moc"
