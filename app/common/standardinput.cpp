// SPDX-License-Identifier: Apache-2.0
#include "app/common/standardinput.h"

#include "app/common/inputsource.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <utility>

namespace sonde::app {
namespace {

// What was read and not yet given out.
QByteArray &unreadBytes()
{
    static QByteArray bytes;
    return bytes;
}

}  // namespace

StandardInput::StandardInput(QObject *parent) : QObject(parent), m_source(new InputSource(this))
{
    connect(m_source, &InputSource::received, this, &StandardInput::add);
}

StandardInput::~StandardInput() = default;

void StandardInput::setEnabled(bool isEnabled)
{
    if (std::exchange(m_isEnabled, isEnabled) == isEnabled)
        return;
    m_source->setEnabled(isEnabled);
    m_searched = 0;
    if (isEnabled && !unreadBytes().isEmpty())
        QMetaObject::invokeMethod(this, &StandardInput::giveOut, Qt::QueuedConnection);
}

void StandardInput::add(const QByteArray &bytes)
{
    if (bytes.isEmpty()) {
        setEnabled(false);
        Q_EMIT ended(std::exchange(unreadBytes(), {}).trimmed());
        return;
    }
    unreadBytes().append(bytes);
    giveOut();
    if (m_isEnabled && m_maxLine >= 0 && unreadBytes().size() > m_maxLine) {
        setEnabled(false);
        Q_EMIT lineTooLong();
    }
}

void StandardInput::giveOut()
{
    if (m_isGivingOut)
        return;
    const QScopedValueRollback<bool> guard(m_isGivingOut, true);
    QByteArray &unread = unreadBytes();
    qsizetype from = 0;
    while (m_isEnabled) {
        const qsizetype end = unread.indexOf('\n', std::max(from, m_searched));
        if (end < 0)
            break;
        const QByteArray line = unread.mid(from, end - from).trimmed();
        from = end + 1;
        Q_EMIT received(line);
    }
    unread.remove(0, from);
    m_searched = m_isEnabled ? unread.size() : 0;
}

}  // namespace sonde::app
