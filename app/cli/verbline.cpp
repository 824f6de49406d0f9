// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbline.h"

#include "app/cli/texts.h"
#include "app/cli/verbs.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

VerbLine wrong(const QString &problem, const QString &program)
{
    return {{}, {}, visibleText(problem) + u'\n' + CliText::tr("Try %1 --help.").arg(program)};
}

QString versionText()
{
    return u"sonde-cli " SONDE_VERSION "\n"_s;
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
            return wrong(CliText::tr("unknown option '%1'").arg(name), table.program);
    }
    if (request.wantsHelp)
        return {{}, overviewText(), {}};
    if (request.wantsVersion)
        return {{}, versionText(), {}};
    QStringList names;
    for (const VerbEntry &entry : verbs())
        names.append(entry.name);
    return wrong(CliText::tr("expected a verb: %1").arg(names.join(u", "_s)), table.program);
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
        return wrong(CliText::tr("unknown verb '%1'").arg(visibleLine(name, maxShown)), u"sonde-cli"_s);
    QStringList others = words;
    others.removeAt(at);
    std::unique_ptr<Verb> verb = entry->make();
    HelpRequest request;
    const app::OptionTable table = tableOf(*verb, name, &request);
    if (const app::Misuse misuse = table.read(others))
        return wrong(misuseText(misuse), table.program);
    if (request.wantsHelp)
        return {{}, table.help(), {}};
    if (request.wantsVersion)
        return {{}, versionText(), {}};
    if (const QString problem = verb->problem(); !problem.isEmpty())
        return wrong(problem, table.program);
    return {std::move(verb), {}, {}};
}

}  // namespace sonde::cli
