// Reading JSON text without a tree: for texts of which only a part is worth reading.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/plainbytes.h"
#include "core/json/stringcodec.h"

#include <QByteArray>
#include <QByteArrayView>
#include <functional>
#include <optional>
#include <vector>

namespace sonde::json {

inline bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

inline const char *skipSpace(const char *at, const char *end)
{
    while (at != end && isSpace(*at))
        ++at;
    return at;
}

// The end of a word: white space or a character with a meaning of its own.
inline bool isDelimiter(char c)
{
    switch (c) {
        case ' ':
        case '\n':
        case '\r':
        case '\t':
        case ',':
        case ':':
        case '[':
        case ']':
        case '{':
        case '}':
        case '"':
            return true;
        default:
            return false;
    }
}

inline const char *endOfWord(const char *at, const char *end)
{
    while (at != end && !isDelimiter(*at))
        ++at;
    return at;
}

// The quote that ends the string in which `at` lies, or `end`.
const char *closingQuote(const char *at, const char *end);
// Just after the closing quote of the string that begins at `at`, or `end`.
inline const char *endOfString(const char *at, const char *end)
{
    at = closingQuote(at + 1, end);
    return at == end ? end : at + 1;
}
// Just after the number at `at`, or nullptr when that is not how JSON writes one.
const char *endOfNumber(const char *at, const char *end);
// Just after the bracket that closes the container that begins at `at`, or `end`. Counts brackets outside of strings
// without telling their kinds apart.
const char *endOfContainer(const char *at, const char *end);
// The end of the valid JSON value that begins at `at`, or null. Does not recurse.
const char *endOfValidValue(const char *at, const char *end);

// Strict: what is stepped over is valid JSON. Loose: its end is found by brackets and quotes, whatever lies between.
enum class Reading { Strict, Loose };

// Steps through a text. Each step moves on past what it read, and returns false, for good, where that is not there.
template <Reading reading>
class Scanner {
public:
    explicit Scanner(QByteArrayView text) : at(text.data()), end(text.data() + text.size()) {}

    void space() { at = skipSpace(at, end); }
    bool peek(char c) const { return at != end && *at == c; }
    bool take(char c)
    {
        if (!peek(c))
            return false;
        ++at;
        return true;
    }
    // White space and nothing more.
    bool takeEnd()
    {
        space();
        return at == end;
    }

    // content: what stands between the quotes. isPlain: whether that holds no escape.
    Q_ALWAYS_INLINE bool string(QByteArrayView *content = nullptr, bool *isPlain = nullptr)
    {
        if (!take('"'))
            return false;
        const char *const start = at;
        bool hasEscape = false;
        if (reading == Reading::Loose) {
            at = closingQuote(at, end);
            hasEscape = isPlain && QByteArrayView(start, at).contains('\\');
        } else if (!checkedContent(&hasEscape)) {
            return false;
        }
        if (at == end)
            return false;
        if (content)
            *content = QByteArrayView(start, at);
        if (isPlain)
            *isPlain = !hasEscape;
        ++at;
        return true;
    }

    // Any value, and the white space in front of it.
    bool value()
    {
        space();
        if (peek('"'))
            return string();
        const bool isContainer = peek('{') || peek('[');
        if (reading == Reading::Strict)
            return isContainer ? checkedContainer() : scalar();
        const char *const start = at;
        at = isContainer ? endOfContainer(at, end) : endOfWord(at, end);
        return at != start;
    }

    // A number, true, false or null.
    bool scalar()
    {
        const auto word = [this](QByteArrayView text) {
            if (!QByteArrayView(at, end).startsWith(text))
                return false;
            at += text.size();
            return true;
        };
        switch (at != end ? *at : '\0') {
            case 't':
                return word("true");
            case 'f':
                return word("false");
            case 'n':
                return word("null");
            default:
                break;
        }
        const char *const after = endOfNumber(at, end);
        if (!after)
            return false;
        at = after;
        return true;
    }

    // Calls member(name, isPlain) in front of each value of an object; it has to read the value. name: without quotes.
    template <typename Member>
    bool object(const Member &member)
    {
        return each('{', '}', [&] {
            QByteArrayView name;
            bool isPlain = false;
            if (!key(&name, &isPlain))
                return false;
            space();
            return member(name, isPlain);
        });
    }

    // Calls element() in front of each element of an array; it has to read it.
    template <typename Element>
    bool array(const Element &element)
    {
        return each('[', ']', element);
    }

    const char *at;
    const char *const end;

private:
    static constexpr int MaxDepth = 1024;  // as json::Limits

    template <typename Part>
    bool each(char opener, char closer, const Part &part)
    {
        space();
        if (!take(opener))
            return false;
        space();
        if (take(closer))
            return true;
        while (true) {
            if (!part())
                return false;
            space();
            if (take(closer))
                return true;
            if (!take(','))
                return false;
            space();
        }
    }

    bool key(QByteArrayView *name = nullptr, bool *isPlain = nullptr)
    {
        space();
        if (!string(name, isPlain))
            return false;
        space();
        return take(':');
    }

    // Up to the closing quote.
    Q_ALWAYS_INLINE bool checkedContent(bool *hasEscape)
    {
        while (true) {
            at = skip<Bytes::Plain>(at, end);
            if (at == end || *at == '"')
                return true;
            int length = 0;
            if (*at == '\\') {
                *hasEscape = true;
                length = readEscape(at, end).length;
            } else if (uchar(*at) >= 0x80) {
                length = utf8Length(at, end);
            }
            if (length == 0)
                return false;
            at += length;
        }
    }

    bool checkedContainer()
    {
        std::array<quint64, MaxDepth / 64> isObject{};
        int depth = 0;
        while (true) {
            space();
            if (at == end)
                return false;
            bool opened = false;
            if (*at == '{' || *at == '[') {
                if (depth == MaxDepth)
                    return false;
                const quint64 bit = quint64(1) << (depth % 64);
                quint64 &word = isObject[size_t(depth / 64)];
                word = *at == '{' ? word | bit : word & ~bit;
                ++depth;
                ++at;
                opened = true;
            } else if (*at == '"') {
                if (!string())
                    return false;
            } else if (!scalar()) {
                return false;
            }
            // Past a value, or just inside a container: on to the next value, leaving what ends here.
            while (true) {
                if (depth == 0)
                    return true;
                const bool inObject = isObject[size_t((depth - 1) / 64)] >> ((depth - 1) % 64) & 1;
                space();
                if (take(inObject ? '}' : ']')) {
                    --depth;
                    opened = false;
                    continue;
                }
                if (!opened && !take(','))
                    return false;
                if (inObject && !key())
                    return false;
                break;
            }
        }
    }
};

// Calls visit with each member of the object that is the whole of `text`: the key with its quotes and the value's
// bytes, as written and in order. What lies inside values is skipped by its brackets and quotes, unchecked.
// False when text is no such object; members before the fault have been visited then.
using MemberVisitor = std::function<void(QByteArrayView key, QByteArrayView value)>;
bool scanMembers(QByteArrayView text, const MemberVisitor &visit);
// Whether a key, as written with its quotes, means that name in UTF-8.
bool isKey(QByteArrayView key, QByteArrayView name);
// The value of that member of an object, as written; the last of several. Empty: there is none.
QByteArrayView findMember(QByteArrayView object, QByteArrayView name);

// The object with its large values left empty: what is small and outermost in a text that is too large to be looked at
// again and again. Anything but an object stays as it is, cut to `maxBytes`.
QByteArray outline(QByteArrayView text, qsizetype maxBytes = 64 * 1024);

class Pointer;

// Looks up one pointer in many texts.
class PlaceFinder {
public:
    PlaceFinder() = default;  // finds the whole text
    explicit PlaceFinder(const Pointer &pointer);

    // The value's bytes, as Pointer::resolve() finds it: the last of several members of one name counts. Empty: there
    // is no such place. The text has to be valid JSON.
    QByteArrayView find(QByteArrayView json) const;

private:
    struct Step {
        QByteArray key;
        std::optional<qsizetype> index;  // in an array
    };
    std::vector<Step> m_steps;
};

}  // namespace sonde::json
