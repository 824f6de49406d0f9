// One run of a verb: connect, do what the verb says, part in order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/approvalquestion.h"
#include "app/cli/commonoptions.h"
#include "app/cli/exitcode.h"
#include "app/cli/responders.h"
#include "app/cli/targetserver.h"

#include <QObject>
#include <memory>

namespace sonde::cli {

class ServerVerb;

class Run final : public QObject {
    Q_OBJECT
public:
    explicit Run(ServerVerb &verb);
    ~Run() override;

    // The options that all verbs of a connected server share.
    void declare(app::OptionTable &table);
    QString problem() const;
    const CommonOptions &common() const { return m_common; }
    const ServerOptions &server() const { return m_server; }
    const QString &recordPath() const { return m_recordPath; }
    Output &output();

    void start(const Profile &profile);
    void interrupt(app::Interruption interruption);
    const std::optional<app::Interruption> &interruption() const { return m_interruption; }
    bool hasEnded() const { return m_code.has_value(); }  // or is about to

Q_SIGNALS:
    void finished(sonde::cli::ExitCode code);

private:
    void onStateChanged();
    void disconnected();
    void conclude();
    void onNotified(const Message &notification);
    void refuse(const Error &error);
    void wrongUse(const Error &error);
    void end(ExitCode code);

    ServerVerb &m_verb;
    ServerOptions m_server;
    CommonOptions m_common;
    ResponseOptions m_responses;
    QString m_recordPath;
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<ApprovalQuestion> m_approval;
    std::unique_ptr<Responders> m_responders;  // of every verb but replay, which has its own
    bool m_started = false;
    std::optional<app::Interruption> m_interruption;
    std::optional<ExitCode> m_code;
};

}  // namespace sonde::cli
