// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/calls/callindex.h"

#include <QDateTime>
#include <algorithm>
#include <chrono>

namespace sonde::ui {

namespace {

using namespace std::chrono_literals;

constexpr auto AnnounceInterval = 33ms;
constexpr auto CalmInterval = 10ms;
constexpr auto BusyInterval = 250ms;
constexpr qint64 SliceNs = 2'000'000;  // in the same turn the table may be painted
constexpr qsizetype MaxReadUnasked = 100'000;

// A session that was not shown went on all the same.
qint64 sinceLastNs(const Session &session)
{
    if (!session.isLive() || session.size() == 0)
        return 0;
    return std::max<qint64>(session.wallTime(session.size() - 1).msecsTo(QDateTime::currentDateTimeUtc()), 0) *
           1'000'000;
}

}  // namespace

CallIndex::CallIndex(QObject *parent) : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &CallIndex::read);
}

void CallIndex::setSession(Session *session)
{
    if (m_session == session)
        return;
    if (m_session)
        disconnect(m_session, nullptr, this, nullptr);
    m_timer.stop();
    m_isBehind = false;
    m_session = session;
    m_operations = session ? std::make_unique<Operations>(session) : nullptr;
    m_announced = 0;
    m_sizeAtFirst = session ? session->size() : 0;
    m_sinceAnnounced.invalidate();
    m_aheadNs = session ? sinceLastNs(*session) : 0;
    m_sinceAppended.start();
    Q_EMIT sessionChanged();
    if (!session)
        return;
    connect(session, &Session::appended, this, &CallIndex::onAppended);
    connect(session, &QObject::destroyed, this, [this] {
        m_timer.stop();
        m_operations.reset();
        Q_EMIT sessionChanged();
    });
    readSoon();
}

void CallIndex::setWanted(const QObject *by, bool wanted)
{
    if (wanted)
        m_wanted.insert(by);
    else
        m_wanted.remove(by);
    // A short session is read at once.
    if (wanted && !isComplete())
        read();
}

bool CallIndex::isComplete() const
{
    return !m_operations || !m_session || m_operations->scanned() >= m_session->size();
}

qsizetype CallIndex::operationOf(qsizetype row) const
{
    return m_operations ? m_operations->operationOf(row) : -1;
}

LinkReason CallIndex::reason(qsizetype row) const
{
    const LinkReason reason = m_operations ? m_operations->reason(row) : LinkReason::None;
    return isDoubt(reason) || reason == LinkReason::OnlyOpenCall ? reason : LinkReason::None;
}

qint64 CallIndex::nowNs() const
{
    if (!m_session || m_session->size() == 0)
        return 0;
    const qint64 last = m_session->at(m_session->size() - 1).timeNs;
    return m_session->isLive() ? last + m_aheadNs + m_sinceAppended.nsecsElapsed() : last;
}

bool CallIndex::isReadingOn() const
{
    if (!m_session || !m_operations)
        return false;
    return m_session->isLive() ? m_operations->scanned() < m_sizeAtFirst : m_session->isLoading() || !isComplete();
}

bool CallIndex::isWorthReading() const
{
    return !m_wanted.isEmpty() || m_session->size() <= MaxReadUnasked;
}

void CallIndex::onAppended()
{
    m_aheadNs = 0;
    m_sinceAppended.start();
    readSoon();
}

void CallIndex::readSoon()
{
    m_isCalm = false;
    if (!m_timer.isActive() && isWorthReading())
        m_timer.start(m_wanted.isEmpty() ? BusyInterval : AnnounceInterval);
}

void CallIndex::read()
{
    if (!m_operations || !isWorthReading())
        return;
    const bool isWanted = !m_wanted.isEmpty();
    const bool hasTime = isWanted || m_isCalm;
    m_isBehind = !m_operations->advance(SliceNs);
    m_isCalm = true;
    const auto since = std::chrono::milliseconds(m_sinceAnnounced.isValid() ? m_sinceAnnounced.elapsed() : 1000);
    if (since >= AnnounceInterval)
        announce();
    if (!m_operations)
        return;
    if (m_isBehind)
        m_timer.start(isWanted ? 0ms : hasTime ? CalmInterval : BusyInterval);
    else if (m_announced < m_operations->scanned())
        m_timer.start(AnnounceInterval - since);
}

void CallIndex::announce()
{
    const qsizetype first = std::exchange(m_announced, m_operations->scanned());
    m_sinceAnnounced.start();
    Q_EMIT advanced(m_operations->takeChanged(), first, m_announced - 1);
}

}  // namespace sonde::ui
