// SPDX-License-Identifier: Apache-2.0
#include "core/json/pointer.h"

#include <QStringDecoder>

namespace sonde::json {

namespace {

// RFC 6901 section 3: "~1" is "/", "~0" is "~", and no other "~" is allowed.
std::optional<QString> unescaped(QStringView token)
{
    QString result;
    result.reserve(token.size());
    for (qsizetype i = 0; i < token.size(); ++i) {
        if (token[i] != u'~') {
            result.append(token[i]);
            continue;
        }
        ++i;
        if (i == token.size() || (token[i] != u'0' && token[i] != u'1'))
            return {};
        result.append(token[i] == u'0' ? u'~' : u'/');
    }
    return result;
}

bool isHexadecimal(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

// Strict, where QByteArray::fromPercentEncoding() guesses.
std::optional<QString> percentDecoded(QStringView text)
{
    const QByteArray bytes = text.toUtf8();
    for (qsizetype i = 0; i < bytes.size(); ++i) {
        if (bytes[i] != '%')
            continue;
        if (bytes.size() - i < 3 || !isHexadecimal(bytes[i + 1]) || !isHexadecimal(bytes[i + 2]))
            return {};
    }
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::ConvertInitialBom);
    const QString result = decoder(QByteArray::fromPercentEncoding(bytes));
    if (decoder.hasError())
        return {};
    return result;
}

}  // namespace

std::optional<qsizetype> arrayIndex(QStringView token)
{
    if (token.isEmpty() || token.size() > 10 || (token.size() > 1 && token.front() == u'0'))
        return {};
    qsizetype index = 0;
    for (const QChar c : token) {
        if (c < u'0' || c > u'9')
            return {};
        index = index * 10 + (c.unicode() - u'0');
    }
    return index;
}

std::optional<Pointer> Pointer::fromString(QStringView text)
{
    if (text.isEmpty())
        return Pointer();
    if (text.front() != u'/')
        return {};
    QStringList tokens;
    for (const QStringView token : text.sliced(1).split(u'/')) {
        const std::optional<QString> plain = unescaped(token);
        if (!plain)
            return {};
        tokens.append(*plain);
    }
    return Pointer(std::move(tokens));
}

std::optional<Pointer> Pointer::fromFragment(QStringView fragment)
{
    if (!fragment.startsWith(u'#'))
        return {};
    const std::optional<QString> text = percentDecoded(fragment.sliced(1));
    return text ? fromString(*text) : std::nullopt;
}

Pointer Pointer::to(const Value &value)
{
    QStringList tokens;
    Value place = value.document().root();
    while (value.exists() && !place.isSameNode(value)) {
        // The child that the value lies in: the last one that does not begin behind it.
        Value inside;
        qsizetype index = -1;
        for (const Value &child : place) {
            if (child.offset() > value.offset())
                break;
            inside = child;
            ++index;
        }
        if (!inside.exists())
            break;
        tokens.append(place.isObject() ? inside.key() : QString::number(index));
        place = inside;
    }
    return Pointer(std::move(tokens));
}

QString Pointer::toString() const
{
    QString text;
    for (const QString &token : m_tokens) {
        text.append(u'/');
        for (const QChar c : token) {
            if (c == u'~')
                text.append(QLatin1String("~0"));
            else if (c == u'/')
                text.append(QLatin1String("~1"));
            else
                text.append(c);
        }
    }
    return text;
}

Pointer Pointer::child(const QString &token) const
{
    return Pointer(m_tokens + QStringList(token));
}

Pointer Pointer::child(qsizetype index) const
{
    return child(QString::number(index));
}

Pointer Pointer::parent() const
{
    return Pointer(m_tokens.first(qMax<qsizetype>(0, m_tokens.size() - 1)));
}

Value Pointer::resolve(const Value &root) const
{
    Value place = root;
    for (const QString &token : m_tokens) {
        if (place.isArray()) {
            const std::optional<qsizetype> index = arrayIndex(token);
            place = index ? place.at(*index) : Value();
        } else {
            place = place[token];
        }
        if (!place.exists())
            break;
    }
    return place;
}

}  // namespace sonde::json
