// SPDX-License-Identifier: Apache-2.0
#include "app/demo/conversation.h"

#include "app/common/system.h"
#include "app/demo/methods.h"
#include "app/demo/rawjson.h"

#include <cstdlib>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

// What the input needs and the client did not declare, as an object of capabilities; empty when nothing is missing.
QByteArray missingFor(const Input &input, const QByteArray &capabilities)
{
    const auto has = [&capabilities](const QString &name, const QString &part = {}) {
        const QByteArray capability = json::member(capabilities, name);
        return !capability.isEmpty() && (part.isEmpty() || !json::member(capability, part).isEmpty());
    };
    if (input.method == "roots/list"_L1)
        return has(u"roots"_s) ? ""_ba : R"({"roots":{}})"_ba;
    if (input.method == "sampling/createMessage"_L1) {
        if (!json::member(input.params, u"tools"_s).isEmpty())
            return has(u"sampling"_s, u"tools"_s) ? ""_ba : R"({"sampling":{"tools":{}}})"_ba;
        return has(u"sampling"_s) ? ""_ba : R"({"sampling":{}})"_ba;
    }
    if (input.method == "elicitation/create"_L1) {
        if (json::text(json::member(input.params, u"mode"_s)) == "url"_L1)
            return has(u"elicitation"_s, u"url"_s) ? ""_ba : R"({"elicitation":{"url":{}}})"_ba;
        // Only modes besides form: form was left out. No mode at all means form.
        const bool formless = has(u"elicitation"_s, u"url"_s) && !has(u"elicitation"_s, u"form"_s);
        return has(u"elicitation"_s) && !formless ? ""_ba : R"({"elicitation":{"form":{}}})"_ba;
    }
    return {};
}

}  // namespace

QByteArray errorObject(int code, const QString &message, const QByteArray &data)
{
    json::Object error;
    error.number("code", code).text("message", message);
    if (!data.isEmpty())
        error.raw("data", data);
    return error.done();
}

QByteArray errorMessage(const QByteArray &id, int code, const QString &message, const QByteArray &data)
{
    return json::Object()
        .text("jsonrpc", u"2.0"_s)
        .raw("id", id.isEmpty() ? "null"_ba : id)
        .raw("error", errorObject(code, message, data))
        .done();
}

QByteArray failure(const QString &text)
{
    const QByteArray block = json::Object().text("type", u"text"_s).text("text", text).done();
    return json::Object().raw("content", json::array({block})).boolean("isError", true).done();
}

Conversation::Conversation(ServerState &state, QObject *parent) : QObject(parent), m_state(state) {}

Conversation::~Conversation() = default;

void Conversation::receive(const QByteArray &bytes)
{
    QString why;
    if (!json::isValid(bytes, &why)) {
        reject({}, ParseError, u"This is not JSON: "_s + why);
        return;
    }
    const QByteArray message = json::compacted(bytes);
    const QByteArray id = json::member(message, u"id"_s);
    const QByteArray method = json::member(message, u"method"_s);
    const bool readable = json::isString(id) || json::isInteger(id);
    if (!json::isObject(message) || json::text(json::member(message, u"jsonrpc"_s)) != u"2.0"_s) {
        reject(readable ? id : QByteArray(), InvalidRequest, u"This is not a JSON-RPC 2.0 message."_s);
        return;
    }
    if (!json::isString(method)) {
        answered(id, json::member(message, u"result"_s), json::member(message, u"error"_s));
        return;
    }
    const QString name = json::text(method);
    const QByteArray params = json::member(message, u"params"_s);
    if (id.isEmpty())
        noted(name, params);
    else if (!readable)
        reject({}, InvalidRequest, u"An id is a string or an integer."_s);
    else if (!params.isEmpty() && !json::isObject(params))
        refuse({id, name, {}}, InvalidRequest, u"'params' must be an object."_s, {}, 400);
    else
        dispatch({id, name, params});
}

void Conversation::dispatch(const Request &request)
{
    if (options().neverResponse.contains(request.method) || !admits(request))
        return;
    const Handler handle = handler(request.method);
    if (!handle || options().missingMethods.contains(request.method)) {
        refuse(request, MethodNotFound, u"Method not found: %1"_s.arg(request.method),
               json::Object().text("method", request.method).done(), 404);
        return;
    }
    if (request.method == "tools/call"_L1) {
        if (options().has(Fault::CrashOnCall))
            app::crash();
        if (options().exitOnCall)
            std::exit(*options().exitOnCall);
    }
    handle(request);
}

Conversation::Handler Conversation::handler(const QString &method)
{
    const auto common = commonMethod(method);
    if (!common)
        return {};
    return [this, common](const Request &request) { common(*this, request); };
}

bool Conversation::admits(const Request &)
{
    return true;
}

void Conversation::answered(const QByteArray &, const QByteArray &, const QByteArray &) {}

QByteArray Conversation::dressed(const Request &, const QByteArray &result) const
{
    return result;
}

void Conversation::response(const Request &request, const QByteArray &result)
{
    respondPlainly(request, dressed(request, result));
}

void Conversation::respondPlainly(const Request &request, const QByteArray &result)
{
    QByteArray id = request.id;
    const bool isCall = request.method == "tools/call"_L1;
    if (isCall && options().has(Fault::WrongId))
        id = "\"nobody-asked-this\"";
    const QByteArray message = json::Object().text("jsonrpc", u"2.0"_s).raw("id", id).raw("result", result).done();
    finish(request, isCall && options().has(Fault::BadJson) ? message.first(message.size() / 2) : message, 200);
}

void Conversation::refuse(const Request &request, int code, const QString &message, const QByteArray &data,
                          int httpStatus)
{
    finish(request, errorMessage(request.id, code, message, data), httpStatus);
}

void Conversation::reject(const QByteArray &id, int code, const QString &why)
{
    Q_EMIT sent(errorMessage(id, code, why), id, 400);
    Q_EMIT ended(id);
}

void Conversation::finish(const Request &request, const QByteArray &message, int httpStatus)
{
    if (QObject *work = m_work.take(request.id))
        work->deleteLater();  // we may have been called by one of its timers
    Q_EMIT sent(message, request.id, httpStatus);
    if (options().has(Fault::DuplicateResponse) && request.method == "tools/call"_L1)
        Q_EMIT sent(message, request.id, httpStatus);
    Q_EMIT ended(request.id);
}

void Conversation::notify(const QString &method, const QByteArray &params, const Request &about)
{
    json::Object message;
    message.text("jsonrpc", u"2.0"_s).text("method", method);
    if (!params.isEmpty())
        message.raw("params", params);
    Q_EMIT sent(message.done(), about.id);
}

void Conversation::log(const QString &level, const QString &logger, const QByteArray &data, const Request &about)
{
    const qsizetype least = logLevels().indexOf(clientOf(about).logLevel);
    if (least < 0 || logLevels().indexOf(level) < least)
        return;
    notify(u"notifications/message"_s,
           json::Object().text("level", level).text("logger", logger).raw("data", data).done(), about);
}

void Conversation::flood(const Request &about)
{
    if (options().hugeLine > 0) {
        const QByteArray head = R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info",)"
                                R"("logger":"huge-line","data":")";
        const QByteArray tail = R"("}})";
        Q_EMIT sent(head + QByteArray(options().hugeLine - head.size() - tail.size(), 'x') + tail, about.id);
    }
    for (int i = 1; i <= options().flood; ++i) {
        const QByteArray data = json::quoted(u"message %1 of %2"_s.arg(i).arg(options().flood));
        notify(u"notifications/message"_s,
               json::Object().text("level", u"debug"_s).text("logger", u"flood"_s).raw("data", data).done(), about);
    }
}

void Conversation::ask(const Request &request, const QList<Input> &inputs, const Then &then)
{
    const QByteArray capabilities = clientOf(request).capabilities;
    for (const Input &input : inputs) {
        if (const QByteArray missing = missingFor(input, capabilities); !missing.isEmpty()) {
            lack(request, missing);
            return;
        }
    }
    pose(request, inputs, then);
}

void Conversation::lack(const Request &request, const QByteArray &capability)
{
    response(request, failure(u"The client did not declare the capability %1."_s.arg(QString::fromUtf8(capability))));
}

QObject *Conversation::beginWork(const Request &request)
{
    auto *work = new QObject(this);
    if (QObject *before = m_work.take(request.id))
        before->deleteLater();
    m_work.insert(request.id, work);
    return work;
}

bool Conversation::cancelWork(const QByteArray &id)
{
    QObject *work = m_work.take(id);
    delete work;
    return work != nullptr;
}

}  // namespace sonde::demo
