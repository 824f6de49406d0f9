// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs.h"

#include "app/cli/texts.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::cli {

// A verb is a file, which defines its maker, and a line here, below the heading of its group.
#define SONDE_CLI_VERBS(GROUP, VERB)                                 \
    GROUP(QT_TRANSLATE_NOOP("sonde::cli", "Use a server"))           \
    VERB("info", makeInfo)                                           \
    VERB("list", makeList)                                           \
    VERB("find", makeFind)                                           \
    VERB("describe", makeDescribe)                                   \
    VERB("call", makeCall)                                           \
    VERB("read", makeRead)                                           \
    VERB("prompt", makePrompt)                                       \
    VERB("request", makeRequest)                                     \
    VERB("ping", makePing)                                           \
    VERB("complete", makeComplete)                                   \
    VERB("subscribe", makeSubscribe)                                 \
    VERB("log-level", makeLogLevel)                                  \
    VERB("tasks", makeTasks)                                         \
    VERB("run", makeScript)                                          \
    GROUP(QT_TRANSLATE_NOOP("sonde::cli", "Test a server"))          \
    VERB("check", makeCheck)                                         \
    VERB("replay", makeReplay)                                       \
    VERB("mock", makeMock)                                           \
    VERB("diff", makeDiff)                                           \
    VERB("validate", makeValidate)                                   \
    VERB("import-calls", makeImportCalls)                            \
    GROUP(QT_TRANSLATE_NOOP("sonde::cli", "Sign in"))                \
    VERB("login", makeLogin)                                         \
    VERB("logout", makeLogout)                                       \
    GROUP(QT_TRANSLATE_NOOP("sonde::cli", "Read recorded sessions")) \
    VERB("log", makeLog)                                             \
    VERB("stats", makeStats)                                         \
    VERB("export", makeExport)                                       \
    GROUP(QT_TRANSLATE_NOOP("sonde::cli", "Manage saved servers"))   \
    VERB("servers", makeServers)                                     \
    VERB("import", makeImport)                                       \
    VERB("export-servers", makeExportServers)                        \
    GROUP(QT_TRANSLATE_NOOP("sonde::cli", "Help"))                   \
    VERB("help", makeHelp)                                           \
    VERB("completion", makeCompletion)

#define SONDE_CLI_NO_GROUP(title)
#define SONDE_CLI_DECLARE(name, make) std::unique_ptr<Verb> make();
SONDE_CLI_VERBS(SONDE_CLI_NO_GROUP, SONDE_CLI_DECLARE)

const QList<VerbEntry> &verbs()
{
    static const QList<VerbEntry> entries = [] {
        QList<VerbEntry> list;
        QString group;
#define SONDE_CLI_GROUP(title) group = CliText::tr(title);
#define SONDE_CLI_ENTRY(name, make) list.append({QStringLiteral(name), make, group});
        SONDE_CLI_VERBS(SONDE_CLI_GROUP, SONDE_CLI_ENTRY)
        return list;
    }();
    return entries;
}

QList<app::Choice> verbChoices()
{
    QList<app::Choice> choices;
    for (const VerbEntry &entry : verbs()) {
        app::OptionTable table;
        entry.make()->declare(table);
        choices.append({entry.name, table.summary});
    }
    return choices;
}

QStringList verbNames()
{
    QStringList names;
    for (const VerbEntry &entry : verbs())
        names.append(entry.name);
    return names;
}

const VerbEntry *verbNamed(const QString &name)
{
    const auto found = std::ranges::find(verbs(), name, &VerbEntry::name);
    return found == verbs().cend() ? nullptr : &*found;
}

QString programOf(const QString &verb)
{
    return u"sonde-cli "_s + verb;
}

app::OptionSection HelpRequest::section()
{
    app::OptionSection section{{},
                               {{u"-h, --help"_s, CliText::tr("print help"), &wantsHelp},
                                {u"--version"_s, CliText::tr("print the version"), &wantsVersion}}};
    for (app::Option &option : section.options)
        option.endsReading = true;
    return section;
}

app::OptionTable tableOf(Verb &verb, const QString &name, HelpRequest *request)
{
    app::OptionTable table{programOf(name), {}};
    verb.declare(table);
    verb.declareShared(table);
    table.sections.append(request->section());
    return table;
}

QList<OptionTaker> takersOf(const QString &option)
{
    HelpRequest request;
    QList<OptionTaker> takers;
    for (const VerbEntry &entry : verbs()) {
        const std::unique_ptr<Verb> verb = entry.make();
        const app::OptionTable table = tableOf(*verb, entry.name, &request);
        if (const app::Option *found = table.find(option))
            takers.append({entry.name, found->value()});
    }
    return takers;
}

qsizetype verbPosition(const QStringList &words)
{
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString &word = words.at(i);
        if (!word.startsWith(u'-'))
            return i;
        if (word == "--"_L1)
            return -1;
        const QString value = takersOf(word.section(u'=', 0, 0)).value(0).value;
        const bool isOptional = value.startsWith(u'[');
        const QString next = words.value(i + 1);
        if (!value.isEmpty() && !word.contains(u'=') && (!isOptional || (!next.isEmpty() && next.front().isDigit())))
            ++i;
    }
    return -1;
}

QString misuseText(const app::Misuse &misuse)
{
    constexpr qsizetype maxNamed = 6;
    QStringList names;
    if (!misuse.unknownOption.isEmpty()) {
        for (const OptionTaker &taker : takersOf(misuse.unknownOption))
            names.append(taker.verb);
    }
    if (names.isEmpty())
        return misuse.text;
    return misuse.text + u'\n' +
           (names.size() > maxNamed
                ? CliText::tr("%1 cannot be used with this verb").arg(misuse.unknownOption)
                : CliText::tr("%1 is allowed only with %2").arg(misuse.unknownOption, app::joinedNames(names)));
}

}  // namespace sonde::cli
