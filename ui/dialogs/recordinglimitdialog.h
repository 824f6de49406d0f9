// Sets the size limit of sessions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

class QDoubleSpinBox;

namespace sonde::ui {

class RecordingLimitDialog : public QDialog {
    Q_OBJECT
public:
    // bytes: the current setting. freeBytes: free space on the disk of the sessions; -1: unknown.
    RecordingLimitDialog(qint64 bytes, qint64 freeBytes, QWidget *parent = nullptr);
    qint64 bytes() const;

private:
    QDoubleSpinBox *m_limit;
};

}  // namespace sonde::ui
