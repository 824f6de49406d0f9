// One server request: who asks, what for, and the buttons that respond.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/requests/requestmodel.h"
#include "ui/theme/theme.h"

#include <QTimer>
#include <QWidget>
#include <functional>
#include <utility>

class QMenu;
class QPushButton;
class QToolButton;

namespace sonde::ui {

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
    void showPlace(int row, int count);  // "2 of 3"; count: of those that wait
    void showTime(const QString &time);  // since it came
    // Nothing can be sent any more; only the buttons go. reason: see InputRequest::endReason().
    void showEnd(InputRequest::End how, const QString &reason);
    void showCompleted();  // the server says that the URL is done with
    void showCall(const QString &call);
    bool hasEnded() const { return m_hasEnded; }
    void accept();  // where the focus may be: of the main button
    void focusFirst();
    // Filled in for a request with the same key; offered as a preset.
    void setLast(const QByteArray &draft) { m_last = draft; }
    const QByteArray &ruleKey() const { return m_waiting.ruleKey; }
    // How many others wait that can get the same response; asked for when the menu is opened.
    void setAlikeCount(std::function<qsizetype()> count) { m_alikeCount = std::move(count); }

Q_SIGNALS:
    // Something was sent, which is in draft; the page is not needed any more.
    void responded(const QByteArray &draft);
    void opened();  // accepted; the server may tell when it is completed
    void closed();  // by the user, after the end
    // Send this to all further requests with the same key, as long as the server runs; also to those that wait already.
    void ruleRequested(const QByteArray &result, bool alsoWaiting);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void arm(bool armed);
    void finish(Tone tone, const QString &title, const QString &text);
    enum class Further { No, Later, Waiting };  // which other requests get the same response; Waiting: and later ones
    void send(bool isChecked, Further further);
    void refuse(Error (InputRequest::*how)());
    void refresh();
    void fillMenu();
    void say(const Error &error);

    WaitingRequest m_waiting;
    const bool m_isTold;  // the response is sent to the server
    RequestBody *m_body;
    TextLabel *m_title;
    TextLabel *m_kind;
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
    std::function<qsizetype()> m_alikeCount;
    bool m_hasEnded = false;
    bool m_wasRefused = false;  // an attempt to send was: the problem stays in sight until it is gone
};

}  // namespace sonde::ui
