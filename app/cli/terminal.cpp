// SPDX-License-Identifier: Apache-2.0
#include "app/cli/terminal.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

constexpr int UsualColumns = 80;   // of a terminal that does not tell
constexpr qsizetype MinText = 20;  // less is not worth a column of its own

bool isSet(const char *name)
{
    return !qEnvironmentVariableIsEmpty(name);
}

bool wantsColours(bool isTerminal)
{
    if (isSet("NO_COLOR"))  // no-color.org: whatever its value is
        return false;
    if (isSet("CLICOLOR_FORCE") && qEnvironmentVariable("CLICOLOR_FORCE") != "0"_L1)
        return true;
    const QString type = qEnvironmentVariable("TERM");
    return isTerminal && !type.isEmpty() && type != "dumb"_L1;
}

QString codeOf(Terminal::Tone tone)
{
    switch (tone) {
        case Terminal::Tone::Error:
            return u"31"_s;
        case Terminal::Tone::Warning:
            return u"33"_s;
        case Terminal::Tone::Good:
            return u"32"_s;
        case Terminal::Tone::Name:
            return u"36"_s;
        case Terminal::Tone::Heading:
            break;
    }
    return u"1"_s;
}

}  // namespace

const Terminal &Terminal::of(app::StandardStream stream)
{
    static const Terminal output(app::StandardStream::Output);
    static const Terminal error(app::StandardStream::Error);
    return stream == app::StandardStream::Error ? error : output;
}

Terminal::Terminal(app::StandardStream stream)
{
    const bool isTerminal = app::isTerminal(stream);
    m_hasColours = wantsColours(isTerminal);
    if (!isTerminal)
        return;
    const int wanted = qEnvironmentVariableIntValue("COLUMNS");
    const int own = app::terminalColumns(stream);
    m_columns = wanted > 0 ? wanted : own > 0 ? own : UsualColumns;
}

QString Terminal::painted(const QString &text, Tone tone) const
{
    return m_hasColours && !text.isEmpty() ? u"\x1b[%1m%2\x1b[0m"_s.arg(codeOf(tone), text) : text;
}

QStringList Terminal::wrapped(const QString &text, qsizetype column) const
{
    const qsizetype room = m_columns - column;
    QStringList lines;
    for (const QString &whole : text.split(u'\n')) {
        if (m_columns == 0 || room < MinText || whole.size() <= room) {
            lines.append(whole);
            continue;
        }
        QString line;
        for (const QString &word : whole.split(u' ', Qt::SkipEmptyParts)) {
            if (!line.isEmpty() && line.size() + 1 + word.size() > room)
                lines.append(std::exchange(line, QString()));
            line += (line.isEmpty() ? QString() : u" "_s) + word;
        }
        lines.append(line);
    }
    return lines;
}

}  // namespace sonde::cli
