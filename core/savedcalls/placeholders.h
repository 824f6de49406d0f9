// What stands in the arguments of a saved call for a value that is known only when the call is made.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/protocol/error.h"

#include <functional>

namespace sonde {

// ${keychain:NAME}, ${env:NAME}, or ${calls.NAME.resultPOINTER}, in a string.
struct Placeholder {
    enum class Kind : quint8 { Keychain, Environment, Result };
    Kind kind = Kind::Environment;
    QString text;     // as it is written
    QString name;     // of the secret, the variable or the saved call
    QString pointer;  // of Result: a JSON Pointer into the result; "#" enters JSON inside a string, as in replay rules

    bool operator==(const Placeholder &) const = default;
};

// One string of the arguments that has placeholders.
struct PlaceholderUse {
    json::Value string;
    QList<Placeholder> placeholders;  // in their order
};

// In the order of the text. An Error names what begins like a placeholder and is none. "$${" is a "${" that is sent.
Result<QList<PlaceholderUse>> placeholdersIn(const json::Value &arguments);

// The arguments with values: a string that is nothing but one placeholder becomes the value, whatever its type, and
// within a longer string its text is inserted. All other bytes stay as they are. The first Error of valueOf ends it.
Result<QByteArray> withPlaceholderValues(const json::Value &arguments,
                                         const std::function<Result<json::Value>(const Placeholder &)> &valueOf);

// The arguments with each placeholder for a result of the saved call `from` naming `to` instead.
QByteArray withResultsRenamed(const json::Value &arguments, const QString &from, const QString &to);

// Arguments that were typed for a call: what looks like a placeholder in them is sent as it is.
QByteArray withoutPlaceholders(const json::Value &arguments);

// The place that the pointer of a Result names; Missing where there is none.
json::Value resolvePlace(const json::Value &result, const QString &pointer);

}  // namespace sonde
