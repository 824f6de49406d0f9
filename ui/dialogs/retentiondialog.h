// Which sessions are beyond the limits of the preferences, before any is deleted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/sessionlibrary.h"

#include <QDialog>
#include <functional>

namespace sonde::ui {

// Accepted: delete these. Closes without an answer otherwise; the list is exactly what would be deleted.
class RetentionDialog : public QDialog {
    Q_OBJECT
public:
    // titleOf: what a session is called.
    RetentionDialog(const QList<SessionEntry> &beyond, const std::function<QString(const QString &)> &titleOf,
                    QWidget *parent = nullptr);
};

}  // namespace sonde::ui
