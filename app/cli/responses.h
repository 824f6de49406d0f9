// Responses to what a server asks meanwhile, prepared in a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/inputrequest.h"

#include <QHash>

namespace sonde::cli {

// {"elicitation/create": {"action":"accept","content":{…}}, "roots/list": {"roots":[…]}}: a result for each method. A
// list of results is given one after the other, its last one over and over.
class Responses {
public:
    // An Error says what is wrong with the file.
    static Result<Responses> load(const QString &path);

    QList<InputRequest::Kind> kinds() const;  // that there are responses to
    // A prepared response that this very request does not allow is not sent: it is declined. What was wrong, in a
    // sentence; empty when all is well. remarks: receives what may be wrong with a response that is sent.
    QString response(InputRequest *request, QStringList *remarks);

private:
    QHash<QString, QList<QByteArray>> m_results;
};

// Which values of a form are not of the format that its requestedSchema names, in words: a server may refuse them.
QStringList formatRemarks(const json::Value &requestedSchema, const json::Value &content);

}  // namespace sonde::cli
