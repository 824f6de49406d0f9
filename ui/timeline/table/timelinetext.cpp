// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/timelinetext.h"

#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/types.h"
#include "core/protocol/visibletext.h"
#include "ui/json/bytestext.h"
#include "ui/result/outcometext.h"

#include <QCoreApplication>
#include <QDateTime>

namespace sonde::ui {

namespace {

constexpr qsizetype ShownRowCharacters = 300;
constexpr qint64 RowLookedInto = 8 * 1024;  // larger messages are not opened for a summary

struct TimelineRowText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::Timeline)
};

QString start(const QByteArray &bytes)
{
    return visibleLine(decodedUtf8(QByteArrayView(bytes).first(qMin<qsizetype>(bytes.size(), 4 * ShownRowCharacters))),
                       ShownRowCharacters);
}

// Scalar facts as "name value", for kinds without specific texts.
QString summary(const json::Value &facts, const QStringList &known)
{
    QStringList parts;
    for (const json::Value &member : facts) {
        if (known.contains(member.key()) || member.isNull() || member.isContainer())
            continue;
        const QString text = member.isString() ? member.string() : decodedUtf8(member.slice());
        parts.append(member.key() + QLatin1Char(' ') + text);
    }
    return visibleLine(parts.join(QStringLiteral(" · ")), ShownRowCharacters);
}

QString joined(const json::Value &value)
{
    if (!value.isArray())
        return value.string();
    QStringList words;
    for (const json::Value &word : value)
        words.append(word.string());
    return words.join(QLatin1Char(' '));
}

QString notificationSummary(const QString &method, const json::Value &params)
{
    if (method == methods::Progress) {
        const Progress progress = readProgress(params);
        QString text = QString::number(progress.progress);
        if (progress.total)
            text += QLatin1Char('/') + QString::number(*progress.total);
        return progress.message.isEmpty() ? text : text + QLatin1Char(' ') + progress.message;
    }
    if (method == methods::LogMessage) {
        const json::Value data = params[u"data"];
        return params[u"level"].string() + QLatin1Char(' ') +
               (data.isString() ? data.string() : decodedUtf8(data.slice()));
    }
    if (method == methods::ResourceUpdated)
        return params[u"uri"].string();
    if (method == methods::Cancelled)
        return params[u"reason"].string();
    return {};
}

Tone toneOfLogLevel(const QString &level)
{
    static const QStringList failures{QStringLiteral("error"), QStringLiteral("critical"), QStringLiteral("alert"),
                                      QStringLiteral("emergency")};
    if (failures.contains(level))
        return Tone::ProtocolError;
    return level == QLatin1String("warning") ? Tone::ToolError : Tone::Neutral;
}

// "too long · {"jsonrpc":…": why it is not a message, and how it starts.
QString brokenText(const Session &session, qsizetype row, const json::Value &facts)
{
    const QString why = visibleLine(facts[u"what"].string(), ShownRowCharacters);
    const QString begins = start(session.outline(row));
    return why.isEmpty() || begins.isEmpty() ? why + begins : why + QStringLiteral(" · ") + begins;
}

RowText messageText(const Session &session, qsizetype row)
{
    const RecordInfo &record = session.at(row);
    const QString method = visibleLine(session.name(record.method), ShownRowCharacters);
    RowText text{method, visibleLine(session.name(record.target), ShownRowCharacters), {}, Tone::Neutral};
    switch (record.messageKind) {
        case Message::Kind::Request:
            // Of a server request, its subject.
            if (method == methods::Elicit && record.wireLength <= RowLookedInto)
                text.more = visibleLine(session.message(row).params()[u"message"].string(), ShownRowCharacters);
            break;
        case Message::Kind::Notification:
            if (record.wireLength <= RowLookedInto) {
                const Message message = session.message(row);
                text.more = visibleLine(notificationSummary(method, message.params()), ShownRowCharacters);
                if (method == methods::LogMessage)
                    text.moreTone = toneOfLogLevel(message.params()[u"level"].string());
            }
            break;
        case Message::Kind::Result:
        case Message::Kind::Error: {
            const QString what = record.messageKind == Message::Kind::Result ? TimelineRowText::tr("response")
                                                                             : TimelineRowText::tr("error response");
            if (text.lead.isEmpty())
                text.lead = what;
            text.more = record.partner == 0 ? TimelineRowText::tr("no matching request")
                        : record.messageKind == Message::Kind::Result
                            ? TimelineRowText::tr("response to #%1").arg(record.partner)
                            : TimelineRowText::tr("error response to #%1").arg(record.partner);
            break;
        }
        case Message::Kind::Batch:
            text.lead = TimelineRowText::tr("batch");
            break;
        case Message::Kind::Invalid:
            text.lead = TimelineRowText::tr("invalid message");
            text.more = start(session.outline(row));
            break;
    }
    if (record.isLate)
        text.more += (text.more.isEmpty() ? QString() : QStringLiteral(" · ")) + TimelineRowText::tr("late");
    return text;
}

}  // namespace

RowText rowText(const Session &session, qsizetype row)
{
    const RecordInfo &record = session.at(row);
    if (record.kind == WireEvent::Kind::Message)
        return messageText(session, row);
    const json::Value facts = json::parse(session.facts(row));
    switch (record.kind) {
        case WireEvent::Kind::Stderr:
            return {TimelineRowText::tr("stderr"), {}, start(session.outline(row))};
        case WireEvent::Kind::Junk:
            return {TimelineRowText::tr("not JSON-RPC"), {}, brokenText(session, row, facts)};
        case WireEvent::Kind::Partial:
            return {TimelineRowText::tr("incomplete"), {}, brokenText(session, row, facts)};
        case WireEvent::Kind::Open: {
            QString program = joined(facts[u"argv"]);
            if (program.isEmpty())
                program = facts[u"url"].string(facts[u"program"].string());
            return {TimelineRowText::tr("open"), facts[u"transport"].string(),
                    visibleLine(program, ShownRowCharacters)};
        }
        case WireEvent::Kind::HttpRequest:
            return {visibleLine(facts[u"method"].string(TimelineRowText::tr("request")), 40),
                    {},
                    visibleLine(facts[u"url"].string(), ShownRowCharacters)};
        case WireEvent::Kind::HttpResponse:
            return {QStringLiteral("HTTP ") + decodedUtf8(facts[u"status"].slice()),
                    {},
                    visibleLine(facts[u"reason"].string(), ShownRowCharacters)};
        case WireEvent::Kind::Sse:
            return {TimelineRowText::tr("SSE event"), visibleLine(facts[u"event"].string(), 80),
                    summary(facts, {QStringLiteral("event"), QStringLiteral("stream")})};
        case WireEvent::Kind::State:
            return {visibleLine(facts[u"what"].string(TimelineRowText::tr("state")), 80),
                    {},
                    summary(facts, {QStringLiteral("what")})};
        case WireEvent::Kind::End:
            return {TimelineRowText::tr("end of session"), {}, {}};
        default: {
            QString words = visibleLine(facts[u"text"].string(facts[u"what"].string()), ShownRowCharacters);
            const QString rest = summary(facts, {QStringLiteral("text"), QStringLiteral("what")});
            if (!rest.isEmpty())
                words += (words.isEmpty() ? QString() : QStringLiteral(" · ")) + rest;
            if (words.isEmpty())
                words = start(session.outline(row));
            return {kindWords(record), {}, words};
        }
    }
}

QString directionSign(const RecordInfo &record)
{
    if (record.kind == WireEvent::Kind::Stderr || record.kind == WireEvent::Kind::Junk ||
        record.kind == WireEvent::Kind::Partial)
        return QStringLiteral("!");
    switch (record.direction) {
        case Direction::ToServer:
            return QStringLiteral("▸");
        case Direction::FromServer:
            return QStringLiteral("◂");
        case Direction::Local:
            break;
    }
    return QStringLiteral("·");
}

QString directionWords(const RecordInfo &record)
{
    switch (record.direction) {
        case Direction::ToServer:
            return TimelineRowText::tr("to the server");
        case Direction::FromServer:
            return TimelineRowText::tr("from the server");
        case Direction::Local:
            break;
    }
    return TimelineRowText::tr("local");
}

QString kindWords(const RecordInfo &record)
{
    switch (record.kind) {
        case WireEvent::Kind::Open:
            return TimelineRowText::tr("connection opened");
        case WireEvent::Kind::Message:
            switch (record.messageKind) {
                case Message::Kind::Request:
                    return TimelineRowText::tr("request");
                case Message::Kind::Notification:
                    return TimelineRowText::tr("notification");
                case Message::Kind::Result:
                    return TimelineRowText::tr("result");
                case Message::Kind::Error:
                    return TimelineRowText::tr("error");
                case Message::Kind::Batch:
                    return TimelineRowText::tr("batch");
                case Message::Kind::Invalid:
                    break;
            }
            return TimelineRowText::tr("invalid message");
        case WireEvent::Kind::Partial:
            return TimelineRowText::tr("incomplete bytes");
        case WireEvent::Kind::Junk:
            return TimelineRowText::tr("not JSON-RPC");
        case WireEvent::Kind::Stderr:
            return TimelineRowText::tr("stderr line");
        case WireEvent::Kind::HttpRequest:
            return TimelineRowText::tr("HTTP request");
        case WireEvent::Kind::HttpResponse:
            return TimelineRowText::tr("HTTP response");
        case WireEvent::Kind::Sse:
            return TimelineRowText::tr("SSE event without a message");
        case WireEvent::Kind::State:
            return TimelineRowText::tr("state");
        case WireEvent::Kind::User:
            return TimelineRowText::tr("user action");
        case WireEvent::Kind::Note:
            return record.hasProblems ? TimelineRowText::tr("finding") : TimelineRowText::tr("note");
        case WireEvent::Kind::Redact:
            return TimelineRowText::tr("redaction");
        case WireEvent::Kind::End:
            return TimelineRowText::tr("end");
    }
    return {};
}

QByteArray factsText(const Session &session, qsizetype row, const QList<std::pair<QString, QString>> &more)
{
    const RecordInfo &record = session.at(row);
    QString text;
    const auto add = [&text](const QString &name, const QString &value) {
        if (!value.isEmpty())
            text += name.leftJustified(12) + value + QLatin1Char('\n');
    };
    add(TimelineRowText::tr("kind"), kindWords(record));
    add(TimelineRowText::tr("direction"), directionWords(record));
    add(TimelineRowText::tr("time"),
        session.wallTime(row).toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz t")));
    add(TimelineRowText::tr("since start"), durationText(record.timeNs));
    if (record.connection != 0)
        add(TimelineRowText::tr("connection"), QString::number(record.connection));
    QString size = TimelineRowText::tr("%1 B on the wire").arg(grouped(record.wireLength));
    if (record.terminator > 0)
        size += record.terminator == 2 ? TimelineRowText::tr(", then CR LF") : TimelineRowText::tr(", then LF");
    add(TimelineRowText::tr("size"), size);
    if (const qsizetype partner = session.partnerOf(row); partner >= 0) {
        const bool asks = record.messageKind == Message::Kind::Request;
        add(asks ? TimelineRowText::tr("response") : TimelineRowText::tr("request"),
            QLatin1Char('#') + QString::number(partner + 1));
        add(TimelineRowText::tr("duration"), durationText(session.durationNs(asks ? row : partner)));
    }
    if (record.isLate)
        add(TimelineRowText::tr("late"), TimelineRowText::tr("received after the request was cancelled or timed out"));
    for (const auto &[name, value] : more)
        add(name, value);
    if (record.kind == WireEvent::Kind::Message && record.hasProblems) {
        const QStringList problems = session.message(row).problems();
        for (const QString &problem : problems)
            add(TimelineRowText::tr("finding"), problem);
    }
    const QByteArray facts = session.facts(row);
    if (facts.isEmpty())
        return text.toUtf8();
    return text.toUtf8() + '\n' + json::indented(json::parse(facts)) + '\n';
}

QString millisecondsText(qint64 ns)
{
    if (ns < 0)
        return {};
    const double ms = double(ns) / 1e6;
    if (ms >= 999.95)
        return grouped(qRound64(ms));
    return QString::number(ms, 'f', ms < 0.95 ? 2 : 1);
}

}  // namespace sonde::ui
