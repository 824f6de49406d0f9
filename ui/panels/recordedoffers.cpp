// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/recordedoffers.h"

#include "core/protocol/methods.h"
#include "core/protocol/worker.h"
#include "core/replay/serversnapshot.h"
#include "core/session/sessionsnapshot.h"

namespace sonde::ui {

namespace {

struct ReadOffers {
    std::array<QList<json::Value>, Catalog::Lists.size()> entries;
    QHash<std::pair<QString, QString>, QList<RecordedCall>> calls;
};

// On a worker.
ReadOffers readOffers(const SessionSnapshot &snapshot)
{
    ReadOffers found;
    const std::unique_ptr<Session> session = snapshot.open();
    if (const Result<ServerSnapshot> server = ServerSnapshot::of(*session)) {
        for (const Catalog::ListInfo &info : Catalog::Lists) {
            const auto &entries = server->of(info.list);
            for (const auto &[name, value] : entries)
                found.entries[size_t(info.list)].append(value);
        }
    }
    const QList<RecordedCall> calls = recordedCalls(*session);
    for (const RecordedCall &call : calls) {
        const QString target = targetOf(*session, call);
        if (!target.isEmpty())
            found.calls[{methodOf(*session, call), target}].append(call);
    }
    return found;
}

QStringView methodFor(OfferRef::Kind kind)
{
    switch (kind) {
        case OfferRef::Kind::Tool:
            return methods::CallTool;
        case OfferRef::Kind::Resource:
            return methods::ReadResource;
        case OfferRef::Kind::Prompt:
            return methods::GetPrompt;
        case OfferRef::Kind::Template:
        case OfferRef::Kind::Info:
        case OfferRef::Kind::None:
            break;
    }
    return {};
}

}  // namespace

RecordedOffers::RecordedOffers(Session *session, QObject *parent)
    : QObject(parent), m_session(session), m_catalog(nullptr)
{
    if (session->isLoading())
        connect(session, &Session::loaded, this, &RecordedOffers::start);
    else
        start();
}

void RecordedOffers::start()
{
    runOnWorker(
        this, [snapshot = SessionSnapshot(*m_session)] { return readOffers(snapshot); },
        [this](const std::optional<ReadOffers> &found) {
            m_isRead = true;
            if (found)
                m_calls = found->calls;  // otherwise there was not enough memory for them
            for (const Catalog::ListInfo &info : Catalog::Lists) {
                if (found && !found->entries[size_t(info.list)].isEmpty())
                    m_catalog.restore(info.list, found->entries[size_t(info.list)]);
            }
            Q_EMIT read();
        });
}

QList<RecordedCall> RecordedOffers::callsOf(const OfferRef &ref) const
{
    return m_calls.value({methodFor(ref.kind).toString(), ref.key});
}

}  // namespace sonde::ui
