// Finds fields of a form, hides the others and leads from one match to the next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/fieldsearch.h"
#include "ui/form/formcontext.h"

#include <QPointer>
#include <QTimer>
#include <optional>

class QKeyEvent;

namespace sonde::ui {

class FieldFindBar;

// Ctrl+F opens the bar, F3 and Shift+F3 go through the matches, Down enters the one that is shown, Esc ends. A worker
// searches. What is hidden keeps its value. While the value is edited, fields stay visible that were found before.
class FieldFind : public QObject {
    Q_OBJECT
public:
    FieldFind(FormContext *context, FieldFindBar *bar);

    // Another form. isLarge: its bar is always there.
    void setForm(const schema::Schema &rules, const Shape &shape, bool isLarge);
    void onLoaded();  // another value
    void onEdited();
    void setAtFault(const QSet<QString> &pointers);  // fields that have a problem
    void open();
    // A key that was pressed within the form. True: it was for this.
    bool handleKey(QKeyEvent *event);

Q_SIGNALS:
    void filterChanged();  // that of the context
    void shown(const sonde::json::Pointer &place);
    void entered(const sonde::json::Pointer &place);  // its field gets the focus
    void ended();                                     // no match is shown any more

private:
    void search(bool isNewQuery);
    void take(const FoundFields &found, bool isNewQuery);
    void step(bool isForward);
    void show(qsizetype index);
    void end();
    void enter();
    void sayCount();

    FormContext *m_context;
    FieldFindBar *m_bar;
    schema::Schema m_rules;
    Shape m_shape;
    bool m_isLarge = false;
    FoundFields m_found;
    qsizetype m_current = -1;
    std::optional<json::Pointer> m_shown;  // the match that was shown last, whether it is one now or not
    QSet<QString> m_atFault;
    bool m_isSearching = false;
    int m_run = 0;  // what an earlier one found is dropped
    QTimer m_later;
    QPointer<QWidget> m_focusBefore;
};

}  // namespace sonde::ui
