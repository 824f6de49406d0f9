// What a server's response to server/discover says about the era of the protocol that it speaks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/protocol/revision.h"

namespace sonde {

struct EraVerdict {
    enum class Kind {
        Stateless,  // each request says what it needs: `revision`
        Stateful,   // initialize comes next
        Failed      // neither can be said: `error`
    };
    Kind kind = Kind::Failed;
    Revision revision = Revision::R20260728;
    QString reason;  // a sentence for people
    Error error;
};

// outcome: of server/discover, asked once more already where the server wanted that. overHttp: no response and a lost
// connection are an outage there, while some servers of stdio fall silent or exit on a request that they do not know.
EraVerdict judgeDiscovery(const Outcome &outcome, bool overHttp);

// The strings of a list of revisions, such as error.data.supported; empty when it is not a list.
QStringList revisionNames(const json::Value &list);
// What a server lists, for people: no more than ten of them.
QString shownRevisions(const QStringList &names);
// "2025-11-25, 2025-06-18, …"
QString revisionNames(const QList<Revision> &revisions);

}  // namespace sonde
