// A running call: progress, elapsed time and a way to cancel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QProgressBar;
class QPushButton;

namespace sonde::ui {

class TaskFacts;
class TextLabel;

class RunningView : public QWidget {
    Q_OBJECT
public:
    explicit RunningView(QWidget *parent = nullptr);
    void watch(Call *call);  // null: stop watching

Q_SIGNALS:
    void cancelRequested();

private:
    void showProgress(const Progress &progress);
    void showElapsed();
    QPointer<Call> m_call;
    QTimer m_tick;
    TextLabel *m_elapsed;
    TaskFacts *m_task;
    TextLabel *m_message;
    QProgressBar *m_bar;
    QPushButton *m_cancel;
};

}  // namespace sonde::ui
