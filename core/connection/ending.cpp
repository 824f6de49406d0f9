// SPDX-License-Identifier: Apache-2.0
#include "core/connection/ending.h"

#include "core/transport/exitwords.h"

#include <QCoreApplication>

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct EndingText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Connection)
};

constexpr qsizetype MostCharacters = 60;
constexpr qsizetype MostLines = 20;

QString reasonWords(const Error &error)
{
    switch (error.reason) {
        case Error::Reason::ConnectionRefused:
            return EndingText::tr("connection refused");
        case Error::Reason::HostNotFound:
            return EndingText::tr("host not found");
        case Error::Reason::TlsFailed:
            return EndingText::tr("TLS: no trusted connection");
        case Error::Reason::HttpStatus:
            return EndingText::tr("HTTP %1").arg(error.code);
        case Error::Reason::SessionLost:
            return EndingText::tr("session lost");
        case Error::Reason::Other:
            break;
    }
    return {};
}

}  // namespace

void Ending::watch(const WireEvent &event)
{
    if (event.kind != WireEvent::Kind::State)
        return;
    const json::Document facts = json::Document::parse(event.facts);
    const QString what = facts.root()[u"what"].string();
    m_wasSignalled = m_wasSignalled || what == u"signalled";
    if (what != u"exited" || m_wasSignalled)
        return;
    if (const std::optional<qint64> code = facts.root()[u"code"].toInteger())
        m_exitCode = int(*code);
    m_signal = int(facts.root()[u"signal"].toInteger().value_or(0));
}

Error Ending::explained(const Error &error, const QStringList &stderrTail) const
{
    if (m_handshakeDone || !hasExited() || error.kind != Error::Kind::Transport)
        return error;
    Error result = error;
    result.code = m_signal != 0 ? 128 + m_signal : *m_exitCode;  // as shells count
    result.message = m_signal != 0 ? EndingText::tr("The server was ended by signal %1 (%2) during startup.")
                                         .arg(QString::number(m_signal), signalName(m_signal))
                                   : EndingText::tr("The server exited with code %1 during startup.").arg(*m_exitCode);
    // What it said last may have come after the first sign of its end.
    result.detail = error.detail.section(u"\n\n"_s, 0, 0);
    if (!stderrTail.isEmpty())
        result.detail += u"\n\n"_s + EndingText::tr("Last lines of standard error:") + u'\n' +
                         stderrTail.mid(std::max<qsizetype>(0, stderrTail.size() - MostLines)).join(u'\n');
    if (const QString hint = m_exitCode ? exitCodeHint(*m_exitCode) : QString(); !hint.isEmpty())
        result.hint = hint;
    return result;
}

QString Ending::shortText(const Error &error) const
{
    if (!m_lookup.isEmpty())
        return m_lookup;
    QString exit;
    if (m_signal != 0)
        exit = EndingText::tr("ended by %1").arg(signalName(m_signal));
    else if (m_exitCode && error.kind == Error::Kind::Transport)
        exit = EndingText::tr("exited with code %1").arg(*m_exitCode);
    if (!exit.isEmpty() && error.kind == Error::Kind::Transport)
        return m_handshakeDone ? exit : EndingText::tr("%1 during startup").arg(exit);

    switch (error.kind) {
        case Error::Kind::Auth:
            return EndingText::tr("HTTP %1 · not authorised").arg(error.code);
        case Error::Kind::Timeout:
            return EndingText::tr("timed out");
        case Error::Kind::Remote:
            return EndingText::tr("refused the handshake: error %1").arg(error.code);
        default:
            break;
    }
    if (const QString words = reasonWords(error); !words.isEmpty())
        return words;
    const QString text = error.message.section(u'\n', 0, 0);
    return text.size() <= MostCharacters ? text : text.left(MostCharacters - 1) + u'…';
}

}  // namespace sonde
