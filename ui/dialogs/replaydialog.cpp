// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/replaydialog.h"

#include "core/protocol/visibletext.h"
#include "core/server/specsecrets.h"
#include "core/session/sessionfile.h"
#include "core/session/sessionreader.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/filter/filterline.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QRadioButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using Destructive = Replayer::Destructive;

QVBoxLayout *columnOn(QWidget *widget)
{
    auto *column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    return column;
}

// For a file that is not open, the header names the recorded server.
QString serverNameOf(const QString &path)
{
    const Result<std::shared_ptr<SessionFile>> file = SessionFile::open(path);
    if (!file)
        return {};
    SessionReader reader(*file);
    return reader.readHeader() ? QString() : reader.header().serverName;
}

QString doing(const ServerSpec &server)
{
    const QString line = visibleLine(shownTarget(server), 200);
    return server.startsProcess()
               ? ReplayDialog::tr("Starts a separate instance: %1. A running server is not affected.").arg(line)
               : ReplayDialog::tr("Opens a separate connection to %1; an open connection is not affected.").arg(line);
}

}  // namespace

ReplayDialog::ReplayDialog(const Choices &choices, QWidget *parent)
    : FormDialog(u"replay"_s, tr("Replay"), parent),
      m_choices(choices),
      m_shown(choices.shown),
      m_recordings(new QComboBox),
      m_servers(new QComboBox),
      m_line(new LineInput),
      m_all(new QRadioButton(tr("&All calls"))),
      m_selected(new QRadioButton),
      m_matching(new QRadioButton(tr("&Matching a filter"))),
      m_filter(new FilterLine),
      m_destructive(new QComboBox)
{
    setWindowTitle(tr("Replay"));
    setObjectName(u"replayDialog"_s);
    QFormLayout *form = makeForm();
    form->setVerticalSpacing(2 * Grid);
    const auto addRow = [form](const QString &text, QWidget *row, QWidget *buddy) {
        auto *label = new QLabel(text);
        label->setBuddy(buddy);
        // Aligned with the first line of its row, even if the row has several lines.
        label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        label->setContentsMargins(0, Grid / 2 + 1, 0, 0);
        form->addRow(label, row);
    };
    addRow(tr("&Session"), makeRecordingRow(), m_recordings);
    addRow(tr("Tar&get server"), makeServerRows(), m_servers);
    addRow(tr("Calls"), makeCallRows(), m_all);
    m_destructive->setObjectName(u"replayDestructive"_s);
    m_destructive->setAccessibleName(tr("Tools with side effects"));
    m_destructive->setToolTip(tr("All tools that are not annotated as read-only or non-destructive"));
    m_destructive->addItem(tr("Ask before each"), int(Destructive::Ask));
    m_destructive->addItem(tr("Skip"), int(Destructive::Skip));
    m_destructive->addItem(tr("Run without asking"), int(Destructive::Allow));
    addRow(tr("Tools with\nside &effects"), m_destructive, m_destructive);
    m_column->addLayout(form);
    m_column->addStretch(1);
    addMessageAndButtons();

    connect(m_recordings, &QComboBox::currentIndexChanged, this, &ReplayDialog::onRecordingChanged);
    connect(m_servers, &QComboBox::currentIndexChanged, this, &ReplayDialog::updateState);
    connect(m_line, &QLineEdit::textChanged, this, &ReplayDialog::updateState);
    connect(m_matching, &QRadioButton::toggled, this, &ReplayDialog::updateState);
    connect(m_filter, &QLineEdit::textChanged, this, &ReplayDialog::updateState);
    connect(m_filter, &QLineEdit::textEdited, this, [this] { m_matching->setChecked(true); });
    onRecordingChanged();
    m_selected->setChecked(m_choices.startsSelected && m_selected->isEnabled());
}

QWidget *ReplayDialog::makeRecordingRow()
{
    auto *widget = new QWidget;
    auto *row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    m_recordings->setObjectName(u"replayRecording"_s);
    m_recordings->setAccessibleName(tr("Session"));
    m_recordings->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_recordings->setMinimumContentsLength(30);
    m_recordings->view()->setTextElideMode(Qt::ElideMiddle);
    for (const Recording &each : m_choices.recordings)
        m_recordings->addItem(visibleLine(each.text));
    auto *other = new QPushButton(tr("Other file…"));
    other->setObjectName(u"replayOther"_s);
    other->setAutoDefault(false);  // Enter in a line starts
    row->addWidget(m_recordings, 1);
    row->addWidget(other);
    connect(other, &QPushButton::clicked, this, &ReplayDialog::browse);
    return widget;
}

QWidget *ReplayDialog::makeServerRows()
{
    auto *widget = new QWidget;
    auto *column = columnOn(widget);
    m_servers->setObjectName(u"replayServer"_s);
    m_servers->setAccessibleName(tr("Target server"));
    m_servers->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_servers->view()->setTextElideMode(Qt::ElideMiddle);
    for (const ServerSpec &server : m_choices.servers)
        m_servers->addItem(visibleLine(server.name));
    m_servers->addItem(tr("Command line or URL…"));
    m_line->setObjectName(u"replayLine"_s);
    m_line->setAccessibleName(tr("Command line or URL"));
    m_line->setFont(monoFont());
    m_line->setPlaceholderText(u"node build/index.js  ·  https://example.com/mcp"_s);
    column->addWidget(m_servers);
    column->addWidget(m_line);
    return widget;
}

QWidget *ReplayDialog::makeCallRows()
{
    auto *widget = new QWidget;
    auto *column = columnOn(widget);
    m_all->setObjectName(u"replayAll"_s);
    m_selected->setObjectName(u"replaySelected"_s);
    m_matching->setObjectName(u"replayMatching"_s);
    m_filter->setObjectName(u"replayFilterChoice"_s);
    m_filter->setAccessibleName(tr("Filter for calls"));
    m_filter->setPlaceholderText(tr("tool == search and ms > 500"));
    m_filter->setToolTip(tr("Ctrl+Space completes fields, values and JSON pointers"));
    auto *matching = new QHBoxLayout;
    matching->setSpacing(Grid);
    matching->addWidget(m_matching);
    matching->addWidget(m_filter, 1);
    column->addWidget(m_all);
    column->addWidget(m_selected);
    column->addLayout(matching);
    m_all->setChecked(true);
    return widget;
}

const ReplayDialog::Recording *ReplayDialog::recording() const
{
    const int index = m_recordings->currentIndex();
    return index < 0 ? nullptr : &m_choices.recordings.at(index);
}

void ReplayDialog::browse()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Choose a session"), m_choices.folder,
                                                      tr("Sessions (*.mcpsession);;All files (*)"));
    if (!path.isEmpty())
        chooseRecording(path);
}

void ReplayDialog::chooseRecording(const QString &path)
{
    for (qsizetype i = 0; i < m_choices.recordings.size(); ++i) {
        if (m_choices.recordings[i].path == path) {
            m_recordings->setCurrentIndex(int(i));
            return;
        }
    }
    m_choices.recordings.append({path, serverNameOf(path), path.section(u'/', -1)});
    m_recordings->addItem(visibleLine(m_choices.recordings.last().text));
    m_recordings->setCurrentIndex(m_recordings->count() - 1);
}

void ReplayDialog::onRecordingChanged()
{
    const Recording *chosen = recording();
    const bool isShown = chosen && chosen->path == m_choices.shownPath;
    m_recordings->setToolTip(chosen ? plainToolTip(chosen->path) : QString());
    m_filter->setSession(isShown ? m_shown : nullptr);
    const qsizetype selected = isShown ? m_choices.selectedRows.size() : 0;
    m_selected->setText(selected == 0 ? tr("&Selected calls: none")
                                      : counted(selected, tr("&Selected call"), tr("%1 &selected calls")));
    m_selected->setEnabled(selected > 0);
    if (selected == 0 && m_selected->isChecked())
        m_all->setChecked(true);
    // The recorded server if it is known; otherwise the user chooses.
    int match = m_servers->count() - 1;
    for (qsizetype i = 0; chosen && i < m_choices.servers.size(); ++i) {
        if (m_choices.servers[i].name == chosen->serverName)
            match = int(i);
    }
    m_servers->setCurrentIndex(match);
    proposeLine();
    updateState();
}

// For a server that is not in the list. Text typed by the user stays.
void ReplayDialog::proposeLine()
{
    if (!m_line->text().isEmpty() && !isLineProposed())
        return;
    const Recording *chosen = recording();
    const bool isUnknown = m_servers->currentIndex() >= m_choices.servers.size();
    m_recorded = chosen && isUnknown ? recordedServer(chosen->path) : RecordedServer();
    m_line->setText(m_recorded.spec.problems().isEmpty() ? m_recorded.spec.line() : QString());
    m_line->setCursorPosition(0);
}

bool ReplayDialog::isLineProposed() const
{
    return m_line->text() == m_recorded.spec.line();
}

bool ReplayDialog::isServerRecorded() const
{
    return m_servers->currentIndex() >= m_choices.servers.size() && isLineProposed();
}

Result<ServerSpec> ReplayDialog::server() const
{
    const int index = m_servers->currentIndex();
    if (index < m_choices.servers.size())
        return m_choices.servers.at(index);
    Result<ServerSpec> typed = ServerSpec::fromLine(m_line->text().trimmed());
    if (!typed || !isLineProposed())
        return typed;
    ServerSpec proposed = *typed;
    proposed.workingDirectory = m_recorded.spec.workingDirectory;
    return proposed;
}

QString ReplayDialog::problem() const
{
    const Recording *chosen = recording();
    if (!chosen)
        return tr("No sessions yet. Connect to a server, or choose a file.");
    const bool isTyped = m_servers->currentIndex() >= m_choices.servers.size();
    if (isTyped && m_line->text().trimmed().isEmpty() && m_recorded.isUrlMasked)
        return tr("The URL was redacted in the session. Enter it, or choose a server.");
    if (isTyped && m_line->text().trimmed().isEmpty())
        return chosen->serverName.isEmpty()
                   ? tr("Enter a command line or URL.")
                   : tr("“%1” is not in the list of servers. Choose a server, or enter a command line or URL.")
                         .arg(visibleLine(chosen->serverName, 60));
    if (isTyped && holdsSecretMark(m_line->text()))
        return tr("A secret was redacted in the session. Replace ‹…› with the real value.");
    const Result<ServerSpec> spec = server();
    if (!spec)
        return spec.error().message;
    if (const QStringList wrong = spec->problems(); !wrong.isEmpty())
        return wrong.first();
    if (m_matching->isChecked() && m_filter->problem())
        return tr("Filter: %1").arg(m_filter->problemText());
    if (m_matching->isChecked() && m_filter->text().trimmed().isEmpty())
        return tr("Enter a filter, or choose all calls.");
    return {};
}

void ReplayDialog::updateState()
{
    const bool isTyped = m_servers->currentIndex() >= m_choices.servers.size();
    m_line->setVisible(isTyped);
    const QString wrong = problem();
    m_ok->setEnabled(wrong.isEmpty());
    const bool isFilterWrong = m_matching->isChecked() && m_filter->problem();
    m_message->setTone(isFilterWrong ? Tone::ProtocolError : Tone::Neutral);
    m_message->setDim(true);
    const QString recorded = isTyped && isLineProposed() ? tr("Same as when recorded. ") : QString();
    m_message->setServerText(wrong.isEmpty() ? recorded + doing(*server()) : wrong);
}

ReplayPlan ReplayDialog::plan() const
{
    ReplayPlan plan;
    if (const Recording *chosen = recording())
        plan.recordingPath = chosen->path;
    if (const Result<ServerSpec> spec = server(); spec.ok())
        plan.server = *spec;
    if (m_selected->isChecked()) {
        plan.calls = ReplayPlan::Calls::Rows;
        plan.rows = m_choices.selectedRows;
    } else if (m_matching->isChecked()) {
        plan.calls = ReplayPlan::Calls::Matching;
        plan.filter = m_filter->filter();
    }
    plan.destructive = Destructive(m_destructive->currentData().toInt());
    return plan;
}

}  // namespace sonde::ui
