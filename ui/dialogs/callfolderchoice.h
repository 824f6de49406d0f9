// Chooses the folder that saved calls are written to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QComboBox;

namespace sonde::ui {

// One of the folders that are known, or another one. Writes nothing. GUI thread.
class CallFolderChoice : public QWidget {
    Q_OBJECT
public:
    // name: that the parts are called after, "saveCall" for "saveCallFolder", "saveCallOther" and
    // "saveCallFolderDialog". folders: the first one is chosen; without any the user has to choose one.
    CallFolderChoice(const QString &name, const QStringList &folders, QWidget *parent = nullptr);

    QString folder() const;   // empty: none yet
    QString problem() const;  // a sentence that asks for one; empty: one is chosen
    static QString labelText();
    void choose();  // another one, in a dialog

Q_SIGNALS:
    void changed();
    void chosen();  // in the dialog for another one: the next field is due

private:
    const QString m_name;
    QComboBox *m_folder;
};

}  // namespace sonde::ui
