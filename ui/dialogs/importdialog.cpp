// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/importdialog.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/protocol/worker.h"
#include "core/server/hostdetails.h"
#include "core/server/hostreader.h"
#include "ui/json/textview.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum ImportColumn { ImportName, ImportStarts, ImportNote, ImportColumnCount };
constexpr int MaxNotesWidth = 190;

constexpr qsizetype MaxClipboard = 64 * 1024 * 1024;  // characters

QString shortPath(const QString &path)
{
    const QString home = QDir::homePath() + u'/';
    return path.startsWith(home) ? u"~/"_s + path.mid(home.size()) : path;
}

}  // namespace

ImportDialog::ImportDialog(const QList<ServerSpec> &existing, const QList<HostConfig> &found, QWidget *parent)
    : QDialog(parent),
      m_existing(existing),
      m_list(new QListWidget),
      m_where(new TextLabel),
      m_banner(new Banner),
      m_table(new QTableWidget(0, ImportColumnCount)),
      m_details(new TextView),
      m_empty(new EmptyState(tr("No servers from other MCP clients found"),
                             tr("Open or drop a file, or paste its text or a command such as “claude mcp add …”."))),
      m_message(new TextLabel),
      m_import(new PrimaryButton(tr("Import")))
{
    setWindowTitle(tr("Import servers"));
    resize(940, 620);
    setAcceptDrops(true);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    outer->setSpacing(Grid);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(2 * Grid);
    outer->addLayout(columns, 1);

    auto *left = new QVBoxLayout;
    left->setSpacing(Grid);
    auto *caption = new TextLabel(tr("Found on this computer"));
    caption->setStrong();
    left->addWidget(caption);
    m_list->setObjectName(u"importSources"_s);
    m_list->setAccessibleName(tr("Sources"));
    m_list->setUniformItemSizes(true);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFixedWidth(scaled(230));
    left->addWidget(m_list, 1);
    auto *file = new QPushButton(tr("Open file…"));
    file->setObjectName(u"importFile"_s);
    auto *pasteText = new QPushButton(tr("Paste from clipboard"));
    pasteText->setObjectName(u"importPaste"_s);
    pasteText->setToolTip(tr("A configuration, an entry, or a command such as “claude mcp add …”"));
    for (QPushButton *button : {file, pasteText}) {
        button->setAutoDefault(false);
        left->addWidget(button);
    }
    columns->addLayout(left);

    auto *right = new QVBoxLayout;
    right->setSpacing(Grid);
    m_where->setObjectName(u"importWhere"_s);
    m_where->setDim(true);
    m_where->setElided(true);
    right->addWidget(m_where);
    m_banner->setObjectName(u"importBanner"_s);
    m_banner->hide();
    right->addWidget(m_banner);
    m_table->setObjectName(u"importTable"_s);
    m_table->setAccessibleName(tr("Servers found"));
    m_table->setHorizontalHeaderLabels({tr("Name"), tr("Starts or connects to"), tr("Notes")});
    setUpRows(m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTextElideMode(Qt::ElideMiddle);  // commands often begin alike
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked |
                             QAbstractItemView::AnyKeyPressed);
    m_table->horizontalHeader()->setSectionResizeMode(ImportStarts, QHeaderView::Stretch);
    m_table->horizontalHeader()->resizeSection(ImportName, 170);
    right->addWidget(m_table, 2);
    m_details->setObjectName(u"importDetails"_s);
    m_details->setAccessibleName(tr("Details of the selected server"));
    m_details->setWordWrap(true);
    right->addWidget(framedData(m_details), 3);
    m_empty->setObjectName(u"importEmpty"_s);
    right->addWidget(m_empty, 3);
    columns->addLayout(right, 1);

    auto *bottom = new QHBoxLayout;
    m_message->setObjectName(u"importMessage"_s);
    m_message->setWordWrap(true);
    m_message->setDim(true);
    bottom->addWidget(m_message, 1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_import->setObjectName(u"importAccept"_s);
    m_import->setAutoDefault(false);
    m_import->setMinimumHeight(inputHeight());
    buttons->addButton(m_import, QDialogButtonBox::AcceptRole);
    bottom->addWidget(buttons);
    outer->addLayout(bottom);
    // What comes from elsewhere is added only by a deliberate choice.
    QPushButton *cancel = buttons->button(QDialogButtonBox::Cancel);
    cancel->setDefault(true);

    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QListWidget::currentRowChanged, this, &ImportDialog::showSource);
    connect(file, &QPushButton::clicked, this, &ImportDialog::chooseFile);
    connect(pasteText, &QPushButton::clicked, this, &ImportDialog::paste);
    connect(m_table, &QTableWidget::itemChanged, this, &ImportDialog::onItemChanged);
    connect(m_table, &QTableWidget::currentCellChanged, this, &ImportDialog::showDetails);
    for (const HostConfig &config : found)
        addSource(sourceOf(config));
    m_foundCount = found.size();
    m_list->setCurrentRow(firstUsable());
    showSource(m_list->currentRow());
    (m_table->rowCount() > 0 ? m_table : m_foundCount > 0 ? static_cast<QWidget *>(m_list) : file)->setFocus();
}

// Of those found; -1: there are none.
int ImportDialog::firstUsable() const
{
    const auto end = m_sources.cbegin() + m_foundCount;
    const auto usable = std::find_if(m_sources.cbegin(), end, [](const Source &each) { return !each.config.error; });
    return m_foundCount == 0 ? -1 : usable == end ? 0 : int(usable - m_sources.cbegin());
}

void ImportDialog::setFound(const QList<HostConfig> &found)
{
    const auto isSame = [](const HostConfig &a, const HostConfig &b) {
        return a.path == b.path && a.error.message == b.error.message && a.findings == b.findings &&
               a.isReadableByOthers == b.isReadableByOthers &&
               std::equal(a.servers.cbegin(), a.servers.cend(), b.servers.cbegin(), b.servers.cend(),
                          [](const HostServer &one, const HostServer &other) {
                              return one.spec == other.spec && one.isDisabled == other.isDisabled &&
                                     one.scope == other.scope;
                          });
    };
    const QList<Source> before = m_sources.first(m_foundCount);
    if (std::equal(before.cbegin(), before.cend(), found.cbegin(), found.cend(),
                   [&isSame](const Source &a, const HostConfig &b) { return isSame(a.config, b); }))
        return;
    const QList<Source> others = m_sources.sliced(m_foundCount);
    const int current = m_list->currentRow();
    int row = current < m_foundCount ? -1 : current - int(m_foundCount) + int(found.size());
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        m_sources.clear();
        for (const HostConfig &config : found) {
            const auto known = std::find_if(before.cbegin(), before.cend(),
                                            [&](const Source &each) { return isSame(each.config, config); });
            if (row < 0 && current >= 0 && before.at(current).config.path == config.path)
                row = int(m_sources.size());
            addSource(known == before.cend() ? sourceOf(config) : *known);
        }
        m_foundCount = found.size();
        for (const Source &source : others)
            addSource(source);
        m_list->setCurrentRow(row < 0 ? firstUsable() : row);
    }
    showSource(m_list->currentRow());
}

ImportDialog::Source ImportDialog::sourceOf(const HostConfig &config) const
{
    Source source{config, {}};
    QStringList taken;
    for (const ServerSpec &each : std::as_const(m_existing))
        taken.append(each.name);
    for (const HostServer &server : config.servers) {
        Row row;
        const auto known = std::find_if(m_existing.cbegin(), m_existing.cend(),
                                        [&](const ServerSpec &each) { return isSameServer(each, server.spec); });
        row.isKnown = known != m_existing.cend();
        // Perhaps the keychain has it not: it was locked when the server was imported.
        if (row.isKnown && !valuesOfReferences(*known, server.spec).isEmpty())
            row.fillsIn = known->name;
        // A name is shown in many places; nothing that cannot be seen gets into it.
        const QString wish = visibleLine(server.spec.name.trimmed(), 200);
        const QString base = wish.isEmpty() ? tr("server") : wish;
        row.name = base;
        for (int number = 2; taken.contains(row.name); ++number)
            row.name = u"%1 %2"_s.arg(base, QString::number(number));
        if (!row.fillsIn.isEmpty())
            row.name = row.fillsIn;
        taken.append(row.name);
        row.isChecked = !row.isKnown && !server.isDisabled && server.problems.isEmpty();
        source.rows.append(row);
    }
    return source;
}

void ImportDialog::addSource(const Source &source)
{
    m_sources.append(source);
    const HostConfig &config = source.config;
    const QString count =
        config.error ? tr("cannot be read") : counted(config.servers.size(), tr("1 server"), tr("%1 servers"));
    auto *item = new QListWidgetItem(visibleLine(config.title(), 60) + u"   "_s + count, m_list);
    item->setToolTip(plainToolTip(config.path.isEmpty() ? config.title() : config.path));
    item->setSizeHint({0, rowHeight()});
}

void ImportDialog::addFile(const QString &path)
{
    runOnWorker(
        this, [path] { return readHostFile(path); },
        [this](const std::optional<HostConfig> &config) {
            if (config) {
                addSource(sourceOf(*config));
                m_list->setCurrentRow(m_list->count() - 1);
            }
        });
}

void ImportDialog::addText(const QString &text)
{
    if (text.size() > MaxClipboard) {
        m_message->setText(tr("The text is too long to be a list of servers."));
        return;
    }
    runOnWorker(
        this, [text] { return readHostText(text.toUtf8()); },
        [this](const std::optional<HostConfig> &config) {
            if (config) {
                addSource(sourceOf(*config));
                m_list->setCurrentRow(m_list->count() - 1);
            }
        });
}

void ImportDialog::paste()
{
    const QMimeData *mime = QGuiApplication::clipboard()->mimeData();
    const QStringList files = mime ? droppedFiles(mime) : QStringList();
    for (const QString &path : files)
        addFile(path);
    if (files.isEmpty())
        addText(mime ? mime->text() : QString());
}

void ImportDialog::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Import servers from a file"), QDir::homePath(),
                                                      tr("Configurations (*.json *.jsonc *.toml);;All files (*)"),
                                                      nullptr, QFileDialog::Options());
    if (!path.isEmpty())
        addFile(path);
}

QStringList ImportDialog::droppedFiles(const QMimeData *mime)
{
    QStringList files;
    const QList<QUrl> urls = mime->urls();
    for (const QUrl &url : urls) {
        if (url.isLocalFile())
            files.append(url.toLocalFile());
    }
    return files;
}

void ImportDialog::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls() || event->mimeData()->hasText())
        event->acceptProposedAction();
}

void ImportDialog::dropEvent(QDropEvent *event)
{
    const QStringList files = droppedFiles(event->mimeData());
    for (const QString &path : files)
        addFile(path);
    if (files.isEmpty())
        addText(event->mimeData()->text());
    event->acceptProposedAction();
}

void ImportDialog::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Paste))
        paste();
    else
        QDialog::keyPressEvent(event);
}

const ImportDialog::Source *ImportDialog::shown() const
{
    const int index = m_list->currentRow();
    return index >= 0 && index < m_sources.size() ? &m_sources[index] : nullptr;
}

QString ImportDialog::noteOf(const HostServer &server, const Row &row) const
{
    QStringList notes;
    if (!server.problems.isEmpty())
        notes.append(tr("cannot be started"));
    if (!row.fillsIn.isEmpty() && row.isChecked && row.name == row.fillsIn)
        notes.append(tr("already in the list; adds missing secrets"));
    else if (row.isKnown)
        notes.append(tr("already in the list"));
    else if (row.name != server.spec.name)
        notes.append(tr("renamed"));
    if (server.isDisabled)
        notes.append(tr("disabled"));
    if (server.secretCount() > 0)
        notes.append(counted(server.secretCount(), tr("1 secret"), tr("%1 secrets")));
    if (!server.scope.isEmpty())
        notes.append(visibleLine(server.scope.section(u'/', -1), 30));
    return notes.join(u" · "_s);
}

void ImportDialog::showSource(int index)
{
    m_filling = true;
    m_table->setRowCount(0);
    m_banner->hide();
    const Source *source = shown();
    m_where->setServerText(source ? shortPath(source->config.path) : QString());
    m_where->setVisible(source && !source->config.path.isEmpty());
    if (source) {
        const HostConfig &config = source->config;
        if (config.error)
            m_banner->setContent(Tone::ProtocolError, visibleText(config.error.message), config.error.hint);
        else if (const QString exposure = config.exposure(); !exposure.isEmpty())
            m_banner->setContent(Tone::Finding, tr("Other users can read these secrets"), visibleText(exposure));
        else if (!config.findings.isEmpty())
            m_banner->setContent(Tone::Finding, visibleText(config.findings.first()));
        else if (config.servers.isEmpty())
            m_banner->setContent(Tone::Finding, tr("This file describes no servers"));
        m_banner->setVisible(config.error || !config.exposure().isEmpty() || !config.findings.isEmpty() ||
                             config.servers.isEmpty());
        m_table->setRowCount(int(config.servers.size()));
        for (int row = 0; row < m_table->rowCount(); ++row) {
            const HostServer &server = config.servers[row];
            auto *name = new QTableWidgetItem(source->rows[row].name);
            name->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsEditable);
            name->setCheckState(source->rows[row].isChecked ? Qt::Checked : Qt::Unchecked);
            name->setToolTip(tr("Double-click or press F2 to rename"));
            m_table->setItem(row, ImportName, name);
            for (const auto &[column, text] : {std::pair(ImportStarts, serverSummary(server)),
                                               std::pair(ImportNote, noteOf(server, source->rows[row]))}) {
                auto *item = new QTableWidgetItem(text);
                item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
                item->setToolTip(plainToolTip(text));
                m_table->setItem(row, column, item);
            }
        }
    }
    m_filling = false;
    fitNotes();
    if (m_table->rowCount() > 0)
        m_table->setCurrentCell(0, ImportName);
    Q_UNUSED(index);
    showDetails();
    updateState();
}

// Most servers have none: what they start gets the room.
void ImportDialog::fitNotes()
{
    m_table->resizeColumnToContents(ImportNote);
    if (m_table->columnWidth(ImportNote) > MaxNotesWidth)
        m_table->setColumnWidth(ImportNote, MaxNotesWidth);
}

void ImportDialog::showDetails()
{
    const Source *source = shown();
    const int row = m_table->currentRow();
    const bool hasRow = source && row >= 0 && row < source->config.servers.size();
    m_details->setText(
        hasRow ? serverDetails(source->config.servers[row], tr("•••••••• (secret, goes to the keychain)")).toUtf8()
               : QByteArray());
}

void ImportDialog::onItemChanged(QTableWidgetItem *item)
{
    const int index = m_list->currentRow();
    if (m_filling || item->column() != ImportName || index < 0)
        return;
    Row &row = m_sources[index].rows[item->row()];
    row.isChecked = item->checkState() == Qt::Checked;
    row.name = item->text().trimmed();
    m_filling = true;
    m_table->item(item->row(), ImportNote)->setText(noteOf(m_sources[index].config.servers[item->row()], row));
    m_filling = false;
    fitNotes();
    updateState();
}

QString ImportDialog::nameProblem(const Source &source, qsizetype row) const
{
    const QString &name = source.rows[row].name;
    if (name.isEmpty())
        return tr("Enter a name for each server.");
    if (name == source.rows[row].fillsIn)
        return {};
    const auto isTaken = [&](const ServerSpec &each) { return each.name == name; };
    bool isTwice = std::any_of(m_existing.cbegin(), m_existing.cend(), isTaken);
    for (qsizetype i = 0; i < row; ++i)
        isTwice = isTwice || (source.rows[i].isChecked && source.rows[i].name == name);
    return isTwice ? tr("A server named “%1” already exists. Double-click the name to change it.")
                         .arg(visibleLine(name, 60))
                   : QString();
}

void ImportDialog::updateState()
{
    const Source *source = shown();
    qsizetype count = 0;
    QString problem;
    for (qsizetype row = 0; source && row < source->rows.size(); ++row) {
        if (!source->rows[row].isChecked)
            continue;
        ++count;
        if (problem.isEmpty())
            problem = nameProblem(*source, row);
    }
    m_import->setEnabled(count > 0 && problem.isEmpty());
    m_import->setText(count > 0 ? tr("Import %1").arg(counted(count, tr("1 server"), tr("%1 servers"))) : tr("Import"));
    m_empty->setVisible(m_sources.isEmpty());
    for (QWidget *content : {static_cast<QWidget *>(m_table), m_details->parentWidget()})
        content->setVisible(!m_sources.isEmpty());
    m_message->setText(!problem.isEmpty()    ? problem
                       : m_sources.isEmpty() ? QString()
                                             : tr("Importing starts nothing. Check what each server would run."));
}

QList<HostServer> ImportDialog::chosen() const
{
    QList<HostServer> servers;
    const Source *source = shown();
    for (qsizetype row = 0; source && row < source->rows.size(); ++row) {
        if (source->rows[row].isChecked) {
            servers.append(source->config.servers[row]);
            servers.last().spec.name = source->rows[row].name;
        }
    }
    return servers;
}

}  // namespace sonde::ui
