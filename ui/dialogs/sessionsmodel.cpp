// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/sessionsmodel.h"

#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/result/summarytext.h"
#include "ui/theme/widgets.h"

#include <QFileInfo>
#include <QSet>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxSessionText = 300;  // characters of a cell

QString failuresText(const SessionSummary &summary)
{
    QStringList parts;
    const auto add = [&parts](RowOutcome outcome, qint64 count) {
        if (count > 0)
            parts << sign(toneOf(outcome)) + u' ' + grouped(count);
    };
    add(RowOutcome::ToolError, summary.toolErrors);
    add(RowOutcome::ProtocolError, summary.protocolErrors);
    add(RowOutcome::NoResponse, summary.unanswered);
    return parts.isEmpty() ? u"0"_s : parts.join(u"  "_s);
}

bool isOfSummary(int column)
{
    return column >= SessionsModel::Duration && column <= SessionsModel::Findings;
}

}  // namespace

SessionsModel::SessionsModel(const SessionLibrary &library, std::shared_ptr<SessionNotes> notes, QObject *parent)
    : QAbstractTableModel(parent), m_library(library), m_notes(std::move(notes)), m_summaries(library.folder())
{
    connect(&m_summaries, &SummaryStore::found, this, [this](const QString &path) {
        if (const int row = m_rowOf.value(path, -1); row >= 0)
            Q_EMIT dataChanged(index(row, Duration), index(row, State));
    });
    refresh();
}

void SessionsModel::refresh()
{
    beginResetModel();
    m_entries = m_library.entries();
    m_noteOf = m_notes->all();
    m_rowOf.clear();
    for (int row = 0; row < int(m_entries.size()); ++row)
        m_rowOf.insert(m_entries[row].path, row);
    endResetModel();
    m_summaries.read(m_entries);
}

bool SessionsModel::setNote(int row, const SessionNote &note)
{
    if (note == noteAt(row))
        return true;
    const QString id = m_entries[row].id;
    if (const Error error = m_notes->set(id, note, noteAt(row))) {
        Q_EMIT notSaved(error);
        return false;
    }
    m_noteOf.insert(id, m_notes->noteOf(id));
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    return true;
}

void SessionsModel::forget(const QStringList &ids)
{
    QSet<QString> gone;
    for (const QString &id : ids) {
        if (m_noteOf.contains(id))
            gone.insert(id);
    }
    for (const SessionEntry &entry : std::as_const(m_entries))
        gone.remove(entry.id);
    if (gone.isEmpty())
        return;
    if (const Error error = m_notes->remove(gone)) {
        Q_EMIT notSaved(error);
        return;
    }
    for (const QString &id : std::as_const(gone))
        m_noteOf.remove(id);
}

QString SessionsModel::idOf(const QString &path) const
{
    const int row = m_rowOf.value(path, -1);
    return row < 0 ? QString() : m_entries[row].id;
}

QString SessionsModel::titleOf(const QString &path) const
{
    const int row = m_rowOf.value(path, -1);
    if (row < 0)
        return QFileInfo(path).fileName();
    return noteAt(row).name.isEmpty() ? textOf(row, Server) : noteAt(row).name;
}

int SessionsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_entries.size());
}

int SessionsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant SessionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section >= Duration && section <= Size)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
        case Date:
            return tr("Date");
        case Server:
            return tr("Server");
        case Name:
            return tr("Name and notes");
        case Duration:
            return tr("Duration");
        case Calls:
            return tr("Calls");
        case Failures:
            return tr("Failures");
        case Findings:
            return tr("Findings");
        case Size:
            return tr("Size");
        case State:
            return tr("State");
        default:
            return {};
    }
}

QString SessionsModel::textOf(int row, int column) const
{
    const SessionEntry &entry = m_entries[row];
    if (isOfSummary(column)) {
        const std::optional<SessionSummary> summary = m_summaries.summaryOf(entry);
        if (!summary)
            return entry.problem.isEmpty() ? u"…"_s : QString();
        switch (column) {
            case Duration:
                return lengthText(summary->durationNs);
            case Calls:
                return grouped(summary->calls);
            case Failures:
                return failuresText(*summary);
            default:
                return grouped(summary->findings);
        }
    }
    const SessionNote note = noteAt(row);
    switch (column) {
        case Date:
            return dateTimeText(entry.createdAt);
        case Server:
            // A file without a server name is listed by its file name.
            return visibleLine(entry.serverName.isEmpty() ? QFileInfo(entry.path).fileName() : entry.serverName,
                               MaxSessionText);
        case Name: {
            QStringList parts{note.name, note.text.section(u'\n', 0, 0)};
            parts.removeAll(QString());
            return (note.isPinned ? u"★ "_s : QString()) + visibleLine(parts.join(u" · "_s), MaxSessionText);
        }
        case Size:
            return sizeText(entry.size);
        case State:
            return stateOf(row);
        default:
            return {};
    }
}

QString SessionsModel::stateOf(int row) const
{
    const SessionEntry &entry = m_entries[row];
    if (!entry.problem.isEmpty())
        return visibleLine(entry.problem, MaxSessionText);
    if (entry.isOpenElsewhere)
        return tr("recording");
    QStringList parts;
    if (entry.isReplay)
        parts << tr("replay");
    if (const std::optional<SessionSummary> summary = m_summaries.summaryOf(entry)) {
        if (summary->damaged > 0)
            parts << tr("damaged");
        if (!summary->isEnded)
            parts << tr("interrupted");
    }
    return parts.join(u", "_s);
}

QString SessionsModel::toolTipOf(int row, int column) const
{
    const SessionEntry &entry = m_entries[row];
    const std::optional<SessionSummary> summary = m_summaries.summaryOf(entry);
    switch (column) {
        case Name:
            return noteAt(row).text;
        case Failures:
            return summary ? failuresInWords(*summary) : QString();
        case State:
            if (!entry.problem.isEmpty())
                return visibleLine(entry.problem);
            if (!summary || entry.isOpenElsewhere)
                return {};
            if (summary->damaged > 0)
                return counted(summary->damaged, tr("1 part is damaged and was skipped."),
                               tr("%1 parts are damaged and were skipped."));
            return summary->isEnded ? QString()
                                    : tr("The recording program did not end this session. What was recorded until then "
                                         "is complete.");
        default:
            return entry.path;
    }
}

QVariant SessionsModel::sortKeyOf(int row, int column) const
{
    const SessionEntry &entry = m_entries[row];
    if (column == Date)
        return entry.createdAt;
    if (column == Size)
        return entry.size;
    if (!isOfSummary(column))
        return textOf(row, column).toCaseFolded();
    const std::optional<SessionSummary> summary = m_summaries.summaryOf(entry);
    if (!summary)
        return qint64(-1);
    return column == Duration   ? summary->durationNs
           : column == Calls    ? summary->calls
           : column == Failures ? summary->failures()
                                : summary->findings;
}

QVariant SessionsModel::data(const QModelIndex &index, int role) const
{
    const int row = index.row();
    const int column = index.column();
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
        case Qt::DisplayRole:
            return textOf(row, column);
        case Qt::EditRole:
            return column == Name ? QVariant(noteAt(row).name) : QVariant();
        case SortRole:
            return sortKeyOf(row, column);
        case SearchRole:
            return QStringList{m_entries[row].serverName, noteAt(row).name, noteAt(row).text,
                               QFileInfo(m_entries[row].path).fileName()}
                .join(u'\n');
        case Qt::ToolTipRole:
            return plainToolTip(toolTipOf(row, column));
        case Qt::AccessibleTextRole:
            if (const auto summary = m_summaries.summaryOf(m_entries[row]); summary && column == Failures)
                return failuresInWords(*summary);
            return {};
        case Qt::TextAlignmentRole:
            return int((column >= Duration && column <= Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        default:
            return {};
    }
}

bool SessionsModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || index.column() != Name)
        return false;
    SessionNote note = noteAt(index.row());
    note.name = value.toString().trimmed();
    return setNote(index.row(), note);
}

Qt::ItemFlags SessionsModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    const bool canBeNamed = index.isValid() && index.column() == Name && !m_entries[index.row()].id.isEmpty();
    return canBeNamed ? flags | Qt::ItemIsEditable : flags;
}

SessionsFilter::SessionsFilter(SessionsModel *model, QObject *parent) : QSortFilterProxyModel(parent)
{
    setSourceModel(model);
    setSortRole(SessionsModel::SortRole);
    sort(SessionsModel::Date, Qt::DescendingOrder);
}

void SessionsFilter::setWords(const QString &text)
{
    m_words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool SessionsFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QString texts = sourceModel()->index(row, 0, parent).data(SessionsModel::SearchRole).toString();
    return std::all_of(m_words.begin(), m_words.end(),
                       [&texts](const QString &word) { return texts.contains(word, Qt::CaseInsensitive); });
}

}  // namespace sonde::ui
