// A source of credentials that a test answers: at once with what it was told to give, or when the test says so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/credentialsource.h"

namespace sonde::test {

class HeldCredentials final : public CredentialSource {
public:
    void provide(const Request &request, const Ready &ready) override
    {
        asked.append(request);
        if (!once.isEmpty())
            ready(once.takeFirst());
        else if (next)
            ready(*next);
        else
            waiting.append(ready);
    }
    static Headers bearer(const QByteArray &token) { return {{"Authorization", "Bearer " + token}}; }
    // Everybody who waits gets them.
    void give(const Result<Headers> &credentials)
    {
        const QList<Ready> all = std::exchange(waiting, {});
        for (const Ready &ready : all)
            ready(credentials);
    }

    QList<Request> asked;
    QList<Ready> waiting;
    QList<Result<Headers>> once;          // given at once, one each time
    std::optional<Result<Headers>> next;  // given at once from then on
};

}  // namespace sonde::test
