// SPDX-License-Identifier: Apache-2.0
#include "core/connection/startsteps.h"

#include <QCoreApplication>

namespace sonde {

namespace {

struct StepText {
    Q_DECLARE_TR_FUNCTIONS(sonde::StartSteps)
};

}  // namespace

QString nameOf(StartStep::Kind kind)
{
    switch (kind) {
        case StartStep::Kind::Approve:
            return StepText::tr("Approve");
        case StartStep::Kind::ResolveSecrets:
            return StepText::tr("Resolve secrets");
        case StartStep::Kind::FindTarget:
            return StepText::tr("Find the server");
        case StartStep::Kind::ChooseTransport:
            return StepText::tr("Choose the transport");
        case StartStep::Kind::Open:
            return StepText::tr("Open the connection");
        case StartStep::Kind::Authorize:
            return StepText::tr("Authorize");
        case StartStep::Kind::Probe:
            return StepText::tr("Detect the protocol");
        case StartStep::Kind::AgreeOnRevision:
            return StepText::tr("Handshake");
        case StartStep::Kind::List:
            return StepText::tr("List tools, resources and prompts");
    }
    return {};
}

}  // namespace sonde
