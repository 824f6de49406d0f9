// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/offermodel.h"

#include "core/connection/toolmemory.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/panels/offericons.h"
#include "ui/theme/widgets.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxLookedForIcons = 200;   // entries
constexpr qsizetype MaxNamedGroups = 2;  // as many as the line above the list has room for
constexpr quintptr GroupId = 0;          // internal id of a group; entries carry their group's row + 1

QString toolTipFor(const Entry &entry, const QString &address, const QList<OfferBadge> &badges, const QString &problem)
{
    QStringList lines{visibleLine(entry.title.isEmpty() ? entry.name : entry.title)};
    if (!address.isEmpty() && address != entry.name)
        lines << visibleLine(address);
    QStringList words;
    for (const OfferBadge &badge : badges)
        words << badge.text;
    if (!words.isEmpty())
        lines << words.join(u" · "_s);
    if (!problem.isEmpty())
        lines << OfferModel::tr("Not callable over HTTP: %1").arg(visibleLine(problem));
    if (!entry.description.isEmpty())
        lines << visibleText(entry.description, {.keepNewlines = true, .maxLength = 600});
    for (const QString &finding : entry.findings)
        lines << sign(Tone::Finding) + u' ' + visibleLine(finding);
    return lines.join(u'\n');
}

QString savedCallToolTip(const Entry &entry, const OfferRef &ref, const QString &problem)
{
    QStringList lines{visibleLine(entry.name)};
    if (!ref.key.isEmpty())
        lines << OfferModel::tr("Calls %1").arg(visibleLine(ref.key, 200));
    if (!problem.isEmpty())
        lines << visibleLine(problem);
    lines << visibleLine(ref.savedCall);
    return lines.join(u'\n');
}

constexpr auto EmptyId = "empty"_L1;  // of the row that says so

// Short, because the side bar is narrow; the tool tip has the whole sentence.
QString noEntries(Catalog::List list)
{
    switch (list) {
        case Catalog::List::Tools:
            return OfferModel::tr("No tools");
        case Catalog::List::Resources:
            return OfferModel::tr("No resources");
        case Catalog::List::ResourceTemplates:
            return OfferModel::tr("No templates");
        case Catalog::List::Prompts:
            return OfferModel::tr("No prompts");
    }
    return {};
}

QString nothingListed(Catalog::List list)
{
    switch (list) {
        case Catalog::List::Tools:
            return OfferModel::tr("The server lists no tools");
        case Catalog::List::Resources:
            return OfferModel::tr("The server lists no resources");
        case Catalog::List::ResourceTemplates:
            return OfferModel::tr("The server lists no templates");
        case Catalog::List::Prompts:
            return OfferModel::tr("The server lists no prompts");
    }
    return {};
}

}  // namespace

QString kindName(ResourceKind kind)
{
    switch (kind) {
        case ResourceKind::App:
            return OfferModel::tr("MCP App");
        case ResourceKind::Skill:
            return OfferModel::tr("skill");
        case ResourceKind::Plain:
            break;
    }
    return {};
}

QList<OfferBadge> badgesOf(const Tool &tool)
{
    const ToolAnnotations &hints = tool.annotations;
    QList<OfferBadge> badges;
    switch (riskOf(hints)) {
        case ToolRisk::ReadOnly:
            badges.append({OfferModel::tr("read-only"), Tone::Ok, u"eye"_s});
            break;
        case ToolRisk::Writes:
            badges.append({OfferModel::tr("writes"), Tone::ToolError, u"edit"_s});
            break;
        case ToolRisk::Unmarked:  // last: the tree shows the first one
            break;
        case ToolRisk::MayDestroy:
            badges.append({OfferModel::tr("destructive"), Tone::ProtocolError, u"trash"_s});
            break;
    }
    if (tool.taskSupport == u"required" || tool.taskSupport == u"optional")
        badges.append({OfferModel::tr("task"), Tone::Accent});
    if (hints.idempotent.value_or(false) && !hints.readOnly.value_or(false))
        badges.append({OfferModel::tr("idempotent"), Tone::Neutral});
    if (hints.openWorld.value_or(false))
        badges.append({OfferModel::tr("open world"), Tone::Neutral});
    if (!appUriOf(tool).isEmpty())
        badges.append({OfferModel::tr("MCP App"), Tone::Neutral});
    if (riskOf(hints) == ToolRisk::Unmarked)
        badges.append({OfferModel::tr("may write"), Tone::Neutral, u"unmarked"_s});
    return badges;
}

int OfferModel::Group::size() const
{
    return std::visit([](const auto &all) { return int(all.size()); }, entries);
}

const Entry &OfferModel::Group::entry(int row) const
{
    return std::visit([row](const auto &all) -> const Entry & { return all.at(row); }, entries);
}

OfferRef OfferModel::Group::ref(int row) const
{
    if (const auto *resources = std::get_if<QList<Resource>>(&entries))
        return {OfferRef::Kind::Resource, resources->at(row).uri, {}, numbers.value(row)};
    if (const auto *templates = std::get_if<QList<ResourceTemplate>>(&entries))
        return {OfferRef::Kind::Template, templates->at(row).uriTemplate, {}, numbers.value(row)};
    if (const auto *calls = std::get_if<QList<OfferedCall>>(&entries))
        return {OfferRef::Kind::Tool, calls->at(row).tool, calls->at(row).path};
    const bool isTool = std::holds_alternative<QList<Tool>>(entries);
    return {isTool ? OfferRef::Kind::Tool : OfferRef::Kind::Prompt, entry(row).name, {}, numbers.value(row)};
}

void OfferModel::Group::numberDuplicates()
{
    QHash<QString, int> counts;
    for (int row = 0; row < size(); ++row) {
        if (const int before = counts[ref(row).key]++; before > 0)
            numbers.insert(row, before);
    }
}

QString OfferModel::Group::note(int row) const
{
    if (const auto *resources = std::get_if<QList<Resource>>(&entries)) {
        const Resource &resource = resources->at(row);
        const QString kind = kindName(resourceKindOf(resource.uri));
        return kind.isEmpty() ? visibleLine(resource.mimeType, 60) : kind;
    }
    if (const auto *templates = std::get_if<QList<ResourceTemplate>>(&entries))
        return visibleLine(templates->at(row).mimeType, 60);
    if (const auto *calls = std::get_if<QList<OfferedCall>>(&entries))
        return calls->at(row).name == calls->at(row).tool ? QString() : visibleLine(calls->at(row).tool, 60);
    return {};
}

QString OfferModel::Group::problem(int row) const
{
    const auto *calls = std::get_if<QList<OfferedCall>>(&entries);
    return calls ? calls->at(row).problem : QString();
}

void OfferModel::Group::lookForIcons(const QString &server)
{
    icons.clear();
    hasIcons = false;
    for (int row = 0; row < qMin(size(), MaxLookedForIcons) && !hasIcons; ++row)
        hasIcons = OfferIcons::shared()->isShown(entry(row).value[u"icons"], server);
}

OfferModel::OfferModel(QObject *parent) : QAbstractItemModel(parent)
{
    connect(OfferIcons::shared(), &OfferIcons::changed, this, &OfferModel::refreshIcons);
}

void OfferModel::refreshIcons()
{
    for (Group &group : m_groups)
        group.lookForIcons(m_server);
    Q_EMIT iconsChanged();
}

void OfferModel::setCatalog(Catalog *catalog, const QString &server)
{
    m_server = server;
    if (m_catalog)
        m_catalog->disconnect(this);
    beginResetModel();
    m_catalog = catalog;
    m_groups.clear();
    for (const auto list :
         {Catalog::List::Tools, Catalog::List::Resources, Catalog::List::ResourceTemplates, Catalog::List::Prompts})
        m_groups.append(build(list));
    if (m_savedCalls)
        m_groups.append(buildSavedCalls());
    endResetModel();
    if (catalog)
        connect(catalog, &Catalog::changed, this, &OfferModel::rebuild);
}

void OfferModel::setSavedCalls(const QList<OfferedCall> &calls, const QList<OfferAction> &actions,
                               const QString &toolTip)
{
    const bool isNew = !m_savedCalls;
    m_savedCalls = std::make_unique<Group>();
    m_savedCalls->title = tr("Saved calls");
    m_savedCalls->entries = calls;
    m_savedCalls->actions = actions;
    m_savedCalls->toolTip = toolTip;
    if (m_groups.isEmpty())  // there never was a catalog
        return;
    if (!isNew)
        return replace(int(m_groups.size()) - 1, buildSavedCalls());
    beginInsertRows({}, int(m_groups.size()), int(m_groups.size()));
    m_groups.append(buildSavedCalls());
    endInsertRows();
}

bool OfferModel::hasTools() const
{
    return m_catalog && (m_catalog->status(Catalog::List::Tools).state != Catalog::State::NotOffered ||
                         !m_catalog->tools().isEmpty());
}

OfferModel::Group OfferModel::buildSavedCalls() const
{
    Group group = *m_savedCalls;
    group.visible = hasTools();
    group.isOffered = m_catalog && m_catalog->status(Catalog::List::Tools).state != Catalog::State::NotOffered;
    group.rows = group.visible ? group.size() + int(group.actions.size()) : 0;
    if (group.size() > 0)
        group.ownNote = grouped(group.size());
    return group;
}

void OfferModel::setCallableCheck(std::function<QString(const Tool &)> whyNotCallable)
{
    m_whyNotCallable = std::move(whyNotCallable);
}

QString OfferModel::problemOf(const Group &group, int row) const
{
    const auto *tools = std::get_if<QList<Tool>>(&group.entries);
    return tools && m_whyNotCallable && group.isOffered ? m_whyNotCallable(tools->at(row)) : QString();
}

OfferBadge OfferModel::badgeOf(const Group &group, int row) const
{
    if (group.list == Catalog::List::Resources && m_live.contains(group.ref(row).key))
        return {tr("live"), Tone::Accent};
    OfferBadge badge;
    if (const auto *tools = std::get_if<QList<Tool>>(&group.entries)) {
        if (m_isChanged && m_isChanged(tools->at(row).name))
            return {tr("changed"), Tone::Finding};
        badge = badgesOf(tools->at(row)).value(0);
    }
    if (badge.text.isEmpty() && !group.entry(row).findings.isEmpty())
        badge = {sign(Tone::Finding), Tone::Finding};
    return badge;
}

void OfferModel::setLive(const QStringList &uris)
{
    if (uris == m_live)
        return;
    m_live = uris;
    repaintGroup(Catalog::List::Resources);
}

void OfferModel::setChangedTools(const std::function<bool(const QString &)> &isChanged)
{
    m_isChanged = isChanged;
    repaintGroup(Catalog::List::Tools);
}

void OfferModel::repaintGroup(Catalog::List list)
{
    for (int row = 0; row < m_groups.size(); ++row) {
        const QModelIndex group = index(row, 0);
        if (m_groups[row].list == list && m_groups[row].rows > 0)
            Q_EMIT dataChanged(index(0, 0, group), index(m_groups[row].rows - 1, 0, group));
    }
}

OfferModel::Group OfferModel::build(Catalog::List list) const
{
    Group group;
    group.list = list;
    switch (list) {
        case Catalog::List::Tools:
            group.title = tr("Tools");
            if (m_catalog)
                group.entries = m_catalog->tools();
            break;
        case Catalog::List::Resources:
            group.title = tr("Resources");
            if (m_catalog)
                group.entries = m_catalog->resources();
            break;
        case Catalog::List::ResourceTemplates:
            group.title = tr("Templates");
            if (m_catalog)
                group.entries = m_catalog->resourceTemplates();
            break;
        case Catalog::List::Prompts:
            group.title = tr("Prompts");
            if (m_catalog)
                group.entries = m_catalog->prompts();
            break;
    }
    if (!m_catalog)
        return group;
    const Catalog::Status &status = m_catalog->status(list);
    switch (status.state) {
        case Catalog::State::NotOffered:
            group.ownNote = group.size() > 0 ? tr("not connected") : tr("not offered");
            break;
        case Catalog::State::Loading:
            group.ownNote = tr("loading…");
            break;
        case Catalog::State::Failed:
            group.ownNote = tr("failed");
            group.noteTone = Tone::ProtocolError;
            group.toolTip = visibleLine((status.error.message + u' ' + status.error.hint).trimmed());
            break;
        case Catalog::State::Ready:
            group.ownNote = status.hasMore ? tr("%1 loaded").arg(grouped(group.size())) : grouped(group.size());
            break;
    }
    group.hasMore = status.hasMore;
    group.isLoading = status.state == Catalog::State::Loading;
    if (group.hasMore)
        group.actions = {{{}, tr("Load next page"), tr("more on server"), {}, true},
                         {{}, tr("Load all"), {}, {}, true}};
    else if (status.state == Catalog::State::Ready && group.size() == 0)
        group.actions = {{EmptyId, noEntries(list), {}, nothingListed(list), false}};
    group.rows = group.size() + int(group.actions.size());
    if (!status.findings.isEmpty() && status.state == Catalog::State::Ready) {
        group.ownNote += u' ' + sign(Tone::Finding);
        group.noteTone = Tone::Finding;
        group.toolTip = visibleText(status.findings.join(u'\n'));
    }
    if (!status.findings.isEmpty())
        group.numberDuplicates();
    group.lookForIcons(m_server);
    group.isOffered = status.state != Catalog::State::NotOffered;
    group.visible = group.isOffered || group.size() > 0;
    return group;
}

// From the first one on.
int OfferModel::rowsInCommon(const Group &before, const Group &after)
{
    const int entries = std::min(before.size(), after.size());
    int row = 0;
    while (row < entries && before.entry(row).value.isSameNode(after.entry(row).value))
        ++row;
    const bool areAllSame =
        row == before.size() && row == after.size() && before.rows == after.rows && before.actions == after.actions;
    return areAllSame ? after.rows : row;
}

void OfferModel::loadMore(const QModelIndex &action)
{
    if (!m_catalog || !action.data(IsActionRole).toBool() || !action.flags().testFlag(Qt::ItemIsEnabled))
        return;
    const Group &group = m_groups[int(action.internalId()) - 1];
    if (!group.list)
        return;
    m_catalog->loadMore(*group.list,
                        action.row() == group.size() ? Catalog::Extent::NextPage : Catalog::Extent::AllPages);
}

void OfferModel::rebuild(Catalog::List list)
{
    for (int row = 0; row < m_groups.size(); ++row) {
        if (m_groups[row].list == list)
            replace(row, build(list));
        else if (!m_groups[row].list && list == Catalog::List::Tools)
            replace(row, buildSavedCalls());
    }
}

// Rows that stay keep their place on the screen, as when further pages are loaded.
void OfferModel::replace(int row, Group fresh)
{
    const QModelIndex group = index(row, 0);
    const int kept = rowsInCommon(m_groups[row], fresh);
    if (const int before = m_groups[row].rows; before > kept) {
        beginRemoveRows(group, kept, before - 1);
        m_groups[row].rows = kept;
        endRemoveRows();
    }
    const int rows = std::exchange(fresh.rows, kept);
    m_groups[row] = std::move(fresh);
    if (kept > 0)
        Q_EMIT dataChanged(index(0, 0, group), index(kept - 1, 0, group));
    if (rows > kept) {
        beginInsertRows(group, kept, rows - 1);
        m_groups[row].rows = rows;
        endInsertRows();
    }
    Q_EMIT dataChanged(group, group);
}

QModelIndex OfferModel::indexOf(const OfferRef &ref) const
{
    for (int group = 0; group < m_groups.size(); ++group) {
        const int entries = std::min(m_groups[group].size(), m_groups[group].rows);
        for (int row = 0; row < entries; ++row) {
            if (m_groups[group].ref(row) == ref)
                return index(row, 0, index(group, 0));
        }
    }
    return {};
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
    return parent.internalId() == GroupId ? m_groups[parent.row()].rows : 0;
}

int OfferModel::columnCount(const QModelIndex &) const
{
    return 1;
}

QVariant OfferModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (index.internalId() == GroupId)
        return dataOf(m_groups[index.row()], role);
    const Group &group = m_groups[int(index.internalId()) - 1];
    if (index.row() >= group.size())
        return dataOfAction(group, index.row() - group.size(), role);
    return dataOf(group, index.row(), role);
}

QVariant OfferModel::dataOf(const Group &group, int role)
{
    switch (role) {
        case Qt::DisplayRole:
            return group.title;
        case Qt::AccessibleTextRole:
            return tr("%1, %2").arg(group.title, group.ownNote);
        case Qt::ToolTipRole:
            return plainToolTip(group.toolTip);
        case NoteRole:
            return group.ownNote;
        case NoteToneRole:
            return QVariant::fromValue(group.noteTone);
        case VisibleRole:
            return group.visible;
        case OfferedRole:
            return group.isOffered;
        default:
            return {};
    }
}

QVariant OfferModel::dataOfAction(const Group &group, int action, int role)
{
    const OfferAction &shown = group.actions[action];
    switch (role) {
        case Qt::DisplayRole:
            return shown.text;
        case Qt::AccessibleTextRole:
            return group.list && group.hasMore
                       ? tr("%1: %2, %3 loaded, more on the server").arg(shown.text, group.title, grouped(group.size()))
                       : tr("%1: %2").arg(group.title, shown.text);
        case Qt::ToolTipRole:
            return plainToolTip(shown.toolTip);
        case NoteRole:
            return shown.note;
        case IsActionRole:
            return true;
        case ActionIdRole:
            return shown.id.isEmpty() ? QVariant() : shown.id;
        case OfferedRole:
            return !group.isLoading && shown.isEnabled;
        case HasIconsRole:
            return false;
        default:
            return {};
    }
}

QVariant OfferModel::dataOf(const Group &group, int row, int role) const
{
    const Entry &entry = group.entry(row);
    const auto badges = [&] {
        const auto *tools = std::get_if<QList<Tool>>(&group.entries);
        return tools ? badgesOf(tools->at(row)) : QList<OfferBadge>();
    };
    const auto text = [&] {
        const QString name = visibleLine(entry.name.isEmpty() ? group.ref(row).key : entry.name);
        return name.trimmed().isEmpty() ? tr("(no name)") : name;
    };
    switch (role) {
        case Qt::DisplayRole:
            return text();
        case Qt::AccessibleTextRole: {
            if (!problemOf(group, row).isEmpty())
                return tr("%1, not callable").arg(text());
            if (!group.problem(row).isEmpty())
                return tr("%1: %2").arg(text(), visibleLine(group.problem(row)));
            const QString badge = group.isOffered ? badgeOf(group, row).text : tr("not connected");
            return badge.isEmpty() ? text() : tr("%1, %2").arg(text(), badge);
        }
        case Qt::ToolTipRole:
            if (!group.list)
                return plainToolTip(savedCallToolTip(entry, group.ref(row), group.problem(row)));
            return plainToolTip(toolTipFor(entry, group.ref(row).key, badges(), problemOf(group, row)));
        case Qt::DecorationRole: {
            const auto known = group.icons.constFind(row);
            if (known != group.icons.cend())
                return *known;
            return *group.icons.insert(row, OfferIcons::shared()->pixmap(entry.value[u"icons"], m_server));
        }
        case HasIconsRole:
            return group.hasIcons;
        case RefRole:
            return QVariant::fromValue(group.ref(row));
        case BadgeTextRole:
            return badgeOf(group, row).text;
        case BadgeIconRole:
            return badgeOf(group, row).icon;
        case BadgeToneRole:
            return QVariant::fromValue(badgeOf(group, row).tone);
        case OfferedRole:
            return group.isOffered && group.problem(row).isEmpty();
        case RefusalRole:
            return group.problem(row);
        case NoteRole:
            return group.note(row);
        case ProblemRole:
            return problemOf(group, row);
        default:
            return {};
    }
}

bool OfferModel::holds(const QModelIndex &index, const QStringList &words) const
{
    const Group &group = m_groups[int(index.internalId()) - 1];
    if (index.row() >= group.size())
        return group.hasMore;  // what is not loaded may match
    const Entry &entry = group.entry(index.row());
    const QString key = group.ref(index.row()).key;
    return std::all_of(words.begin(), words.end(), [&](const QString &word) {
        const auto isIn = [&word](const QString &text) { return text.contains(word, Qt::CaseInsensitive); };
        return isIn(entry.name) || isIn(entry.title) || isIn(entry.description) || isIn(key);
    });
}

Qt::ItemFlags OfferModel::flags(const QModelIndex &index) const
{
    if (!index.isValid() || (index.data(IsActionRole).toBool() && !index.data(OfferedRole).toBool()))
        return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

QString OfferModel::summary() const
{
    QStringList parts;
    for (const Group &group : m_groups) {
        const int count = group.size();
        if (count == 0)
            continue;
        if (!group.list) {
            parts << counted(count, tr("1 saved call"), tr("%1 saved calls"));
            continue;
        }
        switch (*group.list) {
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
    return parts.first(qMin(parts.size(), MaxNamedGroups)).join(u", ");
}

void OfferFilter::setWords(const QString &text)
{
    m_words = text.split(u' ', Qt::SkipEmptyParts);
    invalidate();  // one change of the layout, where invalidateFilter() would take rows out run by run
}

OfferFilter::Counts OfferFilter::counts() const
{
    const auto entriesIn = [](const QAbstractItemModel *model) {
        int count = 0;
        for (int group = 0; group < model->rowCount(); ++group) {
            const QModelIndex parent = model->index(group, 0);
            int rows = model->rowCount(parent);
            while (rows > 0 && model->index(rows - 1, 0, parent).data(OfferModel::IsActionRole).toBool())
                --rows;
            count += rows;
        }
        return count;
    };
    return {entriesIn(this), entriesIn(sourceModel())};
}

bool OfferFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    if (!parent.isValid()) {
        if (!index.data(OfferModel::VisibleRole).toBool())
            return false;
        if (m_words.isEmpty())
            return true;
        for (int child = 0; child < sourceModel()->rowCount(index); ++child) {
            if (filterAcceptsRow(child, index))
                return true;
        }
        return false;
    }
    return m_words.isEmpty() || static_cast<const OfferModel *>(sourceModel())->holds(index, m_words);
}

}  // namespace sonde::ui
