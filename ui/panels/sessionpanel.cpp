// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/sessionpanel.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/protocol/worker.h"
#include "core/session/sessionsnapshot.h"
#include "ui/panels/factrows.h"
#include "ui/result/outcometext.h"
#include "ui/result/summarytext.h"
#include "ui/theme/breakingrow.h"
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
    auto *identity = new QWidget;
    auto *names = new QVBoxLayout(identity);
    names->setContentsMargins(0, 0, 0, 0);
    names->setSpacing(2);
    m_title->setFont(headingFont());
    m_subtitle->setDim(true);
    for (TextLabel *label : {m_title, m_subtitle}) {
        label->setElided(true);
        label->setMinimumWidth(40);
        names->addWidget(label);
    }
    auto *buttons = new QWidget;
    auto *row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Grid);
    const auto button = [this, row](const QString &text, const QString &name, void (SessionPanel::*requested)()) {
        auto *added = new QPushButton(text);
        added->setObjectName(name);
        row->addWidget(added);
        connect(added, &QPushButton::clicked, this, requested);
    };
    button(tr("Replay…"), u"replaySession"_s, &SessionPanel::replayRequested);
    button(tr("Compare…"), u"compareSession"_s, &SessionPanel::compareRequested);
    button(tr("Close session"), u"closeSession"_s, &SessionPanel::closeRequested);
    column->addWidget(new BreakingRow(identity, buttons));
    column->addLayout(m_rows);
    auto *where = new TextLabel(tr("Its tools, resources and prompts are in the side bar, its messages below."));
    where->setDim(true);
    column->addSpacing(Grid);
    column->addWidget(where);
    column->addStretch(1);
}

void SessionPanel::setSession(Session *session)
{
    if (session == m_session)
        return refresh();
    if (m_session)
        m_session->disconnect(this);
    delete m_reading;  // of the session before
    m_session = session;
    m_summary.reset();
    connect(session, &Session::loaded, this, [this] {
        refresh();
        summarize();
    });
    refresh();
    if (!session->isLoading())
        summarize();
}

void SessionPanel::refresh()
{
    if (!m_session)
        return;
    m_title->setServerText(visibleLine(m_session->serverName()));
    m_title->setToolTip(plainToolTip(m_title->text()));
    m_subtitle->setText(tr("Recorded session of %1").arg(dateTimeText(m_session->createdAt())));
    const bool isLoading = m_session->isLoading();
    QList<Fact> facts{{tr("File"), m_session->path()},
                      {tr("Messages"), isLoading ? tr("loading…") : grouped(m_session->messageCount())},
                      {tr("File size"), isLoading ? QString() : sizeText(m_session->fileSize())}};
    if (m_summary) {
        facts << Fact{tr("Calls"), grouped(m_summary->calls)} << Fact{tr("Failures"), failuresInWords(*m_summary)}
              << Fact{tr("Findings"), grouped(m_summary->findings)}
              << Fact{tr("Duration"), lengthText(m_summary->durationNs)}
              << Fact{tr("End"), m_summary->isEnded ? tr("ended normally") : tr("interrupted")};
    }
    m_rows->setFacts(facts);
}

// The calls of a long session take long to follow.
void SessionPanel::summarize()
{
    delete m_reading;
    m_reading = runOnWorker(
        this, [snapshot = SessionSnapshot(*m_session)] { return SessionSummary::of(*snapshot.open()); },
        [this](const std::optional<SessionSummary> &summary) {
            m_summary = summary;
            refresh();
        });
}

}  // namespace sonde::ui
