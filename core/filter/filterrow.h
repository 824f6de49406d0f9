// One row of a session as filters read it: no more of it than they need.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/bytesearch.h"
#include "core/json/document.h"
#include "core/session/recordline.h"
#include "core/session/sessionlines.h"

#include <optional>

namespace sonde {

// Each step is taken when first asked for: the line, where things are in it, the payload's bytes, the tree.
class FilterRow {
public:
    explicit FilterRow(const Session *session) : m_session(session), m_lines(session) {}

    void select(qsizetype row);
    qsizetype row() const { return m_row; }
    const RecordInfo &info() const { return m_session->at(m_row); }

    QByteArrayView line();
    bool lineHolds(const CaseInsensitiveMatcher &word, SessionLines::Search &search)
    {
        return m_lines.holds(m_row, word, search);
    }
    const RecordLine &record();
    const QByteArray &bytes();
    const json::Value &message();  // Missing where the row is no message
    QByteArrayView id();  // of the message, as JSON; empty: it has none. Mostly found without decoding anything

    // Whether a word occurs in the payload or the facts of a row that may be searched in place. escapedWord: as it
    // is in a payload there. What looks like it in the middle of an escape does not count.
    bool holds(const CaseInsensitiveMatcher &word, const CaseInsensitiveMatcher &escapedWord);

private:
    QByteArrayView simplePayload();
    QByteArrayView payload();
    QByteArrayView idInLine();
    static bool payloadHolds(QByteArrayView payload, const CaseInsensitiveMatcher &escapedWord);

    const Session *m_session;
    SessionLines m_lines;
    qsizetype m_row = -1;
    qint64 m_offset = -1;  // of its line in the file
    std::optional<QByteArrayView> m_line;
    std::optional<RecordLine> m_record;
    bool m_hasBytes = false;
    QByteArray m_bytes;
    QByteArray m_id;
    std::optional<json::Value> m_message;
};

}  // namespace sonde
