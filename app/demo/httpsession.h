// One session over Streamable HTTP: which message travels on which stream, and what can be had again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/httppeer.h"
#include "app/demo/session.h"

#include <QMap>

namespace sonde::demo {

class HttpSession : public QObject {
    Q_OBJECT
public:
    HttpSession(const QByteArray &id, ServerState &state, QObject *parent);
    ~HttpSession() override;

    QByteArray id() const { return m_id; }
    const Session &session() const { return m_session; }
    bool usedUp();  // counts one POST; true when this session is to be forgotten

    void post(app::HttpPeer *connection, const QByteArray &message);
    // The GET stream, or with lastEventId the rest of the stream that this event came on.
    void open(app::HttpPeer *connection, const QByteArray &lastEventId);

private:
    // Events have ids STREAM-NUMBER; number 0 primes the stream, so that it can be resumed from its start.
    struct Stream {
        QPointer<app::HttpPeer> connection;
        QList<QByteArray> messages;
        qsizetype delivered = 0;
        bool begun = false;  // as an event stream
        bool ended = false;
    };

    void route(const QByteArray &message, const QByteArray &request);
    void endRequest(const QByteArray &request);
    void begin(int number, Stream &stream);
    void deliver(int number, Stream &stream);
    void close(Stream &stream);
    void forgetOldStreams();

    QByteArray m_id;
    Options m_options;
    Session m_session;
    QMap<int, Stream> m_streams;  // 0: for what belongs to no request
    QHash<QByteArray, int> m_streamOf;
    int m_lastStream = 0;
    int m_posts = 0;
    QByteArray m_initializing;
};

}  // namespace sonde::demo
