// A replay step by step, and the evidence where a check of it fails.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/differencetext.h"
#include "core/replay/replayreport.h"
#include "tests/e2e/driver.h"

namespace sonde::test {

// Every step that is not the same, and why.
inline QByteArray tell(const Replayer &replayer)
{
    QByteArray text;
    for (const ReplayStep &step : replayer.steps()) {
        if (step.status == ReplayStep::Status::Same)
            continue;
        text += toString(step.status).toUtf8() + ' ' + step.method.toUtf8() + ' ' + step.target.toUtf8() + ' ' +
                step.reason.toUtf8() + '\n';
        for (const QString &line : describeServerRequests(step))
            text += "    " + line.toUtf8() + '\n';
        for (const json::Difference &difference : step.differences)
            text += "    " + describe(difference).toUtf8() + '\n';
    }
    return text;
}

// The replayer asks for the lists itself, in recorded order.
inline ConnectionOptions quiet(const QString &path = {})
{
    ConnectionOptions options;
    options.loadCatalog = false;
    options.sessionPath = path;
    return options;
}

// Everything that a recording holds, to be made again; also what may destroy something, unless that is changed before
// run(). The replayer is there before the server can ask anything.
struct Replay {
    Driver driver;
    Replayer replayer;

    Replay(const Session &recording, const ServerSpec &server, const ReplayRules &rules = {},
           const ConnectionOptions &options = quiet())
        : driver(server, options), replayer(&recording, replayMaterial(recording), &driver.connection(), rules)
    {
        replayer.setDestructive(Replayer::Destructive::Allow);
    }

    // False, with the reason as a warning, when it does not come to its end.
    bool run()
    {
        if (!driver.openOnly()) {
            qWarning("%s", driver.describe().constData());
            return false;
        }
        replayer.start();
        if (driver.waitUntil([this] { return replayer.isFinished(); }))
            return true;
        qWarning("%s", tell(replayer).constData());
        return false;
    }
};

}  // namespace sonde::test
