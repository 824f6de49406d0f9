// SPDX-License-Identifier: Apache-2.0
#include "core/client/statefuldialect.h"

#include "core/client/requestmeta.h"
#include "core/client/resultcheck.h"
#include "core/client/taskmessages.h"
#include "core/json/builder.h"
#include "core/json/bytesearch.h"
#include "core/protocol/methods.h"

using namespace Qt::StringLiterals;

namespace sonde {

QByteArray StatefulDialect::initializeParams(Revision proposed, const QByteArray &capabilities)
{
    json::Builder builder;
    builder.beginObject().member(u"protocolVersion", toString(proposed));
    builder.rawMember(u"capabilities", capabilities.isEmpty() ? QByteArrayView("{}") : QByteArrayView(capabilities));
    builder.rawMember(u"clientInfo", implementationJson());
    return builder.endObject().take();
}

bool StatefulDialect::hasBatches() const
{
    return supports(m_revision, Feature::Batches);
}

PreparedRequest StatefulDialect::prepare(const RequestBody &request, const RequestId &id,
                                         const CallOptions &options) const
{
    const bool wantsToken =
        options.askForProgress && request.method != methods::Initialize && request.method != methods::Ping;
    static const CaseInsensitiveMatcher token("progressToken");
    PreparedRequest prepared{request.params, {}, {}};
    if (options.task.ask && taskSupport().calls && request.method == methods::CallTool)
        prepared.params = withTask(prepared.params, options.task);
    if (wantsToken || token.isIn(prepared.params)) {
        const QList<MetaMember> members =
            wantsToken ? QList<MetaMember>{{"progressToken", id.toJson()}} : QList<MetaMember>();
        ParamsWithMeta with = withMeta(prepared.params, members);
        prepared.params = std::move(with.params);
        prepared.progressToken = std::move(with.progressToken);
    }
    return prepared;
}

Interpretation StatefulDialect::interpret(QStringView method, const Message &response) const
{
    Interpretation meaning = Dialect::interpret(method, response);
    const bool isOfTask = taskSupport().calls && meaning.outcome.kind == Outcome::Kind::Ok;
    checkResult(isOfTask && method == methods::TaskResult ? methods::CallTool : method, m_revision, &meaning.outcome);
    if (isOfTask && method == methods::CallTool && response.result()[u"task"].isObject())
        interpretStatefulTask(response.result()[u"task"], &meaning);
    else if (isOfTask && method == methods::GetTask && response.result().isObject())
        interpretStatefulTask(response.result(), &meaning);
    return meaning;
}

Message StatefulDialect::cancellation(QStringView method, const RequestId &id, const QString &reason) const
{
    if (method == methods::Initialize || !id.isMatchable())
        return {};
    return Message::notification(methods::Cancelled, cancellationParams(id, reason));
}

Message StatefulDialect::response(const Message &request) const
{
    if (request.method() == methods::Ping)
        return Message::response(request.id(), "{}"_ba);
    return {};
}

}  // namespace sonde
