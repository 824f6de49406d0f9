// What a session records at most, and what becomes of the rest.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/protocol/envelope.h"
#include "core/session/sessionprivate.h"

#include <QPointer>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 diskShare = 10;  // at most one part in so many of what is free

QString leftOutText(const LeftOut &some)
{
    const QString others = some.others > 0 ? u" and %1 other records"_s.arg(some.others) : QString();
    return u"%1 notifications%2, %3 bytes, were counted and not stored."_s.arg(some.notifications)
        .arg(others)
        .arg(some.bytes);
}

WireEvent noteWith(json::Builder &facts)
{
    WireEvent note;
    note.facts = facts.endObject().take();
    return note;
}

}  // namespace

void Session::setLimit(qint64 bytes)
{
    d->wantedLimit = qMax<qint64>(bytes, 0);
    d->noteLeftOut();
    d->updateLimit();
}

qint64 Session::limit() const
{
    return d->limit();
}

qint64 Session::recorded() const
{
    return d->recorded();
}

bool Session::isFull() const
{
    return d->fill == Private::Fill::Full;
}

LeftOut Session::leftOut() const
{
    return d->leftOut;
}

qint64 Session::Private::limit() const
{
    return file && !error ? fileLimit : qMin(wantedLimit, usualMemory);
}

qint64 Session::Private::recorded() const
{
    return (file && !error ? file->size() : memory.size()) + batch.size();
}

void Session::Private::updateLimit()
{
    fileLimit = wantedLimit;
    const qint64 free = file ? file->freeBytes() : -1;
    if (free >= 0)
        fileLimit = qMin(fileLimit, file->size() + free / diskShare);
    fill = saidFill = Fill::Room;
}

// What a server can send as much of as it likes without anybody having asked for it.
Session::Private::Unasked Session::Private::unasked(const WireEvent &event, int connection) const
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
    const Envelope &envelope = message.envelope();
    switch (message.kind()) {
        case Message::Kind::Notification:
            return isFromServer ? Unasked::Notification : Unasked::No;
        case Message::Kind::Request:
            return isFromServer && recorded() > 2 * limit() ? Unasked::Other : Unasked::No;
        case Message::Kind::Result:
        case Message::Kind::Error: {
            const RequestId id = envelope.isPlain ? RequestId::fromPlain(envelope.id) : message.id();
            const Direction requester = isFromServer ? Direction::ToServer : Direction::FromServer;
            return index.linker().awaits(id, connection, requester) ? Unasked::No : Unasked::Other;
        }
        case Message::Kind::Batch:
            for (const Message &element : message.batch()) {
                if (element.kind() != Message::Kind::Notification)
                    return Unasked::No;
            }
            return isFromServer ? Unasked::Notification : Unasked::No;
        case Message::Kind::Invalid:
            break;
    }
    return isFromServer ? Unasked::Other : Unasked::No;
}

// True: it was counted, and that was all.
bool Session::Private::leaveOut(const WireEvent &event, int connection)
{
    const qsizetype size = qMax(event.bytes.size(), event.message.raw().size());
    if (recorded() + size <= limit())
        return false;
    const Unasked what = unasked(event, connection);
    if (what == Unasked::No)
        return false;
    ++(what == Unasked::Notification ? leftOut.notifications : leftOut.others);
    leftOut.bytes += qMax<qint64>(event.wireLength, size);
    if (!leftOutTimer.isActive())
        leftOutTimer.start();
    if (fill != Fill::Full) {
        fill = Fill::Full;
        noteLimit();
    }
    return true;
}

void Session::Private::noteLimit()
{
    json::Builder facts;
    facts.beginObject().member(u"what", u"limit reached").member(u"limit", limit());
    facts.member(u"text",
                 u"The limit of %1 bytes is reached. From here on calls are recorded, and notifications and what else "
                 "the server sends unasked are counted only."_s.arg(limit()));
    record(noteWith(facts), 0, 0);
}

void Session::Private::noteLeftOut()
{
    if (!isLive || leftOut == notedLeftOut)
        return;
    const LeftOut some{leftOut.notifications - notedLeftOut.notifications, leftOut.others - notedLeftOut.others,
                       leftOut.bytes - notedLeftOut.bytes};
    notedLeftOut = leftOut;
    json::Builder facts;
    facts.beginObject().member(u"what", u"left out").member(u"notifications", some.notifications);
    facts.member(u"others", some.others).member(u"bytes", some.bytes).member(u"text", leftOutText(some));
    record(noteWith(facts), 0, 0);
}

void Session::Private::sayHowFull()
{
    Fill now = fill;
    if (now == Fill::Room && recorded() >= limit() / 5 * 4)
        now = Fill::Near;
    if (!isLive || now <= saidFill)
        return;
    saidFill = now;
    if (now == Fill::Near)
        Q_EMIT q->limitNear();
    else
        Q_EMIT q->limitReached();
}

}  // namespace sonde
