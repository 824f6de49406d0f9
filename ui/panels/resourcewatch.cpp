// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/resourcewatch.h"

#include "core/connection/subscriptions.h"
#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using WatchState = Subscriptions::State;
constexpr int MinReadIntervalMs = 1000;
constexpr int MaxShownUpdatedUri = 120;

}  // namespace

ResourceWatch::ResourceWatch(const QString &uri, Connection *connection, QWidget *result)
    : m_uri(uri),
      m_connection(connection),
      m_result(result),
      m_button(new QPushButton),
      m_status(new TextLabel),
      m_mode(new SegmentedControl),
      m_difference(new VersionDifference)
{
    setObjectName(u"resourceWatch"_s);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(2 * Grid, Grid, 2 * Grid, 0);
    row->setSpacing(Grid);
    m_status->setObjectName(u"watchStatus"_s);
    m_status->setWordWrap(true);
    m_status->setMinimumWidth(40);
    row->addStretch(1);
    m_mode->setObjectName(u"versionMode"_s);
    m_mode->addSegment(tr("Response"));
    m_mode->addSegment(tr("Difference"));
    row->addWidget(m_mode);
    m_button->setObjectName(u"subscribeButton"_s);
    m_button->setMinimumHeight(28);
    m_pause.setSingleShot(true);
    m_pause.setInterval(MinReadIntervalMs);

    const Subscriptions *subscriptions = connection->subscriptions();
    connect(m_button, &QPushButton::clicked, this, &ResourceWatch::toggle);
    connect(m_mode, &SegmentedControl::currentChanged, this, &ResourceWatch::showMode);
    connect(&m_pause, &QTimer::timeout, this, &ResourceWatch::readSoon);
    connect(connection, &Connection::stateChanged, this, &ResourceWatch::refresh);
    connect(subscriptions, &Subscriptions::changed, this, &ResourceWatch::refresh);
    connect(subscriptions, &Subscriptions::updated, this, [this](const QString &subscribed, const QString &changedUri) {
        if (subscribed == m_uri)
            onUpdated(changedUri);
    });
    connect(subscriptions, &Subscriptions::resumed, this, [this](const QString &subscribed) {
        if (subscribed != m_uri)
            return;
        m_isDue = true;
        readSoon();
    });
}

bool ResourceWatch::isLive() const
{
    return m_connection && m_connection->subscriptions()->stateOf(m_uri) == WatchState::Active;
}

void ResourceWatch::toggle()
{
    if (!m_connection)
        return;
    Subscriptions *subscriptions = m_connection->subscriptions();
    const WatchState state = subscriptions->stateOf(m_uri);
    if (!subscriptions->isWanted(m_uri) || state == WatchState::Ended || state == WatchState::Refused)
        subscriptions->subscribe(m_uri);
    else
        subscriptions->unsubscribe(m_uri);
}

void ResourceWatch::add(const Outcome &reading, qsizetype kept)
{
    m_versions.prepend({reading.startedAt, reading.kind == Outcome::Kind::Ok ? reading.result() : json::Value()});
    m_versions.resize(qMin(m_versions.size(), kept));
    if (m_chosen > 0)
        m_chosen = qMin(m_chosen + 1, m_versions.size() - 1);
    refresh();
}

void ResourceWatch::choose(qsizetype row)
{
    m_chosen = qBound<qsizetype>(0, row, qMax<qsizetype>(0, m_versions.size() - 1));
    refresh();
}

QString ResourceWatch::statusText() const
{
    const Subscriptions &subscriptions = *m_connection->subscriptions();
    if (!subscriptions.isWanted(m_uri))
        return {};
    switch (subscriptions.stateOf(m_uri)) {
        case WatchState::None:
            return tr("Subscribed again when the server is connected.");
        case WatchState::Requested:
            return subscriptions.isReconnecting() ? tr("Subscription lost; reconnecting…") : tr("Subscribing…");
        case WatchState::Refused:
            return tr("Not subscribed: %1").arg(subscriptions.problemOf(m_uri).message);
        case WatchState::Ended:
            return tr("The server ended the subscription.");
        case WatchState::Lost: {
            const Error problem = subscriptions.problemOf(m_uri);
            return tr("Subscription lost: %1 %2").arg(problem.message, problem.hint).trimmed();
        }
        case WatchState::Active:
            break;
    }
    if (!m_updatedAt.isValid())
        return tr("● Live");
    const QString changed = tr("● Live · changed at %1").arg(versionTime(m_updatedAt));
    return m_updatedUri == m_uri ? changed : changed + u" · "_s + visibleLine(m_updatedUri, MaxShownUpdatedUri);
}

void ResourceWatch::refresh()
{
    if (!m_connection)
        return;
    const Subscriptions &subscriptions = *m_connection->subscriptions();
    const WatchState state = subscriptions.stateOf(m_uri);
    const bool isWanted = subscriptions.isWanted(m_uri);
    const bool isToSubscribe = !isWanted || state == WatchState::Ended || state == WatchState::Refused;
    m_button->setVisible(isWanted || subscriptions.canSubscribe());
    m_button->setText(!isToSubscribe ? tr("Unsubscribe") : isWanted ? tr("Subscribe again") : tr("Subscribe"));
    m_button->setToolTip(
        isToSubscribe ? tr("The server sends a notification when this resource changes; Sonde then reads it again.")
                      : QString());
    m_status->setServerText(statusText());
    m_status->setVisible(isWanted);
    m_status->setTone(state == WatchState::Active    ? Tone::Accent
                      : state == WatchState::Refused ? Tone::ProtocolError
                      : state == WatchState::Lost    ? Tone::NoResponse
                                                     : Tone::Neutral);
    const bool hasDifference = m_chosen < m_versions.size() && m_versions[m_chosen].result.exists() &&
                               versionBefore(m_versions, m_chosen) >= 0;
    m_mode->setVisible(hasDifference);
    if (!hasDifference)
        m_mode->setCurrent(0);
    setVisible(hasDifference);
    showMode();
    const bool isLiveNow = state == WatchState::Active;
    if (std::exchange(m_wasLive, isLiveNow) != isLiveNow)
        Q_EMIT liveChanged();
}

void ResourceWatch::showMode()
{
    const bool showsDifference = !m_mode->isHidden() && m_mode->current() == 1;
    m_result->setVisible(!showsDifference);
    m_difference->setVisible(showsDifference);
    if (showsDifference)
        m_difference->setVersions(m_versions, m_chosen);
}

void ResourceWatch::onUpdated(const QString &changedUri)
{
    m_updatedAt = QDateTime::currentDateTimeUtc();
    m_updatedUri = changedUri;
    m_isDue = true;
    refresh();
    readSoon();
}

void ResourceWatch::readSoon()
{
    if (!m_isDue || m_reading || m_pause.isActive() || !m_connection ||
        m_connection->state() != Connection::State::Connected)
        return;
    m_isDue = false;
    m_reading = m_connection->readResource(m_uri);
    connect(m_reading, &Call::finished, this, [this](const Outcome &outcome) {
        m_reading.clear();
        m_pause.start();
        Q_EMIT readAgain(outcome);
    });
}

}  // namespace sonde::ui
