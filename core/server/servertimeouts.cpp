// SPDX-License-Identifier: Apache-2.0
#include "core/server/servertimeouts.h"

#include "core/protocol/numbertext.h"
#include "core/server/texts.h"

#include <QStringList>

namespace sonde {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

std::span<const ServerTimeouts::Member> ServerTimeouts::members()
{
    static constexpr Member all[] = {{u"request", &ServerTimeouts::request, 0s, 24h},
                                     {u"total", &ServerTimeouts::total, 0s, 24h},
                                     {u"connection", &ServerTimeouts::connection, 1s, 1h}};
    return all;
}

ServerTimeouts::Timeout ServerTimeouts::Member::fromSeconds(double seconds) const
{
    if (!(seconds >= double(min.count()) && seconds <= double(max.count())))
        return std::nullopt;
    const std::chrono::milliseconds timeout(qRound64(seconds * 1000));
    // What is shorter than a millisecond must not mean that there is no limit.
    return timeout.count() > 0 || seconds == 0 ? Timeout(timeout) : std::nullopt;
}

void ServerTimeouts::take(const ServerTimeouts &other)
{
    for (const Member &member : members()) {
        if (other.*member.place)
            this->*member.place = other.*member.place;
    }
}

QString ServerTimeouts::text(std::chrono::milliseconds timeout)
{
    return timeout.count() > 0 ? ServerText::tr("%1 s").arg(secondsText(timeout)) : ServerText::tr("no limit");
}

QString ServerTimeouts::summary() const
{
    QStringList parts;
    if (request)
        parts += ServerText::tr("request %1").arg(text(*request));
    if (total)
        parts += ServerText::tr("total %1").arg(text(*total));
    if (connection)
        parts += ServerText::tr("connection %1").arg(text(*connection));
    return parts.join(u" · "_s);
}

}  // namespace sonde
