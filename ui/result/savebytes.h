// "Save as…" for data from a server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <functional>

class QWidget;

namespace sonde::ui {

// Asks for a file without blocking the caller, and writes it. said gets one sentence about the result, unless the user
// cancelled; it is not called after the parent was deleted.
void saveBytesAs(QWidget *parent, const QString &suggestedName, const QByteArray &bytes,
                 std::function<void(const QString &sentence, bool saved)> said);

}  // namespace sonde::ui
