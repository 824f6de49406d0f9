// What servers ask, beside the work: a queue of requests, of which one is shown.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/requests/requestmodel.h"
#include "ui/result/runningview.h"

#include <QHash>
#include <QTimer>
#include <QWidget>
#include <optional>

class QPushButton;
class QStackedWidget;
class QTableView;

namespace sonde::ui {

class FlatButton;
class RequestPage;
class TextLabel;

// Never takes the focus by itself, and never replaces the request that is shown before the user is done with it. Escape
// decides nothing. Requests stay owned by their client.
class RequestPanel : public QWidget {
    Q_OBJECT
public:
    explicit RequestPanel(QWidget *parent = nullptr);
    ~RequestPanel() override;

    // connection: whose request it is.
    void add(InputRequest *request, QObject *connection, const RequestOrigin &origin);
    // What is known of one later than its request. Nothing happens for one that is not here any more.
    void setCall(const InputRequest *request, const QString &call, const RequestId &id);
    void complete(const QObject *connection, const QString &elicitationId);
    // Its requests leave without a word: the user has removed that server.
    void forget(const QObject *connection);
    // Sends this result to those that wait with this key and allow it; how many these were.
    int respondAlike(const QObject *connection, const QByteArray &key, const QByteArray &result);
    // Whether a call of that connection waits for the user, and the request that it waits for: the one that is shown,
    // or the oldest.
    std::optional<AwaitedInput> isWaitedForBy(const QObject *connection, const Call &call) const;
    void showRequestOf(const QObject *connection, const Call &call);
    int openCount() const;  // those that can still get a response
    bool isEmpty() const { return m_model->rowCount() == 0; }
    void focusCurrent();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void changed();       // something came or went
    void heightWanted();  // sizeHint() is more than it has
    // By the user: this result goes to further requests of that connection with that key (see ruleKeyOf());
    // alsoWaiting: and to those that wait already, see respondAlike().
    void ruleRequested(QObject *connection, const QByteArray &key, const QByteArray &result, bool alsoWaiting);
    void focusLeft();       // the last request is gone, and the focus was here
    void foldRequested();   // by the user, who wants the room
    void sightRequested();  // the focus comes here: it must be in sight

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    int rowFor(const QObject *connection, const Call &call) const;
    RequestPage *current() const;
    RequestPage *pageOf(int number) const;
    void goOn(int row);
    void show(int row);
    void onEnded(int number, InputRequest::End how, const QString &reason = {});
    void finish(int number, const QByteArray &draft);
    void declineAll();
    QList<int> currentLast(QList<int> numbers) const;
    void showColumns();
    void refresh();

    RequestModel *m_model;
    QTableView *m_list;
    QWidget *m_all;
    TextLabel *m_count;
    QPushButton *m_declineAll;
    FlatButton *m_fold;  // over the corner of the page
    QTimer m_arming;
    TextLabel *m_gone;
    QStackedWidget *m_pages;
    QTimer m_clock;
    QHash<QByteArray, QByteArray> m_last;  // drafts by what they responded to
    int m_lastNumber = 0;
    int m_goneCount = 0;  // requests that ended before they were shown
};

}  // namespace sonde::ui
