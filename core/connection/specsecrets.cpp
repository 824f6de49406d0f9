// SPDX-License-Identifier: Apache-2.0
#include "core/connection/specsecrets.h"

#include "core/redact/secretforms.h"
#include "core/redact/secretnames.h"
#include "core/secrets/secretreference.h"

#include <QRegularExpression>

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr QStringView ClientSecret = u"clientSecret";
constexpr std::pair<QStringView, QByteArray OAuthSettings::*> AuthorizationSecrets[] = {
    {u"privateKey", &OAuthSettings::privateKey},
    {u"idToken", &OAuthSettings::idToken},
    {u"assertion", &OAuthSettings::assertion}};

// Calls with each text that may hold references, and where it stands; what it returns takes its place.
template <typename Function>
void forEachText(ServerSpec *spec, const Function &function)
{
    using Where = SecretPlace::Where;
    for (auto &[name, value] : spec->environment)
        value = function(SecretPlace{Where::Environment, name}, value);
    for (auto &[name, value] : spec->headers)
        value = function(SecretPlace{Where::Header, name}, value);
    spec->oauth.clientSecret =
        function(SecretPlace{Where::Authorization, ClientSecret.toString()}, spec->oauth.clientSecret);
    for (const auto &[name, member] : AuthorizationSecrets) {
        QByteArray &value = spec->oauth.*member;
        value = function(SecretPlace{Where::Authorization, name.toString()}, QString::fromUtf8(value)).toUtf8();
    }
}

// What makes a program load or run something is to be seen before it is started, whatever somebody says of it.
bool isInstruction(const QString &name)
{
    static const QRegularExpression names(
        u"^(NODE_OPTIONS|NODE_PATH|LD_(PRELOAD|AUDIT|LIBRARY_PATH)|DYLD_[A-Z_]+|PYTHON(PATH|HOME|STARTUP|INSPECT)|"
        "PERL5(OPT|LIB|DB)|RUBY(OPT|LIB)|BASH_ENV|ENV|PATH|SHELL|(JAVA_TOOL|_JAVA|JDK_JAVA)_OPTIONS|"
        "GIT_(SSH|SSH_COMMAND|EXEC_PATH|EXTERNAL_DIFF))$"_s,
        QRegularExpression::CaseInsensitiveOption);
    return names.match(name).hasMatch();
}

// Options and paths can look like a key.
bool isOptionOrPath(const QString &value)
{
    static const QRegularExpression path(u"^[^:]*/[^:]*\\.[A-Za-z]{1,4}$"_s);  // no URL
    return value.startsWith(u'-') || value.startsWith(u'/') || value.startsWith(u'.') || path.match(value).hasMatch();
}

}  // namespace

bool isOwnValue(const QString &value)
{
    // Capitals only: "$KEY" names a variable, and "$ecret" is a password.
    static const QRegularExpression reference(u"\\$\\{[^{}\\n]{1,200}\\}|^\\s*\\$[A-Z_][A-Z0-9_]{0,200}\\s*$"_s);
    const qsizetype scheme = schemeLength(value.toUtf8());
    return !value.mid(scheme).remove(reference).trimmed().isEmpty();
}

QList<SecretPlace> secretPlaces(const ServerSpec &spec, const QStringList &declared)
{
    QList<SecretPlace> places;
    const QStringList values = spec.secrets();
    const auto isNamedSo = [&](const SecretPlace &place) {
        switch (place.where) {
            case SecretPlace::Where::Environment:
                return declared.contains(place.name) || isSecretName(place.name, NamePlace::Variable);
            case SecretPlace::Where::Header:
                return declared.contains(place.name) || isSecretName(place.name, NamePlace::Header);
            case SecretPlace::Where::Authorization:
                break;
        }
        return true;
    };
    ServerSpec copy = spec;
    forEachText(&copy, [&](const SecretPlace &place, const QString &text) {
        const bool isVariable = place.where == SecretPlace::Where::Environment;
        const bool isFormedSo =
            std::any_of(values.begin(), values.end(), [&](const QString &each) { return text.contains(each); });
        const bool isSecret = isNamedSo(place) || (isFormedSo && !(isVariable && isOptionOrPath(text)));
        if (isOwnValue(text) && isSecret && !(isVariable && isInstruction(place.name)))
            places.append(place);
        return text;
    });
    return places;
}

QStringList keychainNames(const ServerSpec &spec)
{
    QStringList names;
    ServerSpec copy = spec;
    forEachText(&copy, [&names](const SecretPlace &, const QString &text) {
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
    forEachText(&resolved, [&values](const SecretPlace &, const QString &text) { return withSecrets(text, values); });
    return resolved;
}

ServerSpec withKeychainReferences(const ServerSpec &spec, const QList<SecretPlace> &places,
                                  QHash<QString, QString> *values)
{
    ServerSpec kept = spec;
    forEachText(&kept, [&](const SecretPlace &place, const QString &text) {
        // One that stands within other words is kept already.
        if (!places.contains(place) || !isOwnValue(text) || hasSecretReference(text))
            return text;
        const QString name = newSecretName(spec.name + u' ' + place.name);
        values->insert(name, text);
        return secretReference(name);
    });
    return kept;
}

}  // namespace sonde
