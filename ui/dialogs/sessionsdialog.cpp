// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/sessionsdialog.h"

#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {
enum Column { DateColumn, ServerColumn, SizeColumn, NoteColumn, SessionColumnCount };
}

SessionsDialog::SessionsDialog(const SessionLibrary &library, QWidget *parent)
    : QDialog(parent),
      m_library(library),
      m_filter(new LineInput),
      m_table(new QTableWidget(0, SessionColumnCount)),
      m_empty(new EmptyState({}, {})),
      m_message(new TextLabel),
      m_open(nullptr),
      m_replay(new QPushButton(tr("Replay…"))),
      m_export(new QPushButton(tr("Export…"))),
      m_remove(new QPushButton(tr("Delete…")))
{
    setWindowTitle(tr("Recorded sessions"));
    resize(760, 480);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    m_filter->setPlaceholderText(tr("Filter by server"));
    m_filter->setAccessibleName(tr("Filter by server"));
    m_filter->setObjectName(u"sessionFilter"_s);
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    column->addWidget(m_filter);

    m_table->setObjectName(u"sessionTable"_s);
    m_table->setAccessibleName(tr("Recorded sessions"));
    m_table->setHorizontalHeaderLabels({tr("Date"), tr("Server"), tr("Size"), QString()});
    setUpRows(m_table);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->horizontalHeaderItem(SizeColumn)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->horizontalHeader()->setSectionResizeMode(ServerColumn, QHeaderView::Stretch);
    m_table->horizontalHeader()->resizeSection(DateColumn, 170);
    m_table->horizontalHeader()->resizeSection(SizeColumn, 90);
    m_table->horizontalHeader()->resizeSection(NoteColumn, 180);
    column->addWidget(m_table, 1);
    m_empty->setObjectName(u"sessionsEmpty"_s);
    column->addWidget(m_empty, 1);
    m_message->setTone(Tone::ProtocolError);
    m_message->setWordWrap(true);
    m_message->hide();
    column->addWidget(m_message);

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
    auto *limit = new QPushButton(tr("Session size limit…"));
    limit->setObjectName(u"sessionLimit"_s);
    limit->setAutoDefault(false);
    buttons->addButton(limit, QDialogButtonBox::ResetRole);
    column->addWidget(buttons);
    m_open->setDefault(true);  // only a button within the dialog becomes its default

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_open, &QPushButton::clicked, this, [this] { chooseSelected(false); });
    connect(m_replay, &QPushButton::clicked, this, [this] { chooseSelected(true); });
    connect(other, &QPushButton::clicked, this, &SessionsDialog::openFile);
    connect(limit, &QPushButton::clicked, this, &SessionsDialog::limitRequested);
    connect(m_export, &QPushButton::clicked, this, &SessionsDialog::exportSelected);
    connect(m_remove, &QPushButton::clicked, this, &SessionsDialog::removeSelected);
    connect(m_filter, &QLineEdit::textChanged, this, &SessionsDialog::fill);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &SessionsDialog::updateState);
    connect(m_table, &QTableWidget::cellDoubleClicked, this, [this] { chooseSelected(false); });
    m_entries = m_library.entries();
    fill();
}

void SessionsDialog::fill()
{
    m_table->setRowCount(0);
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        const SessionEntry &entry = m_entries[i];
        if (!entry.serverName.contains(m_filter->text(), Qt::CaseInsensitive))
            continue;
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        auto *date = new QTableWidgetItem(dateTimeText(entry.createdAt));
        date->setData(Qt::UserRole, int(i));
        m_table->setItem(row, DateColumn, date);
        // A file without a server name is listed by its file name.
        const QString name = entry.serverName.isEmpty() ? QFileInfo(entry.path).fileName() : entry.serverName;
        m_table->setItem(row, ServerColumn, new QTableWidgetItem(visibleLine(name)));
        auto *size = new QTableWidgetItem(sizeText(entry.size) + QChar(0x2002));
        size->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_table->setItem(row, SizeColumn, size);
        const QString note = !entry.problem.isEmpty() ? entry.problem
                             : entry.isOpenElsewhere  ? tr("recording")
                             : entry.isReplay         ? tr("replay")
                                                      : QString();
        m_table->setItem(row, NoteColumn, new QTableWidgetItem(visibleLine(note)));
    }
    const bool hasRows = m_table->rowCount() > 0;
    m_empty->setVisible(!hasRows);
    m_table->setVisible(hasRows);
    m_filter->setVisible(!m_entries.isEmpty());
    if (m_entries.isEmpty())
        m_empty->setContent(tr("No recorded sessions"), tr("Connect to a server; its session will appear here."));
    else if (!hasRows)
        m_empty->setContent(tr("No sessions match “%1”").arg(visibleLine(m_filter->text(), 60)),
                            tr("Sessions are searched by server name."));
    if (hasRows)
        m_table->selectRow(0);
    updateState();
}

// The list is moved through while the keyboard is in the filter; Enter opens what is selected.
bool SessionsDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_filter && event->type() == QEvent::KeyPress && m_table->rowCount() > 0) {
        switch (static_cast<QKeyEvent *>(event)->key()) {
            case Qt::Key_Up:
            case Qt::Key_Down:
            case Qt::Key_PageUp:
            case Qt::Key_PageDown:
                QCoreApplication::sendEvent(m_table, event);
                return true;
            default:
                break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

QList<int> SessionsDialog::selectedEntries() const
{
    QList<int> result;
    for (const QModelIndex &index : m_table->selectionModel()->selectedRows(DateColumn))
        result.append(index.data(Qt::UserRole).toInt());
    return result;
}

void SessionsDialog::updateState()
{
    const QList<int> selected = selectedEntries();
    m_open->setEnabled(selected.size() == 1);
    m_replay->setEnabled(selected.size() == 1);
    m_export->setEnabled(selected.size() == 1);
    m_remove->setEnabled(!selected.isEmpty());
}

void SessionsDialog::chooseSelected(bool toReplay)
{
    const QList<int> selected = selectedEntries();
    if (selected.size() != 1)
        return;
    m_chosen = m_entries[selected.first()].path;
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
    accept();
}

void SessionsDialog::exportSelected()
{
    const QList<int> selected = selectedEntries();
    if (selected.size() == 1)
        Q_EMIT exportRequested(m_entries[selected.first()].path, m_entries[selected.first()].serverName);
}

void SessionsDialog::removeSelected()
{
    const QList<int> selected = selectedEntries();
    if (selected.isEmpty())
        return;
    QMessageBox box(QMessageBox::Question, tr("Delete sessions"),
                    counted(selected.size(), tr("Delete this recorded session? This cannot be undone."),
                            tr("Delete %1 recorded sessions? This cannot be undone.")),
                    QMessageBox::Cancel, this);
    box.setTextFormat(Qt::PlainText);
    box.setObjectName(u"deleteQuestion"_s);
    QPushButton *remove = box.addButton(tr("Delete"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() != remove)
        return;
    QStringList problems;
    for (const int index : selected) {
        if (const Error error = m_library.remove(m_entries[index].path))
            problems << error.message;
    }
    m_message->setServerText(problems.join(u'\n'));
    m_message->setVisible(!problems.isEmpty());
    m_entries = m_library.entries();
    fill();
}

}  // namespace sonde::ui
