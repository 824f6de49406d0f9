// SPDX-License-Identifier: Apache-2.0
#include "ui/result/payloadreader.h"

#include "core/protocol/worker.h"

#include <QCoreApplication>
#include <QTimer>
#include <optional>
#include <utility>

namespace sonde::ui {

PayloadReader *PayloadReader::shared()
{
    static QPointer<PayloadReader> reader;
    if (!reader)
        reader = new PayloadReader(QCoreApplication::instance());
    return reader;
}

void PayloadReader::read(const Content &content, QObject *context, std::function<void(const Payload &)> show)
{
    m_waiting.push_back({content, context, std::move(show)});
    startNext();
}

void PayloadReader::startNext()
{
    while (!m_isReading && !m_waiting.empty()) {
        const Waiting next = std::move(m_waiting.front());
        m_waiting.pop_front();
        if (!next.context)
            continue;
        m_isReading = true;
        runOnWorker(
            this, [content = next.content] { return readPayload(content); },
            [this, next](const std::optional<Payload> &payload) {
                // By a timer: what is posted now would still belong to this turn.
                QTimer::singleShot(0, this, [this] {
                    m_isReading = false;
                    startNext();
                });
                if (payload && next.context)
                    next.show(*payload);
            });
    }
}

}  // namespace sonde::ui
