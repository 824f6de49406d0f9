// SPDX-License-Identifier: Apache-2.0
#include "core/replay/surface.h"

#include "core/protocol/methods.h"
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

void take(Surface &surface, Surface::List list, const json::Value &entry)
{
    surface.entries[size_t(list)].emplaceBack(entry[facts(list).key].string(), entry);
}

}  // namespace

Result<Surface> Surface::of(const Session &session)
{
    Surface surface;
    surface.name = session.serverName();
    for (const RecordedCall &call : recordedCalls(session)) {
        if (call.answerRow < 0)
            continue;
        const QString method = session.name(session.at(call.row).method);
        if (method == methods::Initialize) {
            const json::Value result = session.message(call.answerRow).result();
            if (result.isObject()) {
                surface = {};
                surface.name = session.serverName();
                surface.handshake = result;
            }
            continue;
        }
        for (const List list : lists) {
            if (method != facts(list).method)
                continue;
            const json::Value result = session.message(call.answerRow).result();
            if (!result.isObject())
                continue;
            // A listing without a cursor begins anew.
            if (!session.message(call.row).params()[u"cursor"].exists())
                surface.entries[size_t(list)].clear();
            surface.isListed[size_t(list)] = true;
            for (const json::Value &entry : result[facts(list).member])
                take(surface, list, entry);
        }
    }
    if (!surface.handshake.exists())
        return Error::local(
            QCoreApplication::translate("sonde::Surface", "The session holds no handshake that came to a result."));
    return surface;
}

Surface Surface::of(const Connection &connection)
{
    // Its session tells the handshake whole, with members that no reader knows; the catalog has joined the pages.
    Surface surface;
    connection.session()->flush();  // what this turn of the event loop brought is part of it
    const Result<Surface> recorded = of(*connection.session());
    if (recorded)
        surface.handshake = recorded->handshake;
    surface.name = connection.spec().name;
    const Catalog &catalog = *connection.catalog();
    const auto isReady = [&catalog](Catalog::List list) { return catalog.status(list).state == Catalog::State::Ready; };
    surface.isListed = {isReady(Catalog::List::Tools), isReady(Catalog::List::Resources),
                        isReady(Catalog::List::ResourceTemplates), isReady(Catalog::List::Prompts)};
    for (const Tool &tool : catalog.tools())
        take(surface, List::Tools, tool.value);
    for (const Resource &resource : catalog.resources())
        take(surface, List::Resources, resource.value);
    for (const ResourceTemplate &each : catalog.resourceTemplates())
        take(surface, List::Templates, each.value);
    for (const Prompt &prompt : catalog.prompts())
        take(surface, List::Prompts, prompt.value);
    return surface;
}

}  // namespace sonde
