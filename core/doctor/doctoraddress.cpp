// What the doctor examines of a server that is at a URL.
// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/doctor.h"
#include "core/doctor/startrecords.h"
#include "core/protocol/visibletext.h"

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
using State = DoctorLine::State;

constexpr int NetworkMs = 10'000;

QString certificateText(const QSslCertificate &certificate)
{
    return certificate.isNull() ? QString()
                                : Doctor::tr("certificate of %1, issued by %2, valid from %3 to %4")
                                      .arg(visibleLine(certificate.subjectDisplayName(), 80),
                                           visibleLine(certificate.issuerDisplayName(), 80),
                                           certificate.effectiveDate().date().toString(Qt::ISODate),
                                           certificate.expiryDate().date().toString(Qt::ISODate));
}

}  // namespace

void Doctor::examineAddress()
{
    const QStringList problems = m_spec.problems();
    if (!problems.isEmpty()) {
        settle(Kind::Address, State::Failed, problems.join(u' '));
        at(Kind::Address).remedy = Remedy::EditServer;
        return;
    }
    settle(Kind::Address, State::Ok, m_spec.line());
    if (m_spec.url.scheme() != u"https")
        settle(Kind::Tls, State::NotNeeded, tr("not used: http"));
    examineResponses();
    examineHost();
}

void Doctor::examineHost()
{
    const QString host = m_spec.url.host();
    // As the transport chooses: a proxy could not reach this machine's own loopback anyway.
    const bool isLoopback = host == u"localhost" || QHostAddress(host).isLoopback();
    const QList<QNetworkProxy> proxies =
        isLoopback ? QList<QNetworkProxy>() : QNetworkProxyFactory::proxyForQuery(QNetworkProxyQuery(m_spec.url));
    if (!proxies.isEmpty() && proxies.constFirst().type() != QNetworkProxy::NoProxy) {
        // What the proxy resolves and connects to is not seen from here.
        settle(Kind::Host, State::NotNeeded,
               tr("resolved by the proxy %1:%2").arg(proxies.constFirst().hostName()).arg(proxies.constFirst().port()));
        if (m_error.reason == Error::Reason::TlsFailed)
            settle(Kind::Tls, State::Failed, m_error.message);
        return;
    }
    if (!QHostAddress(host).isNull()) {
        settle(Kind::Host, State::NotNeeded, tr("an address, not a name"));
        examineNetwork();
        return;
    }
    begin(Kind::Host, tr("looking up %1…").arg(host));
    m_clock.start();
    QHostInfo::lookupHost(host, m_context.get(), [this](const QHostInfo &info) {
        DoctorLine &line = at(Kind::Host);
        line.ms = m_clock.elapsed();
        QStringList addresses;
        for (const QHostAddress &address : info.addresses())
            addresses.append(address.toString());
        if (addresses.isEmpty()) {
            settle(Kind::Host, State::Failed, tr("%1 is not known: %2").arg(m_spec.url.host(), info.errorString()));
            line.remedy = Remedy::EditServer;
        } else {
            settle(Kind::Host, State::Ok, m_spec.url.host());
            line.evidence = addresses.join(u' ');
            examineNetwork();
        }
        end();
    });
}

// The same host and port, to see whether anybody listens there and with which certificate. Nothing is sent.
void Doctor::examineNetwork()
{
    const bool isTls = m_spec.url.scheme() == u"https";
    const auto port = quint16(m_spec.url.port(isTls ? 443 : 80));
    begin(Kind::Network, tr("connecting to port %1…").arg(port));
    m_socket = new QSslSocket(m_context.get());
    m_socket->setProxy(QNetworkProxy::NoProxy);
    m_clock.start();
    connect(m_socket, &QAbstractSocket::connected, m_context.get(), [this, isTls, port] {
        settle(Kind::Network, State::Ok, tr("port %1 accepts connections").arg(port));
        at(Kind::Network).evidence = m_socket->peerAddress().toString();
        at(Kind::Network).ms = m_clock.restart();
        if (isTls)
            settle(Kind::Tls, State::Running, tr("waiting for the certificate…"));
        else
            onNetworkEnded();
    });
    connect(m_socket, &QSslSocket::encrypted, m_context.get(), [this] {
        settle(Kind::Tls, State::Ok, m_socket->sessionCipher().protocolString());
        at(Kind::Tls).evidence = certificateText(m_socket->peerCertificate());
        onNetworkEnded();
    });
    connect(m_socket, &QAbstractSocket::errorOccurred, m_context.get(), [this] {
        const Kind kind = at(Kind::Network).state == State::Running ? Kind::Network : Kind::Tls;
        QStringList problems;
        for (const QSslError &error : m_socket->sslHandshakeErrors())
            problems.append(error.errorString());
        problems.removeDuplicates();
        settle(kind, State::Failed, problems.isEmpty() ? m_socket->errorString() : problems.join(u' '));
        if (kind == Kind::Tls)
            at(kind).evidence = certificateText(m_socket->peerCertificate());
        else
            at(kind).remedy = Remedy::EditServer;
        onNetworkEnded();
    });
    QTimer::singleShot(NetworkMs, m_socket, [this] {
        const Kind kind = at(Kind::Network).state == State::Running ? Kind::Network : Kind::Tls;
        settle(kind, State::Failed, tr("no answer within %1 s").arg(NetworkMs / 1000));
        onNetworkEnded();
    });
    if (isTls)
        m_socket->connectToHostEncrypted(m_spec.url.host(), port);
    else
        m_socket->connectToHost(m_spec.url.host(), port);
}

void Doctor::onNetworkEnded()
{
    if (!m_socket)
        return;
    const Kind kind =
        at(Kind::Tls).state == State::NotNeeded || at(Kind::Network).state == State::Failed ? Kind::Network : Kind::Tls;
    if (at(kind).ms < 0)
        at(kind).ms = m_clock.elapsed();
    m_socket->disconnect(m_context.get());
    m_socket->abort();
    m_socket->deleteLater();
    m_socket = nullptr;
    end();
}

// What the server said over HTTP during the start.
void Doctor::examineResponses()
{
    const StartRecords records = StartRecords::in(*m_connection->session());
    const bool isConnected = m_connection->state() == Connection::State::Connected;
    if (!records.response.exists())
        return;
    const int status = int(records.response[u"status"].toInteger().value_or(0));
    QString type;
    for (const json::Value &header : records.response[u"headers"]) {
        if (header.at(0).string().compare(u"content-type"_s, Qt::CaseInsensitive) == 0)
            type = header.at(1).string();
    }
    const bool isHtml = type.startsWith(u"text/html"_s, Qt::CaseInsensitive);
    const bool wantsLogin = status == 401 || status == 403 || m_error.kind == Error::Kind::Auth;
    DoctorLine &http = at(Kind::HttpStatus);
    http.ms = records.response[u"ms"].toInteger().value_or(-1);
    http.text = u"%1 %2"_s.arg(status).arg(visibleLine(records.response[u"reason"].string(), 60)).trimmed();
    http.evidence = visibleLine(type, 80);
    const bool hasFailed = !isConnected && status >= 400 && !wantsLogin;
    http.state = hasFailed ? State::Failed : State::Ok;
    if (hasFailed) {
        const bool mayBeOther = status == 404 || status == 405 || status == 400;
        http.remedy = !mayBeOther                                           ? Remedy::None
                      : m_spec.httpKind == ServerSpec::HttpKind::Streamable ? Remedy::UseHttpSse
                      : m_spec.httpKind == ServerSpec::HttpKind::Sse        ? Remedy::DetectTransport
                                                                            : Remedy::EditServer;
        http.evidenceNote = m_error.hint;
        return;
    }
    const bool hasCredentials = std::any_of(m_spec.headers.begin(), m_spec.headers.end(), [](const auto &header) {
        return header.first.compare(u"authorization"_s, Qt::CaseInsensitive) == 0;
    });
    if (!isConnected && wantsLogin) {
        settle(Kind::Authorization, State::Failed,
               hasCredentials ? tr("the server refuses the Authorization header of this server")
                              : tr("the server requires authentication"));
        at(Kind::Authorization).remedy = hasCredentials           ? Remedy::EditServer
                                         : m_connection->signIn() ? Remedy::SignIn
                                                                  : Remedy::AddHeader;
        at(Kind::Authorization).evidenceNote = m_error.hint;
        return;
    }
    settle(Kind::Authorization, State::Ok, hasCredentials ? tr("accepted") : tr("not required"));
    if (isHtml && !isConnected) {
        settle(Kind::Protocol, State::Failed, tr("the response is a web page, not an MCP message"));
        at(Kind::Protocol).remedy = Remedy::EditServer;
        at(Kind::Protocol).evidenceNote = tr("Check the path of the URL; many servers use /mcp.");
    } else if (isConnected || records.messages > 0) {
        settle(Kind::Protocol, State::Ok, m_connection->transportName());
    } else if (m_error) {
        settle(Kind::Protocol, State::Failed, m_error.message);
        at(Kind::Protocol).remedy = Remedy::EditServer;
    }
}

}  // namespace sonde
