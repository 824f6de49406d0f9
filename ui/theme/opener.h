// Hands addresses to the desktop. The only place that does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace sonde::ui {

// To be called once the user has agreed to this very URL. What ConsentUrl refuses is never opened.
// False: it was not opened, or there is no program that would.
bool openAddress(const QString &address);
bool openFolder(const QString &path);
bool openFile(const QString &path);  // in the program for its kind

}  // namespace sonde::ui
