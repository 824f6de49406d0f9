// One line of a session file: writing it, and reading it without building a tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/redactionmark.h"
#include "core/transport/wireevent.h"

#include <QByteArrayView>
#include <QList>
#include <functional>

namespace sonde {

struct RecordLine {
    quint32 number = 0;
    qint64 timeNs = 0;
    qint64 wallUs = 0;  // UTC, since 1970
    quint16 connection = 0;
    Direction direction = Direction::Local;
    WireEvent::Kind kind = WireEvent::Kind::Note;
    quint32 about = 0;  // number of the record this one is about; 0: none
    qint64 wireLength = 0;
    quint8 terminator = 0;
    bool hasPayload = false;
    bool isCut = false;
    bool isBase64 = false;
    bool needsDecoding = false;  // reading with bytes: base64, or not as Sonde would write it
    QByteArrayView facts;        // a JSON object or empty
    QByteArrayView payload;      // writing: the bytes; reading: their escaped or base64 form
};

QLatin1StringView kindWord(WireEvent::Kind kind);  // as it stands in the file

// Appends the line with its newline. `facts` must be a JSON object without line breaks. False: the payload is no text,
// or would take much more room as such, and stands there as base64.
bool appendRecordLine(QByteArray &out, const RecordLine &record, const QList<RedactionMark> &marks);

// The same line handed over in pieces, so that a large payload is never there a second time. Ends when the sink answers
// false.
struct WrittenLine {
    qint64 length = 0;
    bool isText = true;
};
using PieceSink = std::function<bool(QByteArrayView piece)>;
WrittenLine writeRecordLine(const RecordLine &record, const QList<RedactionMark> &marks, const PieceSink &sink);

enum class LineState {
    Good,
    Unknown,  // undamaged, of a kind that a later version made up
    Damaged
};

// line: without its newline. The views point into it.
LineState readRecordLine(QByteArrayView line, RecordLine *record);
// Of the beginning of a line that Sonde wrote, which may end anywhere behind the facts: all but the payload. Nothing is
// checked.
bool readRecordHead(QByteArrayView beginning, RecordLine *record);
// The same of a line that was found good before, with needsDecoding unset: nothing is checked again. False: it changed.
bool rereadRecordLine(QByteArrayView line, RecordLine *record);
// The same, and the payload's bytes, into a buffer that is reused. A payload that is not what it claims to be is
// damage.
LineState readRecordLine(QByteArrayView line, RecordLine *record, QByteArray &bytes);

// The fixed end of every line: ,"crc":"xxxxxxxx"} over all that stands before it since `start`.
void appendChecksum(QByteArray &out, qsizetype start);
bool hasValidChecksum(QByteArrayView line);

}  // namespace sonde
