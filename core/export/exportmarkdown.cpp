// A session as Markdown, for an issue or a chat.
// SPDX-License-Identifier: Apache-2.0
#include "core/export/exporterprivate.h"
#include "core/operations/callstatistics.h"
#include "core/protocol/visibletext.h"
#include "core/session/recordline.h"

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
    for (const QChar c : visibleLine(text)) {
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

QString arrow(const RecordInfo &record)
{
    return record.direction == Direction::ToServer     ? u"→"_s
           : record.direction == Direction::FromServer ? u"←"_s
                                                       : u"·"_s;
}

}  // namespace

void Exporter::Private::writeMarkdown()
{
    put(u"# %1\n\n"_s.arg(plain(text(0, ExportMarkdownText::tr("Session with %1").arg(session->serverName())))));
    put(u"%1, %2, Sonde %3\n\n"_s.arg(session->createdAt().toString(Qt::ISODate),
                                      ExportMarkdownText::tr("%1 records").arg(session->size()),
                                      QStringLiteral(SONDE_VERSION)));
    Operations operations(session);
    if (!readAll(&operations))
        return;
    const QList<CallStatistics> calls = callStatistics(*session, operations);
    if (!calls.isEmpty()) {
        put(u"| %1 | %2 | %3 | p50 | p90 | p99 |\n|---|---|---|---|---|---|\n"_s.arg(
            ExportMarkdownText::tr("Call"), ExportMarkdownText::tr("Count"), ExportMarkdownText::tr("Errors")));
        for (const CallStatistics &call : calls)
            put(u"| %1 | %2 | %3 | %4 | %5 | %6 |\n"_s.arg(plain(text(0, (call.method + u' ' + call.target).trimmed())),
                                                           QString::number(call.count), QString::number(call.errors()),
                                                           durationText(call.server.p50), durationText(call.server.p90),
                                                           durationText(call.server.p99)));
        put("\n"_ba);
    }
    for (const qsizetype row : rows()) {
        if (isStopped())
            return;
        const RecordInfo &record = session->at(row);
        const QString title = record.kind == WireEvent::Kind::Message
                                  ? session->name(record.method) + u' ' + session->name(record.target)
                                  : QString(kindWord(record.kind));
        const QString outcome = outcomeWord(record.outcome);
        const QString duration = durationText(session->durationNs(row));
        put(u"### %1 %2 %3%4%5\n\n%6\n\n"_s.arg(
            QString::number(session->numberOf(row)), arrow(record), plain(text(row, title.trimmed())),
            outcome.isEmpty() ? QString() : u" — "_s + outcome, duration.isEmpty() ? QString() : u", "_s + duration,
            timeText(*session, row)));
        if (isDoubt(operations.reason(row)))
            put(u"_%1_\n\n"_s.arg(plain(explain(operations.reason(row)))));
        if (const QByteArray said = facts(row); !said.isEmpty() && record.kind != WireEvent::Kind::Message)
            put(fenced(shownPayload(said), u"json"_s));
        if (const QByteArray bytes = payload(row); !bytes.isEmpty())
            put(fenced(shownPayload(bytes), record.kind == WireEvent::Kind::Message ? u"json"_s : QString()));
        ++count;
    }
}

}  // namespace sonde
