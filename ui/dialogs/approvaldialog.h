// Asks whether a server that only a file names may be started or contacted, and shows what exactly that would do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/approval.h"

#include <QDialog>

namespace sonde::ui {

// Cancel is the default. file: what names the server, such as a recording.
class ApprovalDialog : public QDialog {
    Q_OBJECT
public:
    ApprovalDialog(const QList<LaunchLine> &lines, bool isProcess, const QString &file, QWidget *parent = nullptr);
};

}  // namespace sonde::ui
