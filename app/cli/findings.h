// What was found about a conversation, the same for every verb.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/envelope.h"
#include "core/connection/connection.h"

namespace sonde::cli {

// What breaks the rules of the messages' revision, late, duplicate and unmatched responses, lines on standard output
// that are no messages, and the like: they often explain why there was no response. Each once, the first ten.
QList<Finding> findingsOf(const Connection &connection);
// About one response.
QList<Finding> findingsOf(const Outcome &outcome);
// All of them, but for the rules of messages and what findingsAbout() says: both are told by themselves.
QList<Finding> otherFindingsOf(const Connection &connection);
// About a list and its entries, without what the rules say of the message that brought them. The places of entries are
// those in a result that has the whole list.
QList<Finding> findingsAbout(const Connection &connection, Catalog::List list);

}  // namespace sonde::cli
