// SPDX-License-Identifier: Apache-2.0
#include "core/replay/serversnapshot.h"

#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/replay/environment.h"
#include "core/replay/recording.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// Names are compared, so a secret in one must look the same in each session.
void addEntry(ServerSnapshot &snapshot, const Catalog::ListInfo &info, const json::Value &entry)
{
    snapshot.entries[size_t(info.list)].emplaceBack(withoutMarkDigits(entry[info.identity].string()), entry);
}

// A response to server/discover in the words of one to initialize, so that servers of both eras can be compared.
json::Value handshakeOfDiscovery(const Message &request, const json::Value &result)
{
    const json::Value revision = request.params()[u"_meta"][u"io.modelcontextprotocol/protocolVersion"];
    const json::Value server = result[u"_meta"][u"io.modelcontextprotocol/serverInfo"];
    json::Builder builder;
    builder.beginObject();
    if (revision.exists())
        builder.rawMember(u"protocolVersion", revision.bytes());
    if (server.exists())
        builder.rawMember(u"serverInfo", server.bytes());
    static const std::array perResponse{u"_meta"_s, u"resultType"_s, u"ttlMs"_s, u"cacheScope"_s,
                                        u"supportedVersions"_s};
    for (const json::Value &member : result) {
        if (std::find(perResponse.begin(), perResponse.end(), member.key()) == perResponse.end())
            builder.rawKey(member.keySlice()).value(member);
    }
    return json::parse(builder.endObject().take());
}

// A handshake that came to a result begins everything anew.
void addHandshake(ServerSnapshot &snapshot, const Session &session, const RecordedCall &call)
{
    const json::Value result = responseOf(session, call).result();
    if (!result.isObject())
        return;
    snapshot = {};
    snapshot.name = session.serverName();
    snapshot.handshake = call.isDiscovery ? handshakeOfDiscovery(session.message(call.row), result) : result;
    snapshot.handshakeAt = session.wallTime(call.row);
    snapshot.environment = environmentOf(session, call.row);
}

// Of the latest start. It stands at that start's beginning, however much came after it.
void addLatestHandshake(ServerSnapshot &snapshot, const Session &session)
{
    qsizetype row = session.size() - 1;
    while (row > 0 && session.at(row).kind != WireEvent::Kind::Open)
        --row;
    RecordedCall latest;
    for (; row >= 0 && row < session.size(); ++row) {
        const RecordInfo &info = session.at(row);
        if (info.kind != WireEvent::Kind::Message || info.messageKind != Message::Kind::Request ||
            info.direction != Direction::ToServer)
            continue;
        const QString method = session.name(info.method);
        if (method != methods::Initialize && method != methods::Discover) {
            if (latest.row >= 0)
                break;
            continue;
        }
        latest = {row, session.partnerOf(row)};
        latest.isDiscovery = method == methods::Discover;
        if (!latest.isDiscovery)
            break;
    }
    if (latest.row >= 0 && isHandshake(session, latest))
        addHandshake(snapshot, session, latest);
}

}  // namespace

Result<ServerSnapshot> ServerSnapshot::of(const Session &session)
{
    ServerSnapshot snapshot;
    snapshot.name = session.serverName();
    for (const RecordedCall &call : recordedCalls(session)) {
        if (call.responseRow < 0)
            continue;
        const QString method = methodOf(session, call);
        if (isHandshake(session, call)) {
            addHandshake(snapshot, session, call);
            continue;
        }
        for (const Catalog::ListInfo &info : Catalog::Lists) {
            if (method != info.method)
                continue;
            const json::Value result = responseOf(session, call).result();
            if (!result.isObject())
                continue;
            // A listing without a cursor begins anew.
            if (!requestOf(session, call).params()[u"cursor"].exists())
                snapshot.entries[size_t(info.list)].clear();
            snapshot.isListed[size_t(info.list)] = !result[u"nextCursor"].isString();  // the last page, so far
            for (const json::Value &entry : result[info.member])
                addEntry(snapshot, info, entry);
        }
    }
    if (!snapshot.handshake.exists())
        return Error::local(QCoreApplication::translate("sonde::ServerSnapshot",
                                                        "The session does not contain a successful handshake."));
    return snapshot;
}

ServerSnapshot ServerSnapshot::of(const Connection &connection)
{
    // Its session tells the handshake whole, with members that no reader knows; the catalog has joined the pages.
    ServerSnapshot snapshot;
    connection.session()->flush();  // what this turn of the event loop brought is part of it
    addLatestHandshake(snapshot, *connection.session());
    snapshot.name = connection.spec().name;
    snapshot.secretPrints = secretPrintsOf(connection.spec());
    const Catalog &catalog = *connection.catalog();
    for (const Catalog::ListInfo &info : Catalog::Lists) {
        const Catalog::Status &status = catalog.status(info.list);
        // Servers with resources need not know the method that lists templates: they have none.
        const bool isUnknown = status.isNotImplemented && info.list != List::ResourceTemplates;
        snapshot.isListed[size_t(info.list)] = status.state == Catalog::State::Ready && !status.hasMore && !isUnknown;
        // The catalog has them as they were received. Reports are made of a snapshot, so it holds what a recording
        // would.
        catalog.forEach(info.list, [&](const Entry &entry) {
            const QByteArray text = entry.value.slice().toByteArray();
            const QByteArray masked = connection.session()->masked(text);
            addEntry(snapshot, info, masked == text ? entry.value : json::parse(masked));
        });
    }
    return snapshot;
}

}  // namespace sonde
