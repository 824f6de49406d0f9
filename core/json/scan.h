// The members of an object without a tree: for texts so large that only the outermost level is worth reading.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <functional>
#include <optional>
#include <vector>

namespace sonde::json {

// Calls visit with each member of the object that is the whole of `text`: the key with its quotes and the value's
// bytes, as written and in order. What lies inside values is skipped by its brackets and quotes, unchecked.
// False when text is no such object; members before the fault have been visited then.
using MemberVisitor = std::function<void(QByteArrayView key, QByteArrayView value)>;
bool scanMembers(QByteArrayView text, const MemberVisitor &visit);

// The object with its large values left empty: what is small and outermost in a text that is too large to be looked at
// again and again. Anything but an object stays as it is, cut to `maxBytes`.
QByteArray outline(QByteArrayView text, qsizetype maxBytes = 64 * 1024);

class Pointer;

// Looks up one pointer in many texts.
class PlaceFinder {
public:
    PlaceFinder() = default;  // finds the whole text
    explicit PlaceFinder(const Pointer &pointer);

    // The value's bytes, as Pointer::resolve() finds it: the last of several members of one name counts. Empty: there
    // is no such place. The text has to be valid JSON.
    QByteArrayView find(QByteArrayView json) const;

private:
    struct Step {
        QByteArray key;
        std::optional<qsizetype> index;  // in an array
    };
    std::vector<Step> m_steps;
};

}  // namespace sonde::json
