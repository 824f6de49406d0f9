// SPDX-License-Identifier: Apache-2.0
#include "core/transport/occurrence.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sonde {

namespace {

constexpr std::array<std::pair<Occurrence, QStringView>, 24> OccurrenceWords = {{
    {Occurrence::Spawned, u"spawned"},
    {Occurrence::Exited, u"exited"},
    {Occurrence::Signalled, u"signalled"},
    {Occurrence::StdinClosed, u"stdin closed"},
    {Occurrence::StdinClosedByServer, u"stdin closed by the server"},
    {Occurrence::StdoutClosedByServer, u"stdout closed by the server"},
    {Occurrence::Closed, u"closed"},
    {Occurrence::TransportChanged, u"transport changed"},
    {Occurrence::StreamEnded, u"stream ended to cancel its request"},
    {Occurrence::GaveUp, u"gave-up"},
    {Occurrence::NotSent, u"not sent"},
    {Occurrence::SessionIdIgnored, u"session id ignored"},
    {Occurrence::CredentialsAwaited, u"credentials awaited"},
    {Occurrence::StreamDropped, u"stream dropped, to be resumed"},
    {Occurrence::LimitReached, u"limit reached"},
    {Occurrence::LeftOut, u"left out"},
    {Occurrence::StderrTooMuch, u"stderr too much"},
    {Occurrence::StderrLeftOut, u"stderr left out"},
    {Occurrence::EmptyLine, u"empty line"},
    {Occurrence::TooLong, u"too long"},
    {Occurrence::OutOfMemory, u"out of memory"},
    {Occurrence::UnfinishedLine, u"unfinished line"},
    {Occurrence::UnfinishedEvent, u"unfinished event"},
    {Occurrence::CutBody, u"cut body"},
}};

}  // namespace

QStringView toString(Occurrence occurrence)
{
    const auto *found = std::find_if(OccurrenceWords.begin(), OccurrenceWords.end(),
                                     [occurrence](const auto &each) { return each.first == occurrence; });
    return found == OccurrenceWords.end() ? QStringView() : found->second;
}

Occurrence occurrenceOf(const json::Value &facts)
{
    const QString what = facts[u"what"].string();
    const auto *found = std::find_if(OccurrenceWords.begin(), OccurrenceWords.end(),
                                     [&what](const auto &each) { return each.second == what; });
    return found == OccurrenceWords.end() ? Occurrence::None : found->first;
}

}  // namespace sonde
