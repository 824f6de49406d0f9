// The icons that a server sends for itself and for what it offers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QUrl>
#include <functional>
#include <optional>

namespace sonde {

// Where the bytes of one icon are. Only data: URIs in base64 and https: URLs without credentials are icons at all.
struct Icon {
    QByteArray key;    // the same for the same address
    QByteArray bytes;  // of a data: URI; empty: it would have to be fetched from url
    QUrl url;
    bool isRemote() const { return !url.isEmpty(); }
};

constexpr qsizetype MaxIconUri = 96 * 1024;  // characters; a longer one is not looked at
constexpr qsizetype MaxIconBytes = 256 * 1024;

// The best of icons[] (spec: basic/index, "Icons") for a dark or light background. Nothing: none can be shown. Those
// that would have to be fetched are only considered where isAllowed is true for their host.
using IsHostAllowed = std::function<bool(const QString &host)>;
std::optional<Icon> chooseIcon(const json::Value &icons, bool isDark, const IsHostAllowed &isAllowed);

}  // namespace sonde
