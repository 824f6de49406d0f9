// A form made from a JSON Schema, which returns JSON without loss.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

#include <QStringList>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

namespace sonde {

struct Shape;
class ShapeValues;

}  // namespace sonde

namespace sonde::ui {

struct FormSteps;

struct FormIssue {
    json::Pointer place;
    QString message;
    QStringList words = {};  // the place, see placeWords(); none of what a server names
    bool isRemark = false;   // the value is valid all the same, see schema::Issue
    // The place by positions among members and items, as far as the value has it. Given where an object has a key
    // twice.
    QList<qsizetype> path = {};
};

// Fields are in the schema's order. An optional field is omitted until edited. A loaded value is returned with the same
// keys, key order and number spelling, including unknown members; a place without an editor of its own is edited as
// JSON. A wrong value can be sent: issues() only reports. The form scrolls. Tab moves between fields; Alt with the left
// and right arrows also reaches the small buttons. A new value leaves the focus where it is.
class SchemaForm : public QWidget {
    Q_OBJECT
public:
    explicit SchemaForm(QWidget *parent = nullptr);
    ~SchemaForm() override;

    // A widget above the fields that scrolls with them; null: none. Its owner gives it a new parent.
    void setHeader(QWidget *header);
    void setSchema(const json::Value &schema);  // the inputSchema of a tool; clears the value
    void setValue(const json::Value &value);    // comes back as it is; Missing: like clear()
    void fillDefaults();                        // of a new form: members with a default are sent with it
    void fillExample();                         // in place of the value, once a worker has found one
    void setForPerson();                        // see FormContext::isForPerson; before setSchema()
    void setTakesPlaceholders();                // of a saved call: they stand for values; before setSchema()
    void setEmptyText(const QString &text);     // for a schema without members; before setSchema()
    QByteArray value() const;                   // JSON text as it would be sent
    // value() for a worker: what is long is shared with it. May be called once the form is gone.
    std::function<QByteArray()> lateValue() const;
    qsizetype valueSize() const;
    bool isPrepared() const;  // none of these has to wait for a long text that was just typed or pasted; see prepared()
    // From now on, missing members are marked too, as after Ctrl+Enter in a field; until the next value.
    void markSubmitted();
    bool hasFields() const;                   // something to fill in, or to add members to by name
    bool accepts(const QString &name) const;  // a member of the arguments that has a place in the form
    void clear();                             // a new form: only constants that must be sent
    // Each edit can be undone, and so can setValue() and clear() after the first one; setSchema() begins anew. After a
    // long text was typed or pasted, the step is taken once a worker has made JSON of it, see isPrepared().
    // False: there was nothing to undo or to do again.
    bool undo();
    bool redo();
    bool canUndo() const;
    bool canRedo() const;
    // For a form that takes the place of this one, with the same schema and value.
    std::shared_ptr<const FormSteps> steps() const;
    void setSteps(const FormSteps &steps);
    // The value as text that is edited elsewhere; a step back or forth brings back the text, too. Of the fields, only
    // those of places that have changed are drawn anew.
    // By the user; the value's own text has no insignificant white space. Missing: the value stays.
    void typeText(const QByteArray &text, const json::Value &value);
    void followText(const QByteArray &text);  // because the value has changed
    QByteArray text() const;                  // the last of them

    bool isBegun() const;             // typed into, filled or submitted: a new form shows no problem beside a field
    QList<FormIssue> issues() const;  // what is wrong with value(), from the top down; judged now
    // The result of the last validation, which runs on another thread soon after each change.
    QList<FormIssue> knownIssues() const;
    // While the value is edited as text elsewhere, issues are about that text; nothing: about the form again.
    void setEditedText(const std::optional<QByteArray> &json);
    // Finds those strings in a value that the form would show as secrets, in the order of the text. On any thread, also
    // once the form is gone.
    std::function<QList<json::Value>(const json::Value &value)> secretFinder() const;
    int fieldCount() const;
    const Shape &shape() const;              // what the schema asks for, as the form shows it
    const ShapeValues &shapeValues() const;  // what decides that
    // Marks from elsewhere (fields named by a server error); removed when the field is edited.
    void setRemoteIssues(const QList<FormIssue> &issues);
    void openFind();  // the line in which fields are looked for, as Ctrl+F does; a large form always shows it
    void focusFirstField();
    void showFirstField();  // scrolls to it, while those around it are created
    void focusPlace(const json::Pointer &place);
    void focusIssue(const FormIssue &issue);  // of an object that is missing, the first field that it requires
    std::optional<json::Pointer> focusedPlace() const;  // of the field that has the focus
    // Scrolls to the field of that place, as far as it is drawn, and marks it; the focus stays where it is.
    void markPlace(const std::optional<json::Pointer> &place);

    QSize sizeHint() const override;

Q_SIGNALS:
    void exampleFilled();
    void exampleMissing();  // none was found that the schema allows
    void changed();         // by the user
    void issuesChanged();   // those known
    void submitted();       // Ctrl+Enter within a field
    void prepared();

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde::ui
