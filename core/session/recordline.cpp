// SPDX-License-Identifier: Apache-2.0
#include "core/session/recordline.h"

#include "core/json/scan.h"
#include "core/json/stringcodec.h"
#include "core/session/crc32.h"
#include "core/session/linewriter.h"

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

namespace sonde {

namespace {

constexpr qsizetype ChecksumLength = 18;
constexpr qsizetype EscapedPiece = 256 * 1024;  // of a payload that is written in pieces

// What a line claims may be anything. Within these, many of them can be added up.
constexpr qint64 MaxTimeNs = qint64(1) << 57;  // four years
constexpr qint64 MaxWallUs = qint64(1) << 57;
constexpr qint64 MaxWireLength = qint64(1) << 40;

// By WireEvent::Kind.
constexpr std::array<QByteArrayView, 13> KindWords = {"open",     "msg",      "partial", "junk",  "stderr",
                                                      "http-req", "http-res", "sse",     "state", "user",
                                                      "note",     "redact",   "end"};
constexpr std::array<char, 3> DirectionLetters = {'>', '<', '.'};

std::optional<WireEvent::Kind> kindOf(QByteArrayView word)
{
    for (size_t i = 0; i < KindWords.size(); ++i) {
        if (word == KindWords[i])
            return WireEvent::Kind(i);
    }
    return std::nullopt;
}

std::optional<Direction> directionOf(QByteArrayView letter)
{
    for (size_t i = 0; i < DirectionLetters.size(); ++i) {
        if (letter.size() == 1 && letter.front() == DirectionLetters[i])
            return Direction(i);
    }
    return std::nullopt;
}

void writeHead(LineWriter &line, const RecordLine &record)
{
    line.text("{\"n\":").number(record.number).text(",\"t\":").number(record.timeNs);
    line.text(",\"w\":").number(record.wallUs).text(",\"c\":").number(record.connection);
    line.text(",\"d\":\"").text({&DirectionLetters[size_t(record.direction)], 1});
    line.text("\",\"k\":\"").text(KindWords[size_t(record.kind)]).text("\"");
    if (!record.facts.isEmpty())
        line.text(",\"m\":").text(record.facts);
    if (record.about != 0)
        line.text(",\"re\":").number(record.about);
    if (record.hasPayload)
        line.text(",\"len\":").number(record.wireLength).text(",\"nl\":").number(record.terminator);
}

// Calls put with each piece of the escaped text. False when that did, or when the bytes are not UTF-8.
template <typename Put>
bool putText(QByteArrayView bytes, const Put &put)
{
    QByteArray piece(json::roomForEscaped(EscapedPiece), Qt::Uninitialized);
    const char *at = bytes.data();
    const char *const end = at + bytes.size();
    while (at < end) {
        const char *const stop = end - at > EscapedPiece ? at + EscapedPiece : end;
        const char *const to = json::putEscaped(piece.data(), at, stop, end);
        if (!to || !put(QByteArrayView(piece.constData(), to)))
            return false;
    }
    return true;
}

template <typename Put>
bool putBase64(QByteArrayView bytes, const Put &put)
{
    constexpr qsizetype wholeGroups = 3 * EscapedPiece / 4 / 3 * 3;  // only the last piece may end in padding
    while (!bytes.isEmpty()) {
        const QByteArrayView piece = bytes.first(qMin(bytes.size(), wholeGroups));
        if (!put(QByteArray::fromRawData(piece.data(), piece.size()).toBase64()))
            return false;
        bytes = bytes.sliced(piece.size());
    }
    return true;
}

bool isWrittenAsText(QByteArrayView bytes)
{
    qsizetype length = 0;
    return putText(bytes, [&length, maxLength = LineWriter::maxEscapedLength(bytes.size())](QByteArrayView piece) {
        length += piece.size();
        return length <= maxLength;
    });
}

bool writePayload(LineWriter &line, const RecordLine &record)
{
    constexpr QByteArrayView beginning(",\"raw\":\"");
    const bool isText = line.text(beginning).escaped(record.payload);
    if (!isText) {
        line.drop(beginning.size());
        line.text(",\"b64\":\"");
        line.text(QByteArray::fromRawData(record.payload.data(), record.payload.size()).toBase64());
    }
    line.text(record.isCut ? "\",\"cut\":true" : "\"");
    return isText;
}

void writeMarks(LineWriter &line, const QList<RedactionMark> &marks)
{
    line.text(",\"red\":[");
    for (const RedactionMark &mark : marks) {
        line.text(&mark == &marks.first() ? "[" : ",[").number(mark.offset).text(",").number(mark.length);
        line.text(",\"").text(mark.kind).text(mark.inFacts ? "\",\"m\"]" : "\"]");
    }
    line.text("]");
}

template <typename Number>
bool narrow(qint64 number, Number *out)
{
    if (number < 0 || quint64(number) > std::numeric_limits<Number>::max())
        return false;
    *out = Number(number);
    return true;
}

void keepInBounds(RecordLine *record)
{
    record->timeNs = qBound<qint64>(0, record->timeNs, MaxTimeNs);
    record->wallUs = qBound(-MaxWallUs, record->wallUs, MaxWallUs);
    record->wireLength = qBound<qint64>(0, record->wireLength, MaxWireLength);
}

// Reads a line whose keys come in the documented order without any white space, as Sonde writes it.
class LineCursor {
public:
    explicit LineCursor(QByteArrayView text) : m_at(text.data()), m_end(text.data() + text.size()) {}

    template <size_t size>
    bool take(const char (&literal)[size])
    {
        if (m_end - m_at < qptrdiff(size - 1) || std::memcmp(m_at, literal, size - 1) != 0)
            return false;
        m_at += size - 1;
        return true;
    }

    bool number(qint64 *out)
    {
        const auto result = std::from_chars(m_at, m_end, *out);
        if (result.ec != std::errc())
            return false;
        m_at = result.ptr;
        return true;
    }

    // The text's last byte, which has to be a quote, ends the string. Whether no other quote does is left to decoding.
    bool lastString(QByteArrayView *out)
    {
        if (m_at == m_end || m_end[-1] != '"')
            return false;
        *out = QByteArrayView(m_at, m_end - 1);
        m_at = m_end;
        return true;
    }

    // Up to the closing quote, which is taken.
    bool string(QByteArrayView *out)
    {
        const char *const start = m_at;
        m_at = json::closingQuote(m_at, m_end);
        if (m_at == m_end)
            return false;
        *out = QByteArrayView(start, m_at);
        ++m_at;
        return true;
    }

    bool value(QByteArrayView *out)
    {
        const char *const next = json::endOfValidValue(m_at, m_end);
        if (!next)
            return false;
        *out = QByteArrayView(m_at, next);
        m_at = next;
        return true;
    }

    bool atEnd() const { return m_at == m_end; }

private:
    const char *m_at;
    const char *const m_end;
};

// What stands in front of the length and the payload.
bool readOwnHead(LineCursor &cursor, RecordLine *record)
{
    qint64 number = 0;
    qint64 connection = 0;
    QByteArrayView direction;
    QByteArrayView kind;
    if (!cursor.take("{\"n\":") || !cursor.number(&number) || !narrow(number, &record->number) ||
        !cursor.take(",\"t\":") || !cursor.number(&record->timeNs) || !cursor.take(",\"w\":") ||
        !cursor.number(&record->wallUs) || !cursor.take(",\"c\":") || !cursor.number(&connection) ||
        !narrow(connection, &record->connection) || !cursor.take(",\"d\":\"") || !cursor.string(&direction) ||
        !cursor.take(",\"k\":\"") || !cursor.string(&kind))
        return false;
    const std::optional<Direction> knownDirection = directionOf(direction);
    const std::optional<WireEvent::Kind> knownKind = kindOf(kind);
    if (!knownDirection || !knownKind)
        return false;
    record->direction = *knownDirection;
    record->kind = *knownKind;

    if (cursor.take(",\"m\":") && (!cursor.value(&record->facts) || record->facts.front() != '{'))
        return false;
    if (cursor.take(",\"re\":") && (!cursor.number(&number) || !narrow(number, &record->about)))
        return false;
    return true;
}

// False: for whatever reason, the line has to be read the long way.
// willDecode: the payload is going to be decoded, which finds out whether its end was found in the right place.
bool readOwnLine(QByteArrayView text, RecordLine *record, bool willDecode)
{
    LineCursor cursor(text);
    qint64 number = 0;
    if (!readOwnHead(cursor, record))
        return false;
    if (cursor.take(",\"len\":")) {
        if (!cursor.number(&record->wireLength) || !cursor.take(",\"nl\":") || !cursor.number(&number) ||
            !narrow(number, &record->terminator))
            return false;
        record->isBase64 = !cursor.take(",\"raw\":\"");
        if (record->isBase64 && !cursor.take(",\"b64\":\""))
            return false;
        if (!(willDecode && cursor.lastString(&record->payload)) && !cursor.string(&record->payload))
            return false;
        record->hasPayload = true;
        record->isCut = cursor.take(",\"cut\":true");
    }
    QByteArrayView marks;
    if (cursor.take(",\"red\":") && !cursor.value(&marks))
        return false;
    keepInBounds(record);
    return cursor.atEnd();
}

bool decodePayload(RecordLine &record, QByteArray &out)
{
    if (!record.hasPayload) {
        out.resize(0);
        return true;
    }
    if (!record.isBase64) {
        bool isOwn = false;
        const bool decoded = json::unescape(record.payload, out, &isOwn);
        record.needsDecoding = !isOwn;
        return decoded;
    }
    record.needsDecoding = true;
    const auto result = QByteArray::fromBase64Encoding(
        QByteArray::fromRawData(record.payload.data(), record.payload.size()), QByteArray::AbortOnBase64DecodingErrors);
    out = result.decoded;
    return result.decodingStatus == QByteArray::Base64DecodingStatus::Ok;
}

// Any order, white space and further keys. Views stay within `line`, of which the document holds no copy.
LineState readForeignLine(QByteArrayView line, RecordLine *record)
{
    const json::Document document = json::Document::parse(QByteArray::fromRawData(line.data(), line.size()));
    const json::Value root = document.root();
    if (!document.isValid() || !root.isObject())
        return LineState::Damaged;
    *record = {};
    const json::Value direction = root[u"d"];
    const json::Value kind = root[u"k"];
    const std::optional<qint64> number = root[u"n"].toInteger();
    if (!number || !narrow(*number, &record->number) || !direction.isString() || !kind.isString() ||
        !narrow(root[u"c"].toInteger().value_or(0), &record->connection) ||
        !narrow(root[u"re"].toInteger().value_or(0), &record->about) ||
        !narrow(root[u"nl"].toInteger().value_or(0), &record->terminator))
        return LineState::Damaged;
    const std::optional<Direction> knownDirection = directionOf(direction.string().toUtf8());
    const std::optional<WireEvent::Kind> knownKind = kindOf(kind.string().toUtf8());
    if (!knownDirection || !knownKind)
        return LineState::Unknown;
    record->direction = *knownDirection;
    record->kind = *knownKind;
    record->timeNs = root[u"t"].toInteger().value_or(0);
    record->wallUs = root[u"w"].toInteger().value_or(0);

    // Slices point into the text the document was made from; this maps them back into the caller's line.
    const auto here = [&](const json::Value &value, qsizetype trim) {
        return line.sliced(value.offset() + trim, value.slice().size() - 2 * trim);
    };
    if (root[u"m"].isObject())
        record->facts = here(root[u"m"], 0);
    const json::Value raw = root[u"raw"];
    const json::Value base64 = root[u"b64"];
    record->isBase64 = !raw.isString();
    record->hasPayload = raw.isString() || base64.isString();
    if (record->hasPayload)
        record->payload = here(raw.isString() ? raw : base64, 1);
    record->isCut = root[u"cut"].exists() && !(root[u"cut"].isBool() && !root[u"cut"].toBool());
    QByteArray bytes;
    const bool decoded = decodePayload(*record, bytes);
    record->wireLength = root[u"len"].toInteger().value_or(bytes.size());
    keepInBounds(record);
    return decoded ? LineState::Good : LineState::Damaged;
}

}  // namespace

QLatin1StringView kindWord(WireEvent::Kind kind)
{
    return QLatin1StringView(KindWords[size_t(kind)]);
}

void appendChecksum(QByteArray &out, qsizetype start)
{
    const quint32 checksum = crc32(QByteArrayView(out).sliced(start));
    LineWriter(out).text(",\"crc\":\"").hex(checksum).text("\"}");
}

bool hasValidChecksum(QByteArrayView line)
{
    if (line.size() <= ChecksumLength)
        return false;
    const QByteArrayView body = line.chopped(ChecksumLength);
    const QByteArrayView tail = line.last(ChecksumLength);
    quint32 checksum = 0;
    const auto result = std::from_chars(tail.data() + 8, tail.data() + 16, checksum, 16);
    return tail.startsWith(",\"crc\":\"") && tail.endsWith("\"}") && result.ec == std::errc() &&
           result.ptr == tail.data() + 16 && crc32(body) == checksum;
}

bool appendRecordLine(QByteArray &out, const RecordLine &record, const QList<RedactionMark> &marks)
{
    LineWriter line(out);
    writeHead(line, record);
    const bool isText = !record.hasPayload || writePayload(line, record);
    if (!marks.isEmpty())
        writeMarks(line, marks);
    const quint32 checksum = crc32(line.written());
    line.text(",\"crc\":\"").hex(checksum).text("\"}\n");
    return isText;
}

WrittenLine writeRecordLine(const RecordLine &record, const QList<RedactionMark> &marks, const PieceSink &sink)
{
    WrittenLine written;
    quint32 checksum = 0;
    const auto put = [&](QByteArrayView piece) {
        checksum = crc32(piece, checksum);
        written.length += piece.size();
        return sink(piece);
    };
    QByteArray piece;
    {
        written.isText = isWrittenAsText(record.payload);
        LineWriter line(piece);
        writeHead(line, record);
        line.text(written.isText ? ",\"raw\":\"" : ",\"b64\":\"");
    }
    if (!put(piece) || !(written.isText ? putText(record.payload, put) : putBase64(record.payload, put)))
        return written;
    piece.resize(0);
    {
        LineWriter line(piece);
        line.text(record.isCut ? "\",\"cut\":true" : "\"");
        if (!marks.isEmpty())
            writeMarks(line, marks);
    }
    if (!put(piece))
        return written;
    piece.resize(0);
    LineWriter(piece).text(",\"crc\":\"").hex(checksum).text("\"}\n");
    put(piece);
    return written;
}

LineState readRecordLine(QByteArrayView line, RecordLine *record)
{
    *record = {};
    if (!hasValidChecksum(line))
        return LineState::Damaged;
    return readOwnLine(line.chopped(ChecksumLength), record, false) ? LineState::Good : readForeignLine(line, record);
}

bool readRecordHead(QByteArrayView beginning, RecordLine *record)
{
    *record = {};
    LineCursor cursor(beginning);
    if (!readOwnHead(cursor, record) || !cursor.take(",\"len\":"))
        return false;
    keepInBounds(record);
    return true;
}

bool rereadRecordLine(QByteArrayView line, RecordLine *record)
{
    *record = {};
    return line.size() > ChecksumLength && readOwnLine(line.chopped(ChecksumLength), record, true);
}

LineState readRecordLine(QByteArrayView line, RecordLine *record, QByteArray &bytes)
{
    *record = {};
    bytes.resize(0);
    if (!hasValidChecksum(line))
        return LineState::Damaged;
    if (readOwnLine(line.chopped(ChecksumLength), record, true) && decodePayload(*record, bytes))
        return LineState::Good;
    const LineState state = readForeignLine(line, record);
    const bool isBad = state == LineState::Good && !decodePayload(*record, bytes);
    record->needsDecoding = true;
    return isBad ? LineState::Damaged : state;
}

}  // namespace sonde
