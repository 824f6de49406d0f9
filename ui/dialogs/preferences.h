// What a person can choose for the whole of Sonde, and within which bounds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

namespace sonde::ui {

struct NumberRange {
    double usual;
    double least;
    double most;
};

namespace ranges {

inline constexpr NumberRange FontSize{10, 8, 14};            // points
inline constexpr NumberRange RequestTimeout{60, 0, 86'400};  // seconds without response or progress; 0: none
inline constexpr NumberRange TotalTimeout{600, 0, 86'400};   // seconds, whatever the progress; 0: none
inline constexpr NumberRange ConnectTimeout{60, 1, 3'600};   // seconds for each step of a start
inline constexpr NumberRange SessionLimit{2, 0.1, 10'000};   // gigabytes of a recorded session

}  // namespace ranges

struct Preferences {
    bool showsMenuBar = true;
    bool notifies = true;  // on the desktop, when a server waits for the person
    ThemeController::Mode theme = ThemeController::Mode::System;
    double fontSize = ranges::FontSize.usual;
    double requestTimeout = ranges::RequestTimeout.usual;
    double totalTimeout = ranges::TotalTimeout.usual;
    double connectTimeout = ranges::ConnectTimeout.usual;
    double sessionLimit = ranges::SessionLimit.usual;
    bool asksUnmarked = false;  // before calls of tools without annotations

    bool operator==(const Preferences &) const = default;
};

}  // namespace sonde::ui
