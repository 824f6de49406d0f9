// The messages of a session, one a line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exportinput.h"
#include "core/export/exportoutput.h"

namespace sonde {

class JsonLinesWriter {
public:
    JsonLinesWriter(ExportInput *input, ExportOutput *output) : m_input(*input), m_output(*output) {}
    void write();

private:
    ExportInput &m_input;
    ExportOutput &m_output;
};

}  // namespace sonde
