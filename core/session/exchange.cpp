// SPDX-License-Identifier: Apache-2.0
#include "core/session/exchange.h"

namespace sonde {

Message answerTo(const Session &session, qsizetype row)
{
    const qsizetype partner = session.partnerOf(row);
    if (partner < 0)
        return {};
    const Message said = session.message(partner);
    return said.kind() == Message::Kind::Batch ? said.answerInBatch(session.message(row).id()) : said;
}

}  // namespace sonde
