// A client whose transport is a fake that is open.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/client.h"
#include "core/client/statefuldialect.h"
#include "tests/support/faketransport.h"

#include <memory>

namespace sonde::test {

// Replaces the transport. The dialect is that of revisions with a handshake.
inline std::unique_ptr<Client> openClient(std::unique_ptr<FakeTransport> &transport)
{
    transport = std::make_unique<FakeTransport>();
    transport->openNow();
    auto client = std::make_unique<Client>(transport.get());
    client->setDialect(std::make_unique<StatefulDialect>());
    return client;
}

}  // namespace sonde::test
