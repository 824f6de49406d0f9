// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/uritemplate.h"

#include "core/protocol/texts.h"

#include <QSet>

#include <array>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// RFC 6570, appendix A.
struct Operator {
    char16_t op;
    QStringView first;
    QStringView separator;
    bool named;
    QStringView ifEmpty;
    bool reserved;
};
constexpr std::array<Operator, 8> Operators{{
    {0, u"", u",", false, u"", false},
    {u'+', u"", u",", false, u"", true},
    {u'#', u"#", u",", false, u"", true},
    {u'.', u".", u".", false, u"", false},
    {u'/', u"/", u"/", false, u"", false},
    {u';', u";", u";", true, u"", false},
    {u'?', u"?", u"&", true, u"=", false},
    {u'&', u"&", u"&", true, u"=", false},
}};

const Operator &operatorFor(char16_t op)
{
    for (const Operator &candidate : Operators) {
        if (candidate.op == op)
            return candidate;
    }
    return Operators.front();
}

bool isAlphaNumeric(char16_t c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9');
}

bool isHex(QChar c)
{
    return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
}

bool isTriplet(QStringView text, qsizetype i)
{
    return i + 2 < text.size() && text.at(i) == u'%' && isHex(text.at(i + 1)) && isHex(text.at(i + 2));
}

bool isUnreserved(char16_t c)
{
    return isAlphaNumeric(c) || c == u'-' || c == u'.' || c == u'_' || c == u'~';
}

bool isReserved(char16_t c)
{
    return QStringView(u":/?#[]@!$&'()*+,;=").contains(QChar(c));
}

void appendEncoded(QString &out, QStringView text, bool keepReserved)
{
    static constexpr char16_t digits[] = u"0123456789ABCDEF";
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char16_t c = text.at(i).unicode();
        if (isUnreserved(c) || (keepReserved && (isReserved(c) || isTriplet(text, i)))) {
            out.append(QChar(c));
            continue;
        }
        const bool pair = text.at(i).isHighSurrogate() && i + 1 < text.size() && text.at(i + 1).isLowSurrogate();
        const QByteArray utf8 = text.mid(i, pair ? 2 : 1).toUtf8();
        for (const char byte : utf8) {
            out.append(u'%');
            out.append(QChar(digits[quint8(byte) >> 4]));
            out.append(QChar(digits[quint8(byte) & 15]));
        }
        i += pair;
    }
}

// The first characters of a text, a character being a Unicode code point.
QStringView prefixOf(QStringView text, int characters)
{
    qsizetype end = 0;
    for (; characters > 0 && end < text.size(); --characters) {
        const bool pair = text.at(end).isHighSurrogate() && end + 1 < text.size() && text.at(end + 1).isLowSurrogate();
        end += pair ? 2 : 1;
    }
    return text.left(end);
}

Error errorAt(qsizetype position, const QString &what)
{
    return Error::local(
        ProtocolText::tr("Invalid URI template at character %1: %2").arg(QString::number(position + 1), what));
}

// One expression, from behind its opening brace to its closing one.
class ExpressionParser {
public:
    ExpressionParser(QStringView text, qsizetype start) : m_text(text), m_position(start) {}

    Result<UriTemplate::Part> parse()
    {
        UriTemplate::Part part;
        const char16_t first = peek();
        if (QStringView(u"=,!@|").contains(QChar(first)) && first != 0)
            return errorAt(m_position, ProtocolText::tr("the operator “%1” is reserved.").arg(QChar(first)));
        if (QStringView(u"+#./;?&").contains(QChar(first)) && first != 0) {
            part.op = first;
            ++m_position;
        }
        while (true) {
            UriTemplate::Variable variable;
            if (const Error error = parseVariable(variable))
                return error;
            part.variables.append(variable);
            const char16_t next = peek();
            ++m_position;
            if (next == u'}')
                return part;
            if (next != u',')
                return unexpected(m_position - 1);
        }
    }

    qsizetype position() const { return m_position; }

private:
    // 0 at the end of the text, where no character of a template can be.
    char16_t peek() const { return m_position < m_text.size() ? m_text.at(m_position).unicode() : u'\0'; }

    Error unexpected(qsizetype position) const
    {
        if (position >= m_text.size())
            return errorAt(position, ProtocolText::tr("the expression is not closed."));
        return errorAt(position, ProtocolText::tr("unexpected “%1”.").arg(m_text.at(position)));
    }

    bool readVariableCharacter()
    {
        const char16_t c = peek();
        if (isAlphaNumeric(c) || c == u'_') {
            ++m_position;
            return true;
        }
        if (isTriplet(m_text, m_position)) {
            m_position += 3;
            return true;
        }
        return false;
    }

    Error parseVariable(UriTemplate::Variable &variable)
    {
        const qsizetype start = m_position;
        do {
            if (!readVariableCharacter())
                return unexpected(m_position);
            while (readVariableCharacter()) {
            }
        } while (peek() == u'.' && ++m_position);
        variable.name = m_text.mid(start, m_position - start).toString();
        if (peek() == u'*') {
            variable.explode = true;
            ++m_position;
        } else if (peek() == u':') {
            ++m_position;
            return parsePrefix(variable);
        }
        return {};
    }

    Error parsePrefix(UriTemplate::Variable &variable)
    {
        const qsizetype start = m_position;
        while (peek() >= u'0' && peek() <= u'9' && m_position - start < 5) {
            variable.prefix = variable.prefix * 10 + (peek() - u'0');
            ++m_position;
        }
        if (m_position == start || m_text.at(start) == u'0' || variable.prefix > 9999)
            return errorAt(start, ProtocolText::tr("the prefix length must be from 1 to 9999."));
        return {};
    }

    QStringView m_text;
    qsizetype m_position;
};

// What one variable contributes, without the operator's first character. Nothing when it is undefined.
class Expansion {
public:
    Expansion(const Operator &op, const UriTemplate::Variable &variable, QString &out)
        : m_op(op), m_variable(variable), m_out(out)
    {}

    void operator()(const QString &text)
    {
        const QStringView value = m_variable.prefix > 0 ? prefixOf(text, m_variable.prefix) : QStringView(text);
        if (m_op.named)
            appendName(m_variable.name, value.isEmpty());
        encode(value);
    }

    void operator()(const QStringList &list)
    {
        if (m_op.named && !m_variable.explode)
            appendName(m_variable.name, false);
        bool first = true;
        for (const QString &item : list) {
            separate(first);
            if (m_op.named && m_variable.explode)
                appendName(m_variable.name, item.isEmpty());
            encode(item);
        }
    }

    void operator()(const QList<std::pair<QString, QString>> &pairs)
    {
        if (m_op.named && !m_variable.explode)
            appendName(m_variable.name, false);
        bool first = true;
        for (const auto &[key, value] : pairs) {
            separate(first);
            encode(key);
            if (!m_variable.explode)
                m_out.append(u',');
            else if (m_op.named && value.isEmpty())
                m_out.append(m_op.ifEmpty);
            else
                m_out.append(u'=');
            encode(value);
        }
    }

private:
    void encode(QStringView text) { appendEncoded(m_out, text, m_op.reserved); }

    void separate(bool &first)
    {
        if (!first)
            m_out.append(m_variable.explode ? m_op.separator : QStringView(u","));
        first = false;
    }

    void appendName(const QString &name, bool emptyValue)
    {
        m_out.append(name);
        m_out.append(emptyValue ? m_op.ifEmpty : QStringView(u"="));
    }

    const Operator &m_op;
    const UriTemplate::Variable &m_variable;
    QString &m_out;
};

// An empty list is as good as none (RFC 6570 section 2.3).
bool isDefined(const UriTemplate::Value &value)
{
    return std::visit(
        [](const auto &content) {
            if constexpr (std::is_same_v<std::decay_t<decltype(content)>, QString>)
                return true;
            else
                return !content.isEmpty();
        },
        value);
}

}  // namespace

Result<UriTemplate> UriTemplate::parse(const QString &text)
{
    UriTemplate result;
    QString literal;
    const auto endLiteral = [&] {
        if (!literal.isEmpty())
            result.m_parts.append(Part{literal, 0, {}});
        literal.clear();
    };
    for (qsizetype i = 0; i < text.size();) {
        const QChar c = text.at(i);
        if (c == u'}')
            return errorAt(i, ProtocolText::tr("unmatched “}”."));
        if (c != u'{') {
            literal.append(c);
            ++i;
            continue;
        }
        endLiteral();
        ExpressionParser parser(text, i + 1);
        Result<Part> part = parser.parse();
        if (!part)
            return part.error();
        result.m_parts.append(*part);
        i = parser.position();
    }
    endLiteral();

    QSet<QString> seen;
    for (const Part &part : std::as_const(result.m_parts)) {
        for (const Variable &variable : part.variables) {
            if (!seen.contains(variable.name))
                result.m_variables.append(variable.name);
            seen.insert(variable.name);
        }
    }
    return result;
}

QStringList UriTemplate::neededVariables() const
{
    QStringList names;
    for (const Part &part : m_parts) {
        for (const Variable &variable : part.variables) {
            if ((part.op == 0 || part.op == u'+') && !names.contains(variable.name))
                names.append(variable.name);
        }
    }
    return names;
}

Result<QString> UriTemplate::expand(const QMap<QString, Value> &values) const
{
    QString out;
    for (const Part &part : m_parts) {
        if (part.variables.isEmpty()) {
            appendEncoded(out, part.literal, true);
            continue;
        }
        const Operator &op = operatorFor(part.op);
        bool first = true;
        for (const Variable &variable : part.variables) {
            const auto it = values.constFind(variable.name);
            if (it == values.constEnd() || !isDefined(*it))
                continue;
            if (variable.prefix > 0 && !std::holds_alternative<QString>(*it))
                return Error::local(ProtocolText::tr("“%1:%2” takes a prefix of a string, but the value is a list.")
                                        .arg(variable.name, QString::number(variable.prefix)));
            out.append(first ? op.first : op.separator);
            first = false;
            std::visit(Expansion(op, variable, out), *it);
        }
    }
    return out;
}

}  // namespace sonde
