// What is known of a task: status, message, times. For a call that runs as one, and for lists of tasks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/taskstate.h"
#include "ui/theme/theme.h"

#include <QWidget>

namespace sonde {
class Call;
}

namespace sonde::ui {

class Badge;
class TextLabel;

Tone toneOf(TaskState::Status status);
QString badgeText(TaskState::Status status);
// Of a task that the server does not know any more.
QString lostBadgeText();
QString lostText();
// "t1 · since 2026-08-01 10:00:00 · kept until …": one paragraph, made visible.
QString taskTimes(const TaskState &task);

class TaskFacts : public QWidget {
    Q_OBJECT
public:
    explicit TaskFacts(QWidget *parent = nullptr);
    void show(const Call *call);  // hides itself where the call has no task

private:
    Badge *m_status;
    TextLabel *m_message;
    TextLabel *m_times;
    TextLabel *m_next;
};

}  // namespace sonde::ui
