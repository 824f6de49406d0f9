// SPDX-License-Identifier: Apache-2.0
#include "core/connection/disconnectreason.h"

#include "core/connection/texts.h"
#include "core/transport/process/exitwords.h"

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MaxShownLength = 60;
constexpr qsizetype MaxLines = 20;

QString reasonWords(const Error &error)
{
    switch (error.reason) {
        case Error::Reason::ConnectionRefused:
            return ConnectionText::tr("connection refused");
        case Error::Reason::HostNotFound:
            return ConnectionText::tr("host not found");
        case Error::Reason::TlsFailed:
            return ConnectionText::tr("TLS: certificate not trusted");
        case Error::Reason::HttpStatus:
            return ConnectionText::tr("HTTP %1").arg(error.code);
        case Error::Reason::SessionLost:
            return ConnectionText::tr("session lost");
        case Error::Reason::NoSignIn:
            return ConnectionText::tr("credentials required");
        case Error::Reason::InsufficientScope:
            return ConnectionText::tr("scope missing");
        case Error::Reason::CallTimeout:
        case Error::Reason::Other:
            break;
    }
    return {};
}

}  // namespace

void DisconnectReason::watch(const WireEvent &event)
{
    if (event.kind != WireEvent::Kind::State)
        return;
    m_wasSignalled = m_wasSignalled || event.eventCode == EventCode::Signalled;
    if (event.eventCode != EventCode::Exited || m_wasSignalled)
        return;
    const EventFacts facts = EventFacts::read(event.facts);
    if (facts.exitCode)
        m_exitCode = int(*facts.exitCode);
    m_signal = int(facts.signal.value_or(0));
}

Error DisconnectReason::explained(const Error &error, const QStringList &stderrTail) const
{
    if (m_handshakeDone || !hasExited() || error.kind != Error::Kind::Transport)
        return error;
    Error result = error;
    result.code = m_signal != 0 ? 128 + m_signal : *m_exitCode;  // as shells count
    result.message = m_signal != 0
                         ? ConnectionText::tr("The server was terminated by signal %1 (%2) during startup.")
                               .arg(QString::number(m_signal), signalName(m_signal))
                         : ConnectionText::tr("The server exited with code %1 during startup.").arg(*m_exitCode);
    // What it said last may have come after the first sign of its end.
    result.detail = error.detail.section(u"\n\n"_s, 0, 0);
    if (!stderrTail.isEmpty())
        result.detail += u"\n\n"_s + ConnectionText::tr("Last lines of stderr:") + u'\n' +
                         stderrTail.mid(std::max<qsizetype>(0, stderrTail.size() - MaxLines)).join(u'\n');
    if (const QString hint = m_exitCode ? exitCodeHint(*m_exitCode) : QString(); !hint.isEmpty())
        result.hint = hint;
    return result;
}

QString DisconnectReason::shortText(const Error &error) const
{
    if (!m_lookup.isEmpty())
        return m_lookup;
    QString exit;
    if (m_signal != 0)
        exit = ConnectionText::tr("terminated by %1").arg(signalName(m_signal));
    else if (m_exitCode && error.kind == Error::Kind::Transport)
        exit = ConnectionText::tr("exited with code %1").arg(*m_exitCode);
    if (!exit.isEmpty() && error.kind == Error::Kind::Transport)
        return m_handshakeDone ? exit : ConnectionText::tr("%1 during startup").arg(exit);

    switch (error.kind) {
        case Error::Kind::Auth:
            return error.code == 0 ? ConnectionText::tr("not authorized")  // nobody was asked with what there is
                                   : ConnectionText::tr("HTTP %1 · not authorized").arg(error.code);
        case Error::Kind::Timeout:
            return ConnectionText::tr("timed out");
        case Error::Kind::Remote:
            return error.code == 0 ? ConnectionText::tr("handshake failed")
                                   : ConnectionText::tr("handshake failed: error %1").arg(error.code);
        default:
            break;
    }
    if (const QString words = reasonWords(error); !words.isEmpty())
        return words;
    const QString text = error.message.section(u'\n', 0, 0);
    return text.size() <= MaxShownLength ? text : text.left(MaxShownLength - 1) + u'…';
}

}  // namespace sonde
