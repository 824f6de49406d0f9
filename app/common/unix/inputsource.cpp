// SPDX-License-Identifier: Apache-2.0
#include "app/common/inputsource.h"

#include <QSocketNotifier>

#include <unistd.h>
#include <algorithm>
#include <cerrno>

namespace sonde::app {

class InputSource::Private {
public:
    QSocketNotifier notifier{STDIN_FILENO, QSocketNotifier::Read};
};

InputSource::InputSource(QObject *parent) : QObject(parent), m_d(std::make_unique<Private>())
{
    m_d->notifier.setEnabled(false);
    connect(&m_d->notifier, &QSocketNotifier::activated, this, [this] {
        char bytes[65536];
        const ssize_t size = ::read(STDIN_FILENO, bytes, sizeof bytes);
        if (size >= 0 || (errno != EINTR && errno != EAGAIN))
            Q_EMIT received(QByteArray(bytes, qsizetype(std::max<ssize_t>(size, 0))));
    });
}

InputSource::~InputSource() = default;

void InputSource::setEnabled(bool isEnabled)
{
    m_d->notifier.setEnabled(isEnabled);
}

}  // namespace sonde::app
