// SPDX-License-Identifier: Apache-2.0
#include "core/connection/startsteps.h"

#include "core/connection/texts.h"

namespace sonde {

QString nameOf(StartStep::Kind kind)
{
    switch (kind) {
        case StartStep::Kind::Approve:
            return ConnectionText::tr("Approve");
        case StartStep::Kind::ResolveSecrets:
            return ConnectionText::tr("Resolve secrets");
        case StartStep::Kind::FindTarget:
            return ConnectionText::tr("Find the server");
        case StartStep::Kind::ChooseTransport:
            return ConnectionText::tr("Choose the transport");
        case StartStep::Kind::Open:
            return ConnectionText::tr("Open the connection");
        case StartStep::Kind::Authorize:
            return ConnectionText::tr("Authorize");
        case StartStep::Kind::Probe:
            return ConnectionText::tr("Detect the protocol");
        case StartStep::Kind::AgreeOnRevision:
            return ConnectionText::tr("Handshake");
        case StartStep::Kind::List:
            return ConnectionText::tr("List tools, resources and prompts");
    }
    return {};
}

}  // namespace sonde
