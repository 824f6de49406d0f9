// A client whose time stands still until a test moves it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/client/client.h"
#include "core/client/statefuldialect.h"

namespace sonde::test {

class ClockedClient final : public Client {
public:
    explicit ClockedClient(Transport *transport) : Client(transport)
    {
        setDialect(std::make_unique<StatefulDialect>());
    }

    void advance(std::chrono::milliseconds duration)
    {
        m_now += duration.count() * 1'000'000;
        checkDeadlines();
    }

protected:
    qint64 now() const override { return m_now; }
    qint64 timeOf(const WireEvent &) const override { return m_now; }

private:
    qint64 m_now = 0;
};

// Those that have not ended: a call leaves its client then.
inline int openCalls(const Client &client)
{
    return int(client.findChildren<Call *>().size());
}

}  // namespace sonde::test
