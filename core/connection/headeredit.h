// The HTTP headers of a recorded message as rows to edit, and what is sent of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/messageheaders.h"

#include <QString>
#include <QStringList>

class QUrl;

namespace sonde {

struct HeaderRow {
    enum class Origin {
        Typed,  // the value says it; empty: the header is left out
        Own,    // as Sonde sends it; the value is not known here
        Lost    // masked in the recording, and Sonde sends none by itself: left out
    };
    QString name;
    QString value;
    Origin origin = Origin::Typed;

    bool operator==(const HeaderRow &) const = default;
};

// What an editor starts from. Where there is no HTTP there are no names, and nothing to edit.
struct RecordedHeaders {
    QList<HeaderRow> rows;
    QList<QByteArray> ownNames;  // of what Sonde sends by itself: Connection::headerNames()
    bool isRecorded = false;     // false: the rows are Sonde's own, since what was sent is not known
};

// facts: of the recorded HTTP request, or empty. Values that were masked, or were no text, become Sonde's own. What
// HTTP adds to every request is left out.
RecordedHeaders recordedHeaders(const QByteArray &facts, const QList<QByteArray> &ownNames);

// What the message must be sent with, so that the rows go out and nothing else does but what HTTP needs.
MessageHeaders messageHeaders(const QList<HeaderRow> &rows, const QList<QByteArray> &ownNames);

// Why the rows cannot be sent; None when they can.
Error checkHeaderRows(const QList<HeaderRow> &rows);
// Where something else goes out than the rows say at first sight.
QStringList headerFindings(const QList<HeaderRow> &rows, const QList<QByteArray> &ownNames);

// Host, Connection and Content-Length as HTTP has them at this address, not as a person chose them; and what a proxy
// asks for.
bool isAddedByHttp(const QString &name, const QString &value, const QUrl &url);

}  // namespace sonde
