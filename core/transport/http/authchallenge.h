// What a server asks for that wants to know who a request is from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>

namespace sonde {

// One challenge of a WWW-Authenticate header (RFC 9110 section 11.6.1), as in
// Bearer resource_metadata="https://…", scope="read write".
struct AuthChallenge {
    QByteArray scheme;                                    // as it was sent
    QByteArray token68;                                   // what some schemes have in the place of parameters
    QList<std::pair<QByteArray, QByteArray>> parameters;  // without quotes, in the order in which they came

    // Both without regard to case, as the RFC has it.
    bool isOf(QByteArrayView name) const;
    QByteArray parameter(QByteArrayView name) const;  // the first of that name; null when there is none
};

// Every challenge of every WWW-Authenticate header, in order. A header may hold several, and what breaks the grammar is
// left out up to the next comma.
QList<AuthChallenge> authChallenges(const QList<std::pair<QByteArray, QByteArray>> &headers);

}  // namespace sonde
