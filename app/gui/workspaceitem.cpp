// SPDX-License-Identifier: Apache-2.0
#include "app/gui/workspaceitem.h"

#include "ui/panels/serverlist.h"
#include "ui/result/outcometext.h"

#include <QCoreApplication>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

struct ItemText {
    Q_DECLARE_TR_FUNCTIONS(sonde::app::WorkspaceItem)
};

}  // namespace

Session *WorkspaceItem::shownSession() const
{
    return session ? session.get() : connection ? connection->session() : nullptr;
}

QString WorkspaceItem::recordedText() const
{
    return ItemText::tr("recorded %1")
        .arg(QLocale().toString(session->createdAt().toLocalTime(), u"yyyy-MM-dd HH:mm"_s));
}

ui::ServerItem describe(const WorkspaceItem &item)
{
    ui::ServerItem line;
    line.name = item.spec.name;
    if (!item.isServer()) {
        line.kind = ui::ServerItem::Kind::Session;
        line.detail = item.recordedText();
        line.canStart = false;
        return line;
    }
    const QString transport = item.spec.transportName();
    line.detail = item.isBuiltIn ? ItemText::tr("%1 · not started · built in").arg(transport)
                                 : ItemText::tr("%1 · not started").arg(transport);
    const Connection *connection = item.connection.get();
    if (!connection)
        return line;
    switch (connection->state()) {
        case Connection::State::Connected:
            line.tone = ui::Tone::Ok;
            line.canStart = false;
            line.canStop = true;
            if (connection->trouble()) {
                line.tone = ui::Tone::ProtocolError;
                line.isFailure = true;
                line.detail = connection->statusText();
                break;
            }
            line.detail =
                ItemText::tr("%1 · %2").arg(connection->transportName(), connection->serverInfo().protocolVersion);
            if (connection->latencyNs() >= 0)
                line.detail += u" · "_s + ui::durationText(connection->latencyNs());
            if (item.isBuiltIn)
                line.detail += ItemText::tr(" · built in");
            break;
        case Connection::State::Connecting:
        case Connection::State::Closing:
            line.tone = ui::Tone::Accent;
            line.canStart = false;
            line.canStop = connection->state() == Connection::State::Connecting;
            line.detail = connection->statusText();
            break;
        case Connection::State::Disconnected:
            if (connection->error()) {
                line.tone = ui::Tone::ProtocolError;
                line.isFailure = true;
                line.detail = connection->statusText();
            } else {
                line.detail = ItemText::tr("%1 · stopped").arg(transport);
            }
            break;
    }
    return line;
}

}  // namespace sonde::app
