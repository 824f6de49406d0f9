// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/sessionpanel.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/panels/factrows.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

SessionPanel::SessionPanel(QWidget *parent)
    : QWidget(parent), m_title(new TextLabel), m_subtitle(new TextLabel), m_rows(new FactRows)
{
    auto *column = new QVBoxLayout(addScrolledPage(this));
    column->setContentsMargins(3 * Grid, 2 * Grid, 3 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    auto *head = new QHBoxLayout;
    auto *names = new QVBoxLayout;
    names->setSpacing(2);
    m_title->setFont(headingFont());
    m_subtitle->setDim(true);
    for (TextLabel *label : {m_title, m_subtitle}) {
        label->setElided(true);
        label->setMinimumWidth(40);
        names->addWidget(label);
    }
    head->addLayout(names, 1);
    const auto button = [this, head](const QString &text, const QString &name, void (SessionPanel::*requested)()) {
        auto *added = new QPushButton(text);
        added->setObjectName(name);
        head->addWidget(added, 0, Qt::AlignTop);
        connect(added, &QPushButton::clicked, this, requested);
    };
    button(tr("Replay…"), u"replaySession"_s, &SessionPanel::replayRequested);
    button(tr("Compare…"), u"compareSession"_s, &SessionPanel::compareRequested);
    button(tr("Close session"), u"closeSession"_s, &SessionPanel::closeRequested);
    column->addLayout(head);
    column->addLayout(m_rows);
    auto *where = new TextLabel(tr("Recorded session; messages below."));
    where->setDim(true);
    column->addSpacing(Grid);
    column->addWidget(where);
    column->addStretch(1);
}

void SessionPanel::setSession(Session *session)
{
    if (m_session)
        m_session->disconnect(this);
    m_session = session;
    connect(session, &Session::loaded, this, &SessionPanel::refresh);
    refresh();
}

void SessionPanel::refresh()
{
    if (!m_session)
        return;
    m_title->setServerText(visibleLine(m_session->serverName()));
    m_title->setToolTip(plainToolTip(m_title->text()));
    m_subtitle->setText(tr("Recorded session of %1").arg(dateTimeText(m_session->createdAt())));
    const bool isLoading = m_session->isLoading();
    m_rows->setFacts({{tr("File"), m_session->path()},
                      {tr("Messages"), isLoading ? tr("loading…") : grouped(m_session->messageCount())},
                      {tr("Size"), isLoading ? QString() : sizeText(m_session->totalBytes())}});
}

}  // namespace sonde::ui
