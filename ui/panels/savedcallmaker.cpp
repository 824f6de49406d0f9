// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/savedcallmaker.h"

#include "core/json/builder.h"
#include "core/json/pointer.h"
#include "core/protocol/methods.h"
#include "core/replay/replaystep.h"
#include "core/replay/rules.h"
#include "core/session/session.h"
#include "ui/form/schemaform.h"

#include <QHash>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

NewSavedCall callNamedAfter(const QString &tool)
{
    static const QRegularExpression unusual(u"[^A-Za-z0-9._-]"_s);
    constexpr int maxNameLength = 80;
    NewSavedCall made;
    made.call.tool = tool;
    made.call.name = QString(tool).replace(unusual, u"_"_s).left(maxNameLength);
    return made;
}

// In the order of the text.
QList<json::Value> maskedStrings(const json::Value &root)
{
    QList<json::Value> found;
    QList<json::Value> open{root};
    while (!open.isEmpty()) {
        const json::Value at = open.takeLast();
        if (at.isString() && holdsSecretMark(at.string()))
            found.append(at);
        QList<json::Value> inner;
        for (const json::Value &each : at)
            inner.prepend(each);
        open.append(inner);
    }
    return found;
}

// The variable is named after the member that has the secret.
QString variableFor(const json::Value &secret)
{
    static const QRegularExpression unusual(u"[^A-Z0-9]+"_s);
    const QStringList tokens = json::Pointer::to(secret).tokens();
    QString name = tokens.value(tokens.size() - 1).toUpper().replace(unusual, u"_"_s);
    if (name.isEmpty() || !name.front().isLetter())
        name.prepend(u"SECRET_"_s);
    return name;
}

}  // namespace

QByteArray withSecretsAsVariables(const QByteArray &arguments, const QList<json::Value> &secrets,
                                  QStringList *variables)
{
    QByteArray text;
    qsizetype at = 0;
    QHash<QString, QString> values;  // by variable
    for (const json::Value &secret : secrets) {
        const Result<QList<PlaceholderUse>> uses = placeholdersIn(secret);
        if (uses && !uses->isEmpty())
            continue;
        const QString first = variableFor(secret);
        QString name = first;
        for (int number = 2; values.contains(name) && values.value(name) != secret.string(); ++number)
            name = first + u'_' + QString::number(number);
        if (!values.contains(name))
            variables->append(name);
        values.insert(name, secret.string());
        text += arguments.sliced(at, secret.offset() - at) + json::quoted(u"${env:%1}"_s.arg(name));
        at = secret.offset() + secret.slice().size();
    }
    return text + arguments.sliced(at);
}

NewSavedCall savedCallOf(const QString &tool, const QByteArray &arguments, const SchemaForm &form, bool arePlaceholders)
{
    NewSavedCall made = callNamedAfter(tool);
    const QByteArray text = arePlaceholders ? arguments : withoutPlaceholders(json::parse(arguments));
    const json::Value root = json::parse(text);
    made.call.arguments = json::parse(withSecretsAsVariables(text, form.secretFinder()(root), &made.variables));
    return made;
}

void expectOutcome(NewSavedCall &made, const Outcome &outcome, const Session &session)
{
    if (outcome.kind == Outcome::Kind::NoResponse)
        return;
    made.call.expect.outcome = outcome.kind;
    made.response = resultOrError(Message::parse(session.masked(outcome.message.raw())));
}

std::optional<NewSavedCall> savedCallOf(const Message &request, const Message &response)
{
    const QString tool = request.params()[u"name"].string();
    if (request.kind() != Message::Kind::Request || request.method() != methods::CallTool || tool.isEmpty())
        return std::nullopt;
    NewSavedCall made = callNamedAfter(tool);
    if (const json::Value arguments = request.params()[u"arguments"]; arguments.isObject()) {
        const QByteArray text = withoutPlaceholders(arguments);
        made.call.arguments =
            json::parse(withSecretsAsVariables(text, maskedStrings(json::parse(text)), &made.variables));
    }
    made.response = resultOrError(response);
    if (response.kind() == Message::Kind::Error)
        made.call.expect.outcome = Outcome::Kind::ProtocolError;
    else if (response.result()[u"isError"].toBool())
        made.call.expect.outcome = Outcome::Kind::ToolError;
    return made;
}

}  // namespace sonde::ui
