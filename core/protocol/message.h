// One JSON-RPC message: the raw bytes, what they parse to, and what kind of message that is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/protocol/error.h"
#include "core/protocol/requestid.h"

#include <QStringList>
#include <memory>

namespace sonde {

struct MessageFields;

// Cheap to copy. Of a message with only the usual members parse() checks the text in one pass without building a tree,
// and of any other large object (more than 64 KiB) too; the tree is made when document() or a part is first asked for,
// and kept. Not to be shared between threads until then (see parsed()). What is small and unusual is parsed at once,
// and so is what is not valid JSON.
//
// Tolerant on purpose: an inspector shows broken messages. What is wrong is in problems(); id and method are read from
// Invalid messages too, where they can be.
class Message {
public:
    enum class Kind : quint8 {
        Invalid,       // not JSON, or not JSON-RPC 2.0: see problems()
        Request,       // method and id
        Notification,  // method without id
        Result,        // id and result
        Error,         // error, also beside a result (id may be null or absent: the request's could not be read)
        Batch          // an array; revision 2025-03-26 only
    };

    // Reading more than this takes long enough to be left to a worker thread.
    static constexpr qsizetype LargeBytes = 256 * 1024;
    // Further requests of one batch get none: an item of two bytes needs a response of eighty.
    static constexpr int MaxBatchResponses = 20'000;

    Message();
    static Message parse(const QByteArray &bytes, const json::Limits &limits = {});

    // What Sonde sends. params, result and data are JSON text; empty params means: no such member.
    static Message request(const RequestId &id, QStringView method, const QByteArray &params = {});
    static Message notification(QStringView method, const QByteArray &params = {});
    static Message response(const RequestId &id, const QByteArray &result);
    static Message errorResponse(const RequestId &id, int code, QStringView text, const QByteArray &data = {});

    Kind kind() const;
    const RequestId &id() const;
    const QString &method() const;  // empty for responses
    const QByteArray &raw() const;  // exactly as it was on the wire, without framing
    bool isResponse() const { return kind() == Kind::Result || kind() == Kind::Error; }

    // Sentences about what breaks JSON or JSON-RPC ("'jsonrpc' is missing"). Empty for a clean message.
    const QStringList &problems() const;
    // True when this means to be JSON-RPC ("jsonrpc":"2.0" can be read), even if it is broken; false for log lines and
    // other noise on stdout, JSON or not.
    bool isJsonRpc() const;

    const MessageFields &fields() const;  // of raw(); not plain where parse() had to look closer

    const json::Document &document() const;  // parses on first use
    bool isParsed() const;
    Message parsed() const;  // the same message with its tree made; call it on a worker for large ones
    json::Value root() const { return document().root(); }
    json::Value params() const;
    json::Value result() const;
    json::Value error() const;
    Error toError() const;         // Kind::Remote, from an Error message
    QList<Message> batch() const;  // the elements of a Batch
    // One after the other, where there may be too many to have them all; also those of an array that is no Batch.
    qsizetype batchSize() const;
    QByteArray batchBytes(qsizetype index) const;
    // The element of a Batch that answers this request. Invalid where there is none.
    Message responseInBatch(const RequestId &request) const;

private:
    struct Data;
    const Data &data() const;
    explicit Message(std::shared_ptr<Data> data);
    std::shared_ptr<Data> m_data;
};

}  // namespace sonde
