// SPDX-License-Identifier: Apache-2.0
#include "app/cli/answers.h"

#include "core/json/builder.h"
#include "core/protocol/methods.h"

#include <QCoreApplication>
#include <QFile>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

struct AnswersText {
    Q_DECLARE_TR_FUNCTIONS(sonde - cli)
};

}  // namespace

Result<Answers> Answers::load(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error::local(AnswersText::tr("%1 cannot be read: %2").arg(path, file.errorString()));
    const json::Document document = json::Document::parse(file.readAll());
    if (!document.isValid() || !document.root().isObject())
        return Error::local(AnswersText::tr("%1 holds no JSON object.").arg(path));
    Answers answers;
    for (const json::Value &member : document.root()) {
        const QString method = member.key();
        if (!InputRequest::kindOf(method))
            return Error::local(AnswersText::tr("%1: a server does not ask '%2'.").arg(path, method),
                                AnswersText::tr("It asks %1, %2 and %3.")
                                    .arg(methods::Elicit, methods::CreateMessage, methods::ListRoots));
        QList<QByteArray> results;
        if (member.isObject())
            results.append(member.bytes());
        for (const json::Value &each : member.isArray() ? member : json::Value()) {
            if (each.isObject())
                results.append(each.bytes());
        }
        if (results.isEmpty() || (member.isArray() && results.size() != member.size()))
            return Error::local(
                AnswersText::tr("%1: '%2' is no result, and no list of results; a result is a JSON object.")
                    .arg(path, method));
        answers.m_results.insert(method, results);
    }
    return answers;
}

QByteArray Answers::capabilities() const
{
    json::Builder builder;
    builder.beginObject();
    if (m_results.contains(methods::Elicit.toString()))
        builder.rawMember(u"elicitation", R"({"form":{},"url":{}})");
    if (m_results.contains(methods::CreateMessage.toString()))
        builder.rawMember(u"sampling", "{}");
    if (m_results.contains(methods::ListRoots.toString()))
        builder.rawMember(u"roots", "{}");
    return builder.endObject().take();
}

Error Answers::answer(InputRequest *request)
{
    QList<QByteArray> &results = m_results[request->method()];
    return request->respond(results.size() > 1 ? results.takeFirst() : results.value(0));
}

}  // namespace sonde::cli
