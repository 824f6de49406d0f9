// SPDX-License-Identifier: Apache-2.0
#include "app/cli/findings.h"

#include "app/cli/texts.h"
#include "core/check/sessioncheck.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

#include <QRegularExpression>
#include <QSet>

#include <limits>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

constexpr Catalog::List AllLists[] = {Catalog::List::Tools, Catalog::List::Resources, Catalog::List::ResourceTemplates,
                                      Catalog::List::Prompts};

// The member that a finding begins with, for any entry: 'arguments[0].name' is "arguments[].name".
QString memberOf(const QString &finding)
{
    static const QRegularExpression index(u"\\[\\d+\\]"_s);
    return finding.section(u'\'', 1, 1).replace(index, u"[]"_s);
}

// Members of entries of which the rules of messages found the same in the response that brought them, where
// 'inputSchema' is 'result.tools[0].inputSchema'.
QSet<QString> membersFoundByRules(const Connection &connection, QStringView method)
{
    QSet<QString> members;
    const SessionCheck *check = connection.messageCheck();
    for (const CheckFinding &found : check ? check->findings() : QList<CheckFinding>()) {
        if (found.method == method)
            members.insert(memberOf(found.text).section(u"[]."_s, 1));
    }
    return members;
}

template <typename Entries>
QStringList findingsIn(const Connection &connection, QStringView method, const Entries &entries)
{
    const QSet<QString> foundByRules = membersFoundByRules(connection, method);
    QStringList sentences;
    qsizetype number = 0;
    for (const auto &entry : entries) {
        ++number;
        for (const QString &finding : entry.findings) {
            if (!foundByRules.contains(memberOf(finding)))
                sentences.append(CliText::tr("Entry %1: %2").arg(number).arg(finding));
        }
    }
    return sentences;
}

QStringList notCallable(const Connection &connection)
{
    QStringList sentences;
    for (const Tool &tool : connection.catalog()->tools()) {
        if (const QString problem = connection.whyNotCallable(tool); !problem.isEmpty())
            sentences.append(
                CliText::tr("The tool %1 cannot be called over HTTP: %2").arg(visibleLine(tool.name), problem));
    }
    return sentences;
}

QStringList entryFindings(const Connection &connection, Catalog::List list)
{
    const Catalog &catalog = *connection.catalog();
    switch (list) {
        case Catalog::List::Tools:
            return findingsIn(connection, methods::ListTools, catalog.tools()) + notCallable(connection);
        case Catalog::List::Resources:
            return findingsIn(connection, methods::ListResources, catalog.resources());
        case Catalog::List::ResourceTemplates:
            return findingsIn(connection, methods::ListResourceTemplates, catalog.resourceTemplates());
        case Catalog::List::Prompts:
            break;
    }
    return findingsIn(connection, methods::ListPrompts, catalog.prompts());
}

QStringList collected(const Connection &connection, qsizetype maxFindings, bool withRules)
{
    Session &session = *connection.session();
    if (SessionCheck *check = connection.messageCheck())
        check->finish();
    session.flush();  // what came in this turn belongs to it
    QStringList found = connection.findings();
    for (qsizetype row = 0; row < session.size() && found.size() < maxFindings; ++row) {
        if (session.at(row).kind != WireEvent::Kind::Note)
            continue;
        const json::Document facts = json::Document::parse(session.facts(row));
        const QString text = facts.root()[u"text"].string();
        if (!facts.root()[u"what"].exists() && (withRules || !facts.root()[u"by"].exists()) && !text.isEmpty() &&
            !found.contains(text))
            found.append(text);
    }
    return found;
}

}  // namespace

QStringList findingsOf(const Connection &connection)
{
    constexpr qsizetype maxFindings = 10;
    return collected(connection, maxFindings, true);
}

QStringList otherFindingsOf(const Connection &connection)
{
    QStringList sentences = collected(connection, std::numeric_limits<qsizetype>::max(), false);
    for (const Catalog::List list : AllLists) {
        const QStringList &said = connection.catalog()->status(list).findings;
        sentences.removeIf([&said](const QString &sentence) { return said.contains(sentence); });
    }
    return sentences;
}

QStringList findingsAbout(const Connection &connection, Catalog::List list)
{
    return connection.catalog()->status(list).findings + entryFindings(connection, list);
}

}  // namespace sonde::cli
