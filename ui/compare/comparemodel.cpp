// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/comparemodel.h"

#include "core/protocol/numbertext.h"
#include "ui/theme/widgets.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int NotComparedGroup = 100;
constexpr qsizetype MaxWords = 3;  // changes that a row tells in words

int groupOf(const CompareEntry &entry)
{
    return entry.kind == CompareEntry::Kind::NotCompared ? NotComparedGroup : int(entry.part);
}

QString wordsOf(const CompareEntry &entry, qsizetype maxCount)
{
    QStringList words;
    for (const CompareEntry::Change &change : entry.changes.first(qMin(maxCount, entry.changes.size())))
        words.append(change.words);
    if (entry.changes.size() > maxCount)
        words.append(CompareModel::tr("and %1 more").arg(grouped(entry.changes.size() - maxCount)));
    return words.join(u" · "_s);
}

}  // namespace

CompareModel::CompareModel(QObject *parent) : QAbstractListModel(parent) {}

void CompareModel::setSides(std::shared_ptr<const ComparedSides> sides)
{
    m_sides = std::move(sides);
    rebuild();
}

void CompareModel::setFilter(const QString &text)
{
    m_words = text.toLower().split(u' ', Qt::SkipEmptyParts);
    rebuild();
}

void CompareModel::setBreakingOnly(bool only)
{
    m_breakingOnly = only;
    rebuild();
}

void CompareModel::toggle(const QModelIndex &heading)
{
    if (!heading.isValid() || entry(heading))
        return;
    const int group = m_rows[heading.row()].group;
    if (!m_collapsed.remove(group))
        m_collapsed.insert(group);
    rebuild();
}

bool CompareModel::isShown(const CompareEntry &entry) const
{
    if (m_breakingOnly && entry.impact != Impact::Breaking)
        return false;
    return std::all_of(m_words.begin(), m_words.end(),
                       [&entry](const QString &word) { return entry.search.contains(word); });
}

void CompareModel::rebuild()
{
    beginResetModel();
    m_rows.clear();
    m_shown = 0;
    qsizetype heading = -1;
    for (qsizetype i = 0; m_sides && i < m_sides->entries.size(); ++i) {
        const CompareEntry &each = m_sides->entries[i];
        if (!isShown(each))
            continue;
        const int group = groupOf(each);
        if (heading < 0 || m_rows[heading].group != group) {
            heading = m_rows.size();
            m_rows.append({-1, group, 0});
        }
        ++m_rows[heading].count;
        ++m_shown;
        // Matches of the filter are never hidden in a collapsed group.
        if (!m_collapsed.contains(group) || !m_words.isEmpty())
            m_rows.append({i, group, 0});
    }
    endResetModel();
}

const CompareEntry *CompareModel::entry(const QModelIndex &index) const
{
    if (!index.isValid() || index.row() >= m_rows.size() || m_rows[index.row()].entry < 0)
        return nullptr;
    return &m_sides->entries[m_rows[index.row()].entry];
}

QModelIndex CompareModel::indexOf(const CompareEntry &wanted) const
{
    for (qsizetype row = 0; row < m_rows.size(); ++row) {
        const CompareEntry *each = entry(index(int(row)));
        if (each && groupOf(*each) == groupOf(wanted) && each->key == wanted.key)
            return index(int(row));
    }
    return {};
}

QModelIndex CompareModel::firstEntry() const
{
    QModelIndex first;
    for (qsizetype row = 0; row < m_rows.size(); ++row) {
        const CompareEntry *each = entry(index(int(row)));
        if (each && each->impact == Impact::Breaking)
            return index(int(row));
        if (each && !first.isValid())
            first = index(int(row));
    }
    return first;
}

int CompareModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant CompareModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Row &row = m_rows[index.row()];
    const CompareEntry *each = entry(index);
    if (!each) {
        const QString title =
            row.group == NotComparedGroup ? tr("Not compared") : partTitle(SnapshotChange::Part(row.group));
        const bool isCollapsed = m_collapsed.contains(row.group) && m_words.isEmpty();
        switch (role) {
            case Qt::DisplayRole:
                return title;
            case Qt::AccessibleTextRole:
                return tr("%1, %2").arg(title, counted(row.count, tr("1 difference"), tr("%1 differences")));
            case HeadingRole:
                return true;
            case NoteRole:
                return grouped(row.count);
            case CollapsedRole:
                return isCollapsed;
            default:
                return {};
        }
    }
    switch (role) {
        case Qt::DisplayRole:
            return each->name;
        case Qt::ToolTipRole:
            return plainToolTip(each->name + (each->changes.isEmpty() ? QString() : u'\n' + wordsOf(*each, 12)));
        case Qt::AccessibleTextRole:
            return QStringList{each->name, wordsOf(*each, MaxWords), impactText(*each)}.join(u", "_s);
        case HeadingRole:
            return false;
        case NoteRole:
            return wordsOf(*each, MaxWords);
        case BadgeTextRole:
            return impactText(*each);
        case BadgeToneRole:
            return QVariant::fromValue(impactTone(*each));
        default:
            return {};
    }
}

Qt::ItemFlags CompareModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

}  // namespace sonde::ui
