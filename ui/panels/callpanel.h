// A tab with a form on the left, the result on the right and previous calls below it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/panels/callhistory.h"
#include "ui/panels/callsubject.h"
#include "ui/panels/savedcallmaker.h"

#include <QPointer>
#include <QWidget>
#include <optional>

class QSplitter;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace sonde::json {
class Pointer;
}

namespace sonde::ui {

class ArgumentSuggestions;
class CallQuestion;
class CollapsibleText;
class FlatButton;
class FormJson;
class JsonEditor;
class PrimaryButton;
class ProblemLine;
class RequiredUrlsBanner;
class ResourceWatch;
class SavedCallBar;
class SchemaForm;
class SchemaWindow;
class SegmentedControl;
class SubjectHead;
class TaskChoice;
class TextLabel;
class UnsentBanner;
struct FormIssue;
struct FormSteps;

// What is filled in, as it was typed: in a form the JSON that would be sent.
struct CallDraft {
    QByteArray text;
    QString mode;  // as CallPanel::mode() has it
    bool operator==(const CallDraft &) const = default;
};

// Form, result and history stay while the server restarts or changes its lists. A running call ends with it.
class CallPanel : public QWidget {
    Q_OBJECT
public:
    CallPanel(const OfferRef &ref, Connection *connection, QWidget *parent = nullptr);
    ~CallPanel() override;

    const OfferRef &ref() const { return m_subject.ref; }
    Connection *connection() const { return m_connection; }
    ResultView *result() const { return m_result; }
    QString name() const;  // of what it calls, as the tree has it
    QString mark() const;  // in front of its name on the tab: whether the resource is subscribed

    QByteArray arguments() const;  // JSON text as it would be sent now
    void setArguments(const QByteArray &json);
    void noteLeftOut(const QString &text);  // that something is missing in them; until the call
    CallDraft draft() const;
    void restore(const CallDraft &draft);               // without telling of the mode
    const SchemaForm &form() const { return *m_form; }  // has the steps of the JSON beside it, too
    void setUndoSteps(const FormSteps &steps);          // of the form of another panel, whose draft was restored
    void copyAs(bool asCommand);                        // for sonde-cli; otherwise the arguments as JSON
    // Arguments of an earlier start, with a note and a button that removes them. Members that the tool no longer has
    // are dropped. Does nothing without arguments.
    void recall(const QByteArray &json);
    const json::Value &inputSchema() const { return m_subject.inputSchema; }
    void call();
    // Of a tab whose ref() has a saved call: its file, as it is now. Arguments that were edited stay.
    void setSavedCall(const Result<SavedCall> &file);
    const SavedCall *savedCall() const;  // null: it is no such tab
    bool isAsInFile() const;             // of such a tab: nothing is filled in that is not in its file
    bool isUnsaved() const;              // of such a tab: edited since the file was read or saved
    bool saveToFile();                   // false: it is no such tab, or it failed, which is said
    // What was read of this resource before, while the server lets it be used again. False: nothing.
    bool showFreshRead();
    void cancel();
    void stepHistory(int direction);  // -1: older, 1: newer
    bool isRunning() const { return !m_call.isNull(); }
    bool isTaskRunning() const { return m_call && m_call->task(); }  // which goes on when the tab is closed
    QString task() const;                                            // its ID; empty: it is none
    // That its call ran as at an earlier start: what follows it now, its result, or that the server has lost it.
    void showTask(const QString &id);
    // Its previous calls, newest first, as setPastCalls() of another panel takes them: it shows the newest.
    QList<PastCall> pastCalls() const;
    void setPastCalls(const QList<PastCall> &calls);
    void focusForm();
    void focusPlace(const json::Pointer &place);
    void refresh();  // the server's name may be another one
    // How the arguments are edited: "form", "both" or "json". Others change nothing.
    QString mode() const;
    void setMode(const QString &mode);

Q_SIGNALS:
    void resourceActivated(const QString &uri);
    void renamed();
    void runningChanged();
    void called(const QByteArray &arguments);  // as they were sent
    void restartRequested();
    void saveAsRequested(const sonde::ui::NewSavedCall &made);  // as a saved call
    void modeChanged();
    void edited();            // by the user
    void argumentsChanged();  // by whomever

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *makeFormSide();
    void makeAbout();
    void makeResultSide();
    QWidget *makeRecalledLine();
    void showMode(int mode);
    void showSchema();
    void placeAbout();
    void fitHeight();
    void divide();
    bool hasSuggestions() const;
    bool isJsonAboveResult() const;
    void fitHistory();
    void checkJson();
    void markFocused();
    bool hasObject();
    QList<FormIssue> shownIssues() const;
    void updateProblems();
    void updatePreview();
    CallOptions callOptions() const;
    const Tool *tool() const;  // that is called here; null: it is no tool, or not there
    void updateQuestion();
    void onConfirmed(bool always);
    void goToProblem();  // the first of them
    void followCall(Call *call, const QByteArray &arguments);
    void onFinished(const Outcome &outcome, const QByteArray &arguments);
    void onReadAgain(const Outcome &outcome);
    void showPast(int row);
    void compareWithPast(int row);
    void makeSavedCallBar();
    void saveCall();
    void savePast(int row);

    CallSubject m_subject;
    QPointer<Connection> m_connection;
    QPointer<Call> m_call;
    bool m_isCancelledByUser = false;
    QByteArray m_shownSchema;
    int m_mode = 0;

    SubjectHead *m_head;
    QWidget *m_about;  // scrolls with what is filled in
    TextLabel *m_server;
    TextLabel *m_caption;
    FlatButton *m_schema;
    QPointer<SchemaWindow> m_schemaWindow;
    FlatButton *m_example;
    CollapsibleText *m_description;
    TextLabel *m_notCallable;
    TextLabel *m_findings;
    TextLabel *m_note;
    QWidget *m_recalled;
    TextLabel *m_leftOut;
    SegmentedControl *m_modeSwitch;
    QStackedWidget *m_editors;
    QSplitter *m_sides;   // form and JSON, where both are shown
    QWidget *m_jsonPane;  // above the result, where there is no room for JSON beside the form
    QSplitter *m_results;
    TextLabel *m_blocked;  // why the form cannot be edited
    SchemaForm *m_form;
    ArgumentSuggestions *m_suggestions = nullptr;  // where there are any
    QVBoxLayout *m_plain;                          // the page of JSON, and of what takes no arguments
    JsonEditor *m_json;
    FormJson *m_formJson;
    TextLabel *m_preview;
    QWidget *m_actions;  // the question before a call is in their place
    TaskChoice *m_asTask;
    ProblemLine *m_problems;
    PrimaryButton *m_callButton;
    QToolButton *m_copyButton;
    CallQuestion *m_question;
    UnsentBanner *m_unsent;
    RequiredUrlsBanner *m_requiredUrls;
    ResultView *m_result;
    ResourceWatch *m_watch = nullptr;  // of a resource
    SavedCallBar *m_saved = nullptr;   // of a saved call
    CallHistoryModel *m_history;
    CallHistoryView *m_historyView;
    QWidget *m_historyBox;
    QSplitter *m_splitter;
    std::optional<double> m_formShare;  // of the splitter, chosen by the user
};

}  // namespace sonde::ui
