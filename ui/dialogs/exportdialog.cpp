// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/exportdialog.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/json/background.h"
#include "ui/result/outcometext.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/opener.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTableWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum Column { KindColumn, WhereColumn, CountColumn, MarkColumn, RedactionColumnCount };

constexpr int TypingMs = 400;       // after the last key press, the preview is updated
constexpr int ShortestWord = 4;     // characters; shorter ones would hit everywhere
constexpr int ShownSecrets = 1000;  // rows of the table

// Whole words only; the other secrets are found by name and format.
QString cell(const QString &text)
{
    return visibleLine(text, 200);
}

}  // namespace

ExportDialog::ExportDialog(const ExportSource &source, QWidget *parent)
    : QDialog(parent),
      m_source(source),
      m_format(new QComboBox),
      m_formatNote(new TextLabel),
      m_scope(new QComboBox),
      m_words(new LineInput),
      m_wordsNote(new TextLabel),
      m_summary(new TextLabel),
      m_progress(new QProgressBar),
      m_table(new QTableWidget(0, RedactionColumnCount)),
      m_path(new LineInput),
      m_browse(new QPushButton(tr("Browse…"))),
      m_confirmation(new Banner),
      m_replace(new QPushButton(tr("Replace"))),
      m_result(new Banner),
      m_openFolder(new QPushButton(tr("Open folder"))),
      m_copyPath(new QPushButton(tr("Copy path"))),
      m_resultButtons(new QWidget),
      m_export(nullptr)
{
    layOut();
    connectParts();
    updateFormat();
    askForPreview();
}

ExportDialog::~ExportDialog()
{
    stop();
}

void ExportDialog::layOut()
{
    setObjectName(u"exportDialog"_s);
    setWindowTitle(tr("Export %1").arg(visibleLine(m_source.serverName, 60)));
    resize(760, 600);
    m_format->setObjectName(u"exportFormat"_s);
    m_format->setAccessibleName(tr("Format"));
    m_format->addItem(tr("JSON Lines: one message per line"), int(ExportFormat::JsonLines));
    m_format->addItem(tr("HAR: HTTP exchanges for other tools"), int(ExportFormat::Har));
    m_format->addItem(tr("Markdown: readable report"), int(ExportFormat::Markdown));
    m_format->addItem(tr("HTML: single page for a bug report"), int(ExportFormat::Html));
    m_formatNote->setObjectName(u"exportFormatNote"_s);
    m_scope->setObjectName(u"exportScope"_s);
    m_scope->setAccessibleName(tr("Records"));
    m_scope->addItem(m_source.count < 0 ? tr("All records") : tr("All %1 records").arg(grouped(m_source.count)),
                     int(AllRows));
    if (m_source.isFiltered)
        m_scope->addItem(tr("Records shown in the timeline"), int(ShownRows));
    if (m_source.selected > 0)
        m_scope->addItem(counted(m_source.selected, tr("Selected record"), tr("%1 selected records")),
                         int(SelectedRows));
    if (m_source.startsSelected)
        m_scope->setCurrentIndex(m_scope->findData(int(SelectedRows)));
    m_words->setObjectName(u"exportWords"_s);
    m_words->setAccessibleName(tr("Additional words to redact"));
    m_words->setPlaceholderText(tr("Names, keys, addresses; separated by commas"));
    m_wordsNote->setObjectName(u"exportWordsNote"_s);
    m_path->setObjectName(u"exportPath"_s);
    m_path->setAccessibleName(tr("File"));
    m_browse->setObjectName(u"exportBrowse"_s);
    m_browse->setAutoDefault(false);
    for (TextLabel *note : {m_formatNote, m_wordsNote}) {
        note->setDim(true);
        note->setFont(smallFont());
        note->setElided(true);
        note->setMinimumWidth(40);
        note->hide();
    }

    auto *form = new QFormLayout;
    form->setHorizontalSpacing(2 * Grid);
    form->setVerticalSpacing(Grid);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Format"), m_format);
    form->addRow(QString(), m_formatNote);
    form->addRow(tr("Records"), m_scope);
    form->addRow(tr("Also redact"), m_words);
    form->addRow(QString(), m_wordsNote);
    auto *file = new QHBoxLayout;
    file->setSpacing(Grid);
    file->addWidget(m_path, 1);
    file->addWidget(m_browse);
    form->addRow(tr("File"), file);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_export = new PrimaryButton(tr("Export"));
    m_export->setObjectName(u"exportStart"_s);
    m_export->setMinimumSize(100, 28);
    buttons->addButton(m_export, QDialogButtonBox::ActionRole);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    column->addLayout(form);
    column->addWidget(makeMaskTable(), 1);
    column->addWidget(makeResultLine());
    column->addWidget(buttons);
    m_export->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QWidget *ExportDialog::makeMaskTable()
{
    auto *box = new QWidget;
    m_summary->setObjectName(u"exportSummary"_s);
    m_summary->setElided(true);
    m_summary->setMinimumWidth(40);
    m_summary->setStrong();
    m_progress->setObjectName(u"exportProgress"_s);
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(15 * Grid, Grid);
    auto *head = new QHBoxLayout;
    head->addWidget(m_summary, 1);
    head->addWidget(m_progress);
    m_table->setObjectName(u"exportMasked"_s);
    m_table->setAccessibleName(tr("Redacted values"));
    m_table->setHorizontalHeaderLabels({tr("Kind"), tr("Location"), tr("Occurrences"), tr("Replacement")});
    m_table->horizontalHeaderItem(CountColumn)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setUpRows(m_table);
    m_table->horizontalHeader()->setSectionResizeMode(WhereColumn, QHeaderView::Stretch);
    m_table->horizontalHeader()->resizeSection(KindColumn, 14 * Grid);
    m_table->horizontalHeader()->resizeSection(CountColumn, 12 * Grid);
    m_table->horizontalHeader()->resizeSection(MarkColumn, 27 * Grid);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, Grid / 2, 0, 0);
    column->setSpacing(Grid / 2);
    column->addLayout(head);
    column->addWidget(m_table, 1);
    return box;
}

QWidget *ExportDialog::makeResultLine()
{
    auto *box = new QWidget;
    m_confirmation->setObjectName(u"exportQuestion"_s);
    m_replace->setObjectName(u"exportReplace"_s);
    m_replace->setAutoDefault(false);
    m_confirmation->addControl(m_replace);
    m_result->setObjectName(u"exportResult"_s);
    m_openFolder->setObjectName(u"exportOpenFolder"_s);
    m_copyPath->setObjectName(u"exportCopyPath"_s);
    m_openFolder->setAutoDefault(false);
    m_copyPath->setAutoDefault(false);
    auto *row = new QHBoxLayout(m_resultButtons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Grid);
    row->addWidget(m_openFolder);
    row->addWidget(m_copyPath);
    row->addStretch(1);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    column->addWidget(m_confirmation);
    column->addWidget(m_result);
    column->addWidget(m_resultButtons);
    m_confirmation->hide();
    m_result->hide();
    m_resultButtons->hide();
    return box;
}

void ExportDialog::connectParts()
{
    m_typing.setSingleShot(true);
    m_typing.setInterval(TypingMs);
    connect(&m_typing, &QTimer::timeout, this, &ExportDialog::askForPreview);
    connect(m_format, &QComboBox::currentIndexChanged, this, [this] {
        updateFormat();
        askForPreview();
    });
    connect(m_scope, &QComboBox::currentIndexChanged, this, &ExportDialog::askForPreview);
    connect(m_words, &QLineEdit::textChanged, this, [this] { m_typing.start(); });
    connect(m_browse, &QPushButton::clicked, this, &ExportDialog::choosePath);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::startExport);
    connect(m_replace, &QPushButton::clicked, this, [this] { start(target()); });
    connect(m_path, &QLineEdit::textChanged, this, [this](const QString &path) {
        m_export->setEnabled(!path.trimmed().isEmpty());
        m_confirmation->hide();
        m_confirmed.clear();
    });
    connect(m_openFolder, &QPushButton::clicked, this, [this] { openFolder(QFileInfo(m_written).absolutePath()); });
    connect(m_copyPath, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_written); });
}

ExportFormat ExportDialog::format() const
{
    return ExportFormat(m_format->currentData().toInt());
}

QString ExportDialog::suggestedPath() const
{
    QString name = m_source.path.isEmpty() ? m_source.serverName : QFileInfo(m_source.path).completeBaseName();
    static const QRegularExpression unusual(u"[^\\w.-]+"_s, QRegularExpression::UseUnicodePropertiesOption);
    name = name.replace(unusual, u"-"_s).left(80);
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DownloadLocation);
    return (QDir(folder).exists() ? folder : QDir::homePath()) + u'/' + (name.isEmpty() ? u"session"_s : name) + u'.' +
           suffix(format());
}

void ExportDialog::updateFormat()
{
    const bool isHar = format() == ExportFormat::Har;
    m_formatNote->setText(isHar ? tr("Contains HTTP exchanges only; nothing from stdio servers.") : QString());
    m_formatNote->setVisible(isHar);
    // A path that the user typed stays, except for its suffix.
    const QString typed = m_path->text();
    if (typed.isEmpty() || typed == m_suggested) {
        m_suggested = suggestedPath();
        m_path->setText(m_suggested);
        return;
    }
    const QFileInfo file(typed);
    static const QStringList known{u"jsonl"_s, u"har"_s, u"md"_s, u"html"_s};
    if (known.contains(file.suffix()))
        m_path->setText(typed.chopped(file.suffix().size()) + suffix(format()));
}

QStringList ExportDialog::words() const
{
    QStringList result;
    for (const QString &word : m_words->text().split(u',')) {
        if (word.trimmed().size() >= ShortestWord)
            result << word.trimmed();
    }
    return result;
}

void ExportDialog::choosePath()
{
    auto *dialog = new QFileDialog(this, tr("Export to"));
    dialog->setObjectName(u"exportFileDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDirectory(QFileInfo(m_path->text()).absolutePath());
    dialog->selectFile(QFileInfo(m_path->text()).fileName());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        m_path->setText(QDir::toNativeSeparators(path));
        m_confirmed = path;  // it has asked already
    });
    dialog->open();
}

void ExportDialog::askForPreview()
{
    m_typing.stop();
    const QStringList typed = m_words->text().split(u',', Qt::SkipEmptyParts);
    const bool hasShort = std::any_of(typed.begin(), typed.end(), [](const QString &word) {
        return !word.trimmed().isEmpty() && word.trimmed().size() < ShortestWord;
    });
    m_wordsNote->setText(hasShort ? tr("Words shorter than four characters are not redacted.") : QString());
    m_wordsNote->setVisible(hasShort);
    start({});
}

QString ExportDialog::target() const
{
    return QFileInfo(m_path->text().trimmed()).absoluteFilePath();
}

void ExportDialog::startExport()
{
    const QString path = target();
    if (QFileInfo(path).isDir()) {
        m_result->setContent(Tone::ProtocolError, tr("Not exported"),
                             tr("%1 is a folder. Enter a file name.").arg(path));
        m_result->show();
        return;
    }
    if (!QFileInfo::exists(path) || path == m_confirmed) {
        start(path);
        return;
    }
    m_result->hide();
    m_resultButtons->hide();
    m_confirmation->setContent(Tone::ToolError, tr("This file already exists"), visibleLine(path));
    m_confirmation->show();
}

void ExportDialog::stop()
{
    ++m_generation;
    if (m_stop)
        *m_stop = true;
}

void ExportDialog::start(const QString &target)
{
    stop();
    m_stop = std::make_shared<std::atomic_bool>(false);
    ExportJob job{m_source.path, {}, {format(), std::nullopt, words(), m_stop}, target};
    const auto scope = Scope(m_scope->currentData().toInt());
    if (scope == ShownRows)
        job.options.rows = m_source.shownRows;
    else if (scope == SelectedRows)
        job.options.rows = m_source.selectedRows;
    setBusy(target.isEmpty() ? tr("Scanning for secrets…") : tr("Exporting…"));
    if (!target.isEmpty()) {
        m_confirmed.clear();  // for this once
        m_confirmation->hide();
    }
    m_result->hide();
    m_resultButtons->hide();
    m_export->setEnabled(target.isEmpty() && !m_path->text().trimmed().isEmpty());

    if (m_source.session)
        m_source.session->flush();
    // Records that a failed recording holds in memory are not in the file.
    if (m_source.session && (m_source.path.isEmpty() || m_source.session->error()))
        job.snapshot = SessionSnapshot(*m_source.session);
    runInBackground<ExportReport>(
        this, [job] { return runExport(job); },
        [this, target, asked = m_generation](const ExportReport &report) {
            if (asked == m_generation)
                showReport(report, target);
        });
}

void ExportDialog::setBusy(const QString &doing)
{
    m_progress->setVisible(!doing.isEmpty());
    if (!doing.isEmpty())
        m_summary->setText(doing);
}

void ExportDialog::showReport(const ExportReport &report, const QString &target)
{
    setBusy({});
    m_export->setEnabled(true);
    showMasked(report.masked);
    if (report.error) {
        QString text = report.error.message;
        if (!report.error.hint.isEmpty())
            text += u' ' + report.error.hint;
        m_result->setContent(Tone::ProtocolError,
                             target.isEmpty() ? tr("The session cannot be read") : tr("Not exported"), text);
        m_result->show();
        return;
    }
    if (format() == ExportFormat::Har && report.count == 0) {
        m_result->setContent(Tone::ToolError, tr("No HTTP exchanges among these records"),
                             tr("The HAR file would be empty. Choose another format."));
        m_result->show();
    }
    if (target.isEmpty())
        return;
    m_written = target;
    if (report.count > 0 || format() != ExportFormat::Har)
        m_result->setContent(Tone::Ok, tr("Exported"),
                             u"%1 · %2"_s.arg(QDir::toNativeSeparators(target), sizeText(report.size)));
    m_result->show();
    m_resultButtons->show();
}

void ExportDialog::showMasked(const QList<MaskedSecret> &masked)
{
    m_table->setRowCount(int(qMin<qsizetype>(masked.size(), ShownSecrets)));
    qsizetype times = 0;
    for (qsizetype i = 0; i < masked.size(); ++i) {
        const MaskedSecret &secret = masked[i];
        times += secret.occurrences;
        if (i >= ShownSecrets)
            continue;
        const int row = int(i);
        m_table->setItem(row, KindColumn, new QTableWidgetItem(cell(secret.kind)));
        auto *where = new QTableWidgetItem(tr("%1, first in #%2").arg(cell(secret.where)).arg(secret.firstNumber));
        where->setToolTip(plainToolTip(where->text()));
        m_table->setItem(row, WhereColumn, where);
        auto *count = new QTableWidgetItem(grouped(secret.occurrences));
        count->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_table->setItem(row, CountColumn, count);
        auto *mark = new QTableWidgetItem(cell(secret.mark));
        mark->setFont(monoFont());
        m_table->setItem(row, MarkColumn, mark);
    }
    m_summary->setText(masked.isEmpty() ? tr("No secrets detected. Review the file before you share it.")
                                        : tr("%1 redacted, in %2")
                                              .arg(counted(masked.size(), tr("1 secret is"), tr("%1 secrets are")),
                                                   counted(times, tr("1 place"), tr("%1 places"))));
}

}  // namespace sonde::ui
