// One server request: who asks, what for, and the buttons that respond.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/requests/requestmodel.h"
#include "ui/theme/theme.h"

#include <QTimer>
#include <QWidget>

class QMenu;
class QPushButton;
class QToolButton;

namespace sonde::ui {

class Badge;
class Banner;
class PrimaryButton;
class ProblemLine;
class RequestBody;
class TextLabel;

// Responds through the InputRequest and knows nothing of revisions. Its buttons work only a moment after it has
// appeared, so that a click or key that was meant for something else decides nothing.
class RequestPage : public QWidget {
    Q_OBJECT
public:
    explicit RequestPage(const WaitingRequest &waiting, QWidget *parent = nullptr);

    int number() const { return m_waiting.number; }
    void showPlace(int row, int count);  // "2 of 3"
    void showTime();
    // Nothing can be sent any more; only the buttons go. reason: see InputRequest::endReason().
    void showEnd(InputRequest::End how, const QString &reason);
    void showCompleted();  // the server says that the URL is done with
    void showCall(const QString &call);
    bool hasEnded() const { return m_hasEnded; }
    void accept();  // where the focus may be: of the main button
    void focusFirst();
    // Filled in for a request with the same key; offered as a preset.
    void setLast(const QByteArray &draft) { m_last = draft; }
    const QByteArray &ruleKey() const { return m_ruleKey; }

Q_SIGNALS:
    // Something was sent, which is in draft; the page is not needed any more.
    void responded(const QByteArray &draft);
    void opened();  // accepted; the server may tell when it is completed
    void closed();  // by the user, after the end
    // Send this to all further requests with the same key, as long as the server runs.
    void ruleRequested(const QByteArray &result);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void arm(bool armed);
    void finish(Tone tone, const QString &title, const QString &text);
    void send(bool isChecked, bool always);
    void refuse(Error (InputRequest::*how)());
    void refresh();
    void fillMenu();
    void say(const Error &error);

    WaitingRequest m_waiting;
    const bool m_isTold;  // the response is sent to the server
    const QByteArray m_ruleKey;
    RequestBody *m_body;
    TextLabel *m_title;
    Badge *m_badge;
    TextLabel *m_time;
    TextLabel *m_call;
    Banner *m_end;
    ProblemLine *m_problem;
    PrimaryButton *m_accept;
    QPushButton *m_decline;
    QPushButton *m_cancel;
    QPushButton *m_close;
    QToolButton *m_more;
    QMenu *m_menu;
    QTimer m_arming;
    QByteArray m_last;
    bool m_hasEnded = false;
    bool m_wasRefused = false;  // an attempt to send was: the problem stays in sight until it is gone
};

}  // namespace sonde::ui
