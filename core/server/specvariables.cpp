// SPDX-License-Identifier: Apache-2.0
#include "core/server/specvariables.h"

#include "core/protocol/numbertext.h"
#include "core/server/texts.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

const QRegularExpression &variablePattern()
{
    static const QRegularExpression pattern(u"\\$\\{env:([A-Za-z_][A-Za-z0-9_]{0,200})\\}"_s);
    return pattern;
}

// Where the path or the query of a URL begins; its end where there is none.
qsizetype urlPathStart(const QString &url)
{
    static const QRegularExpression authority(u"\\A[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*"_s);
    return authority.match(url).capturedLength();
}

// Calls with the name in each reference; what it returns takes its place.
template <typename Function>
QString withValues(const QString &text, const Function &valueOf)
{
    if (!text.contains(u"${env:"))
        return text;
    QString result;
    qsizetype at = 0;
    for (auto matches = variablePattern().globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        result += QStringView(text).sliced(at, match.capturedStart() - at);
        result += valueOf(match.captured(1));
        at = match.capturedEnd();
    }
    result += QStringView(text).sliced(at);
    return result;
}

// The same in all places of a description that may refer to variables.
template <typename Function>
void replaceEach(ServerSpec *spec, const Function &valueOf)
{
    for (QString &argument : spec->arguments)
        argument = withValues(argument, valueOf);
    for (auto *pairs : {&spec->environment, &spec->headers}) {
        for (auto &[name, value] : *pairs)
            value = withValues(value, valueOf);
    }
    OAuthSettings &oauth = spec->oauth;
    oauth.clientSecret = withValues(oauth.clientSecret, valueOf);
    for (QByteArray *value : {&oauth.privateKey, &oauth.idToken, &oauth.assertion}) {
        if (value->contains("${env:"))
            *value = withValues(QString::fromUtf8(*value), valueOf).toUtf8();
    }
    const QString url = spec->url.text();
    if (!url.contains(u"${env:"))
        return;
    const qsizetype start = urlPathStart(url);
    const auto encoded = [&valueOf](const QString &name) {
        return QString::fromLatin1(QUrl::toPercentEncoding(valueOf(name)));
    };
    spec->url = TypedUrl::fromText(url.first(start) + withValues(url.mid(start), encoded));
}

}  // namespace

bool isVariableReference(const QString &text)
{
    const QRegularExpressionMatch match = variablePattern().match(text);
    return match.hasMatch() && match.capturedLength() == text.size();
}

QStringList variableNames(const ServerSpec &spec)
{
    QStringList names;
    ServerSpec copy = spec;
    replaceEach(&copy, [&names](const QString &name) {
        if (!names.contains(name))
            names.append(name);
        return QString();
    });
    return names;
}

Result<ResolvedVariables> withVariables(const ServerSpec &spec)
{
    ResolvedVariables resolved{spec, {}};
    QStringList missing;
    for (const QString &name : variableNames(spec)) {
        if (!qEnvironmentVariableIsSet(name.toLocal8Bit().constData()))
            missing.append(name);
        else
            resolved.values.append(qEnvironmentVariable(name.toLocal8Bit().constData()));
    }
    if (!missing.isEmpty()) {
        const QString names = missing.join(u", "_s);
        return Error::local(
            counted(missing.size(), ServerText::tr("The environment variable %1 is not set.").arg(names),
                    ServerText::tr("These environment variables are not set: %1.").arg(names)),
            ServerText::tr("The server's description refers to it as ${env:%1}.").arg(missing.first()));
    }
    if (!resolved.values.isEmpty())
        replaceEach(&resolved.spec,
                    [](const QString &name) { return qEnvironmentVariable(name.toLocal8Bit().constData()); });
    return resolved;
}

}  // namespace sonde
