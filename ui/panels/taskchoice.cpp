// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/taskchoice.h"

#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QRegularExpressionValidator>

#include <cmath>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MinTtlWidth = 48;   // px
constexpr int MaxTtlWidth = 130;  // what it says while it is empty fits
constexpr int TtlStretch = 100;   // takes the room before the spacer does

}  // namespace

TaskChoice::TaskChoice(QWidget *parent)
    : QWidget(parent), m_asTask(new QCheckBox(tr("Run as task"))), m_time(new QWidget), m_ttl(new LineInput)
{
    m_asTask->setObjectName(u"runAsTask"_s);
    m_ttl->setObjectName(u"taskTtl"_s);
    m_ttl->setAccessibleName(tr("Requested time to keep the task, in seconds"));
    m_ttl->setPlaceholderText(tr("server decides"));
    m_ttl->setMinimumWidth(MinTtlWidth);
    m_ttl->setMaximumWidth(MaxTtlWidth);
    m_ttl->setValidator(new QRegularExpressionValidator(QRegularExpression(u"\\d{1,9}(\\.\\d{0,3})?"_s), m_ttl));
    m_time->setToolTip(
        tr("The requested ttl: how long the server should keep the task and its result after the start. The server may "
           "choose a different time."));
    auto *time = new QHBoxLayout(m_time);
    time->setContentsMargins(0, 0, 0, 0);
    time->setSpacing(Grid);
    time->addWidget(new TextLabel(tr("Keep for")));
    time->addWidget(m_ttl, TtlStretch);
    time->addWidget(new TextLabel(tr("s")));
    time->addStretch(1);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * Grid);
    row->addWidget(m_asTask);
    row->addWidget(m_time, TtlStretch);
    row->addStretch(1);
    connect(m_asTask, &QCheckBox::toggled, this, &TaskChoice::refresh);
    refresh();
}

void TaskChoice::refresh()
{
    m_time->setVisible(m_asTask->isChecked());
}

void TaskChoice::offer(const QString &toolSupport, const TaskSupport &server)
{
    const bool isRequired = toolSupport == u"required";
    const bool isOffered = isRequired || toolSupport == u"optional";
    setVisible(isOffered && server.calls && server.areAskedFor);
    m_asTask->setEnabled(!isRequired);
    if (isRequired)
        m_asTask->setChecked(true);
    m_asTask->setToolTip(
        isRequired
            ? tr("This tool runs only as a task.")
            : tr("Runs in the background on the server; the result can be read later, even after a restart of Sonde."));
}

TaskOptions TaskChoice::options() const
{
    TaskOptions options;
    options.follow = TaskOptions::Follow::Always;
    options.ask = !isHidden() && m_asTask->isChecked();
    if (options.ask && !m_ttl->text().isEmpty())
        options.ttl = std::chrono::milliseconds(std::llround(m_ttl->text().toDouble() * 1000));
    return options;
}

}  // namespace sonde::ui
