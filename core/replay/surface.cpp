// SPDX-License-Identifier: Apache-2.0
#include "core/replay/surface.h"

#include "core/protocol/methods.h"
#include "core/replay/environment.h"
#include "core/replay/recording.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct ListFacts {
    QStringView method;
    QStringView member;  // of the result
    QStringView key;     // what names an entry
};

constexpr ListFacts facts(Surface::List list)
{
    switch (list) {
        case Surface::List::Tools:
            return {methods::ListTools, u"tools", u"name"};
        case Surface::List::Resources:
            return {methods::ListResources, u"resources", u"uri"};
        case Surface::List::Templates:
            return {methods::ListResourceTemplates, u"resourceTemplates", u"uriTemplate"};
        case Surface::List::Prompts:
            break;
    }
    return {methods::ListPrompts, u"prompts", u"name"};
}

// Names are compared, so a secret in one must look the same in each session.
void take(Surface &surface, Surface::List list, const json::Value &entry)
{
    surface.entries[size_t(list)].emplaceBack(withoutMarkDigits(entry[facts(list).key].string()), entry);
}

// A handshake that came to a result begins everything anew.
void takeHandshake(Surface &surface, const Session &session, const RecordedCall &call)
{
    const json::Value result = responseOf(session, call).result();
    if (!result.isObject())
        return;
    surface = {};
    surface.name = session.serverName();
    surface.handshake = result;
    surface.handshakeAt = session.wallTime(call.row);
    surface.environment = environmentOf(session, call.row);
}

// Of the latest start. It stands at that start's beginning, however much came after it.
void takeLatestHandshake(Surface &surface, const Session &session)
{
    qsizetype row = session.size() - 1;
    while (row > 0 && session.at(row).kind != WireEvent::Kind::Open)
        --row;
    for (; row >= 0 && row < session.size(); ++row) {
        const RecordInfo &info = session.at(row);
        if (info.kind == WireEvent::Kind::Message && info.messageKind == Message::Kind::Request &&
            session.name(info.method) == methods::Initialize) {
            takeHandshake(surface, session, {row, session.partnerOf(row)});
            return;
        }
    }
}

}  // namespace

Result<Surface> Surface::of(const Session &session)
{
    Surface surface;
    surface.name = session.serverName();
    for (const RecordedCall &call : recordedCalls(session)) {
        if (call.responseRow < 0)
            continue;
        const QString method = methodOf(session, call);
        if (method == methods::Initialize) {
            takeHandshake(surface, session, call);
            continue;
        }
        for (const List list : Lists) {
            if (method != facts(list).method)
                continue;
            const json::Value result = responseOf(session, call).result();
            if (!result.isObject())
                continue;
            // A listing without a cursor begins anew.
            if (!requestOf(session, call).params()[u"cursor"].exists())
                surface.entries[size_t(list)].clear();
            surface.isListed[size_t(list)] = true;
            for (const json::Value &entry : result[facts(list).member])
                take(surface, list, entry);
        }
    }
    if (!surface.handshake.exists())
        return Error::local(
            QCoreApplication::translate("sonde::Surface", "The session does not contain a successful handshake."));
    return surface;
}

Surface Surface::of(const Connection &connection)
{
    // Its session tells the handshake whole, with members that no reader knows; the catalog has joined the pages.
    Surface surface;
    connection.session()->flush();  // what this turn of the event loop brought is part of it
    takeLatestHandshake(surface, *connection.session());
    surface.name = connection.spec().name;
    surface.secretPrints = secretPrintsOf(connection.spec());
    const Catalog &catalog = *connection.catalog();
    const auto isReady = [&catalog](Catalog::List list) { return catalog.status(list).state == Catalog::State::Ready; };
    surface.isListed = {isReady(Catalog::List::Tools), isReady(Catalog::List::Resources),
                        isReady(Catalog::List::ResourceTemplates), isReady(Catalog::List::Prompts)};
    // The catalog has them as they were received. Reports are made of a surface, so it holds what a recording would.
    const auto takeMasked = [&surface, &connection](List list, const json::Value &entry) {
        const QByteArray text = entry.slice().toByteArray();
        const QByteArray masked = connection.session()->masked(text);
        take(surface, list, masked == text ? entry : json::parse(masked));
    };
    for (const Tool &tool : catalog.tools())
        takeMasked(List::Tools, tool.value);
    for (const Resource &resource : catalog.resources())
        takeMasked(List::Resources, resource.value);
    for (const ResourceTemplate &each : catalog.resourceTemplates())
        takeMasked(List::Templates, each.value);
    for (const Prompt &prompt : catalog.prompts())
        takeMasked(List::Prompts, prompt.value);
    return surface;
}

}  // namespace sonde
