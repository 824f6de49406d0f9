// A session as one page for a bug report: no script, nothing loaded from anywhere, every word of the server escaped.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/operations.h"
#include "core/export/exportinput.h"
#include "core/export/exportoutput.h"

namespace sonde {

class HtmlWriter {
public:
    HtmlWriter(ExportInput *input, ExportOutput *output);
    void write();

private:
    void statistics();
    void records();
    void begin(qsizetype row, qsizetype operation);
    void end();
    void bar(qsizetype operation);
    void masked();
    QString percent(qint64 ns) const;

    ExportInput &m_input;
    ExportOutput &m_output;
    const Session &m_session;
    Operations m_operations;
    const qint64 m_endNs;  // of the session
};

}  // namespace sonde
