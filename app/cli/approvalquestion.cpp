// SPDX-License-Identifier: Apache-2.0
#include "app/cli/approvalquestion.h"

#include "app/common/standardinput.h"
#include "app/common/system.h"
#include "core/protocol/visibletext.h"
#include "core/server/approval.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {

namespace {

QString signOf(Approval::Row::State state)
{
    using State = Approval::Row::State;
    return state == State::Same ? u"  "_s : state == State::Before || state == State::Removed ? u"- "_s : u"+ "_s;
}

// What the sign in front of the line does not tell.
QString secretStateOf(const Approval::Row &row)
{
    using State = Approval::Row::State;
    const bool isOther = row.state == State::OtherSecret || row.state == State::NowWithOtherSecret;
    return isOther ? u" ("_s + row.stateText() + u')' : QString();
}

}  // namespace

ApprovalQuestion::ApprovalQuestion(Connection *connection, bool isYes, Output &output,
                                   const std::function<void(const Error &)> &refused)
    : m_connection(connection), m_isYes(isYes), m_output(output), m_refused(refused)
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
    for (const Approval::Row &row : approval.rows()) {
        m_output.note(signOf(row.state) + visibleLine(row.line.label()) + secretStateOf(row) + u": "_s +
                      row.line.text());
    }
    if (m_isYes) {
        if (const Error error = m_connection->approve())
            m_output.note(error.message + u' ' + error.hint);
        return;
    }
    if (!app::isTerminal(app::StandardStream::Input)) {
        m_connection->decline();
        return m_refused(
            Error::local(tr("The server is not approved."), tr("Add --yes to approve it as it is shown above.")));
    }
    m_output.note(tr("Start it? [y/N]"));
    m_input = new app::StandardInput(this);
    connect(m_input, &app::StandardInput::received, this, &ApprovalQuestion::takeLine);
    connect(m_input, &app::StandardInput::ended, this, &ApprovalQuestion::takeLine);
    m_input->setEnabled(true);
}

void ApprovalQuestion::takeLine(const QByteArray &line)
{
    m_input->setEnabled(false);
    const QByteArray response = line.toLower();
    if (response != "y" && response != "yes") {
        m_connection->decline();
        return m_refused(Error::local(tr("Not started.")));
    }
    if (const Error error = m_connection->approve())
        m_output.note(error.message + u' ' + error.hint);
}

}  // namespace sonde::cli
