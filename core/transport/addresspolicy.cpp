// SPDX-License-Identifier: Apache-2.0
#include "core/transport/addresspolicy.h"

#include <QCoreApplication>
#include <QtEndian>
#include <algorithm>
#include <optional>

namespace sonde::http {

using namespace Qt::StringLiterals;

namespace {

struct AddressPolicyText {
    Q_DECLARE_TR_FUNCTIONS(sonde::HttpTransport)
};

struct Network4 {
    quint32 address;
    int bits;
    AddressScope scope;
};
// RFC 6890 and the registry that it started.
constexpr Network4 Networks4[] = {
    {0x00000000, 8, AddressScope::Loopback},    // this host
    {0x7F000000, 8, AddressScope::Loopback},    //
    {0x0A000000, 8, AddressScope::Private},     //
    {0xAC100000, 12, AddressScope::Private},    // 172.16
    {0xC0A80000, 16, AddressScope::Private},    // 192.168
    {0x64400000, 10, AddressScope::Private},    // 100.64, of providers
    {0xC6120000, 15, AddressScope::Private},    // 198.18, for benchmarks
    {0xA9FE0000, 16, AddressScope::LinkLocal},  // 169.254
    {0xC0000000, 24, AddressScope::Reserved},   // 192.0.0
    {0xC0000200, 24, AddressScope::Reserved},   // documentation
    {0xC6336400, 24, AddressScope::Reserved},   // documentation
    {0xCB007100, 24, AddressScope::Reserved},   // documentation
    {0xE0000000, 3, AddressScope::Reserved},    // multicast, and what was never given out
};

AddressScope scopeOf4(quint32 address)
{
    for (const Network4 &each : Networks4) {
        if ((address ^ each.address) >> (32 - each.bits) == 0)
            return each.scope;
    }
    return AddressScope::Public;
}

// The IPv4 address to which packets for an IPv6 address go, if there is one.
std::optional<quint32> embedded4(const Q_IPV6ADDR &address)
{
    const auto word = [&address](int at) { return qFromBigEndian<quint32>(address.c + at); };
    const quint32 last = word(12);
    if (word(0) == 0 && word(4) == 0 && (word(8) == 0 || word(8) == 0xFFFF || word(8) == 0xFFFF0000))
        return last;  // compatible, mapped, translated
    if (word(0) == 0x0064FF9B && word(4) == 0 && word(8) == 0)
        return last;  // NAT64
    if (word(0) >> 16 == 0x2002)
        return word(2);  // 6to4
    if (word(0) == 0x20010000)
        return ~last;  // Teredo
    if (word(8) == 0x00005EFE || word(8) == 0x02005EFE)
        return last;  // ISATAP
    return std::nullopt;
}

QString wordsFor(AddressScope scope)
{
    switch (scope) {
        case AddressScope::Private:
            return AddressPolicyText::tr("on a private network");
        case AddressScope::LinkLocal:
            return AddressPolicyText::tr("a link-local address");
        case AddressScope::Loopback:
            return AddressPolicyText::tr("on this computer");
        case AddressScope::Reserved:
            return AddressPolicyText::tr("a reserved address");
        case AddressScope::Public:
            break;
    }
    return AddressPolicyText::tr("a public address");
}

QString withoutDot(const QString &host)
{
    return host.endsWith(u'.') ? host.chopped(1) : host;
}

}  // namespace

AddressScope scopeOf(const QHostAddress &address)
{
    if (address.protocol() == QAbstractSocket::IPv4Protocol)
        return scopeOf4(address.toIPv4Address());
    const Q_IPV6ADDR bytes = address.toIPv6Address();
    const auto word = [&bytes](int at) { return qFromBigEndian<quint32>(bytes.c + at); };
    if (word(0) == 0 && word(4) == 0 && word(8) == 0 && word(12) <= 1)
        return AddressScope::Loopback;  // :: and ::1
    if (const std::optional<quint32> inside = embedded4(bytes))
        return scopeOf4(*inside);
    if (bytes[0] == 0xFF)
        return AddressScope::Reserved;  // multicast
    if (bytes[0] == 0xFE && (bytes[1] & 0xC0) == 0x80)
        return AddressScope::LinkLocal;
    const bool isUniqueLocal = (bytes[0] & 0xFE) == 0xFC;
    const bool isSiteLocal = bytes[0] == 0xFE && (bytes[1] & 0xC0) == 0xC0;
    const bool isLocalNat64 = word(0) == 0x0064FF9B && word(4) >> 16 == 1;
    if (isUniqueLocal || isSiteLocal || isLocalNat64)
        return AddressScope::Private;
    // All that was ever given out begins with 001.
    return bytes[0] >> 5 != 1 || word(0) == 0x20010DB8 ? AddressScope::Reserved : AddressScope::Public;
}

bool AddressPolicy::allows(const QString &host) const
{
    return std::any_of(allowedHosts.begin(), allowedHosts.end(), [&host](const QString &allowed) {
        return withoutDot(allowed).compare(withoutDot(host), Qt::CaseInsensitive) == 0;
    });
}

Error AddressPolicy::check(const QString &host, const QHostAddress &address) const
{
    const AddressScope scope = scopeOf(address);
    if (!isLed || scope == AddressScope::Public || allows(host))
        return {};
    if (!from.isNull() && scope != AddressScope::Reserved && scope <= scopeOf(from))
        return {};
    Error error;
    error.kind = Error::Kind::Transport;
    const QString shown = address.toString();
    error.message =
        host == shown
            ? AddressPolicyText::tr("Not connected to %1, which the server named: it is %2.").arg(host, wordsFor(scope))
            : AddressPolicyText::tr("Not connected to %1, which the server named: its address %2 is %3.")
                  .arg(host, shown, wordsFor(scope));
    error.hint = AddressPolicyText::tr(
                     "If you trust this, add %1 to the allowed hosts in this server's network settings, or pass "
                     "--allow-host to sonde-cli.")
                     .arg(host);
    return error;
}

Error AddressPolicy::checkName(const QString &host) const
{
    if (const QHostAddress literal(host); !literal.isNull())
        return check(host, literal);
    const QString name = withoutDot(host).toLower();
    if (name == "localhost"_L1 || name.endsWith(".localhost"_L1))
        return check(host, QHostAddress(QHostAddress::LocalHost));
    return {};
}

}  // namespace sonde::http
