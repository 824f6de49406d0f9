// A form made from a JSON Schema, and back to JSON without loss.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

#include <QWidget>
#include <memory>

namespace sonde::ui {

struct FormIssue {
    json::Pointer place;
    QString message;
};

// Fields in the schema's own order. An optional field is not sent until touched. A value that was loaded comes back
// with the same keys, key order and number text, unknown members included; a place whose shape is not drawn is edited
// as JSON. A wrong value can be sent: issues() only says what is wrong. Scrolls by itself. Tab goes from field to
// field, Alt with the left and right arrows also to the small buttons beside them. A new value leaves the focus where
// it is.
class SchemaForm : public QWidget {
    Q_OBJECT
public:
    explicit SchemaForm(QWidget *parent = nullptr);
    ~SchemaForm() override;

    // Stands above the fields and scrolls with them; null: none. Its owner gives it a new parent then.
    void setHeader(QWidget *header);
    void setSchema(const json::Value &schema);  // the inputSchema of a tool; clears the value
    void setValue(const json::Value &value);    // comes back as it is; Missing: like clear()
    QByteArray value() const;                   // JSON text as it would be sent
    // Also what is missing is marked from now on, as with Ctrl+Enter within a field; until the next value.
    void markSubmitted();
    bool hasFields() const;                   // something to fill in, or to add members to by name
    bool accepts(const QString &name) const;  // a member of the arguments that has a place in the form
    void clear();                             // a new form: only constants that must be sent

    QList<FormIssue> issues() const;  // what is wrong with value(), from the top down; judged now
    // The same as of the last time that it was judged, which is done on another thread soon after each change.
    QList<FormIssue> knownIssues() const;
    QList<json::Pointer> fallbacks() const;  // places shown as a raw JSON editor because their shape is not drawn
    int fieldCount() const;
    // Marks from elsewhere (the server's error named a field); gone when the field is edited.
    void setRemoteIssues(const QList<FormIssue> &issues);
    void focusFirstField();
    void focusPlace(const json::Pointer &place);

    QSize sizeHint() const override;

Q_SIGNALS:
    void changed();        // by the person
    void issuesChanged();  // those known
    void submitted();      // Ctrl+Enter within a field

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde::ui
