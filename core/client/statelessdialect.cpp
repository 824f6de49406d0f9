// SPDX-License-Identifier: Apache-2.0
#include "core/client/statelessdialect.h"

#include "core/client/era.h"
#include "core/client/requestmeta.h"
#include "core/client/resultcheck.h"
#include "core/client/taskmessages.h"
#include "core/json/builder.h"
#include "core/json/bytesearch.h"
#include "core/protocol/error.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct StatelessText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Dialect)
};

// A server that only wants to be asked again sets no pace.
constexpr std::chrono::milliseconds StatePause{250};
constexpr qint64 MaxSafeInteger = (qint64(1) << 53) - 1;

bool mayAskForInput(QStringView method)
{
    return method == methods::CallTool || method == methods::ReadResource || method == methods::GetPrompt;
}

// The member of params that Mcp-Name repeats; empty for methods that have none.
QStringView nameMember(QStringView method)
{
    if (method == methods::CallTool || method == methods::GetPrompt)
        return u"name";
    if (method == methods::GetTask || method == methods::UpdateTask || method == methods::CancelTask)
        return u"taskId";
    return method == methods::ReadResource ? QStringView(u"uri") : QStringView();
}

Error invalidResponse(const QString &text, const json::Value &evidence)
{
    return {Error::Kind::Protocol, 0, text, QString::fromUtf8(evidence.bytes().left(2048)), {}, {}};
}

json::Value valueAt(json::Value value, const QStringList &path)
{
    for (const QString &name : path)
        value = value[name];
    return value;
}

bool isUnsafeInteger(const json::Value &value)
{
    if (!value.isNumber())
        return false;
    const std::optional<qint64> number = value.toInteger();
    return number ? *number > MaxSafeInteger || *number < -MaxSafeInteger : std::abs(value.toDouble()) > MaxSafeInteger;
}

// The headers follow from the definition of the tool, which may have changed since it was listed.
bool isAboutParameterHeaders(const Outcome &outcome)
{
    static const CaseInsensitiveMatcher marker("mcp-param-");
    return outcome.kind == Outcome::Kind::ProtocolError && outcome.error.code == errorcodes::HeaderMismatch &&
           (marker.isIn(outcome.error.message.toUtf8()) || marker.isIn(outcome.error.data.slice()));
}

// An object without some of its members.
void addWithout(json::Builder *builder, const json::Value &object, std::initializer_list<QStringView> names)
{
    for (const json::Value &member : object) {
        const QString key = member.key();
        if (std::none_of(names.begin(), names.end(), [&](QStringView name) { return name == key; }))
            builder->rawKey(member.keySlice()).value(member);
    }
}

}  // namespace

QByteArray statelessCapabilities(const QByteArray &capabilities)
{
    json::Builder builder;
    builder.beginObject();
    for (const json::Value &member : json::parse(capabilities)) {
        if (member.key() == u"tasks")
            continue;
        builder.rawKey(member.keySlice());
        if (member.key() != u"roots" || !member.isObject()) {
            builder.value(member);
            continue;
        }
        builder.beginObject();
        addWithout(&builder, member, {u"listChanged"});
        builder.endObject();
    }
    return builder.endObject().take();
}

StatelessDialect::StatelessDialect(Revision revision, const QByteArray &capabilities, bool overHttp)
    : m_revision(revision), m_capabilities(statelessCapabilities(capabilities)), m_overHttp(overHttp)
{}

ServerInfo StatelessDialect::readDiscovery(const json::Value &result) const
{
    ServerInfo info = readServerInfo(result);
    info.protocolVersion = name();
    const json::Value implementation = result[u"_meta"][u"io.modelcontextprotocol/serverInfo"];
    if (implementation.exists())
        info.implementation = readImplementation(implementation);
    return info;
}

PreparedRequest StatelessDialect::prepare(const RequestBody &request, const RequestId &id,
                                          const CallOptions &options) const
{
    QList<MetaMember> meta{
        {"io.modelcontextprotocol/protocolVersion", '"' + name().toLatin1() + '"'},
        {"io.modelcontextprotocol/clientCapabilities",
         declaresTasks(request.method, options) ? withTasksExtension(m_capabilities) : m_capabilities}};
    if (m_tellsClientInfo)
        meta.insert(1, {"io.modelcontextprotocol/clientInfo", implementationJson()});
    if (!options.logLevel.isEmpty())
        meta.append({"io.modelcontextprotocol/logLevel", json::quoted(options.logLevel)});
    if (options.askForProgress)
        meta.append({"progressToken", id.toJson()});
    ParamsWithMeta with = withMeta(request.params, meta);
    PreparedRequest prepared{std::move(with.params), {}, std::move(with.progressToken)};
    if (m_overHttp) {
        const json::Value params = json::parse(prepared.params);
        if (request.method == methods::CallTool)
            prepared.error = problemOfCall(params);
        prepared.headers = headersOf(request.method, params);
    }
    return prepared;
}

bool StatelessDialect::declaresTasks(QStringView method, const CallOptions &options) const
{
    return taskSupport().calls && (options.task.follow != TaskOptions::Follow::No || method.startsWith(u"tasks/"));
}

Error StatelessDialect::problemOfCall(const json::Value &params) const
{
    const QString tool = params[u"name"].string();
    const auto known = m_tools.constFind(tool);
    if (known == m_tools.constEnd())
        return {};
    if (!known->problem.isEmpty())
        return Error::local(
            StatelessText::tr("The tool %1 cannot be called over HTTP: %2").arg(visibleLine(tool, 80), known->problem));
    for (const HeaderParameter &parameter : known->list) {
        if (isUnsafeInteger(valueAt(params[u"arguments"], parameter.path)))
            return Error::local(
                StatelessText::tr("“%1” is too large for the header %2: integers there end at ±9007199254740991.")
                    .arg(parameter.path.join(u'.'), QString::fromLatin1(parameter.header)));
    }
    return {};
}

MessageHeaders StatelessDialect::headersOf(const Message &request) const
{
    return m_overHttp ? headersOf(request.method(), request.params()) : MessageHeaders();
}

MessageHeaders StatelessDialect::headersOf(const QString &method, const json::Value &params) const
{
    const QString revision = params[u"_meta"][u"io.modelcontextprotocol/protocolVersion"].string(name());
    MessageHeaders headers{{"MCP-Protocol-Version", headerValue(revision)}, {"Mcp-Method", headerValue(method)}};
    const QStringView member = nameMember(method);
    if (const json::Value subject = params[member]; !member.isEmpty() && subject.isString())
        headers.append({"Mcp-Name", headerValue(subject.string())});
    if (method == methods::CallTool)
        addParameterHeaders(params, &headers);
    return headers;
}

void StatelessDialect::addParameterHeaders(const json::Value &params, MessageHeaders *headers) const
{
    const QList<HeaderParameter> parameters = m_tools.value(params[u"name"].string()).list;
    for (const HeaderParameter &parameter : parameters) {
        const json::Value value = valueAt(params[u"arguments"], parameter.path);
        if (value.isString())
            headers->append({parameter.header, headerValue(value.string())});
        else if (value.isBool())
            headers->append({parameter.header, value.toBool() ? "true" : "false"});
        else if (const std::optional<qint64> number = value.toInteger())
            headers->append({parameter.header, QByteArray::number(*number)});
    }
}

Interpretation StatelessDialect::interpret(QStringView method, const Message &response) const
{
    Interpretation meaning = Dialect::interpret(method, response);
    Outcome &outcome = meaning.outcome;
    if (outcome.kind == Outcome::Kind::Ok && response.result().isObject())
        interpretResult(method, response.result(), &meaning);
    if (meaning.kind == Interpretation::Kind::Finished)
        checkResult(method, revision(), &outcome);
    if (outcome.kind == Outcome::Kind::ProtocolError && outcome.error.code == errorcodes::UnsupportedRevision) {
        // Also when it is the very revision that the request was of: some servers negotiate like that.
        const QStringList supported = revisionNames(outcome.error.data[u"supported"]);
        if (supported.contains(name()))
            meaning.kind = Interpretation::Kind::Again;
        else
            outcome.error.hint =
                StatelessText::tr("The server supports %1, Sonde supports %2. Use Detect again.")
                    .arg(shownRevisions(supported), revisionNames(statelessRevisions() + statefulRevisions()));
    }
    if (m_overHttp && method == methods::CallTool && isAboutParameterHeaders(outcome))
        meaning.kind = Interpretation::Kind::AgainWithTools;
    return meaning;
}

void StatelessDialect::interpretResult(QStringView method, const json::Value &result, Interpretation *meaning) const
{
    Outcome &outcome = meaning->outcome;
    const auto refuse = [&](const QString &text) {
        outcome.kind = Outcome::Kind::NoResponse;
        outcome.error = invalidResponse(text, result);
    };
    const json::Value type = result[u"resultType"];
    const QString word = type.string();
    if (!type.exists()) {
        outcome.findings.append(StatelessText::tr("The result has no 'resultType'; it is read as complete."));
        if (method == methods::GetTask && taskSupport().calls)
            interpretStatelessTask(method, result, meaning);
    } else if (word == u"input_required" && mayAskForInput(method)) {
        const json::Value inputs = result[u"inputRequests"];
        const json::Value state = result[u"requestState"];
        if ((inputs.exists() && !inputs.isObject()) || (state.exists() && !state.isString()) ||
            (inputs.isEmpty() && !state.exists()))
            return refuse(StatelessText::tr("The server asks for input, but does not say which."));
        meaning->kind = Interpretation::Kind::InputRequired;
        for (const json::Value &entry : inputs)
            meaning->inputs.append({entry.key(), entry[u"method"].string(), entry[u"params"]});
        meaning->state = state.bytes();
        meaning->pause = StatePause;
    } else if (taskSupport().calls && ((word == u"task" && method == methods::CallTool) ||
                                       (method == methods::GetTask && (word == u"task" || word == u"complete")))) {
        interpretStatelessTask(method, result, meaning);
    } else if (word != u"complete") {
        refuse(StatelessText::tr("The result of %1 has the type %2, which is not allowed there.")
                   .arg(method, visibleLine(QString::fromUtf8(type.bytes().left(200)), 60)));
    }
}

RequestBody StatelessDialect::nextRound(const RequestBody &first, const Interpretation &last,
                                        const QList<InputResponse> &responses) const
{
    json::Builder params;
    params.beginObject();
    addWithout(&params, json::parse(first.params), {u"inputResponses", u"requestState"});
    if (!responses.isEmpty()) {
        params.key(u"inputResponses").beginObject();
        for (const InputResponse &response : responses)
            params.rawMember(response.key, response.result);
        params.endObject();
    }
    if (!last.state.isEmpty())
        params.rawMember(u"requestState", last.state);
    return {first.method, params.endObject().take()};
}

Message StatelessDialect::cancellation(QStringView, const RequestId &id, const QString &reason) const
{
    return id.isMatchable() ? Message::notification(methods::Cancelled, cancellationParams(id, reason)) : Message();
}

void StatelessDialect::learnTools(const json::Value &toolList)
{
    static const CaseInsensitiveMatcher marker("-mcp-header");
    if (m_tools.isEmpty() && !marker.isIn(toolList.slice()))
        return;
    for (const json::Value &tool : toolList[u"tools"]) {
        const QString name = tool[u"name"].string();
        const HeaderParameters parameters = readHeaderParameters(tool[u"inputSchema"]);
        if (parameters.list.isEmpty() && parameters.problem.isEmpty())
            m_tools.remove(name);
        else
            m_tools.insert(name, parameters);
    }
}

}  // namespace sonde
