// SPDX-License-Identifier: Apache-2.0
#include "core/connection/specsecrets.h"

#include "core/secrets/secretreference.h"

namespace sonde {

namespace {

// Calls with each text that may hold references; what it returns takes its place.
template <typename Function>
void forEachText(ServerSpec *spec, const Function &function)
{
    for (auto *pairs : {&spec->environment, &spec->headers}) {
        for (auto &pair : *pairs)
            pair.second = function(pair.second);
    }
    for (QString &argument : spec->arguments)
        argument = function(argument);
    spec->oauth.clientSecret = function(spec->oauth.clientSecret);
    for (QByteArray *text : {&spec->oauth.privateKey, &spec->oauth.idToken, &spec->oauth.assertion})
        *text = function(QString::fromUtf8(*text)).toUtf8();
}

}  // namespace

QStringList keychainNames(const ServerSpec &spec)
{
    QStringList names;
    ServerSpec copy = spec;
    forEachText(&copy, [&names](const QString &text) {
        for (const QString &name : secretNamesIn(text)) {
            if (!names.contains(name))
                names.append(name);
        }
        return text;
    });
    return names;
}

ServerSpec withKeychainValues(const ServerSpec &spec, const QHash<QString, QString> &values)
{
    ServerSpec resolved = spec;
    forEachText(&resolved, [&values](const QString &text) { return withSecrets(text, values); });
    return resolved;
}

}  // namespace sonde
