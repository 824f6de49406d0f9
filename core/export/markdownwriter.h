// A session as Markdown, for an issue or a chat.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exportinput.h"
#include "core/export/exportoutput.h"

namespace sonde {

class Operations;

class MarkdownWriter {
public:
    MarkdownWriter(ExportInput *input, ExportOutput *output) : m_input(*input), m_output(*output) {}
    void write();

private:
    void writeStatistics(const Operations &operations);
    void writeRow(const Operations &operations, qsizetype row);

    ExportInput &m_input;
    ExportOutput &m_output;
};

}  // namespace sonde
