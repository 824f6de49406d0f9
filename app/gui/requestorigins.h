// Finds the call during which a server asked something.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/operations.h"
#include "core/client/inputrequest.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <memory>

namespace sonde {
class Connection;
}

namespace sonde::app {

// Reads it from the recording, by the same rules as the timeline, a little in each turn of the event loop. Where the
// recording cannot tell, nothing is found.
class RequestOrigins : public QObject {
    Q_OBJECT
public:
    explicit RequestOrigins(QObject *parent = nullptr);
    ~RequestOrigins() override;

    void find(Connection *connection, InputRequest *request);

Q_SIGNALS:
    // call: as its server names it. id: of its request that is waiting; none where that is not known.
    void found(sonde::InputRequest *request, const QString &call, const sonde::RequestId &id);

private:
    struct Wanted {
        QPointer<InputRequest> request;
        QPointer<Session> session;
        int start = 0;  // of the connection
    };
    void lookOn();
    bool isSettled(const Wanted &wanted);

    QList<Wanted> m_wanted;
    QHash<const QObject *, std::shared_ptr<Operations>> m_operations;  // by session; of those that asked
    QTimer m_turn;
};

}  // namespace sonde::app
