// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/envelope.h"

#include "core/json/scan.h"

#include <cstring>

namespace sonde {

namespace {

using Scanner = json::Scanner<json::Reading::Strict>;

// The compiler knows the length, and needs no call to compare.
template <size_t size>
bool isMemberNamed(QByteArrayView name, const char (&wanted)[size])
{
    return name.size() == qsizetype(size - 1) && std::memcmp(name.data(), wanted, size - 1) == 0;
}

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
        if (id->at(i) < '0' || id->at(i) > '9')
            return false;
    }
    return true;
}

enum Member : unsigned { Version = 1, Id = 2, Method = 4, Params = 8, Response = 16 };

bool readParams(Scanner &scanner, Envelope *envelope)
{
    return scanner.object([&](QByteArrayView name, bool isPlain) {
        if (!isPlain)
            return false;
        QByteArrayView *text = isMemberNamed(name, "name")  ? &envelope->nameText
                               : isMemberNamed(name, "uri") ? &envelope->uriText
                                                            : nullptr;
        if (!text)
            return scanner.value();
        *text = {};  // the last one counts
        return scanner.peek('"') ? scanner.string(text) : scanner.value();
    });
}

bool readResult(Scanner &scanner, Envelope *envelope)
{
    return scanner.object([&](QByteArrayView name, bool isPlain) {
        if (!isPlain)
            return false;
        if (isMemberNamed(name, "isError"))
            envelope->isToolError = scanner.peek('t');
        if (!isMemberNamed(name, "resultType") || !scanner.peek('"'))
            return scanner.value();
        QByteArrayView type;
        const bool isString = scanner.string(&type);
        envelope->asksForInput = type == "input_required";
        return isString && !type.contains('\\');
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
    const bool read = scanner.object([&](QByteArrayView name, bool isPlain) {
        if (!isPlain)
            return false;
        if (isMemberNamed(name, "jsonrpc")) {
            QByteArrayView version;
            return once(Version) && scanner.string(&version) && version == "2.0";
        }
        if (isMemberNamed(name, "id"))
            return once(Id) && readId(scanner, &envelope->id);
        if (isMemberNamed(name, "method")) {
            bool plain = false;
            return once(Method) && scanner.string(&envelope->method, &plain) && plain && !envelope->method.isEmpty();
        }
        if (isMemberNamed(name, "params"))
            return once(Params) && readParams(scanner, envelope);
        if (isMemberNamed(name, "result"))
            return once(Response) && readResult(scanner, envelope);
        return false;  // an error, or something unusual
    });
    return read ? seen : 0;
}

}  // namespace

Envelope scanEnvelope(QByteArrayView json)
{
    Envelope envelope;
    Scanner scanner(json);
    const unsigned seen = readMembers(scanner, &envelope);
    if (!scanner.takeEnd())
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

}  // namespace sonde
