// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/sessionsdialog.h"

#include "core/protocol/visibletext.h"
#include "ui/dialogs/retentiondialog.h"
#include "ui/dialogs/sessionsearchpage.h"
#include "ui/dialogs/sessionsmodel.h"
#include "ui/result/outcometext.h"
#include "ui/theme/linedelegate.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QItemSelection>
#include <QKeyEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QSet>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum SessionsPage { SessionList, SessionSearchList };
constexpr QSize UsualSize(1120, 640);
constexpr int NarrowWidth = 900;
constexpr int NoteLines = 3;
constexpr qsizetype MaxNamedSessions = 8;  // in the question before they are deleted
constexpr int MaxNameLength = 120;

// The stock editor needs minutes for very long lines, and notes are short: what is too long is refused as a whole.
class NotesEdit final : public QPlainTextEdit {
public:
    explicit NotesEdit(std::function<void()> onRefused) : m_onRefused(std::move(onRefused)) {}

protected:
    void insertFromMimeData(const QMimeData *source) override
    {
        if (source->text().size() + document()->characterCount() > SessionNotes::MaxTextLength)
            m_onRefused();
        else
            QPlainTextEdit::insertFromMimeData(source);
    }

private:
    std::function<void()> m_onRefused;
};

// Only the signs are coloured: most sessions have some failure.
class FailuresDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        const QStyle *style = cell.widget->style();
        const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, cell.widget) + 1;
        const QRect room =
            style->subElementRect(QStyle::SE_ItemViewItemText, &cell, cell.widget).adjusted(margin, 0, -margin, 0);
        const QString text = std::exchange(cell.text, {});
        style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
        int right = room.right() + 1;
        painter->save();
        painter->setFont(cell.font);
        for (qsizetype i = text.size() - 1; i >= 0 && right > room.left(); --i) {
            const QString shown = text.mid(i, 1);
            const int width = cell.fontMetrics.horizontalAdvance(shown);
            painter->setPen(colorOf(shown));
            painter->drawText(QRect(right - width, room.top(), width, room.height()), Qt::AlignCenter, shown);
            right -= width;
        }
        painter->restore();
    }

private:
    static QColor colorOf(const QString &part)
    {
        for (const Tone tone : {Tone::ToolError, Tone::ProtocolError, Tone::NoResponse}) {
            if (part == sign(tone))
                return color(tone);
        }
        return colors().text;
    }
};

}  // namespace

SessionsDialog::SessionsDialog(const SessionLibrary &library, QWidget *parent, std::shared_ptr<SessionNotes> notes)
    : QDialog(parent),
      m_library(library),
      m_model(new SessionsModel(library, std::move(notes), this)),
      m_sorted(new SessionsFilter(m_model, this)),
      m_switch(new SegmentedControl),
      m_pages(new QStackedWidget),
      m_filter(new LineInput),
      m_retention(new Banner),
      m_table(new QTableView),
      m_empty(new EmptyState({}, {})),
      m_noteBox(nullptr),
      m_pin(new QPushButton(tr("Pin"))),
      m_notes(new NotesEdit([this] {
          say({tr("Notes can have %1 characters; the pasted text is longer and was not inserted.")
                   .arg(grouped(SessionNotes::MaxTextLength))});
      })),
      m_search(new SessionSearchPage(m_model)),
      m_message(new TextLabel),
      m_open(nullptr),
      m_replay(new QPushButton(tr("Replay…"))),
      m_export(new QPushButton(tr("Export…"))),
      m_remove(new QPushButton(tr("Delete…")))
{
    setWindowTitle(tr("Recorded sessions"));
    const QSize room = screen()->availableSize();
    resize(UsualSize.boundedTo(QSize(room.width() - 2 * Grid, room.height() * 9 / 10)));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    m_switch->setObjectName(u"sessionsSwitch"_s);
    m_switch->addSegment(tr("Sessions"));
    m_switch->addSegment(tr("Search"), tr("Search all sessions"));
    column->addWidget(m_switch, 0, Qt::AlignLeft);
    m_pages->addWidget(makeSessions());
    m_pages->addWidget(m_search);
    column->addWidget(m_pages, 1);
    m_message->setObjectName(u"sessionsMessage"_s);
    m_message->setTone(Tone::ProtocolError);
    m_message->setWordWrap(true);
    m_message->hide();
    column->addWidget(m_message);
    column->addWidget(makeButtons());
    m_open->setDefault(true);  // only a button within the dialog becomes its default
    makeActions();

    connect(m_switch, &SegmentedControl::currentChanged, this, &SessionsDialog::showPage);
    connect(m_filter, &QLineEdit::textChanged, this, [this] {
        m_sorted->setWords(m_filter->text());
        showRowsOrWhyNot();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SessionsDialog::onSelected);
    connect(m_table, &QTableView::doubleClicked, this, [this] { choose(false); });
    connect(m_model, &SessionsModel::notSaved, this, [this](const Error &error) { say({error.message, error.hint}); });
    connect(m_search, &SessionSearchPage::selectionChanged, this, &SessionsDialog::updateState);
    connect(m_search, &SessionSearchPage::activated, this, [this] { choose(false); });
    showRowsOrWhyNot();
    m_filter->setFocus();
}

SessionsDialog::~SessionsDialog() = default;

QWidget *SessionsDialog::makeSessions()
{
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    m_filter->setPlaceholderText(tr("Filter by server, name or notes"));
    m_filter->setAccessibleName(tr("Filter by server, name or notes"));
    m_filter->setObjectName(u"sessionFilter"_s);
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    column->addWidget(m_filter);
    m_retention->setObjectName(u"retention"_s);
    auto *review = new QPushButton(tr("Review…"));
    review->setObjectName(u"reviewRetention"_s);
    review->setAutoDefault(false);
    connect(review, &QPushButton::clicked, this, &SessionsDialog::reviewRetention);
    m_retention->addControl(review);
    m_retention->hide();
    column->addWidget(m_retention);

    m_table->setObjectName(u"sessionTable"_s);
    m_table->setAccessibleName(tr("Recorded sessions"));
    m_table->setModel(m_sorted);
    setUpRows(m_table);
    m_table->setItemDelegateForColumn(SessionsModel::Name, new LineDelegate(m_table));
    m_table->setItemDelegateForColumn(SessionsModel::Failures, new FailuresDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(SessionsModel::Date, Qt::DescendingOrder);
    QHeaderView *header = m_table->horizontalHeader();
    // In a narrow window, what can be cut gives way to what cannot.
    const bool isNarrow = width() < NarrowWidth;
    header->resizeSection(SessionsModel::Date, 150);
    header->resizeSection(SessionsModel::Server, isNarrow ? 110 : 190);
    header->setSectionResizeMode(SessionsModel::Name, QHeaderView::Stretch);
    header->setTextElideMode(Qt::ElideRight);
    for (const auto &[section, width] :
         std::initializer_list<std::pair<int, int>>{{SessionsModel::Duration, 66},
                                                    {SessionsModel::Calls, 50},
                                                    {SessionsModel::Failures, isNarrow ? 80 : 100},
                                                    {SessionsModel::Findings, 66},
                                                    {SessionsModel::Size, 64},
                                                    {SessionsModel::State, isNarrow ? 90 : 110}})
        header->resizeSection(section, width);
    column->addWidget(m_table, 1);
    m_empty->setObjectName(u"sessionsEmpty"_s);
    column->addWidget(m_empty, 1);
    m_noteBox = makeNotes();
    column->addWidget(m_noteBox);
    return page;
}

QWidget *SessionsDialog::makeNotes()
{
    auto *box = new QWidget;
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Grid);
    m_notes->setObjectName(u"sessionNotes"_s);
    m_notes->setAccessibleName(tr("Notes"));
    m_notes->setPlaceholderText(tr("Notes about this session"));
    m_notes->setTabChangesFocus(true);
    m_notes->setFixedHeight(NoteLines * m_notes->fontMetrics().lineSpacing() + 2 * Grid);
    m_notes->installEventFilter(this);
    row->addWidget(m_notes, 1);
    m_pin->setObjectName(u"sessionPin"_s);
    m_pin->setCheckable(true);
    m_pin->setAutoDefault(false);
    m_pin->setToolTip(tr("A pinned session is never proposed for deletion"));
    row->addWidget(m_pin, 0, Qt::AlignTop);
    connect(m_pin, &QAbstractButton::clicked, this, &SessionsDialog::setPinned);
    return box;
}

QWidget *SessionsDialog::makeButtons()
{
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_open = new PrimaryButton(tr("Open"));
    m_open->setObjectName(u"sessionOpen"_s);
    m_open->setMinimumSize(90, 28);
    auto *other = new QPushButton(tr("Other file…"));
    other->setObjectName(u"sessionOther"_s);
    m_remove->setObjectName(u"sessionRemove"_s);
    m_replay->setObjectName(u"sessionReplay"_s);
    m_replay->setToolTip(tr("Repeat the session's calls and compare the responses"));
    buttons->addButton(m_open, QDialogButtonBox::ActionRole);
    buttons->addButton(m_replay, QDialogButtonBox::ActionRole);
    buttons->addButton(other, QDialogButtonBox::ActionRole);
    m_export->setObjectName(u"sessionExport"_s);
    buttons->addButton(m_export, QDialogButtonBox::ActionRole);
    buttons->addButton(m_remove, QDialogButtonBox::ActionRole);
    auto *limit = new QPushButton(tr("Limits…"));
    limit->setObjectName(u"sessionLimit"_s);
    limit->setToolTip(tr("How large a session may become, and which ones to keep"));
    limit->setAutoDefault(false);
    buttons->addButton(limit, QDialogButtonBox::ResetRole);
    m_ofSessions = {m_replay, other, m_export, m_remove, limit};

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_open, &QPushButton::clicked, this, [this] { choose(false); });
    connect(m_replay, &QPushButton::clicked, this, [this] { choose(true); });
    connect(other, &QPushButton::clicked, this, &SessionsDialog::openFile);
    connect(limit, &QPushButton::clicked, this, &SessionsDialog::limitRequested);
    connect(m_export, &QPushButton::clicked, this, &SessionsDialog::exportSelected);
    connect(m_remove, &QPushButton::clicked, this, &SessionsDialog::removeSelected);
    return buttons;
}

void SessionsDialog::makeActions()
{
    const auto add = [this](const QString &text, const QKeySequence &keys, auto act) {
        auto *action = new QAction(text, m_table);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, act);
        m_table->addAction(action);
        return action;
    };
    add(tr("Open"), {}, [this] { choose(false); });
    m_rename = add(tr("Rename"), Qt::Key_F2, [this] { rename(); });
    add(tr("Delete…"), QKeySequence::Delete, [this] { removeSelected(); });
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void SessionsDialog::showPage(int page)
{
    m_pages->setCurrentIndex(page);
    for (QPushButton *button : std::as_const(m_ofSessions))
        button->setVisible(page == SessionList);
    if (page == SessionSearchList)
        m_search->focusLine();
    else
        m_filter->setFocus();
    updateState();
}

void SessionsDialog::setRetention(const RetentionRules &rules, const QStringList &open)
{
    m_rules = rules;
    m_openPaths = open;
    updateRetention();
}

// An open file may have been opened by another path, such as a relative one. A link is no session that can be deleted.
QList<SessionEntry> SessionsDialog::beyond() const
{
    QSet<QString> open;
    for (const QString &path : m_openPaths)
        open.insert(QFileInfo(path).canonicalFilePath());
    return beyondRetention(m_model->entries(), m_rules, [this, &open](const SessionEntry &entry) {
        const QFileInfo file(entry.path);
        return file.isSymLink() || open.contains(file.canonicalFilePath()) || m_model->noteOf(entry).isPinned;
    });
}

void SessionsDialog::updateRetention()
{
    const QList<SessionEntry> sessions = beyond();
    qint64 bytes = 0;
    for (const SessionEntry &entry : sessions)
        bytes += entry.size;
    m_retention->setVisible(!sessions.isEmpty());
    m_retention->setContent(
        Tone::Finding,
        counted(sessions.size(), tr("1 session is beyond your limits"), tr("%1 sessions are beyond your limits")),
        tr("%1 in all. Nothing is deleted until you confirm the list.").arg(sizeText(bytes)));
}

void SessionsDialog::reviewRetention()
{
    refresh();  // another window may have pinned or recorded sessions
    const QList<SessionEntry> sessions = beyond();
    if (sessions.isEmpty())
        return;
    RetentionDialog dialog(
        sessions, [this](const QString &path) { return m_model->titleOf(path); }, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    refresh();  // likewise, while the list was shown
    const QList<SessionEntry> still = beyond();
    QStringList paths;
    for (const SessionEntry &entry : sessions) {
        const bool isStillBeyond = std::any_of(still.begin(), still.end(), [&entry](const SessionEntry &other) {
            return other.path == entry.path && other.id == entry.id;
        });
        if (isStillBeyond)
            paths << entry.path;
    }
    remove(paths);
}

void SessionsDialog::refresh()
{
    QSet<QString> paths;
    const bool isSaved = saveNotes();
    const QList<int> selected = selectedRows();
    int place = selected.isEmpty() ? 0 : m_sorted->rowCount();
    for (const int row : selected) {
        paths.insert(m_model->at(row).path);
        place = std::min(place, m_sorted->mapFromSource(m_model->index(row, 0)).row());
    }
    m_model->refresh();
    showRowsOrWhyNot();
    QItemSelection again;
    for (int row = 0; row < m_sorted->rowCount(); ++row) {
        const QModelIndex index = m_sorted->index(row, 0);
        if (paths.contains(m_model->at(m_sorted->mapToSource(index).row()).path))
            again.append(QItemSelectionRange(index));
    }
    m_table->selectionModel()->select(again, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!again.isEmpty())
        m_table->selectionModel()->setCurrentIndex(again.constLast().topLeft(), QItemSelectionModel::NoUpdate);
    // Where they are gone, what has come into their place.
    if (m_table->selectionModel()->selectedRows().isEmpty() && m_sorted->rowCount() > 0)
        m_table->selectRow(std::min(place, m_sorted->rowCount() - 1));
    updateRetention();
    if (isSaved)
        say({});
}

void SessionsDialog::showRowsOrWhyNot()
{
    const bool hasRows = m_sorted->rowCount() > 0;
    const bool hasSessions = !m_model->entries().isEmpty();
    m_empty->setVisible(!hasRows);
    m_table->setVisible(hasRows);
    m_noteBox->setVisible(hasRows);
    m_filter->setVisible(hasSessions);
    if (!hasSessions)
        m_empty->setContent(tr("No recorded sessions"), tr("Connect to a server; its session will appear here."));
    else if (!hasRows)
        m_empty->setContent(tr("No sessions match “%1”").arg(visibleLine(m_filter->text(), 60)),
                            tr("Sessions are searched by server, name, notes and file name."));
    if (hasRows && m_table->selectionModel()->selectedRows().isEmpty())
        m_table->selectRow(0);
    onSelected();
}

// The list is moved through while the keyboard is in the filter; Enter opens what is selected. Notes are saved when
// they are left.
bool SessionsDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_notes && event->type() == QEvent::FocusOut)
        saveNotes();
    if (watched == m_filter && event->type() == QEvent::KeyPress && m_sorted->rowCount() > 0) {
        switch (static_cast<QKeyEvent *>(event)->key()) {
            case Qt::Key_Up:
            case Qt::Key_Down:
            case Qt::Key_PageUp:
            case Qt::Key_PageDown:
                QCoreApplication::sendEvent(m_table, event);
                return true;
            case Qt::Key_F2:
                rename();
                return true;
            default:
                break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

// Closed again with the notes as they are, it keeps them for the next time that it is shown.
void SessionsDialog::done(int result)
{
    const bool mayBeLost = !saveNotes() && std::exchange(m_notSavedOnClosing, m_notSaved) != m_notSaved;
    if (!mayBeLost)
        QDialog::done(result);
}

void SessionsDialog::hideEvent(QHideEvent *event)
{
    saveNotes();
    QDialog::hideEvent(event);
}

QList<int> SessionsDialog::selectedRows() const
{
    QList<int> rows;
    const QModelIndexList selected = m_table->selectionModel()->selectedRows();
    for (const QModelIndex &index : selected)
        rows.append(m_sorted->mapToSource(index).row());
    return rows;
}

void SessionsDialog::onSelected()
{
    saveNotes();
    showNotes();
    updateState();
}

void SessionsDialog::showNotes()
{
    const QList<int> rows = selectedRows();
    const bool isOne = rows.size() == 1 && !m_model->at(rows.first()).id.isEmpty();
    const SessionNote note = isOne ? m_model->noteAt(rows.first()) : SessionNote();
    m_notesOf = isOne ? m_model->at(rows.first()).id : QString();
    m_notes->setEnabled(isOne);
    m_notes->setPlainText(m_notSaved.value(m_notesOf, note.text));
    m_pin->setEnabled(isOne);
    m_pin->setChecked(note.isPinned);
    m_pin->setText(note.isPinned ? tr("★ Pinned") : tr("Pin"));
}

bool SessionsDialog::saveNotes()
{
    const bool hasFailed = !m_notSaved.isEmpty();
    if (!m_notesOf.isEmpty() && m_notes->document()->isModified()) {
        m_notSaved.insert(m_notesOf, m_notes->toPlainText());
        m_notes->document()->setModified(false);
    }
    bool isSaved = true;
    for (int row = 0; row < m_model->rowCount() && !m_notSaved.isEmpty(); ++row) {
        const QString id = m_model->at(row).id;
        const auto typed = m_notSaved.constFind(id);
        if (typed == m_notSaved.cend())
            continue;
        SessionNote note = m_model->noteAt(row);
        note.text = *typed;
        if (m_model->setNote(row, note))
            m_notSaved.remove(id);
        else
            isSaved = false;
    }
    if (isSaved && hasFailed)
        say({});
    return isSaved;
}

void SessionsDialog::setPinned(bool isPinned)
{
    saveNotes();
    const QList<int> rows = selectedRows();
    if (rows.size() != 1)
        return;
    SessionNote note = m_model->noteAt(rows.first());
    note.isPinned = isPinned;
    m_model->setNote(rows.first(), note);
    showNotes();
    updateRetention();
}

void SessionsDialog::rename()
{
    const QModelIndexList selected = m_table->selectionModel()->selectedRows(SessionsModel::Name);
    if (selected.size() != 1 || !selected.first().flags().testFlag(Qt::ItemIsEditable))
        return;
    m_table->setFocus();
    m_table->setCurrentIndex(selected.first());
    m_table->edit(selected.first());
}

void SessionsDialog::updateState()
{
    const qsizetype selected = selectedRows().size();
    const bool isSearch = m_pages->currentIndex() == SessionSearchList;
    m_open->setEnabled(isSearch ? m_search->selected() != nullptr : selected == 1);
    m_replay->setEnabled(selected == 1);
    m_export->setEnabled(selected == 1);
    m_remove->setEnabled(selected > 0);
    if (m_rename)
        m_rename->setEnabled(selected == 1);
}

void SessionsDialog::choose(bool toReplay)
{
    m_chosenRow = -1;
    if (m_pages->currentIndex() == SessionSearchList) {
        const SessionHit *hit = m_search->selected();
        if (!hit)
            return;
        m_chosen = hit->path;
        m_chosenRow = hit->row;
    } else {
        const QList<int> rows = selectedRows();
        if (rows.size() != 1)
            return;
        m_chosen = m_model->at(rows.first()).path;
    }
    m_wantsReplay = toReplay;
    accept();
}

void SessionsDialog::openFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a session"), m_library.folder(),
                                                      tr("Sessions (*.mcpsession);;All files (*)"));
    if (path.isEmpty())
        return;
    m_chosen = path;
    m_chosenRow = -1;
    m_wantsReplay = false;
    accept();
}

void SessionsDialog::exportSelected()
{
    const QList<int> rows = selectedRows();
    if (rows.size() == 1)
        Q_EMIT exportRequested(m_model->at(rows.first()).path, m_model->at(rows.first()).serverName);
}

bool SessionsDialog::confirmsRemoval(const QStringList &sessions)
{
    QStringList lines{counted(sessions.size(), tr("Delete this recorded session? This cannot be undone."),
                              tr("Delete %1 recorded sessions? This cannot be undone.")),
                      QString()};
    lines += sessions.first(qMin(sessions.size(), MaxNamedSessions));
    if (sessions.size() > MaxNamedSessions)
        lines << u"…"_s;
    QMessageBox box(QMessageBox::Question, tr("Delete sessions"), lines.join(u'\n'), QMessageBox::Cancel, this);
    box.setTextFormat(Qt::PlainText);
    box.setObjectName(u"deleteQuestion"_s);
    QPushButton *remove = box.addButton(tr("Delete"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == remove;
}

void SessionsDialog::removeSelected()
{
    QStringList paths;
    QStringList going;
    QStringList problems;
    const QList<int> rows = selectedRows();
    for (const int row : rows) {
        paths << m_model->at(row).path;
        if (const Error error = m_library.whyKept(paths.constLast()))
            problems << error.message << error.hint;
        else
            going << lineOf(row);
    }
    problems.removeDuplicates();
    if (going.isEmpty())
        say(problems);
    else if (confirmsRemoval(going))
        remove(paths);  // says of the others why they stay
}

// "2026-11-28 14:02 · SERVER · NAME".
QString SessionsDialog::lineOf(int row) const
{
    QStringList parts{m_model->index(row, SessionsModel::Date).data().toString(),
                      m_model->index(row, SessionsModel::Server).data().toString(), m_model->noteAt(row).name};
    parts.removeAll(QString());
    return visibleLine(parts.join(u" · "_s), MaxNameLength);
}

void SessionsDialog::remove(const QStringList &paths)
{
    QStringList problems;
    QStringList removed;
    for (const QString &path : paths) {
        if (const Error error = m_library.remove(path))
            problems << error.message;
        else
            removed << m_model->idOf(path);
    }
    refresh();  // saves what was typed last
    if (!problems.isEmpty())
        say(problems);
    for (const QString &id : std::as_const(removed))
        m_notSaved.remove(id);
    m_model->forget(removed);
}

void SessionsDialog::say(const QStringList &problems)
{
    QStringList lines = problems;
    lines.removeAll(QString());
    m_message->setServerText(lines.join(u'\n'));
    m_message->setVisible(!lines.isEmpty());
}

}  // namespace sonde::ui
