// Below the field that is typed in: the values that the server suggests for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/argumentcompletion.h"
#include "ui/panels/offermodel.h"

#include <QStandardItemModel>

class QCompleter;

namespace sonde::ui {

class GrowingTextEdit;
class SchemaForm;

// For the form of a prompt or a template. Ctrl+Space asks without anything being typed.
class ArgumentSuggestions : public QObject {
    Q_OBJECT
public:
    // Nothing for subjects that have no completion.
    static bool isFor(const OfferRef &ref);

    ArgumentSuggestions(const OfferRef &ref, Connection *connection, SchemaForm *form);

    bool isOffered() const { return m_completion.isOffered(); }
    void drop();  // those that are shown, and those that are still to come

private:
    GrowingTextEdit *edit() const;  // that has the focus, or null
    QString argument() const;       // that it belongs to
    void ask(bool isTyped);
    void show(const ArgumentCompletion::Suggestions &suggestions);
    void take(const QModelIndex &index);

    SchemaForm *const m_form;
    ArgumentCompletion m_completion;
    QStandardItemModel m_values;
    QCompleter *m_completer;
    QString m_taken;  // the last value chosen: it needs no suggestions
};

}  // namespace sonde::ui
