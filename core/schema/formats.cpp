// SPDX-License-Identifier: Apache-2.0
#include "core/schema/formats.h"

#include "core/json/document.h"
#include "core/json/pointer.h"
#include "core/schema/ecmaregex.h"
#include "core/schema/hostnames.h"

#include <QDate>
#include <QHash>

#include <algorithm>
#include <utility>

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
    return international ? isIdnHostname(domain.toString().normalized(QString::NormalizationForm_C))
                         : isHostname(domain);
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

// "v1.fe": an address of a version to come, with at least one digit and one character.
bool isFutureAddress(QStringView text)
{
    const qsizetype dot = text.indexOf(u'.');
    const QStringView version = text.mid(1, dot - 1);
    const QStringView address = text.mid(dot + 1);
    return dot > 1 && text.at(0).toLower() == u'v' && std::all_of(version.begin(), version.end(), isHex) &&
           !address.isEmpty() && !address.contains(u'[') && !address.contains(u']') && !address.contains(u'%');
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
    return host.endsWith(u']') && (isIpv6(literal) || isFutureAddress(literal));
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

// RFC 6570

qsizetype lengthOfPercent(QStringView text, qsizetype at)
{
    return at + 2 < text.size() && text.at(at) == u'%' && isHex(text.at(at + 1)) && isHex(text.at(at + 2)) ? 3 : 0;
}

bool isVariableName(QStringView name)
{
    bool isStart = true;  // of a part between dots
    for (qsizetype i = 0; i < name.size();) {
        const QChar c = name.at(i);
        const qsizetype percent = lengthOfPercent(name, i);
        if (c == u'.' ? isStart : percent == 0 && !isLetter(c) && !isDigit(c) && c != u'_')
            return false;
        isStart = c == u'.';
        i += std::max<qsizetype>(percent, 1);
    }
    return !isStart;
}

// "name", "name*" or "name:7".
bool isVariable(QStringView text)
{
    if (text.endsWith(u'*'))
        return isVariableName(text.chopped(1));
    const qsizetype colon = text.indexOf(u':');
    if (colon < 0)
        return isVariableName(text);
    const QStringView length = text.mid(colon + 1);
    return isVariableName(text.left(colon)) && length.size() <= 4 && allDigits(length) && length.at(0) != u'0';
}

bool isUriTemplate(QStringView text)
{
    for (qsizetype i = 0; i < text.size();) {
        const QChar c = text.at(i);
        if (c == u'{') {
            const qsizetype end = text.indexOf(u'}', i);
            QStringView expression = text.mid(i + 1, end - i - 1);
            if (end < 0)
                return false;
            if (!expression.isEmpty() && QStringView(u"+#./;?&").contains(expression.at(0)))
                expression = expression.mid(1);
            const QList<QStringView> variables = expression.split(u',');
            if (!std::all_of(variables.begin(), variables.end(), isVariable))
                return false;
            i = end + 1;
            continue;
        }
        const qsizetype percent = lengthOfPercent(text, i);
        const bool isControl = c.unicode() <= 0x20 || (c.unicode() >= 0x7f && c.unicode() <= 0x9f);
        if (isControl || (percent == 0 && QStringView(u"\"%<>\\^`|}").contains(c)))
            return false;
        i += std::max<qsizetype>(percent, 1);
    }
    return true;
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

struct Format {
    bool (*holds)(const QString &text);
    QString example;
};

const QHash<QString, Format> &formats()
{
    static const QHash<QString, Format> table{
        {u"date"_s, {[](const QString &t) { return isDate(t); }, u"2026-01-31"_s}},
        {u"time"_s, {[](const QString &t) { return isTime(t); }, u"12:00:00Z"_s}},
        {u"date-time"_s, {[](const QString &t) { return isDateTime(t); }, u"2026-01-31T12:00:00Z"_s}},
        {u"duration"_s, {[](const QString &t) { return isDuration(t); }, u"PT1H30M"_s}},
        {u"email"_s, {[](const QString &t) { return isMailbox(t, false); }, u"name@example.com"_s}},
        {u"idn-email"_s, {[](const QString &t) { return isMailbox(t, true); }, u"name@example.com"_s}},
        {u"hostname"_s, {[](const QString &t) { return isHostname(t); }, u"www.example.com"_s}},
        {u"idn-hostname"_s, {[](const QString &t) { return isIdnHostname(t); }, u"www.example.com"_s}},
        {u"ipv4"_s, {[](const QString &t) { return isIpv4(t); }, u"192.0.2.1"_s}},
        {u"ipv6"_s, {[](const QString &t) { return isIpv6(t); }, u"2001:db8::1"_s}},
        {u"uri"_s, {[](const QString &t) { return isUriReference(t, false, true); }, u"https://example.com/"_s}},
        {u"uri-reference"_s, {[](const QString &t) { return isUriReference(t, false, false); }, u"/path"_s}},
        {u"iri"_s, {[](const QString &t) { return isUriReference(t, true, true); }, u"https://example.com/"_s}},
        {u"iri-reference"_s, {[](const QString &t) { return isUriReference(t, true, false); }, u"/path"_s}},
        {u"uri-template"_s, {[](const QString &t) { return isUriTemplate(t); }, u"/items/{id}"_s}},
        {u"uuid"_s, {[](const QString &t) { return isUuid(t); }, u"12345678-1234-4123-8123-123456789abc"_s}},
        {u"json-pointer"_s, {[](const QString &t) { return json::Pointer::fromString(t).has_value(); }, u"/items/0"_s}},
        {u"relative-json-pointer"_s, {[](const QString &t) { return isRelativePointer(t); }, u"1/name"_s}},
        {u"regex"_s, {[](const QString &t) { return EcmaRegex(t).error().isEmpty(); }, u"^[a-z]+$"_s}},
    };
    return table;
}

}  // namespace

std::optional<bool> isOfFormat(const QString &format, const QString &text)
{
    const auto known = formats().constFind(format);
    return known != formats().cend() ? std::optional(known->holds(text)) : std::nullopt;
}

QString exampleOfFormat(const QString &format)
{
    const auto known = formats().constFind(format);
    return known != formats().cend() ? known->example : QString();
}

bool isOfMediaType(const QString &mediaType, const QByteArray &content)
{
    const QString type = mediaType.section(u';', 0, 0).trimmed().toLower();
    const bool isJson = type == "application/json"_L1 || type.endsWith("+json"_L1);
    return !isJson || json::Document::parse(content).isValid();
}

}  // namespace sonde::schema
