// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/messagefields.h"

#include "core/json/compare.h"
#include "core/json/scan.h"
#include "core/protocol/methods.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

using Member = MessageFields::Member;

constexpr QByteArrayView FieldNames[] = {"jsonrpc",       "id",
                                         "method",        "params",
                                         "result",        "error",
                                         "name",          "uri",
                                         "_meta",         "progressToken",
                                         "requestId",     "taskId",
                                         "status",        "elicitationId",
                                         "requestState",  "inputResponses",
                                         "inputRequests", "isError",
                                         "resultType",    "task",
                                         "result",        "error"};
static_assert(std::size(FieldNames) == MessageFields::MemberCount);
constexpr Member FirstInner = MessageFields::Name;

// The members whose names have that length, a bit for each.
constexpr std::array<quint32, 16> MembersOfLength = [] {
    std::array<quint32, 16> members{};
    for (size_t member = 0; member < std::size(FieldNames); ++member)
        members[size_t(FieldNames[member].size())] |= quint32(1) << member;
    return members;
}();

// Among those from `first` up to `end`. MemberCount: none of those.
Member find(QByteArrayView name, Member first, Member end)
{
    const quint32 range = (quint32(1) << end) - (quint32(1) << first);
    quint32 left = name.size() < qsizetype(MembersOfLength.size()) ? MembersOfLength[size_t(name.size())] & range : 0;
    for (; left != 0; left &= left - 1) {
        const auto member = Member(std::countr_zero(left));
        const QByteArrayView known = FieldNames[member];
        if (known.front() == name.front() && std::memcmp(known.data(), name.data(), size_t(known.size())) == 0)
            return member;
    }
    return MessageFields::MemberCount;
}

class FieldsReader {
public:
    FieldsReader(QByteArrayView text, MessageFields *fields) : m_scanner(text), m_fields(*fields) {}

    // False: this is no valid JSON object.
    bool read()
    {
        const bool isObject = m_scanner.object([this](QByteArrayView name, bool isPlain) {
            const Member member = memberNamed(name, isPlain, MessageFields::JsonRpc, FirstInner);
            if (member == MessageFields::MemberCount) {
                m_isUsual = false;
                return m_scanner.value();
            }
            m_isUsual = ++m_fields.counts[member] == 1 && m_isUsual;
            const bool hasInner = member == MessageFields::Params || member == MessageFields::Result;
            return hasInner ? readInner(member) : readValue(member);
        });
        if (!isObject || !m_scanner.takeEnd())
            return false;
        // Broken messages can have both.
        const Member holder = m_fields[MessageFields::Method].isEmpty() ? MessageFields::Result : MessageFields::Params;
        if (holder == m_holder || !m_fields[holder].startsWith('{'))
            return true;
        forgetInner();
        return FieldsReader(m_fields[holder], &m_fields).readInner(holder);
    }

    // Nothing was there but what messages usually have.
    bool isUsual() const { return m_isUsual; }

private:
    bool readInner(Member holder)
    {
        if (std::exchange(m_holder, holder) != MessageFields::MemberCount)
            forgetInner();
        const char *const start = m_scanner.at;
        if (!m_scanner.peek('{'))
            return readValue(holder);
        const bool isObject = m_scanner.object([this](QByteArrayView name, bool isPlain) {
            const Member member = memberNamed(name, isPlain, FirstInner, MessageFields::MemberCount);
            return member == MessageFields::MemberCount ? m_scanner.value() : readValue(member);
        });
        if (isObject)
            m_fields.members[holder] = {start, m_scanner.at};
        return isObject;
    }

    void forgetInner() { std::fill(m_fields.members.begin() + FirstInner, m_fields.members.end(), QByteArrayView()); }

    bool readValue(Member member)
    {
        const char *const start = m_scanner.at;
        const bool isValue = m_scanner.value();
        if (isValue)
            m_fields.members[member] = {start, m_scanner.at};
        return isValue;
    }

    Member memberNamed(QByteArrayView name, bool isPlain, Member first, Member end)
    {
        m_isUsual = m_isUsual && isPlain;
        return isPlain ? find(name, first, end)
                       : find(json::decoded({name.begin() - 1, name.end() + 1}).toUtf8(), first, end);
    }

    json::Scanner<json::Reading::Strict> m_scanner;
    MessageFields &m_fields;
    Member m_holder = MessageFields::MemberCount;  // of the inner members
    bool m_isUsual = true;
};

// Made when it is compiled: otherwise its end is looked for in each message.
constexpr QByteArrayView JsonRpcVersion = "\"2.0\"";
constexpr QByteArrayView MinusZero = "-0";

bool isPlainString(QByteArrayView text)
{
    return text.startsWith('"') && !text.contains('\\');
}

// An ID as nearly all are: a string without escapes, or an integer that fits.
bool isPlainId(QByteArrayView text)
{
    if (text.isEmpty() || text.startsWith('"'))
        return isPlainString(text);
    const QByteArrayView digits = text.sliced(text.startsWith('-') ? 1 : 0);
    return text.size() <= 18 && text != MinusZero &&
           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// IDs, tokens and states are short. What is longer than this is not looked into, so that a message of many megabytes
// costs one pass over its bytes.
constexpr qsizetype MaxDetailLength = 256 * 1024;

json::Value parsed(QByteArrayView text)
{
    return text.size() <= MaxDetailLength ? json::parse(text.toByteArray()) : json::Value();
}

RequestId idIn(QByteArrayView text)
{
    return isPlainId(text) ? RequestId::fromPlain(text) : RequestId::fromValue(parsed(text));
}

bool anyAsksPerson(QByteArrayView inputRequests)
{
    bool any = false;
    json::scanMembers(inputRequests, [&any](QByteArrayView, QByteArrayView request) {
        any = any || asksPerson(parsed(json::findMember(request, "method")).string());
    });
    return any;
}

std::map<QString, QByteArray> argumentsOf(QByteArrayView request)
{
    std::map<QString, QByteArray> arguments;
    json::scanMembers(json::findMember(request, "params"), [&](QByteArrayView key, QByteArrayView value) {
        const QString name = json::decoded(key);
        if (name != u"_meta" && name != u"inputResponses" && name != u"requestState")
            arguments[name] = value.toByteArray();
    });
    return arguments;
}

}  // namespace

MessageFields MessageFields::read(QByteArrayView json)
{
    MessageFields fields;
    FieldsReader reader(json, &fields);
    const auto has = [&fields](Member member) { return fields.has(member); };
    fields.isObject = reader.read();
    if (!fields.isObject || !reader.isUsual() || fields[JsonRpc] != JsonRpcVersion || has(Error) ||
        (has(Id) && !isPlainId(fields[Id])) || (has(Params) && !fields[Params].startsWith('{')) ||
        (has(Result) && !fields[Result].startsWith('{')))
        return fields;
    if (has(Method))
        fields.isPlain = isPlainString(fields[Method]) && !fields.content(Method).isEmpty() && !has(Result);
    else
        fields.isPlain = has(Id) && has(Result) && !has(Params) && !fields[ResultType].contains('\\');
    if (fields.isPlain)
        fields.kind = !has(Method) ? Message::Kind::Result
                      : has(Id)    ? Message::Kind::Request
                                   : Message::Kind::Notification;
    return fields;
}

MessageFields MessageFields::ofTree(const json::Value &object)
{
    MessageFields fields;
    for (const json::Value &value : object) {
        for (size_t member = 0; member < fields.counts.size(); ++member) {
            if (!json::isKey(value.keySlice(), FieldNames[member]))
                continue;
            fields.members[member] = value.slice();
            ++fields.counts[member];
        }
    }
    return fields;
}

QLatin1String MessageFields::nameOf(Member member)
{
    return QLatin1String(FieldNames[member]);
}

QByteArrayView MessageFields::content(Member member) const
{
    const QByteArrayView written = members[member];
    return written.startsWith('"') ? written.sliced(1).chopped(1) : QByteArrayView();
}

QString MessageFields::string(Member member) const
{
    const QByteArrayView written = members[member];
    return written.startsWith('"') && written.size() <= MaxDetailLength ? json::decoded(written) : QString();
}

bool asksPerson(QStringView method)
{
    return method == methods::Elicit || method == methods::CreateMessage;
}

bool mayBeAskedDuring(QStringView method)
{
    return method == methods::CallTool || method == methods::GetPrompt || method == methods::ReadResource ||
           method == methods::Complete;
}

CallFields callFields(const MessageFields &message)
{
    CallFields fields;
    fields.id = idIn(message[MessageFields::Id]);
    if (message[MessageFields::Method].isEmpty())
        return fields;
    fields.token = idIn(message[MessageFields::ProgressToken]);
    fields.about = idIn(message[MessageFields::AboutId]);
    fields.task = message.string(MessageFields::TaskId);
    fields.status = message.string(MessageFields::Status);
    fields.elicitation = message.string(MessageFields::ElicitationId);
    fields.state = message[MessageFields::RequestState].toByteArray();
    fields.hasResponses = !message[MessageFields::InputResponses].isEmpty();
    fields.asksPerson = anyAsksPerson(message[MessageFields::InputRequests]);
    if (message[MessageFields::Meta].isEmpty())
        return fields;
    const json::Value meta = parsed(message[MessageFields::Meta]);
    fields.subscription = RequestId::fromValue(meta[u"io.modelcontextprotocol/subscriptionId"]);
    if (fields.token.isNone())
        fields.token = RequestId::fromValue(meta[u"progressToken"]);
    if (fields.task.isEmpty())
        fields.task = meta[u"io.modelcontextprotocol/related-task"][u"taskId"].string();
    return fields;
}

CallFields callFields(QByteArrayView message)
{
    return callFields(MessageFields::read(message));
}

ResultFields resultFields(const MessageFields &message)
{
    ResultFields fields;
    fields.task = message.string(MessageFields::TaskId);
    fields.status = message.string(MessageFields::Status);
    fields.state = message[MessageFields::RequestState].toByteArray();
    fields.asksPerson = anyAsksPerson(message[MessageFields::InputRequests]);
    fields.isToolError =
        message.isToolError() || json::findMember(message[MessageFields::TaskResult], "isError") == "true";
    fields.hasError = message[MessageFields::TaskError].startsWith('{');
    const QString type = message.string(MessageFields::ResultType);
    if (type == u"input_required") {
        fields.kind = ResultFields::Kind::InputRequired;
    } else if (type == u"task" && !fields.task.isEmpty()) {
        fields.kind = ResultFields::Kind::Task;
    } else if (type.isEmpty() && !message[MessageFields::Task].isEmpty()) {
        const json::Value task = parsed(message[MessageFields::Task]);
        if (const QString id = task[u"taskId"].string(); !id.isEmpty()) {
            fields.kind = ResultFields::Kind::Task;
            fields.task = id;
            fields.status = task[u"status"].string();
        }
    }
    return fields;
}

ResultFields resultFields(QByteArrayView message)
{
    return resultFields(MessageFields::read(message));
}

QStringList elicitationsRequired(QByteArrayView message)
{
    const json::Value error = parsed(MessageFields::read(message)[MessageFields::Error]);
    QStringList ids;
    if (error[u"code"].toInteger() != errorcodes::UrlElicitationRequired)
        return ids;
    for (const json::Value &elicitation : error[u"data"][u"elicitations"]) {
        if (const QString id = elicitation[u"elicitationId"].string(); !id.isEmpty())
            ids.append(id);
    }
    return ids;
}

bool isNamed(QByteArrayView method)
{
    return method == "tools/call" || method == "prompts/get";
}

bool hasUri(QByteArrayView method)
{
    return method.startsWith("resources/") || method.startsWith("notifications/resources/");
}

QString targetOf(const Message &call)
{
    const QByteArray method = call.method().toUtf8();
    return isNamed(method)  ? call.fields().string(MessageFields::Name)
           : hasUri(method) ? call.fields().string(MessageFields::Uri)
                            : QString();
}

RequestId requestIdOf(const Message &message)
{
    return message.kind() == Message::Kind::Request ? message.id() : RequestId();
}

bool haveSameArguments(QByteArrayView request, QByteArrayView other)
{
    const std::map<QString, QByteArray> left = argumentsOf(request);
    const std::map<QString, QByteArray> right = argumentsOf(other);
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), [](const auto &one, const auto &two) {
        return one.first == two.first &&
               (one.second == two.second || json::equal(json::parse(one.second), json::parse(two.second)));
    });
}

}  // namespace sonde
