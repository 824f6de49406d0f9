// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sessionfile.h"

#include "app/cli/didyoumean.h"
#include "app/cli/texts.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
app::Operand sessionOperand(QString *path)
{
    return {u"FILE"_s, CliText::tr("a session file"), path, CliText::tr("a recorded session (.mcpsession)"),
            app::Completion::files()};
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

Error unusable(const QString &path, const Error &error)
{
    Error named = error;
    if (!named.message.contains(path))
        named.message.prepend(path + u": "_s);
    return withSuggestion(named, didYouMeanFile(path));
}

Result<std::unique_ptr<Session>> openSession(const QString &path, Output &output)
{
    Result<std::unique_ptr<Session>> session = Session::open(path);
    if (!session)
        return unusable(path, session.error());
    output.envelope().setServer((*session)->serverName());
    for (const DamagedRange &range : (*session)->damage())
        output.findings(
            {{Finding::Code::Session, CliText::tr("Damaged at byte %1: %2").arg(range.offset).arg(range.reason)}});
    return session;
}

}  // namespace sonde::cli
