// Runs tests/peers/checkmessages.mjs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/e2e/peers.h"

#include <QFileInfo>
#include <QProcess>

namespace sonde::test {

inline const QString OfficialSchemas = QStringLiteral(SONDE_SOURCE_DIR "/../shared/schema");

inline QString whyNoMessageCheck()
{
    if (!QFileInfo::exists(OfficialSchemas))
        return QStringLiteral("the messages are not checked: the official schemas are not on this machine");
    return whyNoPeers();
}

struct MessageCheck {
    int exitCode = -1;
    QByteArray text;
};

inline MessageCheck checkMessages(const QString &folder)
{
    QProcess check;
    check.setProcessChannelMode(QProcess::MergedChannels);
    check.start(peerNode(),
                {QStringLiteral(SONDE_SOURCE_DIR "/tests/peers/checkmessages.mjs"), OfficialSchemas, folder});
    const bool ended = check.waitForFinished(120'000) && check.exitStatus() == QProcess::NormalExit;
    return {ended ? check.exitCode() : -1, check.readAll()};
}

}  // namespace sonde::test
