// SPDX-License-Identifier: Apache-2.0
#include "core/client/batchreply.h"

#include "core/protocol/error.h"

namespace sonde {

bool BatchReply::isInvalidRequest(const Message &item)
{
    switch (item.kind()) {
        case Message::Kind::Request:
            return !item.id().isMatchable();
        case Message::Kind::Batch:
            return true;
        case Message::Kind::Invalid:
            break;
        default:
            return false;
    }
    const json::Value root = item.root();
    const bool isResponse =
        root[u"result"].exists() || root[u"error"].exists() || (item.isJsonRpc() && item.id().isMatchable());
    return root[u"method"].exists() || !isResponse;
}

Message BatchReply::invalidRequest(const RequestId &id)
{
    return Message::errorResponse(id.isMatchable() ? id : RequestId::fromValue(json::parse("null")),
                                  errorcodes::InvalidRequest, u"Invalid Request");
}

Message BatchReply::release()
{
    if (--m_awaited > 0 || m_responses.isEmpty())
        return {};
    return Message::parse('[' + m_responses.join(',') + ']');
}

}  // namespace sonde
