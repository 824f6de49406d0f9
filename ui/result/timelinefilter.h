// Filters of the timeline that find what a result shows, in the language of docs/filter-language.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QString>

namespace sonde {
struct Outcome;
}  // namespace sonde

namespace sonde::ui {

// All return an empty text if the language has no way to say it.

// The request and the response of a call, by their ID.
QString filterForCall(const Outcome &outcome);
// The messages with the same value at the same place; of a container, a long string or one of several lines, those that
// have anything at this place. The value's document is the message.
QString filterForValue(const json::Value &value);
// The messages in which these words occur one after the other. Their bytes are searched, so words that JSON may write
// in several ways have no filter.
QString filterForWords(const QString &words);
// What is about the resource.
QString filterForResource(const QString &uri);

}  // namespace sonde::ui
