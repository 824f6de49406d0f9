// Makes saved calls: of what is filled in for a tool, of a previous call, of a recorded request.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/savedcalls/savedcall.h"

#include <optional>

namespace sonde {
class Session;
}

namespace sonde::ui {

class SchemaForm;

// Its file is made to be shared: each secret is read from an environment variable.
struct NewSavedCall {
    SavedCall call;
    QStringList variables;  // that it reads secrets from
    json::Value response;   // the result or error that came, as a recording has it; Missing: none came
};

// Arguments as they were typed for a call; what the form shows as secret is one. What looks like a placeholder in them
// is sent as it is, unless arePlaceholders.
NewSavedCall savedCallOf(const QString &tool, const QByteArray &arguments, const SchemaForm &form,
                         bool arePlaceholders = false);
// With what came of it as the expectation.
void expectOutcome(NewSavedCall &made, const Outcome &outcome, const Session &session);

// Of a recorded tools/call and its response, which may be Invalid; nothing of any other request. What was masked when
// it was recorded is a secret.
std::optional<NewSavedCall> savedCallOf(const Message &request, const Message &response);

// The arguments with each of these strings in them read from an environment variable, unless it has placeholders;
// variables: those names are appended.
QByteArray withSecretsAsVariables(const QByteArray &arguments, const QList<json::Value> &secrets,
                                  QStringList *variables);

}  // namespace sonde::ui
