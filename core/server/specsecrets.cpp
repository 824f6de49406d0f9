// SPDX-License-Identifier: Apache-2.0
#include "core/server/specsecrets.h"

#include "core/json/stringcodec.h"
#include "core/redact/redactor.h"
#include "core/redact/secretforms.h"
#include "core/redact/secretnames.h"
#include "core/secrets/secretreference.h"
#include "core/server/approval.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

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
        "GIT_(SSH|EXEC_PATH|EXTERNAL_DIFF)|[A-Z0-9_]*(ASKPASS|_SOCK|_COMMAND|_CMD|_HELPER|_PROGRAM))$"_s,
        QRegularExpression::CaseInsensitiveOption);
    return names.match(name).hasMatch();
}

// Options and paths can look like a key.
bool isOptionOrPath(const QString &value)
{
    static const QRegularExpression path(u"^[^:]*/[^:]*\\.[A-Za-z]{1,4}$"_s);  // no URL
    return value.startsWith(u'-') || value.startsWith(u'/') || value.startsWith(u'.') || path.match(value).hasMatch();
}

// Told by itself, whatever the value is called.
bool holdsSecret(const QString &value)
{
    return !Redactor({}).find(value.toUtf8()).empty();
}

// A path that stands where a name promises a secret: KEY=/home/me/key.pem. Base64 can begin with a slash, too.
bool isPathInPlaceOfSecret(const QString &value)
{
    static const QRegularExpression path(u"^(~|\\.{1,2})?/[^/\\s:]"_s);
    if (!path.match(value).hasMatch() || value.contains(u'+') || value.endsWith(u'=') || holdsSecret(value))
        return false;
    const QStringList names = value.split(u'/');
    return std::none_of(names.begin(), names.end(), [](const QString &name) { return looksLikeToken(name.toUtf8()); });
}

// The addresses in a value, one after the other, with their secrets masked.
class AddressMask {
public:
    AddressMask(const QString &value, const QString &mark) : m_value(value), m_mark(mark) {}

    PartlyShown masked(bool isSecret)
    {
        // As every client reads it: what stands in front of the last @ of an authority is no host. One letter of the
        // scheme is enough: read whole from each place where it may begin, a long one would take minutes.
        static const QRegularExpression address(
            u"[A-Za-z0-9+.-]://(?:([^\\s/?#\\\\:]*)(?::([^\\s/?#\\\\]*))?@)?"
            "[^\\s/?#\\\\@]*([^\\s,;]*)"_s);
        auto found = address.globalMatch(json::wellFormed(m_value));
        while (found.hasNext()) {
            const QRegularExpressionMatch match = found.next();
            const qsizetype before = m_result.hidden.size();
            if (looksLikeToken(match.capturedView(1).toUtf8()))
                hide(match.capturedStart(1), match.capturedEnd(1));
            hide(match.capturedStart(2), match.capturedEnd(2));
            hideQuery(match.capturedStart(3), match.capturedEnd(3));
            // Where nothing says what is secret in it, the path and what follows it may be.
            if (isSecret && m_result.hidden.size() == before && match.capturedLength(3) > 1)
                hide(match.capturedStart(3) + 1, match.capturedEnd(3));
        }
        m_result.shown += QStringView(m_value).sliced(m_at);
        return std::move(m_result);
    }

private:
    void hide(qsizetype start, qsizetype end)
    {
        // What only refers to a value is no secret, and tells what would be sent.
        const QString text = start < 0 ? QString() : m_value.sliced(start, qMax(qsizetype(0), end - start));
        if (text.isEmpty() || !isOwnValue(QUrl::fromPercentEncoding(text.toUtf8())))
            return;
        m_result.shown += m_value.sliced(m_at, start - m_at) + m_mark;
        m_result.hidden.append(text);
        m_at = end;
    }

    void hideQuery(qsizetype start, qsizetype end)
    {
        static const QRegularExpression member(u"[?&#]([^=&#\\s]+)=([^&#\\s]*)"_s);
        auto members = member.globalMatch(json::wellFormed(m_value.sliced(start, end - start)));
        while (members.hasNext()) {
            const QRegularExpressionMatch match = members.next();
            if (isSecretName(match.captured(1), NamePlace::Query))
                hide(start + match.capturedStart(2), start + match.capturedEnd(2));
        }
    }

    const QString m_value;
    const QString m_mark;
    PartlyShown m_result;
    qsizetype m_at = 0;  // in m_value: what is shown or hidden already
};

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
        // A whole value may be taken for a token by mistake.
        const bool isFormedSo = std::any_of(values.begin(), values.end(), [&](const QString &each) {
            return text.contains(each) && !(isVariable && text == each && isOptionOrPath(text) && !holdsSecret(text));
        });
        const bool isSecret = (isNamedSo(place) && !(isVariable && isPathInPlaceOfSecret(text))) || isFormedSo;
        if (isOwnValue(text) && isSecret && !(isVariable && isInstruction(place.name)))
            places.append(place);
        return text;
    });
    return places;
}

PartlyShown partlyShown(const QString &value, bool isSecret, const QString &mark)
{
    // Where the mark stands already nobody could tell what is hidden: two different values would read alike.
    if (value.contains(mark) && !isSecret)
        return {value, {}};
    // A secret in which an address merely occurs, such as a key with the URL of its issuer, is masked whole.
    static const QRegularExpression addresses(
        u"^[A-Za-z][A-Za-z0-9+.\\-]*://[^\\s,;]+([\\s,;]+[A-Za-z][A-Za-z0-9+.\\-]*://[^\\s,;]+)*$"_s);
    const bool hasAddress = value.contains(u"://") && !value.contains(mark);
    if (hasAddress && (!isSecret || addresses.match(json::wellFormed(value)).hasMatch()))
        return AddressMask(value, mark).masked(isSecret);
    // A proxy is often written without a scheme.
    static const QRegularExpression login(
        u"^([^\\s/?#\\\\:@]+:)([^\\s/?#\\\\]+)(@[A-Za-z0-9.\\-\\[\\]]+(:[0-9]+)?/?)$"_s);
    if (const QRegularExpressionMatch match = login.match(json::wellFormed(value)); match.hasMatch()) {
        const auto part = [&](int group) {
            return value.sliced(match.capturedStart(group), match.capturedLength(group));
        };
        return {part(1) + mark + part(3), {part(2)}};
    }
    return isSecret ? PartlyShown{mark, {value}} : PartlyShown{value, {}};
}

QString shownUrl(const QString &url)
{
    return partlyShown(url, false, LaunchLine::secretMark()).shown;
}

QString shownTarget(const ServerSpec &spec)
{
    return spec.startsProcess() ? spec.line() : shownUrl(spec.url.text());
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
