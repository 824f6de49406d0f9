// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/unsentbanner.h"

#include "core/protocol/visibletext.h"

#include <QPushButton>

using namespace Qt::StringLiterals;

namespace sonde::ui {

UnsentBanner::UnsentBanner(QWidget *parent) : Banner(parent), m_restart(new QPushButton(tr("Restart")))
{
    setObjectName(u"unsent"_s);
    m_restart->setObjectName(u"unsentRestart"_s);
    addControl(m_restart);
    connect(m_restart, &QPushButton::clicked, this, &UnsentBanner::restartRequested);
    hide();
}

void UnsentBanner::say(const Connection &connection)
{
    using State = Connection::State;
    const State state = connection.state();
    const QString title = state != State::Disconnected        ? tr("Not sent: the server is not ready.")
                          : connection.spec().startsProcess() ? tr("Not sent: the server is not running.")
                                                              : tr("Not sent: there is no connection to the server.");
    setContent(Tone::NoResponse, sign(Tone::NoResponse) + u' ' + title, visibleLine(connection.statusText()));
    m_restart->setVisible(state == State::Disconnected);
    setVisible(state != State::Connected);
}

}  // namespace sonde::ui
