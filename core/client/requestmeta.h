// Adds members to the _meta of a request without touching anything else in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/requestid.h"

#include <QByteArray>
#include <QList>

namespace sonde {

struct MetaMember {
    QByteArray key;    // without quotes, and without anything to escape
    QByteArray value;  // JSON
};

struct ParamsWithMeta {
    QByteArray params;
    RequestId progressToken;  // the one that is there in the end; None when there is none
};

// params: a JSON object, or empty. A member that is there already stays: what a person wrote there is what they want to
// send. Params that are not an object, or whose _meta is not one, come back as they are.
ParamsWithMeta withMeta(const QByteArray &params, const QList<MetaMember> &members);

}  // namespace sonde
