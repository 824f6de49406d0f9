// SPDX-License-Identifier: Apache-2.0
#include "app/gui/argumentmemory.h"

#include "app/gui/workspace.h"
#include "core/connection/argumentstore.h"
#include "core/connection/connection.h"
#include "core/connection/secretarguments.h"
#include "core/session/session.h"
#include "ui/form/schemaform.h"
#include "ui/panels/callpanel.h"

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

ArgumentMemory::ArgumentMemory(const Workspace *workspace, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_store(workspace->profile().arguments)
{}

ui::CallDraft ArgumentMemory::keptDraft(const ui::CallPanel &panel, qsizetype maxBytes, bool *hasLeftOut)
{
    const Connection *connection = panel.connection();
    if (!connection || panel.form().valueSize() > maxBytes) {
        *hasLeftOut = true;  // found without putting a huge text together
        return {{}, panel.mode()};
    }
    ui::CallDraft draft = panel.draft();
    const bool mayBeKept = draft.text.size() <= maxBytes;
    const QByteArray kept = mayBeKept ? textWithoutSecrets(draft.text, panel.inputSchema(),
                                                           connection->spec().secrets(), *connection->session())
                                      : QByteArray();
    *hasLeftOut = kept != draft.text;
    draft.text = kept;
    return draft;
}

void ArgumentMemory::follow(ui::CallPanel *panel)
{
    const QString kind = kindOf(panel->ref());
    if (kind.isEmpty() || !panel->connection())
        return;
    const auto place = [this, panel, kind] {
        return ArgumentStore::Place{m_workspace->keptName(*panel->connection()), kind, panel->ref().key};
    };
    panel->recall(m_store->recall(place()));
    connect(panel, &ui::CallPanel::called, this, [this, panel, place](const QByteArray &arguments) {
        if (!panel->connection())
            return;
        const Connection &connection = *panel->connection();
        const QByteArray kept = withoutSecrets(json::parse(arguments), panel->inputSchema(),
                                               connection.spec().secrets(), *connection.session());
        tell(m_store->remember(place(), kept));
    });
}

void ArgumentMemory::saveAgain()
{
    tell(m_store->saveAgain());
}

void ArgumentMemory::tell(const Error &problem)
{
    if (problem)
        Q_EMIT notSaved(problem);
    else
        Q_EMIT saved();
}

}  // namespace sonde::app
