// Passwords in a command or a netrc file, where no telling name precedes them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/scannedtext.h"

namespace sonde {

// Each function looks at one place of the text, and reports what it finds there. The places come in ascending order.
class LoginFinder {
public:
    explicit LoginFinder(ScannedText &text) : m_text(text) {}

    // curl -u name:password, mysql -pPASSWORD, also as elements of a list. start: of the dashes of the option. False
    // when the value stands behind an escape, so that only a text without escapes shows it.
    bool findOption(qsizetype start);
    // machine … login … password …; at: of the first s of "sw".
    void findNetrc(qsizetype at);

private:
    QByteArrayView programInFrontOf(qsizetype at);
    void noteProgram(qsizetype start, qsizetype end);
    void report(bool isLogin, qsizetype start, qsizetype end);

    ScannedText &m_text;
    qsizetype m_read = 0;      // up to there the text was searched for programs
    QByteArrayView m_program;  // whose command goes on there
};

}  // namespace sonde
