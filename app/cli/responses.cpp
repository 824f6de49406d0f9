// SPDX-License-Identifier: Apache-2.0
#include "app/cli/responses.h"

#include "app/cli/texts.h"
#include "app/cli/values.h"
#include "core/client/responsecheck.h"
#include "core/protocol/methods.h"
#include "core/schema/schema.h"
#include "core/shape/issuetext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
Result<Responses> Responses::load(const QString &path)
{
    const Result<json::Document> document = readObject(path);
    if (!document)
        return document.error();
    Responses responses;
    for (const json::Value &member : document->root()) {
        const QString method = member.key();
        if (!InputRequest::kindOf(method))
            return Error::local(CliText::tr("%1: '%2' is not a supported server request.").arg(path, method),
                                CliText::tr("Supported requests: %1, %2 and %3.")
                                    .arg(methods::Elicit, methods::CreateMessage, methods::ListRoots));
        QList<QByteArray> results;
        QList<json::Value> given;
        if (!member.isArray())
            given.append(member);
        for (const json::Value &each : member.isArray() ? member : json::Value())
            given.append(each);
        for (const json::Value &each : std::as_const(given)) {
            if (!each.isObject())
                continue;
            results.append(each.bytes());
            if (const QString problem = problemOfResponse(*InputRequest::kindOf(method), each); !problem.isEmpty())
                return Error::local(CliText::tr("%1: response %2 to '%3' cannot be sent. %4")
                                        .arg(path)
                                        .arg(results.size())
                                        .arg(method, problem));
        }
        if (results.isEmpty() || (member.isArray() && results.size() != member.size()))
            return Error::local(
                CliText::tr("%1: '%2' is neither a result nor a list of results; a result is a JSON object.")
                    .arg(path, method));
        responses.m_results.insert(method, results);
    }
    return responses;
}

QList<InputRequest::Kind> Responses::kinds() const
{
    QList<InputRequest::Kind> kinds;
    for (auto it = m_results.cbegin(); it != m_results.cend(); ++it)
        kinds.append(*InputRequest::kindOf(it.key()));
    return kinds;
}

QString Responses::response(InputRequest *request, QStringList *remarks)
{
    QList<QByteArray> &results = m_results[request->method()];
    const QByteArray result = results.size() > 1 ? results.takeFirst() : results.value(0);
    if (const QString problem = problemOfResponse(*request, json::parse(result)); !problem.isEmpty()) {
        const Error unsent = request->decline();
        return CliText::tr("The prepared response to %1 was not sent; the request was declined. %2")
                   .arg(request->method(), problem) +
               (unsent ? u' ' + unsent.message : QString());
    }
    if (request->kind() == InputRequest::Kind::Elicitation)
        *remarks = formatRemarks(request->params()[u"requestedSchema"], json::parse(result)[u"content"]);
    return request->respond(result).message;
}

QStringList formatRemarks(const json::Value &requestedSchema, const json::Value &content)
{
    if (!requestedSchema.isObject() || !content.isObject())
        return {};
    schema::Schema::Options options;
    options.formats = schema::Formats::Noted;
    QStringList remarks;
    for (const schema::Issue &issue : schema::Schema(requestedSchema, options).validate(content)) {
        if (issue.isRemark)
            remarks.append(issueText(placeWords(content, issue.instance), issue.message));
    }
    return remarks;
}

}  // namespace sonde::cli
