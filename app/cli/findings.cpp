// SPDX-License-Identifier: Apache-2.0
#include "app/cli/findings.h"

#include "app/cli/texts.h"
#include "core/check/sessioncheck.h"
#include "core/protocol/visibletext.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

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

// Where the entries of a list are in the result of list.
QString placeOf(Catalog::List list, qsizetype index)
{
    return u"/result/%1/%2"_s.arg(Catalog::info(list).member).arg(index);
}

QList<Finding> entryFindings(const Connection &connection, Catalog::List list)
{
    const QSet<QString> foundByRules = membersFoundByRules(connection, Catalog::info(list).method);
    QList<Finding> found;
    qsizetype index = 0;
    connection.catalog()->forEach(list, [&](const Entry &entry) {
        for (const QString &finding : entry.findings) {
            if (!foundByRules.contains(memberOf(finding)))
                found.append({Finding::Code::List, CliText::tr("Entry %1: %2").arg(index + 1).arg(finding),
                              placeOf(list, index)});
        }
        ++index;
    });
    if (list != Catalog::List::Tools)
        return found;
    index = 0;
    for (const Tool &tool : connection.catalog()->tools()) {
        if (const QString problem = connection.whyNotCallable(tool); !problem.isEmpty())
            found.append(
                {Finding::Code::NotCallable,
                 CliText::tr("The tool %1 cannot be called over HTTP: %2").arg(visibleLine(tool.name), problem),
                 placeOf(list, index)});
        ++index;
    }
    return found;
}

QList<Finding> collected(const Connection &connection, qsizetype maxFindings, bool withRules)
{
    Session &session = *connection.session();
    if (SessionCheck *check = connection.messageCheck())
        check->finish();
    session.flush();  // what came in this turn belongs to it
    QList<Finding> found = Finding::of(Finding::Code::Conversation, connection.findings());
    for (qsizetype row = 0; row < session.size() && found.size() < maxFindings; ++row) {
        const RecordInfo &info = session.at(row);
        if (info.kind != WireEvent::Kind::Note)
            continue;
        const EventFacts facts = EventFacts::read(session.facts(row));
        const QString text = facts.text.value_or(QString());
        const bool isKnown = std::ranges::find(found, text, &Finding::text) != found.end();
        if (!facts.what && (withRules || !facts.by) && !text.isEmpty() && !isKnown)
            found.append({facts.by ? Finding::Code::MessageRule : Finding::Code::Conversation,
                          text,
                          {},
                          qint64(info.partner > 0 ? info.partner : session.numberOf(row))});
    }
    return found;
}

}  // namespace

QList<Finding> findingsOf(const Connection &connection)
{
    constexpr qsizetype maxFindings = 10;
    return collected(connection, maxFindings, true);
}

QList<Finding> findingsOf(const Outcome &outcome)
{
    QList<Finding> found = Finding::of(Finding::Code::Result, outcome.findings);
    for (const StructuredIssue &issue : outcome.structuredIssues) {
        const auto said = std::ranges::find(found, issue.sentence(), &Finding::text);
        if (said == found.end())
            continue;
        said->code = Finding::Code::OutputSchema;
        said->pointer = u"/result/structuredContent"_s + issue.place.toString();
    }
    return found;
}

QList<Finding> otherFindingsOf(const Connection &connection)
{
    QList<Finding> found = collected(connection, std::numeric_limits<qsizetype>::max(), false);
    for (const Catalog::ListInfo &info : Catalog::Lists) {
        const QStringList &said = connection.catalog()->status(info.list).findings;
        found.removeIf([&said](const Finding &finding) { return said.contains(finding.text); });
    }
    return found;
}

QList<Finding> findingsAbout(const Connection &connection, Catalog::List list)
{
    return Finding::of(Finding::Code::List, connection.catalog()->status(list).findings) +
           entryFindings(connection, list);
}

}  // namespace sonde::cli
