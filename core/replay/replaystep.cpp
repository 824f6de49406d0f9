// SPDX-License-Identifier: Apache-2.0
#include "core/replay/replaystep.h"

#include "core/client/catalog.h"
#include "core/protocol/methods.h"
#include "core/replay/recordedrounds.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qint64 LinkingSliceNs = 50'000'000;  // in which it can be stopped

// A connection that asks for the era and shakes hands then is begun by the latter.
bool isHandshakeAlone(const Session &recording, const QList<RecordedCall> &calls, qsizetype index)
{
    const int connection = recording.at(calls[index].row).connection;
    const bool isFollowed = index + 1 < calls.size() && recording.at(calls[index + 1].row).connection == connection;
    const bool isSecond =
        isFollowed && (calls[index + 1].isDiscovery || methodOf(recording, calls[index + 1]) == methods::Initialize);
    return !isSecond && isHandshake(recording, calls[index]);
}

}  // namespace

bool ReplayStep::isHandshake() const
{
    return method == methods::Initialize || call.isDiscovery;
}

ReplayMaterial replayMaterial(const Session &recording, const std::atomic_bool *stop)
{
    const QList<RecordedCall> requests = recordedCalls(recording);
    QList<RecordedServerRequest> asked = recordedServerRequests(recording);
    // To find out what belongs to which call, every message has to be read.
    Operations operations(&recording);
    const bool mustLink = !asked.isEmpty() || std::any_of(requests.begin(), requests.end(), [&](const auto &call) {
        return recording.at(call.row).outcome == RowOutcome::InputRequired;
    });
    while (mustLink && !(stop && *stop) && !operations.advance(LinkingSliceNs)) {
    }
    for (RecordedServerRequest &serverRequest : asked) {
        if (serverRequest.method != methods::ListRoots)
            serverRequest.callRow = operations.requestDuring(serverRequest.row);
    }
    const RecordedRounds rounds = joinRounds(recording, operations, requests);
    const QList<RecordedCall> &calls = rounds.calls;
    ReplayMaterial material{recordedCapabilities(recording, requests), {}, {recording, asked + rounds.serverRequests}};
    material.steps.reserve(calls.size());
    for (qsizetype i = 0; i < calls.size(); ++i) {
        const RecordedCall &call = calls[i];
        if (call.isDiscovery && !isHandshakeAlone(recording, calls, i))
            continue;
        ReplayStep step;
        step.call = call;
        step.method = methodOf(recording, call);
        step.target = targetOf(recording, call);
        // A stream of notifications is no call: it ends with the connection.
        if (step.method != methods::Ping && step.method != methods::Listen)
            material.steps.append(std::move(step));
    }
    return material;
}

json::Value resultOrError(const Message &response)
{
    return !response.isResponse()                    ? json::Value()
           : response.kind() == Message::Kind::Error ? response.error()
                                                     : response.result();
}

QString toString(ReplayStep::Status status)
{
    switch (status) {
        case ReplayStep::Status::Waiting:
            return u"waiting"_s;
        case ReplayStep::Status::Running:
            return u"running"_s;
        case ReplayStep::Status::Same:
            return u"same"_s;
        case ReplayStep::Status::Changed:
            return u"changed"_s;
        case ReplayStep::Status::Failed:
            return u"failed"_s;
        case ReplayStep::Status::Skipped:
            break;
    }
    return u"skipped"_s;
}

bool isList(QStringView method)
{
    return std::ranges::find(Catalog::Lists, method, &Catalog::ListInfo::method) != Catalog::Lists.end();
}

}  // namespace sonde
