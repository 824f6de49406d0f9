// docs/session-format.md is enough to read what Sonde wrote, and to write what Sonde reads: nothing of Sonde's own is
// used for either here.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace sonde::test;

namespace {

// CRC-32 (IEEE 802.3), bit by bit.
quint32 checksum(const QByteArray &bytes)
{
    quint32 crc = 0xFFFFFFFF;
    for (const char byte : bytes) {
        crc ^= quint8(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) ? 0xEDB88320 : 0);
    }
    return ~crc;
}

QByteArray hex(quint32 number)
{
    return QByteArray::number(number, 16).rightJustified(8, '0');
}

// What stands before ,"crc":"xxxxxxxx"} as a whole object.
QByteArray line(const QByteArray &object)
{
    const QByteArray body = object.chopped(1);
    return body + ",\"crc\":\"" + hex(checksum(body)) + "\"}\n";
}

// As another program would: everything escaped that may be.
QByteArray jsonText(const QByteArray &utf8)
{
    QByteArray text("\"");
    for (const QChar unit : QString::fromUtf8(utf8)) {
        if (unit.unicode() >= 0x20 && unit.unicode() < 0x7F && unit != u'"' && unit != u'\\')
            text += char(unit.unicode());
        else
            text += "\\u" + QByteArray::number(unit.unicode(), 16).rightJustified(4, '0');
    }
    return text + '"';
}

QByteArray payloadOf(const QJsonObject &record)
{
    if (record.contains(QLatin1String("b64")))
        return QByteArray::fromBase64(record.value(QLatin1String("b64")).toString().toLatin1());
    return record.value(QLatin1String("raw")).toString().toUtf8();
}

QString kindName(WireEvent::Kind kind)
{
    using Kind = WireEvent::Kind;
    static const QHash<Kind, QString> names{{Kind::Open, QStringLiteral("open")},
                                            {Kind::Message, QStringLiteral("msg")},
                                            {Kind::Partial, QStringLiteral("partial")},
                                            {Kind::Junk, QStringLiteral("junk")},
                                            {Kind::Stderr, QStringLiteral("stderr")},
                                            {Kind::HttpRequest, QStringLiteral("http-req")},
                                            {Kind::HttpResponse, QStringLiteral("http-res")},
                                            {Kind::Sse, QStringLiteral("sse")},
                                            {Kind::State, QStringLiteral("state")},
                                            {Kind::User, QStringLiteral("user")},
                                            {Kind::Note, QStringLiteral("note")},
                                            {Kind::End, QStringLiteral("end")}};
    return names.value(kind);
}

}  // namespace

class FormatTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theChecksumIsTheUsualOne() { QCOMPARE(checksum("123456789"), quint32(0xCBF43926)); }

    void othersCanRead()
    {
        const QString path = m_dir.filePath(QStringLiteral("ours"));
        const std::unique_ptr<Session> session = Session::create(path, QStringLiteral("demo"));
        session->addSecret(QStringLiteral("hunter2hunter2"));
        playEverything(*session, true);
        session->append(received(R"({"jsonrpc":"2.0","method":"x","params":["hunter2hunter2"]})"), 3);
        session->finish();

        const QByteArray bytes = readFile(path);
        QVERIFY(bytes.endsWith('\n') && !bytes.contains('\r') && !bytes.contains("hunter2hunter2"));
        QVERIFY(bytes.startsWith("{\"mcpsession\":1,"));
        const QList<QByteArray> lines = bytes.chopped(1).split('\n');
        QCOMPARE(lines.size(), session->size() + 1);
        qint64 before = 0;
        int marks = 0;
        QSet<QString> kinds;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const QByteArray &text = lines.at(i);
            QCOMPARE(text.last(18), ",\"crc\":\"" + hex(checksum(text.chopped(18))) + "\"}");
            QJsonParseError problem;
            const QJsonObject record = QJsonDocument::fromJson(text, &problem).object();
            QVERIFY2(problem.error == QJsonParseError::NoError, qPrintable(problem.errorString()));
            if (i == 0) {
                QCOMPARE(record.value(QLatin1String("server")).toString(), QStringLiteral("demo"));
                QCOMPARE(QByteArray::fromBase64(record.value(QLatin1String("key")).toString().toLatin1()).size(), 16);
                QCOMPARE(record.value(QLatin1String("clock")).toString(), QStringLiteral("boottime-ns"));
                continue;
            }
            const qsizetype row = i - 1;
            const RecordInfo &info = session->at(row);
            const auto number = [&record](const char *key) { return record.value(QLatin1String(key)).toInteger(-1); };
            QCOMPARE(number("n"), row + 1);
            QVERIFY(number("t") >= before);
            before = number("t");
            QCOMPARE(number("c"), qint64(info.connection));
            QCOMPARE(record.value(QLatin1String("k")).toString(), kindName(info.kind));
            kinds.insert(record.value(QLatin1String("k")).toString());
            const QString way = record.value(QLatin1String("d")).toString();
            QCOMPARE(way, info.direction == Direction::ToServer     ? QStringLiteral(">")
                          : info.direction == Direction::FromServer ? QStringLiteral("<")
                                                                    : QStringLiteral("."));
            QCOMPARE(payloadOf(record), session->bytes(row));
            if (record.contains(QLatin1String("len")))
                QCOMPARE(number("len"), info.wireLength);
            const QJsonObject facts = QJsonDocument::fromJson(session->facts(row)).object();
            QCOMPARE(record.value(QLatin1String("m")).toObject(), facts);
            QCOMPARE(record.value(QLatin1String("cut")).toBool(),
                     info.wireLength > session->bytes(row).size() && !record.contains(QLatin1String("red")));
            for (const QJsonValue &mark : record.value(QLatin1String("red")).toArray()) {
                const QByteArray there =
                    payloadOf(record).mid(mark.toArray().at(0).toInteger(), mark.toArray().at(1).toInteger());
                QVERIFY2(there.startsWith("\xE2\x80\xB9secret:") && there.endsWith("\xE2\x80\xBA"), there.constData());
                ++marks;
            }
        }
        QCOMPARE(kinds.size(), 12);
        QCOMPARE(marks, 1);
    }

    void othersCanWrite()
    {
        QByteArray text =
            line(R"({"mcpsession":1,"minor":0,"created":"2030-05-06T07:08:09.010Z","server":"theirs","by":"them"})");
        struct Row {
            const char *way;
            const char *kind;
            QByteArray payload;
            QByteArray facts;
        };
        const QByteArray odd("\xFF\x00odd", 5);
        const QList<Row> rows{
            {".", "open", {}, R"({"transport":"stdio","argv":["x"]})"},
            {">", "msg", R"({"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"écho"}})", {}},
            {"<", "stderr", "grüße \xF0\x9F\x98\x80 \"\\\t", {}},
            {"<", "junk", odd, {}},
            {"<", "invented", "what?", {}},
            {"<", "msg", R"({"jsonrpc":"2.0","id":"a","result":{"isError":true}})", {}},
            {">", "msg", R"({"jsonrpc":"2.0","id":2,"method":"ping"})", {}},
            {".", "state", {}, R"({"what":"exited","code":3})"},
            {".", "end", {}, {}},
        };
        qint64 number = 0;
        for (const Row &row : rows) {
            ++number;
            QByteArray record = "{\"n\":" + QByteArray::number(number) + ",\"t\":" + QByteArray::number(number * 1000) +
                                ",\"w\":" + QByteArray::number(1'900'000'000'000'000 + number) + ",\"c\":1,\"d\":\"" +
                                row.way + "\",\"k\":\"" + row.kind + '"';
            if (!row.facts.isEmpty())
                record += ",\"m\":" + row.facts;
            if (!row.payload.isEmpty()) {
                record += ",\"len\":" + QByteArray::number(row.payload.size());
                record +=
                    row.payload == odd ? ",\"b64\":\"" + odd.toBase64() + '"' : ",\"raw\":" + jsonText(row.payload);
            }
            text += line(record + '}');
        }
        const QString path = m_dir.filePath(QStringLiteral("theirs"));
        writeFile(path, text);
        const auto opened = Session::open(path);
        QVERIFY(opened);
        const Session &session = **opened;
        QVERIFY(session.damage().isEmpty());
        QCOMPARE(session.serverName(), QStringLiteral("theirs"));
        QCOMPARE(session.createdAt().toString(Qt::ISODateWithMs), QStringLiteral("2030-05-06T07:08:09.010Z"));
        QCOMPARE(session.size(), rows.size() - 1);  // without the kind that nobody knows
        for (qsizetype i = 0, row = 0; i < rows.size(); ++i) {
            if (rows.at(i).kind == QByteArrayLiteral("invented"))
                continue;
            QCOMPARE(session.bytes(row), rows.at(i).payload);
            QCOMPARE(kindName(session.at(row).kind), QString::fromLatin1(rows.at(i).kind));
            QCOMPARE(session.facts(row), rows.at(i).facts);
            QCOMPARE(session.at(row).timeNs, (i + 1) * 1000);
            ++row;
        }
        // Links and outcomes follow from the records.
        QCOMPARE(session.partnerOf(1), 4);
        QCOMPARE(session.at(1).outcome, RowOutcome::ToolError);
        QCOMPARE(session.name(session.at(4).target), QString::fromUtf8("écho"));
        QCOMPARE(session.at(5).outcome, RowOutcome::NoResponse);
        QCOMPARE(session.durationNs(1), 4000);
    }

private:
    QTemporaryDir m_dir;
};

SONDE_TEST(FormatTest)

#include "tst_format.moc"
