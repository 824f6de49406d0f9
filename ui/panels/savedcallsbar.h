// What the tab of a saved call has beside its form and its result: the file, and how the last call was judged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/savedcalls/callsender.h"
#include "core/savedcalls/callstep.h"
#include "ui/panels/savedcallmaker.h"
#include "ui/theme/theme.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>

class QPushButton;

namespace sonde::ui {

class Banner;
class CallStepWindow;
class FlatButton;
class TextLabel;

// Makes the calls, because of their placeholders, and writes the file. What is not changed here is left in the file as
// it is by then. verdict() is shown elsewhere by whoever embeds this.
class SavedCallBar : public QWidget {
    Q_OBJECT
public:
    // arguments: as they are filled in now.
    explicit SavedCallBar(std::function<QByteArray()> arguments, QWidget *parent = nullptr);

    // As it was read, or why it could not be. Arguments that were edited stay.
    void setFile(const Result<SavedCall> &file);
    const SavedCall &call() const { return m_call; }
    bool isLoaded() const { return !m_call.tool.isEmpty(); }
    bool isEdited() const;   // the arguments are not those of the file
    bool isUnsaved() const;  // they were edited since they were read or saved
    void onArgumentsChanged();
    bool saveArguments(const NewSavedCall &made);  // false: it failed, which is said

    Banner *verdict() const { return m_verdict; }
    void setLow(bool isLow);  // the verdict has little height: its reasons are in its tooltip

    // With these arguments in place of its own. Ends in sent() or notSent().
    void send(Connection *connection, const QByteArray &arguments, const CallOptions &options);
    bool isSending() const { return m_sender != nullptr; }
    void cancelSending();
    // What came of it.
    void judge(const Outcome &outcome, const Session &session);

Q_SIGNALS:
    void sent(sonde::Call *call, const QByteArray &arguments);
    void notSent(const sonde::Error &why, const QByteArray &arguments);
    void saveRequested();
    void argumentsRead(const QByteArray &arguments);  // to be filled in
    void renamed();
    void unsavedChanged();

private:
    void take(const SavedCall &call);
    void reload();
    void keepEdits();
    bool write(const std::function<void(SavedCall &)> &change);
    void setEdited(bool edited);
    void say(const QString &sentence, Tone tone = Tone::Neutral, bool canReload = false);
    void showExpectation();
    void showVerdict();
    void showDifferences();
    void setExpectation(const CallExpectation &expectation);

    const std::function<QByteArray()> m_arguments;
    SavedCall m_call;
    SavedCall m_changed;  // as another program has written it, while the user has to choose
    bool m_isEdited = false;
    bool m_isLow = false;
    QTimer m_soon;    // whether the arguments differ, not at every key
    CallStep m_step;  // the last call
    std::unique_ptr<CallSender> m_sender;
    TextLabel *m_file;
    TextLabel *m_expectation;
    TextLabel *m_said;
    FlatButton *m_save;
    FlatButton *m_reload;
    FlatButton *m_keep;
    Banner *m_verdict;
    QPushButton *m_differences;
    QPushButton *m_accept;
    QPointer<CallStepWindow> m_window;
};

}  // namespace sonde::ui
