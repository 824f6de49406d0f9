// One run of sonde-cli: connect, do what the verb says, part in order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/approvalquestion.h"
#include "app/cli/job.h"
#include "app/cli/responders.h"
#include "app/cli/verb.h"

namespace sonde::cli {

class Run final : public Job {
    Q_OBJECT
public:
    Run(const Arguments &arguments, const Profile &profile, QObject *parent = nullptr);
    ~Run() override;

    void start() override;
    void interrupt() override;

private:
    void onStateChanged();
    void disconnected();
    void conclude();
    void onNotified(const Message &notification);
    void refuse(const Error &error);
    void wrongUse(const Error &error);
    void end(ExitCode code);

    Arguments m_arguments;
    const Profile m_profile;
    Output m_output;
    std::unique_ptr<Verb> m_verb;
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<ApprovalQuestion> m_approval;
    std::unique_ptr<Responders> m_responders;  // of every verb but replay, which has its own
    bool m_started = false;
    std::optional<ExitCode> m_code;
};

}  // namespace sonde::cli
