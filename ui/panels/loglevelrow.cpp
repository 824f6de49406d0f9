// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/loglevelrow.h"

#include "core/connection/loglevelchoice.h"
#include "core/protocol/visibletext.h"
#include "ui/panels/factrows.h"
#include "ui/theme/widgets.h"

#include <QComboBox>
#include <QHBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

LogLevelRow::LogLevelRow(QWidget *parent) : QWidget(parent), m_levels(new QComboBox), m_note(new TextLabel)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Grid);
    auto *caption = new TextLabel(tr("Log level"));
    caption->setDim(true);
    caption->setMinimumWidth(FactRows::NameWidth);
    row->addWidget(caption);
    row->addSpacing(Grid);  // as between the facts above it
    m_levels->setObjectName(u"logLevel"_s);
    m_levels->setAccessibleName(tr("Log level"));
    m_levels->addItem({}, QString());
    for (const QString &level : LogLevelChoice::all())
        m_levels->addItem(level, level);
    row->addWidget(m_levels);
    m_note->setObjectName(u"logLevelNote"_s);
    m_note->setWordWrap(true);
    m_note->setMinimumWidth(40);
    row->addWidget(m_note, 1);
    connect(m_levels, &QComboBox::activated, this, [this](int index) {
        if (m_connection)
            m_connection->logLevel()->choose(m_levels->itemData(index).toString());
    });
    hide();
}

void LogLevelRow::setConnection(Connection *connection)
{
    if (m_connection != connection) {
        if (m_connection) {
            m_connection->disconnect(this);
            m_connection->logLevel()->disconnect(this);
        }
        m_connection = connection;
        if (connection) {
            connect(connection, &Connection::stateChanged, this, &LogLevelRow::refresh);
            connect(connection->logLevel(), &LogLevelChoice::changed, this, &LogLevelRow::refresh);
        }
    }
    refresh();
}

void LogLevelRow::refresh()
{
    const LogLevelChoice *choice = m_connection ? m_connection->logLevel() : nullptr;
    setVisible(choice && choice->isOffered());
    if (!choice)
        return;
    const bool isPerRequest = choice->isPerRequest();
    m_levels->setItemText(0, isPerRequest ? tr("Off") : tr("Server default"));
    m_levels->setCurrentIndex(int(LogLevelChoice::all().indexOf(choice->level())) + 1);  // none: the first
    QString note;
    if (!choice->problem().isEmpty())
        note = sign(Tone::ProtocolError) + u' ' + tr("Not accepted: %1").arg(visibleLine(choice->problem(), 300));
    else if (isPerRequest)
        note = choice->level().isEmpty() ? tr("Requests do not ask for log messages.") : tr("Sent with each request.");
    else if (choice->level().isEmpty() && !choice->sent().isEmpty())
        note = tr("The server keeps '%1' until it is restarted.").arg(choice->sent());
    m_note->setTone(choice->problem().isEmpty() ? Tone::Neutral : Tone::ProtocolError);
    m_note->setDim(choice->problem().isEmpty());
    m_note->setServerText(note);
}

}  // namespace sonde::ui
