// What a tab calls: a tool, a resource, a template or a prompt, reduced to a form and a request.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "ui/panels/offermodel.h"
#include "ui/result/resultview.h"

namespace sonde::ui {

struct CallSubject {
    OfferRef ref;
    bool exists = false;  // the server offers it now
    QString name;         // as the tree has it
    QString title;
    QString caption;  // URI or technical name, where it differs from the title
    QString description;
    QString note;  // what a person should know about this kind of entry
    QString verb;  // the main button: Call, Read, Get
    QList<OfferBadge> badges;
    QStringList findings;
    QString taskSupport;  // of a tool, see Tool
    json::Value icons;
    QString problem;          // why it cannot be called, a sentence; empty when it can
    json::Value inputSchema;  // what the form asks for; an object without properties: nothing to ask
    ResultView::Subject resultKind = ResultView::Subject::Other;
};

// From the connection's catalog. A resource that is not listed (a link, an expanded template) exists too.
CallSubject subjectFor(const OfferRef &ref, const Connection &connection);

// The request. arguments: JSON of the form. An Error if it cannot be made.
struct PreparedCall {
    QStringView method;
    QByteArray params;
};
Result<PreparedCall> prepareCall(const CallSubject &subject, const QByteArray &arguments);

}  // namespace sonde::ui
