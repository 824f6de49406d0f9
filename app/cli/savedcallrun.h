// The saved calls that sonde-cli run makes, and what it prints of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/exitcode.h"
#include "app/cli/findings.h"
#include "core/savedcalls/callsuite.h"

#include <QObject>
#include <memory>

namespace sonde::cli {

class Output;
class Run;

struct SavedCallOptions {
    QString junitPath;            // empty: no report
    bool stopsOnFailure = false;  // what is left is skipped
    bool accepts = false;         // what came back becomes what is expected

    bool operator==(const SavedCallOptions &) const = default;
};

class SavedCallRun final : public QObject {
    Q_OBJECT
public:
    // Both outlive it.
    SavedCallRun(Run &run, const QList<SavedCall> &calls, const SavedCallOptions &options);

    // Why they cannot be made, before a server is started: names, variables, the report.
    Error problem() const;
    // The saved server that the files name; an Error where they name none, or several.
    Result<QString> server() const;
    // The tools to call that are annotated as destructive.
    QStringList destructiveTools(const Catalog &catalog) const;

    void start(Connection *connection);  // ends in finished()
    bool isRunning() const { return m_suite && m_suite->isRunning(); }
    void stop();

Q_SIGNALS:
    void finished(sonde::cli::ExitCode code);

private:
    Output &output() const;
    void warnOfUnknownMembers();
    void show(qsizetype index);
    QList<Finding> findingsOfStep(qsizetype index) const;
    void conclude();
    ExitCode judge();
    // Where a file cannot be written, the code says so.
    void writeReport(ExitCode *code);
    void accept(ExitCode *code);
    void notWritten(const Error &error);

    Run &m_run;
    const QList<SavedCall> m_calls;
    const SavedCallOptions m_options;
    Connection *m_connection = nullptr;
    std::unique_ptr<CallSuite> m_suite;
};

}  // namespace sonde::cli
