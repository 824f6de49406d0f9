// The first line of a session file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QByteArray>
#include <QDateTime>

namespace sonde {

struct SessionHeader {
    static constexpr int Major = 1;  // what this program writes, and the newest it reads
    static constexpr int Minor = 1;

    QString serverName;
    QDateTime createdAt;  // UTC, milliseconds
    QString uuid;         // empty: another program wrote it, and gave it none
    QByteArray key;       // of the marks that stand for secrets
    bool isDamaged = false;

    static SessionHeader now(const QString &serverName);

    QByteArray toLine() const;  // with its newline
    // line: without its newline. A header whose checksum does not fit is read as far as it goes and marked.
    static Result<SessionHeader> fromLine(QByteArrayView line);
};

}  // namespace sonde
