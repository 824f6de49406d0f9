// SPDX-License-Identifier: Apache-2.0
#include "ui/result/outcometext.h"

#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace sonde::ui {

namespace {

struct OutcomeText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::OutcomeText)
};

QString badge(Tone tone, const QString &words)
{
    return sign(tone) + QLatin1Char(' ') + words;
}

QString shortReason(const Error &error)
{
    if (error.reason == Error::Reason::HttpStatus)
        return OutcomeText::tr("HTTP %1").arg(error.code);
    if (error.reason == Error::Reason::SessionLost)
        return OutcomeText::tr("Session lost");
    switch (error.kind) {
        case Error::Kind::Timeout:
            return OutcomeText::tr("Timed out");
        case Error::Kind::Cancelled:
            return OutcomeText::tr("Cancelled");
        case Error::Kind::Transport:
            return OutcomeText::tr("Connection lost");
        case Error::Kind::Auth:
            return OutcomeText::tr("Not authorized");
        case Error::Kind::Protocol:
            return OutcomeText::tr("Invalid response");
        default:
            return OutcomeText::tr("No response");
    }
}

// These messages say all there is to say, so they are the title.
bool isItsOwnTitle(const Error &error)
{
    return error.kind == Error::Kind::Cancelled || error.kind == Error::Kind::Timeout ||
           error.kind == Error::Kind::Local;
}

QString messageOr(const QString &fallback, const Error &error)
{
    return error.message.isEmpty() ? fallback : visibleLine(error.message, 300);
}

QString fixed(double value, int decimals)
{
    return QString::number(value, 'f', decimals);
}

}  // namespace

Tone toneOf(Outcome::Kind kind)
{
    switch (kind) {
        case Outcome::Kind::Ok:
            return Tone::Ok;
        case Outcome::Kind::ToolError:
            return Tone::ToolError;
        case Outcome::Kind::ProtocolError:
            return Tone::ProtocolError;
        case Outcome::Kind::NoResponse:
            return Tone::NoResponse;
    }
    return Tone::Neutral;
}

Tone toneOf(RowOutcome outcome)
{
    switch (outcome) {
        case RowOutcome::Ok:
            return Tone::Ok;
        case RowOutcome::InputRequired:
            return Tone::Asks;
        case RowOutcome::ToolError:
            return Tone::ToolError;
        case RowOutcome::ProtocolError:
            return Tone::ProtocolError;
        case RowOutcome::NoResponse:
            return Tone::NoResponse;
        case RowOutcome::Pending:
            return Tone::Accent;
        case RowOutcome::NotSupported:
        case RowOutcome::None:
            break;
    }
    return Tone::Neutral;
}

QString badgeText(const Outcome &outcome)
{
    switch (outcome.kind) {
        case Outcome::Kind::Ok:
            return badge(Tone::Ok, OutcomeText::tr("OK"));
        case Outcome::Kind::ToolError:
            return badge(Tone::ToolError, OutcomeText::tr("Tool error"));
        case Outcome::Kind::ProtocolError:
            return badge(Tone::ProtocolError, QString::number(outcome.error.code));
        case Outcome::Kind::NoResponse:
            return badge(Tone::NoResponse, shortReason(outcome.error));
    }
    return {};
}

QString badgeText(RowOutcome outcome, int errorCode)
{
    switch (outcome) {
        case RowOutcome::Ok:
            return badge(Tone::Ok, OutcomeText::tr("OK"));
        case RowOutcome::InputRequired:
            return badge(Tone::Asks, OutcomeText::tr("input required"));
        case RowOutcome::ToolError:
            return badge(Tone::ToolError, OutcomeText::tr("Tool error"));
        case RowOutcome::ProtocolError:
            return badge(Tone::ProtocolError, errorCode == 0 ? OutcomeText::tr("error") : QString::number(errorCode));
        case RowOutcome::NoResponse:
            return badge(Tone::NoResponse,
                         errorCode == 0 ? OutcomeText::tr("no response") : OutcomeText::tr("HTTP %1").arg(errorCode));
        case RowOutcome::Pending:
            return OutcomeText::tr("… running");
        case RowOutcome::NotSupported:
            return OutcomeText::tr("not supported");
        case RowOutcome::None:
            break;
    }
    return {};
}

QString subscriptionBadge(RowOutcome outcome, bool isLost)
{
    if (outcome == RowOutcome::Pending)
        return badge(Tone::Accent, OutcomeText::tr("open"));
    if (outcome == RowOutcome::Ok)
        return badge(Tone::Ok, OutcomeText::tr("ended"));
    if (outcome != RowOutcome::NoResponse)
        return {};
    return isLost ? badge(Tone::NoResponse, OutcomeText::tr("Connection lost")) : OutcomeText::tr("closed");
}

QString titleOf(const Outcome &outcome)
{
    switch (outcome.kind) {
        case Outcome::Kind::Ok:
            return OutcomeText::tr("The call succeeded.");
        case Outcome::Kind::ToolError:
            return OutcomeText::tr("The tool ran and reported a failure (isError: true).");
        case Outcome::Kind::ProtocolError: {
            QString meaning = meaningOfErrorCode(outcome.error.code);
            while (meaning.endsWith(QLatin1Char('.')))
                meaning.chop(1);
            const QString code = QString::number(outcome.error.code);
            if (outcome.error.code == 0 && !outcome.error.hint.isEmpty())
                return OutcomeText::tr("JSON-RPC error without a valid code.");
            return meaning.isEmpty() ? OutcomeText::tr("JSON-RPC error %1.").arg(code)
                                     : OutcomeText::tr("JSON-RPC error %1: %2.").arg(code, meaning);
        }
        case Outcome::Kind::NoResponse:
            if (outcome.error.reason == Error::Reason::HttpStatus)
                return OutcomeText::tr("The server returned HTTP %1 instead of a JSON-RPC response.")
                    .arg(outcome.error.code);
            if (outcome.error.reason == Error::Reason::SessionLost)
                return OutcomeText::tr("The server no longer knows the session.");
            switch (outcome.error.kind) {
                case Error::Kind::Timeout:
                    return messageOr(OutcomeText::tr("Timed out."), outcome.error);
                case Error::Kind::Cancelled:
                    return messageOr(OutcomeText::tr("Cancelled."), outcome.error);
                case Error::Kind::Transport:
                    return OutcomeText::tr("No response: the connection was lost.");
                case Error::Kind::Auth:
                    return OutcomeText::tr("No response: the server requires authorization.");
                case Error::Kind::Protocol:
                    return OutcomeText::tr("Not a valid response.");
                default:
                    return isItsOwnTitle(outcome.error) ? messageOr(OutcomeText::tr("No response."), outcome.error)
                                                        : OutcomeText::tr("No response.");
            }
    }
    return {};
}

QString explanationOf(const Outcome &outcome)
{
    switch (outcome.kind) {
        case Outcome::Kind::Ok:
            return {};
        case Outcome::Kind::ToolError:
            return OutcomeText::tr("Not a protocol error. The model sees this text.");
        case Outcome::Kind::ProtocolError:
            return OutcomeText::tr("The server returned a JSON-RPC error instead of a result.");
        case Outcome::Kind::NoResponse:
            return isItsOwnTitle(outcome.error) ? QString() : outcome.error.message;
    }
    return {};
}

QString durationText(qint64 ns)
{
    if (ns < 0)
        return {};
    const double ms = double(ns) / 1e6;
    if (ms < 99.95)
        return OutcomeText::tr("%1 ms").arg(fixed(ms, ms < 0.095 ? 2 : 1));
    if (ms < 999.5)
        return OutcomeText::tr("%1 ms").arg(fixed(ms, 0));
    const double seconds = ms / 1e3;
    if (seconds < 59.95)
        return OutcomeText::tr("%1 s").arg(fixed(seconds, 1));
    const qint64 whole = qRound64(seconds);
    return OutcomeText::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
}

QString dateTimeText(const QDateTime &when)
{
    return QLocale().toString(when.toLocalTime(), QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString freshnessText(const CacheHint &hint)
{
    const QString time = QLocale().toString(hint.freshUntil.toLocalTime(), QStringLiteral("HH:mm:ss"));
    return hint.isPublic ? OutcomeText::tr("fresh until %1 (public)").arg(time)
                         : OutcomeText::tr("fresh until %1 (private)").arg(time);
}

QString sizeText(qint64 bytes)
{
    if (bytes < 1000)
        return OutcomeText::tr("%1 B").arg(bytes);
    double value = double(bytes);
    const char *const units[] = {QT_TRANSLATE_NOOP("sonde::ui::OutcomeText", "%1 kB"),
                                 QT_TRANSLATE_NOOP("sonde::ui::OutcomeText", "%1 MB"),
                                 QT_TRANSLATE_NOOP("sonde::ui::OutcomeText", "%1 GB")};
    int unit = -1;
    do {
        value /= 1000;
        ++unit;
    } while (value >= 999.5 && unit < 2);
    return OutcomeText::tr(units[unit]).arg(fixed(value, value < 9.95 ? 1 : 0));
}

}  // namespace sonde::ui
