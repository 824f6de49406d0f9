// SPDX-License-Identifier: Apache-2.0
#include "app/cli/approvalquestion.h"

#include "app/cli/texts.h"
#include "app/cli/yesnoquestion.h"
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

void showApproval(Output &output, const QString &server, const Approval &approval)
{
    const QString text =
        approval.before.isEmpty()
            ? CliText::tr("The server \"%1\" has not been approved yet. It would be started like this:")
            : CliText::tr("The server \"%1\" has changed since it was approved. It would be started like this:");
    output.note(text.arg(visibleLine(server)));
    for (const Approval::Row &row : approval.rows())
        output.note(signOf(row.state) + visibleLine(row.line.label()) + secretStateOf(row) + u": "_s + row.line.text());
}

Error approvalRefused()
{
    return Error::local(CliText::tr("The server is not approved."),
                        CliText::tr("Add --yes to approve it as shown above."));
}

ApprovalQuestion::ApprovalQuestion(Connection *connection, bool isYes, Output &output,
                                   const std::function<void(const Error &)> &refused)
    : m_connection(connection), m_isYes(isYes), m_output(output), m_refused(refused)
{
    connect(connection, &Connection::approvalNeeded, this, &ApprovalQuestion::ask);
}

void ApprovalQuestion::ask()
{
    showApproval(m_output, m_connection->spec().name, *m_connection->approval());
    if (m_isYes) {
        end(true);
        return;
    }
    if (!YesNoQuestion::canBeAsked()) {
        m_connection->decline();
        return m_refused(approvalRefused());
    }
    auto *question = new YesNoQuestion(tr("Start it?"), m_output, this);
    connect(question, &YesNoQuestion::answered, this, &ApprovalQuestion::end);
}

void ApprovalQuestion::end(bool isYes)
{
    if (!isYes) {
        m_connection->decline();
        return m_refused(Error::local(tr("Not started.")));
    }
    if (const Error error = m_connection->approve())
        m_output.note(error.message + u' ' + error.hint);
}

}  // namespace sonde::cli
