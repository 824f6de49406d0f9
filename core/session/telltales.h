// What in a text gives itself away as a secret, to whoever does not know any.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <functional>

namespace sonde {

struct Telltale {
    QByteArray secret;
    QByteArray kind;
    std::function<QString()> where;  // for people; takes a while to find out
};

// Members of JSON with telling names, also in JSON within its strings, and all that lies below them; tokens and keys of
// well-known forms and assignments in any text, where escapes are taken for what they mean. Marks are none.
void findTelltales(const QByteArray &payload, const std::function<void(const Telltale &)> &visit);

// The payload with the values of such members replaced, of whatever length. mark: what to put in the place of a secret
// of that kind. What is no JSON stays as it is.
using MarkMaker = std::function<QByteArray(const QByteArray &secret, const QByteArray &kind)>;
QByteArray withMarkedMembers(const QByteArray &payload, const MarkMaker &mark);

}  // namespace sonde
