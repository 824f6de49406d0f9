// SPDX-License-Identifier: Apache-2.0
#include "core/replay/replaystep.h"

#include "core/protocol/methods.h"

using namespace Qt::StringLiterals;

namespace sonde {

ReplayMaterial replayMaterial(const Session &recording)
{
    ReplayMaterial material{recordedCapabilities(recording), {}, recordedServerRequests(recording)};
    const QList<RecordedCall> calls = recordedCalls(recording);
    material.steps.reserve(calls.size());
    for (const RecordedCall &call : calls) {
        ReplayStep step;
        step.call = call;
        step.method = methodOf(recording, call);
        step.target = targetOf(recording, call);
        if (step.method != methods::Ping)
            material.steps.append(std::move(step));
    }
    return material;
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
            return u"error"_s;
        case ReplayStep::Status::Skipped:
            break;
    }
    return u"skipped"_s;
}

bool isList(QStringView method)
{
    return method == methods::ListTools || method == methods::ListResources ||
           method == methods::ListResourceTemplates || method == methods::ListPrompts;
}

}  // namespace sonde
