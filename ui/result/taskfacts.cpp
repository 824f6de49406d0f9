// SPDX-License-Identifier: Apache-2.0
#include "ui/result/taskfacts.h"

#include "core/client/call.h"
#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/result/textblock.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxTaskMessage = 300;  // the whole is in the tool tip
constexpr qsizetype MaxTaskId = 80;
constexpr QChar BreakPlace(0x200B);  // without width

// Its text can have places to break at. Copying gives it without them: the selected part, or else all.
class TaskTimesLabel final : public TextLabel {
public:
    using TextLabel::TextLabel;

protected:
    void mouseReleaseEvent(QMouseEvent *event) override
    {
        TextLabel::mouseReleaseEvent(event);
        if (hasSelectedText() && QGuiApplication::clipboard()->supportsSelection())
            copyTo(QClipboard::Selection);
    }

    void contextMenuEvent(QContextMenuEvent *event) override
    {
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->setObjectName(u"taskTimesMenu"_s);
        menu->addAction(TextBlock::tr("Copy"), this, [this] { copyTo(QClipboard::Clipboard); });
        menu->popup(event->globalPos());
    }

private:
    void copyTo(QClipboard::Mode mode) const
    {
        const QString copied = hasSelectedText() ? selectedText() : text();
        QGuiApplication::clipboard()->setText(QString(copied).remove(BreakPlace), mode);
    }
};

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
    : QWidget(parent), m_status(new Badge), m_message(new TextLabel), m_times(new TaskTimesLabel), m_next(new TextLabel)
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
    const QString id = visibleLine(task->id, MaxTaskId);
    const QString times = taskTimes(*task);
    m_times->setAccessibleName(times);
    // By itself a line does not break before a digit.
    m_times->setText(QString(times).replace(id, QString(id).replace(u'-', u'-' + QString(BreakPlace))));
    m_next->setText(nextText(*call));
}

}  // namespace sonde::ui
