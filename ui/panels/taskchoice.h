// Whether a tool is run as a task, and how long the server should keep that.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/client/dialect.h"

#include <QWidget>

class QCheckBox;

namespace sonde::ui {

class LineInput;

// Shown where a call has to ask for a task. Spec (2025-11-25): basic/utilities/tasks.
class TaskChoice : public QWidget {
    Q_OBJECT
public:
    explicit TaskChoice(QWidget *parent = nullptr);

    // toolSupport: "required", "optional", or something else for none.
    void offer(const QString &toolSupport, const TaskSupport &server);
    TaskOptions options() const;

private:
    void refresh();

    QCheckBox *m_asTask;
    QWidget *m_time;
    LineInput *m_ttl;  // s
};

}  // namespace sonde::ui
