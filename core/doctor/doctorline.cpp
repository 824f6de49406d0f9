// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/doctorline.h"

#include <QCoreApplication>
#include <algorithm>

namespace sonde {

namespace {

struct DoctorText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Doctor)
};

}  // namespace

QString titleOf(Remedy remedy)
{
    switch (remedy) {
        case Remedy::None:
            break;
        case Remedy::UseLoginShellPath:
            return DoctorText::tr("Use the login shell's PATH");
        case Remedy::ChooseFolder:
            return DoctorText::tr("Choose working directory…");
        case Remedy::EditServer:
            return DoctorText::tr("Edit server…");
        case Remedy::AddHeader:
            return DoctorText::tr("Add a header…");
        case Remedy::SignIn:
            return DoctorText::tr("Sign in");
        case Remedy::UseHttpSse:
            return DoctorText::tr("Try HTTP+SSE");
        case Remedy::DetectTransport:
            return DoctorText::tr("Detect the transport");
        case Remedy::EditNetwork:
            return DoctorText::tr("Network settings…");
    }
    return {};
}

std::optional<ServerSpec> withRemedy(const ServerSpec &spec, Remedy remedy)
{
    ServerSpec changed = spec;
    switch (remedy) {
        case Remedy::UseLoginShellPath:
            changed.loginShellPath = true;
            return changed;
        case Remedy::UseHttpSse:
            changed.httpKind = ServerSpec::HttpKind::Sse;
            return changed;
        case Remedy::DetectTransport:
            changed.httpKind = ServerSpec::HttpKind::Automatic;
            return changed;
        case Remedy::None:
        case Remedy::ChooseFolder:
        case Remedy::EditServer:
        case Remedy::AddHeader:
        case Remedy::SignIn:
        case Remedy::EditNetwork:
            break;
    }
    return std::nullopt;
}

const DoctorLine *DoctorReport::firstFailure() const
{
    const auto found = std::find_if(lines.begin(), lines.end(),
                                    [](const DoctorLine &each) { return each.state == Step::State::Failed; });
    return found == lines.end() ? nullptr : &*found;
}

QString nameOf(DoctorLine::Kind kind)
{
    switch (kind) {
        case DoctorLine::Kind::CommandLine:
            return DoctorText::tr("Command line");
        case DoctorLine::Kind::Folder:
            return DoctorText::tr("Working directory");
        case DoctorLine::Kind::Program:
            return DoctorText::tr("Program");
        case DoctorLine::Kind::Runtime:
            return DoctorText::tr("Runtime");
        case DoctorLine::Kind::Start:
            return DoctorText::tr("Start");
        case DoctorLine::Kind::Output:
            return DoctorText::tr("First output");
        case DoctorLine::Kind::Address:
            return DoctorText::tr("URL");
        case DoctorLine::Kind::Host:
            return DoctorText::tr("Host name");
        case DoctorLine::Kind::Network:
            return DoctorText::tr("Connection");
        case DoctorLine::Kind::Tls:
            return DoctorText::tr("TLS");
        case DoctorLine::Kind::HttpStatus:
            return DoctorText::tr("HTTP status");
        case DoctorLine::Kind::Authorization:
            return DoctorText::tr("Authorization");
        case DoctorLine::Kind::Protocol:
            return DoctorText::tr("Protocol");
        case DoctorLine::Kind::Handshake:
            return DoctorText::tr("Handshake");
        case DoctorLine::Kind::Lists:
            return DoctorText::tr("Lists");
    }
    return {};
}

QStringView wordOf(DoctorLine::Kind kind)
{
    constexpr QStringView words[] = {
        u"command-line", u"working-directory", u"program", u"runtime",     u"start",         u"output",   u"url",
        u"host",         u"connection",        u"tls",     u"http-status", u"authorization", u"protocol", u"handshake",
        u"lists"};
    return words[size_t(kind)];
}

QStringView wordOf(Step::State state)
{
    constexpr QStringView words[] = {u"not-reached", u"running", u"waiting",   u"ok",
                                     u"warning",     u"failed",  u"not-needed"};
    return words[size_t(state)];
}

}  // namespace sonde
