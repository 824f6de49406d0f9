// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/doctorline.h"

#include "core/doctor/doctor.h"

#include <algorithm>

namespace sonde {

QString titleOf(Remedy remedy)
{
    switch (remedy) {
        case Remedy::None:
            break;
        case Remedy::UseLoginShellPath:
            return Doctor::tr("Use the login shell's PATH");
        case Remedy::ChooseFolder:
            return Doctor::tr("Choose working directory…");
        case Remedy::EditServer:
            return Doctor::tr("Edit server…");
        case Remedy::AddHeader:
            return Doctor::tr("Add a header…");
        case Remedy::SignIn:
            return Doctor::tr("Sign in");
        case Remedy::UseHttpSse:
            return Doctor::tr("Try HTTP+SSE");
        case Remedy::DetectTransport:
            return Doctor::tr("Detect the transport");
        case Remedy::EditNetwork:
            return Doctor::tr("Network settings…");
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
            return Doctor::tr("Command line");
        case DoctorLine::Kind::Folder:
            return Doctor::tr("Working directory");
        case DoctorLine::Kind::Program:
            return Doctor::tr("Program");
        case DoctorLine::Kind::Runtime:
            return Doctor::tr("Runtime");
        case DoctorLine::Kind::Start:
            return Doctor::tr("Start");
        case DoctorLine::Kind::Output:
            return Doctor::tr("First output");
        case DoctorLine::Kind::Address:
            return Doctor::tr("URL");
        case DoctorLine::Kind::Host:
            return Doctor::tr("Host name");
        case DoctorLine::Kind::Network:
            return Doctor::tr("Connection");
        case DoctorLine::Kind::Tls:
            return Doctor::tr("TLS");
        case DoctorLine::Kind::HttpStatus:
            return Doctor::tr("HTTP status");
        case DoctorLine::Kind::Authorization:
            return Doctor::tr("Authorization");
        case DoctorLine::Kind::Protocol:
            return Doctor::tr("Protocol");
        case DoctorLine::Kind::Handshake:
            return Doctor::tr("Handshake");
        case DoctorLine::Kind::Lists:
            return Doctor::tr("Lists");
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
