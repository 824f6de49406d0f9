// SPDX-License-Identifier: Apache-2.0
#include "core/connection/stdoutjunk.h"

#include "core/connection/texts.h"
#include "core/json/document.h"
#include "core/protocol/message.h"
#include "core/protocol/nestingdepth.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"

#include <algorithm>

namespace sonde {

namespace {

constexpr qsizetype MaxLines = 20;
constexpr qsizetype MaxRead = 64 * 1024;
constexpr qsizetype MaxLineLength = 300;
constexpr qsizetype MaxQuoteLength = 100;
constexpr qsizetype MaxMark = 64;  // of the beginning of a line, white space included
constexpr char ByteOrderMark[] = "\xEF\xBB\xBF";

}  // namespace

bool StdoutJunk::add(const WireEvent &event, const std::function<QByteArray(const QByteArray &)> &mask)
{
    if (event.kind != WireEvent::Kind::Junk || event.direction != Direction::FromServer ||
        event.bytes.trimmed().isEmpty())
        return false;
    const QByteArray start = event.bytes.left(MaxMark).trimmed();
    const bool mayBeBroken =
        (start.startsWith('{') || start.startsWith(ByteOrderMark)) && event.bytes.size() <= MaxRead;
    const Message message = mayBeBroken ? Message::parse(event.bytes) : Message();
    if (message.isJsonRpc() && isOnlyTooDeep(event.bytes))
        return false;  // no fault of the server's
    ++m_count;
    const json::Value root = mayBeBroken ? message.root() : json::Value();
    const bool isResponse = root[u"id"].exists() && (root[u"result"].exists() || root[u"error"].exists());
    const bool isBroken = message.isJsonRpc() || root[u"jsonrpc"].exists() || isResponse;
    m_brokenMessages += isBroken ? 1 : 0;
    QString &first = isBroken ? m_firstBroken : m_firstOfOthers;
    if (m_first.size() >= MaxLines && !first.isEmpty())
        return true;
    // Masked before it is cut: of half a token nobody could tell what it is.
    const QString line =
        visibleLine(QString::fromUtf8(mask(event.bytes.left(MaxRead)).left(4 * MaxLineLength)), MaxLineLength);
    if (m_first.size() < MaxLines)
        m_first.append(line);
    if (first.isEmpty()) {
        first = line;
        if (isBroken)
            m_problems = visibleLine(message.problems().join(u' '), MaxLineLength);
    }
    return true;
}

QStringList StdoutJunk::findings() const
{
    QStringList sentences;
    const auto quoted = [](const QString &line) { return visibleLine(line.trimmed(), MaxQuoteLength); };
    if (m_brokenMessages > 0) {
        const QString first = m_problems + u' ' + quoted(m_firstBroken);
        sentences.append(m_brokenMessages == 1
                             ? ConnectionText::tr("The server sent a message that violates JSON-RPC: %1").arg(first)
                             : ConnectionText::tr("The server sent %1 messages that violate JSON-RPC. The first: %2")
                                   .arg(grouped(m_brokenMessages), first));
    }
    if (const qint64 others = m_count - m_brokenMessages; others > 0) {
        const QString first = quoted(m_firstOfOthers);
        const QString sentence =
            others == 1
                ? ConnectionText::tr("The server wrote a line to standard output that is not a JSON-RPC message: %1")
                      .arg(first)
                : ConnectionText::tr(
                      "The server wrote %1 lines to standard output that are not JSON-RPC messages. The first: %2")
                      .arg(grouped(others), first);
        sentences.append(sentence + u'\n' + explanation());
    }
    return sentences;
}

QString StdoutJunk::explanation() const
{
    if (m_count == m_brokenMessages)
        return ConnectionText::tr("The server violates JSON-RPC: %1").arg(m_problems);
    const auto has = [this](auto matches) { return std::any_of(m_first.begin(), m_first.end(), matches); };
    if (has([](const QString &line) { return line.startsWith(u"Content-Length:", Qt::CaseInsensitive); }))
        return ConnectionText::tr(
            "The server frames its messages with Content-Length headers, as the Language Server Protocol does. MCP "
            "servers write one message per line.");
    const auto opensObject = [](const QString &line) { return line.trimmed() == u"{" || line.trimmed() == u"["; };
    const auto isMember = [](const QString &line) { return line.trimmed().startsWith(u"\"jsonrpc\""); };
    if (has(opensObject) && has(isMember))
        return ConnectionText::tr(
            "The server spreads its messages over several lines (indented JSON). MCP servers write each message on "
            "one line, without line breaks in it.");
    return ConnectionText::tr(
        "Standard output must carry nothing but JSON-RPC messages, one per line. Logs belong on standard error.");
}

Error StdoutJunk::explained(Error error) const
{
    if (m_count == 0)
        return error;
    QString evidence = (m_count == m_brokenMessages ? ConnectionText::tr("Standard output, violating JSON-RPC:")
                                                    : ConnectionText::tr("Standard output, not JSON-RPC:")) +
                       u'\n' + m_first.join(u'\n');
    if (m_count > m_first.size())
        evidence += u'\n' + ConnectionText::tr("… and more: %1 lines in all").arg(grouped(m_count));
    error.detail = error.detail.isEmpty() ? evidence : evidence + QStringLiteral("\n\n") + error.detail;
    error.hint = error.hint.isEmpty() ? explanation() : explanation() + u'\n' + error.hint;
    return error;
}

}  // namespace sonde
