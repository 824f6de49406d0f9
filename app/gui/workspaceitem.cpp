// SPDX-License-Identifier: Apache-2.0
#include "app/gui/workspaceitem.h"

#include "ui/panels/serverlist.h"
#include "ui/panels/serverstatus.h"
#include "ui/result/outcometext.h"

#include <QCoreApplication>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

using ui::ServerItem;

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

ServerItem describe(const WorkspaceItem &item)
{
    ui::ServerItem line;
    line.name = item.spec.name;
    if (!item.isServer()) {
        line.kind = ui::ServerItem::Kind::Session;
        line.detail = item.recordedText();
        if (!item.givenName.isEmpty()) {
            line.name = item.givenName;
            line.detail = ItemText::tr("%1 · %2").arg(item.spec.name, item.recordedText());
        }
        line.canStart = false;
        return line;
    }
    const Connection *connection = item.connection.get();
    const ui::ServerStatus status = ui::statusOf(connection);
    line.tone = status.tone;
    line.isFailure = status.isFailure;
    const Connection::State state = connection ? connection->state() : Connection::State::Disconnected;
    line.canStart = state == Connection::State::Disconnected;
    line.canStop = state == Connection::State::Connected || state == Connection::State::Connecting;
    // A reason needs all the room that there is.
    if (status.isFailure || status.tone == ui::Tone::Accent) {
        line.detail = status.text;
        return line;
    }
    if (state == Connection::State::Connected) {
        line.detail =
            ItemText::tr("%1 · %2").arg(connection->transportName(), connection->serverInfo().protocolVersion);
        if (connection->latencyNs() >= 0)
            line.detail += u" · "_s + ui::durationText(connection->latencyNs());
    } else {
        line.detail = ItemText::tr("%1 · %2").arg(item.spec.transportName(), status.text);
    }
    if (item.isBuiltIn)
        line.detail += ItemText::tr(" · built in");
    return line;
}

}  // namespace sonde::app
