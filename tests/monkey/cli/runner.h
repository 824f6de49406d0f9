// Runs sonde-cli as a step says, and judges what it did.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/monkey/cli/step.h"
#include "tests/monkey/cli/world.h"

#include <sys/types.h>

namespace sonde::monkey {

class CliRunner {
public:
    explicit CliRunner(CliWorld *world) : m_world(world) {}

    // What went wrong; empty: nothing.
    QString run(const CliStep &step);
    QString outcome() const;  // of the last one, in a word
    // What it printed last.
    const QByteArray &output() const { return m_output; }
    const QByteArray &errors() const { return m_errors; }

private:
    struct Streams;

    bool start(const CliStep &step, Streams *streams);
    void communicate(const CliStep &step, Streams *streams);
    QString judge(const CliStep &step);
    QString judgeOutput(const CliStep &step, int code) const;
    QString leftOver();
    static bool mayGoOn(const CliStep &step);

    CliWorld *m_world;
    pid_t m_process = 0;
    int m_status = 0;
    bool m_wasStopped = false;  // by us, since it need not end by itself
    QString m_problem;
    QByteArray m_output;
    QByteArray m_errors;
};

}  // namespace sonde::monkey
