// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/replay/demorecording.h"

#include "core/transport/monotonicclock.h"

namespace sonde::test {

bool recordDemo(const QString &path, const QList<DemoCall> &calls, const Alter &alter)
{
    Driver driver(demoServer());
    if (!driver.open())
        return false;
    for (const DemoCall &call : calls)
        driver.callTool(call.tool, call.arguments);
    driver.connection().session()->flush();  // the last response is shown at the end of its turn
    const Session &from = driver.session();
    const std::unique_ptr<Session> to = Session::create(path, QStringLiteral("demo"));
    for (qsizetype row = 0; row < from.size(); ++row) {
        const RecordInfo &info = from.at(row);
        WireEvent event;
        event.kind = info.kind;
        event.direction = info.direction;
        event.monotonicNs = monotonicNs();
        event.bytes = alter ? alter(from.bytes(row)) : from.bytes(row);
        event.wireLength = event.bytes.size();
        event.facts = from.facts(row);
        event.terminator = info.terminator;
        if (info.kind == WireEvent::Kind::Message)
            event.message = Message::parse(event.bytes);
        to->append(event, info.connection);
    }
    to->finish();
    return !to->error();
}

}  // namespace sonde::test
