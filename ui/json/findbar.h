// The search line at the upper right corner of a text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QAbstractScrollArea;
class QLineEdit;

namespace sonde::ui {

class TextLabel;

// Enter finds the next, Shift+Enter the previous place, Esc closes.
class FindBar : public QFrame {
    Q_OBJECT
public:
    explicit FindBar(QAbstractScrollArea *area);
    void popUp();
    void place();
    void setFound(bool found);

Q_SIGNALS:
    void findRequested(const QString &needle, bool forward);
    void closed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QAbstractScrollArea *m_area;
    QLineEdit *m_edit;
    TextLabel *m_response;
};

}  // namespace sonde::ui
