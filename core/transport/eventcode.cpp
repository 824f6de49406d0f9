// SPDX-License-Identifier: Apache-2.0
#include "core/transport/eventcode.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sonde {

namespace {

constexpr std::array<std::pair<EventCode, QStringView>, 24> EventCodeWords = {{
    {EventCode::Spawned, u"spawned"},
    {EventCode::Exited, u"exited"},
    {EventCode::Signalled, u"signalled"},
    {EventCode::StdinClosed, u"stdin closed"},
    {EventCode::StdinClosedByServer, u"stdin closed by the server"},
    {EventCode::StdoutClosedByServer, u"stdout closed by the server"},
    {EventCode::Closed, u"closed"},
    {EventCode::TransportChanged, u"transport changed"},
    {EventCode::StreamEnded, u"stream ended to cancel its request"},
    {EventCode::GaveUp, u"gave-up"},
    {EventCode::NotSent, u"not sent"},
    {EventCode::SessionIdIgnored, u"session id ignored"},
    {EventCode::CredentialsAwaited, u"credentials awaited"},
    {EventCode::StreamDropped, u"stream dropped, to be resumed"},
    {EventCode::LimitReached, u"limit reached"},
    {EventCode::LeftOut, u"left out"},
    {EventCode::StderrTooMuch, u"stderr too much"},
    {EventCode::StderrLeftOut, u"stderr left out"},
    {EventCode::EmptyLine, u"empty line"},
    {EventCode::TooLong, u"too long"},
    {EventCode::OutOfMemory, u"out of memory"},
    {EventCode::UnfinishedLine, u"unfinished line"},
    {EventCode::UnfinishedEvent, u"unfinished event"},
    {EventCode::CutBody, u"cut body"},
}};

}  // namespace

QString toString(EventCode eventCode)
{
    const auto *found = std::find_if(EventCodeWords.begin(), EventCodeWords.end(),
                                     [eventCode](const auto &each) { return each.first == eventCode; });
    return found == EventCodeWords.end() ? QString() : found->second.toString();
}

bool endsConnection(EventCode eventCode)
{
    return eventCode == EventCode::Exited || eventCode == EventCode::Closed;
}

EventCode eventCodeOf(QStringView word)
{
    const auto *found = std::find_if(EventCodeWords.begin(), EventCodeWords.end(),
                                     [word](const auto &each) { return each.second == word; });
    return found == EventCodeWords.end() ? EventCode::None : found->first;
}

}  // namespace sonde
