// SPDX-License-Identifier: Apache-2.0
#include "app/demo/rawjson.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QUtf8StringView>

namespace sonde::demo::json {
namespace {

constexpr int MaxDepth = 512;

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

class Scanner {
public:
    explicit Scanner(const QByteArray &text, qsizetype from = 0) : m_text(text), m_at(from) {}

    qsizetype position() const { return m_at; }
    const char *problem() const { return m_problem; }
    bool atEnd() const { return m_at >= m_text.size(); }
    char peek() const { return atEnd() ? '\0' : m_text.at(m_at); }

    void space()
    {
        while (!atEnd() && isSpace(peek()))
            ++m_at;
    }
    bool take(char wanted)
    {
        if (atEnd() || peek() != wanted)
            return false;
        ++m_at;
        return true;
    }
    bool fail(const char *why)
    {
        if (!m_problem)
            m_problem = why;
        return false;
    }

    bool value(int depth = 0)
    {
        switch (peek()) {
            case '{':
                return container('}', true, depth);
            case '[':
                return container(']', false, depth);
            case '"':
                return string();
            case 't':
                return word("true");
            case 'f':
                return word("false");
            case 'n':
                return word("null");
            default:
                return number();
        }
    }

    bool string()
    {
        if (!take('"'))
            return fail("a string is expected");
        while (!atEnd()) {
            const char c = m_text.at(m_at++);
            if (c == '"')
                return true;
            if (quint8(c) < 0x20)
                return fail("a control character stands in a string");
            if (c == '\\' && !escape())
                return false;
        }
        return fail("a string has no end");
    }

private:
    bool container(char closing, bool withKeys, int depth)
    {
        if (depth >= MaxDepth)
            return fail("nested too deeply");
        ++m_at;
        space();
        if (take(closing))
            return true;
        while (true) {
            if (withKeys) {
                if (!string())
                    return false;
                space();
                if (!take(':'))
                    return fail("a colon is expected");
                space();
            }
            if (!value(depth + 1))
                return false;
            space();
            if (take(closing))
                return true;
            if (!take(','))
                return fail("a comma or the end of a container is expected");
            space();
        }
    }

    bool escape()
    {
        const char c = peek();
        ++m_at;
        if (c != 'u')
            return QByteArrayView("\"\\/bfnrt").contains(c) ? true : fail("an escape that JSON does not know");
        for (int i = 0; i < 4; ++i, ++m_at) {
            if (!QByteArrayView("0123456789abcdefABCDEF").contains(peek()) || atEnd())
                return fail("four hexadecimal digits are expected");
        }
        return true;
    }

    bool digits()
    {
        const qsizetype first = m_at;
        while (isDigit(peek()))
            ++m_at;
        return m_at > first ? true : fail("a digit is expected");
    }

    bool number()
    {
        take('-');
        if (take('0')) {
            if (isDigit(peek()))
                return fail("a number starts with a superfluous zero");
        } else if (!digits()) {
            return false;
        }
        if (take('.') && !digits())
            return false;
        if (take('e') || take('E')) {
            if (!take('+'))
                take('-');
            return digits();
        }
        return true;
    }

    bool word(QByteArrayView wanted)
    {
        if (!QByteArrayView(m_text).sliced(m_at).startsWith(wanted))
            return fail("a value is expected");
        m_at += wanted.size();
        return true;
    }

    const QByteArray &m_text;
    qsizetype m_at;
    const char *m_problem = nullptr;
};

}  // namespace

bool isValid(const QByteArray &text, QString *why)
{
    Scanner scanner(text);
    scanner.space();
    const bool read = QUtf8StringView(text).isValidUtf8() ? scanner.value() : scanner.fail("the text is not UTF-8");
    scanner.space();
    const bool valid = read && (scanner.atEnd() || scanner.fail("something follows the value"));
    if (!valid && why)
        *why = QStringLiteral("at byte %1: %2").arg(scanner.position()).arg(QLatin1StringView(scanner.problem()));
    return valid;
}

QByteArray compacted(const QByteArray &text)
{
    QByteArray result;
    result.reserve(text.size());
    bool inString = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text.at(i);
        if (inString || !isSpace(c))
            result.append(c);
        if (inString && c == '\\' && i + 1 < text.size())
            result.append(text.at(++i));
        else if (c == '"')
            inString = !inString;
    }
    return result;
}

QList<Member> members(const QByteArray &object)
{
    QList<Member> result;
    Scanner scanner(object);
    if (!scanner.take('{'))
        return result;
    while (!scanner.atEnd() && scanner.peek() != '}') {
        const qsizetype nameFrom = scanner.position();
        if (!scanner.string())
            break;
        const QByteArray name = object.mid(nameFrom, scanner.position() - nameFrom);
        if (!scanner.take(':'))
            break;
        const qsizetype from = scanner.position();
        if (!scanner.value())
            break;
        result.append({json::text(name), object.mid(from, scanner.position() - from)});
        if (!scanner.take(','))
            break;
    }
    return result;
}

QList<QByteArray> elements(const QByteArray &array)
{
    QList<QByteArray> result;
    Scanner scanner(array);
    if (!scanner.take('['))
        return result;
    while (!scanner.atEnd() && scanner.peek() != ']') {
        const qsizetype from = scanner.position();
        if (!scanner.value())
            break;
        result.append(array.mid(from, scanner.position() - from));
        if (!scanner.take(','))
            break;
    }
    return result;
}

QByteArray member(const QByteArray &object, const QString &name)
{
    QByteArray result;
    for (const Member &each : members(object)) {
        if (each.name == name)
            result = each.value;
    }
    return result;
}

bool isString(const QByteArray &value)
{
    return value.startsWith('"');
}

bool isNumber(const QByteArray &value)
{
    return !value.isEmpty() && (value.front() == '-' || isDigit(value.front()));
}

bool isInteger(const QByteArray &value)
{
    return isNumber(value) && !value.contains('.') && !value.contains('e') && !value.contains('E');
}

bool isObject(const QByteArray &value)
{
    return value.startsWith('{');
}

QString text(const QByteArray &string, const QString &fallback)
{
    if (!isString(string))
        return fallback;
    return QJsonDocument::fromJson('[' + string + ']').array().first().toString(fallback);
}

QByteArray quoted(const QString &text)
{
    QByteArray result;
    const QByteArray utf8 = text.toUtf8();
    result.reserve(utf8.size() + 2);
    result.append('"');
    for (const char c : utf8) {
        if (c == '"' || c == '\\') {
            result.append('\\').append(c);
        } else if (c == '\n') {
            result.append("\\n");
        } else if (quint8(c) < 0x20 || c == 0x7f) {
            result.append("\\u00").append(QByteArray(1, c).toHex());
        } else {
            result.append(c);
        }
    }
    return result.append('"');
}

Object &Object::raw(const char *name, const QByteArray &value)
{
    if (!m_text.isEmpty())
        m_text.append(',');
    m_text.append('"').append(name).append("\":").append(value);
    return *this;
}

QByteArray array(const QList<QByteArray> &values)
{
    return '[' + values.join(',') + ']';
}

}  // namespace sonde::demo::json
