// Asks in which field of which tool a value is to be used.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "ui/dialogs/formdialog.h"

class QCheckBox;
class QComboBox;
class QListWidget;

namespace sonde::ui {

struct UseTarget {
    QString name;          // of the tool, or of the saved call
    QString detail;        // such as "open tab"
    json::Value schema;    // of its arguments
    bool isSaved = false;  // a saved call, whose arguments can have placeholders
};

class UseInDialog : public FormDialog {
    Q_OBJECT
public:
    // placeholder: what stands for the value in a saved call; empty: nothing can.
    UseInDialog(const json::Value &value, const QList<UseTarget> &targets, const QString &placeholder,
                QWidget *parent = nullptr);

    int target() const;
    QString field() const;
    QByteArray argument() const;  // JSON: the value, or the placeholder

private:
    void fillFields();
    void updateState();

    const json::Value m_value;
    const QList<UseTarget> m_targets;
    const QString m_placeholder;
    QComboBox *m_target;
    QListWidget *m_fields;
    QCheckBox *m_asPlaceholder;
};

// Whether the schema of a property names the type of this value; true where it names none.
bool fitsType(const json::Value &schema, const json::Value &value);
// The object with that member, in its place where there is one and else at the end. value: JSON.
QByteArray withMember(const QByteArray &object, const QString &name, const QByteArray &value);

}  // namespace sonde::ui
