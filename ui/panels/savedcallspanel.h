// A tab that runs saved calls one after the other, with what came of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/savedcalls/callsuite.h"
#include "ui/replay/replaybar.h"
#include "ui/theme/theme.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <memory>

class QPushButton;
class QShortcut;

namespace sonde::ui {

class Banner;
class ReplayStepView;
class ReplayStepsModel;
class ReplayStepsTable;

// The report stays when the server goes; connectionLeaves() is to be called before that.
class SavedCallsPanel : public QWidget {
    Q_OBJECT
public:
    // source: the folder or file that the calls are of, by which, with the server, the tab is named. connection: null
    // where the server is gone.
    SavedCallsPanel(const QString &source, const QString &server, const QList<SavedCall> &calls, Connection *connection,
                    QWidget *parent = nullptr);
    ~SavedCallsPanel() override;

    const QString &source() const { return m_source; }
    Connection *connection() const { return m_connection; }
    QString title() const;  // "Saved calls · FOLDER → SERVER"
    bool isRunning() const { return m_suite && m_suite->isRunning(); }
    qsizetype callsLeft() const;                              // that would be cancelled or not made if it ended now
    const CallSuite *suite() const { return m_suite.get(); }  // null: none was started
    std::shared_ptr<CallSuite> sharedSuite() const { return m_suite; }
    const QString &server() const { return m_server; }
    void setServer(const QString &name);  // it was renamed

    // Whether a suite may be run now is the owner's affair; runRequested() asks for it.
    void run(const QList<SavedCall> &calls);
    void showSuite(const std::shared_ptr<CallSuite> &suite);  // that another panel has run to its end
    void sayNotRun();                                         // since it was restored
    void stop();
    void connectionLeaves(const QString &reason);  // a sentence
    void say(Tone tone, const QString &title, const QString &text = {});
    // Of this run; also said when it ends early.
    void noteLeftOut(const QString &title, const QString &text);

Q_SIGNALS:
    void runRequested();  // all of the source, as they are now
    void runOnlyRequested(const QList<sonde::SavedCall> &calls);
    void callChanged(const sonde::SavedCall &call);    // what it expects; to be written to its file
    void openRequested(const sonde::SavedCall &call);  // in a tab of its own

private:
    void onStepChanged(qsizetype index);
    void onFinished();
    void onStateChanged();
    void showSelected();
    void showCounts();
    void showState();
    void applyShown();
    void accept();
    void saveReport(ReplayBar::Report report);
    void sayNotAllRun(const QString &reason);
    QList<SavedCall> notPassed() const;
    void select(qsizetype index);
    qsizetype selected() const;

    const QString m_source;
    QPointer<Connection> m_connection;
    QString m_server;
    std::shared_ptr<CallSuite> m_suite;
    QString m_leftOut;  // see noteLeftOut()
    ReplayBar *m_bar;
    QPushButton *m_runFailed;
    Banner *m_notice;
    ReplayStepsModel *m_model;
    ReplayStepsTable *m_table;
    ReplayStepView *m_view;
    QShortcut *m_escape;
    QTimer m_soon;  // counts, not at every step
};

}  // namespace sonde::ui
