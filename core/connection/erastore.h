// Which servers wanted a handshake, kept between starts, so that they are not asked about it each time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/files/jsonstore.h"
#include "core/server/serverspec.h"

#include <QDateTime>
#include <QHash>
#include <functional>

namespace sonde {

// A server that falls silent on server/discover costs seconds at each start. A verdict holds for a process
// configuration or an address, not for a name in a list, and for a day: it never fails by itself where a server has
// learned the newer era. That a server needs no handshake is not kept: to ask it costs one message.
//
// The file has digests in place of the configurations. It is read at each question, so that the window and the command
// line know the same. What cannot be read or written counts as unknown: then a server is asked again, and that is all.
// Belongs to one thread; shared by its connections.
class EraStore {
public:
    static constexpr qint64 LifetimeSeconds = 24 * 60 * 60;
    static constexpr qsizetype MaxServers = 1000;  // beyond it the oldest are forgotten

    explicit EraStore(const QString &path = {});  // empty: in memory only

    // When it was found out; invalid when it is not known, or not any more.
    QDateTime handshakeSince(const ServerSpec &spec, const QDateTime &now = QDateTime::currentDateTimeUtc()) const;
    void rememberHandshake(const ServerSpec &spec, const QDateTime &now = QDateTime::currentDateTimeUtc());
    void forget(const ServerSpec &spec);

private:
    using Entries = QHash<QString, qint64>;  // digest; seconds since 1970
    static Entries entriesOf(const QByteArray &text);
    void change(const std::function<void(Entries &)> &change);

    JsonStore m_file;
};

}  // namespace sonde
