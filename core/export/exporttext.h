// Words of exports: for headings, tables and shown payloads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

namespace sonde {

QString arrow(const RecordInfo &record);
QString outcomeWord(RowOutcome outcome);                  // "ok", "tool-error" …; empty for None
QString rowTitle(const Session &session, qsizetype row);  // method and target of a message; the kind of anything else
QString timeText(const Session &session, qsizetype row);
QString durationText(qint64 ns);  // "12.3 ms"; empty when negative

// Readable JSON where it is JSON, made safe to show; cut where it is very long.
QString shownPayload(const QByteArray &payload);

}  // namespace sonde
