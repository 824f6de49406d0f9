// SPDX-License-Identifier: Apache-2.0
#include "ui/result/taskfacts.h"

#include "core/client/call.h"
#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxTaskMessage = 300;  // the whole is in the tool tip
constexpr qsizetype MaxTaskId = 80;

QString nextText(const Call &call)
{
    if (call.isTaskUnreachable())
        return TaskFacts::tr("Not connected. Polling resumes when the server is connected.");
    const qint64 ms = call.nextLookMs();
    if (ms >= 0)
        return TaskFacts::tr("Next poll in %1 s.").arg((ms + 999) / 1000);
    return call.task()->status == TaskState::Status::InputRequired ? TaskFacts::tr("Waiting for your response.")
                                                                   : TaskFacts::tr("Polling…");
}

}  // namespace

Tone toneOf(TaskState::Status status)
{
    switch (status) {
        case TaskState::Status::Working:
            return Tone::Accent;
        case TaskState::Status::InputRequired:
            return Tone::Asks;
        case TaskState::Status::Completed:
            return Tone::Ok;
        case TaskState::Status::Failed:
            return Tone::ToolError;
        case TaskState::Status::Cancelled:
            break;
    }
    return Tone::NoResponse;
}

QString badgeText(TaskState::Status status)
{
    return sign(toneOf(status)) + u' ' + nameOf(status);
}

QString lostBadgeText()
{
    return sign(Tone::NoResponse) + u' ' + TaskFacts::tr("lost");
}

QString lostText()
{
    return TaskFacts::tr("Lost: the server no longer knows this task.");
}

QString taskTimes(const TaskState &task)
{
    QStringList parts{TaskFacts::tr("Task %1").arg(visibleLine(task.id, MaxTaskId))};
    if (task.createdAt.isValid())
        parts << TaskFacts::tr("since %1").arg(dateTimeText(task.createdAt));
    if (task.updatedAt.isValid() && task.updatedAt != task.createdAt)
        parts << TaskFacts::tr("updated %1").arg(dateTimeText(task.updatedAt));
    if (task.ttl && task.createdAt.isValid())
        parts << TaskFacts::tr("kept until %1").arg(dateTimeText(task.createdAt.addMSecs(task.ttl->count())));
    return parts.join(u" · "_s);
}

TaskFacts::TaskFacts(QWidget *parent)
    : QWidget(parent), m_status(new Badge), m_message(new TextLabel), m_times(new TextLabel), m_next(new TextLabel)
{
    m_status->setObjectName(u"taskStatus"_s);
    m_message->setObjectName(u"taskMessage"_s);
    m_times->setObjectName(u"taskTimes"_s);
    m_next->setObjectName(u"taskNext"_s);
    for (TextLabel *label : {m_message, m_times, m_next}) {
        label->setWordWrap(true);
        label->setMinimumWidth(40);
    }
    m_times->setDim(true);
    m_times->setFont(smallFont());
    m_next->setDim(true);
    m_next->setFont(smallFont());
    auto *row = new QHBoxLayout;
    row->setSpacing(Grid);
    row->addWidget(m_status, 0, Qt::AlignTop);
    row->addWidget(m_message, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    column->addLayout(row);
    column->addWidget(m_times);
    column->addWidget(m_next);
    hide();
}

void TaskFacts::show(const Call *call)
{
    const TaskState *task = call ? call->task() : nullptr;
    setVisible(task);
    if (!task)
        return;
    m_status->setContent(badgeText(task->status), toneOf(task->status));
    m_message->setText(visibleText(task->message, {.keepNewlines = true, .maxLength = MaxTaskMessage}));
    m_message->setToolTip(plainToolTip(visibleText(task->message, {.keepNewlines = true, .maxLength = 2000})));
    m_times->setText(taskTimes(*task));
    m_next->setText(nextText(*call));
}

}  // namespace sonde::ui
