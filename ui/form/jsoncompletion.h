// What the schema offers at the cursor of a JSON text: names of members, and values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shapevalues.h"
#include "ui/form/jsoncaret.h"

#include <QObject>
#include <QStandardItemModel>
#include <optional>

class QCompleter;

namespace sonde::ui {

class JsonEditor;
class SchemaForm;

// Opens as a quote or a word is typed, and with Ctrl+Space. Up and Down choose, Enter and Tab insert, Escape closes.
// Owned by the editor. The form, which has read the schema, must outlive it or go with it.
class JsonCompletion : public QObject {
    Q_OBJECT
public:
    JsonCompletion(JsonEditor *editor, const SchemaForm *form);

    struct Offer {
        QString label;
        QString hint;
        QString description;
        QString text;                      // in place of what is typed
        std::optional<Shape> member = {};  // whose value comes behind the text
    };
    // For a text and a place in it, the best first. Empty as well where the text is too long to be read at each key.
    QList<Offer> offers(const QString &text, int at) const;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QList<Shape> shapesAt(const QString &text, const JsonCaret &caret) const;
    QList<Shape> possible(const Shape &shape, const json::Value &value, const QString &typed, int depth = 0) const;
    QList<Offer> names(const QList<Shape> &shapes, const JsonCaret &caret) const;
    QList<Offer> values(const QList<Shape> &shapes) const;
    QByteArray emptyValue(const Shape &shape) const;
    void show(bool isAsked);
    void insert(int row);

    JsonEditor *m_editor;
    const SchemaForm *m_form;
    QStandardItemModel m_model;
    QList<Offer> m_offers;
    QCompleter *m_completer;
    bool m_isInserting = false;
};

}  // namespace sonde::ui
