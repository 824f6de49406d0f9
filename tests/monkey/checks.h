// What must be true after every step, whatever was done.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>
#include <QElapsedTimer>
#include <QHash>
#include <QString>

namespace sonde::monkey {

class World;

// Some things may be untrue for a moment, while a response or an event is under way; those fail once they have lasted.
class Checks {
public:
    explicit Checks(World *world);
    ~Checks();

    // Warnings of Qt and of our own; from construction to destruction.
    static QString takeWarning();

    void beginStep();       // the event loop is held up from here on
    void windowReplaced();  // every page is built anew, once for each change of language: it may take longer
    void endEvent();        // of several in one step, such as keys: each counts by itself
    QString afterStep();    // what is wrong, with a word in front that tells its kind; empty: nothing
    // After the window is gone.
    QString afterWindow();
    void forget();  // of the window before

private:
    void beginEvent();
    QString heldUp() const;
    QString lasting();

    struct Lasting {
        QElapsedTimer since;
        int steps = 0;
    };
    World *m_world;
    QHash<QString, Lasting> m_lasting;
    timer_t m_alarm = {};  // of this thread's time on the processor
    double m_eventCpuMs = 0;
    QElapsedTimer m_eventClock;
    double m_longestTurnMs = 0;
    QString m_heldUp;
};

}  // namespace sonde::monkey
