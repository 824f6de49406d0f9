// SPDX-License-Identifier: Apache-2.0
#include "core/export/markdownwriter.h"

#include "core/calls/callstatistics.h"
#include "core/export/exporttext.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct ExportMarkdownText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Exporter)
};

// One line of text in which nothing is markup.
QString plain(const QString &text)
{
    QString out;
    const QString line = visibleLine(text);
    for (const QChar c : line) {
        if (u"\\`*_{}[]()<>#.!|&~:@"_s.contains(c))
            out += u'\\';
        out += c;
    }
    return out;
}

// Longer than every run of backticks inside.
QString fenced(const QString &text, const QString &language)
{
    qsizetype longest = 2;
    qsizetype run = 0;
    for (const QChar c : text) {
        run = c == u'`' ? run + 1 : 0;
        longest = qMax(longest, run);
    }
    const QString fence(longest + 1, u'`');
    return fence + language + u'\n' + text + (text.endsWith(u'\n') ? QString() : u"\n"_s) + fence + u"\n\n"_s;
}

}  // namespace

void MarkdownWriter::write()
{
    const Session &session = m_input.session();
    m_output.put(
        u"# %1\n\n"_s.arg(plain(m_input.text(0, ExportMarkdownText::tr("Session with %1").arg(session.serverName())))));
    m_output.put(u"%1, %2, Sonde %3\n\n"_s.arg(session.createdAt().toString(Qt::ISODate),
                                               ExportMarkdownText::tr("%1 records").arg(session.size()),
                                               QStringLiteral(SONDE_VERSION)));
    Operations operations(&session);
    if (!m_input.readAll(&operations))
        return;
    writeStatistics(operations);
    for (const qsizetype row : m_input.rows()) {
        if (m_input.isStopped())
            return;
        writeRow(operations, row);
        m_output.addWritten();
    }
}

void MarkdownWriter::writeStatistics(const Operations &operations)
{
    const QList<CallStatistics> calls = callStatistics(m_input.session(), operations);
    if (calls.isEmpty())
        return;
    m_output.put(u"| %1 | %2 | %3 | p50 | p90 | p99 |\n|---|---|---|---|---|---|\n"_s.arg(
        ExportMarkdownText::tr("Call"), ExportMarkdownText::tr("Count"), ExportMarkdownText::tr("Errors")));
    for (const CallStatistics &call : calls)
        m_output.put(u"| %1 | %2 | %3 | %4 | %5 | %6 |\n"_s.arg(
            plain(m_input.text(0, (call.method + u' ' + call.target).trimmed())), QString::number(call.count),
            QString::number(call.errors()), durationText(call.server.p50), durationText(call.server.p90),
            durationText(call.server.p99)));
    m_output.put("\n"_ba);
}

void MarkdownWriter::writeRow(const Operations &operations, qsizetype row)
{
    const Session &session = m_input.session();
    const RecordInfo &record = session.at(row);
    const bool isMessage = record.kind == WireEvent::Kind::Message;
    const QString outcome = outcomeWord(record.outcome);
    const QString duration = durationText(session.durationNs(row));
    m_output.put(u"### %1 %2 %3%4%5\n\n%6\n\n"_s.arg(
        QString::number(session.numberOf(row)), arrow(record), plain(m_input.text(row, rowTitle(session, row))),
        outcome.isEmpty() ? QString() : u" — "_s + outcome, duration.isEmpty() ? QString() : u", "_s + duration,
        timeText(session, row)));
    if (isDoubt(operations.reason(row)))
        m_output.put(u"_%1_\n\n"_s.arg(plain(explain(operations.reason(row)))));
    if (const QByteArray facts = m_input.facts(row); !facts.isEmpty() && !isMessage)
        m_output.put(fenced(shownPayload(facts), u"json"_s));
    if (const QByteArray bytes = m_input.payload(row); !bytes.isEmpty())
        m_output.put(fenced(shownPayload(bytes), isMessage ? u"json"_s : QString()));
}

}  // namespace sonde
