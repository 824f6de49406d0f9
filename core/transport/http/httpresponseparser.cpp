// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httpresponseparser.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace sonde {

namespace {

constexpr qsizetype MaxEvidence = 200;
constexpr qsizetype MaxChunkLine = 16 * 1024;
constexpr int MaxHexDigits = 15;  // more than any length, and no overflow

bool isDigits(QByteArrayView text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Every element of every header of that name, in lower case.
QList<QByteArray> elementsOf(const http::HeaderList &headers, QByteArrayView name)
{
    QList<QByteArray> elements;
    for (const auto &[header, value] : headers) {
        if (header.compare(name, Qt::CaseInsensitive) != 0)
            continue;
        for (const QByteArray &element : value.split(','))
            elements.append(element.trimmed().toLower());
    }
    return elements;
}

}  // namespace

qsizetype HttpResponseParser::append(QByteArrayView bytes, QByteArray *body)
{
    qsizetype at = 0;
    while (at < bytes.size() && !isOver()) {
        switch (m_state) {
            case State::Body:
            case State::ChunkData: {
                const qsizetype count = qsizetype(std::min<qint64>(m_left, bytes.size() - at));
                body->append(bytes.data() + at, count);
                at += count;
                m_left -= count;
                if (m_left == 0)
                    m_state = m_state == State::Body ? State::Over : State::ChunkEnd;
                break;
            }
            case State::UntilClose:
                body->append(bytes.data() + at, bytes.size() - at);
                at = bytes.size();
                break;
            default:
                if (readLine(bytes, &at))
                    onLine(std::exchange(m_line, QByteArray()));
                break;
        }
    }
    return at;
}

void HttpResponseParser::connectionClosed()
{
    if (m_state == State::UntilClose)
        m_state = State::Over;
    else if (m_state == State::StatusLine && !m_line.isEmpty())
        fail(Problem::NotHttp, m_line);
    else if (!isOver())
        fail(Problem::Closed, m_line);
}

// True when a whole line is in m_line, without its end.
bool HttpResponseParser::readLine(QByteArrayView bytes, qsizetype *at)
{
    const QByteArrayView rest = bytes.sliced(*at);
    const qsizetype lineFeed = rest.indexOf('\n');
    const qsizetype count = lineFeed < 0 ? rest.size() : lineFeed + 1;
    const bool isChunkLine = m_state == State::ChunkSize || m_state == State::ChunkEnd;
    if (!isChunkLine)
        m_headBytes += count;
    m_line.append(rest.data(), std::min<qsizetype>(count, MaxHeadBytes));
    *at += count;
    if (isChunkLine && m_line.size() > MaxChunkLine) {
        fail(Problem::BadChunk, m_line);
        return false;
    }
    if (m_headBytes > MaxHeadBytes) {
        fail(Problem::HeadTooLong, m_line);
        return false;
    }
    // Another protocol need not ever send a line feed.
    constexpr QByteArrayView protocol("HTTP/");
    const qsizetype seen = std::min(m_line.size(), protocol.size());
    if (m_state == State::StatusLine && m_line.front() != '\r' && m_line.front() != '\n' &&
        QByteArrayView(m_line).first(seen) != protocol.first(seen)) {
        fail(Problem::NotHttp, m_line);
        return false;
    }
    if (lineFeed < 0)
        return false;
    m_line.chop(m_line.endsWith("\r\n") ? 2 : 1);
    return true;
}

void HttpResponseParser::onLine(const QByteArray &line)
{
    switch (m_state) {
        case State::StatusLine:
            if (!line.isEmpty())  // RFC 9112 section 2.2 allows blank lines before it
                onStatusLine(line);
            return;
        case State::Headers:
            if (line.isEmpty())
                onHeadEnd();
            else
                onHeader(line);
            return;
        case State::ChunkSize:
            onChunkSize(line);
            return;
        case State::ChunkEnd:
            if (line.isEmpty())
                m_state = State::ChunkSize;
            else
                fail(Problem::BadChunk, line);
            return;
        case State::Trailers:
            if (line.isEmpty())
                m_state = State::Over;
            return;
        default:
            return;
    }
}

void HttpResponseParser::onStatusLine(const QByteArray &line)
{
    // "HTTP/1.1 200 OK"; the reason may be missing, with the blank before it or without.
    const bool isForm = line.size() >= 12 && line.startsWith("HTTP/1.") && line.at(8) == ' ' &&
                        isDigits(QByteArrayView(line).sliced(7, 1)) && isDigits(QByteArrayView(line).sliced(9, 3)) &&
                        (line.size() == 12 || line.at(12) == ' ');
    if (!isForm)
        return fail(Problem::NotHttp, line);
    m_status = line.mid(9, 3).toInt();
    m_reason = line.mid(13).trimmed();
    m_keepsAlive = line.at(7) != '0';
    m_headers.clear();
    m_state = State::Headers;
}

void HttpResponseParser::onHeader(const QByteArray &line)
{
    if ((line.front() == ' ' || line.front() == '\t') && !m_headers.isEmpty()) {  // a value folded over two lines
        m_headers.last().second += ' ' + line.trimmed();
        return;
    }
    const qsizetype colon = line.indexOf(':');  // without one, the whole line is shown as a name
    m_headers.append(
        {(colon < 0 ? line : line.left(colon)).trimmed(), colon < 0 ? QByteArray("") : line.mid(colon + 1).trimmed()});
}

void HttpResponseParser::onHeadEnd()
{
    if (m_status >= 100 && m_status < 200 && m_status != 101) {
        m_state = State::StatusLine;
        m_interimBytes = m_headBytes;
        return;
    }
    m_hasHead = true;
    const QList<QByteArray> options = elementsOf(m_headers, "Connection");
    if (options.contains("close"))
        m_keepsAlive = false;
    else if (options.contains("keep-alive"))
        m_keepsAlive = true;

    // RFC 9112 section 6.3: what says where the body ends.
    m_state = State::Over;
    if (m_status == 101 || m_status == 204 || m_status == 304) {
        m_keepsAlive = m_keepsAlive && m_status != 101;
        return;
    }
    const QList<QByteArray> encodings = elementsOf(m_headers, "Transfer-Encoding");
    const QList<QByteArray> lengths = elementsOf(m_headers, "Content-Length");
    if (!encodings.isEmpty()) {
        if (encodings != QList<QByteArray>{"chunked"})
            return fail(Problem::BadEncoding, encodings.join(", "));
        m_keepsAlive = m_keepsAlive && lengths.isEmpty();
        m_state = State::ChunkSize;
    } else if (!lengths.isEmpty()) {
        bool fits = false;
        m_left = lengths.first().toLongLong(&fits);
        if (!isDigits(lengths.first()) || !fits || lengths.count(lengths.first()) != lengths.size())
            return fail(Problem::BadLength, lengths.join(", "));
        m_state = m_left > 0 ? State::Body : State::Over;
    } else {
        m_keepsAlive = false;
        m_state = State::UntilClose;
    }
}

void HttpResponseParser::onChunkSize(const QByteArray &line)
{
    const qsizetype extension = line.indexOf(';');
    const QByteArray digits = (extension < 0 ? line : line.left(extension)).trimmed();
    bool isNumber = false;
    m_left = digits.toLongLong(&isNumber, 16);
    const bool isHex = std::all_of(digits.begin(), digits.end(), [](char c) { return std::isxdigit(uchar(c)) != 0; });
    if (!isNumber || !isHex || digits.size() > MaxHexDigits)
        return fail(Problem::BadChunk, line);
    m_state = m_left > 0 ? State::ChunkData : State::Trailers;
}

void HttpResponseParser::fail(Problem problem, const QByteArray &evidence)
{
    m_problem = problem;
    m_evidence = evidence.left(MaxEvidence);
    m_state = State::Over;
}

}  // namespace sonde
