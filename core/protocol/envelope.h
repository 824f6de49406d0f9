// What most messages say at a glance, found in one pass without a tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"

#include <QByteArrayView>

namespace sonde {

// Views into the text that was scanned.
struct Envelope {
    // The text is valid JSON and a request, notification or result in the usual clothes, and all below is exact.
    // False says nothing about the text, only that Message::parse() has to be asked: broken messages, errors,
    // batches, ids and methods with escapes, members that occur twice.
    bool isPlain = false;
    Message::Kind kind = Message::Kind::Invalid;
    QByteArrayView id;          // as written, with the quotes of a string
    QByteArrayView method;      // without quotes
    QByteArrayView nameText;    // params.name, a string as written without quotes; may hold escapes
    QByteArrayView uriText;     // params.uri, likewise
    bool isToolError = false;   // result.isError is true
    bool asksForInput = false;  // result.resultType is "input_required"
};

Envelope scanEnvelope(QByteArrayView json);

}  // namespace sonde
