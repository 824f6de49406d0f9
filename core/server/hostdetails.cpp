// SPDX-License-Identifier: Apache-2.0
#include "core/server/hostdetails.h"

#include "core/protocol/revision.h"
#include "core/protocol/visibletext.h"
#include "core/server/texts.h"

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr int LabelWidth = 20;  // characters, so that values stand below each other

class DetailsWriter {
public:
    explicit DetailsWriter(const QString &secretMark) : m_secretMark(secretMark) {}

    void line(const QString &label, const QString &text)
    {
        m_text += (label + u": "_s).leftJustified(LabelWidth) + text + u'\n';
    }
    void value(const QString &label, const QString &text) { line(label, revealedText(text)); }
    void pairs(const QString &label, const QList<std::pair<QString, QString>> &pairs, const QList<SecretPlace> &secrets,
               SecretPlace::Where where)
    {
        for (const auto &[name, value] : pairs) {
            const bool isSecret = secrets.contains(SecretPlace{where, name});
            line(label, revealedText(name) + u" = "_s + revealedText(partlyShown(value, isSecret, m_secretMark).shown));
        }
    }
    // Nothing where nothing is set.
    void given(const QString &label, const QString &text)
    {
        if (!text.isEmpty())
            value(label, text);
    }
    void address(const QString &label, const QString &text) { given(label, shownUrl(text)); }
    void secret(const QString &label, const QString &text)
    {
        if (!text.isEmpty())
            line(label, isOwnValue(text) ? m_secretMark : revealedText(text));
    }
    QString take() { return std::move(m_text); }

private:
    const QString m_secretMark;
    QString m_text;
};

// Before it is connected to, one should know whom else it trusts, and what else it is told.
void addSettings(const ServerSpec &spec, DetailsWriter &details)
{
    if (spec.inheritEnvironment)
        details.line(ServerText::tr("Inherits"), ServerText::tr("Sonde's full environment"));
    if (spec.loginShellPath)
        details.line(ServerText::tr("PATH"), ServerText::tr("that of the login shell"));
    const http::NetworkOptions &network = spec.network;
    details.address(ServerText::tr("Proxy"), network.proxy);
    details.given(ServerText::tr("CA file"), network.caFile);
    details.given(ServerText::tr("Client certificate"), network.clientCertificate);
    details.given(ServerText::tr("Client key"), network.clientKey);
    details.given(ServerText::tr("Trusts certificate"), network.acceptedCertificate);
    for (const QString &host : network.allowedHosts)
        details.value(ServerText::tr("Allowed host"), host);
    for (const auto &[uri, name] : spec.roots)
        details.value(ServerText::tr("Root"), uri);
    if (spec.revision)
        details.value(ServerText::tr("Revision"), toString(*spec.revision));
    details.given(ServerText::tr("Not declared"), spec.undeclaredCapabilities.join(u", "_s));
    if (spec.pageByPage)
        details.line(ServerText::tr("Lists"), ServerText::tr("one page at a time"));
    details.given(ServerText::tr("Timeouts"), spec.timeouts.summary());
}

void addAuthorization(const OAuthSettings &oauth, DetailsWriter &details)
{
    details.address(ServerText::tr("Issuer"), oauth.issuer);
    details.given(ServerText::tr("Client ID"), oauth.clientId);
    details.secret(ServerText::tr("Client secret"), oauth.clientSecret);
    details.given(ServerText::tr("Redirect URL"), oauth.redirectUri.text());
    details.address(ServerText::tr("Client metadata"), oauth.clientMetadata.text());
    details.secret(ServerText::tr("Private key"), QString::fromUtf8(oauth.privateKey));
    details.given(ServerText::tr("Key algorithm"), QString::fromUtf8(oauth.keyAlgorithm));
    details.address(ServerText::tr("Token URL"), oauth.providerTokenEndpoint.text());
    details.given(ServerText::tr("Provider client ID"), oauth.providerClientId);
    details.secret(ServerText::tr("ID token"), QString::fromUtf8(oauth.idToken));
    details.secret(ServerText::tr("Assertion"), QString::fromUtf8(oauth.assertion));
}

}  // namespace

QString serverDetails(const HostServer &server, const QString &secretMark)
{
    const ServerSpec &spec = server.spec;
    DetailsWriter details(secretMark);
    for (const QString &problem : server.problems)
        details.value(ServerText::tr("Problem"), problem);
    if (spec.startsProcess()) {
        details.value(ServerText::tr("Program"), spec.command);
        for (qsizetype i = 0; i < spec.arguments.size(); ++i)
            details.value(ServerText::tr("Argument %1").arg(i + 1), spec.arguments[i]);
        if (!spec.workingDirectory.isEmpty())
            details.value(ServerText::tr("Working directory"), spec.workingDirectory);
    } else {
        details.value(ServerText::tr("URL"), shownTarget(spec));
        details.value(ServerText::tr("Transport"), spec.transportName());
    }
    details.pairs(ServerText::tr("Environment"), spec.environment, server.secrets, SecretPlace::Where::Environment);
    details.pairs(ServerText::tr("Header"), spec.headers, server.secrets, SecretPlace::Where::Header);
    addSettings(spec, details);
    addAuthorization(spec.oauth, details);
    if (!server.scope.isEmpty())
        details.value(ServerText::tr("Project"), server.scope);
    for (const QString &finding : server.findings)
        details.value(ServerText::tr("Note"), finding);
    return details.take();
}

QString serverSummary(const HostServer &server, qsizetype maxLength)
{
    const bool isComplete = server.spec.startsProcess() ? !server.spec.command.isEmpty() : !server.spec.url.isEmpty();
    return visibleLine(isComplete ? shownTarget(server.spec).simplified() : server.problems.value(0), maxLength);
}

}  // namespace sonde
