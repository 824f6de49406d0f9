// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httppolicy.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/transport/network.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

#include <algorithm>
#include <array>

namespace sonde::http {

namespace {
using namespace Qt::StringLiterals;

struct HttpPolicyText {
    Q_DECLARE_TR_FUNCTIONS(sonde::HttpTransport)
};

constexpr qsizetype ShownBytes = 2048;

Error transportError(const QString &message, const QString &detail = {}, const QString &hint = {}, int code = 0)
{
    return {Error::Kind::Transport,
            code,
            message,
            detail,
            hint,
            {},
            code == 0 ? Error::Reason::Other : Error::Reason::HttpStatus};
}

Error withReason(Error error, Error::Reason reason)
{
    error.reason = reason;
    return error;
}

QString shownDates(const QSslCertificate &certificate)
{
    return HttpPolicyText::tr("%1 to %2")
        .arg(certificate.effectiveDate().toString(Qt::ISODate), certificate.expiryDate().toString(Qt::ISODate));
}

// "CN=example.com, O=Example".
QString distinguishedName(const QSslCertificate &certificate, bool isIssuer)
{
    QStringList parts;
    const QList<QByteArray> attributes =
        isIssuer ? certificate.issuerInfoAttributes() : certificate.subjectInfoAttributes();
    for (const QByteArray &attribute : attributes) {
        const QStringList values = isIssuer ? certificate.issuerInfo(attribute) : certificate.subjectInfo(attribute);
        parts += QString::fromUtf8(attribute) + u'=' + values.join(u'+');
    }
    parts.sort();
    return parts.join(u", "_s);
}

QString tlsDetail(const TlsEvidence &tls)
{
    QStringList lines;
    for (const QSslError &error : tls.errors) {
        lines += error.errorString();
        const QSslCertificate certificate = error.certificate();
        if (certificate.isNull() || certificate == tls.certificate)
            continue;
        lines += HttpPolicyText::tr("  certificate of %1, issued by %2, valid from %3")
                     .arg(certificate.subjectDisplayName(), certificate.issuerDisplayName(), shownDates(certificate));
    }
    lines.removeDuplicates();
    const QSslCertificate &own = tls.certificate;
    if (own.isNull())
        return lines.join(u'\n');
    QStringList names = own.subjectAlternativeNames().values();
    names.sort();
    lines += HttpPolicyText::tr("The server's certificate:");
    lines += HttpPolicyText::tr("  Subject: %1").arg(distinguishedName(own, false));
    if (!names.isEmpty())
        lines += HttpPolicyText::tr("  For: %1").arg(names.join(u", "_s));
    lines += HttpPolicyText::tr("  Issuer: %1").arg(distinguishedName(own, true));
    lines += HttpPolicyText::tr("  Valid: %1").arg(shownDates(own));
    lines += HttpPolicyText::tr("  SHA-256: %1").arg(fingerprintText(fingerprintOf(own)));
    return lines.join(u'\n');
}

QString tlsHint(const TlsEvidence &tls)
{
    if (tls.errors.isEmpty())
        return HttpPolicyText::tr(
            "Check that the server uses TLS on this port, and whether it requires a client certificate.");
    if (tls.certificate.isNull())
        return {};
    const QString way =
        HttpPolicyText::tr(
            "To trust exactly this certificate, accept its SHA-256 fingerprint in this server's network "
            "settings, or with --accept-certificate of sonde-cli: %1")
            .arg(fingerprintText(fingerprintOf(tls.certificate)));
    return tls.acceptsAnother
               ? HttpPolicyText::tr("It is not the certificate that is accepted for this server.") + u' ' + way
               : way;
}

QString tlsReason(const QList<QSslError> &errors)
{
    for (const QSslError &error : errors) {
        switch (error.error()) {
            case QSslError::CertificateExpired:
                return HttpPolicyText::tr("its certificate has expired");
            case QSslError::CertificateNotYetValid:
                return HttpPolicyText::tr("its certificate is not valid yet");
            case QSslError::HostNameMismatch:
                return HttpPolicyText::tr("its certificate is for another host");
            case QSslError::SelfSignedCertificate:
                return HttpPolicyText::tr("its certificate is self-signed");
            case QSslError::SelfSignedCertificateInChain:
                return HttpPolicyText::tr("its certificate authority is not trusted by this system");
            case QSslError::UnableToGetLocalIssuerCertificate:
            case QSslError::UnableToGetIssuerCertificate:
            case QSslError::UnableToVerifyFirstCertificate:
                return HttpPolicyText::tr("its certificate issuer is unknown");
            case QSslError::CertificateRevoked:
                return HttpPolicyText::tr("its certificate was revoked");
            default:
                break;
        }
    }
    return errors.isEmpty() ? QString() : errors.first().errorString();
}

// Where the server says it in no words of its own.
QString meaningOf(int status)
{
    static constexpr std::pair<int, const char *> meanings[] = {
        {400, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Bad Request")},
        {401, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Unauthorized")},
        {403, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Forbidden")},
        {404, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Not Found")},
        {405, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Method Not Allowed")},
        {406, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Not Acceptable")},
        {409, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Conflict")},
        {413, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Content Too Large")},
        {415, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Unsupported Media Type")},
        {429, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Too Many Requests")},
        {500, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Internal Server Error")},
        {502, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Bad Gateway")},
        {503, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Service Unavailable")},
        {504, QT_TRANSLATE_NOOP("sonde::HttpTransport", "Gateway Timeout")},
    };
    for (const auto &[each, meaning] : meanings) {
        if (each == status)
            return HttpPolicyText::tr(meaning);
    }
    return {};
}

// "10 years": of a time that nobody counts in seconds.
QString roughly(qint64 seconds)
{
    constexpr qint64 minute = 60, hour = 60 * minute, day = 24 * hour, year = 365 * day;
    if (seconds >= 2 * year)
        return HttpPolicyText::tr("%1 years").arg(grouped(seconds / year));
    if (seconds >= 2 * day)
        return HttpPolicyText::tr("%1 days").arg(seconds / day);
    if (seconds >= 2 * hour)
        return HttpPolicyText::tr("%1 hours").arg(seconds / hour);
    return HttpPolicyText::tr("%1 minutes").arg(seconds / minute);
}

// What the server asked for, however unreasonable.
QString retryHint(const QByteArray &asked, std::optional<qint64> seconds)
{
    constexpr qint64 longInSeconds = 120;
    constexpr qsizetype maxShown = 40;
    if (asked.trimmed().isEmpty())
        return {};
    if (!seconds)
        return HttpPolicyText::tr("The server asks to retry later (Retry-After: %1).")
            .arg(visibleLine(QString::fromUtf8(asked), maxShown));
    if (*seconds >= longInSeconds)
        return HttpPolicyText::tr("The server asks to retry after %1 seconds (%2).")
            .arg(grouped(*seconds), roughly(*seconds));
    return counted(*seconds, HttpPolicyText::tr("Retry after 1 second."),
                   HttpPolicyText::tr("Retry after %1 seconds."));
}

QString proxyLoginHint()
{
    return HttpPolicyText::tr(
        "Add them to the system's proxy settings, as in http_proxy=http://USER:PASSWORD@HOST:PORT.");
}

}  // namespace

bool isSessionId(QByteArrayView id)
{
    return !id.isEmpty() && std::all_of(id.begin(), id.end(), [](char c) { return c >= 0x21 && c <= 0x7E; });
}

bool isReserved(QByteArrayView name)
{
    static constexpr std::array<QByteArrayView, 18> names{"accept",
                                                          "accept-encoding",
                                                          "connection",
                                                          "content-encoding",
                                                          "content-length",
                                                          "content-type",
                                                          "expect",
                                                          "host",
                                                          "keep-alive",
                                                          "last-event-id",
                                                          "mcp-session-id",
                                                          "proxy-connection",
                                                          "mcp-protocol-version",
                                                          "mcp-method",
                                                          "mcp-name",
                                                          "te",
                                                          "transfer-encoding",
                                                          "upgrade"};
    const QByteArray lower = name.toByteArray().toLower();
    return lower.startsWith("mcp-param-") || std::find(names.begin(), names.end(), lower) != names.end();
}

Error checkHeaders(const HeaderList &headers)
{
    for (const auto &[name, value] : headers) {
        const QString shown = QString::fromUtf8(name);
        if (!isToken(name))
            return Error::local(HttpPolicyText::tr("“%1” is not a valid header name.").arg(shown));
        if (!isHeaderValue(value))
            return Error::local(
                HttpPolicyText::tr("The value of header “%1” contains a line break or another control character.")
                    .arg(shown));
        if (isReserved(name))
            return Error::local(HttpPolicyText::tr("The header “%1” is set by Sonde itself.").arg(shown),
                                HttpPolicyText::tr("Remove it from this server's headers."));
    }
    return {};
}

Error checkUrl(const QUrl &url)
{
    if (!url.isValid() || url.host().isEmpty())
        return Error::local(HttpPolicyText::tr("“%1” is not a URL.").arg(url.toDisplayString()));
    if (url.scheme() != "http"_L1 && url.scheme() != "https"_L1)
        return Error::local(
            HttpPolicyText::tr("A server URL must begin with http:// or https://, not %1:").arg(url.scheme()));
    return {};
}

QList<QByteArray> namesOf(const HeaderList &headers)
{
    QList<QByteArray> names;
    for (const auto &header : headers)
        names.append(header.first);
    return names;
}

QByteArray valueOf(const HeaderList &headers, QByteArrayView name)
{
    for (const auto &[header, value] : headers) {
        if (header.compare(name, Qt::CaseInsensitive) == 0)
            return value;
    }
    return {};
}

QByteArray mediaType(QByteArrayView contentType)
{
    const qsizetype semicolon = contentType.indexOf(';');
    const QByteArrayView type = semicolon < 0 ? contentType : contentType.first(semicolon);
    return type.toByteArray().trimmed().toLower();
}

QByteArray hostHeader(const QUrl &url)
{
    QByteArray host = url.host(QUrl::FullyEncoded).toLatin1();
    if (host.contains(':'))
        host = '[' + host + ']';
    return url.port() > 0 ? host + ':' + QByteArray::number(url.port()) : host;
}

bool isSameOrigin(const QUrl &left, const QUrl &right)
{
    const auto port = [](const QUrl &url) { return url.port(url.scheme() == "https"_L1 ? 443 : 80); };
    return left.scheme() == right.scheme() && left.host() == right.host() && port(left) == port(right);
}

bool isRedirect(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

Result<QUrl> redirectTarget(const QUrl &from, int status, const QByteArray &location, int hopsLeft)
{
    const QUrl target = from.resolved(QUrl::fromEncoded(location));
    const QString shown = target.toDisplayString();
    if (location.isEmpty())
        return transportError(
            HttpPolicyText::tr("The server redirects (HTTP %1) without a Location header.").arg(status), {}, {},
            status);
    if (checkUrl(target))
        return transportError(HttpPolicyText::tr("The server redirects (HTTP %1) to %2, which is not an HTTP address.")
                                  .arg(QString::number(status), shownBody(location)),
                              {}, {}, status);
    if (!isSameOrigin(from, target))
        return transportError(
            HttpPolicyText::tr("The server redirects to another origin: %1").arg(shown), {},
            HttpPolicyText::tr("If you trust that address, use it as this server's URL. Sonde does not follow such "
                               "redirects, because that would send your headers and the call to it."),
            status);
    if (status != 307 && status != 308)
        return transportError(
            HttpPolicyText::tr("The server redirects with HTTP %1 to %2").arg(QString::number(status), shown), {},
            HttpPolicyText::tr("Use that address as this server's URL. Only 307 and 308 preserve the request."),
            status);
    if (hopsLeft <= 0)
        return transportError(HttpPolicyText::tr("Too many redirects, the last one to %1").arg(shown), {}, {}, status);
    QUrl next = target;
    next.setUserInfo({});
    next.setFragment({});
    return next;
}

// In OpenSSL's words, which Qt passes on: what came was no TLS record.
bool speaksNoTls(const QString &qtText)
{
    static const QStringList words{u"wrong version number"_s, u"packet length too long"_s, u"http request"_s};
    return std::any_of(words.begin(), words.end(), [&qtText](const QString &each) { return qtText.contains(each); });
}

QString hostAndPort(const QUrl &url)
{
    const int port = url.port(url.scheme() == "https"_L1 ? 443 : 80);
    const QString host = url.host();
    return (host.contains(u':') ? u'[' + host + u']' : host) + u':' + QString::number(port);
}

Error networkError(QAbstractSocket::SocketError code, const QString &qtText, const QUrl &url, const TlsEvidence &tls)
{
    const QString host = hostAndPort(url);
    switch (code) {
        case QAbstractSocket::ConnectionRefusedError:
            return withReason(
                transportError(HttpPolicyText::tr("Connection refused: nothing is listening on %1.").arg(host), qtText,
                               HttpPolicyText::tr("Check that the server is running and that the port is correct.")),
                Error::Reason::ConnectionRefused);
        case QAbstractSocket::HostNotFoundError:
            return withReason(transportError(HttpPolicyText::tr("Host “%1” not found (DNS).").arg(url.host()), qtText,
                                             HttpPolicyText::tr("Check the spelling and the network connection.")),
                              Error::Reason::HostNotFound);
        case QAbstractSocket::SslHandshakeFailedError:
        case QAbstractSocket::SslInternalError:
        case QAbstractSocket::SslInvalidUserDataError: {
            if (tls.errors.isEmpty() && speaksNoTls(qtText))
                return transportError(HttpPolicyText::tr("%1 does not speak TLS.").arg(host), qtText,
                                      HttpPolicyText::tr("If this server is meant to be reached without encryption, "
                                                         "begin its URL with http://."));
            const QString reason = tlsReason(tls.errors);
            const QString detail = tls.errors.isEmpty() ? qtText : tlsDetail(tls);
            const QString message = reason.isEmpty()
                                        ? HttpPolicyText::tr("The TLS connection to %1 failed.").arg(host)
                                        : HttpPolicyText::tr("%1 is not trusted (TLS): %2.").arg(host, reason);
            const Error error = transportError(message, detail, tlsHint(tls));
            return tls.errors.isEmpty() ? error : withReason(error, Error::Reason::TlsFailed);
        }
        case QAbstractSocket::RemoteHostClosedError:
        case QAbstractSocket::UnknownSocketError:
            return transportError(
                HttpPolicyText::tr("%1 closed the connection before its response was complete.").arg(host), qtText,
                url.scheme() == "https"_L1
                    ? HttpPolicyText::tr("Servers that require a client certificate do this to clients without one.")
                    : QString());
        case QAbstractSocket::SocketTimeoutError:
            return transportError(HttpPolicyText::tr("The connection to %1 timed out.").arg(host), qtText,
                                  HttpPolicyText::tr("Check the address, the network connection and any firewall."));
        case QAbstractSocket::ProxyConnectionRefusedError:
        case QAbstractSocket::ProxyConnectionClosedError:
        case QAbstractSocket::ProxyConnectionTimeoutError:
        case QAbstractSocket::ProxyNotFoundError:
        case QAbstractSocket::ProxyProtocolError:
            return transportError(
                HttpPolicyText::tr("The proxy for %1 failed.").arg(host), qtText,
                HttpPolicyText::tr("Check the proxy in this server's network settings or in the system's."));
        case QAbstractSocket::ProxyAuthenticationRequiredError:
            return transportError(HttpPolicyText::tr("The proxy for %1 requires a user name and password.").arg(host),
                                  qtText, proxyLoginHint());
        default:
            return transportError(HttpPolicyText::tr("The connection to %1 failed.").arg(host), qtText);
    }
}

Error statusError(int status, const QByteArray &reason, const HeaderList &headers, const QByteArray &body)
{
    Error error = transportError({}, shownBody(body), {}, status);
    const QString words = reason.isEmpty() ? meaningOf(status) : QString::fromUtf8(reason);
    error.message = HttpPolicyText::tr("The server returned HTTP %1 %2.").arg(QString::number(status), words.trimmed());
    const json::Value own = json::parse(body)[u"error"];
    if (const QString text = own[u"message"].string(); !text.isEmpty())
        error.message = HttpPolicyText::tr("The server returned HTTP %1: %2").arg(QString::number(status), text);
    error.data = own[u"data"];
    const int code = int(own[u"code"].toInteger().value_or(0));
    error.bodyCode = code;
    if (isOfStatelessRevision(code)) {
        error.hint = HttpPolicyText::tr("Error %1 belongs to revision 2026-07-28.").arg(code);
    } else if (status == 401 || status == 403) {
        error.kind = Error::Kind::Auth;
        QStringList challenges;
        for (const auto &[name, value] : headers) {
            if (name.compare("WWW-Authenticate", Qt::CaseInsensitive) == 0)
                challenges += "WWW-Authenticate: "_L1 + QString::fromUtf8(value);
        }
        if (!challenges.isEmpty()) {
            const QString lines = challenges.join(u'\n');
            error.detail = error.detail.isEmpty() ? lines : lines + u"\n\n"_s + error.detail;
        }
        error.hint = status == 401 ? HttpPolicyText::tr("It requires authentication: add an Authorization header.")
                                   : HttpPolicyText::tr("You are authenticated but not allowed to do this.");
    } else if (status == 407) {
        error.message = HttpPolicyText::tr("A proxy requires a user name and password (HTTP 407).");
        error.hint = proxyLoginHint();
    } else if (status == 404) {
        error.hint = HttpPolicyText::tr("Check the path of the URL; many servers use /mcp.");
    } else if (status == 405) {
        error.hint = HttpPolicyText::tr("The server may use the older HTTP+SSE transport, or the path is wrong.");
    } else if (status == 429 || status == 503) {
        const QByteArray after = valueOf(headers, "Retry-After");
        error.hint = retryHint(after, retryAfter(after, QDateTime::currentDateTimeUtc()));
    }
    return error;
}

bool isOutage(int status)
{
    return status == 407 || status == 408 || status == 429 || status >= 500;
}

QString shownBody(const QByteArray &body)
{
    QString text = QString::fromUtf8(QByteArrayView(body).first(qMin(body.size(), ShownBytes)));
    if (body.size() > ShownBytes)
        text += u'…';
    return text;
}

std::optional<qint64> retryAfter(const QByteArray &value, const QDateTime &now)
{
    const QByteArray text = value.trimmed();
    if (text.isEmpty())
        return std::nullopt;
    if (std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) {
        bool fits = false;
        const qint64 seconds = text.toLongLong(&fits);
        return fits ? std::optional(seconds) : std::nullopt;
    }
    // IMF-fixdate, the one form of RFC 9110 that may still be sent.
    QDateTime date = QLocale::c().toDateTime(QString::fromLatin1(text), u"ddd, dd MMM yyyy HH:mm:ss 'GMT'"_s);
    if (!date.isValid())
        return std::nullopt;
    date.setTimeZone(QTimeZone::utc());
    return std::max<qint64>(0, now.secsTo(date));
}

}  // namespace sonde::http
