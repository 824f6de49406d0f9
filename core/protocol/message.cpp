// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/message.h"

#include "core/json/builder.h"
#include "core/json/scan.h"
#include "core/json/stringcodec.h"
#include "core/protocol/messagefields.h"
#include "core/protocol/methods.h"
#include "core/protocol/nestingdepth.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>
#include <vector>

namespace sonde {

namespace {

struct MessageText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Message)
};

// Beyond this only the fields are read: a tree would cost a frame or more of the thread that reads.
constexpr qsizetype LargeText = 64 * 1024;
constexpr int MaxProblems = 5;  // of the JSON itself; the document lists all

using Member = MessageFields::Member;

// JSON-RPC 2.0 section 5.1, without reading error.data, which may be large.
void judgeError(QByteArrayView error, QStringList *problems)
{
    if (!error.startsWith('{')) {
        problems->append(MessageText::tr("'error' is not an object."));
        return;
    }
    json::Value code;
    json::Value message;
    json::scanMembers(error, [&](QByteArrayView key, QByteArrayView value) {
        if (json::isKey(key, "code"))
            code = json::parse(value.toByteArray());
        else if (json::isKey(key, "message"))
            message = json::parse(value.toByteArray());
    });
    if (!code.exists())
        problems->append(MessageText::tr("'code' is missing in 'error'."));
    else if (!code.toInteger())
        problems->append(MessageText::tr("'code' in 'error' is not an integer."));
    if (!message.exists())
        problems->append(MessageText::tr("'message' is missing in 'error'."));
    else if (!message.isString())
        problems->append(MessageText::tr("'message' in 'error' is not a string."));
}

void judgeId(const RequestId &id, bool nullAllowed, QStringList *problems)
{
    if (id.kind() != RequestId::Kind::Other && !id.isOddlyWritten())
        return;
    const QByteArray written = id.toJson();
    if (written == "null") {
        if (!nullAllowed)
            problems->append(MessageText::tr("'id' is null and cannot be matched to a request."));
    } else if (written.startsWith('{') || written.startsWith('[') || written == "true" || written == "false") {
        problems->append(MessageText::tr("'id' is neither an integer nor a string."));
    } else {
        problems->append(MessageText::tr("'id' is not written as an integer: %1.").arg(id.toString()));
    }
}

// Why there is no code, or an empty string.
QString problemOfCode(const json::Value &code)
{
    constexpr qsizetype maxShown = 40;
    const QString shown = visibleLine(QString::fromUtf8(code.bytes().left(4 * maxShown)), maxShown);
    if (!code.exists())
        return MessageText::tr("The error has no 'code'.");
    if (!code.toInteger())
        return MessageText::tr("The error's 'code' is not an integer: %1").arg(shown);
    return *code.toInteger() == 0 ? QString() : MessageText::tr("The error's 'code' is out of range: %1").arg(shown);
}

}  // namespace

struct Message::Data {
    Data() = default;
    Data(const QByteArray &bytes, const json::Limits &given)
        : raw(bytes),
          limits(given),
          isWithinLimits(bytes.size() <= given.maxBytes && given.maxDepth == json::Limits().maxDepth),
          fields(isWithinLimits ? MessageFields::read(raw) : MessageFields())
    {}

    QByteArray raw;
    json::Limits limits;
    bool isWithinLimits = true;  // so that its fields can be read without a tree
    Kind kind = Kind::Invalid;
    bool isJsonRpc = false;
    bool isParsed = false;
    MessageFields fields;                  // views into raw
    std::vector<QByteArrayView> elements;  // of a batch, in raw
    RequestId id;
    QString method;
    QStringList problems;
    json::Document document;

    bool judgePlain();
    bool scanBatch();
    void parse();
    void judge(const MessageFields &members);
    void judgeRequest(const MessageFields &members);
    void judgeResponse(const MessageFields &members);
    void judgeTree();
    void judgeBatch(const json::Value &array);
};

// What MessageFields vouches for has no problems, and nothing in it is left to be judged.
bool Message::Data::judgePlain()
{
    if (!fields.isPlain)
        return false;
    kind = fields.kind;
    isJsonRpc = true;
    const QByteArrayView name = fields.content(MessageFields::Method);
    method = methods::frequentName(QLatin1StringView(name));
    if (method.isNull())
        method = json::fromUtf8(name);
    if (const QByteArrayView written = fields[MessageFields::Id]; !written.isEmpty())
        id = RequestId::fromPlain(written);
    return true;
}

// Takes a large array of valid JSON apart. False when it is not, or when none of its elements is JSON-RPC.
bool Message::Data::scanBatch()
{
    std::vector<QByteArrayView> found;
    bool hasMessage = false;
    json::Scanner<json::Reading::Strict> scanner(raw);
    const bool isArray = scanner.array([&] {
        const char *const begin = scanner.at;
        if (scanner.peek('[') || !scanner.value())
            return false;  // each level of arrays would be read once more
        const QByteArrayView element(begin, scanner.at);
        hasMessage = hasMessage || Message::parse(element.toByteArray(), limits).isJsonRpc();
        found.push_back(element);
        return true;
    });
    if (!isArray || !scanner.takeEnd() || !hasMessage)
        return false;
    elements = std::move(found);
    isJsonRpc = true;
    kind = Kind::Batch;
    return true;
}

void Message::Data::parse()
{
    document = json::Document::parse(raw, limits);
    isParsed = true;
    if (!fields.isPlain || !document.isValid())
        judgeTree();
}

void Message::Data::judgeTree()
{
    QStringList faults;
    for (const json::Finding &finding : document.findings()) {
        if (finding.severity == json::Finding::Severity::Error && faults.size() < MaxProblems)
            faults.append(MessageText::tr("Not JSON, at byte %1: %2").arg(finding.offset).arg(finding.reason));
    }
    const json::Value root = document.root();
    if (root.isObject()) {
        judge(document.isValid() && fields.isObject ? fields : MessageFields::ofTree(root));
    } else if (root.isArray()) {
        judgeBatch(root);
    } else if (document.isValid()) {
        problems.append(MessageText::tr("JSON, but neither an object nor an array."));
    }
    if (document.isValid())
        return;
    kind = Kind::Invalid;
    if (isOnlyTooDeep(raw, limits))
        faults = {MessageText::tr("Nested deeper than %1 levels, the limit of Sonde. The message is not read.")
                      .arg(limits.maxDepth)};
    problems = faults + problems;
}

void Message::Data::judgeBatch(const json::Value &array)
{
    kind = Kind::Invalid;
    isJsonRpc = false;
    elements.clear();
    for (const json::Value &element : array) {
        elements.push_back(element.slice());
        isJsonRpc = isJsonRpc || element[u"jsonrpc"].string() == QLatin1String("2.0");
    }
    if (isJsonRpc)
        kind = Kind::Batch;
    else if (!document.isValid())
        return;  // more likely a log line that begins with a bracket
    else if (array.isEmpty())
        problems.append(MessageText::tr("An empty array is not a batch."));
    else
        problems.append(MessageText::tr("No element of this array is a JSON-RPC message."));
}

void Message::Data::judge(const MessageFields &members)
{
    kind = Kind::Invalid;
    problems.clear();
    isJsonRpc = members.string(MessageFields::JsonRpc) == QLatin1String("2.0");
    if (members[MessageFields::JsonRpc].isEmpty())
        problems.append(MessageText::tr("'jsonrpc' is missing."));
    else if (!isJsonRpc)
        problems.append(MessageText::tr("'jsonrpc' is not \"2.0\"."));
    for (size_t i = 0; i < members.counts.size(); ++i) {
        if (members.counts[i] > 1)
            problems.append(MessageText::tr("'%1' occurs more than once; the last one counts.")
                                .arg(MessageFields::nameOf(Member(i))));
    }

    id = RequestId::fromValue(json::parse(members[MessageFields::Id].toByteArray()));
    method = members.string(MessageFields::Method);
    if (members.has(MessageFields::Method)) {
        judgeRequest(members);
    } else if (members.has(MessageFields::Result) || members.has(MessageFields::Error)) {
        judgeResponse(members);
    } else if (isJsonRpc) {
        problems.append(MessageText::tr("None of 'method', 'result' and 'error' is present."));
    }
    if (!isJsonRpc)
        kind = Kind::Invalid;
}

void Message::Data::judgeRequest(const MessageFields &members)
{
    if (!members[MessageFields::Method].startsWith('"'))
        problems.append(MessageText::tr("'method' is not a string."));
    else
        kind = members.has(MessageFields::Id) ? Kind::Request : Kind::Notification;
    judgeId(id, false, &problems);
    if (members.has(MessageFields::Params) && !members[MessageFields::Params].startsWith('{')) {
        problems.append(members[MessageFields::Params].startsWith('[')
                            ? MessageText::tr("'params' is an array; MCP allows objects only.")
                            : MessageText::tr("'params' is not an object."));
    }
    for (const Member member : {MessageFields::Result, MessageFields::Error}) {
        if (members.has(member))
            problems.append(
                MessageText::tr("'%1' is not allowed together with 'method'.").arg(MessageFields::nameOf(member)));
    }
}

void Message::Data::judgeResponse(const MessageFields &members)
{
    const bool hasResult = members.has(MessageFields::Result);
    const bool hasError = members.has(MessageFields::Error);
    // "error": null beside a result is JSON-RPC 1.0's way to say that there is none.
    const bool succeeded = hasResult && (!hasError || members[MessageFields::Error] == "null");
    kind = succeeded ? Kind::Result : Kind::Error;
    if (hasResult && hasError)
        problems.append(MessageText::tr("Both 'result' and 'error' are present."));
    if (succeeded) {
        if (!members.has(MessageFields::Id))
            problems.append(MessageText::tr("'id' is missing."));
        if (!members[MessageFields::Result].startsWith('{'))
            problems.append(MessageText::tr("'result' is not an object."));
    } else {
        judgeError(members[MessageFields::Error], &problems);
    }
    judgeId(id, !succeeded, &problems);
    if (members.has(MessageFields::Params))
        problems.append(MessageText::tr("'params' is not allowed in a response."));
}

Message::Message() = default;

Message::Message(std::shared_ptr<Data> data) : m_data(std::move(data)) {}

const Message::Data &Message::data() const
{
    static const Data none;
    return m_data ? *m_data : none;
}

Message Message::parse(const QByteArray &bytes, const json::Limits &limits)
{
    const auto data = std::make_shared<Data>(bytes, limits);
    if (data->judgePlain())
        return Message(data);
    if (data->isWithinLimits && bytes.size() > LargeText && data->scanBatch())
        return Message(data);
    if (data->fields.isObject && bytes.size() > LargeText)
        data->judge(data->fields);
    else
        data->parse();
    return Message(data);
}

Message Message::request(const RequestId &id, QStringView method, const QByteArray &params)
{
    json::Builder builder;
    builder.beginObject().member(u"jsonrpc", u"2.0").rawMember(u"id", id.toJson()).member(u"method", method);
    if (!params.isEmpty())
        builder.rawMember(u"params", params);
    return parse(builder.endObject().take());
}

Message Message::notification(QStringView method, const QByteArray &params)
{
    json::Builder builder;
    builder.beginObject().member(u"jsonrpc", u"2.0").member(u"method", method);
    if (!params.isEmpty())
        builder.rawMember(u"params", params);
    return parse(builder.endObject().take());
}

Message Message::response(const RequestId &id, const QByteArray &result)
{
    json::Builder builder;
    builder.beginObject().member(u"jsonrpc", u"2.0").rawMember(u"id", id.isNone() ? "null" : id.toJson());
    return parse(builder.rawMember(u"result", result).endObject().take());
}

Message Message::errorResponse(const RequestId &id, int code, QStringView text, const QByteArray &data)
{
    json::Builder builder;
    builder.beginObject().member(u"jsonrpc", u"2.0").rawMember(u"id", id.isNone() ? "null" : id.toJson());
    builder.key(u"error").beginObject().member(u"code", qint64(code)).member(u"message", text);
    if (!data.isEmpty())
        builder.rawMember(u"data", data);
    return parse(builder.endObject().endObject().take());
}

Message::Kind Message::kind() const
{
    return data().kind;
}

const RequestId &Message::id() const
{
    return data().id;
}

const QString &Message::method() const
{
    return data().method;
}

const QByteArray &Message::raw() const
{
    return data().raw;
}

const QStringList &Message::problems() const
{
    return data().problems;
}

bool Message::isJsonRpc() const
{
    return data().isJsonRpc;
}

const MessageFields &Message::fields() const
{
    return data().fields;
}

const json::Document &Message::document() const
{
    if (m_data && !m_data->isParsed)
        m_data->parse();
    return data().document;
}

bool Message::isParsed() const
{
    return !m_data || m_data->isParsed;
}

Message Message::parsed() const
{
    if (isParsed())
        return *this;
    // A copy of the data: other handles may be in use on other threads.
    const auto copy = std::make_shared<Data>(*m_data);
    copy->parse();
    return Message(copy);
}

json::Value Message::params() const
{
    return root()[u"params"];
}

json::Value Message::result() const
{
    return root()[u"result"];
}

json::Value Message::error() const
{
    return root()[u"error"];
}

Error Message::toError() const
{
    const json::Value value = error();
    const qint64 code = value[u"code"].toInteger().value_or(0);
    const bool fits = code >= std::numeric_limits<int>::min() && code <= std::numeric_limits<int>::max();
    Error result;
    result.kind = Error::Kind::Remote;
    result.code = fits ? int(code) : 0;
    result.message = value.isString() ? value.string() : value[u"message"].string();
    if (result.message.isEmpty())
        result.message = MessageText::tr("The server returned an error without a message.");
    if (result.code == 0)
        result.hint = problemOfCode(value[u"code"]);
    result.data = value[u"data"];
    return result;
}

QList<Message> Message::batch() const
{
    QList<Message> messages;
    if (kind() != Kind::Batch)
        return messages;
    messages.reserve(batchSize());
    for (const QByteArrayView element : data().elements)
        messages.append(parse(element.toByteArray(), data().limits));
    return messages;
}

qsizetype Message::batchSize() const
{
    return qsizetype(data().elements.size());
}

QByteArray Message::batchBytes(qsizetype index) const
{
    if (index < 0 || index >= batchSize())
        return {};
    return data().elements[size_t(index)].toByteArray();
}

Message Message::responseInBatch(const RequestId &request) const
{
    for (qsizetype i = 0; i < batchSize(); ++i) {
        const Message element = parse(batchBytes(i), data().limits);
        if (element.isResponse() && element.id() == request)
            return element;
    }
    return {};
}

}  // namespace sonde
