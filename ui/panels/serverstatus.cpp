// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/serverstatus.h"

#include "core/connection/connection.h"

#include <QCoreApplication>

namespace sonde::ui {

namespace {

struct StatusText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::ServerStatus)
};

}  // namespace

QString ServerStatus::sentence() const
{
    return text.isEmpty() ? text : text.at(0).toUpper() + text.mid(1);
}

ServerStatus statusOf(const Connection *connection)
{
    using State = Connection::State;
    if (!connection)
        return {StatusText::tr("not started")};
    switch (connection->state()) {
        case State::Connected:
            return {connection->statusText(), connection->trouble() ? Tone::ProtocolError : Tone::Ok,
                    bool(connection->trouble())};
        case State::Connecting:
        case State::Closing:
            return {connection->statusText(), Tone::Accent};
        case State::Disconnected:
            break;
    }
    if (connection->error())
        return {connection->statusText(), Tone::ProtocolError, true};
    return {connection->startSteps().isEmpty() ? StatusText::tr("not started") : StatusText::tr("stopped")};
}

}  // namespace sonde::ui
