// SPDX-License-Identifier: Apache-2.0
#include "core/replay/comparison.h"

#include "core/json/builder.h"
#include "core/replay/replayreport.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

using json::Difference;
using Part = SurfaceChange::Part;

QString tr(const char *text)
{
    return QCoreApplication::translate("sonde::Comparison", text);
}

bool isPresence(const Difference &difference)
{
    return difference.kind == Difference::Kind::Added || difference.kind == Difference::Kind::Removed;
}

// "/annotations/title" begins with "annotations".
QString firstToken(const QString &pointer)
{
    return pointer.section(u'/', 1, 1);
}

constexpr Part partOf(Surface::List list)
{
    switch (list) {
        case Surface::List::Tools:
            return Part::Tool;
        case Surface::List::Resources:
            return Part::Resource;
        case Surface::List::Templates:
            return Part::Template;
        case Surface::List::Prompts:
            break;
    }
    return Part::Prompt;
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

class Comparer {
public:
    Comparer(const Surface &left, const Surface &right) : m_left(left), m_right(right) {}

    Comparison run()
    {
        compareHandshakes();
        for (const Surface::List list : Surface::lists)
            compareLists(list);
        return std::move(m_result);
    }

private:
    void add(Part part, const QString &name, const Difference &difference, Impact impact)
    {
        m_result.changes.append({part, name, difference, impact});
    }

    void compareHandshakes()
    {
        const json::Value left = m_left.handshake;
        const json::Value right = m_right.handshake;
        for (const Difference &each : json::diff(left, right).differences) {
            const QString member = firstToken(each.pointer);
            if (member == "capabilities"_L1) {
                // A capability that is switched off is gone, one that is switched on is new.
                const bool isOff = each.right.isBool() && !each.right.toBool();
                const bool isOn = each.right.isBool() && each.right.toBool();
                const bool isLost = each.kind == Difference::Kind::Removed || isOff;
                const bool isGained = each.kind == Difference::Kind::Added || isOn;
                add(Part::Capabilities, {}, each,
                    isLost     ? Impact::Breaking
                    : isGained ? Impact::Harmless
                               : Impact::Unknown);
            } else {
                const bool isWords = member == "serverInfo"_L1 || member == "instructions"_L1 || member == "_meta"_L1;
                add(Part::Handshake, {}, each, isWords ? Impact::None : Impact::Unknown);
            }
        }
    }

    void compareLists(Surface::List list)
    {
        const size_t index = size_t(list);
        if (m_left.isListed[index] != m_right.isListed[index]) {
            m_result.remarks.append(
                tr("One side did not tell its %1s: they are not compared.").arg(toString(partOf(list))));
            return;
        }
        const auto byName = [this](const QList<std::pair<QString, json::Value>> &entries, const Surface &side) {
            QHash<QString, json::Value> result;
            for (const auto &[name, value] : entries) {
                if (result.contains(name))
                    m_result.remarks.append(
                        tr("%1 lists '%2' more than once; the last one is compared.").arg(side.name, name));
                result.insert(name, value);
            }
            return result;
        };
        const QHash<QString, json::Value> left = byName(m_left.of(list), m_left);
        const QHash<QString, json::Value> right = byName(m_right.of(list), m_right);
        QSet<QString> done;
        for (const auto &[name, value] : m_left.of(list)) {
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

    void compareEntries(Surface::List list, const QString &name, const json::Value &left, const json::Value &right)
    {
        const Part part = partOf(list);
        bool argumentsDone = false;
        QSet<QString> schemasDone;
        for (const Difference &each : json::diff(left, right).differences) {
            const QString member = firstToken(each.pointer);
            const bool isSchema = part == Part::Tool && (member == "inputSchema"_L1 || member == "outputSchema"_L1);
            if (isSchema && left[member].exists() && right[member].exists()) {
                if (!schemasDone.contains(member))
                    compareSchemaOf(name, member, left[member], right[member]);
                schemasDone.insert(member);
            } else if (isSchema) {
                // An output schema that is new promises more, one that is gone less.
                const bool isGood = member == "outputSchema"_L1 && each.kind == Difference::Kind::Added;
                add(part, name, each, isGood ? Impact::Harmless : Impact::Breaking);
            } else if (part == Part::Prompt && member == "arguments"_L1) {
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
            change.difference.pointer.prepend(u'/' + member);
            add(Part::Tool, tool, change.difference, change.impact);
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
            const json::Diff diff = json::diff(before, after);
            for (Difference each : diff.differences) {
                each.pointer.prepend(u"/arguments/%1"_s.arg(index));
                const bool isJudged = isPresence(each) || each.pointer.endsWith("/required"_L1);
                add(Part::Prompt, prompt, each, isJudged ? impactOfPromptArgument(before, after) : Impact::None);
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

    const Surface &m_left;
    const Surface &m_right;
    Comparison m_result;
};

}  // namespace

bool Comparison::isBreaking() const
{
    return std::any_of(changes.begin(), changes.end(),
                       [](const SurfaceChange &change) { return change.impact == Impact::Breaking; });
}

Comparison compareSurfaces(const Surface &left, const Surface &right)
{
    return Comparer(left, right).run();
}

QString toString(SurfaceChange::Part part)
{
    switch (part) {
        case Part::Handshake:
            return u"handshake"_s;
        case Part::Capabilities:
            return u"capabilities"_s;
        case Part::Tool:
            return u"tool"_s;
        case Part::Resource:
            return u"resource"_s;
        case Part::Template:
            return u"template"_s;
        case Part::Prompt:
            break;
    }
    return u"prompt"_s;
}

QString toString(Impact impact)
{
    switch (impact) {
        case Impact::None:
            return u"none"_s;
        case Impact::Harmless:
            return u"harmless"_s;
        case Impact::Unknown:
            return u"unknown"_s;
        case Impact::Breaking:
            break;
    }
    return u"breaking"_s;
}

QByteArray comparisonJson(const Comparison &comparison)
{
    json::Builder builder;
    builder.beginObject();
    builder.member(u"outcome", comparison.changes.isEmpty() ? u"same"_s
                               : comparison.isBreaking()    ? u"breaking"_s
                                                            : u"different"_s);
    builder.key(u"changes").beginArray();
    for (const SurfaceChange &change : comparison.changes) {
        builder.beginObject().member(u"part", toString(change.part));
        if (!change.name.isEmpty())
            builder.member(u"name", change.name);
        builder.member(u"impact", toString(change.impact));
        builder.rawMember(u"difference", toJson(change.difference)).endObject();
    }
    builder.endArray().key(u"remarks").beginArray();
    for (const QString &remark : comparison.remarks)
        builder.string(remark);
    return builder.endArray().endObject().take();
}

}  // namespace sonde
