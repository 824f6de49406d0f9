// SPDX-License-Identifier: Apache-2.0
#include "app/demo/tools.h"

#include "app/demo/askingtools.h"
#include "app/demo/decimal.h"
#include "app/demo/media.h"
#include "app/demo/rawjson.h"
#include "app/demo/resources.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <climits>
#include <memory>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

QByteArray toolTextBlock(const QString &text)
{
    return json::Object().text("type", u"text"_s).text("text", text).done();
}

QByteArray result(const QList<QByteArray> &content)
{
    return json::Object().raw("content", json::array(content)).done();
}

// Structured content with the same as text, for clients that do not know it.
QByteArray structured(const Conversation &conversation, const QByteArray &value)
{
    json::Object object;
    object.raw("content", json::array({toolTextBlock(QString::fromUtf8(value))}));
    if (conversation.isAtLeast("2025-06-18"))
        object.raw("structuredContent", value);
    return object.done();
}

// An integer argument within bounds. InputResults the request itself and gives nothing when it is anything else.
std::optional<qint64> integer(Conversation &conversation, const Request &request, const QByteArray &arguments,
                              const char *name, qint64 fallback, qint64 min, qint64 max)
{
    const QByteArray value = json::member(arguments, QLatin1StringView(name));
    if (value.isEmpty())
        return fallback;
    bool ok = false;
    const qint64 number = value.toLongLong(&ok);
    if (ok && number >= min && number <= max)
        return number;
    conversation.response(request,
                          failure(u"'%1' must be an integer from %2 to %3, not %4."_s.arg(QLatin1StringView(name))
                                      .arg(min)
                                      .arg(max)
                                      .arg(QString::fromUtf8(value))));
    return std::nullopt;
}

void add(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const QByteArray a = json::member(arguments, u"a"_s);
    const QByteArray b = json::member(arguments, u"b"_s);
    if (!json::isNumber(a) || !json::isNumber(b)) {
        conversation.response(request, failure(u"'a' and 'b' must both be numbers."_s));
        return;
    }
    const std::optional<QByteArray> sum = exactSum(a, b);
    if (!sum) {
        conversation.response(request, failure(u"One of the exponents is too large to add exactly."_s));
        return;
    }
    json::Object object;
    object.raw("content", json::array({toolTextBlock(QString::fromLatin1(*sum))}));
    if (conversation.isAtLeast("2025-06-18"))
        object.raw("structuredContent", json::Object().raw("sum", *sum).done());
    conversation.response(request, object.done());
}

void everyFieldKind(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    for (const char *name : {"text", "color", "version", "serial", "people"}) {
        if (json::member(arguments, QLatin1StringView(name)).isEmpty()) {
            conversation.response(request, failure(u"'%1' is missing."_s.arg(QLatin1StringView(name))));
            return;
        }
    }
    conversation.response(request, textResult(QString::fromUtf8(arguments)));
}

void everyContentKind(Conversation &conversation, const Request &request, const QByteArray &)
{
    const auto media = [](const char *type, const char *mimeType, const QByteArray &bytes) {
        return json::Object()
            .text("type", QLatin1StringView(type))
            .raw("data", '"' + bytes.toBase64() + '"')
            .text("mimeType", QLatin1StringView(mimeType))
            .raw("annotations", R"({"audience":["user"],"priority":0.5})")
            .done();
    };
    const auto embedded = [](const QString &uri) {
        return json::Object().text("type", u"resource"_s).raw("resource", resourceContents(uri)).done();
    };
    QList<QByteArray> content{
        json::Object()
            .text("type", u"text"_s)
            .text("text", u"Plain text with ünïcödé, a tab\tand\na second line."_s)
            .raw("annotations", R"({"audience":["user","assistant"],"priority":1})")
            .done(),
        toolTextBlock(u"{\"text\": \"that is JSON\", \"number\": 1.50}"_s),
        media("image", "image/png", demoPng()),
    };
    if (conversation.isAtLeast("2025-03-26"))
        content.append(media("audio", "audio/wav", demoWav()));
    if (conversation.isAtLeast("2025-06-18"))
        content.append(json::Object()
                           .text("type", u"resource_link"_s)
                           .text("uri", u"demo://text/notes.md"_s)
                           .text("name", u"notes.md"_s)
                           .text("description", u"Can be read with resources/read."_s)
                           .text("mimeType", u"text/markdown"_s)
                           .done());
    content.append(embedded(u"demo://data/readings.json"_s));
    content.append(embedded(u"demo://data/all-bytes"_s));
    conversation.response(request, result(content));
}

void echo(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const QByteArray value = json::member(arguments, u"value"_s);
    conversation.response(request,
                          value.isEmpty() ? failure(u"'value' is missing."_s) : textResult(QString::fromUtf8(value)));
}

void progress(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const auto steps = integer(conversation, request, arguments, "steps", 5, 1, 10'000);
    const auto interval =
        steps ? integer(conversation, request, arguments, "intervalMs", 200, 0, 60'000) : std::nullopt;
    if (!interval)
        return;
    const bool withTotal = json::member(arguments, u"withTotal"_s) != "false";
    const QByteArray token = json::member(json::member(request.params, u"_meta"_s), u"progressToken"_s);

    auto *timer = new QTimer(conversation.beginWork(request));
    auto done = std::make_shared<qint64>(0);
    QObject::connect(timer, &QTimer::timeout, timer, [=, &conversation, total = *steps] {
        ++*done;
        if (!token.isEmpty()) {
            json::Object params;
            params.raw("progressToken", token).number("progress", *done);
            if (withTotal)
                params.number("total", total);
            if (conversation.isAtLeast("2025-03-26"))
                params.text("message", u"Step %1 is done"_s.arg(*done));
            conversation.notify(u"notifications/progress"_s, params.done(), request);
        }
        if (*done < total)
            return;
        timer->stop();
        conversation.response(request, textResult(u"%1 steps are done."_s.arg(total)));
    });
    timer->start(int(*interval));
}

void log(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const auto count = integer(conversation, request, arguments, "count", 1, 1, 100'000);
    if (!count)
        return;
    const QString level = json::text(json::member(arguments, u"level"_s), u"info"_s);
    const QByteArray given = json::member(arguments, u"data"_s);
    for (qint64 i = 1; i <= *count; ++i)
        conversation.log(level, u"demo"_s, given.isEmpty() ? json::quoted(u"Message %1"_s.arg(i)) : given, request);
    conversation.response(request, textResult(u"%1 of level %2."_s.arg(*count).arg(level)));
}

void fail(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    conversation.response(request, failure(json::text(json::member(arguments, u"reason"_s), u"The disk is full."_s)));
}

void protocolError(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const auto code = integer(conversation, request, arguments, "code", InternalError, INT_MIN, INT_MAX);
    if (!code)
        return;
    const QByteArray data = json::member(arguments, u"data"_s);
    conversation.refuse(request, int(*code),
                        json::text(json::member(arguments, u"message"_s), u"The tool broke down."_s),
                        data.isEmpty() ? R"({"reason":"on purpose","attempts":3})"_ba : data);
}

void structuredReport(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const QByteArray report =
        json::Object()
            .text("station", json::text(json::member(arguments, u"station"_s), u"Höhe 7"_s))
            .raw("celsius", "-3.50")
            .number("humidity", 81)
            .raw("readings", R"([{"at":"2026-01-01T00:00:00Z","celsius":-3.50},{"at":"2026-01-01T01:00:00Z",)"
                             R"("celsius":-4.0}])")
            .done();
    conversation.response(request, structured(conversation, report));
}

void structuredWrong(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.response(request, structured(conversation, R"({"celsius":"warm","humidity":140})"));
}

void slow(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const QByteArray given = json::member(arguments, u"seconds"_s);
    bool ok = true;
    const double seconds = given.isEmpty() ? 5 : given.toDouble(&ok);
    if (!ok || seconds < 0 || seconds > 86400) {
        conversation.response(request, failure(u"'seconds' must be a number from 0 to 86400."_s));
        return;
    }
    QTimer::singleShot(int(seconds * 1000), conversation.beginWork(request), [&conversation, request, seconds] {
        conversation.response(request, textResult(u"That took %1 seconds."_s.arg(seconds)));
    });
}

void big(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const auto bytes = integer(conversation, request, arguments, "bytes", 1'000'000, 0, 1'000'000'000);
    if (!bytes)
        return;
    const QByteArray line = "0123456789abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ ";
    QByteArray text = line.repeated(*bytes / line.size() + 1);
    text.truncate(*bytes);
    conversation.response(request, R"({"content":[{"type":"text","text":")" + text + R"("}]})");
}

void deleteEverything(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const bool confirmed = json::member(arguments, u"confirm"_s) == "true";
    conversation.response(request, confirmed ? textResult(u"There was nothing to delete."_s)
                                             : failure(u"Not without 'confirm': true."_s));
}

void toggleTools(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.setExtraTool(!conversation.extraTool());
    conversation.response(
        request, textResult(conversation.extraTool() ? u"now-you-see-me is there."_s : u"now-you-see-me is gone."_s));
}

void nowYouSeeMe(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.response(request, textResult(u"You see me."_s));
}

void touchResource(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    const QString uri = json::text(json::member(arguments, u"uri"_s), u"demo://live/clock"_s);
    const bool subscribed = conversation.state().touchResource(uri) > 0;
    conversation.response(request, textResult(subscribed ? u"Announced."_s : u"Nobody subscribed to %1."_s.arg(uri)));
}

void pingBack(Conversation &conversation, const Request &request, const QByteArray &)
{
    QElapsedTimer clock;
    clock.start();
    conversation.ask(request, {{u"ping"_s, u"ping"_s, {}}}, [&conversation, request, clock](const InputResults &) {
        conversation.response(request, textResult(u"The client responded after %1 ms."_s.arg(clock.elapsed())));
    });
}

void sessionInfo(Conversation &conversation, const Request &request, const QByteArray &)
{
    const Client client = conversation.clientOf(request);
    QList<QByteArray> subscriptions;
    const QStringList uris = conversation.subscriptions();
    for (const QString &uri : uris)
        subscriptions.append(json::quoted(uri));
    conversation.response(request, structured(conversation, json::Object()
                                                                .text("revision", conversation.revision())
                                                                .text("client", client.name)
                                                                .text("logLevel", client.logLevel)
                                                                .raw("subscriptions", json::array(subscriptions))
                                                                .number("processId", QCoreApplication::applicationPid())
                                                                .done()));
}

void hostileText(Conversation &conversation, const Request &request, const QByteArray &)
{
    const QByteArray text =
        R"~("\u001b[2J\u001b[31mred\u001b[0m \u0000 \u0007 \u009b1m \u202eright to left\u202c zero)~"
        R"~(\u200bwidth \ud800 <script>alert(1)</script> [link](file:///etc/passwd)")~";
    conversation.response(request, R"({"content":[{"type":"text","text":)" + text + "}]}");
}

void regionalReport(Conversation &conversation, const Request &request, const QByteArray &arguments)
{
    conversation.response(
        request,
        textResult(u"A report for %1."_s.arg(json::text(json::member(arguments, u"region"_s), u"everywhere"_s))));
}

void endSubscriptions(Conversation &conversation, const Request &request, const QByteArray &)
{
    Q_EMIT conversation.state().subscriptionsEnded();
    conversation.response(request, textResult(u"No subscription is open any more."_s));
}

void longName(Conversation &conversation, const Request &request, const QByteArray &)
{
    conversation.response(request, textResult(u"A long name, a short result."_s));
}

}  // namespace

ToolFunction toolFunction(const QString &name)
{
    static const QHash<QString, ToolFunction> table{
        {u"add"_s, add},
        {u"every-field-kind"_s, everyFieldKind},
        {u"every-content-kind"_s, everyContentKind},
        {u"echo"_s, echo},
        {u"progress"_s, progress},
        {u"log"_s, log},
        {u"fail"_s, fail},
        {u"protocol-error"_s, protocolError},
        {u"structured-report"_s, structuredReport},
        {u"structured-wrong"_s, structuredWrong},
        {u"slow"_s, slow},
        {u"big"_s, big},
        {u"delete-everything"_s, deleteEverything},
        {u"toggle-tools"_s, toggleTools},
        {u"now-you-see-me"_s, nowYouSeeMe},
        {u"touch-resource"_s, touchResource},
        {u"ping-back"_s, pingBack},
        {u"session-info"_s, sessionInfo},
        {u"regional-report"_s, regionalReport},
        {u"unusable-header"_s, regionalReport},
        {u"end-subscriptions"_s, endSubscriptions},
        {u"hostile-text"_s, hostileText},
        {u"a-name-of-the-greatest-length-that-the-protocol-recommends.which-has-one-hundred-and-twenty-eight-"
         "characters_so-it-has-to-be-cut"_s,
         longName},
    };
    const ToolFunction asking = askingTool(name);
    return asking ? asking : table.value(name);
}

}  // namespace sonde::demo
