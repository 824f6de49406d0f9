// What was open the last time comes back, and what is open is kept for the next time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/closedtabs.h"
#include "app/gui/statefile.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <memory>
#include <utility>

namespace sonde::app {

class CurrentView;
class MainWindow;
class Settings;
class TabController;
class Workspace;

// Servers are offered to be connected again, never started. While the window is open, its state is saved a few seconds
// after each change, so that little is lost when the program is killed. Does not own its parts. GUI thread.
class LastState : public QObject {
    Q_OBJECT
public:
    using Contents = QHash<qsizetype, TabContents>;  // of tabs that wait for nothing, by their numbers

    struct Parts {
        Workspace *workspace;
        TabController *tabs;
        CurrentView *view;
        MainWindow *window;
        const Settings *settings;
    };

    explicit LastState(const Parts &parts, QObject *parent = nullptr);
    ~LastState() override;

    // Once, after the list of servers was read. Until then nothing is saved.
    void restore();
    void saveNow() { save(false); }
    void saveAtEnd();  // before connections are closed

    // For a window that takes the place of this one over the same workspace: nothing is left out, not even secrets,
    // for it stays in memory. Saving ends here, and goes on where it is taken over.
    struct Handover {
        WindowState state;
        Contents contents;
        QList<ClosedTabs::Tab> closed;
        QList<int> reconnectable;            // servers that are still offered
        QStringList savedSessions;           // see sayCrashed()
        std::pair<QString, QString> notice;  // as it was said, where it has no remedy
        QPointer<QObject> noticeAbout;       // what the remedy is about, in the former window or outside of it
        std::unique_ptr<StateFile> file;
    };
    Handover handOver();
    void takeOver(Handover handover);

Q_SIGNALS:
    void notSaved(const sonde::Error &reason);
    void saved();
    void repeatRequested(const QObject *about);  // what the notice of the window before said about it, with its remedy

private:
    bool isWanted() const;
    void show(const WindowState &state);
    void showTabs(const WindowState &state, const Contents &contents = {});
    void sayCrashed(const QStringList &savedSessions);
    void sayAgain(const Handover &handover);
    void followChanges();
    void save(bool hasEnded);
    WindowState stateNow(Contents *contents = nullptr);  // with contents: for another window, so with every secret
    void addTabs(WindowState *state, Contents *contents);
    void addDraft(const ui::CallPanel &panel, TabState *tab);

    struct KeptDraft {
        ui::CallDraft kept;
        bool hasLeftOut = false;
    };

    const Parts m_parts;
    std::unique_ptr<StateFile> m_file;  // null before restore(), and after the end
    QList<TabState> m_unplaced;         // of servers that are not in the list now
    // By panels, until something changes there: what may be kept takes a search for secrets.
    QHash<const QObject *, KeptDraft> m_drafts;
    QStringList m_savedSessions;  // that the line about a crash names
    QTimer m_soon;
};

}  // namespace sonde::app
