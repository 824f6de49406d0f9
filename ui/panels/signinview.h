// Signing in to a server: each step with what went over the wire, the page to visit, and what was granted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/signin.h"
#include "core/connection/connection.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace sonde::ui {

class AddressBox;
class Badge;
class FactRows;
class FittedTextView;
class JsonTreeView;
class LineInput;
class StepRows;
class TextLabel;

// Hidden where there is nothing to say about it. Opens no page before the person has clicked.
class SignInView : public QWidget {
    Q_OBJECT
public:
    explicit SignInView(QWidget *parent = nullptr);
    void setConnection(Connection *connection);  // may be null; not owned
    QWidget *openButton() const;                 // what the person is waited for with

private:
    void follow();
    void refresh();
    void setShown(QWidget *part, bool isShown);
    void showState();
    QString messageText() const;
    void showPage();
    void showSteps();
    void showTokens();
    void showDetails();
    void openPage();
    void submitAddress();
    QByteArray detailsOf(const SignInStep &step) const;

    QPointer<Connection> m_connection;
    QPointer<OAuth> m_signIn;
    Badge *m_badge;
    TextLabel *m_message;
    QPushButton *m_signInButton;
    QPushButton *m_refreshButton;
    QPushButton *m_signOutButton;
    QPushButton *m_cancelButton;
    QWidget *m_visit;
    QVBoxLayout *m_visitColumn;
    TextLabel *m_visitText;
    AddressBox *m_address = nullptr;
    QUrl m_shownPage;
    QPushButton *m_openButton;
    LineInput *m_pasted;
    QPushButton *m_pasteButton;
    TextLabel *m_pasteProblem;
    FactRows *m_facts;
    JsonTreeView *m_claims;
    QByteArray m_shownToken;
    StepRows *m_steps;
    QList<SignInStep> m_shownSteps;
    int m_openStep = -1;
    FittedTextView *m_details;
    QTimer m_clock;  // so that "expires in" stays true
};

}  // namespace sonde::ui
