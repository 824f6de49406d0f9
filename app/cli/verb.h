// One verb of sonde-cli: what it takes and what it does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "app/common/optiontable.h"
#include "core/connection/profile.h"

#include <QObject>
#include <memory>

namespace sonde::cli {

// Made for each command line, and for each help that names it. First the table is read, which fills members of the
// verb; then it is started, once.
class Verb : public QObject {
    Q_OBJECT
public:
    Verb() : m_output(std::make_unique<Output>(m_outputOptions)) {}

    // Everything but the name of the program.
    virtual void declare(app::OptionTable &table) = 0;
    // Options that it shares with other verbs, after its own. Lines of a script have none of them.
    virtual void declareShared(app::OptionTable &) {}
    // Why what was read does not go together; looks at the files and folders that it names. Empty: it does.
    virtual QString problem() const { return {}; }

    virtual void start(const Profile &profile) = 0;  // which outlives it
    virtual void interrupt(app::Interruption) {}     // Ctrl-C or kill: end in order

    virtual Output &output() const { return *m_output; }
    OutputOptions &outputOptions() { return m_outputOptions; }

Q_SIGNALS:
    void finished(sonde::cli::ExitCode code);

protected:
    // The option --json, for verbs without the common options.
    app::Option jsonRow();
    // Nothing can be done: said, and finished.
    void refuse(const Error &error, ExitCode code = ExitCode::WrongUse);

private:
    OutputOptions m_outputOptions;
    const std::unique_ptr<Output> m_output;
};

}  // namespace sonde::cli
