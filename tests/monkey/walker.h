// Walks through the window step by step, in whichever event loop is running, and looks after each step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/monkey/checks.h"
#include "tests/monkey/chooser.h"
#include "tests/monkey/world.h"

#include <QElapsedTimer>
#include <QFile>
#include <QList>
#include <QTimer>
#include <functional>
#include <optional>

namespace sonde::monkey {

class Walker : public QObject {
    Q_OBJECT
public:
    Walker(World *world, QFile *trail);

    // Both return what went wrong; empty: nothing. Every step is in the trail before it is done, for the case that it
    // ends the program.
    QString walk(Chooser chooser, int steps);
    QString replay(const QList<Step> &steps);

private:
    QString run(const std::function<std::optional<Step>()> &next);
    void stepOn();
    void finish();
    void perform(const Step &step);
    void stop();

    World *m_world;
    QFile *m_trail;
    Checks m_checks;
    QTimer m_timer;
    std::function<std::optional<Step>()> m_next;
    Step m_last;
    QString m_failure;
    QElapsedTimer m_closing;
    bool m_isOver = false;
};

}  // namespace sonde::monkey
