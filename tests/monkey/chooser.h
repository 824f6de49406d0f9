// Chooses what to do next, at random among what can be done.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/monkey/step.h"

#include <random>

class QWidget;

namespace sonde::monkey {

class Chooser {
public:
    enum class Walk { Hands, Keyboard, Sessions };

    Chooser(Walk walk, quint32 seed);
    Step next();

private:
    Step pointed();
    Step pressed();
    Step typed();
    Step dropped();
    Step resized();
    Step ofServer();
    Step waited();
    QWidget *chosenWindow(const QList<QWidget *> &windows);
    QPointF placeIn(QWidget *widget);
    int upTo(int count);  // 0 to count - 1
    template <typename List>
    auto anyOf(const List &list)
    {
        return list[typename List::size_type(upTo(int(list.size())))];
    }

    const Walk m_walk;
    std::mt19937 m_random;
};

}  // namespace sonde::monkey
