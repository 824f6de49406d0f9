// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/savedcallmaker.h"

#include "core/json/builder.h"
#include "core/json/pointer.h"
#include "ui/form/schemaform.h"

#include <QHash>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

QByteArray withSecretsAsVariables(const QByteArray &json, const SchemaForm &form, QStringList *variables)
{
    static const QRegularExpression unusual(u"[^A-Z0-9]+"_s);
    const json::Value root = json::parse(json);
    QByteArray text;
    qsizetype at = 0;
    QHash<QString, QString> secrets;  // by variable
    const QList<json::Value> found = form.secretsIn(root);
    for (const json::Value &secret : found) {
        QString first = json::Pointer::to(secret).tokens().constLast().toUpper().replace(unusual, u"_"_s);
        if (first.isEmpty() || !first.front().isLetter())
            first.prepend(u"SECRET_"_s);
        QString name = first;
        for (int number = 2; secrets.contains(name) && secrets.value(name) != secret.string(); ++number)
            name = first + u'_' + QString::number(number);
        if (!secrets.contains(name))
            variables->append(name);
        secrets.insert(name, secret.string());
        text += json.sliced(at, secret.offset() - at) + json::quoted(u"${env:%1}"_s.arg(name));
        at = secret.offset() + secret.slice().size();
    }
    return text + json.sliced(at);
}

}  // namespace

SavedCall savedCallOf(const QString &tool, const QByteArray &arguments, const SchemaForm &form, QStringList *variables)
{
    static const QRegularExpression unusual(u"[^A-Za-z0-9._-]"_s);
    constexpr int maxNameLength = 80;
    SavedCall call;
    call.tool = tool;
    call.name = QString(tool).replace(unusual, u"_"_s).left(maxNameLength);
    call.arguments = json::parse(withSecretsAsVariables(withoutPlaceholders(json::parse(arguments)), form, variables));
    return call;
}

}  // namespace sonde::ui
