// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filterrow.h"

#include "core/json/stringcodec.h"
#include "core/protocol/messagefields.h"

namespace sonde {

namespace {

bool isEscaped(QByteArrayView text, qsizetype at)
{
    qsizetype backslashes = 0;
    while (backslashes < at && text.at(at - 1 - backslashes) == '\\')
        ++backslashes;
    return backslashes % 2 == 1;
}

// Whether a place in the inside of a JSON string is within an escape, behind its backslash.
bool isWithinEscape(QByteArrayView text, qsizetype at)
{
    if (isEscaped(text, at))
        return true;
    for (qsizetype letter = at - 1; letter > 0 && letter >= at - 4; --letter) {
        if (text.at(letter) == 'u' && isEscaped(text, letter))
            return true;
    }
    return false;
}

// Within the raw part of a line, where the quotes of the message are escaped.
constexpr QByteArrayView quote("\\\"");

QByteArrayView withoutSpaces(QByteArrayView text)
{
    while (text.startsWith(' '))
        text = text.sliced(1);
    return text;
}

// What begins such a text: an integer, or a string without any escape and without its quotes. Empty: anything else.
QByteArrayView plainValue(QByteArrayView text, bool *isString)
{
    *isString = text.startsWith(quote);
    if (*isString) {
        text = text.sliced(quote.size());
        const qsizetype end = text.indexOf('\\');
        return end >= 0 && text.sliced(end).startsWith(quote) ? text.first(end) : QByteArrayView();
    }
    qsizetype end = text.startsWith('-') ? 1 : 0;
    while (end < text.size() && text.at(end) >= '0' && text.at(end) <= '9')
        ++end;
    const bool isWhole = end < text.size() && QByteArrayView(",} \\").contains(text.at(end));
    return isWhole ? text.first(end) : QByteArrayView();
}

}  // namespace

void FilterRow::select(qsizetype row)
{
    // Lines in memory go to the file, and their memory away, when a recording is resumed.
    const qint64 offset = m_session->at(row).fileOffset;
    if (m_row == row && m_offset == offset && offset >= 0)
        return;
    m_row = row;
    m_offset = offset;
    m_line.reset();
    m_record.reset();
    m_hasBytes = false;
    m_message.reset();
}

QByteArrayView FilterRow::line()
{
    if (!m_line)
        m_line = m_lines.line(m_row);
    return *m_line;
}

const RecordLine &FilterRow::record()
{
    if (m_record)
        return *m_record;
    m_record.emplace();
    if (info().needsDecoding) {
        m_hasBytes = true;
        if (readRecordLine(line(), &*m_record, m_bytes) != LineState::Good) {
            m_record.emplace();
            m_bytes.resize(0);
        }
    } else if (!rereadRecordLine(line(), &*m_record)) {
        m_record.emplace();
    }
    return *m_record;
}

const QByteArray &FilterRow::bytes()
{
    if (info().needsDecoding)
        (void)record();
    if (!m_hasBytes) {
        m_hasBytes = true;
        if (!json::unescape(payload(), m_bytes))
            m_bytes.resize(0);
    }
    return m_bytes;
}

const json::Value &FilterRow::message()
{
    if (!m_message) {
        m_message.emplace();
        if (info().kind == WireEvent::Kind::Message)
            m_message = json::Document::parse(bytes()).root();
    }
    return *m_message;
}

QByteArrayView FilterRow::id()
{
    if (info().kind != WireEvent::Kind::Message)
        return {};
    if (info().isPlain) {
        if (info().messageKind == Message::Kind::Notification)
            return {};
        if (const QByteArrayView found = idInLine(); !found.isEmpty())
            return found;
    }
    return MessageFields::read(bytes())[MessageFields::Id];
}

// A plain request or response has a member of this name. Where its line has only one, that is it, and nothing but its
// value has to be read. Empty: only the message can tell.
QByteArrayView FilterRow::idInLine()
{
    static const QByteArrayView key("\\\"id\\\"");
    static const CaseInsensitiveMatcher needle(key);
    if (info().needsDecoding)
        return {};
    const QByteArrayView text = payload();
    QByteArrayView found;
    for (qsizetype at = needle.indexIn(text); at >= 0; at = needle.indexIn(text, at + 1)) {
        if (!found.isNull())
            return {};
        const QByteArrayView behind = withoutSpaces(text.sliced(at + key.size()));
        if (!text.sliced(at).startsWith(key) || !behind.startsWith(':'))
            return {};
        bool isString = false;
        found = plainValue(withoutSpaces(behind.sliced(1)), &isString);
        if (found.isEmpty())
            return {};
        if (isString)
            found = m_id = '"' + found.toByteArray() + '"';
    }
    return found;
}

// Most lines hold a payload and nothing else that could hold a word: there it lies between the beginning that all of
// them share and the checksum, and need not be read to be found.
QByteArrayView FilterRow::simplePayload()
{
    static const CaseInsensitiveMatcher beginning(",\"raw\":\"");
    static const CaseInsensitiveMatcher factsBeginning(",\"m\":{");
    constexpr qsizetype endLength = 19;  // the quote and the checksum
    const QByteArrayView text = line();
    const qsizetype at = beginning.indexIn(text);
    const qsizetype start = at + beginning.size();
    if (at < 0 || start > text.size() - endLength || text.at(text.size() - endLength) != '"' ||
        factsBeginning.isIn(text.first(at)))
        return {};
    return text.sliced(start, text.size() - endLength - start);
}

// As it appears in the line.
QByteArrayView FilterRow::payload()
{
    const QByteArrayView simple = simplePayload();
    return simple.isNull() ? record().payload : simple;
}

bool FilterRow::holds(const CaseInsensitiveMatcher &word, const CaseInsensitiveMatcher &escapedWord)
{
    if (const QByteArrayView payload = simplePayload(); !payload.isNull())
        return payloadHolds(payload, escapedWord);
    return payloadHolds(record().payload, escapedWord) || word.isIn(record().facts);
}

bool FilterRow::payloadHolds(QByteArrayView payload, const CaseInsensitiveMatcher &escapedWord)
{
    for (qsizetype at = escapedWord.indexIn(payload); at >= 0; at = escapedWord.indexIn(payload, at + 1)) {
        if (!isWithinEscape(payload, at))
            return true;
    }
    return false;
}

}  // namespace sonde
