// Memory that runs out ends what is being done, not the program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/system.h"

#include <QEvent>
#include <functional>
#include <new>

class QObject;

namespace sonde::app {

// Application: QCoreApplication or QApplication. The last resort: a message that is too large fails where it is read.
// This catches what runs out of memory elsewhere, such as printing or showing it, at the one place where Qt allows
// that.
template <typename Application>
class GuardedApplication final : public Application {
public:
    GuardedApplication(int &argc, char **argv) : Application(argc, argv) { returnFreedMemory(); }
    // What was to be deleted later, and the event loop ended before that: a transport ends its process then.
    ~GuardedApplication() override { Application::sendPostedEvents(nullptr, QEvent::DeferredDelete); }
    GuardedApplication(const GuardedApplication &) = delete;
    GuardedApplication &operator=(const GuardedApplication &) = delete;

    // Called with every event that could not be handled to its end.
    void setOutOfMemoryHandler(std::function<void()> handler) { m_handler = std::move(handler); }
    bool notify(QObject *receiver, QEvent *event) override
    {
        try {
            return Application::notify(receiver, event);
        } catch (const std::bad_alloc &) {
            if (m_handler)
                m_handler();
            return false;
        }
    }

private:
    std::function<void()> m_handler;
};

}  // namespace sonde::app
