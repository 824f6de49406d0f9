// Ctrl-C and kill, as a signal of the event loop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QSocketNotifier;

namespace sonde::app {

// The first SIGINT or SIGTERM becomes interrupted(); a second one ends the program at once.
class Interrupts : public QObject {
    Q_OBJECT
public:
    explicit Interrupts(QObject *parent = nullptr);
    ~Interrupts() override;

Q_SIGNALS:
    void interrupted();

private:
    QSocketNotifier *m_notifier = nullptr;
};

}  // namespace sonde::app
