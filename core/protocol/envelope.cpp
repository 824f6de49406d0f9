// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/envelope.h"

#include "core/json/text.h"

#include <array>

namespace sonde {

namespace {

constexpr int MaxDepth = 1024;  // as json::Limits

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isHexDigit(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Each step moves on past what it read and answers false, for good, at the first byte that is not valid.
class Scanner {
public:
    Scanner(const char *begin, const char *finish) : at(begin), end(finish) {}

    void space()
    {
        while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
            ++at;
    }

    bool take(char c)
    {
        if (at == end || *at != c)
            return false;
        ++at;
        return true;
    }

    bool peek(char c) const { return at < end && *at == c; }

    // The content lies between the quotes. plain: it holds no escape.
    bool string(QByteArrayView *content = nullptr, bool *plain = nullptr)
    {
        if (!take('"'))
            return false;
        const char *const start = at;
        bool escapes = false;
        while (true) {
            at = json::skipPlain(at, end);
            if (at == end)
                return false;
            if (*at == '"')
                break;
            if (*at == '\\') {
                escapes = true;
                if (!escape())
                    return false;
            } else {
                const int length = quint8(*at) < 0x80 ? 0 : json::utf8Length(at, end);
                if (length == 0)
                    return false;
                at += length;
            }
        }
        if (content)
            *content = QByteArrayView(start, at);
        if (plain)
            *plain = !escapes;
        ++at;
        return true;
    }

    bool value()
    {
        space();
        if (peek('"'))
            return string();
        return peek('{') || peek('[') ? container() : scalar();
    }

    bool container()
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

    bool key(QByteArrayView *name = nullptr, bool *plain = nullptr)
    {
        space();
        if (!string(name, plain))
            return false;
        space();
        return take(':');
    }

    bool scalar()
    {
        switch (at < end ? *at : '\0') {
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

    // Calls member(name) in front of each value of an object; that one has to read the value. A name that holds an
    // escape is null: whoever looks for names has to leave the message to others, since it may be any of them.
    template <typename Member>
    bool object(Member member)
    {
        space();
        if (!take('{'))
            return false;
        space();
        if (take('}'))
            return true;
        while (true) {
            QByteArrayView name;
            bool plain = false;
            if (!key(&name, &plain))
                return false;
            space();
            if (!member(plain ? name : QByteArrayView()))
                return false;
            space();
            if (take('}'))
                return true;
            if (!take(','))
                return false;
        }
    }

    const char *at;
    const char *const end;

private:
    bool escape()
    {
        ++at;
        if (at == end)
            return false;
        switch (*at++) {
            case '"':
            case '\\':
            case '/':
            case 'b':
            case 'f':
            case 'n':
            case 'r':
            case 't':
                return true;
            case 'u':
                if (end - at < 4 || !isHexDigit(at[0]) || !isHexDigit(at[1]) || !isHexDigit(at[2]) ||
                    !isHexDigit(at[3]))
                    return false;
                at += 4;
                return true;
            default:
                return false;
        }
    }

    bool word(QByteArrayView text)
    {
        if (!QByteArrayView(at, end).startsWith(text))
            return false;
        at += text.size();
        return true;
    }

    bool number()
    {
        const char *const after = json::endOfNumber(at, end);
        if (!after)
            return false;
        at = after;
        return true;
    }
};

// An id as nearly all are: a string without escapes, or an integer that fits.
bool readId(Scanner &scanner, QByteArrayView *id)
{
    const char *const start = scanner.at;
    bool plain = true;
    if (scanner.peek('"') ? !scanner.string(nullptr, &plain) : !scanner.scalar())
        return false;
    *id = QByteArrayView(start, scanner.at);
    if (id->front() == '"')
        return plain;
    if (id->size() > 18 || *id == "-0")
        return false;
    for (qsizetype i = id->front() == '-' ? 1 : 0; i < id->size(); ++i) {
        if (!isDigit(id->at(i)))
            return false;
    }
    return true;
}

enum Member : unsigned { Version = 1, Id = 2, Method = 4, Params = 8, Response = 16 };

bool readParams(Scanner &scanner, Envelope *envelope)
{
    return scanner.object([&](QByteArrayView name) {
        if (name.isNull())
            return false;
        QByteArrayView *text = name == "name" ? &envelope->nameText : name == "uri" ? &envelope->uriText : nullptr;
        if (!text)
            return scanner.value();
        *text = {};  // the last one counts
        return scanner.peek('"') ? scanner.string(text) : scanner.value();
    });
}

bool readResult(Scanner &scanner, Envelope *envelope)
{
    return scanner.object([&](QByteArrayView name) {
        if (name.isNull())
            return false;
        if (name == "isError")
            envelope->isToolError = scanner.peek('t');
        return scanner.value();
    });
}

// The members seen, or 0 when this has to be left to others.
unsigned readMembers(Scanner &scanner, Envelope *envelope)
{
    unsigned seen = 0;
    const auto once = [&](Member member) {
        const bool first = (seen & member) == 0;
        seen |= member;
        return first;
    };
    const bool read = scanner.object([&](QByteArrayView name) {
        if (name == "jsonrpc") {
            QByteArrayView version;
            return once(Version) && scanner.string(&version) && version == "2.0";
        }
        if (name == "id")
            return once(Id) && readId(scanner, &envelope->id);
        if (name == "method") {
            bool plain = false;
            return once(Method) && scanner.string(&envelope->method, &plain) && plain && !envelope->method.isEmpty();
        }
        if (name == "params")
            return once(Params) && readParams(scanner, envelope);
        if (name == "result")
            return once(Response) && readResult(scanner, envelope);
        return false;  // an error, or something unusual
    });
    return read ? seen : 0;
}

}  // namespace

Envelope scanEnvelope(QByteArrayView json)
{
    Envelope envelope;
    Scanner scanner(json.data(), json.data() + json.size());
    const unsigned seen = readMembers(scanner, &envelope);
    scanner.space();
    if (scanner.at != scanner.end)
        return envelope;
    switch (seen & ~unsigned(Params)) {
        case Version | Id | Method:
            envelope.kind = Message::Kind::Request;
            break;
        case Version | Method:
            envelope.kind = Message::Kind::Notification;
            break;
        case Version | Id | Response:
            envelope.kind = Message::Kind::Result;
            break;
        default:
            return envelope;
    }
    envelope.isPlain = envelope.kind != Message::Kind::Result || (seen & Params) == 0;
    return envelope;
}

const char *skipJsonValue(const char *at, const char *end)
{
    Scanner scanner(at, end);
    return scanner.value() ? scanner.at : nullptr;
}

}  // namespace sonde
