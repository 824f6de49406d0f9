// Reads the payloads of the blocks of results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/result/payload.h"

#include <QObject>
#include <QPointer>
#include <deque>
#include <functional>

namespace sonde::ui {

// One at a time and on a worker thread, in the order of the blocks: a result of many images is shown a block per turn
// of the event loop. Shared by all results, on the GUI thread.
class PayloadReader : public QObject {
    Q_OBJECT
public:
    static PayloadReader *shared();

    // `show` is not called once the context is gone, or when there was not enough memory.
    void read(const Content &content, QObject *context, std::function<void(const Payload &)> show);

private:
    struct Waiting {
        Content content;
        QPointer<QObject> context;
        std::function<void(const Payload &)> show;
    };

    using QObject::QObject;
    void startNext();

    std::deque<Waiting> m_waiting;
    bool m_isReading = false;
};

}  // namespace sonde::ui
