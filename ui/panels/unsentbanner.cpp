// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/unsentbanner.h"

#include "core/protocol/visibletext.h"
#include "ui/panels/serverstatus.h"

#include <QPushButton>

using namespace Qt::StringLiterals;

namespace sonde::ui {

UnsentBanner::UnsentBanner(QWidget *parent) : Banner(parent), m_restart(new QPushButton)
{
    setObjectName(u"unsent"_s);
    m_restart->setObjectName(u"unsentRestart"_s);
    m_restart->setAccessibleName(tr("Start"));
    addControl(m_restart);
    connect(m_restart, &QPushButton::clicked, this, &UnsentBanner::restartRequested);
    hide();
}

void UnsentBanner::sayNotSent(const Connection &connection)
{
    m_isNotSent = true;
    refresh(connection);
}

void UnsentBanner::refresh(const Connection &connection)
{
    using State = Connection::State;
    const State state = connection.state();
    const bool isDown = state == State::Disconnected;
    m_isNotSent = m_isNotSent && state != State::Connected;
    setVisible(m_isNotSent || isDown);
    if (isHidden())
        return;
    const bool isProcess = connection.spec().startsProcess();
    const QString notSent = !isDown     ? tr("Not sent: the server is not ready.")
                            : isProcess ? tr("Not sent: the server is not running.")
                                        : tr("Not sent: there is no connection to the server.");
    const QString isOff = isProcess ? tr("The server is not running.") : tr("There is no connection to the server.");
    m_state = sign(Tone::NoResponse) + u' ' + (m_isNotSent ? notSent : isOff);
    m_reason = visibleLine(statusOf(&connection).sentence());
    showContent();
    m_restart->setText(isProcess ? tr("Start") : tr("Connect"));
    m_restart->setAccessibleName(m_restart->text());
    m_restart->setVisible(isDown);
}

void UnsentBanner::setBrief(bool isBrief)
{
    if (isBrief == m_isBrief)
        return;
    m_isBrief = isBrief;
    showContent();
}

void UnsentBanner::showContent()
{
    setContent(Tone::NoResponse, m_state, m_isBrief ? QString() : m_reason);
    setToolTip(m_isBrief ? plainToolTip(m_reason) : QString());
    setAccessibleDescription(m_reason);
}

}  // namespace sonde::ui
