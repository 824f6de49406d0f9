// The queue of server requests that wait for a response.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/inputrequest.h"

#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <QPointer>
#include <array>

namespace sonde::ui {

// Where a request comes from, as it is shown. The name of the call is server text.
struct RequestOrigin {
    QString server;
    QString call;           // that it was sent during; empty: unknown
    RequestId callId = {};  // of the request that waits for it
};

struct WaitingRequest {
    // Opened: of a URL that the user agreed to. Whether it is completed only the server can tell, and it need not.
    enum class State { Open, Ended, Opened, Completed };
    int number = 0;  // of no other one in this window
    State state = State::Open;
    QString kind;           // "elicitation"
    QString message;        // what it asks, on one line
    QByteArray ruleKey;     // see ruleKeyOf()
    QString elicitationId;  // by which its completion is announced; empty: it is not
    QPointer<InputRequest> request;
    QPointer<QObject> connection;  // whose request it is, for rules
    RequestOrigin origin;
    QElapsedTimer since;
    qint64 seconds = 0;  // since then, as it is shown everywhere

    QString waiting() const;  // "6 s", or what has become of it
    bool isDuring(const Call &call) const;
};

QString kindOf(const InputRequest &request);
// What a person is asked, or the newest message for a model: one line of server text, made visible and not too long.
QString messageOf(const InputRequest &request);
// Whether it is a URL that an error response requires: the server gets no response to it.
bool isRequiredByError(const InputRequest &request);

// Requests with the same key can get the same response; empty: each one has to be seen by a person.
QByteArray ruleKeyOf(const InputRequest &request);

// Those that wait come first, oldest first. A flood of requests costs one row each, no widgets.
class RequestModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { MessageColumn, ServerColumn, KindColumn, CallColumn, TimeColumn, Columns };

    explicit RequestModel(QObject *parent = nullptr);

    void append(const WaitingRequest &request);
    void remove(int row);
    int rowOf(int number) const;  // -1: gone
    const WaitingRequest &at(int row) const { return m_requests.at(row); }
    void setState(int row, WaitingRequest::State state);  // moves it behind those that wait, unless it is Open
    void setCall(int row, const QString &call, const RequestId &id);
    int openCount() const { return m_openCount; }
    QList<int> openNumbers() const;
    // The other ones that wait and can get the same response as this one.
    QList<int> alikeNumbers(int number) const;
    // Whether the rows differ there: of servers, kinds and calls; a column that says the same in each row says nothing.
    bool differs(Column column) const { return m_differs[column]; }
    void refreshTimes();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    void compareWithFirst(const WaitingRequest &request);

    QList<WaitingRequest> m_requests;
    int m_openCount = 0;                    // they come first
    std::array<bool, Columns> m_differs{};  // since the list was empty
};

}  // namespace sonde::ui
