// The page of a server: how it is started, the steps of the start, what it reported, and why it is not running.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "core/doctor/doctor.h"

#include <QPointer>
#include <QSet>
#include <QTimer>
#include <QWidget>
#include <memory>

class QBoxLayout;
class QPushButton;
class QScrollArea;

namespace sonde::ui {

class Badge;
class ApprovalView;
class Banner;
class FactRows;
class FittedTextView;
class FlatButton;
class FlowLayout;
class GuidedWalk;
class JsonTreeView;
class KeptInSight;
class LogLevelRow;
class OfferIconLabel;
class PrimaryButton;
class SignInView;
class StepRows;
class SubscriptionRows;
class TextLabel;
class WalkView;
struct Fact;

class ServerPanel : public QWidget {
    Q_OBJECT
public:
    explicit ServerPanel(QWidget *parent = nullptr);
    ~ServerPanel() override;
    // connection: null until the server is started for the first time. Not owned.
    void setServer(const ServerSpec &spec, Connection *connection);
    Connection *connection() const { return m_connection; }
    void setEditable(bool editable);  // the built-in server is not
    void setWalk(GuidedWalk *walk);   // not owned; null: none
    void showSignIn();                // scrolls to where the person signs in

Q_SIGNALS:
    void editRequested();
    void restartRequested();  // or started, where it does not run
    void detectRequested();   // of the protocol, where the revision is not chosen
    void cancelRequested();   // while it is being started
    void pingRequested();
    void tasksRequested();
    void approvalChanged(bool isAsked);  // whether the page asks if the server may be started
    void approvalNotRemembered(const sonde::Error &error);
    // certificate: the fingerprint of the one that was not trusted, or empty.
    void remedyRequested(sonde::Remedy remedy, const QString &certificate);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void refreshClock();
    void placeHead();
    void examine();
    void showDoctor();
    Error shownError() const;
    bool isExamined() const { return m_doctor && m_connection && m_connection->error(); }
    void showRows();
    QList<Fact> offerFacts() const;
    QList<Fact> connectionFacts() const;
    QList<Fact> launchRows() const;
    QString offeredText() const;
    void foldLaunch();
    QScrollArea *page() const;
    void keepInSight(QWidget *button);
    void showIcons();
    QSet<QString> iconHosts() const;
    bool areIconsAllowed() const;
    QString listLines() const;
    void refreshLists();
    void showEvidence(const QString &text);

    ServerSpec m_spec;
    QPointer<Connection> m_connection;
    std::unique_ptr<Doctor> m_doctor;      // of a start that failed
    std::unique_ptr<KeptInSight> m_sight;  // where the person signs in or approves
    std::unique_ptr<KeptInSight> m_launchInSight;
    bool m_isEditable = true;
    QTimer m_clock;
    QBoxLayout *m_head;  // the name and the buttons
    FlowLayout *m_buttons;
    OfferIconLabel *m_icon;
    TextLabel *m_title;
    TextLabel *m_subtitle;
    Badge *m_badge;
    Banner *m_banner;
    QPushButton *m_remedy;
    StepRows *m_doctorRows;
    TextLabel *m_evidenceCaption;
    FittedTextView *m_evidence;
    ApprovalView *m_approval;
    SignInView *m_signIn;
    WalkView *m_walk;
    FactRows *m_offer;         // what the server says of itself
    FactRows *m_rows;          // how the connection is
    FlatButton *m_showLaunch;  // while it is connected
    QWidget *m_launchArea;
    FactRows *m_launch;      // how it was started
    StepRows *m_startSteps;  // one of these rows
    FlatButton *m_detect;    // beside the protocol revision, where one was detected
    LogLevelRow *m_logLevel;
    SubscriptionRows *m_subscriptions;
    FlatButton *m_remoteIcons;  // loads those that would have to be fetched, or ceases to
    TextLabel *m_instructionsCaption;
    FittedTextView *m_instructions;
    TextLabel *m_capabilitiesCaption;
    JsonTreeView *m_capabilities;
    QPushButton *m_cancel;
    PrimaryButton *m_restart;
    QPushButton *m_ping;
    QPushButton *m_tasks;
    QPushButton *m_refreshLists;
    QPushButton *m_edit;
};

}  // namespace sonde::ui
