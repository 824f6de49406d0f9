// Asks in which field of which tool a value is to be used. Fields within objects and lists are found by their names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "ui/dialogs/fieldplaces.h"
#include "ui/dialogs/formdialog.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QListWidget;

namespace sonde::ui {

struct UseTarget {
    QString name;           // of the tool, or of the saved call
    QString detail;         // such as "open tab"
    json::Value schema;     // of its arguments
    json::Value arguments;  // as they are filled in; Missing: not at all
    bool isSaved = false;   // a saved call, whose arguments can have placeholders
};

class UseInDialog : public FormDialog {
    Q_OBJECT
public:
    // placeholder: what stands for the value in a saved call; empty: nothing can.
    UseInDialog(const json::Value &value, const QList<UseTarget> &targets, const QString &placeholder,
                QWidget *parent = nullptr);

    int target() const;
    FieldPlace place() const;
    QByteArray argument() const;  // JSON: the value, or the placeholder

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void findPlaces();
    void fillFields();
    void updateState();

    const json::Value m_value;
    const QList<UseTarget> m_targets;
    const QString m_placeholder;
    QList<FieldPlace> m_places;  // of the target
    QComboBox *m_target;
    QLineEdit *m_filter;
    QListWidget *m_fields;
    QCheckBox *m_asPlaceholder;
};

}  // namespace sonde::ui
