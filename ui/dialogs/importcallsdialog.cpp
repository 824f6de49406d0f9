// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/importcallsdialog.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/json/builder.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/protocol/worker.h"
#include "ui/dialogs/callfolderchoice.h"
#include "ui/dialogs/importdialog.h"
#include "ui/json/textview.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum CallColumn { CallFileColumn, CallToolColumn, CallArgumentsColumn, CallColumnCount };

constexpr qsizetype MaxShownArguments = 400;  // bytes in a row; the selected one is shown whole

}  // namespace

ImportCallsDialog::ImportCallsDialog(const QStringList &folders, QWidget *parent)
    : QDialog(parent),
      m_where(new TextLabel),
      m_banner(new Banner),
      m_table(new QTableWidget(0, CallColumnCount)),
      m_details(new TextView),
      m_notesCaption(new TextLabel),
      m_notesText(new TextView),
      m_found(makeFound()),
      m_empty(new EmptyState(
          tr("Import calls from other programs"),
          tr("Open, drop or paste a Postman, Insomnia or Hoppscotch collection, or an MCP Inspector export."))),
      m_folder(new CallFolderChoice(u"importCalls"_s, folders)),
      m_message(new TextLabel),
      m_import(new PrimaryButton(tr("Import")))
{
    setObjectName(u"importCallsDialog"_s);
    setWindowTitle(tr("Import calls"));
    resize(820, 620);
    setAcceptDrops(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    auto *file = new QPushButton(tr("Open files…"));
    file->setObjectName(u"importCallsFile"_s);
    auto *clipboard = new QPushButton(tr("Paste from clipboard"));
    clipboard->setObjectName(u"importCallsPaste"_s);
    m_where->setObjectName(u"importCallsWhere"_s);
    m_where->setDim(true);
    m_where->setElided(true);
    m_where->setMinimumWidth(40);
    auto *top = new QHBoxLayout;
    top->setSpacing(Grid);
    top->addWidget(file);
    top->addWidget(clipboard);
    top->addWidget(m_where, 1);
    column->addLayout(top);
    m_banner->setObjectName(u"importCallsBanner"_s);
    m_banner->hide();
    column->addWidget(m_banner);
    column->addWidget(m_found, 1);
    m_empty->setObjectName(u"importCallsEmpty"_s);
    column->addWidget(m_empty, 1);
    column->addWidget(makeBottom());

    connect(file, &QPushButton::clicked, this, &ImportCallsDialog::chooseFiles);
    connect(clipboard, &QPushButton::clicked, this, &ImportCallsDialog::paste);
    connect(m_table, &QTableWidget::itemChanged, this, &ImportCallsDialog::onItemChanged);
    connect(m_table, &QTableWidget::currentCellChanged, this, &ImportCallsDialog::showDetails);
    connect(m_folder, &CallFolderChoice::changed, this, &ImportCallsDialog::showNames);
    connect(m_folder, &CallFolderChoice::changed, this, &ImportCallsDialog::updateState);
    file->setFocus();
    updateState();
}

// The calls, the selected one as the file will have it, and what was left out.
QWidget *ImportCallsDialog::makeFound()
{
    auto *page = new QWidget(this);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    m_table->setObjectName(u"importCallsTable"_s);
    m_table->setAccessibleName(tr("Calls found"));
    m_table->setHorizontalHeaderLabels({tr("Saved call"), tr("Tool"), tr("Arguments")});
    setUpRows(m_table);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setSectionResizeMode(CallArgumentsColumn, QHeaderView::Stretch);
    m_table->horizontalHeader()->resizeSection(CallFileColumn, 220);
    m_table->horizontalHeader()->resizeSection(CallToolColumn, 170);
    column->addWidget(m_table, 4);
    m_details->setObjectName(u"importCallsDetails"_s);
    m_details->setAccessibleName(tr("File of the selected call"));
    m_details->setWordWrap(true);
    column->addWidget(framedData(m_details), 3);
    m_notesCaption->setStrong();
    column->addWidget(m_notesCaption);
    m_notesText->setObjectName(u"importCallsNotes"_s);
    m_notesText->setAccessibleName(tr("Notes"));
    m_notesText->setWordWrap(true);
    column->addWidget(framedData(m_notesText), 2);
    return page;
}

QWidget *ImportCallsDialog::makeBottom()
{
    auto *bottom = new QWidget;
    auto *column = new QVBoxLayout(bottom);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    auto *label = new QLabel(CallFolderChoice::labelText());
    label->setBuddy(m_folder);
    auto *folder = new QHBoxLayout;
    folder->setSpacing(Grid);
    folder->addWidget(label);
    folder->addWidget(m_folder, 1);
    column->addLayout(folder);
    auto *row = new QHBoxLayout;
    m_message->setObjectName(u"importCallsMessage"_s);
    m_message->setWordWrap(true);
    m_message->setDim(true);
    row->addWidget(m_message, 1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_import->setObjectName(u"importCallsAccept"_s);
    m_import->setMinimumHeight(inputHeight());
    buttons->addButton(m_import, QDialogButtonBox::AcceptRole);
    row->addWidget(buttons);
    column->addLayout(row);
    m_import->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    return bottom;
}

void ImportCallsDialog::addFile(const QString &path)
{
    const QString name = QFileInfo(path).fileName();
    runOnWorker(
        this,
        [path, name]() -> Result<ImportedCalls> {
            const Result<QByteArray> text = readFile(path, filelimits::CommandLineInput);
            return text ? importCalls(*text, name) : text.error();
        },
        [this, name](const std::optional<Result<ImportedCalls>> &imported) {
            take(imported.value_or(Error::local(tr("%1 is too large for the memory.").arg(name))), name);
        });
}

void ImportCallsDialog::addText(const QString &text)
{
    const QString source = tr("The clipboard");
    if (text.trimmed().isEmpty() || text.size() > filelimits::CommandLineInput)
        return take(
            Error::local(text.trimmed().isEmpty() ? tr("The clipboard has no text.") : tr("The text is too long.")),
            source);
    runOnWorker(
        this, [text, source] { return importCalls(text.toUtf8(), source); },
        [this, source](const std::optional<Result<ImportedCalls>> &imported) {
            take(imported.value_or(Error::local(tr("The text is too long."))), source);
        });
}

// What an earlier file had stays.
void ImportCallsDialog::take(const Result<ImportedCalls> &imported, const QString &source)
{
    m_banner->setVisible(!imported || imported->calls.isEmpty());
    if (!imported) {
        m_banner->setContent(Tone::ProtocolError, visibleText(imported.error().message), imported.error().hint);
    } else {
        if (imported->calls.isEmpty())
            m_banner->setContent(Tone::Finding, tr("%1 has no tool calls").arg(visibleLine(source, 80)));
        m_sources.append(source);
        m_notes += imported->notes;
        m_notes.removeDuplicates();
        const QSignalBlocker blocker(m_table);
        for (const SavedCall &call : imported->calls) {
            m_rows.append({call});
            const int row = m_table->rowCount();
            m_table->insertRow(row);
            auto *name = new QTableWidgetItem;
            name->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
            name->setCheckState(Qt::Checked);
            m_table->setItem(row, CallFileColumn, name);
            m_table->setItem(row, CallToolColumn, new QTableWidgetItem(visibleLine(call.tool, 120)));
            const QByteArray arguments = call.arguments.exists() ? json::compact(call.arguments) : QByteArray();
            const QString shown = QString::fromUtf8(arguments.left(MaxShownArguments));
            m_table->setItem(row, CallArgumentsColumn, new QTableWidgetItem(visibleLine(shown)));
        }
    }
    m_where->setServerText(m_sources.join(u", "_s));
    m_notesText->setText(m_notes.join(u'\n').toUtf8());
    m_notesCaption->setText(counted(m_notes.size(), tr("1 note"), tr("%1 notes")));
    showNames();
    if (m_table->currentRow() < 0 && m_table->rowCount() > 0)
        m_table->setCurrentCell(0, CallFileColumn);
    updateState();
}

void ImportCallsDialog::chooseFiles()
{
    auto *dialog = new QFileDialog(this, tr("Import calls from files"), QDir::homePath(),
                                   tr("Exports (*.json *.yaml *.yml);;All files (*)"));
    dialog->setObjectName(u"importCallsFileDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList &paths) {
        for (const QString &path : paths)
            addFile(path);
    });
    dialog->open();
}

void ImportCallsDialog::paste()
{
    const QMimeData *mime = QGuiApplication::clipboard()->mimeData();
    const QStringList files = mime ? ImportDialog::droppedFiles(mime) : QStringList();
    for (const QString &path : files)
        addFile(path);
    if (files.isEmpty())
        addText(mime ? mime->text() : QString());
}

void ImportCallsDialog::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls() || event->mimeData()->hasText())
        event->acceptProposedAction();
}

void ImportCallsDialog::dropEvent(QDropEvent *event)
{
    const QStringList files = ImportDialog::droppedFiles(event->mimeData());
    for (const QString &path : files)
        addFile(path);
    if (files.isEmpty())
        addText(event->mimeData()->text());
    event->acceptProposedAction();
}

void ImportCallsDialog::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Paste))
        paste();
    else
        QDialog::keyPressEvent(event);
}

QString ImportCallsDialog::folder() const
{
    return m_folder->folder();
}

QList<SavedCall> ImportCallsDialog::chosen() const
{
    QList<SavedCall> calls;
    for (const Row &row : m_rows) {
        if (row.isChecked)
            calls.append(row.call);
    }
    return placedIn(folder(), calls);
}

void ImportCallsDialog::onItemChanged(QTableWidgetItem *item)
{
    if (item->column() != CallFileColumn || item->row() >= m_rows.size())
        return;
    m_rows[item->row()].isChecked = item->checkState() == Qt::Checked;
    showNames();
    updateState();
}

// As the files will be called, which depends on the folder and on those that are chosen before.
void ImportCallsDialog::showNames()
{
    const QSignalBlocker blocker(m_table);
    const QList<SavedCall> placed = chosen();
    qsizetype next = 0;
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        m_rows[i].name = m_rows[i].isChecked ? placed[next++].name : m_rows[i].call.name;
        m_table->item(int(i), CallFileColumn)->setText(visibleLine(m_rows[i].name, 100));
    }
    m_table->viewport()->update();
    showDetails();
}

void ImportCallsDialog::showDetails()
{
    const int row = m_table->currentRow();
    if (row < 0 || row >= m_rows.size())
        return m_details->setText({});
    SavedCall call = m_rows[row].call;
    call.name = m_rows[row].name;
    m_details->setText(call.toJson(), TextView::Highlight::Json);
}

void ImportCallsDialog::updateState()
{
    const bool isEmpty = m_sources.isEmpty();
    m_found->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    for (QWidget *notes : {static_cast<QWidget *>(m_notesCaption), m_notesText->parentWidget()})
        notes->setVisible(!m_notes.isEmpty());
    const qsizetype count = std::ranges::count_if(m_rows, &Row::isChecked);
    const QString problem = m_folder->problem();
    m_import->setEnabled(count > 0 && problem.isEmpty());
    m_import->setText(count > 0 ? counted(count, tr("Import 1 call"), tr("Import %1 calls")) : tr("Import"));
    m_message->setText(count == 0           ? QString()
                       : !problem.isEmpty() ? problem
                                            : tr("Nothing is sent, and no file is replaced."));
}

}  // namespace sonde::ui
