// The text of a record, made when a row is drawn and not stored.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"
#include "ui/theme/theme.h"

#include <QString>

namespace sonde::ui {

struct RowText {
    QString lead;                   // "tools/call", "stderr", "HTTP"
    QString target;                 // bold: the tool, prompt or URI
    QString more;                   // what else is worth knowing on one line
    Tone moreTone = Tone::Neutral;  // Neutral: it is dim; else bold and in that colour, as a warning in a log
};
RowText rowText(const Session &session, qsizetype row);

// "▸" to the server, "◂" from it, "!" for stderr, "·" for local events; and the same in words.
QString directionSign(const RecordInfo &record);
QString directionWords(const RecordInfo &record);
QString kindWords(const RecordInfo &record);
// All metadata of a record, several lines; more: further names and values.
QByteArray factsText(const Session &session, qsizetype row, const QList<std::pair<QString, QString>> &more = {});
QString millisecondsText(qint64 ns);  // "31.2", "9 204"; empty for -1

}  // namespace sonde::ui
