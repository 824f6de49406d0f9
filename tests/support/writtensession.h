// What session-writer records, row by row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

namespace sonde::test {

inline QByteArray writtenMessage(qint64 row)
{
    return R"({"jsonrpc":"2.0","method":"notifications/x","params":{"number":)" + QByteArray::number(row) +
           R"(,"pad":")" + QByteArray(row % 700, 'p') + R"("}})";
}

}  // namespace sonde::test
