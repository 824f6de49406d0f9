// Which version this is, and under which licences.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

namespace sonde::ui {

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget *parent = nullptr);
    // For a report of a bug: a line for each.
    static QString versions();
};

}  // namespace sonde::ui
