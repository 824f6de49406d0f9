// The dialect of revisions 2024-11-05 to 2025-11-25: initialize, and sessions with state.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/dialect.h"
#include "core/protocol/revision.h"

namespace sonde {

class StatefulDialect final : public Dialect {
public:
    explicit StatefulDialect(Revision revision = statefulRevisions().first()) : m_revision(revision) {}

    // The params of initialize. capabilities: a JSON object.
    static QByteArray initializeParams(Revision proposed, const QByteArray &capabilities);

    Revision revision() const override { return m_revision; }
    QString name() const override { return toString(m_revision); }
    bool hasBatches() const override;
    // Spec: basic/utilities/progress. The token is the request's id, unless the params bring one of their own.
    PreparedRequest prepare(const RequestBody &request, const RequestId &id, const CallOptions &options) const override;
    Interpretation interpret(QStringView method, const Message &response) const override;
    // Spec: basic/utilities/cancellation. Not for initialize.
    Message cancellation(QStringView method, const RequestId &id, const QString &reason) const override;
    Message response(const Message &request) const override;

private:
    Revision m_revision;
};

}  // namespace sonde
