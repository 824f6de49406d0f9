// SPDX-License-Identifier: Apache-2.0
#include "app/gui/argumentmemory.h"

#include "core/connection/argumentstore.h"
#include "core/connection/connection.h"
#include "core/connection/secretarguments.h"
#include "core/session/session.h"
#include "ui/panels/callpanel.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

// Nothing is stored for tools without arguments.
QString kindOf(const ui::OfferRef &ref)
{
    if (!ref.savedCall.isEmpty())
        return {};  // its file keeps them
    switch (ref.kind) {
        case ui::OfferRef::Kind::Tool:
            return u"tool"_s;
        case ui::OfferRef::Kind::Template:
            return u"template"_s;
        case ui::OfferRef::Kind::Prompt:
            return u"prompt"_s;
        default:
            return {};
    }
}

}  // namespace

ArgumentMemory::ArgumentMemory(std::shared_ptr<ArgumentStore> store, QObject *parent)
    : QObject(parent), m_store(std::move(store))
{}

void ArgumentMemory::follow(ui::CallPanel *panel)
{
    const QString kind = kindOf(panel->ref());
    if (kind.isEmpty() || !panel->connection())
        return;
    const auto place = [panel, kind] {
        return ArgumentStore::Place{panel->connection()->spec().name, kind, panel->ref().key};
    };
    panel->recall(m_store->recall(place()));
    connect(panel, &ui::CallPanel::called, this, [this, panel, place](const QByteArray &arguments) {
        if (!panel->connection())
            return;
        const Connection &connection = *panel->connection();
        const QByteArray kept = withoutSecrets(json::parse(arguments), panel->inputSchema(),
                                               connection.spec().secrets(), *connection.session());
        if (const Error error = m_store->remember(place(), kept))
            Q_EMIT notSaved(error);
    });
}

}  // namespace sonde::app
