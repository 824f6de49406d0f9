// SPDX-License-Identifier: Apache-2.0
#include "core/replay/comparison.h"

#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/json/pointer.h"
#include "core/protocol/differencetext.h"
#include "core/replay/environment.h"
#include "core/replay/rules.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>
#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

using json::Difference;

struct ComparisonText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Comparison)
};

bool isPresence(const Difference &difference)
{
    return difference.kind == Difference::Kind::Added || difference.kind == Difference::Kind::Removed;
}

// "/annotations/title" begins with "annotations".
QString firstToken(const QString &pointer)
{
    return pointer.section(u'/', 1, 1);
}

constexpr std::array PartsOfLists{SnapshotChange::Part::Tool, SnapshotChange::Part::Resource,
                                  SnapshotChange::Part::Template, SnapshotChange::Part::Prompt};

SnapshotChange::Part partOf(ServerSnapshot::List list)
{
    return PartsOfLists[size_t(list)];
}

// Hints only: a client that asks before it calls would ask otherwise. Loosened promises deserve a look.
Impact impactOfAnnotation(const Difference &difference)
{
    return difference.pointer.endsWith("/title"_L1) ? Impact::None : Impact::Unknown;
}

Impact impactOfPromptArgument(const json::Value &left, const json::Value &right)
{
    if (!left.exists())
        return right[u"required"].toBool() ? Impact::Breaking : Impact::Harmless;
    if (!right.exists())
        return Impact::Breaking;
    if (left[u"required"].toBool() == right[u"required"].toBool())
        return Impact::None;
    return right[u"required"].toBool() ? Impact::Breaking : Impact::Harmless;
}

// A secret has another mark in each session, and none where it was not masked.
QList<Difference> differencesOf(const json::Value &left, const json::Value &right)
{
    QList<Difference> differences = json::diff(left, right).differences;
    differences.removeIf([](const Difference &each) { return differsInSecretsOnly(each); });
    return differences;
}

class Comparer {
public:
    Comparer(const ServerSnapshot &left, const ServerSnapshot &right, const std::atomic_bool *cancelled)
        : m_left(left), m_right(right), m_cancelled(cancelled)
    {}

    Comparison run()
    {
        compareHandshakes();
        for (const Catalog::ListInfo &info : Catalog::Lists)
            compareLists(info.list);
        return std::move(m_result);
    }

private:
    void add(SnapshotChange::Part part, const QString &name, const Difference &difference, Impact impact)
    {
        m_result.changes.append({part, name, difference, impact});
    }

    void compareHandshakes()
    {
        const QList<Difference> differences = differencesOf(m_left.handshake, m_right.handshake);
        for (const Difference &each : differences) {
            const QString member = firstToken(each.pointer);
            const bool isWords = member == "serverInfo"_L1 || member == "instructions"_L1 || member == "_meta"_L1;
            if (member != "capabilities"_L1)
                add(SnapshotChange::Part::Handshake, {}, each, isWords ? Impact::None : Impact::Unknown);
        }
        compareEnvironments();
        for (const Difference &each : differences) {
            if (firstToken(each.pointer) == "capabilities"_L1) {
                // A capability that is switched off is gone, one that is switched on is new.
                const bool isOff = each.right.isBool() && !each.right.toBool();
                const bool isOn = each.right.isBool() && each.right.toBool();
                const bool isLost = each.kind == Difference::Kind::Removed || isOff;
                const bool isGained = each.kind == Difference::Kind::Added || isOn;
                add(SnapshotChange::Part::Capabilities, {}, each,
                    isLost     ? Impact::Breaking
                    : isGained ? Impact::Harmless
                               : Impact::Unknown);
            }
        }
    }

    void compareEnvironments()
    {
        const json::Value left = m_left.environment;
        const json::Value right = m_right.environment;
        if (!left.exists() || !right.exists())
            return;
        json::DiffOptions options;
        options.insideText = false;  // an argument that holds JSON is one argument
        const bool isOneStarted = left[u"program"].exists() != right[u"program"].exists();
        for (const Difference &each : json::diff(left, right, options).differences) {
            const QString member = firstToken(each.pointer);
            const bool isWhole = each.pointer.count(u'/') == 1 && isPresence(each);
            if (isWhole && member == "variables"_L1 && !isOneStarted)
                m_result.findings.append(
                    ComparisonText::tr("Environment variables were not recorded on one side; not compared."));
            else if (!isWhole || member != "inherited"_L1 || isOneStarted)
                add(SnapshotChange::Part::Environment, {}, each, Impact::Unknown);
        }
        compareSecrets(left);
    }

    // What is masked looks the same on both sides.
    void compareSecrets(const json::Value &value)
    {
        QStringList untold;
        QList<json::Value> waiting{value};
        while (!waiting.isEmpty()) {
            const json::Value each = waiting.takeFirst();
            for (const json::Value &child : each)
                waiting.append(child);
            if (!each.isString() || !holdsMark(each.string()))
                continue;
            const json::Pointer place = json::Pointer::to(each);
            const json::Value other = place.resolve(m_right.environment);
            if (!json::equal(each, other))
                continue;
            const QString pointer = place.toString();
            const QByteArray left = m_left.secretPrints.value(pointer);
            const QByteArray right = m_right.secretPrints.value(pointer);
            if (left.isEmpty() || right.isEmpty())
                untold.append(pointer);
            else if (left != right)
                add(SnapshotChange::Part::Environment, {}, {Difference::Kind::Changed, pointer, each, other},
                    Impact::Unknown);
        }
        if (!untold.isEmpty())
            m_result.findings.append(
                ComparisonText::tr("%1: redacted in the session; cannot be compared.").arg(untold.join(u", "_s)));
    }

    static QString titleOf(ServerSnapshot::List list)
    {
        switch (list) {
            case ServerSnapshot::List::Tools:
                return ComparisonText::tr("Tools");
            case ServerSnapshot::List::Resources:
                return ComparisonText::tr("Resources");
            case ServerSnapshot::List::ResourceTemplates:
                return ComparisonText::tr("Resource templates");
            case ServerSnapshot::List::Prompts:
                return ComparisonText::tr("Prompts");
        }
        return {};
    }

    // What a side offers and has not listed. Templates are offered with resources, by servers that may have none.
    static bool isUnknown(const ServerSnapshot &side, ServerSnapshot::List list)
    {
        return list != ServerSnapshot::List::ResourceTemplates && !side.isListed[size_t(list)] &&
               side.handshake[u"capabilities"][Catalog::info(list).capability].exists();
    }

    void compareLists(ServerSnapshot::List list)
    {
        const size_t index = size_t(list);
        const bool isMissing = isUnknown(m_left, list) || isUnknown(m_right, list);
        if (isMissing)
            m_result.isComplete = false;
        if (isMissing || m_left.isListed[index] != m_right.isListed[index]) {
            const bool isBoth = !m_left.isListed[index] && !m_right.isListed[index];
            m_result.findings.append(
                (isBoth ? ComparisonText::tr("%1: not listed completely on either side; not compared.")
                        : ComparisonText::tr("%1: not listed completely on one side; not compared."))
                    .arg(titleOf(list)));
            return;
        }
        const auto byName = [this](const QList<std::pair<QString, json::Value>> &entries, const ServerSnapshot &side) {
            QHash<QString, json::Value> result;
            for (const auto &[name, value] : entries) {
                if (result.contains(name))
                    m_result.findings.append(
                        ComparisonText::tr("%1 lists '%2' more than once; only the first one is compared.")
                            .arg(side.name, name));
                else
                    result.insert(name, value);
            }
            return result;
        };
        const QHash<QString, json::Value> left = byName(m_left.of(list), m_left);
        const QHash<QString, json::Value> right = byName(m_right.of(list), m_right);
        QSet<QString> done;
        for (const auto &[name, value] : m_left.of(list)) {
            if (m_cancelled && *m_cancelled)
                return;
            if (done.contains(name))
                continue;
            done.insert(name);
            const json::Value before = left.value(name);
            const json::Value after = right.value(name);
            if (!after.exists())
                add(partOf(list), name, {Difference::Kind::Removed, {}, before, {}}, Impact::Breaking);
            else
                compareEntries(list, name, before, after);
        }
        for (const auto &[name, value] : m_right.of(list)) {
            if (done.contains(name))
                continue;
            done.insert(name);
            add(partOf(list), name, {Difference::Kind::Added, {}, {}, right.value(name)}, Impact::Harmless);
        }
    }

    void compareEntries(ServerSnapshot::List list, const QString &name, const json::Value &left,
                        const json::Value &right)
    {
        const SnapshotChange::Part part = partOf(list);
        bool argumentsDone = false;
        QSet<QString> schemasDone;
        for (const Difference &each : differencesOf(left, right)) {
            const QString member = firstToken(each.pointer);
            const bool isSchema =
                part == SnapshotChange::Part::Tool && (member == "inputSchema"_L1 || member == "outputSchema"_L1);
            if (isSchema && left[member].exists() && right[member].exists()) {
                if (!schemasDone.contains(member))
                    compareSchemaOf(name, member, left[member], right[member]);
                schemasDone.insert(member);
            } else if (isSchema) {
                // An output schema that is new promises more, one that is gone less.
                const bool isGood = member == "outputSchema"_L1 && each.kind == Difference::Kind::Added;
                add(part, name, each, isGood ? Impact::Harmless : Impact::Breaking);
            } else if (part == SnapshotChange::Part::Prompt && member == "arguments"_L1) {
                if (!std::exchange(argumentsDone, true))
                    compareArguments(name, left[u"arguments"], right[u"arguments"]);
            } else if (member == "annotations"_L1) {
                add(part, name, each, impactOfAnnotation(each));
            } else {
                const bool isWords = member == "title"_L1 || member == "description"_L1 || member == "icons"_L1 ||
                                     member == "_meta"_L1 || member == "name"_L1 || member == "size"_L1;
                add(part, name, each, isWords ? Impact::None : Impact::Unknown);
            }
        }
    }

    void compareSchemaOf(const QString &tool, const QString &member, const json::Value &left, const json::Value &right)
    {
        const SchemaRole role = member == "inputSchema"_L1 ? SchemaRole::Input : SchemaRole::Output;
        for (SchemaChange &change : compareSchemas(left, right, role)) {
            if (differsInSecretsOnly(change.difference))
                continue;
            change.difference.pointer.prepend(u'/' + member);
            add(SnapshotChange::Part::Tool, tool, change.difference, change.impact);
        }
    }

    // By their names, not by their places.
    void compareArguments(const QString &prompt, const json::Value &left, const json::Value &right)
    {
        const auto find = [](const json::Value &list, const QString &name) {
            for (const json::Value &each : list) {
                if (each[u"name"].string() == name)
                    return each;
            }
            return json::Value();
        };
        const auto report = [&](const json::Value &before, const json::Value &after, qsizetype index) {
            for (const Difference &found : differencesOf(before, after)) {
                Difference each = found;
                each.pointer.prepend(u"/arguments/%1"_s.arg(index));
                const bool isJudged = isPresence(each) || each.pointer.endsWith("/required"_L1);
                add(SnapshotChange::Part::Prompt, prompt, each,
                    isJudged ? impactOfPromptArgument(before, after) : Impact::None);
            }
        };
        qsizetype index = 0;
        for (const json::Value &each : left)
            report(each, find(right, each[u"name"].string()), index++);
        index = 0;
        for (const json::Value &each : right) {
            if (!find(left, each[u"name"].string()).exists())
                report({}, each, index);
            ++index;
        }
    }

    const ServerSnapshot &m_left;
    const ServerSnapshot &m_right;
    const std::atomic_bool *m_cancelled;
    Comparison m_result;
};

}  // namespace

bool Comparison::isBreaking() const
{
    return std::any_of(changes.begin(), changes.end(),
                       [](const SnapshotChange &change) { return change.impact == Impact::Breaking; });
}

bool Comparison::isOfferSame() const
{
    return std::all_of(changes.begin(), changes.end(),
                       [](const SnapshotChange &change) { return change.part == SnapshotChange::Part::Environment; });
}

Comparison compareSnapshots(const ServerSnapshot &left, const ServerSnapshot &right, const std::atomic_bool *cancelled)
{
    return Comparer(left, right, cancelled).run();
}

std::optional<ServerSnapshot::List> listOf(SnapshotChange::Part part)
{
    const auto *found = std::find(PartsOfLists.begin(), PartsOfLists.end(), part);
    return found == PartsOfLists.end() ? std::nullopt
                                       : std::optional(ServerSnapshot::List(found - PartsOfLists.begin()));
}

QString toString(SnapshotChange::Part part)
{
    static const std::array words{u"handshake"_s, u"environment"_s, u"capabilities"_s, u"tool"_s,
                                  u"resource"_s,  u"template"_s,    u"prompt"_s};
    return words[size_t(part)];
}

QString toString(Impact impact)
{
    static const std::array words{u"none"_s, u"harmless"_s, u"unknown"_s, u"breaking"_s};
    return words[size_t(impact)];
}

QByteArray comparisonJson(const Comparison &comparison)
{
    json::Builder builder;
    builder.beginObject().key(u"changes").beginArray();
    for (const SnapshotChange &change : comparison.changes) {
        builder.beginObject().member(u"part", toString(change.part));
        if (!change.name.isEmpty())
            builder.member(u"name", change.name);
        builder.member(u"impact", toString(change.impact));
        builder.rawMember(u"difference", toJson(change.difference)).endObject();
    }
    return builder.endArray().endObject().take();
}

}  // namespace sonde
