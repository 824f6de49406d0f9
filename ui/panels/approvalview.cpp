// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/approvalview.h"

#include "core/server/approval.h"
#include "ui/panels/launchlines.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int ArmingMs = 500;
constexpr int MinLinesHeight = 144;
constexpr int SpaceAround = 9 * Grid;  // margins, spacing, and the line that says how much there is to scroll

}  // namespace

ApprovalView::ApprovalView(QWidget *parent)
    : QWidget(parent),
      m_banner(new Banner),
      m_lines(new LaunchLines),
      m_note(new TextLabel),
      m_approve(new QPushButton(tr("Start"))),
      m_cancel(new QPushButton(tr("Cancel")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, Grid, 0, Grid);
    column->setSpacing(Grid);
    m_banner->setObjectName(u"approvalBanner"_s);
    column->addWidget(m_banner);
    column->addWidget(m_lines);
    m_note->setDim(true);
    m_note->setWordWrap(true);
    m_note->setMinimumWidth(40);
    column->addWidget(m_note);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(Grid);
    m_approve->setObjectName(u"approveStart"_s);
    m_cancel->setObjectName(u"declineStart"_s);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_approve);
    buttons->addStretch(1);
    column->addLayout(buttons);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_connection)
            m_connection->decline();
    });
    m_arming.setSingleShot(true);
    m_arming.setInterval(ArmingMs);
    connect(&m_arming, &QTimer::timeout, this, [this] { m_approve->setEnabled(true); });
    connect(m_approve, &QPushButton::clicked, this, [this] {
        if (!m_connection)
            return;
        if (const Error error = m_connection->approve())
            Q_EMIT notRemembered(error);
    });
    refresh();
}

void ApprovalView::setConnection(Connection *connection)
{
    if (m_connection == connection)
        return;
    if (m_connection)
        m_connection->disconnect(this);
    m_connection = connection;
    if (connection) {
        connect(connection, &Connection::approvalNeeded, this, [this] {
            // It may be another question than the one that was open, and a click that was meant for that on its way.
            if (std::exchange(m_isShown, false)) {
                m_cancel->setFocus();
                m_approve->setEnabled(false);
                m_arming.start();
            }
            refresh();
        });
        connect(connection, &Connection::stateChanged, this, &ApprovalView::refresh);
    }
    m_isShown = false;
    refresh();
}

void ApprovalView::setRoom(int height)
{
    const int others = m_banner->sizeHint().height() + m_note->sizeHint().height() + m_approve->sizeHint().height();
    m_lines->setMaxHeight(qMax(MinLinesHeight, height - others - SpaceAround));
}

QWidget *ApprovalView::cancelButton() const
{
    return m_cancel;
}

void ApprovalView::refresh()
{
    const Approval *approval = m_connection ? m_connection->approval() : nullptr;
    setVisible(approval);
    if (approval && !m_isShown)
        fill(*approval);
    m_isShown = approval;
}

void ApprovalView::fill(const Approval &approval)
{
    const bool isProcess = m_connection->spec().startsProcess();
    const bool isChange = !approval.before.isEmpty();
    const QString title = isChange    ? tr("This server has changed since you approved it")
                          : isProcess ? tr("Start this program?")
                                      : tr("Connect to this server?");
    m_banner->setContent(isChange ? Tone::ToolError : Tone::Asks, title,
                         isProcess ? tr("It runs with your permissions and can read, change or send anything you can.")
                         : m_connection->spec().headers.isEmpty()
                             ? tr("Sonde sends requests to this address.")
                             : tr("Sonde sends the headers below with every request."));
    m_lines->setApproval(approval);
    m_note->setText(tr("Nothing has been started or sent yet. Sonde will ask again if any of this changes."));
    m_approve->setText(isProcess ? tr("Start") : tr("Connect"));
    m_cancel->setFocus();
}

}  // namespace sonde::ui
