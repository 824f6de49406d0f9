// A question that has to be answered before something is lost.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace sonde::app {

// Modal; true: "yes" was pressed. no: the default, which is also what Escape means. The texts are plain text. Whatever
// the caller refers to may be gone when it returns.
bool confirm(QWidget *parent, const QString &title, const QString &text, const QString &yes, const QString &no);

}  // namespace sonde::app
