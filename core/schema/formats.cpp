// SPDX-License-Identifier: Apache-2.0
#include "core/schema/formats.h"

#include "core/json/pointer.h"
#include "core/schema/ecmaregex.h"

#include <QDate>
#include <QHash>
#include <QUrl>

#include <algorithm>

namespace sonde::schema {

using namespace Qt::StringLiterals;

namespace {

bool isDigit(QChar c)
{
    return c >= u'0' && c <= u'9';
}

bool isHex(QChar c)
{
    return isDigit(c) || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
}

bool isLetter(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z');
}

bool isAscii(QStringView text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x80; });
}

bool allDigits(QStringView text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), isDigit);
}

// Exactly so many digits, as a number.
std::optional<int> digits(QStringView text, qsizetype at, qsizetype count)
{
    const QStringView part = text.mid(at, count);
    if (part.size() != count || !allDigits(part))
        return std::nullopt;
    return part.toInt();
}

// RFC 3339

bool isDate(QStringView text)
{
    const auto year = digits(text, 0, 4);
    const auto month = digits(text, 5, 2);
    const auto day = digits(text, 8, 2);
    if (text.size() != 10 || text.at(4) != u'-' || text.at(7) != u'-' || !year || !month || !day)
        return false;
    // Year 0 is a leap year there; QDate has none.
    return QDate::isValid(*year == 0 ? 2000 : *year, *month, *day);
}

bool isTime(QStringView text)
{
    const auto hour = digits(text, 0, 2);
    const auto minute = digits(text, 3, 2);
    const auto second = digits(text, 6, 2);
    if (!hour || !minute || !second || text.at(2) != u':' || text.at(5) != u':')
        return false;
    qsizetype at = 8;
    if (at < text.size() && text.at(at) == u'.') {
        const qsizetype start = ++at;
        while (at < text.size() && isDigit(text.at(at)))
            ++at;
        if (at == start)
            return false;
    }
    int offset = 0;
    if (text.mid(at).compare(u"z", Qt::CaseInsensitive) != 0) {
        const auto hours = digits(text, at + 1, 2);
        const auto minutes = digits(text, at + 4, 2);
        if (text.size() != at + 6 || !hours || !minutes || text.at(at + 3) != u':' || *hours > 23 || *minutes > 59)
            return false;
        if (text.at(at) != u'+' && text.at(at) != u'-')
            return false;
        offset = (*hours * 60 + *minutes) * (text.at(at) == u'-' ? -1 : 1);
    }
    if (*hour > 23 || *minute > 59 || *second > 60)
        return false;
    // A leap second can only be the last one of a day in UTC.
    constexpr int day = 24 * 60;
    return *second < 60 || ((*hour * 60 + *minute - offset) % day + day) % day == day - 1;
}

bool isDateTime(QStringView text)
{
    return text.size() > 11 && (text.at(10) == u'T' || text.at(10) == u't') && isDate(text.left(10)) &&
           isTime(text.mid(11));
}

// Numbers with units in the order given, none left out between two.
bool isUnitSequence(QStringView text, QStringView units)
{
    qsizetype last = -1;
    qsizetype at = 0;
    while (at < text.size()) {
        const qsizetype start = at;
        while (at < text.size() && isDigit(text.at(at)))
            ++at;
        const qsizetype unit = at < text.size() ? units.indexOf(text.at(at)) : -1;
        if (at == start || unit < 0 || (last >= 0 ? unit != last + 1 : false))
            return false;
        last = unit;
        ++at;
    }
    return last >= 0;
}

bool isDuration(QStringView text)
{
    if (!text.startsWith(u'P'))
        return false;
    const QStringView rest = text.mid(1);
    if (rest.endsWith(u'W'))
        return isUnitSequence(rest, u"W");
    const qsizetype time = rest.indexOf(u'T');
    if (time < 0)
        return isUnitSequence(rest, u"YMD");
    return (time == 0 || isUnitSequence(rest.left(time), u"YMD")) && isUnitSequence(rest.mid(time + 1), u"HMS");
}

// Addresses

bool isIpv4(QStringView text)
{
    const QList<QStringView> parts = text.split(u'.');
    return parts.size() == 4 && std::all_of(parts.begin(), parts.end(), [](QStringView part) {
               return part.size() <= 3 && allDigits(part) && (part.size() == 1 || part.at(0) != u'0') &&
                      part.toInt() <= 255;
           });
}

bool isIpv6(QStringView text)
{
    const qsizetype gap = text.indexOf(u"::");
    if (gap >= 0 && text.indexOf(u"::", gap + 1) >= 0)
        return false;
    // How many groups a side of the gap has, or -1. Only the very end may be written as IPv4.
    const auto groups = [](QStringView side, bool last) -> int {
        if (side.isEmpty())
            return 0;
        int count = 0;
        const QList<QStringView> parts = side.split(u':');
        for (qsizetype i = 0; i < parts.size(); ++i) {
            const QStringView part = parts.at(i);
            if (last && i + 1 == parts.size() && part.contains(u'.')) {
                if (!isIpv4(part))
                    return -1;
                count += 2;
            } else if (part.isEmpty() || part.size() > 4 || !std::all_of(part.begin(), part.end(), isHex)) {
                return -1;
            } else {
                ++count;
            }
        }
        return count;
    };
    if (gap < 0)
        return groups(text, true) == 8;
    const int before = groups(text.left(gap), false);
    const int after = groups(text.mid(gap + 2), true);
    return before >= 0 && after >= 0 && before + after <= 7;
}

bool isLabel(QStringView label)
{
    if (label.isEmpty() || label.size() > 63 || label.startsWith(u'-') || label.endsWith(u'-'))
        return false;
    const bool allowed =
        std::all_of(label.begin(), label.end(), [](QChar c) { return isLetter(c) || isDigit(c) || c == u'-'; });
    if (!allowed || label.mid(2, 2) != u"--")
        return allowed;
    // RFC 5891: what has "--" there is punycode of something that is worth it, or nothing.
    const QString ace = label.toString().toLower();
    const QString decoded = QUrl::fromAce(ace.toLatin1(), QUrl::IgnoreIDNWhitelist);
    return ace.startsWith("xn--"_L1) && decoded != ace && QString::fromLatin1(QUrl::toAce(decoded)) == ace;
}

bool isHostname(QStringView text)
{
    if (text.isEmpty() || text.size() > 253)
        return false;
    const QList<QStringView> labels = text.split(u'.');
    return std::all_of(labels.begin(), labels.end(), isLabel);
}

bool isIdnHostname(QStringView text)
{
    if (isAscii(text))
        return isHostname(text);
    QString plain = text.toString();
    for (const char16_t stop : {u'\u3002', u'\uff0e', u'\uff61'})
        plain.replace(QChar(stop), QChar(u'.'));
    return isHostname(QString::fromLatin1(QUrl::toAce(plain)));
}

bool isMailbox(QStringView text, bool international)
{
    const qsizetype at = text.lastIndexOf(u'@');
    if (at <= 0 || (!international && !isAscii(text)))
        return false;
    const QStringView local = text.left(at);
    const QStringView domain = text.mid(at + 1);
    if (local.startsWith(u'"')) {
        if (local.size() < 2 || !local.endsWith(u'"'))
            return false;
    } else {
        const auto isAtom = [](QChar c) {
            return isLetter(c) || isDigit(c) || c.unicode() >= 0x80 || QStringView(u"!#$%&'*+-/=?^_`{|}~.").contains(c);
        };
        if (local.startsWith(u'.') || local.endsWith(u'.') || local.contains(u"..") ||
            !std::all_of(local.begin(), local.end(), isAtom))
            return false;
    }
    if (domain.startsWith(u'[') && domain.endsWith(u']')) {
        const QStringView literal = domain.mid(1, domain.size() - 2);
        return literal.startsWith(u"IPv6:") ? isIpv6(literal.mid(5)) : isIpv4(literal);
    }
    return international ? isIdnHostname(domain) : isHostname(domain);
}

// RFC 3986 and 3987

bool hasUriCharacters(QStringView text, bool international)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (c == u'%') {
            if (i + 2 >= text.size() || !isHex(text.at(i + 1)) || !isHex(text.at(i + 2)))
                return false;
        } else if (c.unicode() >= 0x80) {
            if (!international)
                return false;
        } else if (!isLetter(c) && !isDigit(c) && !QStringView(u"-._~:/?#[]@!$&'()*+,;=").contains(c)) {
            return false;
        }
    }
    return true;
}

bool isAuthority(QStringView text)
{
    QStringView host = text.mid(text.lastIndexOf(u'@') + 1);
    const QStringView user = text.left(text.size() - host.size());
    if (user.contains(u'[') || user.contains(u']') || user.count(u'@') > 1)
        return false;
    const qsizetype close = host.lastIndexOf(u']');
    const qsizetype colon = host.indexOf(u':', std::max<qsizetype>(close, 0));
    if (colon >= 0) {
        const QStringView port = host.mid(colon + 1);
        if (!port.isEmpty() && !allDigits(port))
            return false;
        host = host.left(colon);
    }
    if (!host.startsWith(u'['))
        return !host.contains(u'[') && !host.contains(u']');
    const QStringView literal = host.mid(1, host.size() - 2);
    return host.endsWith(u']') && (isIpv6(literal) || literal.startsWith(u'v'));
}

bool isUriReference(QStringView text, bool international, bool absolute)
{
    if (!hasUriCharacters(text, international) || text.count(u'#') > 1)
        return false;
    const qsizetype end = std::min({text.size(), text.indexOf(u'?') < 0 ? text.size() : text.indexOf(u'?'),
                                    text.indexOf(u'#') < 0 ? text.size() : text.indexOf(u'#')});
    QStringView hierarchy = text.left(end);
    if (text.mid(end).contains(u'[') || text.mid(end).contains(u']'))
        return false;
    const qsizetype colon = hierarchy.indexOf(u':');
    const qsizetype slash = hierarchy.indexOf(u'/');
    const bool hasScheme = colon >= 0 && (slash < 0 || colon < slash);
    if (hasScheme) {
        const QStringView scheme = hierarchy.left(colon);
        const bool valid =
            !scheme.isEmpty() && isLetter(scheme.at(0)) && std::all_of(scheme.begin(), scheme.end(), [](QChar c) {
                return isLetter(c) || isDigit(c) || c == u'+' || c == u'-' || c == u'.';
            });
        if (!valid)
            return false;
        hierarchy = hierarchy.mid(colon + 1);
    } else if (absolute) {
        return false;
    }
    if (!hierarchy.startsWith(u"//"))
        return !hierarchy.contains(u'[') && !hierarchy.contains(u']');
    const qsizetype path = hierarchy.indexOf(u'/', 2);
    const QStringView authority = path < 0 ? hierarchy.mid(2) : hierarchy.mid(2, path - 2);
    const QStringView rest = path < 0 ? QStringView() : hierarchy.mid(path);
    return isAuthority(authority) && !rest.contains(u'[') && !rest.contains(u']');
}

bool isUriTemplate(QStringView text)
{
    bool open = false;
    for (const QChar c : text) {
        if (c.unicode() <= 0x20 || QStringView(u"\"'<>\\^`|").contains(c)) {
            if (!open || c != u'|')
                return false;
        }
        if (c == u'{' ? open : c == u'}' && !open)
            return false;
        open = c == u'{' || (open && c != u'}');
    }
    return !open;
}

bool isUuid(QStringView text)
{
    if (text.size() != 36)
        return false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text.at(i) != u'-' : !isHex(text.at(i)))
            return false;
    }
    return true;
}

bool isRelativePointer(QStringView text)
{
    qsizetype end = 0;
    while (end < text.size() && isDigit(text.at(end)))
        ++end;
    if (end == 0 || (end > 1 && text.at(0) == u'0'))
        return false;
    const QStringView rest = text.mid(end);
    return rest == u"#" || json::Pointer::fromString(rest).has_value();
}

using Check = bool (*)(const QString &);

const QHash<QString, Check> &checks()
{
    static const QHash<QString, Check> table{
        {u"date"_s, [](const QString &t) { return isDate(t); }},
        {u"time"_s, [](const QString &t) { return isTime(t); }},
        {u"date-time"_s, [](const QString &t) { return isDateTime(t); }},
        {u"duration"_s, [](const QString &t) { return isDuration(t); }},
        {u"email"_s, [](const QString &t) { return isMailbox(t, false); }},
        {u"idn-email"_s, [](const QString &t) { return isMailbox(t, true); }},
        {u"hostname"_s, [](const QString &t) { return isHostname(t); }},
        {u"idn-hostname"_s, [](const QString &t) { return isIdnHostname(t); }},
        {u"ipv4"_s, [](const QString &t) { return isIpv4(t); }},
        {u"ipv6"_s, [](const QString &t) { return isIpv6(t); }},
        {u"uri"_s, [](const QString &t) { return isUriReference(t, false, true); }},
        {u"uri-reference"_s, [](const QString &t) { return isUriReference(t, false, false); }},
        {u"iri"_s, [](const QString &t) { return isUriReference(t, true, true); }},
        {u"iri-reference"_s, [](const QString &t) { return isUriReference(t, true, false); }},
        {u"uri-template"_s, [](const QString &t) { return isUriTemplate(t); }},
        {u"uuid"_s, [](const QString &t) { return isUuid(t); }},
        {u"json-pointer"_s, [](const QString &t) { return json::Pointer::fromString(t).has_value(); }},
        {u"relative-json-pointer"_s, [](const QString &t) { return isRelativePointer(t); }},
        {u"regex"_s, [](const QString &t) { return EcmaRegex(t).error().isEmpty(); }},
    };
    return table;
}

}  // namespace

std::optional<bool> isOfFormat(const QString &format, const QString &text)
{
    const Check check = checks().value(format);
    return check ? std::optional(check(text)) : std::nullopt;
}

}  // namespace sonde::schema
