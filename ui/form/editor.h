// Base of the editors: one per kind of value, bound to one place of the draft.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/formcontext.h"

#include <QWidget>

namespace sonde::ui {

class Field;
struct FormIssue;

// Shows the draft and writes the user's edits to it, nothing else. If the place changes in another way, its field
// has the editor reload, or creates a new one.
class Editor : public QWidget {
    Q_OBJECT
public:
    Editor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent)
        : QWidget(parent), m_context(context), m_draft(draft), m_shape(shape)
    {}

    virtual QWidget *control() const = 0;  // what gets the focus and the object name
    virtual void setWrong(bool wrong) { Q_UNUSED(wrong) }
    virtual QString problem() const { return {}; }         // the typed text is not valid here
    virtual QList<Field *> fields() const { return {}; }   // directly within, those drawn so far
    virtual Field *fieldAt(const QString &token) const;    // of that member or item, where it is drawn
    virtual bool hasField(const QString &token) const;     // drawn or not
    virtual qsizetype rankOf(const QString &token) const;  // which one it is from the top, drawn or not
    virtual Field *reveal(const QString &token);           // the field of that member or item, drawn if need be
    virtual void setFilter(const FieldFilter *filter) { Q_UNUSED(filter) }  // null: all within is shown
    // Shows what is within by itself, without fields.
    virtual bool showsInner() const { return false; }
    virtual bool goTo(const QStringList &tokens) { return tokens.isEmpty(); }  // false: nothing to do
    virtual void setInnerIssues(const QList<FormIssue> &issues);
    virtual bool reload() { return false; }               // shows the draft as it is now; false: needs another editor
    virtual void rename(const QString &pointer);          // the place's pointer is new
    virtual void becamePresent() {}                       // the user has set it
    virtual void contentsEdited() {}                      // a place within, or this one
    virtual void settle() {}                              // writes to the draft what it put off
    virtual bool isPrepared() const { return true; }      // settle() does not take long
    virtual void hidePresence() {}                        // it is shown beside the editor
    virtual bool showsPresence() const { return false; }  // says itself whether the place is sent

    const Draft::Ptr &draft() const { return m_draft; }
    const Shape &shape() const { return m_shape; }

Q_SIGNALS:
    void edited();
    void linesEntered(const QStringList &lines);  // several at once, into a row of a list: each is an item
    void outdated();                              // the draft has changed in a way that needs another editor

protected:
    QString placeholder() const;  // what an empty control says
    // For an emptied control: a row stays and is blank, any other place is omitted.
    void writeNothing();

    FormContext *m_context;
    Draft::Ptr m_draft;
    Shape m_shape;
};

// The editor for a shape; never null.
Editor *makeEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                   QWidget *parent);

}  // namespace sonde::ui
