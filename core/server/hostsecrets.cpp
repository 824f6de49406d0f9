// SPDX-License-Identifier: Apache-2.0
#include "core/server/hostsecrets.h"

#include "core/server/specsecrets.h"
#include "core/server/specvariables.h"
#include "core/server/texts.h"

#include <QRegularExpression>

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

const QRegularExpression &braced()
{
    static const QRegularExpression pattern(u"\\$\\{[^{}\\n]{1,200}\\}"_s);
    return pattern;
}

const QRegularExpression &bracedOrPlain()
{
    static const QRegularExpression pattern(u"\\$\\{[^{}\\n]{1,200}\\}|\\$[A-Za-z_][A-Za-z0-9_]{0,200}"_s);
    return pattern;
}

QString decoded(const QUrl &url)
{
    return QString::fromUtf8(QByteArray::fromPercentEncoding(url.toEncoded()));
}

}  // namespace

QList<Reference> references(const ServerSpec &spec, bool withPlain)
{
    QList<Reference> found;
    enum class Variables { Read, NotRead };
    const auto search = [&](const QString &value, const QString &place, Variables variables = Variables::Read) {
        for (auto it = (withPlain ? bracedOrPlain() : braced()).globalMatch(value); it.hasNext();) {
            const QString text = it.next().captured();
            const Reference reference{text, place, variables == Variables::Read && isVariableReference(text)};
            if (!found.contains(reference) && found.size() < 100)
                found.append(reference);
        }
    };
    search(spec.command, ServerText::tr("the command"), Variables::NotRead);
    for (qsizetype i = 0; i < spec.arguments.size(); ++i)
        search(spec.arguments[i], ServerText::tr("argument %1").arg(i + 1));
    search(spec.workingDirectory, ServerText::tr("the working directory"), Variables::NotRead);
    for (const auto &[name, value] : spec.environment)
        search(value, ServerText::tr("the variable %1").arg(name));
    search(decoded(spec.url), ServerText::tr("the URL"));
    for (const auto &[name, value] : spec.headers)
        search(value, ServerText::tr("the header %1").arg(name));
    search(spec.oauth.clientId, ServerText::tr("the client ID"), Variables::NotRead);
    search(spec.oauth.clientSecret, ServerText::tr("the client secret"));
    return found;
}

QStringList removeKeychainReferences(ServerSpec *spec)
{
    QStringList places;
    const auto cleaned = [&places](const QString &text, const QString &place) {
        if (!text.contains(u"${keychain:"))
            return text;
        places.append(place);
        return u"${secret}"_s;
    };
    spec->command = cleaned(spec->command, ServerText::tr("the command"));
    for (qsizetype i = 0; i < spec->arguments.size(); ++i)
        spec->arguments[i] = cleaned(spec->arguments[i], ServerText::tr("argument %1").arg(i + 1));
    for (auto &[name, value] : spec->environment)
        value = cleaned(value, ServerText::tr("the variable %1").arg(name));
    for (auto &[name, value] : spec->headers)
        value = cleaned(value, ServerText::tr("the header %1").arg(name));
    OAuthSettings &oauth = spec->oauth;
    oauth.clientSecret = cleaned(oauth.clientSecret, ServerText::tr("the client secret"));
    for (QByteArray *value : {&oauth.privateKey, &oauth.idToken, &oauth.assertion})
        *value = cleaned(QString::fromUtf8(*value), ServerText::tr("“oauth”")).toUtf8();
    if (decoded(spec->url).contains(u"${keychain:"))  // where it is only text
        places.append(ServerText::tr("the URL"));
    if (!places.isEmpty() && !spec->original.isEmpty())
        spec->original = spec->toJson();
    return places;
}

qsizetype countFixedSecrets(const ServerSpec &spec)
{
    const QStringList values = spec.secrets();
    const QString fixed =
        spec.arguments.join(u'\n') + u'\n' + decoded(spec.url) + u'\n' + decoded(QUrl(spec.network.proxy));
    return std::count_if(values.begin(), values.end(),
                         [&](const QString &each) { return isOwnValue(each) && fixed.contains(each); });
}

}  // namespace sonde
