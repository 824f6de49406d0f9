// All that differs between the protocol's eras, behind one interface.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/protocol/revision.h"

#include <memory>

namespace sonde {

// What is wrong with the form of a message: it can be found again in the message at any time.
QStringList formFindings(const Message &message);

class Dialect {
public:
    virtual ~Dialect() = default;

    virtual Revision revision() const = 0;
    virtual bool supports(Feature feature) const { return sonde::supports(revision(), feature); }

    // The params of a request as this era wants them (progress token, _meta). params: a JSON object or empty.
    virtual QByteArray decorate(QStringView method, const QByteArray &params, const RequestId &id,
                                const CallOptions &options) const = 0;
    // What a response means. The message is parsed. The first findings are its formFindings().
    virtual Outcome interpret(QStringView method, const Message &response) const = 0;
    // How to tell the server that a request was given up; an Invalid message when nothing is to be sent.
    virtual Message cancellation(const RequestId &id, const QString &reason) const = 0;
    // Methods we answer for the server: ping. Invalid when the method is unknown here (-32601 is sent).
    virtual Message response(const Message &request) const = 0;
};

// 2024-11-05 to 2025-11-25: initialize, sessions with state.
class StatefulDialect final : public Dialect {
public:
    explicit StatefulDialect(Revision revision = statefulRevisions().first()) : m_revision(revision) {}

    // The params of initialize. capabilities: a JSON object.
    static QByteArray initializeParams(Revision proposed, const QByteArray &capabilities);

    Revision revision() const override { return m_revision; }
    QByteArray decorate(QStringView method, const QByteArray &params, const RequestId &id,
                        const CallOptions &options) const override;
    Outcome interpret(QStringView method, const Message &response) const override;
    Message cancellation(const RequestId &id, const QString &reason) const override;
    Message response(const Message &request) const override;

private:
    Revision m_revision;
};

}  // namespace sonde
