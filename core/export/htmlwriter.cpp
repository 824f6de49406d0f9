// SPDX-License-Identifier: Apache-2.0
#include "core/export/htmlwriter.h"

#include "core/calls/callstatistics.h"
#include "core/export/exporttext.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct ExportHtmlText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Exporter)
};

QString line(const QString &text)
{
    return visibleLine(text).toHtmlEscaped();
}

constexpr char StyleSheet[] = R"(
:root{color-scheme:light dark;--line:#8884;--dim:#777;--bar:#3a7bd5;--wait:#e0a030;--bad:#c0392b;--good:#2e8b57}
body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em}
table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .8em;border-bottom:1px solid var(--line);text-align:left}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
details{border-bottom:1px solid var(--line)}summary{padding:.3em 0;cursor:pointer}
details details{margin-left:1.6em;border:0}
pre{background:#8881;padding:.6em;overflow:auto;max-height:32em;white-space:pre-wrap;overflow-wrap:anywhere}
.dim{color:var(--dim)}.bad{color:var(--bad)}.good{color:var(--good)}
.track{display:block;position:relative;height:.5em;background:#8882;margin:.2em 0 .4em}
.track i{position:absolute;top:0;bottom:0;background:var(--bar);min-width:2px}.track i.w{background:var(--wait)}
)";

QString badge(RowOutcome outcome)
{
    const QString word = outcomeWord(outcome);
    if (word.isEmpty())
        return {};
    const bool isOpen = outcome == RowOutcome::Pending || outcome == RowOutcome::InputRequired;
    const QString tone = outcome == RowOutcome::Ok ? u"good"_s : isOpen ? u"dim"_s : u"bad"_s;
    return u" <span class=\"%1\">%2</span>"_s.arg(tone, word);
}

}  // namespace

HtmlWriter::HtmlWriter(ExportInput *input, ExportOutput *output)
    : m_input(*input),
      m_output(*output),
      m_session(input->session()),
      m_operations(&m_session),
      m_endNs(m_session.size() > 0 ? qMax<qint64>(m_session.at(m_session.size() - 1).timeNs, 1) : 1)
{}

void HtmlWriter::write()
{
    if (!m_input.readAll(&m_operations))
        return;
    m_output.put(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n<title>"_ba);
    const QString title = line(m_input.text(0, ExportHtmlText::tr("Session with %1").arg(m_session.serverName())));
    m_output.put(title + u"</title>\n<style>"_s + QString::fromLatin1(StyleSheet) + u"</style></head><body>\n<h1>"_s +
                 title + u"</h1>\n"_s);
    m_output.put(u"<p class=\"dim\">%1 · %2 · Sonde %3</p>\n"_s.arg(
        line(m_session.createdAt().toString(Qt::ISODate)), ExportHtmlText::tr("%1 records").arg(m_session.size()),
        QStringLiteral(SONDE_VERSION)));
    statistics();
    records();
    masked();
    m_output.put("</body></html>\n"_ba);
}

void HtmlWriter::statistics()
{
    const QList<CallStatistics> calls = callStatistics(m_session, m_operations);
    if (calls.isEmpty())
        return;
    m_output.put(
        u"<h2>%1</h2>\n<table><tr><th>%5</th><th class=\"n\">%2</th><th class=\"n\">%3</th>"
        "<th class=\"n\">p50</th><th class=\"n\">p90</th><th class=\"n\">p99</th><th class=\"n\">%4</th></tr>\n"_s.arg(
            ExportHtmlText::tr("Calls"), ExportHtmlText::tr("Count"), ExportHtmlText::tr("Errors"),
            ExportHtmlText::tr("Waiting for user"), ExportHtmlText::tr("Call")));
    for (const CallStatistics &call : calls) {
        m_output.put(u"<tr><td>"_s + line(m_input.text(0, (call.method + u' ' + call.target).trimmed())) + u"</td>"_s);
        for (const QString &cell :
             {QString::number(call.count), QString::number(call.errors()), durationText(call.server.p50),
              durationText(call.server.p90), durationText(call.server.p99),
              call.waitedNs > 0 ? durationText(call.waitedNs) : QString()})
            m_output.put(u"<td class=\"n\">"_s + cell + u"</td>"_s);
        m_output.put("</tr>\n"_ba);
    }
    m_output.put("</table>\n"_ba);
}

// An operation stands where its request does; what belongs to it is folded under it.
void HtmlWriter::records()
{
    m_output.put(u"<h2>%1</h2>\n"_s.arg(ExportHtmlText::tr("Records")));
    std::vector<bool> isChosen(size_t(m_session.size()), false);
    for (const qsizetype row : m_input.rows())
        isChosen[size_t(row)] = true;
    for (const qsizetype row : m_input.rows()) {
        if (m_input.isStopped())
            return;
        const qsizetype operation = m_operations.operationOf(row);
        const qsizetype head = operation < 0 ? row : m_operations.requestRow(operation);
        if (head != row && isChosen[size_t(head)])
            continue;
        begin(row, operation >= 0 && head == row ? operation : -1);
        if (operation >= 0 && head == row) {
            for (const qsizetype child : m_operations.rows(operation)) {
                if (child == row || !isChosen[size_t(child)])
                    continue;
                begin(child, -1);
                end();
            }
        }
        end();
    }
}

void HtmlWriter::begin(qsizetype row, qsizetype operation)
{
    const RecordInfo &record = m_session.at(row);
    const RowOutcome outcome = operation >= 0 ? m_operations.outcome(operation) : record.outcome;
    m_output.put(u"<details><summary><span class=\"dim\">%1 %2</span> %3 <b>%4</b>%5"_s.arg(
        QString::number(m_session.numberOf(row)), line(timeText(m_session, row)), arrow(record),
        line(m_input.text(row, rowTitle(m_session, row))), badge(outcome)));
    if (operation >= 0)
        bar(operation);
    m_output.put("</summary>\n"_ba);
    if (isDoubt(m_operations.reason(row)))
        m_output.put(u"<p class=\"dim\">"_s + line(explain(m_operations.reason(row))) + u"</p>\n"_s);
    for (const QByteArray &part :
         {record.kind == WireEvent::Kind::Message ? QByteArray() : m_input.facts(row), m_input.payload(row)}) {
        if (!part.isEmpty())
            m_output.put(u"<pre>"_s + shownPayload(part).toHtmlEscaped() + u"</pre>\n"_s);
    }
    m_output.addWritten();
}

void HtmlWriter::end()
{
    m_output.put("</details>\n"_ba);
}

QString HtmlWriter::percent(qint64 ns) const
{
    return QString::number(double(ns) * 100 / double(m_endNs), 'f', 3);
}

void HtmlWriter::bar(qsizetype operation)
{
    const qint64 start = m_operations.startNs(operation);
    const qint64 end = m_operations.endNs(operation);
    const qint64 finish = end < 0 ? m_endNs : end;
    if (m_operations.durationNs(operation) >= 0)
        m_output.put(u" <span class=\"dim\">%1</span>"_s.arg(durationText(m_operations.serverNs(operation))));
    if (const qint64 waited = m_operations.waitedNs(operation); waited > 0)
        m_output.put(u" <span class=\"dim\">%1</span>"_s.arg(
            ExportHtmlText::tr("plus %1 waiting for user").arg(durationText(waited))));
    m_output.put(
        u"<span class=\"track\"><i style=\"left:%1%;width:%2%\"></i>"_s.arg(percent(start), percent(finish - start)));
    for (const TimeSpan &wait : m_operations.waits(operation))
        m_output.put(u"<i class=\"w\" style=\"left:%1%;width:%2%\"></i>"_s.arg(percent(wait.startNs),
                                                                               percent(wait.endNs - wait.startNs)));
    m_output.put("</span>"_ba);
}

void HtmlWriter::masked()
{
    const QList<MaskedSecret> all = m_input.masked();
    if (all.isEmpty())
        return;
    m_output.put(u"<h2>%1</h2>\n<table>\n"_s.arg(ExportHtmlText::tr("Redacted")));
    for (const MaskedSecret &secret : all)
        m_output.put(u"<tr><td>%1</td><td>%2</td><td class=\"n\">%3×</td></tr>\n"_s.arg(
            line(secret.mark), line(secret.where), QString::number(secret.occurrences)));
    m_output.put("</table>\n"_ba);
}

}  // namespace sonde
