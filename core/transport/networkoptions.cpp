// SPDX-License-Identifier: Apache-2.0
#include "core/transport/networkoptions.h"

namespace sonde::http {

using namespace Qt::StringLiterals;

const QList<std::pair<QString, NetworkOptions::Member>> &NetworkOptions::members()
{
    static const QList<std::pair<QString, Member>> all{
        {u"proxy"_s, &NetworkOptions::proxy},
        {u"caFile"_s, &NetworkOptions::caFile},
        {u"clientCertificate"_s, &NetworkOptions::clientCertificate},
        {u"clientKey"_s, &NetworkOptions::clientKey},
        {u"acceptedCertificate"_s, &NetworkOptions::acceptedCertificate}};
    return all;
}

void NetworkOptions::take(const NetworkOptions &other)
{
    for (const auto &[name, member] : members()) {
        if (!(other.*member).isEmpty())
            this->*member = other.*member;
    }
    allowedHosts += other.allowedHosts;
}

}  // namespace sonde::http
