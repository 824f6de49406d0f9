// Files that were written once are read for good: every row, link and outcome as it was.
// SPDX-License-Identifier: Apache-2.0
#include "core/calls/operations.h"
#include "tests/support/expectedfile.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QCryptographicHash>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;

namespace {

QString dataFile(const QString &name)
{
    return QStringLiteral(SONDE_SOURCE_DIR "/tests/core/session/data/") + name;
}

QByteArray payloadOf(const Session &session, qsizetype row)
{
    QByteArray text;
    for (const char c : describe(session, row)) {
        const bool isPlain = c >= 0x20 && c != 0x7f && c != '\\';
        text += isPlain || quint8(c) >= 0x80 ? QByteArray(1, c) : "\\x" + QByteArray(1, c).toHex();
    }
    return text;
}

enum class Payloads { Shown, Hashed };

// All that the reader says of a session. One line a row; payloads as they came, escaped like C.
QByteArray told(const Session &session, Payloads payloads)
{
    QByteArray text = "server " + session.serverName().toUtf8() + "\ncreated " +
                      session.createdAt().toString(Qt::ISODateWithMs).toLatin1() + "\nbytes " +
                      QByteArray::number(session.totalBytes()) + " messages " +
                      QByteArray::number(session.messageCount()) + '\n';
    for (const DamagedRange &range : session.damage()) {
        text += "damage " + QByteArray::number(range.offset) + '+' + QByteArray::number(range.length) + ' ' +
                range.reason.toUtf8() + '\n';
    }
    Operations operations(&session);
    operations.advance();
    for (qsizetype row = 0; row < session.size(); ++row) {
        text += "row " + QByteArray::number(row) + " operation " + QByteArray::number(operations.operationOf(row)) +
                " role " + QByteArray::number(int(operations.role(row))) + " reason " +
                QByteArray::number(int(operations.reason(row))) + ' ';
        const QByteArray payload = payloadOf(session, row);
        text += payloads == Payloads::Shown
                    ? payload
                    : QCryptographicHash::hash(payload, QCryptographicHash::Sha256).toHex().first(16);
        text += '\n';
    }
    for (qsizetype i = 0; i < operations.size(); ++i) {
        const std::vector<qsizetype> rows = operations.rows(i);
        const auto count = [&](RecordRole role) {
            return QByteArray::number(qsizetype(
                std::count_if(rows.begin(), rows.end(), [&](qsizetype row) { return operations.role(row) == role; })));
        };
        text += "operation " + QByteArray::number(i) + " outcome " + QByteArray::number(int(operations.outcome(i))) +
                " took " + QByteArray::number(operations.durationNs(i)) + " server " +
                QByteArray::number(operations.serverNs(i)) + " records " + QByteArray::number(qsizetype(rows.size())) +
                " questions " + count(RecordRole::ServerRequest) + " retries " + count(RecordRole::Retry) + " polls " +
                count(RecordRole::Poll) + " task " + QByteArray::number(int(operations.at(i).isTask)) + '\n';
    }
    return text;
}

// The same with whatever tells when, where and by which build it was written taken out.
QByteArray withoutTimes(QByteArray text)
{
    QString lines = QString::fromUtf8(text);
    lines.replace(QRegularExpression(u"\"(uuid|created|key|version|qt|os)\":\"[^\"]*\""_s), u"\"\\1\":\"\""_s);
    lines.replace(QRegularExpression(u"\"(t|w)\":\\d+,"_s), u"\"\\1\":0,"_s);
    lines.replace(QRegularExpression(u"\"crc\":\"[0-9a-f]{8}\"}\n"_s), u"\"crc\":\"\"}\n"_s);
    lines.replace(QRegularExpression(u"(\u2039[a-z0-9-]+):[0-9a-f]{8}\u203A"_s), u"\\1:00000000\u203A"_s);
    return lines.toUtf8();
}

}  // namespace

class GoldenTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOldFileSaysWhatItSaid_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<Payloads>("payloads");
        for (const char *name : {"stdio", "http", "damaged", "handmade"})
            QTest::newRow(name) << dataFile(QString::fromLatin1(name)) << Payloads::Shown;
        for (const char *name :
             {"calls-2024-11-05", "sse-2024-11-05", "batches-2025-03-26", "calls-2025-06-18", "requests-2025-11-25",
              "http-2025-11-25", "rounds-2026-07-28", "http-2026-07-28", "crash", "faults"})
            QTest::newRow(name) << formerSession(QString::fromLatin1(name)) << Payloads::Hashed;
    }
    void anOldFileSaysWhatItSaid()
    {
        QFETCH(QString, path);
        QFETCH(Payloads, payloads);
        const auto whole = Session::open(path + u".mcpsession"_s);
        QVERIFY(whole);
        compareWithFile(told(**whole, payloads), path + u".expected"_s);
        if (QTest::currentTestFailed())
            return;
        const auto growing = Session::openInBatches(path + u".mcpsession"_s);
        QVERIFY(growing);
        QTRY_VERIFY(!(*growing)->isLoading());
        QCOMPARE(told(**growing, payloads), told(**whole, payloads));
    }

    // What others have learned to read is written as it was, but for times and marks.
    void aNewFileIsWrittenAsItWas()
    {
        const QTemporaryDir folder;
        const std::unique_ptr<Session> session = Session::create(folder.filePath(u"s"_s), u"Server \"x\""_s);
        session->addSecret(u"a registered word"_s);
        playEverything(*session, true);
        session->append(
            happening(WireEvent::Kind::Open, Direction::Local, {},
                      "{\"transport\":\"stdio\",\"environment\":[\"A_TOKEN\",\"NODE_ENV\"],\"variables\":["
                      "[\"A_TOKEN\",\"abcdefgh\"],[\"NODE_ENV\",\"test\"]],\"inherited\":[\"X_KEY\",\"Y\"]}"),
            4);
        session->append(received("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":\"a registered word\"}"), 4);
        session->finish();
        QVERIFY(!session->error());
        compareWithFile(withoutTimes(readFile(session->path())), dataFile(u"written.expected"_s));
    }
};

SONDE_TEST(GoldenTest)

#include "tst_golden.moc"
