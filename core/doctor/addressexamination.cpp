// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/addressexamination.h"

#include "core/doctor/startrecords.h"
#include "core/protocol/visibletext.h"
#include "core/protocol/worker.h"
#include "core/server/specsecrets.h"
#include "core/transport/http/httppolicy.h"
#include "core/transport/network.h"

#include <QHostAddress>
#include <QHostInfo>
#include <QNetworkProxy>
#include <QSslCertificate>
#include <QSslCipher>
#include <QSslSocket>
#include <QTimer>
#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

using Kind = DoctorLine::Kind;
using State = Step::State;

constexpr int NetworkMs = 10'000;

QString certificateText(const QSslCertificate &certificate)
{
    return certificate.isNull() ? QString()
                                : AddressExamination::tr("certificate of %1, issued by %2, valid from %3 to %4")
                                      .arg(visibleLine(certificate.subjectDisplayName(), 80),
                                           visibleLine(certificate.issuerDisplayName(), 80),
                                           certificate.effectiveDate().date().toString(Qt::ISODate),
                                           certificate.expiryDate().date().toString(Qt::ISODate));
}

http::Network withProxy(http::Network network, const QNetworkProxy &proxy)
{
    network.proxy = proxy;
    return network;
}

QString nameOf(const QNetworkProxy &proxy)
{
    return visibleLine(proxy.hostName(), 80) + u':' + QString::number(proxy.port());
}

}  // namespace

AddressExamination::AddressExamination(Connection *connection, DoctorReport *report) : Examination(connection, report)
{}

AddressExamination::~AddressExamination() = default;

QList<DoctorLine::Kind> AddressExamination::kinds() const
{
    return {Kind::Address, Kind::Host, Kind::Network, Kind::Tls, Kind::HttpStatus, Kind::Authorization, Kind::Protocol};
}

void AddressExamination::examine()
{
    settle(Kind::Address, State::Done, shownTarget(spec()));
    if (spec().url.scheme() != u"https")
        settle(Kind::Tls, State::Skipped, tr("not used: http"));
    examineResponses();
    examineRoute();
}

// As the transport connects: with this server's proxy, authorities and certificates.
void AddressExamination::examineRoute()
{
    Result<http::Network> network = http::Network::from(spec().network);
    if (!network) {
        settle(Kind::Network, State::Failed, network.error().message);
        at(Kind::Network).note = network.error().hint;
        at(Kind::Network).remedy = Remedy::EditNetwork;
        return;
    }
    if (!network->proxy && http::isThisComputer(spec().url))
        network = withProxy(*network, QNetworkProxy::NoProxy);
    if (network->proxy)
        return examineHost(*network);
    begin(Kind::Host, tr("asking the system for its proxy…"));
    runOnWorker(
        this, [url = spec().url] { return http::systemProxy(url); },
        [this, network = *network](const std::optional<QNetworkProxy> &proxy) {
            settle(Kind::Host, State::Waiting);
            examineHost(withProxy(network, proxy.value_or(QNetworkProxy(QNetworkProxy::NoProxy))));
            end();
        });
}

void AddressExamination::examineHost(const http::Network &network)
{
    const QString host = spec().url.host();
    if (network.proxy->type() != QNetworkProxy::NoProxy) {
        settle(Kind::Host, State::Skipped, tr("resolved by the proxy %1").arg(nameOf(*network.proxy)));
        examineNetwork(network);
        return;
    }
    if (!QHostAddress(host).isNull()) {
        settle(Kind::Host, State::Skipped, tr("an address, not a name"));
        examineNetwork(network);
        return;
    }
    begin(Kind::Host, tr("looking up %1…").arg(host));
    m_clock.start();
    QHostInfo::lookupHost(host, this, [this, network](const QHostInfo &info) {
        DoctorLine &line = at(Kind::Host);
        line.ms = m_clock.elapsed();
        QStringList addresses;
        for (const QHostAddress &address : info.addresses())
            addresses.append(address.toString());
        if (addresses.isEmpty()) {
            settle(Kind::Host, State::Failed, tr("%1 is not known: %2").arg(spec().url.host(), info.errorString()));
            line.remedy = Remedy::EditServer;
        } else {
            settle(Kind::Host, State::Done, spec().url.host());
            line.detail = addresses.join(u' ');
            examineNetwork(network);
        }
        end();
    });
}

// The same host and port, to see whether anybody listens there and with which certificate. Nothing is sent.
void AddressExamination::examineNetwork(const http::Network &network)
{
    const bool isTls = spec().url.scheme() == u"https";
    const auto port = quint16(spec().url.port(isTls ? 443 : 80));
    const QNetworkProxy &proxy = *network.proxy;
    const bool isDirect = proxy.type() == QNetworkProxy::NoProxy;
    // Such a proxy gets whole requests; there is no tunnel to try.
    const bool isOnlyProxy = !isDirect && !isTls && proxy.type() == QNetworkProxy::HttpProxy;
    begin(Kind::Network, isDirect ? tr("connecting to port %1…").arg(port)
                                  : tr("connecting through the proxy %1…").arg(nameOf(proxy)));
    m_socket = std::make_unique<QSslSocket>();
    m_socket->setProxy(isOnlyProxy ? QNetworkProxy(QNetworkProxy::NoProxy) : proxy);
    m_socket->setSslConfiguration(network.tls);
    m_clock.start();
    const QString reached = isDirect      ? tr("port %1 accepts connections").arg(port)
                            : isOnlyProxy ? tr("the proxy %1 accepts connections").arg(nameOf(proxy))
                                          : tr("connected through the proxy %1").arg(nameOf(proxy));
    // Who closes the connection without a response may have waited for TLS.
    const bool mayWantTls = !isTls && !isOnlyProxy && error().kind == Error::Kind::Transport &&
                            !StartRecords::in(*connection().session()).response;
    connect(m_socket.get(), &QAbstractSocket::connected, this, [this, isTls, isDirect, mayWantTls, reached] {
        settle(Kind::Network, State::Done, reached);
        if (isDirect)
            at(Kind::Network).detail = m_socket->peerAddress().toString();
        at(Kind::Network).ms = m_clock.restart();
        if (isTls)
            settle(Kind::Tls, State::Running, tr("waiting for the certificate…"));
        else if (mayWantTls)
            m_socket->startClientEncryption();
        else
            onNetworkEnded();
    });
    connect(m_socket.get(), &QSslSocket::sslErrors, this, [this, accepted = network.acceptedCertificate] {
        if (!accepted.isEmpty() && http::fingerprintOf(m_socket->peerCertificate()) == accepted)
            m_socket->ignoreSslErrors();
    });
    connect(m_socket.get(), &QSslSocket::encrypted, this, [this, isTls] {
        if (!isTls)
            return onTlsFound();
        const QString version = m_socket->sessionCipher().protocolString();
        settle(Kind::Tls, State::Done,
               m_socket->sslHandshakeErrors().isEmpty() ? version : tr("%1, accepted by its fingerprint").arg(version));
        at(Kind::Tls).detail = certificateText(m_socket->peerCertificate());
        onNetworkEnded();
    });
    const Remedy unreached = isDirect ? Remedy::EditServer : Remedy::EditNetwork;
    connect(m_socket.get(), &QAbstractSocket::errorOccurred, this, [this, isTls, unreached] {
        const bool wasReached = at(Kind::Network).state == State::Done;
        if (isTls || !wasReached)
            onNetworkFailed(unreached);
        else if (!m_socket->peerCertificate().isNull())
            onTlsFound();
        else
            onNetworkEnded();  // no TLS either
    });
    QTimer::singleShot(NetworkMs, this, [this, isTls, unreached] {
        if (!m_socket)
            return;
        const bool wasReached = at(Kind::Network).state == State::Done;
        if (isTls || !wasReached) {
            const Kind kind = wasReached ? Kind::Tls : Kind::Network;
            settle(kind, State::Failed, tr("timed out after %1 s").arg(NetworkMs / 1000));
            at(kind).remedy = unreached;
        }
        onNetworkEnded();
    });
    if (isOnlyProxy)
        m_socket->connectToHost(proxy.hostName(), proxy.port());
    else if (isTls)
        m_socket->connectToHostEncrypted(spec().url.host(QUrl::FullyEncoded), port);
    else
        m_socket->connectToHost(spec().url.host(QUrl::FullyEncoded), port);
}

// unreached: what helps where not even a connection was made.
void AddressExamination::onNetworkFailed(Remedy unreached)
{
    const bool isNetwork = at(Kind::Network).state == State::Running;
    const Kind kind = isNetwork ? Kind::Network : Kind::Tls;
    QStringList problems;
    for (const QSslError &error : m_socket->sslHandshakeErrors())
        problems.append(error.errorString());
    problems.removeDuplicates();
    const QSslCertificate certificate = m_socket->peerCertificate();
    QString text = problems.isEmpty() ? m_socket->errorString() : problems.join(u"; "_s);
    const bool isNoTls = !isNetwork && problems.isEmpty() && http::speaksNoTls(text);
    if (isNoTls)
        text = tr("the server does not speak TLS on this port");
    else if (!isNetwork && problems.isEmpty() && certificate.isNull())
        text = tr("the server does not complete a TLS handshake: %1").arg(text);
    settle(kind, State::Failed, text);
    if (isNoTls)
        at(kind).note = tr("If it is meant to be reached without encryption, begin the URL with http://.");
    if (isNetwork) {
        at(kind).remedy = unreached;
    } else {
        at(kind).detail = certificateText(certificate);
        at(kind).remedy = certificate.isNull() ? Remedy::EditServer : Remedy::EditNetwork;
        if (!problems.isEmpty() && !certificate.isNull())
            report().refusedCertificate = http::fingerprintText(http::fingerprintOf(certificate));
    }
    onNetworkEnded();
}

// Where the URL begins with http.
void AddressExamination::onTlsFound()
{
    settle(Kind::Tls, State::Failed, tr("the server expects TLS on this port"));
    at(Kind::Tls).detail = certificateText(m_socket->peerCertificate());
    at(Kind::Tls).note = tr("Begin the URL with https://.");
    at(Kind::Tls).remedy = Remedy::EditServer;
    onNetworkEnded();
}

void AddressExamination::onNetworkEnded()
{
    const Kind kind =
        at(Kind::Tls).state == State::Skipped || at(Kind::Network).state == State::Failed ? Kind::Network : Kind::Tls;
    if (at(kind).ms < 0)
        at(kind).ms = m_clock.elapsed();
    m_socket->disconnect(this);
    m_socket->abort();
    m_socket.release()->deleteLater();  // we are in its signal
    end();
}

// What the server said over HTTP during the start.
void AddressExamination::examineResponses()
{
    const StartRecords records = StartRecords::in(*connection().session());
    const bool isConnected = connection().state() == Connection::State::Connected;
    if (!records.response)
        return;
    const int status = int(records.response->status.value_or(0));
    QString type;
    for (const auto &[name, value] : records.response->headers.value_or(EventFacts::Pairs())) {
        if (name.compare(u"content-type"_s, Qt::CaseInsensitive) == 0)
            type = value;
    }
    const bool isHtml = type.startsWith(u"text/html"_s, Qt::CaseInsensitive);
    const bool wantsLogin = status == 401 || status == 403 || error().kind == Error::Kind::Auth;
    DoctorLine &http = at(Kind::HttpStatus);
    http.ms = records.response->ms.value_or(-1);
    http.text = u"%1 %2"_s.arg(status).arg(visibleLine(records.response->reason.value_or(QString()), 60)).trimmed();
    http.detail = visibleLine(type, 80);
    const bool hasFailed = !isConnected && status >= 300 && !wantsLogin;
    http.state = hasFailed ? State::Failed : State::Done;
    if (hasFailed) {
        const bool mayBeOther = status == 404 || status == 405 || status == 400;
        http.remedy = status < 400                                          ? Remedy::EditServer
                      : status == 407                                       ? Remedy::EditNetwork
                      : !mayBeOther                                         ? Remedy::None
                      : spec().httpKind == ServerSpec::HttpKind::Streamable ? Remedy::UseHttpSse
                      : spec().httpKind == ServerSpec::HttpKind::Sse        ? Remedy::DetectTransport
                                                                            : Remedy::EditServer;
        http.note = error().hint;
        return;
    }
    const bool hasCredentials = std::any_of(spec().headers.begin(), spec().headers.end(), [](const auto &header) {
        return header.first.compare(u"authorization"_s, Qt::CaseInsensitive) == 0;
    });
    if (!isConnected && wantsLogin) {
        settle(Kind::Authorization, State::Failed,
               hasCredentials  ? tr("the server refuses the Authorization header of this server")
               : status == 403 ? tr("the server refuses access")
                               : tr("the server requires authentication"));
        const bool canSignIn = connection().signIn() && error().reason != Error::Reason::NoSignIn;
        at(Kind::Authorization).remedy = hasCredentials ? Remedy::EditServer
                                         : canSignIn    ? Remedy::SignIn
                                                        : Remedy::AddHeader;
        at(Kind::Authorization).note =
            status == 403 && !hasCredentials
                ? tr("It may require authentication, or accept requests only under certain host names.")
                : error().hint;
        return;
    }
    settle(Kind::Authorization, State::Done, hasCredentials ? tr("accepted") : tr("not required"));
    if (isHtml && !isConnected) {
        settle(Kind::Protocol, State::Failed, tr("the response is a web page, not an MCP message"));
        at(Kind::Protocol).remedy = Remedy::EditServer;
        at(Kind::Protocol).note = tr("Check the path of the URL; many servers use /mcp.");
    } else if (isConnected || records.messages > 0) {
        settle(Kind::Protocol, State::Done, connection().transportName());
    } else if (error()) {
        settle(Kind::Protocol, State::Failed, error().message);
        at(Kind::Protocol).remedy = Remedy::EditServer;
    }
}

}  // namespace sonde
