// One filter over all sessions.
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/sessionsearch.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

using namespace sonde;
using namespace Qt::StringLiterals;
using namespace sonde::test;

namespace {

const QByteArray searchCall = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}})";
const QByteArray failedSearch = R"({"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}})";
const QByteArray goodSearch = R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})";

}  // namespace

class SessionSearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        writeFile(m_folder->filePath(u"bad.mcpsession"_s),
                  HandmadeSession().sent(searchCall).at(5'000'000).received(failedSearch).text());
        writeFile(m_folder->filePath(u"good.mcpsession"_s),
                  HandmadeSession().sent(searchCall).received(goodSearch).text());
        writeFile(m_folder->filePath(u"none.mcpsession"_s), "nonsense");
    }

    // A call is one hit, whichever of its messages match.
    void findsCallsThatFailed()
    {
        SessionSearch search;
        QList<SessionHit> hits;
        connect(&search, &SessionSearch::found, this, [&hits](const QList<SessionHit> &found) { hits += found; });
        QSignalSpy finished(&search, &SessionSearch::finished);
        search.start(sessions(), filter(u"tool == search and outcome ~ error and time >= 2026-01-31"_s));
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(hits.size(), 1);
        QCOMPARE(hits[0].path, m_folder->filePath(u"bad.mcpsession"_s));
        QCOMPARE(hits[0].row, 0);
        QCOMPARE(hits[0].target, u"search"_s);
        QCOMPARE(hits[0].outcome, RowOutcome::ToolError);
        QCOMPARE(hits[0].durationNs, 5'000'000);
        QCOMPARE(search.progress().searched, 2);

        search.start(sessions(), filter(u"tool == search and time >= 2026-02-01"_s));
        QTRY_COMPARE(finished.size(), 2);
        QCOMPARE(hits.size(), 1);
    }

    void isCancelled()
    {
        SessionSearch search;
        QSignalSpy found(&search, &SessionSearch::found);
        QSignalSpy finished(&search, &SessionSearch::finished);
        search.start(sessions(), filter(u"search"_s));
        search.cancel();
        QVERIFY(!search.isRunning());
        search.start({}, filter(u"search"_s));
        QTRY_COMPARE(finished.size(), 1);
        QVERIFY(QThreadPool::globalInstance()->waitForDone());
        QCoreApplication::processEvents();  // which would bring what the first search has found
        QCOMPARE(found.size(), 0);
    }

    void aFileThatIsGone()
    {
        SessionSearch search;
        QSignalSpy finished(&search, &SessionSearch::finished);
        const QList<SessionEntry> before = sessions();
        QVERIFY(QFile::remove(m_folder->filePath(u"bad.mcpsession"_s)));
        search.start(before, filter(u"search"_s));
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(search.progress().unreadable, 1);
        QCOMPARE(search.progress().hits, 1);
    }

    void stopsAtTheLimit()
    {
        const Result<SessionHits> hits =
            searchSession(m_folder->filePath(u"bad.mcpsession"_s), filter(u"kind == msg"_s), 0);
        QVERIFY(hits);
        QVERIFY(hits->hits.isEmpty() && hits->hasMore);
    }

private:
    QList<SessionEntry> sessions() const { return SessionLibrary(m_folder->path()).entries(); }
    static Filter filter(const QString &text) { return Filter::parse(text).filter; }

    std::unique_ptr<QTemporaryDir> m_folder;
};

SONDE_TEST(SessionSearchTest)
#include "tst_sessionsearch.moc"
