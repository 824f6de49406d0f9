// Examines a server that is a process: its command line, folder, program, runtime and output.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/doctor/examination.h"

namespace sonde {

// Runs nothing but a runtime with --version and the person's own shell.
class ProcessExamination final : public Examination {
    Q_OBJECT
public:
    ProcessExamination(Connection *connection, DoctorReport *report) : Examination(connection, report) {}

private:
    QList<DoctorLine::Kind> kinds() const override;
    void examine() override;
    void examineProgram();
    void askLoginShell(DoctorLine::Kind kind, const QString &program);
    void examineRuntime(const QString &program);
    void examineBinary(const QString &program);
    void runVersion(const QString &program);
    void judgeRuntime(const QString &name, const QString &version);
    bool wasOpened() const;
    void examineStart();
};

}  // namespace sonde
