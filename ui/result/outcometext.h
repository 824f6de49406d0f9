// Text, tone and sign of the five outcomes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/cachehint.h"
#include "core/client/call.h"
#include "core/session/record.h"
#include "ui/theme/theme.h"

namespace sonde::ui {

Tone toneOf(Outcome::Kind kind);
Tone toneOf(RowOutcome outcome);
QString badgeText(const Outcome &outcome);  // "✓ OK", "▲ Tool error", "✕ -32602", "⊘ Timed out"
// errorCode: of JSON-RPC, or the HTTP status if there was no response.
QString badgeText(RowOutcome outcome, int errorCode = 0);
// Of a subscription, which waits for nothing while it is open, and which Sonde closes when it is not needed any more.
// Empty for an outcome that means the same as elsewhere.
// isLost: its stream broke.
QString subscriptionBadge(RowOutcome outcome, bool isLost);
QString titleOf(const Outcome &outcome);  // the banner's bold line
QString explanationOf(const Outcome &outcome);

QString durationText(qint64 ns);               // "412 ms", "9.2 s"
QString sizeText(qint64 bytes);                // "1.3 kB"
QString dateTimeText(const QDateTime &when);   // "2026-11-22 09:30:00", of this place
QString freshnessText(const CacheHint &hint);  // "fresh until 09:30:00 (private)"

}  // namespace sonde::ui
