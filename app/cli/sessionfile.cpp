// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sessionfile.h"

#include "app/cli/texts.h"
#include "core/protocol/visibletext.h"

#include <cstdio>

using namespace Qt::StringLiterals;

namespace sonde::cli {
app::Operand sessionOperand(QString *path)
{
    return {u"FILE"_s, CliText::tr("a session file"), path, {}, app::Completion::files()};
}

app::OptionTarget filterInto(std::optional<Filter> *filter)
{
    return [filter](const QString &text) {
        const Filter::Parsed parsed = Filter::parse(text);
        *filter = parsed.filter;
        if (!parsed.problem)
            return QString();
        const QString marks =
            QString(parsed.problem->offset, u' ') + QString(qMax<qsizetype>(1, parsed.problem->length), u'^');
        return CliText::tr("invalid filter: %1").arg(parsed.problem->reason) + u"\n  "_s + text + u"\n  "_s + marks;
    };
}

Result<std::unique_ptr<Session>> openSession(const QString &path)
{
    Result<std::unique_ptr<Session>> session = Session::open(path);
    if (!session)
        return session;
    for (const DamagedRange &range : (*session)->damage()) {
        const QString text =
            CliText::tr("Damaged at byte %1: %2").arg(range.offset).arg(visibleText(range.reason)) + u'\n';
        std::fputs(text.toUtf8().constData(), stderr);
    }
    return session;
}

}  // namespace sonde::cli
