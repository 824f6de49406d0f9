// Asks for the name and the folder of a new saved call.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/dialogs/formdialog.h"
#include "ui/panels/savedcallmaker.h"

class QCheckBox;
class QLineEdit;

namespace sonde::ui {

class CallFolderChoice;

// Writes nothing itself.
class SaveCallDialog : public FormDialog {
    Q_OBJECT
public:
    // folders: to choose from, the first one preselected; without any the user has to choose one.
    SaveCallDialog(const NewSavedCall &made, const QStringList &folders, QWidget *parent = nullptr);

    SavedCall call() const;  // with its path
    QString folder() const;

private:
    QString problem() const;
    void updateState();

    const NewSavedCall m_made;
    QLineEdit *m_name;
    CallFolderChoice *m_folder;
    QCheckBox *m_expects;
};

}  // namespace sonde::ui
