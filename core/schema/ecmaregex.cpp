// SPDX-License-Identifier: Apache-2.0
#include "core/schema/ecmaregex.h"

#include "core/schema/texts.h"

#include <QHash>

namespace sonde::schema {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MaxPatternLength = 20'000;
// Steps back within one attempt: some 20 µs, and half a millisecond to five, depending on the pattern.
constexpr int BriefAttempt = 1'000;
constexpr int LongAttempt = 30'000;
// ECMA-262's white space beyond what PCRE's \s has.
QString moreSpace()
{
    return uR"(\x{a0}\x{feff}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})"_s;
}

QString shortCategory(const QString &name)
{
    static const QHash<QString, QString> categories{
        {u"Letter"_s, u"L"_s},
        {u"Cased_Letter"_s, u"L&"_s},
        {u"LC"_s, u"L&"_s},
        {u"Uppercase_Letter"_s, u"Lu"_s},
        {u"Lowercase_Letter"_s, u"Ll"_s},
        {u"Titlecase_Letter"_s, u"Lt"_s},
        {u"Modifier_Letter"_s, u"Lm"_s},
        {u"Other_Letter"_s, u"Lo"_s},
        {u"Mark"_s, u"M"_s},
        {u"Combining_Mark"_s, u"M"_s},
        {u"Nonspacing_Mark"_s, u"Mn"_s},
        {u"Spacing_Mark"_s, u"Mc"_s},
        {u"Enclosing_Mark"_s, u"Me"_s},
        {u"Number"_s, u"N"_s},
        {u"Decimal_Number"_s, u"Nd"_s},
        {u"digit"_s, u"Nd"_s},
        {u"Letter_Number"_s, u"Nl"_s},
        {u"Other_Number"_s, u"No"_s},
        {u"Punctuation"_s, u"P"_s},
        {u"punct"_s, u"P"_s},
        {u"Connector_Punctuation"_s, u"Pc"_s},
        {u"Dash_Punctuation"_s, u"Pd"_s},
        {u"Open_Punctuation"_s, u"Ps"_s},
        {u"Close_Punctuation"_s, u"Pe"_s},
        {u"Initial_Punctuation"_s, u"Pi"_s},
        {u"Final_Punctuation"_s, u"Pf"_s},
        {u"Other_Punctuation"_s, u"Po"_s},
        {u"Symbol"_s, u"S"_s},
        {u"Math_Symbol"_s, u"Sm"_s},
        {u"Currency_Symbol"_s, u"Sc"_s},
        {u"Modifier_Symbol"_s, u"Sk"_s},
        {u"Other_Symbol"_s, u"So"_s},
        {u"Separator"_s, u"Z"_s},
        {u"Space_Separator"_s, u"Zs"_s},
        {u"Line_Separator"_s, u"Zl"_s},
        {u"Paragraph_Separator"_s, u"Zp"_s},
        {u"Other"_s, u"C"_s},
        {u"Control"_s, u"Cc"_s},
        {u"Format"_s, u"Cf"_s},
        {u"Surrogate"_s, u"Cs"_s},
        {u"Private_Use"_s, u"Co"_s},
        {u"Unassigned"_s, u"Cn"_s},
        {u"Alphabetic"_s, u"L"_s},
        {u"Any"_s, u"Any"_s},
    };
    return categories.value(name, name);
}

// One pass over the pattern; what both languages share is copied.
class Translator {
public:
    explicit Translator(const QString &pattern) : m_in(pattern) {}

    QString translate()
    {
        while (m_error.isEmpty() && m_at < m_in.size()) {
            if (m_inClass)
                translateInClass();
            else
                translateOutside();
        }
        if (m_error.isEmpty() && m_inClass)
            m_error = SchemaText::tr("unclosed “[”");
        return m_out;
    }
    QString error() const { return m_error; }

private:
    QChar peek(qsizetype ahead = 0) const { return m_at + ahead < m_in.size() ? m_in.at(m_at + ahead) : QChar(); }
    bool startsWith(QStringView text) const { return QStringView(m_in).mid(m_at).startsWith(text); }

    void copy()
    {
        m_out.append(m_in.at(m_at));
        ++m_at;
    }

    void translateOutside()
    {
        const QChar c = peek();
        if (c == u'\\') {
            translateEscape();
        } else if (c == u'[') {
            beginClass();
        } else if (c == u'$') {
            m_out.append(u"\\z"_s);  // PCRE's $ would match before a last line end, too
            ++m_at;
        } else if (c == u'.') {
            m_out.append(u"[^\\n\\r\\x{2028}\\x{2029}]"_s);
            ++m_at;
        } else if (c == u'(') {
            beginGroup();
        } else if (c == u'*' || c == u'+' || c == u'?' || c == u'}') {
            copy();
            if (peek() == u'+')
                m_error = SchemaText::tr("a quantifier follows another quantifier");
        } else {
            copy();
        }
    }

    // Everything else that PCRE begins with "(?" or "(*" is its own: options, recursion, verbs.
    void beginGroup()
    {
        const bool known = startsWith(u"(?:") || startsWith(u"(?=") || startsWith(u"(?!") || startsWith(u"(?<");
        if ((peek(1) == u'?' && !known) || peek(1) == u'*') {
            m_error = SchemaText::tr("“%1” is not a valid group").arg(m_in.mid(m_at, 3));
            return;
        }
        copy();
        // "?" is part of the group's beginning, no quantifier.
        if (peek() == u'?')
            copy();
    }

    void beginClass()
    {
        m_inClass = true;
        if (startsWith(u"[^]")) {
            m_out.append(u"[\\s\\S]"_s);
            m_at += 3;
            m_inClass = false;
        } else if (startsWith(u"[]")) {
            m_out.append(u"(?!)"_s);
            m_at += 2;
            m_inClass = false;
        } else {
            copy();
            if (peek() == u'^')
                copy();
        }
    }

    void translateInClass()
    {
        const QChar c = peek();
        if (c == u'\\') {
            translateEscape();
        } else if (c == u'[') {
            m_out.append(u"\\["_s);  // PCRE would look for [:name:]
            ++m_at;
        } else {
            m_inClass = c != u']';
            copy();
        }
    }

    void translateEscape()
    {
        const QChar c = peek(1);
        if (c.isNull()) {
            m_error = SchemaText::tr("it ends in a backslash");
        } else if (c == u'u') {
            translateUnicodeEscape();
        } else if (c == u'p' || c == u'P') {
            translateProperty();
        } else if (c == u's') {
            m_out.append(m_inClass ? u"\\s%1"_s.arg(moreSpace()) : u"[\\s%1]"_s.arg(moreSpace()));
            m_at += 2;
        } else if (c == u'S' && !m_inClass) {
            m_out.append(u"[^\\s%1]"_s.arg(moreSpace()));
            m_at += 2;
        } else if (c == u'v') {
            m_out.append(u"\\x{b}"_s);
            m_at += 2;
        } else if (c == u'0' && !peek(2).isDigit()) {
            m_out.append(u"\\x{0}"_s);
            m_at += 2;
        } else if (isForeign(c)) {
            m_error = SchemaText::tr("“\\%1” is not a valid escape in ECMA-262").arg(c);
        } else {
            copy();
            copy();
        }
    }

    // Letters that mean something to PCRE alone. Those that mean nothing to either are an error there, too.
    bool isForeign(QChar c) const
    {
        const bool letter = (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z');
        const QStringView known = m_inClass ? QStringView(u"bcdDfnrStwWx") : QStringView(u"bBcdDfknrtwWx");
        return letter && !known.contains(c);
    }

    std::optional<char32_t> hex(qsizetype from, qsizetype digits) const
    {
        bool ok = false;
        const QStringView text = QStringView(m_in).mid(from, digits);
        const uint value = text.toUInt(&ok, 16);
        if (!ok || text.size() != digits || digits == 0 || value > 0x10ffff)
            return std::nullopt;
        return value;
    }

    void translateUnicodeEscape()
    {
        std::optional<char32_t> code;
        if (peek(2) == u'{') {
            const qsizetype close = m_in.indexOf(u'}', m_at);
            code = close < 0 ? std::nullopt : hex(m_at + 3, close - m_at - 3);
            if (code)
                m_at = close + 1;
        } else {
            code = hex(m_at + 2, 4);
            if (code)
                m_at += 6;
            if (code && QChar::isHighSurrogate(*code) && startsWith(u"\\u")) {
                const std::optional<char32_t> low = hex(m_at + 2, 4);
                if (low && QChar::isLowSurrogate(*low)) {
                    code = QChar::surrogateToUcs4(char16_t(*code), char16_t(*low));
                    m_at += 6;
                }
            }
        }
        if (!code || QChar::isSurrogate(*code)) {
            m_error = SchemaText::tr("“\\u” is not followed by a character's number");
            return;
        }
        m_out.append(u"\\x{%1}"_s.arg(uint(*code), 0, 16));
    }

    void translateProperty()
    {
        const qsizetype close = peek(2) == u'{' ? m_in.indexOf(u'}', m_at) : -1;
        if (close < 0) {
            m_error = SchemaText::tr("“\\p” is not followed by a property in braces");
            return;
        }
        QString name = m_in.mid(m_at + 3, close - m_at - 3);
        const qsizetype equals = name.indexOf(u'=');
        if (equals >= 0)
            name = name.mid(equals + 1);
        m_out.append(u'\\' + QString(peek(1)) + u'{' + shortCategory(name) + u'}');
        m_at = close + 1;
    }

    const QString &m_in;
    QString m_out;
    QString m_error;
    qsizetype m_at = 0;
    bool m_inClass = false;
};

// Begins with "^", and no "|" could begin otherwise.
bool isAnchored(const QString &pattern)
{
    return pattern.startsWith(u'^') && !pattern.contains(u'|');
}

// PCRE's compiled code does not count every step back, so it is not used: only the interpreter keeps to its limit.
// It counts anew from each place where a match could begin, so that the search has to be a part of the pattern.
QRegularExpression limitedExpression(const QString &pattern, const QString &translated, int limit)
{
    const QString prefix = u"(*NO_JIT)(*LIMIT_MATCH=%1)"_s.arg(limit);
    return QRegularExpression(isAnchored(pattern) ? prefix + translated
                                                  : prefix + u"\\A[\\s\\S]*?(?:"_s + translated + u')');
}

}  // namespace

QString pcreFromEcma(const QString &pattern, QString *error)
{
    if (pattern.size() > MaxPatternLength) {
        *error = SchemaText::tr("it is too long");
        return {};
    }
    Translator translator(pattern);
    const QString result = translator.translate();
    *error = translator.error();
    return result;
}

EcmaRegex::EcmaRegex(const QString &pattern)
{
    const QString translated = pcreFromEcma(pattern, &m_error);
    if (!m_error.isEmpty())
        return;
    // By itself, because what surrounds it could complete half a pair of brackets.
    const QRegularExpression alone(u"(*NO_JIT)"_s + translated);
    if (!alone.isValid()) {
        m_error = alone.errorString();
        return;
    }
    m_brief = limitedExpression(pattern, translated, BriefAttempt);
    m_long = limitedExpression(pattern, translated, LongAttempt);
}

std::optional<bool> EcmaRegex::matches(const QString &text, Effort effort) const
{
    if (text.size() > MaxTextLength)
        return std::nullopt;
    const QRegularExpressionMatch match = (effort == Effort::Brief ? m_brief : m_long).match(text);
    if (!match.isValid())
        return std::nullopt;
    return match.hasMatch();
}

}  // namespace sonde::schema
