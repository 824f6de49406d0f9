// The check of all messages can fail: each wrong message here is found, and no right one.
// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/driver.h"
#include "tests/e2e/messagecheck.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "tests/support/wrongmessages.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

struct Line {
    const char *direction;
    QByteArray message;
};

QByteArray entry(const Line &line, int conversation, const QByteArray &test, const QByteArray &exempt = {})
{
    return QByteArray(line.direction) + ' ' + QByteArray::number(conversation) + ' ' +
           QByteArray::number(line.message.size()) + ' ' + test + '\t' + exempt + '\n' + line.message + '\n';
}

QByteArray outRequest(const QByteArray &rest)
{
    return R"({"jsonrpc":"2.0","id":7,)" + rest + '}';
}

// The handshake of a stateful revision, as it is written down.
QList<Line> handshake(const QByteArray &revision)
{
    return {{"out", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                    R"("capabilities":{},"clientInfo":{"name":"a","version":"1"}}})"},
            {"in", R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":")" + revision +
                       R"(","capabilities":{},"serverInfo":{"name":"b","version":"1"}}})"},
            {"out", R"({"jsonrpc":"2.0","method":"notifications/initialized"})"}};
}

QByteArray statelessMeta()
{
    return R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},)"
           R"("io.modelcontextprotocol/clientCapabilities":{}})";
}

struct Case {
    const char *name;
    QList<Line> lines;
    QByteArray complaint;
};

QList<Case> cases()
{
    QList<Case> all;
    const QByteArray call = outRequest(R"("method":"tools/call","params":{"name":5})");
    for (const char *revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
        all.append({revision, handshake(revision) + QList<Line>{{"out", call}}, "/name must be string"});
    all.append({"2026-07-28",
                {{"out", outRequest(R"("method":"tools/call","params":{"name":5,)" + statelessMeta() + '}')}},
                "/name must be string"});
    all.append({"no-meta",
                {{"out", outRequest(R"("method":"server/discover","params":{)" + statelessMeta() + '}')},
                 {"out", R"({"jsonrpc":"2.0","id":8,"method":"tools/list","params":{}})"}},
                "must have required property '_meta'"});
    all.append({"other-method",
                {{"out", outRequest(R"("method":"resources/read","params":{"name":"echo"})")}},
                "ReadResourceRequest: message/params must have required property 'uri'"});
    all.append({"method-of-servers",
                {{"out", outRequest(R"("method":"roots/list")")}},
                "revision 2025-11-25 has no such method"});
    all.append({"method-of-later",
                handshake("2025-06-18") + QList<Line>{{"out", outRequest(R"("method":"tasks/list")")}},
                "revision 2025-06-18 has no such method"});
    all.append({"envelope", {{"out", R"({"jsonrpc":"2.0","id":null,"method":"ping"})"}}, "message/id must be"});
    all.append({"no-json", {{"out", "{"}}, "not JSON"});
    all.append({"batch",
                handshake("2025-06-18") + QList<Line>{{"out", R"([{"jsonrpc":"2.0","id":2,"method":"ping"}])"}},
                "a batch"});
    all.append({"unasked-response", {{"out", R"({"jsonrpc":"2.0","id":4,"result":{}})"}}, "a response to no request"});
    const Line ask{"in", R"({"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{}})"};
    all.append({"other-result",
                {ask, {"out", R"({"jsonrpc":"2.0","id":"a","result":{"roots":[]}})"}},
                "ElicitResult: message must have required property 'action'"});
    all.append({"error-response",
                {ask, {"out", R"({"jsonrpc":"2.0","id":"a","error":{"code":"x","message":"m"}})"}},
                "code must be integer"});
    const auto again = [](const QByteArray &responses) {
        return Line{"out", outRequest(R"("method":"tools/call","params":{"name":"a","inputResponses":)" + responses +
                                      ',' + statelessMeta() + '}')};
    };
    const Line wanted{"in", R"({"jsonrpc":"2.0","id":6,"result":{"inputRequests":{"k":{"method":"roots/list"}}}})"};
    all.append({"input-of-other-kind", {wanted, again(R"({"k":{"action":"cancel"}})")}, "input response k: ListRoots"});
    all.append(
        {"input-not-asked", {again(R"({"k":{"action":"cancel"}})")}, "an input response that was not asked for"});
    return all;
}

QList<Line> rightLines()
{
    return handshake("2025-11-25") +
           QList<Line>{
               {"out", outRequest(R"("method":"tools/call","params":{"name":"echo"})")},
               {"in", R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}})"},
               {"out", R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"score":95.5}}})"},
               {"in", R"({"jsonrpc":"2.0","id":2,"method":"some/thing"})"},
               {"out", R"({"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}})"},
               {"out", R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})"},
           };
}

}  // namespace

class tst_MessageCheck : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const QString why = test::whyNoMessageCheck(); !why.isEmpty())
            QSKIP(why.toUtf8().constData());
    }

    void findsWhatIsWrong()
    {
        QByteArray log;
        int number = 0;
        for (const Case &each : cases()) {
            ++number;
            for (const Line &line : each.lines)
                log += entry(line, number, each.name);
        }
        const test::MessageCheck check = checked(log);
        QCOMPARE(check.exitCode, 1);
        const QList<QByteArray> lines = check.text.split('\n');
        for (const Case &each : cases()) {
            const QByteArray begin = each.name + ": "_ba;
            const auto isOfCase = [&begin](const QByteArray &line) { return line.startsWith(begin); };
            QCOMPARE(std::count_if(lines.begin(), lines.end(), isOfCase), 1);
            const QByteArray line = *std::find_if(lines.begin(), lines.end(), isOfCase);
            QVERIFY2(line.contains(each.complaint), line.constData());
        }
    }

    void letsTheRightPass()
    {
        QByteArray log;
        for (const Line &line : rightLines())
            log += entry(line, 1, "right");
        const test::MessageCheck check = checked(log);
        QVERIFY2(check.exitCode == 0, check.text.constData());
        QCOMPARE(check.text, "Messages checked: 6 2025-11-25\n"_ba);
    }

    void countsTheExempt()
    {
        const test::MessageCheck check = checked(entry({"out", "{"}, 1, "exempt", "written by hand") +
                                                 entry({"out", outRequest(R"("method":"ping")")}, 1, "exempt", "x"));
        QCOMPARE(check.exitCode, 0);
        QCOMPARE(check.text, "Messages checked: 1 exempt, of which right, 1 exempt, of which wrong\n"_ba);
    }

    // What this very process sends, with the mark where it stands.
    void everythingIsWrittenDown()
    {
        const QString folder = qEnvironmentVariable("SONDE_MESSAGE_LOG");
        if (folder.isEmpty())
            QSKIP("messages are only written down when CTest starts the test");
        test::Driver driver(test::demoServer());
        QVERIFY2(driver.open(), driver.describe().constData());
        {
            const test::WrongMessages wrong("to see the mark");
            driver.run(driver.connection().request(u"no/such"));
        }
        const QStringList own =
            QDir(folder).entryList({QString::number(QCoreApplication::applicationPid()) + u"-*"_s}, QDir::Files);
        QCOMPARE(own.size(), 1);
        const QByteArray log = test::readFile(folder + u'/' + own.constFirst());
        QCOMPARE(log.count(R"("method":"tools/list")"), 1);
        const QByteArrayList lines = log.split('\n');
        const auto at =
            std::find_if(lines.begin(), lines.end(), [](const QByteArray &line) { return line.contains("no/such"); });
        QVERIFY(at != lines.end() && std::prev(at)->endsWith(" tst_messagecheck\tto see the mark"));
        QCOMPARE(log.count("to see the mark"), 1);
    }

private:
    static test::MessageCheck checked(const QByteArray &log)
    {
        QTemporaryDir folder;
        test::writeFile(folder.filePath(u"1.log"_s), log);
        return test::checkMessages(folder.path());
    }
};

SONDE_TEST(tst_MessageCheck)
#include "tst_messagecheck.moc"
