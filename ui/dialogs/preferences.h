// What a person can choose for the whole of Sonde, and within which bounds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/density.h"
#include "ui/theme/theme.h"

#include <QString>

namespace sonde::ui {

struct NumberRange {
    double usual;
    double least;
    double most;
};

namespace ranges {

inline constexpr NumberRange FontSize{10, 8, 20};            // points
inline constexpr NumberRange RequestTimeout{60, 0, 86'400};  // seconds without response or progress; 0: none
inline constexpr NumberRange TotalTimeout{600, 0, 86'400};   // seconds, whatever the progress; 0: none
inline constexpr NumberRange ConnectTimeout{60, 1, 3'600};   // seconds for each step of a start
inline constexpr NumberRange SessionLimit{2, 0.1, 10'000};   // gigabytes of a recorded session
inline constexpr NumberRange KeptDays{0, 0, 36'500};         // of sessions; 0: no limit
inline constexpr NumberRange KeptGigabytes{0, 0, 100'000};   // of all sessions; 0: no limit
inline constexpr NumberRange KeptSessions{0, 0, 100'000};    // 0: no limit

}  // namespace ranges

struct Preferences {
    bool showsMenuBar = true;
    bool reopens = true;   // what was open the last time
    QString language;      // as Translations has it; empty: the one of the system
    bool notifies = true;  // on the desktop, when a server waits for the person
    ThemeController::Mode theme = ThemeController::Mode::System;
    Density density = Density::Comfortable;
    bool reducesMotion = false;  // also where the desktop does not ask for it
    double fontSize = ranges::FontSize.usual;
    double requestTimeout = ranges::RequestTimeout.usual;
    double totalTimeout = ranges::TotalTimeout.usual;
    double connectTimeout = ranges::ConnectTimeout.usual;
    double sessionLimit = ranges::SessionLimit.usual;
    double keptDays = ranges::KeptDays.usual;  // what is beyond is proposed for deletion
    double keptGigabytes = ranges::KeptGigabytes.usual;
    double keptSessions = ranges::KeptSessions.usual;
    bool listsRecentFiles = true;  // opened sessions, in the list of the desktop
    bool asksUnmarked = false;     // before calls of tools without annotations

    bool operator==(const Preferences &) const = default;
};

}  // namespace sonde::ui
