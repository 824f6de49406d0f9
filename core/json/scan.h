// The members of an object without a tree: for texts so large that only the outermost level is worth reading.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>
#include <functional>

namespace sonde::json {

// Calls visit with each member of the object that is the whole of `text`: the key with its quotes and the value's
// bytes, as written and in order. What lies inside values is skipped by its brackets and quotes, unchecked.
// False when text is no such object; members before the fault have been visited then.
using MemberVisitor = std::function<void(QByteArrayView key, QByteArrayView value)>;
bool scanMembers(QByteArrayView text, const MemberVisitor &visit);

}  // namespace sonde::json
