// SPDX-License-Identifier: Apache-2.0
#include "core/session/recordinglimit.h"

#include "core/protocol/numbertext.h"

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 DiskShare = 10;  // at most one part in so many of what is free

QString leftOutText(const LeftOut &some)
{
    QStringList parts{counted(some.notifications, u"1 notification"_s, u"%1 notifications"_s)};
    if (some.others > 0)
        parts.append(counted(some.others, u"1 other record"_s, u"%1 other records"_s));
    const bool isOne = some.records() == 1;
    return u"%1 (%2) %3 counted but not stored."_s.arg(
        parts.join(" and "_L1), counted(some.bytes, u"1 byte"_s, u"%1 bytes"_s), isOne ? u"was"_s : u"were"_s);
}

}  // namespace

void RecordingLimit::moveToFile(qint64 fileSize, qint64 free)
{
    m_limit = free < 0 ? m_wanted : qMin(m_wanted, fileSize + free / DiskShare);
    startOver();
}

void RecordingLimit::moveToMemory()
{
    m_limit = qMin(m_wanted, Session::UsualMemory);
    startOver();
}

RecordingLimit::Unasked RecordingLimit::unasked(const WireEvent &event, int connection, const SessionLinker &linker,
                                                qint64 recorded) const
{
    switch (event.kind) {
        case WireEvent::Kind::Stderr:
        case WireEvent::Kind::Junk:
        case WireEvent::Kind::Sse:
            return Unasked::Other;
        case WireEvent::Kind::Message:
            break;
        default:
            return Unasked::No;
    }
    const bool isFromServer = event.direction == Direction::FromServer;
    const Message message = event.message.raw().isEmpty() ? Message::parse(event.bytes) : event.message;
    const auto isElementUnasked = [&](const SessionIndex::Element &element) {
        return isUnasked(element, event.direction, connection, linker, recorded);
    };
    switch (message.kind()) {
        case Message::Kind::Notification:
            return isFromServer ? Unasked::Notification : Unasked::No;
        case Message::Kind::Request:
            return isElementUnasked({{}, {}, {}, RowOutcome::None, true}) ? Unasked::Other : Unasked::No;
        case Message::Kind::Result:
        case Message::Kind::Error:
            return isElementUnasked({message.id(), {}, {}, RowOutcome::None, false}) ? Unasked::Other : Unasked::No;
        case Message::Kind::Batch: {
            const std::vector<SessionIndex::Element> elements = SessionIndex::elementsOf(message);
            const bool hasOthers = size_t(message.batchSize()) > elements.size();
            if ((hasOthers && !isFromServer) || !std::all_of(elements.begin(), elements.end(), isElementUnasked))
                return Unasked::No;
            return elements.empty() && isFromServer ? Unasked::Notification : Unasked::Other;
        }
        case Message::Kind::Invalid:
            break;
    }
    return isFromServer ? Unasked::Other : Unasked::No;
}

bool RecordingLimit::isUnasked(const SessionIndex::Element &element, Direction direction, int connection,
                               const SessionLinker &linker, qint64 recorded) const
{
    const bool isFromServer = direction == Direction::FromServer;
    if (element.isRequest)
        return isFromServer && recorded > 2 * m_limit;
    return !linker.awaits(element.id, connection, isFromServer ? Direction::ToServer : Direction::FromServer);
}

void RecordingLimit::count(Unasked what, qint64 bytes)
{
    ++(what == Unasked::Notification ? m_leftOut.notifications : m_leftOut.others);
    m_leftOut.bytes += bytes;
    m_isNoted = m_isNoted && m_fill == Fill::Full;
    m_fill = Fill::Full;
}

QByteArray RecordingLimit::takeReachedNote()
{
    if (m_fill != Fill::Full || std::exchange(m_isNoted, true))
        return {};
    return EventFacts{.what = toString(EventCode::LimitReached),
                      .limit = m_limit,
                      .text =
                          u"The limit of %1 bytes is reached. Calls are still recorded; notifications and other "
                          "unsolicited messages are only counted."_s.arg(m_limit)}
        .toJson();
}

QByteArray RecordingLimit::takeLeftOutNote()
{
    if (m_leftOut == m_notedLeftOut)
        return {};
    const LeftOut some{m_leftOut.notifications - m_notedLeftOut.notifications, m_leftOut.others - m_notedLeftOut.others,
                       m_leftOut.bytes - m_notedLeftOut.bytes};
    m_notedLeftOut = m_leftOut;
    return EventFacts{.what = toString(EventCode::LeftOut),
                      .notifications = some.notifications,
                      .others = some.others,
                      .bytes = some.bytes,
                      .text = leftOutText(some)}
        .toJson();
}

RecordingLimit::Fill RecordingLimit::takeNews(qint64 recorded)
{
    const Fill now = m_fill == Fill::Room && recorded >= m_limit / 5 * 4 ? Fill::Near : m_fill;
    if (now <= m_saidFill)
        return Fill::Room;
    return m_saidFill = now;
}

}  // namespace sonde
