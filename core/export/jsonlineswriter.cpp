// SPDX-License-Identifier: Apache-2.0
#include "core/export/jsonlineswriter.h"

#include "core/export/exporttext.h"
#include "core/filter/filterfields.h"
#include "core/json/builder.h"
#include "core/json/strict.h"
#include "core/protocol/numbertext.h"

namespace sonde {

using namespace Qt::StringLiterals;

// Messages only: the session's own file, which is JSON Lines too, has everything.
void JsonLinesWriter::write()
{
    const Session &session = m_input.session();
    for (const qsizetype row : m_input.rows()) {
        if (m_input.isStopped())
            return;
        const RecordInfo &record = session.at(row);
        if (record.kind != WireEvent::Kind::Message)
            continue;
        json::Builder line;
        line.beginObject();
        line.member(u"record", qint64(session.numberOf(row)));
        line.member(u"time", timeText(session, row));
        const qint64 microseconds = record.timeNs / 1000;
        line.key(u"seconds").number(double(microseconds) / 1e6);
        line.member(u"connection", qint64(record.connection));
        line.member(u"direction", filterWordOf(FilterField::Dir, record));
        if (record.method != 0)
            line.member(u"method", m_input.text(row, session.name(record.method)));
        if (record.target != 0)
            line.member(u"target", m_input.text(row, session.name(record.target)));
        if (session.partnerOf(row) >= 0)
            line.member(u"partner", qint64(record.partner));
        if (record.outcome != RowOutcome::None)
            line.member(u"outcome", outcomeWord(record.outcome));
        if (session.durationNs(row) >= 0)
            line.key(u"durationMs").number(milliseconds(session.durationNs(row)));
        const QByteArray bytes = m_input.payload(row);
        const json::Document document = json::Document::parse(bytes);
        if (document.isValid())
            line.rawMember(u"message", json::compact(document.root()));
        else
            line.member(u"text", QString::fromUtf8(bytes));
        line.endObject();
        m_output.put(json::toStrict(line.take()).text + '\n');
        m_output.addWritten();
    }
}

}  // namespace sonde
