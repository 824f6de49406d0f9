// The responses of an HTTP/1.1 connection, taken apart as their bytes come in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/httppolicy.h"

#include <QByteArray>
#include <QString>

namespace sonde {

// RFC 9112 sections 4 to 7, for one response. Every part has a limit, so that no server can make it grow or go on
// without an end. Interim responses (100 to 199, but not 101) are read over.
class HttpResponseParser {
public:
    // Of status line, headers, interim responses and trailers together.
    static constexpr qint64 MaxHeadBytes = 1024 * 1024;

    enum class Problem {
        None,
        NotHttp,      // what came is no status line
        HeadTooLong,  // beyond MaxHeadBytes
        BadLength,    // a Content-Length that is no number, or several that differ
        BadEncoding,  // a Transfer-Encoding other than chunked
        BadChunk,     // a body in chunks that breaks their form
        Closed        // the connection ended before the response did
    };

    // Takes bytes of the connection, appends those of the body to *body and returns how many it took: fewer than it
    // was given only when the response is over.
    qsizetype append(QByteArrayView bytes, QByteArray *body);
    void connectionClosed();

    bool hasHead() const { return m_hasHead; }
    // Something of a head is there, also of an interim response, but not its end.
    bool isWithinHead() const { return !m_hasHead && !isOver() && m_headBytes > m_interimBytes; }
    bool isOver() const { return m_state == State::Over; }  // whole, or with a problem
    Problem problem() const { return m_problem; }
    QByteArray evidence() const { return m_evidence; }  // the bytes that the problem was found in, cut short
    bool keepsAlive() const { return m_keepsAlive && isOver() && m_problem == Problem::None; }

    int status() const { return m_status; }
    const QByteArray &reason() const { return m_reason; }
    const http::HeaderList &headers() const { return m_headers; }  // in the order and spelling of the wire

private:
    enum class State { StatusLine, Headers, Body, ChunkSize, ChunkData, ChunkEnd, Trailers, UntilClose, Over };

    bool readLine(QByteArrayView bytes, qsizetype *at);
    void onLine(const QByteArray &line);
    void onStatusLine(const QByteArray &line);
    void onHeader(const QByteArray &line);
    void onHeadEnd();
    void onChunkSize(const QByteArray &line);
    void fail(Problem problem, const QByteArray &evidence);

    State m_state = State::StatusLine;
    QByteArray m_line;
    qint64 m_headBytes = 0;
    qint64 m_interimBytes = 0;  // of these, in whole interim responses
    qint64 m_left = 0;          // of the body or chunk
    int m_status = 0;
    QByteArray m_reason;
    http::HeaderList m_headers;
    bool m_hasHead = false;
    bool m_keepsAlive = true;
    Problem m_problem = Problem::None;
    QByteArray m_evidence;
};

}  // namespace sonde
