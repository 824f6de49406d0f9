// "Save as…" for what a server sent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <functional>

class QWidget;

namespace sonde::ui {

// Asks where to, without blocking the caller, and writes. said gets one sentence about how it went, unless the person
// changed their mind; it is not called once the parent is gone.
void saveBytesAs(QWidget *parent, const QString &suggestedName, const QByteArray &bytes,
                 std::function<void(const QString &sentence, bool saved)> said);

}  // namespace sonde::ui
