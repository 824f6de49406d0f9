// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compareentry.h"

#include "core/protocol/visibletext.h"
#include "core/replay/changewords.h"
#include "core/session/session.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

struct CompareEntryText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::CompareEntry)
};

// Groups changes by the entry that they are about. List entries are looked up in a table that is built once.
class Grouping {
public:
    explicit Grouping(ComparedSides &sides) : m_sides(sides) {}

    bool run(const Comparison &comparison, const std::atomic_bool &cancelled)
    {
        QHash<std::pair<int, QString>, qsizetype> places;
        for (const SnapshotChange &change : comparison.changes) {
            if (cancelled)
                return false;
            const ChangedThing thing = changedThing(change);
            const QString key = listOf(change.part) ? change.name : thing.place.toString();
            const auto [at, isNew] = [&] {
                const auto known = places.constFind({int(change.part), key});
                if (known != places.constEnd())
                    return std::pair(*known, false);
                places.insert({int(change.part), key}, m_sides.entries.size());
                return std::pair(m_sides.entries.size(), true);
            }();
            if (isNew)
                m_sides.entries.append(begin(change.part, key, thing));
            add(m_sides.entries[at], change, thing.place.tokens().size());
        }
        for (const QString &note : comparison.findings) {
            CompareEntry entry;
            entry.kind = CompareEntry::Kind::NotCompared;
            entry.key = note;
            entry.name = visibleLine(note);
            m_sides.entries.append(entry);
        }
        for (CompareEntry &entry : m_sides.entries)
            finish(entry);
        return true;
    }

private:
    CompareEntry begin(SnapshotChange::Part part, const QString &key, const ChangedThing &thing)
    {
        CompareEntry entry;
        entry.part = part;
        entry.key = key;
        entry.name = thing.name;
        if (const std::optional<ServerSnapshot::List> list = listOf(part)) {
            entry.left = table(m_left, m_sides.left.snapshot, *list).value(key);
            entry.right = table(m_right, m_sides.right.snapshot, *list).value(key);
            return entry;
        }
        const bool isEnvironment = part == SnapshotChange::Part::Environment;
        const ServerSnapshot &left = m_sides.left.snapshot;
        const ServerSnapshot &right = m_sides.right.snapshot;
        entry.left = thing.place.resolve(isEnvironment ? left.environment : left.handshake);
        entry.right = thing.place.resolve(isEnvironment ? right.environment : right.handshake);
        return entry;
    }

    using Table = std::array<QHash<QString, json::Value>, Catalog::Lists.size()>;
    static const QHash<QString, json::Value> &table(Table &tables, const ServerSnapshot &snapshot,
                                                    ServerSnapshot::List list)
    {
        QHash<QString, json::Value> &table = tables[size_t(list)];
        if (table.isEmpty()) {
            for (const auto &[name, value] : snapshot.of(list)) {
                if (!table.contains(name))
                    table.insert(name, value);
            }
        }
        return table;
    }

    static void add(CompareEntry &entry, const SnapshotChange &change, qsizetype depth)
    {
        const json::Difference &difference = change.difference;
        const QString pointer = u'/' + difference.pointer.section(u'/', int(depth) + 1);
        entry.changes.append(
            {changeWords(change, Wording::Brief), change.impact, pointer == "/"_L1 ? QString() : pointer});
        entry.impact = qMax(entry.impact, change.impact);
    }

    static void finish(CompareEntry &entry)
    {
        std::stable_sort(entry.changes.begin(), entry.changes.end(),
                         [](const auto &a, const auto &b) { return a.impact > b.impact; });
        if (entry.kind != CompareEntry::Kind::NotCompared && entry.left.exists() != entry.right.exists())
            entry.kind = entry.left.exists() ? CompareEntry::Kind::Removed : CompareEntry::Kind::Added;
        QStringList words{entry.name, impactText(entry), partTitle(entry.part)};
        for (const CompareEntry::Change &change : std::as_const(entry.changes))
            words.append(change.words);
        entry.search = words.join(u'\n').toLower();
    }

    ComparedSides &m_sides;
    Table m_left;
    Table m_right;
};

void read(CompareSide &side)
{
    if (side.path.isEmpty() || side.error)
        return;
    const Result<std::unique_ptr<Session>> session = Session::open(side.path);
    if (!session) {
        side.error = session.error();
        return;
    }
    Result<ServerSnapshot> snapshot = ServerSnapshot::of(**session);
    if (snapshot)
        side.snapshot = std::move(snapshot).value();
    else
        side.error = snapshot.error();
}

}  // namespace

qsizetype ComparedSides::count(CompareEntry::Kind kind) const
{
    return std::count_if(entries.begin(), entries.end(),
                         [kind](const CompareEntry &entry) { return entry.kind == kind; });
}

qsizetype ComparedSides::breaking() const
{
    return std::count_if(entries.begin(), entries.end(),
                         [](const CompareEntry &entry) { return entry.impact == Impact::Breaking; });
}

qsizetype ComparedSides::unclear() const
{
    return std::count_if(entries.begin(), entries.end(), [](const CompareEntry &entry) {
        return entry.impact == Impact::Unknown && !entry.isEnvironment() &&
               entry.kind != CompareEntry::Kind::NotCompared;
    });
}

qsizetype ComparedSides::started() const
{
    return std::count_if(entries.begin(), entries.end(),
                         [](const CompareEntry &entry) { return entry.isEnvironment() && !entry.changes.isEmpty(); });
}

std::shared_ptr<const ComparedSides> compareSides(CompareSide left, CompareSide right,
                                                  const std::shared_ptr<const std::atomic_bool> &cancelled)
{
    auto sides = std::make_shared<ComparedSides>();
    for (CompareSide *side : {&left, &right}) {
        if (*cancelled)
            return {};
        read(*side);
    }
    // Names given by the user are better than those in the files.
    left.snapshot.name = left.name;
    right.snapshot.name = right.name;
    sides->left = std::move(left);
    sides->right = std::move(right);
    sides->error = sides->left.error ? sides->left.error : sides->right.error;
    if (sides->error)
        return sides;
    const Comparison comparison = compareSnapshots(sides->left.snapshot, sides->right.snapshot, cancelled.get());
    sides->isOfferSame = comparison.isOfferSame();
    sides->isComplete = comparison.isComplete;
    if (*cancelled || !Grouping(*sides).run(comparison, *cancelled))
        return {};
    return sides;
}

QString partTitle(SnapshotChange::Part part)
{
    switch (part) {
        case SnapshotChange::Part::Handshake:
            return CompareEntryText::tr("Handshake");
        case SnapshotChange::Part::Environment:
            return CompareEntryText::tr("Environment");
        case SnapshotChange::Part::Capabilities:
            return CompareEntryText::tr("Capabilities");
        case SnapshotChange::Part::Tool:
            return CompareEntryText::tr("Tools");
        case SnapshotChange::Part::Resource:
            return CompareEntryText::tr("Resources");
        case SnapshotChange::Part::Template:
            return CompareEntryText::tr("Templates");
        case SnapshotChange::Part::Prompt:
            break;
    }
    return CompareEntryText::tr("Prompts");
}

QString impactSign(Impact impact, bool isEnvironment)
{
    if (isEnvironment)
        return u"≠"_s;
    switch (impact) {
        case Impact::None:
            return u"·"_s;
        case Impact::Harmless:
            return u"✓"_s;
        case Impact::Unknown:
            return u"?"_s;
        case Impact::Breaking:
            break;
    }
    return u"✕"_s;
}

QString impactText(const CompareEntry &entry)
{
    if (entry.kind == CompareEntry::Kind::NotCompared)
        return CompareEntryText::tr("◆ unknown");
    return impactSign(entry.impact, entry.isEnvironment()) + u' ' + impactWord(entry.part, entry.impact);
}

Tone impactTone(const CompareEntry &entry)
{
    if (entry.kind == CompareEntry::Kind::NotCompared)
        return Tone::Finding;
    if (entry.isEnvironment())
        return Tone::Accent;
    switch (entry.impact) {
        case Impact::None:
            return Tone::Neutral;
        case Impact::Harmless:
            return Tone::Ok;
        case Impact::Unknown:
            return Tone::ToolError;
        case Impact::Breaking:
            break;
    }
    return Tone::ProtocolError;
}

}  // namespace sonde::ui
