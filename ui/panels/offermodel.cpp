// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/offermodel.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

#include <algorithm>

namespace sonde::ui {

namespace {

constexpr quintptr GroupId = 0;  // internal id of a group; entries carry their group's row + 1

QString toolTipFor(const sonde::Entry &entry, const QString &address)
{
    QStringList lines{visibleLine(entry.title.isEmpty() ? entry.name : entry.title)};
    if (!address.isEmpty() && address != entry.name)
        lines << visibleLine(address);
    if (!entry.description.isEmpty())
        lines << visibleText(entry.description, {.keepNewlines = true, .maxLength = 600});
    for (const QString &finding : entry.findings)
        lines << sign(Tone::Finding) + u' ' + visibleLine(finding);
    return lines.join(u'\n');
}

}  // namespace

QList<OfferBadge> badgesOf(const Tool &tool)
{
    const ToolAnnotations &hints = tool.annotations;
    QList<OfferBadge> badges;
    if (hints.readOnly.value_or(false)) {
        badges.append({OfferModel::tr("read"), Tone::Ok});
    } else if (hints.destructive.value_or(false)) {
        badges.append({OfferModel::tr("may destroy"), Tone::ProtocolError});
    } else if (hints.readOnly.has_value() || hints.destructive.has_value()) {
        badges.append(
            {hints.destructive.has_value() ? OfferModel::tr("writes") : OfferModel::tr("may write"), Tone::ToolError});
    }
    if (tool.taskSupport == u"required" || tool.taskSupport == u"optional")
        badges.append({OfferModel::tr("task"), Tone::Accent});
    if (hints.idempotent.value_or(false) && !hints.readOnly.value_or(false))
        badges.append({OfferModel::tr("idempotent"), Tone::Neutral});
    if (hints.openWorld.value_or(false))
        badges.append({OfferModel::tr("open world"), Tone::Neutral});
    return badges;
}

OfferModel::OfferModel(QObject *parent) : QAbstractItemModel(parent) {}

void OfferModel::setCatalog(Catalog *catalog)
{
    if (m_catalog)
        m_catalog->disconnect(this);
    beginResetModel();
    m_catalog = catalog;
    m_groups.clear();
    for (const auto list :
         {Catalog::List::Tools, Catalog::List::Resources, Catalog::List::ResourceTemplates, Catalog::List::Prompts})
        m_groups.append(build(list));
    endResetModel();
    if (catalog)
        connect(catalog, &Catalog::changed, this, &OfferModel::rebuild);
}

OfferModel::Group OfferModel::build(Catalog::List list) const
{
    Group group;
    group.list = list;
    switch (list) {
        case Catalog::List::Tools:
            group.title = tr("Tools");
            break;
        case Catalog::List::Resources:
            group.title = tr("Resources");
            break;
        case Catalog::List::ResourceTemplates:
            group.title = tr("Templates");
            break;
        case Catalog::List::Prompts:
            group.title = tr("Prompts");
            break;
    }
    if (!m_catalog)
        return group;

    const auto add = [&group](const sonde::Entry &entry, OfferRef ref, const QString &note, OfferBadge badge) {
        Entry row;
        row.text = visibleLine(entry.name.isEmpty() ? ref.key : entry.name);
        row.toolTip = toolTipFor(entry, ref.key);
        row.search = entry.name + u'\n' + entry.title + u'\n' + entry.description + u'\n' + ref.key;
        row.badge = !entry.findings.isEmpty() && badge.text.isEmpty() ? OfferBadge{sign(Tone::Finding), Tone::Finding}
                                                                      : std::move(badge);
        row.note = visibleLine(note, 60);
        row.ref = std::move(ref);
        group.entries.append(std::move(row));
    };
    switch (list) {
        case Catalog::List::Tools:
            for (const Tool &tool : m_catalog->tools()) {
                const QList<OfferBadge> badges = badgesOf(tool);
                add(tool, {OfferRef::Kind::Tool, tool.name}, {}, badges.value(0));
            }
            break;
        case Catalog::List::Resources:
            for (const Resource &resource : m_catalog->resources())
                add(resource, {OfferRef::Kind::Resource, resource.uri}, resource.mimeType, {});
            break;
        case Catalog::List::ResourceTemplates:
            for (const ResourceTemplate &entry : m_catalog->resourceTemplates())
                add(entry, {OfferRef::Kind::Template, entry.uriTemplate}, entry.mimeType, {});
            break;
        case Catalog::List::Prompts:
            for (const Prompt &prompt : m_catalog->prompts())
                add(prompt, {OfferRef::Kind::Prompt, prompt.name}, {}, {});
            break;
    }

    const Catalog::Status &status = m_catalog->status(list);
    switch (status.state) {
        case Catalog::State::NotOffered:
            group.note = tr("not offered");
            break;
        case Catalog::State::Loading:
            group.note = tr("loading…");
            break;
        case Catalog::State::Failed:
            group.note = tr("failed");
            group.noteTone = Tone::ProtocolError;
            group.toolTip = visibleLine(status.error.message);
            break;
        case Catalog::State::Ready:
            group.note = QString::number(group.entries.size());
            break;
    }
    if (!status.findings.isEmpty() && status.state == Catalog::State::Ready) {
        group.note += u' ' + sign(Tone::Finding);
        group.noteTone = Tone::Finding;
        group.toolTip = visibleText(status.findings.join(u'\n'));
    }
    group.visible = status.state != Catalog::State::NotOffered || !group.entries.isEmpty();
    return group;
}

void OfferModel::rebuild(Catalog::List list)
{
    for (int row = 0; row < m_groups.size(); ++row) {
        if (m_groups[row].list != list)
            continue;
        Group fresh = build(list);
        const QModelIndex group = index(row, 0);
        if (!m_groups[row].entries.isEmpty()) {
            beginRemoveRows(group, 0, int(m_groups[row].entries.size()) - 1);
            m_groups[row].entries.clear();
            endRemoveRows();
        }
        QList<Entry> entries = std::exchange(fresh.entries, {});
        m_groups[row] = std::move(fresh);
        if (!entries.isEmpty()) {
            beginInsertRows(group, 0, int(entries.size()) - 1);
            m_groups[row].entries = std::move(entries);
            endInsertRows();
        }
        Q_EMIT dataChanged(group, group);
    }
}

QModelIndex OfferModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : GroupId);
}

QModelIndex OfferModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == GroupId)
        return {};
    return createIndex(int(child.internalId()) - 1, 0, GroupId);
}

int OfferModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_groups.size());
    return parent.internalId() == GroupId ? int(m_groups[parent.row()].entries.size()) : 0;
}

int OfferModel::columnCount(const QModelIndex &) const
{
    return 1;
}

QVariant OfferModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (index.internalId() == GroupId) {
        const Group &group = m_groups[index.row()];
        switch (role) {
            case Qt::DisplayRole:
                return group.title;
            case Qt::AccessibleTextRole:
                return tr("%1, %2").arg(group.title, group.note);
            case Qt::ToolTipRole:
                return plainToolTip(group.toolTip);
            case NoteRole:
                return group.note;
            case NoteToneRole:
                return QVariant::fromValue(group.noteTone);
            case SearchRole:
                return group.visible;
            default:
                return {};
        }
    }
    const Entry &entry = m_groups[int(index.internalId()) - 1].entries[index.row()];
    switch (role) {
        case Qt::DisplayRole:
            return entry.text;
        case Qt::AccessibleTextRole:
            return entry.badge.text.isEmpty() ? entry.text : tr("%1, %2").arg(entry.text, entry.badge.text);
        case Qt::ToolTipRole:
            return plainToolTip(entry.toolTip);
        case RefRole:
            return QVariant::fromValue(entry.ref);
        case BadgeTextRole:
            return entry.badge.text;
        case BadgeToneRole:
            return QVariant::fromValue(entry.badge.tone);
        case NoteRole:
            return entry.note;
        case SearchRole:
            return entry.search;
        default:
            return {};
    }
}

Qt::ItemFlags OfferModel::flags(const QModelIndex &index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

int OfferModel::entryCount() const
{
    int count = 0;
    for (const Group &group : m_groups)
        count += int(group.entries.size());
    return count;
}

QString OfferModel::summary() const
{
    QStringList parts;
    for (const Group &group : m_groups) {
        const int count = int(group.entries.size());
        if (count == 0)
            continue;
        switch (group.list) {
            case Catalog::List::Tools:
                parts << counted(count, tr("1 tool"), tr("%1 tools"));
                break;
            case Catalog::List::Resources:
                parts << counted(count, tr("1 resource"), tr("%1 resources"));
                break;
            case Catalog::List::ResourceTemplates:
                parts << counted(count, tr("1 template"), tr("%1 templates"));
                break;
            case Catalog::List::Prompts:
                parts << counted(count, tr("1 prompt"), tr("%1 prompts"));
                break;
        }
    }
    return parts.join(u", ");
}

void OfferFilter::setWords(const QString &text)
{
    m_words = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool OfferFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    if (!parent.isValid()) {
        if (!index.data(OfferModel::SearchRole).toBool())
            return false;
        if (m_words.isEmpty())
            return true;
        for (int child = 0; child < sourceModel()->rowCount(index); ++child) {
            if (filterAcceptsRow(child, index))
                return true;
        }
        return false;
    }
    const QString text = index.data(OfferModel::SearchRole).toString();
    return std::all_of(m_words.begin(), m_words.end(),
                       [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace sonde::ui
