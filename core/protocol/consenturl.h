// The address that a server asks the person to open.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QUrl>

namespace sonde {

// What a person has to see before anything opens. Spec: client/elicitation, "Safe URL Handling".
struct ConsentUrl {
    QUrl url;              // to be opened; empty if there is a refusal
    QString host;          // as a browser resolves it: an internationalised name in its xn-- form
    QString refusal;       // why it must not be opened, a sentence; else empty
    QStringList warnings;  // sentences: the address may lead elsewhere than it seems
    // Where the host is in visibleText() of the address, to be emphasised; length 0 if it is not found.
    qsizetype hostStart = 0;
    qsizetype hostLength = 0;

    // Only https, and http to this machine; no user name, and no host of letters that only look like others.
    static ConsentUrl fromText(const QString &address);
};

}  // namespace sonde
