// Two sides to compare, made by hand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/compareentry.h"

namespace sonde::test {

inline ui::CompareSide side(const QString &name, const QByteArray &tools, const QByteArray &handshake = "{}",
                            const QByteArray &environment = {})
{
    ui::CompareSide side;
    side.name = name;
    side.isLive = true;
    side.snapshot.name = name;
    side.snapshot.handshake = json::parse(handshake);
    if (!environment.isEmpty())
        side.snapshot.environment = json::parse(environment);
    side.snapshot.isListed = {true, true, true, true};
    for (const json::Value &tool : json::parse(tools))
        side.snapshot.entries[size_t(ServerSnapshot::List::Tools)].emplaceBack(tool[u"name"].string(), tool);
    return side;
}

inline std::shared_ptr<const ui::ComparedSides> compared(const ui::CompareSide &left, const ui::CompareSide &right)
{
    return ui::compareSides(left, right, std::make_shared<std::atomic_bool>(false));
}

// As many tools as that, each with a schema; every hundredth is another one for another seed.
inline QByteArray manyTools(int count, int seed)
{
    QByteArray tools = "[";
    for (int i = 0; i < count; ++i) {
        const QByteArray number = QByteArray::number(i);
        tools += QByteArray(i == 0 ? "" : ",") + "{\"name\":\"tool-" + number + "\",\"description\":\"Does thing " +
                 number + ".\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"" +
                 (i % 100 == 0 && seed > 0 ? "integer" : "string") + "\"},\"b\":{\"type\":\"number\",\"minimum\":0}}}}";
    }
    return tools + ']';
}

}  // namespace sonde::test
