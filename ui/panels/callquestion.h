// Asks before a call that may destroy something, and says what has changed about a tool.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/types.h"

#include <QWidget>

class QCheckBox;
class QDialog;
class QPushButton;

namespace sonde::ui {

class Banner;
class DifferenceTable;
class FlatButton;
class TextLabel;
class TextView;

// Beside the work, so that arguments and timeline stay readable. Hidden while there is nothing to say.
class CallQuestion : public QWidget {
    Q_OBJECT
public:
    explicit CallQuestion(QWidget *parent = nullptr);

    // former: its definition before it changed; Missing where it did not. Cancel gets the focus.
    void ask(const Tool &tool, const json::Value &former);
    void tellChange(const Tool &tool, const json::Value &former);  // asks nothing
    void clear();
    bool isAsking() const { return m_isAsking; }
    const Tool &tool() const { return m_tool; }  // that was shown last

Q_SIGNALS:
    void confirmed(bool always);  // also for later calls of the tool as it is defined now
    void declined();
    void seen();

protected:
    void keyPressEvent(QKeyEvent *event) override;  // Esc declines

private:
    void fill(const Tool &tool, const json::Value &former);

    Tool m_tool;
    bool m_isAsking = false;
    Banner *m_banner;
    FlatButton *m_show;
    QDialog *m_window;  // with what has changed; beside it the question can be answered
    DifferenceTable *m_changes;
    TextView *m_difference;
    QCheckBox *m_always;
    QPushButton *m_cancel;
    QPushButton *m_confirm;
    QPushButton *m_seen;
};

}  // namespace sonde::ui
