// One line of an examination of a server: what was checked, the result, and what to do about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/step.h"
#include "core/server/serverspec.h"

#include <optional>

namespace sonde {

enum class Remedy : quint8 {
    None,
    UseLoginShellPath,
    ChooseFolder,
    EditServer,
    AddHeader,
    SignIn,
    UseHttpSse,
    DetectTransport,  // rather than the one that was chosen
    EditNetwork
};

QString titleOf(Remedy remedy);  // of the button
// The description with it, where nothing has to be asked for that.
std::optional<ServerSpec> withRemedy(const ServerSpec &spec, Remedy remedy);

struct DoctorLine : Step {
    enum class Kind : quint8 {
        // Of a process.
        CommandLine,
        Folder,
        Program,
        Runtime,
        Start,
        Output,
        // Of a URL.
        Address,
        Host,
        Network,
        Tls,
        HttpStatus,
        Authorization,
        Protocol,
        // Of both.
        Handshake,
        Lists
    };
    Kind kind = Kind::CommandLine;
    Remedy remedy = Remedy::None;
};

// The result of an examination.
struct DoctorReport {
    QList<DoctorLine> lines;
    QString refusedCertificate;  // the fingerprint of the one that was not trusted
    QString said;                // of a process: why it failed, in its own words

    const DoctorLine *firstFailure() const;  // null where nothing failed
};

QString nameOf(DoctorLine::Kind kind);
QStringView wordOf(DoctorLine::Kind kind);  // for machines: "command-line"
QStringView wordOf(Step::State state);      // for machines: "not-reached"

}  // namespace sonde
