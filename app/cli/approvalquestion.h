// Asks on the terminal whether a saved server may be started.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "core/connection/connection.h"

#include <QObject>
#include <functional>

namespace sonde {
struct Approval;
}

namespace sonde::cli {

// Says what would be started, a line for each thing that the start depends on.
void showApproval(Output &output, const QString &server, const Approval &approval);
// Where nobody can be asked.
Error approvalRefused();

// Only servers of the list that the window shares are asked for: a person who types a command or a URL has seen it.
class ApprovalQuestion : public QObject {
    Q_OBJECT
public:
    // isYes: it is approved without asking, and shown. refused: the start was declined, because of this.
    ApprovalQuestion(Connection *connection, bool isYes, Output &output,
                     const std::function<void(const Error &)> &refused);

private:
    void ask();
    void end(bool isYes);

    Connection *m_connection;
    const bool m_isYes;
    Output &m_output;
    std::function<void(const Error &)> m_refused;
};

}  // namespace sonde::cli
