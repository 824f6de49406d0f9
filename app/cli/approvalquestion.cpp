// SPDX-License-Identifier: Apache-2.0
#include "app/cli/approvalquestion.h"

#include "core/connection/approval.h"
#include "core/protocol/visibletext.h"

#include <QSocketNotifier>

#include <unistd.h>
#include <cerrno>

using namespace Qt::StringLiterals;

namespace sonde::cli {

ApprovalQuestion::ApprovalQuestion(Connection *connection, const Arguments &arguments, Output &output,
                                   const std::function<void(const Error &)> &refused)
    : m_connection(connection), m_isYes(arguments.yes), m_output(output), m_refused(refused)
{
    connect(connection, &Connection::approvalNeeded, this, &ApprovalQuestion::ask);
}

void ApprovalQuestion::ask()
{
    const Approval approval = *m_connection->approval();
    const bool isChange = !approval.before.isEmpty();
    m_output.note(isChange ? tr("The server \"%1\" has changed since it was approved. It would be started like this:")
                                 .arg(visibleLine(m_connection->spec().name))
                           : tr("The server \"%1\" was not approved yet. It would be started like this:")
                                 .arg(visibleLine(m_connection->spec().name)));
    const auto shown = [](const LaunchLine &line) { return line.isSecret ? tr("(secret)") : revealedText(line.value); };
    for (const LaunchLine &line : approval.lines) {
        const LaunchLine *before = approval.beforeAt(line);
        const bool isChanged = approval.isChanged(line);
        if (isChanged && before)
            m_output.note(u"- "_s + visibleLine(before->label()) + u": "_s + shown(*before));
        m_output.note((isChanged ? u"+ "_s : u"  "_s) + visibleLine(line.label()) + u": "_s + shown(line));
    }
    for (const LaunchLine &line : approval.removed())
        m_output.note(u"- "_s + visibleLine(line.label()) + u": "_s + shown(line));
    if (m_isYes) {
        if (const Error error = m_connection->approve())
            m_output.note(error.message + u' ' + error.hint);
        return;
    }
    if (::isatty(STDIN_FILENO) != 1) {
        m_connection->decline();
        return m_refused(
            Error::local(tr("The server is not approved."), tr("Add --yes to approve it as it is shown above.")));
    }
    m_output.note(tr("Start it? [y/N]"));
    m_input = new QSocketNotifier(STDIN_FILENO, QSocketNotifier::Read, this);
    connect(m_input, &QSocketNotifier::activated, this, &ApprovalQuestion::takeInput);
}

void ApprovalQuestion::takeInput()
{
    char byte = 0;
    const ssize_t size = ::read(STDIN_FILENO, &byte, 1);
    if (size < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (size == 1 && byte != '\n') {
        m_line += byte;
        return;
    }
    m_input->setEnabled(false);
    const QByteArray response = m_line.trimmed().toLower();
    if (response != "y" && response != "yes") {
        m_connection->decline();
        return m_refused(Error::local(tr("Not started.")));
    }
    if (const Error error = m_connection->approve())
        m_output.note(error.message + u' ' + error.hint);
}

}  // namespace sonde::cli
