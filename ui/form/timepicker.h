// A calendar, a clock or both, in a popup.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/timetext.h"

#include <QFrame>

class QCalendarWidget;
class QTimeEdit;

namespace sonde::ui {

class TextLabel;

// Shows what the text says, or else now. Picks once: Enter, a double click or OK; of a date alone a click is enough.
// Escape and a click elsewhere leave everything as it is. Deletes itself once it is closed.
class TimePicker : public QFrame {
    Q_OBJECT
public:
    TimePicker(TimeText::Kind kind, const QString &text, QWidget *parent);
    void showAt(const QWidget *input);  // below it, or above it where there is no room

Q_SIGNALS:
    void picked(const QString &text);
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void addCalendar(const QDate &date);
    void addClock(const QTime &time);
    void showOffset();
    void showNow();
    void pick();
    const TimeText::Kind m_kind;
    const TimeText m_text;
    QCalendarWidget *m_calendar = nullptr;
    QTimeEdit *m_clock = nullptr;
    TextLabel *m_offset = nullptr;
};

}  // namespace sonde::ui
