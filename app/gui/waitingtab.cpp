// SPDX-License-Identifier: Apache-2.0
#include "app/gui/waitingtab.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/json/textview.h"
#include "ui/panels/callsubject.h"
#include "ui/theme/widgets.h"

#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::app {

using ui::Grid;

namespace {

QByteArray shownText(const QByteArray &arguments)
{
    const json::Document document = json::Document::parse(arguments);
    return document.isValid() && !arguments.contains('\n') ? json::indented(document.root()) : arguments;
}

}  // namespace

WaitingTab::WaitingTab(int item, const QString &server, const TabState &tab, QWidget *parent)
    : QWidget(parent),
      m_item(item),
      m_tab(tab),
      m_server(new ui::TextLabel),
      m_banner(new ui::Banner),
      m_reconnect(new QPushButton(tr("Reconnect"))),
      m_arguments(new ui::TextView(this))
{
    setObjectName(u"waitingTab"_s);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto *heading = new ui::TextLabel;
    heading->setServerText(name());
    heading->setFont(ui::headingFont());
    m_server->setDim(true);
    m_reconnect->setObjectName(u"reconnect"_s);
    m_banner->addControl(m_reconnect);
    m_arguments->setObjectName(u"waitingArguments"_s);
    m_arguments->setAccessibleName(tr("Arguments"));
    m_arguments->setText(shownText(m_tab.draft.text), ui::TextView::Highlight::Json);
    auto *column = new QVBoxLayout(ui::addScrolledPage(this));
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    column->addWidget(heading);
    column->addWidget(m_server);
    column->addWidget(m_banner);
    if (m_tab.hasLeftOut) {
        auto *leftOut = new ui::TextLabel(tr("Secrets and very long values were not saved. Enter them again."));
        leftOut->setObjectName(u"leftOut"_s);
        leftOut->setDim(true);
        leftOut->setWordWrap(true);
        column->addWidget(leftOut);
    }
    if (!m_tab.draft.text.isEmpty() && m_tab.draft.text != "{}") {
        auto *caption = new ui::TextLabel(tr("Arguments"));
        caption->setStrong();
        column->addWidget(caption);
        column->addWidget(m_arguments, 1);
    } else {
        m_arguments->hide();
        column->addStretch(1);
    }
    connect(m_reconnect, &QPushButton::clicked, this, &WaitingTab::reconnectRequested);
    setServer(server);
    follow();
}

QString WaitingTab::name() const
{
    if (m_tab.kind == TabState::Kind::Tasks)
        return tr("Tasks");
    if (m_tab.kind == TabState::Kind::SavedCalls)
        return tr("Saved calls · %1").arg(visibleLine(m_tab.folder.section(u'/', -1), 40));
    return visibleLine(m_tab.title.isEmpty() ? m_tab.ref.key : m_tab.title, 300);
}

void WaitingTab::setServer(const QString &name)
{
    m_server->setServerText(visibleLine(name, 80));
}

void WaitingTab::focusButton()
{
    if (m_reconnect->isVisibleTo(this))
        m_reconnect->setFocus();
    else if (m_arguments->isVisibleTo(this))
        m_arguments->setFocus();
    else
        setFocus();
}

void WaitingTab::setConnection(Connection *connection)
{
    if (m_connection && m_connection != connection) {
        m_connection->disconnect(this);
        m_connection->catalog()->disconnect(this);
    }
    if (connection && m_connection != connection) {
        connect(connection, &Connection::stateChanged, this, &WaitingTab::follow);
        connect(connection->catalog(), &Catalog::changed, this, &WaitingTab::follow);
        connect(connection->catalog(), &Catalog::loaded, this, &WaitingTab::follow);
    }
    m_connection = connection;
    follow();
}

// A call waits for what it calls; the others for lists, from which saved calls know whether they fit.
bool WaitingTab::hasArrived() const
{
    return m_tab.kind == TabState::Kind::Call ? ui::subjectFor(m_tab.ref, *m_connection).exists
                                              : !m_connection->catalog()->isLoading();
}

void WaitingTab::follow()
{
    using State = Connection::State;
    const State state = m_connection ? m_connection->state() : State::Disconnected;
    const bool isFailed = m_connection && m_connection->error();
    const QString status = m_connection ? visibleLine(m_connection->statusText()) : QString();
    if (state == State::Disconnected)
        m_banner->setContent(isFailed ? ui::Tone::ProtocolError : ui::Tone::Neutral, tr("Not connected"),
                             isFailed ? status
                             : m_tab.kind == TabState::Kind::Call && !m_tab.hasLeftOut
                                 ? tr("What you typed is kept. Nothing runs until you reconnect.")
                                 : tr("Nothing runs until you reconnect."));
    else if (state == State::Connected && m_connection->catalog()->isLoading())
        m_banner->setContent(ui::Tone::Accent, tr("Connected"), tr("Waiting for the lists of the server…"));
    else if (state == State::Connected)
        m_banner->setContent(ui::Tone::Neutral, tr("No longer offered by the server"), tr("What you typed is kept."));
    else
        m_banner->setContent(ui::Tone::Accent, tr("Connecting"), status);
    const bool canReconnect = state == State::Disconnected;
    // A button that is hidden hands the focus to whatever comes next in the window, which need not be in front.
    const QWidget *focus = window()->focusWidget();
    if (!canReconnect && focus == m_reconnect)
        setFocus();
    m_reconnect->setVisible(canReconnect);
    if (canReconnect && focus == this)
        m_reconnect->setFocus();
    if (state == State::Connected && hasArrived())
        Q_EMIT arrived();
}

}  // namespace sonde::app
