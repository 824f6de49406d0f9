// SPDX-License-Identifier: Apache-2.0
#include "core/server/launchfacts.h"

#include "core/protocol/numbertext.h"
#include "core/server/texts.h"
#include "core/server/transportoptions.h"
#include "core/transport/process/programlookup.h"

using namespace Qt::StringLiterals;

namespace sonde {

LaunchFacts launchFacts(const ServerSpec &spec)
{
    const StdioOptions options = stdioOptions(spec);
    const EnvironmentFacts environment = environmentFacts(options);
    LaunchFacts facts;
    facts.workingFolder = effectiveDirectory(options);
    facts.others = environment.inherited.size();
    for (const auto &[name, value] : spec.environment)
        facts.set.append(name);
    for (const auto &[name, value] : environment.variables) {
        if (!facts.set.contains(QString::fromUtf8(name)))
            facts.passed.append(QString::fromUtf8(name));
        if (name == "PATH")
            facts.path = QString::fromUtf8(value);
    }
    if (facts.set.contains(u"PATH"_s))
        facts.pathSource = LaunchFacts::PathSource::Entry;
    else if (spec.loginShellPath)
        facts.pathSource = LaunchFacts::PathSource::LoginShell;
    if (facts.pathSource == LaunchFacts::PathSource::LoginShell && options.loginShellPath.isEmpty())
        facts.path.clear();
    return facts;
}

QString pathText(const LaunchFacts &facts)
{
    switch (facts.pathSource) {
        case LaunchFacts::PathSource::Sonde:
            return ServerText::tr("%1 (Sonde's own)").arg(facts.path);
        case LaunchFacts::PathSource::Entry:
            return ServerText::tr("%1 (set for this server)").arg(facts.path);
        case LaunchFacts::PathSource::LoginShell:
            break;
    }
    return facts.path.isEmpty() ? ServerText::tr("read from your login shell when the server starts")
                                : ServerText::tr("%1 (your login shell's)").arg(facts.path);
}

QString environmentText(const LaunchFacts &facts)
{
    QString text = facts.passed.join(u", "_s);
    if (!facts.set.isEmpty())
        text += u"; "_s + ServerText::tr("set for this server: %1").arg(facts.set.join(u", "_s));
    if (facts.others > 0)
        text += u"; "_s + counted(facts.others, ServerText::tr("and 1 other variable of Sonde's"),
                                  ServerText::tr("and %1 other variables of Sonde's"));
    return text;
}

}  // namespace sonde
