// Arguments of a tool that HTTP requests repeat in their headers (2026-07-28).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QByteArray>
#include <QStringList>

namespace sonde {

// One property of an inputSchema with "x-mcp-header".
struct HeaderParameter {
    QByteArray header;  // Mcp-Param-Region
    QStringList path;   // of the argument: names of properties
};

struct HeaderParameters {
    QList<HeaderParameter> list;
    QString problem;  // why the tool must not be called over HTTP, a sentence; empty when it may be
};

// Spec (2026-07-28): basic/transports, "Custom Headers from Tool Parameters".
HeaderParameters readHeaderParameters(const json::Value &inputSchema);

// The value as a header can carry it: as it is, or in Base64 where it would not survive.
QByteArray headerValue(const QString &text);

}  // namespace sonde
