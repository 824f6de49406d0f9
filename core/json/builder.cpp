// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"

#include "core/json/scan.h"
#include "core/json/stringcodec.h"

#include <array>
#include <charconv>
#include <cmath>
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

void Builder::separate()
{
    Q_ASSERT_X(m_afterKey || m_stack.isEmpty() || m_stack.back() == '[', "Builder", "expected a key, not a value");
    Q_ASSERT_X(!m_stack.isEmpty() || m_text.isEmpty(), "Builder", "unexpected second value");
    if (m_needsComma && !m_afterKey)
        m_text.append(',');
    m_afterKey = false;
    m_needsComma = true;
}

Builder &Builder::beginObject()
{
    separate();
    m_text.append('{');
    m_stack.append('{');
    m_needsComma = false;
    return *this;
}

Builder &Builder::endObject()
{
    Q_ASSERT_X(m_stack.endsWith('{') && !m_afterKey, "Builder", "no object to end");
    m_text.append('}');
    m_stack.chop(1);
    m_needsComma = true;
    return *this;
}

Builder &Builder::beginArray()
{
    separate();
    m_text.append('[');
    m_stack.append('[');
    m_needsComma = false;
    return *this;
}

Builder &Builder::endArray()
{
    Q_ASSERT_X(m_stack.endsWith('['), "Builder", "no array to end");
    m_text.append(']');
    m_stack.chop(1);
    m_needsComma = true;
    return *this;
}

Builder &Builder::key(QStringView name)
{
    return rawKey(quoted(name));
}

Builder &Builder::rawKey(QByteArrayView quoted)
{
    Q_ASSERT_X(m_stack.endsWith('{') && !m_afterKey, "Builder", "expected a value, not a key");
    if (m_needsComma)
        m_text.append(',');
    m_text.append(quoted).append(':');
    m_afterKey = true;
    return *this;
}

Builder &Builder::string(QStringView text)
{
    return raw(quoted(text));
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
    m_text.append(json);
    return *this;
}

Builder &Builder::value(const Value &value)
{
    Q_ASSERT_X(value.exists(), "Builder", "a value that does not exist");
    return value.exists() ? raw(value.slice()) : null();
}

bool Builder::isComplete() const
{
    return m_stack.isEmpty() && !m_text.isEmpty();
}

QByteArray Builder::take()
{
    Q_ASSERT_X(isComplete(), "Builder", "not one whole value");
    m_stack.clear();
    m_needsComma = false;
    m_afterKey = false;
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
