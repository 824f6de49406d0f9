// Tells people who use a screen reader what has happened elsewhere than at the focus.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace sonde::ui {

// Results, errors, requests of a server, counts of a search: what others see at a glance. Never moves the focus. The
// text may be a server's. Nothing happens while the window of where is hidden.
//
// Qt 6.4 has no event for announcements, and does not pass QAccessible::Alert on over AT-SPI. What arrives are the
// changed name and the appearance of an object, which screen readers speak if its role is that of a notification.
void announce(QWidget *where, const QString &text);

}  // namespace sonde::ui
