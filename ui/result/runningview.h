// A running call: progress, elapsed time and a way to cancel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>

class QProgressBar;
class QPushButton;

namespace sonde::ui {

class TaskFacts;
class TextLabel;

// A request of the server that a call waits for.
struct AwaitedInput {
    QString time;  // since it came, in words
    bool isInSight = false;
};

class RunningView : public QWidget {
    Q_OBJECT
public:
    explicit RunningView(QWidget *parent = nullptr);
    void watch(Call *call);  // null: stop watching
    // What that call waits for; nothing: not for the user. Asked several times a second.
    using InputCheck = std::function<std::optional<AwaitedInput>(const Call &)>;
    void setInputCheck(InputCheck check) { m_inputCheck = std::move(check); }
    // Why the server cannot be reached at the moment; empty: it can.
    void setConnectionProblem(const QString &problem);

Q_SIGNALS:
    void cancelRequested();
    void requestShown(sonde::Call *call);  // the user wants to see the server's request
    void requestCame(sonde::Call *call);   // it is in sight

private:
    void showProgress(const Progress &progress);
    void showElapsed();
    InputCheck m_inputCheck;
    bool m_waitsForUser = false;
    bool m_isRequestInSight = false;
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
