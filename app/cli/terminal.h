// What the terminal at the end of an output can show: how wide it is, and whether it has colours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/system.h"

#include <QString>
#include <QStringList>

namespace sonde::cli {

// Asked for once, when the program first prints there. Text that is not for a terminal is neither wrapped nor coloured,
// and JSON never is.
class Terminal {
public:
    // For words of state and names only: text of a server is never painted.
    enum class Tone { Error, Warning, Good, Name, Heading };

    static const Terminal &of(app::StandardStream stream);
    explicit Terminal(app::StandardStream stream);

    // Characters in a line; 0: lines are not wrapped, since there is no terminal.
    int columns() const { return m_columns; }

    // Coloured where there is a terminal. NO_COLOR takes its colours away, and CLICOLOR_FORCE gives them to a pipe.
    QString painted(const QString &text, Tone tone) const;
    // The lines of a text that begins in this column; those that are too long are divided at their spaces. Where the
    // terminal has no room for that, or there is none, they stay as long as they are.
    QStringList wrapped(const QString &text, qsizetype column) const;

private:
    int m_columns = 0;
    bool m_hasColours = false;
};

}  // namespace sonde::cli
