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
    // sentence; empty when all is well.
    QString response(InputRequest *request);

private:
    QHash<QString, QList<QByteArray>> m_results;
};

}  // namespace sonde::cli
