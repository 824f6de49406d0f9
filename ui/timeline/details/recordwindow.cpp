// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/details/recordwindow.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/theme.h"
#include "ui/timeline/details/recorddetails.h"
#include "ui/timeline/table/timelinetext.h"

#include <QKeyEvent>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

QString rowTitle(const Session &session, qsizetype row)
{
    const RowText text = rowText(session, row);
    const QString named = text.target.isEmpty() ? text.lead : text.lead + u' ' + text.target;
    return u"%1 · #%2"_s.arg(visibleLine(named, 80)).arg(session.numberOf(row));
}

RecordWindow::RecordWindow(Session *session, qsizetype row, bool preferResponse, QWidget *parent)
    : QWidget(parent, Qt::Dialog | Qt::WindowMinMaxButtonsHint | Qt::WindowCloseButtonHint),
      m_session(session),
      m_details(new RecordDetails)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"recordWindow"_s);
    setWindowTitle(u"%1 · %2"_s.arg(rowTitle(*session, row), visibleLine(session->serverName(), 60)));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    resize(720, 560);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_details);
    m_details->setStandsAlone();
    m_details->setSession(session, false);
    m_details->showRow(row, preferResponse);
    m_details->setFocus();
    connect(session, &QObject::destroyed, this, &QWidget::close);
    connect(m_details, &RecordDetails::sendRequested, this, &RecordWindow::sendRequested);
    connect(m_details, &RecordDetails::editAndSendRequested, this, &RecordWindow::editAndSendRequested);
}

void RecordWindow::setCalls(CallIndex *calls)
{
    m_details->setCalls(calls);
    m_details->refresh();
}

void RecordWindow::setCanSend(bool canSend)
{
    if (m_session)
        m_details->setSession(m_session, canSend);
}

void RecordWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace sonde::ui
