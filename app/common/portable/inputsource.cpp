// SPDX-License-Identifier: Apache-2.0
#include "app/common/inputsource.h"

#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

namespace sonde::app {

// Its thread waits for what cannot be waited for otherwise, and ends with the input or the program.
class InputSource::Private {
public:
    explicit Private(InputSource *source) : m_source(source) {}
    ~Private()
    {
        const std::scoped_lock lock(mutex());
        if (reading() == this)
            reading() = nullptr;
    }

    void setEnabled(bool isEnabled)
    {
        m_isEnabled = isEnabled;
        const std::scoped_lock lock(mutex());
        if (isEnabled)
            reading() = this;
        static bool hasThread = false;
        if (isEnabled && !std::exchange(hasThread, true))
            std::thread(readAll).detach();
        announce();
    }

private:
    struct Pending {
        QByteArray bytes;
        bool hasEnded = false;
    };

    static std::mutex &mutex()
    {
        static std::mutex mutex;
        return mutex;
    }
    static Private *&reading()
    {
        static Private *current = nullptr;
        return current;
    }
    static Pending &pending()
    {
        static Pending pending;
        return pending;
    }

    static void readAll()
    {
        QByteArray line;
        for (int c = std::getc(stdin); c != EOF; c = std::getc(stdin)) {
            line.append(char(c));
            if (c != '\n' && line.size() < 65536)
                continue;
            const std::scoped_lock lock(mutex());
            pending().bytes += std::exchange(line, {});
            announce();
        }
        const std::scoped_lock lock(mutex());
        pending().bytes += line;
        pending().hasEnded = true;
        announce();
    }

    static void announce()
    {
        if (Private *current = reading())
            QMetaObject::invokeMethod(
                current->m_source, [current] { current->giveOut(); }, Qt::QueuedConnection);
    }

    void giveOut()
    {
        Pending taken;
        if (m_isEnabled) {
            const std::scoped_lock lock(mutex());
            taken.bytes = std::exchange(pending().bytes, {});
            taken.hasEnded = pending().hasEnded;
        }
        if (!taken.bytes.isEmpty())
            Q_EMIT m_source->received(taken.bytes);
        if (taken.hasEnded && m_isEnabled)
            Q_EMIT m_source->received({});
    }

    InputSource *m_source;
    bool m_isEnabled = false;
};

InputSource::InputSource(QObject *parent) : QObject(parent), m_d(std::make_unique<Private>(this)) {}

InputSource::~InputSource() = default;

void InputSource::setEnabled(bool isEnabled)
{
    m_d->setEnabled(isEnabled);
}

}  // namespace sonde::app
