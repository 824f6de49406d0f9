// From words of the command line to the JSON that is sent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/optiontable.h"
#include "core/json/document.h"
#include "core/protocol/error.h"
#include "core/schema/schema.h"

#include <QMap>

namespace sonde::cli {

// "key=value" or "key:=json".
struct Assignment {
    QString key;
    QString value;
    bool isJson = false;
};

app::OptionTarget assignmentsInto(QList<Assignment> *assignments);

// What a verb is to send, as its words say.
struct CallArguments {
    QList<Assignment> assignments;
    QString file;       // with more of them; "-" is standard input
    QByteArray params;  // a JSON object in place of all the rest; empty: none

    app::Option fileRow();
    app::Option paramsRow(const QString &help);
    // Of the verb that also has a name or URI, which the params replace. Empty: none.
    QString problem(const QString &target) const;
};

// One value as the schema wants it: the first of null, boolean, number, object, list and text that the schema allows
// and that the text is. Nothing allowed fits: an Error. A schema that says nothing about types makes it text.
Result<QByteArray> typedValue(const QString &text, const schema::Schema &schema, const json::Value &part);

// A JSON object out of a file; "-" is standard input.
Result<json::Document> readObject(const QString &path);

// The arguments object of a call: the file's members in their order, changed and continued by the assignments.
Result<QByteArray> callArguments(const CallArguments &arguments, const json::Value &inputSchema);
// The same for prompts, whose arguments are all text. Empty when there are none.
Result<QByteArray> promptArguments(const CallArguments &arguments);

}  // namespace sonde::cli
