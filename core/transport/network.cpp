// SPDX-License-Identifier: Apache-2.0
#include "core/transport/network.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QHostAddress>
#include <QNetworkProxyFactory>
#include <QSslCertificate>
#include <QSslKey>

namespace sonde::http {

using namespace Qt::StringLiterals;

namespace {

struct NetworkText {
    Q_DECLARE_TR_FUNCTIONS(sonde::HttpTransport)
};

constexpr int FingerprintBytes = 32;

Result<QByteArray> readPem(const QString &path)
{
    const Result<QByteArray> text =
        readFile(path.startsWith("~/"_L1) ? QDir::homePath() + path.mid(1) : path, filelimits::Pem);
    return text ? text : Error::local(text.error().message, NetworkText::tr("Check this server's network settings."));
}

Error noCertificate(const QString &path)
{
    return Error::local(NetworkText::tr("%1 contains no certificate in PEM form.").arg(path),
                        NetworkText::tr("The file must contain a line -----BEGIN CERTIFICATE-----."));
}

Result<QSslKey> readKey(const QString &path)
{
    const Result<QByteArray> text = readPem(path);
    if (!text)
        return text.error();
    for (const QSsl::KeyAlgorithm algorithm : {QSsl::Rsa, QSsl::Ec, QSsl::Dsa}) {
        QSslKey key(*text, algorithm);
        if (!key.isNull())
            return key;
    }
    return text->contains("ENCRYPTED")
               ? Error::local(
                     NetworkText::tr("The private key in %1 has a passphrase, which is not supported.").arg(path),
                     NetworkText::tr("Write it without one, with: openssl pkey -in KEY -out NEWKEY"))
               : Error::local(NetworkText::tr("%1 contains no private key in PEM form.").arg(path),
                              NetworkText::tr("RSA, EC and DSA keys are supported."));
}

Error addClientCertificate(const NetworkOptions &options, QSslConfiguration *tls)
{
    if (options.clientCertificate.isEmpty() && !options.clientKey.isEmpty())
        return Error::local(NetworkText::tr("There is a client key, but no client certificate."));
    if (options.clientCertificate.isEmpty())
        return {};
    const Result<QByteArray> text = readPem(options.clientCertificate);
    if (!text)
        return text.error();
    const QList<QSslCertificate> chain = QSslCertificate::fromData(*text, QSsl::Pem);
    if (chain.isEmpty())
        return noCertificate(options.clientCertificate);
    const Result<QSslKey> key = readKey(options.clientKey.isEmpty() ? options.clientCertificate : options.clientKey);
    if (!key)
        return key.error();
    tls->setLocalCertificateChain(chain);
    tls->setPrivateKey(*key);
    return {};
}

}  // namespace

Result<Network> Network::from(const NetworkOptions &options)
{
    Network network;
    network.addressPolicy.allowedHosts = options.allowedHosts;
    const Result<std::optional<QNetworkProxy>> proxy = proxyFromText(options.proxy);
    if (!proxy)
        return proxy.error();
    network.proxy = *proxy;
    if (!options.caFile.isEmpty()) {
        const Result<QByteArray> text = readPem(options.caFile);
        if (!text)
            return text.error();
        // With a path rather than certificates Qt goes on looking those of the system up when it needs them, instead of
        // reading all of them.
        QString path = options.caFile;
        if (path.startsWith("~/"_L1))
            path.replace(0, 1, QDir::homePath());
        if (!network.tls.addCaCertificates(path, QSsl::Pem, QSslCertificate::PatternSyntax::FixedString))
            return noCertificate(options.caFile);
    }
    if (const Error error = addClientCertificate(options, &network.tls))
        return error;
    if (!options.acceptedCertificate.isEmpty()) {
        network.acceptedCertificate = fingerprintFromText(options.acceptedCertificate);
        if (network.acceptedCertificate.isEmpty())
            return Error::local(NetworkText::tr("“%1” is not a SHA-256 fingerprint.").arg(options.acceptedCertificate),
                                NetworkText::tr("It has 64 hexadecimal digits; colons between them are optional."));
    }
    return network;
}

Result<std::optional<QNetworkProxy>> proxyFromText(const QString &text)
{
    const QString typed = text.trimmed();
    if (typed.isEmpty() || typed == "system"_L1)
        return std::optional<QNetworkProxy>();
    if (typed == "none"_L1)
        return std::optional(QNetworkProxy(QNetworkProxy::NoProxy));
    const QUrl url(typed, QUrl::StrictMode);
    const bool isHttp = url.scheme() == "http"_L1;
    if ((!isHttp && url.scheme() != "socks5"_L1) || url.host().isEmpty() || url.port() <= 0 || url.path().size() > 1 ||
        url.hasQuery() || url.hasFragment())
        return Error::local(NetworkText::tr("“%1” is not a proxy.").arg(url.toDisplayString()),
                            NetworkText::tr("Use system, none, http://HOST:PORT or socks5://HOST:PORT."));
    return std::optional(QNetworkProxy(isHttp ? QNetworkProxy::HttpProxy : QNetworkProxy::Socks5Proxy,
                                       url.host(QUrl::FullyEncoded), quint16(url.port()),
                                       url.userName(QUrl::FullyDecoded), url.password(QUrl::FullyDecoded)));
}

QByteArray fingerprintFromText(const QString &text)
{
    QByteArray digits;
    for (const QChar c : text) {
        if (c == u':' || c.isSpace())
            continue;
        if (!isxdigit(c.unicode() < 0x80 ? c.unicode() : 0))
            return {};
        digits += char(c.unicode());
    }
    return digits.size() == 2 * FingerprintBytes ? QByteArray::fromHex(digits) : QByteArray();
}

QString fingerprintText(const QByteArray &sha256)
{
    return QString::fromLatin1(sha256.toHex(':').toUpper());
}

QByteArray fingerprintOf(const QSslCertificate &certificate)
{
    return certificate.digest(QCryptographicHash::Sha256);
}

// HTTP goes to one that takes whole URLs or makes tunnels, TLS to one that makes tunnels.
QNetworkProxy systemProxy(const QUrl &url)
{
    const QList<QNetworkProxy> proxies = QNetworkProxyFactory::proxyForQuery(QNetworkProxyQuery(url));
    for (const QNetworkProxy &proxy : proxies) {
        const bool takesUrls = proxy.isCachingProxy() && url.scheme() == "http"_L1;
        if (takesUrls || proxy.isTransparentProxy())
            return proxy;
    }
    return QNetworkProxy::NoProxy;
}

// A proxy could not reach this computer's own loopback anyway.
bool isThisComputer(const QUrl &url)
{
    return url.host() == "localhost"_L1 || QHostAddress(url.host()).isLoopback();
}

}  // namespace sonde::http
