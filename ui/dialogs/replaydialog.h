// Asks what to replay, and against which server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/recordedserver.h"
#include "core/replay/replayplan.h"
#include "ui/dialogs/formdialog.h"

#include <QPointer>

class QComboBox;
class QLineEdit;
class QRadioButton;

namespace sonde {
class Session;
}

namespace sonde::ui {

class FilterLine;

class ReplayDialog : public FormDialog {
    Q_OBJECT
public:
    struct Recording {
        QString path;
        QString serverName;
        QString text;  // what it is called in the list
    };
    struct Choices {
        QList<Recording> recordings;  // the first is preselected
        QList<ServerSpec> servers;
        // The session in the timeline; completions and selection apply only to its path.
        QString shownPath;
        const Session *shown = nullptr;
        QList<qsizetype> selectedRows;
        bool startsSelected = false;  // these are proposed, where there are any
        QString folder;               // where other files are looked for
    };

    explicit ReplayDialog(const Choices &choices, QWidget *parent = nullptr);

    ReplayPlan plan() const;
    void chooseRecording(const QString &path);  // also one that is not in the list
    // The server is one that only the recording names, and nobody has typed.
    bool isServerRecorded() const;

private:
    QWidget *makeRecordingRow();
    QWidget *makeServerRows();
    QWidget *makeCallRows();
    void browse();
    void onRecordingChanged();
    void updateState();
    QString problem() const;
    Result<ServerSpec> server() const;
    void proposeLine();
    bool isLineProposed() const;
    const Recording *recording() const;

    Choices m_choices;
    RecordedServer m_recorded;  // how the recording's server was reached; empty where it does not tell
    QPointer<const Session> m_shown;
    QComboBox *m_recordings;
    QComboBox *m_servers;
    QLineEdit *m_line;
    QRadioButton *m_all;
    QRadioButton *m_selected;
    QRadioButton *m_matching;
    FilterLine *m_filter;
    QComboBox *m_destructive;
};

}  // namespace sonde::ui
