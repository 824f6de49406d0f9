// A server that gives the responses of a recording.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/mockscript.h"

#include <QHash>
#include <QObject>
#include <memory>

namespace sonde {

// One conversation. Knows of no transport: messages come in through receive() and go out through sent().
class MockServer : public QObject {
    Q_OBJECT
public:
    enum class Timing { None, AsRecorded };

    explicit MockServer(std::shared_ptr<const MockScript> script, Timing timing = Timing::None,
                        QObject *parent = nullptr);
    ~MockServer() override;

    // A request is answered as it was answered in the recording, the same one again with the next recorded response and
    // at last with the last one over and over. What was not recorded gets an error that says so; ping an empty result.
    // The server requests of the recorded server are asked again, under numbers of their own, and what it had said only
    // after the response to one waits for a response, whatever that is. Only what the client cannot be asked is left
    // out: it does not declare the capability now, and the recorded one had. A batch is taken as its messages one by
    // one, and what came in one is sent as messages of their own.
    void receive(const Message &message);

Q_SIGNALS:
    // about: the request that the message answers or belongs to. isLast: nothing comes for it any more.
    void sent(const QByteArray &message, const sonde::RequestId &about, bool isLast);

private:
    struct Play;
    void receiveResponse(const RequestId &id);
    QByteArray serverRequest(const std::shared_ptr<Play> &play, const MockScript::Item &item);
    QByteArray withdrawal(const std::shared_ptr<Play> &play, const Message &message);
    void play(const Message &request, const MockScript::Exchange &exchange);
    void proceed(const std::shared_ptr<Play> &play);
    void send(const std::shared_ptr<Play> &play, const MockScript::Item &item, bool isLast);
    void refuse(const Message &request);

    std::shared_ptr<const MockScript> m_script;
    const Timing m_timing;
    QHash<qsizetype, int> m_uses;  // by the first exchange of those that match
    QHash<RequestId, std::shared_ptr<Play>> m_plays;
    QHash<RequestId, std::shared_ptr<Play>> m_asked;  // by the numbers of the server requests that are open
    QStringList m_unaskable;                          // methods
    qint64 m_nextServerRequest = 1;
};

}  // namespace sonde
