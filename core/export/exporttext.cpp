// SPDX-License-Identifier: Apache-2.0
#include "core/export/exporttext.h"

#include "core/filter/filterfields.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "core/session/recordline.h"

#include <QCoreApplication>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MaxShownLength = 64 * 1024;  // bytes of one payload in a report for people

}  // namespace

QString arrow(const RecordInfo &record)
{
    return record.direction == Direction::ToServer     ? u"→"_s
           : record.direction == Direction::FromServer ? u"←"_s
                                                       : u"·"_s;
}

QString outcomeWord(RowOutcome outcome)
{
    return outcome == RowOutcome::None ? QString() : filterWordOf(FilterField::Outcome, int(outcome));
}

QString rowTitle(const Session &session, qsizetype row)
{
    const RecordInfo &record = session.at(row);
    return record.kind == WireEvent::Kind::Message
               ? (session.name(record.method) + u' ' + session.name(record.target)).trimmed()
               : QString(kindWord(record.kind));
}

QString timeText(const Session &session, qsizetype row)
{
    return session.wallTime(row).toString(Qt::ISODateWithMs);
}

QString durationText(qint64 ns)
{
    return ns < 0 ? QString() : u"%1 ms"_s.arg(double(ns) / 1e6, 0, 'f', ns < 100'000'000 ? 1 : 0);
}

QString shownPayload(const QByteArray &payload)
{
    const json::Document document = json::Document::parse(payload);
    const QByteArray readable =
        document.isValid() && document.root().isContainer() ? json::indented(document.root()) : payload;
    if (readable.size() <= MaxShownLength)
        return visibleText(QString::fromUtf8(readable));
    return visibleText(QString::fromUtf8(readable.left(MaxShownLength))) + u'\n' +
           QCoreApplication::translate("sonde::Exporter", "… and %1 more bytes").arg(readable.size() - MaxShownLength);
}

}  // namespace sonde
