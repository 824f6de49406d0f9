// Messages as a test writes them, in few words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace sonde::test {

// A request id or a progress token: a number, or any JSON.
struct JsonId {
    JsonId(int number) : text(QByteArray::number(number)) {}
    JsonId(const char *json) : text(json) {}
    JsonId(const QByteArray &json) : text(json) {}
    QByteArray text;
};

// {"jsonrpc":"2.0" and these members.
inline QByteArray envelope(const QByteArray &members)
{
    return "{\"jsonrpc\":\"2.0\"," + members + '}';
}

inline QByteArray request(const JsonId &id, const QByteArray &method, const QByteArray &params = "{}")
{
    return envelope("\"id\":" + id.text + ",\"method\":\"" + method + "\",\"params\":" + params);
}

// more: further members of params, with a comma before them.
inline QByteArray call(const JsonId &id, const QByteArray &tool, const QByteArray &more = {})
{
    return request(id, "tools/call", "{\"name\":\"" + tool + "\"" + more + '}');
}

inline QByteArray token(const JsonId &value)
{
    return R"(,"_meta":{"progressToken":)" + value.text + '}';
}

inline QByteArray notification(const QByteArray &method, const QByteArray &params = "{}")
{
    return envelope("\"method\":\"" + method + "\",\"params\":" + params);
}

inline QByteArray progress(const JsonId &value)
{
    return notification("notifications/progress", R"({"progressToken":)" + value.text + R"(,"progress":1})");
}

inline QByteArray result(const JsonId &id, const QByteArray &members = {})
{
    return envelope("\"id\":" + id.text + ",\"result\":{" + members + '}');
}

// more: further members of the error, with a comma before them.
inline QByteArray error(const JsonId &id, int code, const QByteArray &message, const QByteArray &more = {})
{
    return envelope("\"id\":" + id.text + ",\"error\":{\"code\":" + QByteArray::number(code) + ",\"message\":\"" +
                    message + "\"" + more + '}');
}

}  // namespace sonde::test
