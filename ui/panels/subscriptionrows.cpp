// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/subscriptionrows.h"

#include "core/connection/subscriptions.h"
#include "core/protocol/visibletext.h"
#include "ui/panels/factrows.h"
#include "ui/theme/widgets.h"

#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using StreamState = Subscriptions::State;
constexpr qsizetype MaxListedUris = 30;
constexpr int MaxListedUriLength = 200;

QString stateText(StreamState state, const Error &error, bool isReconnecting = false)
{
    switch (state) {
        case StreamState::Requested:
            return isReconnecting ? SubscriptionRows::tr("Reconnecting; waiting for the acknowledgement")
                                  : SubscriptionRows::tr("Waiting for the acknowledgement");
        case StreamState::Active:
            return sign(Tone::Ok) + u' ' +
                   (error ? SubscriptionRows::tr("Active; the last change failed: %1").arg(error.message)
                          : SubscriptionRows::tr("Active"));
        case StreamState::Refused:
            return sign(Tone::ProtocolError) + u' ' + SubscriptionRows::tr("Refused: %1").arg(error.message);
        case StreamState::Ended:
            return SubscriptionRows::tr("Ended by the server");
        case StreamState::Lost:
            return sign(Tone::NoResponse) + u' ' +
                   SubscriptionRows::tr("Lost: %1 %2").arg(error.message, error.hint).trimmed();
        case StreamState::None:
            break;
    }
    return {};
}

QString filterText(const ListenFilter &filter)
{
    QStringList lines;
    if (filter.tools)
        lines << SubscriptionRows::tr("Tool list changes");
    if (filter.prompts)
        lines << SubscriptionRows::tr("Prompt list changes");
    if (filter.resources)
        lines << SubscriptionRows::tr("Resource list changes");
    for (const QString &id : filter.taskIds.first(qMin(filter.taskIds.size(), MaxListedUris)))
        lines << SubscriptionRows::tr("Task %1").arg(visibleLine(id, MaxListedUriLength));
    for (const QString &uri : filter.uris.first(qMin(filter.uris.size(), MaxListedUris)))
        lines << visibleLine(uri, MaxListedUriLength);
    if (filter.uris.size() > MaxListedUris)
        lines << SubscriptionRows::tr("… and %1 more").arg(filter.uris.size() - MaxListedUris);
    return lines.join(u'\n');
}

// In the stateful revisions each resource is a subscription of its own.
QString resourcesText(const Subscriptions &subscriptions)
{
    QStringList lines;
    const QStringList uris = subscriptions.wanted();
    for (const QString &uri : uris.first(qMin(uris.size(), MaxListedUris))) {
        const QString state = stateText(subscriptions.stateOf(uri), subscriptions.problemOf(uri));
        lines << visibleLine(uri, MaxListedUriLength) + (state.isEmpty() ? QString() : u" · "_s + state);
    }
    if (uris.size() > MaxListedUris)
        lines << SubscriptionRows::tr("… and %1 more").arg(uris.size() - MaxListedUris);
    return lines.join(u'\n');
}

// None where nothing was subscribed to.
QList<Fact> factsOf(const Subscriptions &subscriptions)
{
    if (!subscriptions.hasStream()) {
        const QString resources = resourcesText(subscriptions);
        return resources.isEmpty() ? QList<Fact>() : QList<Fact>{{SubscriptionRows::tr("Resources"), resources}};
    }
    const ListenFilter requested = subscriptions.requested();
    if (requested.isEmpty())
        return {};
    QList<Fact> facts{
        {SubscriptionRows::tr("State"),
         stateText(subscriptions.state(), subscriptions.error(), subscriptions.isReconnecting())},
        {SubscriptionRows::tr("Requested"), filterText(requested)},
    };
    if (subscriptions.state() == StreamState::Active) {
        const QString acknowledged = filterText(subscriptions.acknowledged());
        facts.append({SubscriptionRows::tr("Acknowledged"),
                      acknowledged.isEmpty() ? SubscriptionRows::tr("nothing") : acknowledged});
        facts.append(
            {SubscriptionRows::tr("Not acknowledged"), filterText(requested.without(subscriptions.acknowledged()))});
    }
    return facts;
}

}  // namespace

SubscriptionRows::SubscriptionRows(QWidget *parent)
    : QWidget(parent), m_rows(new FactRows), m_again(new QPushButton(tr("Subscribe again")))
{
    setObjectName(u"subscriptions"_s);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, Grid, 0, 0);
    column->setSpacing(Grid);
    auto *caption = new TextLabel(tr("Subscriptions"));
    caption->setStrong();
    column->addWidget(caption);
    column->addLayout(m_rows);
    m_again->setObjectName(u"subscribeAgain"_s);
    column->addWidget(m_again, 0, Qt::AlignLeft);
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (m_connection)
            m_connection->subscriptions()->listenAgain();
    });
    hide();
}

void SubscriptionRows::setConnection(Connection *connection)
{
    if (m_connection != connection) {
        if (m_connection)
            m_connection->subscriptions()->disconnect(this);
        m_connection = connection;
        if (connection)
            connect(connection->subscriptions(), &Subscriptions::changed, this, &SubscriptionRows::refresh);
    }
    refresh();
}

void SubscriptionRows::refresh()
{
    const QList<Fact> facts = m_connection ? factsOf(*m_connection->subscriptions()) : QList<Fact>();
    const StreamState state = m_connection ? m_connection->subscriptions()->state() : StreamState::Active;
    m_rows->setFacts(facts);
    m_again->setVisible(!facts.isEmpty() && m_connection->subscriptions()->hasStream() &&
                        (state == StreamState::Ended || state == StreamState::Refused));
    setVisible(!facts.isEmpty());
}

}  // namespace sonde::ui
