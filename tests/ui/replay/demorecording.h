// Recordings of the demo server, also as it never was.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"
#include "tests/e2e/driver.h"

#include <functional>

namespace sonde::test {

struct DemoCall {
    QString tool;
    QByteArray arguments;
};

// Changes the bytes of a message before they are written: as if the server had said something else then.
using Alter = std::function<QByteArray(QByteArray)>;

// Writes a session at path: handshake, lists, these calls. False where something went wrong.
bool recordDemo(const QString &path, const QList<DemoCall> &calls, const Alter &alter = {});

}  // namespace sonde::test
