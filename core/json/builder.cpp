// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"

#include "core/json/scan.h"
#include "core/json/stringcodec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace sonde::json {

namespace {

// An empty container as it should appear: one that was too deep to be read keeps its text.
QByteArrayView emptyContainer(const Value &value)
{
    const QByteArrayView written = value.slice();
    for (const char c : written.sliced(1, qMax<qsizetype>(0, written.size() - 2))) {
        if (!isSpace(c))
            return written;
    }
    return value.isObject() ? "{}" : "[]";
}

// Writes a tree without recursion. Negative spaces: on one line.
class Writer {
public:
    using Put = std::function<bool(QByteArrayView)>;
    // With put, text is what has not been put yet.
    Writer(QByteArray *text, int spaces, const Put &put = {}) : m_text(text), m_spaces(spaces), m_put(put) {}

    void write(const Value &root)
    {
        begin(root);
        while (!m_open.empty() && m_goesOn) {
            if (m_put && m_text->size() >= PieceBytes)
                flush();
            Level &level = m_open.back();
            if (level.next == level.container.end()) {
                const char closer = level.container.isObject() ? '}' : ']';
                m_open.pop_back();
                breakLine();
                m_text->append(closer);
                continue;
            }
            const Value child = *level.next;
            ++level.next;
            if (!level.first)
                m_text->append(',');
            level.first = false;
            const bool named = level.container.isObject();
            breakLine();
            if (named)
                m_text->append(child.keySlice()).append(m_spaces < 0 ? ":" : ": ");
            begin(child);
        }
        if (m_put)
            flush();
    }

private:
    static constexpr qsizetype PieceBytes = 64 * 1024;

    struct Level {
        Value container;
        Value::Iterator next;
        bool first = true;
    };

    void begin(const Value &value)
    {
        if (!value.isContainer() && m_put && value.slice().size() >= PieceBytes) {
            flush();
            m_goesOn = m_goesOn && m_put(value.slice());
        } else if (!value.isContainer()) {
            m_text->append(value.slice());
        } else if (value.isEmpty()) {
            m_text->append(emptyContainer(value));
        } else {
            m_text->append(value.isObject() ? '{' : '[');
            m_open.push_back({value, value.begin()});
        }
    }

    void flush()
    {
        m_goesOn = m_goesOn && m_put(*m_text);
        m_text->resize(0);
    }

    void breakLine()
    {
        if (m_spaces >= 0)
            m_text->append('\n').append(qsizetype(m_open.size()) * m_spaces, ' ');
    }

    QByteArray *m_text;
    int m_spaces;
    Put m_put;
    bool m_goesOn = true;
    std::vector<Level> m_open;
};

}  // namespace

char *Builder::room(qsizetype size)
{
    constexpr qsizetype usual = 200;
    if (m_text.size() - m_size < size) {
        m_text.resize(m_size + qMax(size, usual));
        m_text.resize(m_text.capacity());
    }
    return m_text.data() + m_size;
}

void Builder::put(QByteArrayView bytes)
{
    std::copy(bytes.begin(), bytes.end(), room(bytes.size()));
    m_size += bytes.size();
}

void Builder::putQuoted(QStringView text)
{
    // Most texts, and all names of members, are written as they are.
    char *to = room(text.size() + 2);
    *to++ = '"';
    const QChar *at = text.begin();
    while (at != text.end() && *at >= u' ' && *at < u'\x7f' && *at != u'"' && *at != u'\\')
        *to++ = char((at++)->unicode());
    *to++ = '"';
    if (at == text.end())
        m_size += text.size() + 2;
    else
        put(quoted(text));
}

void Builder::separate()
{
    Q_ASSERT_X(m_afterKey || m_stack.isEmpty() || m_stack.back() == '[', "Builder", "expected a key, not a value");
    Q_ASSERT_X(!m_stack.isEmpty() || m_size == 0, "Builder", "unexpected second value");
    if (m_needsComma && !m_afterKey)
        put(',');
    m_afterKey = false;
    m_needsComma = true;
}

Builder &Builder::beginObject()
{
    separate();
    put('{');
    m_stack.append('{');
    m_needsComma = false;
    return *this;
}

Builder &Builder::endObject()
{
    Q_ASSERT_X(!m_stack.isEmpty() && m_stack.back() == '{' && !m_afterKey, "Builder", "no object to end");
    put('}');
    m_stack.removeLast();
    m_needsComma = true;
    return *this;
}

Builder &Builder::beginArray()
{
    separate();
    put('[');
    m_stack.append('[');
    m_needsComma = false;
    return *this;
}

Builder &Builder::endArray()
{
    Q_ASSERT_X(!m_stack.isEmpty() && m_stack.back() == '[', "Builder", "no array to end");
    put(']');
    m_stack.removeLast();
    m_needsComma = true;
    return *this;
}

void Builder::beginKey()
{
    Q_ASSERT_X(!m_stack.isEmpty() && m_stack.back() == '{' && !m_afterKey, "Builder", "expected a value, not a key");
    if (m_needsComma)
        put(',');
    m_afterKey = true;
}

Builder &Builder::key(QStringView name)
{
    beginKey();
    putQuoted(name);
    put(':');
    return *this;
}

Builder &Builder::rawKey(QByteArrayView quoted)
{
    beginKey();
    put(quoted);
    put(':');
    return *this;
}

Builder &Builder::string(QStringView text)
{
    separate();
    putQuoted(text);
    return *this;
}

Builder &Builder::number(qint64 value)
{
    return raw(QByteArray::number(value));
}

Builder &Builder::number(double value)
{
    Q_ASSERT_X(std::isfinite(value), "Builder", "not a JSON number");
    if (!std::isfinite(value))
        return null();
    std::array<char, 32> buffer;
    const auto [end, problem] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    Q_ASSERT(problem == std::errc());
    return raw(QByteArrayView(buffer.data(), end - buffer.data()));
}

Builder &Builder::boolean(bool value)
{
    return raw(value ? "true" : "false");
}

Builder &Builder::null()
{
    return raw("null");
}

Builder &Builder::raw(QByteArrayView json)
{
    Q_ASSERT_X(!json.isEmpty(), "Builder", "no value");
    separate();
    put(json);
    return *this;
}

Builder &Builder::value(const Value &value)
{
    Q_ASSERT_X(value.exists(), "Builder", "a value that does not exist");
    return value.exists() ? raw(value.slice()) : null();
}

bool Builder::isComplete() const
{
    return m_stack.isEmpty() && m_size > 0;
}

QByteArray Builder::take()
{
    Q_ASSERT_X(isComplete(), "Builder", "not one whole value");
    m_stack.clear();
    m_needsComma = false;
    m_afterKey = false;
    m_text.truncate(std::exchange(m_size, 0));
    return std::exchange(m_text, {});
}

QByteArray indented(const Value &value, int spaces)
{
    QByteArray text;
    Writer(&text, qMax(0, spaces)).write(value);
    return text;
}

void writeIndented(const Value &value, const std::function<bool(QByteArrayView)> &put, int spaces)
{
    QByteArray piece;
    Writer(&piece, qMax(0, spaces), put).write(value);
}

QByteArray compact(const Value &value)
{
    QByteArray text;
    text.reserve(value.slice().size());
    Writer(&text, -1).write(value);
    return text;
}

}  // namespace sonde::json
