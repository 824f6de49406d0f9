// Editor of a date, a time or both: text, with a calendar and a clock beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/texteditor.h"
#include "ui/form/timetext.h"

namespace sonde::ui {

class FlatButton;

class TimeEditor : public TextEditor {
    Q_OBJECT
public:
    TimeEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
               QWidget *parent);
    static bool isFor(const Shape &shape);
    void rename(const QString &pointer) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void open();
    TimeText::Kind m_kind;
    FlatButton *m_pick;
};

}  // namespace sonde::ui
