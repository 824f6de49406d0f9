// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbline.h"

#include "app/cli/didyoumean.h"
#include "app/cli/helptopics.h"
#include "app/cli/texts.h"
#include "app/cli/verbs.h"
#include "app/common/programversion.h"
#include "core/protocol/visibletext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

VerbLine wrong(const QString &problem, const QString &verb = {})
{
    const QString program = verb.isEmpty() ? u"sonde-cli"_s : programOf(verb);
    return {{}, verb, {}, Error::local(problem, CliText::tr("Try %1 --help.").arg(program))};
}

// Only options: such as --help.
VerbLine readWithoutVerb(const QStringList &words)
{
    HelpRequest request;
    app::OptionTable table{u"sonde-cli"_s, {}};
    table.sections = {request.section()};
    for (const QString &word : words) {
        const QString name = word.section(u'=', 0, 0);
        if (const app::Option *option = table.find(word))
            option->target.take({});
        else if (word.startsWith(u'-') && word != "--"_L1 && takersOf(name).isEmpty())
            return wrong(CliText::tr("unknown option '%1'").arg(name));
    }
    if (request.wantsHelp)
        return {{}, {}, overviewText(), {}};
    if (request.wantsVersion)
        return {{}, {}, app::versionLine(u"sonde-cli"_s), {}};
    return wrong(CliText::tr("expected a verb: %1").arg(verbNames().join(u", "_s)));
}

}  // namespace

VerbLine readVerbLine(const QStringList &words)
{
    constexpr int maxShown = 60;
    const qsizetype at = verbPosition(words);
    if (at < 0)
        return readWithoutVerb(words);
    const QString name = words.at(at);
    const VerbEntry *entry = verbNamed(name);
    if (!entry)
        return wrong(withSuggestion(CliText::tr("unknown verb '%1'").arg(visibleLine(name, maxShown)),
                                    didYouMean(name, verbNames())));
    QStringList others = words;
    others.removeAt(at);
    std::unique_ptr<Verb> verb = entry->make();
    HelpRequest request;
    const app::OptionTable table = tableOf(*verb, name, &request);
    if (const app::Misuse misuse = table.read(others))
        return wrong(misuseText(misuse), name);
    if (request.wantsHelp)
        return {{}, name, table.help(), {}};
    if (request.wantsVersion)
        return {{}, {}, app::versionLine(u"sonde-cli"_s), {}};
    if (const QString problem = verb->problem(); !problem.isEmpty())
        return wrong(problem, name);
    verb->output().envelope().setVerb(name);
    return {std::move(verb), name, {}, {}};
}

bool wantJson(const QStringList &words)
{
    const auto end = std::ranges::find(words, u"--"_s);  // behind it is a server's command line
    return std::find(words.begin(), end, u"--json"_s) != end;
}

}  // namespace sonde::cli
