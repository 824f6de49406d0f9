// One subscriptions/listen request of revision 2026-07-28: what was asked for, what was granted, and how it ended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/client.h"
#include "core/transport/repeatlimit.h"

#include <QStringList>
#include <QTimer>
#include <chrono>

namespace sonde {

// What a server is asked to tell, or agreed to tell.
struct ListenFilter {
    bool tools = false;  // changes of these lists
    bool prompts = false;
    bool resources = false;
    QStringList uris;     // updates of these resources
    QStringList taskIds;  // changes of these tasks, of the extension io.modelcontextprotocol/tasks

    static ListenFilter fromJson(const json::Value &notifications);
    QByteArray toJson() const;
    bool isEmpty() const { return !tools && !prompts && !resources && uris.isEmpty() && taskIds.isEmpty(); }
    ListenFilter without(const ListenFilter &other) const;
    bool operator==(const ListenFilter &) const = default;
};

// Whether an update of that URI is one of the subscribed resource: of itself, or of something below it.
bool isWithin(const QString &changed, const QString &subscribed);

// Sends the request when it is made, and takes it back when it is deleted. The request has no deadline; only its
// acknowledgement has.
class ListenStream : public QObject {
    Q_OBJECT
public:
    enum class End {
        Graceful,       // the server ended it with a result, or said that it cancelled it
        Lost,           // the stream broke, or the server could not be reached
        Refused,        // an error response, or one that cannot be understood
        Unacknowledged  // no acknowledgement in time
    };
    Q_ENUM(End)

    ListenStream(Client *client, ListenFilter requested, std::chrono::milliseconds acknowledgementTimeout,
                 QObject *parent);
    ~ListenStream() override;

    RequestId id() const { return m_call ? m_call->id() : m_id; }  // of its messages
    const ListenFilter &requested() const { return m_requested; }
    const ListenFilter &acknowledged() const { return m_acknowledged; }
    bool isOver() const { return m_isOver; }

    // A notification of this stream. True when it is an update or a change that was subscribed.
    bool take(const Message &notification);
    // The server cancelled the request. Its result may come before or after that, or not at all.
    void endAsCancelled();
    // Deletes it later: where the server has cancelled it, once its result has come.
    void release();

Q_SIGNALS:
    void acknowledgedNow();
    void ended(sonde::ListenStream::End end, const sonde::Error &error);  // once; never after release()
    void findingAdded(const QString &finding, const sonde::RequestId &id);

private:
    bool isGranted(const Message &notification) const;
    void tell(const QString &finding);
    void onFinished(const Outcome &outcome);
    void end(End end, const Error &error);

    QPointer<Call> m_call;
    RequestId m_id;
    ListenFilter m_requested;
    ListenFilter m_acknowledged;
    QTimer m_deadline;
    RepeatLimit m_findings;
    bool m_isAcknowledged = false;
    bool m_isOver = false;
    bool m_isReleased = false;
    bool m_isResultDue = false;
};

}  // namespace sonde
