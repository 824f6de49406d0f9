// What sonde-cli prints of a session file, with its secrets masked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/redactor.h"
#include "core/session/session.h"

namespace sonde::cli {

// Another program may have written the session without masking anything, and a recording comes to know some secrets
// only after it has written them once. Marks look as they would in the session itself.
class PrintRedactor {
public:
    explicit PrintRedactor(const Session &session);

    // What one row says to be secret is masked in all that are printed afterwards.
    void learn(const Session &session);

    QByteArray payload(const QByteArray &bytes);  // JSON stays JSON
    QByteArray facts(const QByteArray &facts);
    QString name(const QString &name);  // of a method, tool, prompt or resource

private:
    Redactor m_redactor;
};

}  // namespace sonde::cli
