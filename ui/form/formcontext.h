// Shared by the fields of one form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shapevalues.h"
#include "ui/form/fieldsearch.h"
#include "ui/form/formhistory.h"

#include <QObject>
#include <QPointer>
#include <QSet>
#include <QTimer>

#include <memory>

namespace sonde::ui {

class Editor;
class Field;
class FieldColumn;

class FormContext : public QObject {
    Q_OBJECT
public:
    explicit FormContext(QObject *parent);
    ~FormContext() override;

    // Groups beyond these limits are collapsed; pages are shown one at a time.
    static constexpr int EagerFields = 200;
    static constexpr int EagerDepth = 6;  // of what is required and not sent yet
    static constexpr int OpenDepth = 12;  // of what is sent
    static constexpr int PageSize = 100;
    static constexpr int FieldsPerTurn = 4;  // drawn in one turn of the event loop

    ShapeValues values{ShapeReader()};
    const ShapeReader &reader() const { return values.reader(); }
    Draft::Ptr root;
    FormHistory history;
    int fieldCount = 0;
    // An elicitation and its like: fields are shown by their titles, and a list of an enum is a set of check boxes.
    bool isForPerson = false;
    bool takesPlaceholders = false;  // the arguments of a saved call, see CallString
    bool isPlaceholder(const json::Value &value) const;
    std::shared_ptr<const FieldFilter> filter;  // null: all fields are shown
    const FieldFilter *filterAt(const json::Pointer &place) const;
    // Lists that are shown as tables.
    bool isTable(const Draft &list) const { return m_tables.contains(list.pointer().toString()); }
    void setTable(const Draft &list, bool isTable);
    bool opensFound = false;          // few are found: they are shown wherever they are
    QSet<const Field *> withProblem;  // what was typed there is not what the place asks for

    bool isLarge() const { return fieldCount >= EagerFields; }

    void countField();
    void want(FieldColumn *column);  // some of its fields are to be drawn
    // As many of those wanted as this turn has room for, but at least so many; the others in later turns.
    void draw(int least = 0);
    bool isDrawing() const { return !m_wanted.isEmpty(); }
    // A field was drawn out of turn: the next turn lays out and paints where it is, and draws nothing.
    void setRevealed() { m_hasRevealed = true; }

    // Edits that an editor has not written to the draft yet, because that is slow, are written now.
    void defer(Editor *editor);
    void settle();
    bool isPrepared() const;  // settle() does not take long

    // Hides a part of the form, and deletes it once the current signal is over, of which it may be the sender. Out of
    // the window at once: when a widget within one goes, Qt looks through all that is in it, so that the parts of deep
    // forms would be looked through again for each level above them.
    void discard(QWidget *part);
    void deleteDiscarded();

    // The layout shows a new editor in the next turn of the event loop. Only then does it take the focus, unless
    // another one is to have it by then, or the user has moved on.
    void focusLater(QWidget *control);

    // Undo and redo belong to the form while one of these inputs has the focus.
    void watch(QWidget *editor);
    bool eventFilter(QObject *watched, QEvent *event) override;

Q_SIGNALS:
    void edited(const sonde::json::Pointer &place);  // by the user
    void built();                                    // fields came or went: issues must be shown again
    void submitted();
    void undoRequested();
    void redoRequested();
    void focusRequested(const sonde::json::Pointer &place);
    void prepared();  // what was put off can be written now

private:
    void runTurn();
    QList<QPointer<FieldColumn>> m_wanted;  // the last one first: what is within a field comes before what is below it
    QList<QPointer<Editor>> m_deferred;
    QSet<QString> m_tables;  // by their pointers
    QPointer<QWidget> m_toFocus;
    QTimer m_turn;
    int m_drawnInTurn = 0;
    bool m_isInDraw = false;
    bool m_hasRevealed = false;
    std::unique_ptr<QWidget> m_discarded;  // never shown
};

}  // namespace sonde::ui
