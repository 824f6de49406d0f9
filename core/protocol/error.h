// The only way a failure travels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QString>
#include <variant>

namespace sonde {

struct Error {
    enum class Kind {
        None,
        Remote,     // the server answered with a JSON-RPC error: code, message and data are its own
        Protocol,   // the server answered with something the protocol does not allow
        Transport,  // process or network: the bytes did not come through
        Auth,       // HTTP 401 or 403
        Cancelled,  // by the person or by us
        Timeout,    // ours: nothing came in time
        Local       // bad input, or a bug of ours
    };

    // What exactly happened, where something depends on it. Nobody has to search the words for it.
    enum class Reason {
        Other,
        ConnectionRefused,
        HostNotFound,
        TlsFailed,
        HttpStatus,   // the response was an HTTP status, in code, without a JSON-RPC response
        SessionLost,  // the server no longer knows the session; code is the HTTP status
        NoSignIn,     // credentials are required, but nothing says how to sign in
        // The token has not all of the scopes that this needs; data: {"requiredScopes": […], "grantedScopes": […]}.
        InsufficientScope,
        CallTimeout  // the limit of the call itself has passed, not that of a step that it waited for
    };

    Kind kind = Kind::None;
    int code = 0;      // JSON-RPC code, HTTP status or exit code, by kind; 0 when there is none
    QString message;   // one sentence: what happened
    QString detail;    // evidence, several lines: stderr tail, response body, PATH. Server text: never trusted
    QString hint;      // what to do about it, or empty
    json::Value data;  // error.data of a Remote error, exactly as received; otherwise see Reason
    Reason reason = Reason::Other;
    int bodyCode = 0;  // with HttpStatus: of the JSON-RPC error in its body, which is no response to a request

    explicit operator bool() const { return kind != Kind::None; }

    static Error of(Kind kind, const QString &message, const QString &detail = {}, const QString &hint = {})
    {
        return {kind, 0, message, detail, hint, {}};
    }
    static Error local(const QString &message, const QString &hint = {})
    {
        return {Kind::Local, 0, message, {}, hint, {}};
    }
    // A message of that many bytes could not be kept, or not be read.
    static Error outOfMemory(qint64 bytes);
};

// Codes that Sonde sends or acts upon. Spec: JSON-RPC 2.0 section 5.1; client/elicitation, "URL Elicitation Required
// Error".
namespace errorcodes {
constexpr int InvalidRequest = -32600;
constexpr int MethodNotFound = -32601;
constexpr int InvalidParams = -32602;
constexpr int InternalError = -32603;
constexpr int UrlElicitationRequired = -32042;
// Since revision 2026-07-28.
constexpr int HeaderMismatch = -32020;
constexpr int MissingCapability = -32021;
constexpr int UnsupportedRevision = -32022;
}  // namespace errorcodes

// A server that answers with it speaks revision 2026-07-28 or a later one.
constexpr bool isOfStatelessRevision(int code)
{
    return code <= errorcodes::HeaderMismatch && code >= errorcodes::UnsupportedRevision;
}

// The meaning of a JSON-RPC or MCP error code in words, or an empty string.
// Spec: JSON-RPC 2.0 section 5.1; MCP "Error Handling".
QString meaningOfErrorCode(int code);
// The kind as a stable lower-case word, for machines.
QString toString(Error::Kind kind);

// Either a value or an Error.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_content(std::move(value)) {}
    Result(Error error) : m_content(std::move(error)) {}

    bool ok() const { return m_content.index() == 0; }
    explicit operator bool() const { return ok(); }
    const T &value() const & { return std::get<0>(m_content); }
    T &&value() && { return std::get<0>(std::move(m_content)); }
    const T &operator*() const & { return value(); }
    const T *operator->() const { return &value(); }
    const Error &error() const { return std::get<1>(m_content); }

private:
    std::variant<T, Error> m_content;
};

}  // namespace sonde
