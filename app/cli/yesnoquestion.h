// A question at the terminal that is answered with y or yes; anything else is a no.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "app/common/standardinput.h"

#include <QObject>

namespace sonde::cli {

// Asks on standard error, reads one line of standard input, and deletes itself once it has said what that was.
class YesNoQuestion final : public QObject {
    Q_OBJECT
public:
    // Whether somebody can be asked: standard input is a terminal.
    static bool canBeAsked();

    YesNoQuestion(const QString &text, Output &output, QObject *parent);

Q_SIGNALS:
    void answered(bool isYes);  // once, later than the construction

private:
    void readLine(const QByteArray &line);

    app::StandardInput m_input;
};

}  // namespace sonde::cli
