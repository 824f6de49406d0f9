// A running call: progress, elapsed time and a way to cancel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <functional>

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
    // Whether that call waits for the user's response to a request of the server. Asked several times a second.
    void setInputCheck(std::function<bool(const Call &)> waitsForUser) { m_waitsForUser = std::move(waitsForUser); }
    // Why the server cannot be reached at the moment; empty: it can.
    void setConnectionProblem(const QString &problem);

Q_SIGNALS:
    void cancelRequested();
    void requestShown(sonde::Call *call);  // the user wants to see the server's request

private:
    void showProgress(const Progress &progress);
    void showElapsed();
    std::function<bool(const Call &)> m_waitsForUser;
    QString m_connectionProblem;
    QPointer<Call> m_call;
    QTimer m_tick;
    TextLabel *m_elapsed;
    TaskFacts *m_task;
    TextLabel *m_message;
    QProgressBar *m_bar;
    QPushButton *m_showRequest;
    QPushButton *m_cancel;
};

}  // namespace sonde::ui
