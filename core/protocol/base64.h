// Base64 as results carry it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QByteArray>
#include <QString>

namespace sonde {

// Strict base64 with a reason when it is not (position and character). Never throws data away silently.
struct Decoded {
    QByteArray bytes;
    QString problem;  // empty when clean
};
Decoded decodeBase64(const json::Value &string);

}  // namespace sonde
