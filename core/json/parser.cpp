// Strict RFC 8259, in one pass and without recursion: open containers are linked through their own nodes.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/parser.h"

#include "core/json/duplicates.h"
#include "core/json/scan.h"

#include <QCoreApplication>
#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace sonde::json {

namespace {

struct ParserText {
    Q_DECLARE_TR_FUNCTIONS(sonde::json)
};

constexpr quint32 Nothing = std::numeric_limits<quint32>::max();

// Why the character cannot stand where it does.
QString describe(const char *at, const char *end)
{
    const uchar c = uchar(*at);
    if (c == 0)
        return ParserText::tr("Unexpected NUL byte.");
    if (c < 0x20 || c == 0x7F)
        return ParserText::tr("Unexpected control character U+%1.").arg(c, 4, 16, QLatin1Char('0'));
    const int length = utf8Length(at, end);
    if (length == 0)
        return ParserText::tr("Byte 0x%1 is not valid UTF-8.").arg(c, 2, 16, QLatin1Char('0'));
    return ParserText::tr("Unexpected '%1'.").arg(fromUtf8({at, length}));
}

// 1e400 is infinite as a double; 2^64 has too many digits for any integer. Short numbers never get here.
bool isBeyondRange(const char *begin, const char *end)
{
    const bool isInteger = std::all_of(begin, end, [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
    if (isInteger && end - begin < 19)
        return false;
    if (!isInteger && end - begin < 300 && std::none_of(begin, end, [](char c) { return c == 'e' || c == 'E'; }))
        return false;
    if (!isInteger) {
        // Whether it is too large or too small for a double, which the C++ library says in the same way.
        double number = 0;
        return std::from_chars(begin, end, number).ec == std::errc::result_out_of_range;
    }
    if (*begin == '-') {
        qint64 number = 0;
        return std::from_chars(begin, end, number).ec != std::errc();
    }
    quint64 number = 0;
    return std::from_chars(begin, end, number).ec != std::errc();
}

class Parser {
public:
    Parser(DocumentData &data, const Limits &limits)
        : m_data(data),
          m_nodes(data.nodes),
          m_limits(limits),
          m_begin(data.text.constData()),
          m_end(m_begin + data.text.size()),
          m_at(m_begin),
          m_duplicates(data)
    {}

    void run();

private:
    enum class State { Value, FirstValue, AfterValue, Key, FirstKey, Colon };

    void step(char c);
    void stepValue(char c);
    void stepKey(char c);
    void stepColon(char c);
    void stepAfterValue(char c);

    void open(char c);
    void close(const char *end);
    void closeWith(char c);
    void reportDuplicates(quint32 object);
    void finish();
    quint32 add(Kind kind, const char *begin, const char *end, quint8 flags);

    void readKey();
    void readWord();
    bool readString(const char **end);
    void readEscape();
    void readWideCharacter();

    // The reason is a function: of a text with millions of faults only the first ones are put in words.
    template <typename Reason>
    void error(const char *at, Reason reason)
    {
        m_hasErrors = true;
        report(Finding::Severity::Error, at, reason);
    }
    template <typename Reason>
    void report(Finding::Severity severity, const char *at, Reason reason)
    {
        if (m_data.findings.size() < m_limits.maxFindings)
            m_data.findings.append({severity, at - m_begin, reason()});
        else
            ++m_droppedFindings;
    }
    void unexpected(const char *at);

    bool inObject() const { return m_open != Nothing && m_nodes[m_open].kind == Kind::Object; }
    static char closerOf(const Node &node) { return node.kind == Kind::Object ? '}' : ']'; }
    quint32 offsetOf(const char *at) const { return quint32(at - m_begin); }

    DocumentData &m_data;
    Nodes &m_nodes;
    const Limits &m_limits;
    const char *const m_begin;
    const char *const m_end;
    const char *m_at;
    State m_state = State::Value;
    quint32 m_open = Nothing;  // the innermost open container
    int m_depth = 0;
    quint32 m_keyOffset = 0;  // of the member to come
    quint16 m_keyLength = 0;
    quint8 m_keyFlags = 0;
    qsizetype m_droppedFindings = 0;
    bool m_hasErrors = false;
    DuplicateKeys m_duplicates;
};

void Parser::unexpected(const char *at)
{
    error(at, [at, end = m_end] { return describe(at, end); });
}

void Parser::run()
{
    if (m_data.text.startsWith("\xEF\xBB\xBF")) {
        error(m_at, [] { return ParserText::tr("The text begins with a byte order mark."); });
        m_at += 3;
    }
    while (true) {
        while (m_at != m_end && isSpace(*m_at))
            ++m_at;
        if (m_at == m_end)
            break;
        if (m_open == Nothing && m_state == State::AfterValue) {
            error(m_at, [] { return ParserText::tr("Unexpected text after the value."); });
            break;
        }
        step(*m_at);
    }
    finish();
}

void Parser::step(char c)
{
    switch (m_state) {
        case State::Value:
        case State::FirstValue:
            stepValue(c);
            break;
        case State::AfterValue:
            stepAfterValue(c);
            break;
        case State::Key:
        case State::FirstKey:
            stepKey(c);
            break;
        case State::Colon:
            stepColon(c);
            break;
    }
}

void Parser::stepValue(char c)
{
    switch (c) {
        case '{':
        case '[':
            open(c);
            return;
        case '"': {
            const char *const begin = m_at;
            const char *end = nullptr;
            const bool plain = readString(&end);
            add(Kind::String, begin, end, plain ? 0 : Node::Indirect);
            m_state = State::AfterValue;
            return;
        }
        case ']':
        case '}':
            if (m_state != State::FirstValue || c != ']')
                error(m_at, [&] { return ParserText::tr("Expected a value before '%1'.").arg(QLatin1Char(c)); });
            closeWith(c);
            return;
        case ',':
            error(m_at, [] { return ParserText::tr("Expected a value before ','."); });
            ++m_at;
            m_state = inObject() ? State::Key : State::Value;
            return;
        case ':':
            unexpected(m_at);
            ++m_at;
            return;
        default:
            readWord();
            m_state = State::AfterValue;
    }
}

void Parser::stepAfterValue(char c)
{
    switch (c) {
        case ',':
            ++m_at;
            m_state = inObject() ? State::Key : State::Value;
            return;
        case ']':
        case '}':
            closeWith(c);
            return;
        case ':':
            unexpected(m_at);
            ++m_at;
            return;
        default:
            // Read on as though the comma were there.
            error(m_at,
                  [&] { return ParserText::tr("Expected ',' or '%1'.").arg(QLatin1Char(closerOf(m_nodes[m_open]))); });
            m_state = inObject() ? State::Key : State::Value;
    }
}

void Parser::stepKey(char c)
{
    switch (c) {
        case '"':
            readKey();
            return;
        case '}':
        case ']':
            if (m_state != State::FirstKey || c != '}')
                error(m_at, [&] { return ParserText::tr("Expected a property before '%1'.").arg(QLatin1Char(c)); });
            closeWith(c);
            return;
        case ',':
            error(m_at, [] { return ParserText::tr("Expected a property before ','."); });
            ++m_at;
            m_state = State::Key;
            return;
        case ':':
        case '{':
        case '[':
            error(m_at, [&] { return ParserText::tr("Expected a key before '%1'.").arg(QLatin1Char(c)); });
            m_keyOffset = offsetOf(m_at);
            m_keyLength = 0;
            m_keyFlags = Node::IndirectKey;
            m_state = State::Value;
            if (c == ':')
                ++m_at;
            return;
        default: {
            unexpected(m_at);
            const char *const end = endOfWord(m_at, m_end);
            m_keyOffset = offsetOf(m_at);
            m_keyLength = quint16(qMin<qsizetype>(end - m_at, Node::LongKey));
            m_keyFlags = Node::IndirectKey;
            m_at = end;
            m_state = State::Colon;
        }
    }
}

void Parser::stepColon(char c)
{
    if (c == ':') {
        ++m_at;
        m_state = State::Value;
        return;
    }
    error(m_at, [] { return ParserText::tr("Expected ':'."); });
    // Without a value the key is dropped.
    m_state = c == ',' || c == '}' || c == ']' ? State::AfterValue : State::Value;
}

quint32 Parser::add(Kind kind, const char *begin, const char *end, quint8 flags)
{
    Node node;
    node.kind = kind;
    node.offset = offsetOf(begin);
    node.end = offsetOf(end);
    node.flags = flags;
    if (inObject()) {
        node.keyOffset = m_keyOffset;
        node.keyLength = m_keyLength;
        node.flags |= m_keyFlags;
    }
    const quint32 index = m_nodes.append(node);
    if (m_open != Nothing) {
        Node &parent = m_nodes[m_open];
        ++parent.size;
        if (parent.end != 0)
            m_nodes[parent.end].next = index;
        parent.end = index;
    }
    return index;
}

void Parser::open(char c)
{
    const Kind kind = c == '{' ? Kind::Object : Kind::Array;
    if (m_depth >= m_limits.maxDepth) {
        error(m_at, [&] {
            return ParserText::tr("Nested deeper than %1 levels; the contents of this container are not read.")
                .arg(m_limits.maxDepth);
        });
        const char *const end = endOfContainer(m_at, m_end);
        add(kind, m_at, end, 0);
        m_at = end;
        m_state = State::AfterValue;
        return;
    }
    const quint32 index = add(kind, m_at, m_at, 0);
    m_nodes[index].end = 0;
    m_nodes[index].next = m_open;
    m_open = index;
    ++m_depth;
    ++m_at;
    m_state = kind == Kind::Object ? State::FirstKey : State::FirstValue;
}

void Parser::close(const char *end)
{
    const quint32 index = m_open;
    Node &node = m_nodes[index];
    m_open = node.next;
    node.next = 0;
    node.end = offsetOf(end);
    --m_depth;
    m_state = State::AfterValue;
    if (node.kind == Kind::Object && node.size > 1)
        reportDuplicates(index);
}

// Closes what the bracket fits: the innermost container or, where its own bracket was forgotten, the one around it.
void Parser::closeWith(char c)
{
    if (m_open == Nothing) {
        unexpected(m_at);
        ++m_at;
        return;
    }
    const Node &node = m_nodes[m_open];
    if (closerOf(node) != c) {
        error(m_at, [&] {
            return ParserText::tr("Expected '%2' instead of '%1'.")
                .arg(QLatin1Char(c))
                .arg(QLatin1Char(closerOf(node)));
        });
        if (node.next == Nothing || closerOf(m_nodes[node.next]) != c) {
            ++m_at;
            return;
        }
        close(m_at);
    }
    ++m_at;
    close(m_at);
}

void Parser::reportDuplicates(quint32 object)
{
    m_duplicates.find(object, [this](const Node &member) {
        report(Finding::Severity::Warning, m_begin + member.keyOffset, [&] {
            return ParserText::tr("Duplicate key '%1'; most parsers keep only the last.")
                .arg(m_data.key(member).left(80));
        });
    });
}

void Parser::finish()
{
    if (m_open != Nothing)
        error(m_end, [&] {
            return ParserText::tr("Unexpected end of text; expected '%1'.").arg(QLatin1Char(closerOf(m_nodes[m_open])));
        });
    else if (m_nodes.size() == 0 && m_data.findings.isEmpty())
        error(m_end, [] { return ParserText::tr("The text is empty."); });
    while (m_open != Nothing)
        close(m_end);
    m_nodes.squeeze();

    QList<Finding> &findings = m_data.findings;
    // Duplicate keys are found late, when their object ends.
    if (findings.size() > 1)
        std::stable_sort(findings.begin(), findings.end(),
                         [](const Finding &a, const Finding &b) { return a.offset < b.offset; });
    if (m_droppedFindings > 0) {
        findings.append({m_hasErrors ? Finding::Severity::Error : Finding::Severity::Warning, m_at - m_begin,
                         ParserText::tr("Further findings not listed: %1").arg(m_droppedFindings)});
    }
    m_data.valid = !m_hasErrors;
}

void Parser::readKey()
{
    const char *const begin = m_at;
    const char *end = nullptr;
    const bool plain = readString(&end);
    m_keyOffset = offsetOf(begin);
    m_keyLength = quint16(qMin<qsizetype>(end - begin, Node::LongKey));
    m_keyFlags = plain ? 0 : Node::IndirectKey;
    m_state = State::Colon;
}

// Reads the string at m_at. True when its inside is the UTF-8 of what it means.
bool Parser::readString(const char **end)
{
    bool plain = true;
    ++m_at;
    while (true) {
        m_at = skip<Bytes::Plain>(m_at, m_end);
        if (m_at == m_end) {
            error(m_end, [] { return ParserText::tr("Unterminated string."); });
            *end = m_end;
            return false;
        }
        const uchar c = uchar(*m_at);
        if (c == '"') {
            ++m_at;
            *end = m_at;
            return plain;
        }
        if (c >= 0x80) {
            readWideCharacter();
            continue;
        }
        plain = false;
        if (c == '\\') {
            readEscape();
        } else {
            unexpected(m_at);
            ++m_at;
        }
    }
}

void Parser::readWideCharacter()
{
    const int length = utf8Length(m_at, m_end);
    if (length == 0)
        unexpected(m_at);
    m_at += qMax(1, length);
}

// Reads the escape at m_at. What follows the backslash of a faulty one is read for itself.
void Parser::readEscape()
{
    const char *const begin = m_at;
    const Escape escape = json::readEscape(m_at, m_end);
    m_at += qMax(1, escape.length);
    if (m_at == m_end && escape.length == 0)
        return;  // the string's end is missing, which is said once
    if (escape.length == 0 && *m_at == 'u')
        error(begin, [] { return ParserText::tr("'\\u' must be followed by four hexadecimal digits."); });
    else if (escape.length == 0)
        error(begin, [] { return ParserText::tr("Invalid escape sequence."); });
    else if (QChar::isSurrogate(escape.code))
        report(Finding::Severity::Warning, begin,
               [] { return ParserText::tr("Unpaired surrogate; most parsers reject it."); });
}

// Numbers, literals, and whatever else stands where a value is due.
void Parser::readWord()
{
    const char *const begin = m_at;
    const char c = *begin;
    if (c == '-' || (c >= '0' && c <= '9')) {
        const char *const end = endOfNumber(begin, m_end);
        if (end != nullptr && (end == m_end || isDelimiter(*end))) {
            m_at = end;
            add(Kind::Number, begin, end, 0);
            if (end - begin >= 5 && isBeyondRange(begin, end))
                report(Finding::Severity::Warning, begin, [] {
                    return ParserText::tr(
                        "Number outside the range of a 64-bit integer or a double; most parsers read a different "
                        "value.");
                });
            return;
        }
    }
    m_at = endOfWord(begin, m_end);
    const QByteArrayView word(begin, m_at - begin);
    if (word == "true" || word == "false") {
        add(Kind::Bool, begin, m_at, 0);
    } else if (word == "null") {
        add(Kind::Null, begin, m_at, 0);
    } else if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') {
        error(begin, [] { return ParserText::tr("Invalid number."); });
        add(Kind::Number, begin, m_at, 0);
    } else {
        unexpected(begin);
        add(Kind::String, begin, m_at, Node::Indirect);
    }
}

}  // namespace

void parseInto(DocumentData &data, const Limits &limits)
{
    // Offsets have 32 bits, and the last one is the end.
    const qsizetype maxBytes = qMin<qsizetype>(limits.maxBytes, std::numeric_limits<quint32>::max() - 1);
    if (data.text.size() > maxBytes) {
        data.findings.append(
            {Finding::Severity::Error, maxBytes,
             ParserText::tr("The text has %1 bytes; the limit is %2.").arg(data.text.size()).arg(maxBytes)});
        return;
    }
    Parser(data, limits).run();
}

}  // namespace sonde::json
