// SPDX-License-Identifier: Apache-2.0
#include "core/client/era.h"

#include "core/client/texts.h"
#include "core/protocol/visibletext.h"
#include "core/transport/http/httppolicy.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qsizetype MaxShownRevisions = 10;
constexpr qsizetype MaxShownRevisionLength = 40;

EraVerdict stateful(const QString &reason)
{
    return {EraVerdict::Kind::Stateful, Revision::R20251125, reason, {}};
}

EraVerdict failed(const Error &error)
{
    return {EraVerdict::Kind::Failed, Revision::R20260728, error.message, error};
}

std::optional<Revision> newestOf(const QList<Revision> &known, const QStringList &names)
{
    const auto found =
        std::find_if(known.begin(), known.end(), [&](Revision revision) { return names.contains(toString(revision)); });
    return found == known.end() ? std::nullopt : std::optional(*found);
}

EraVerdict noCommonRevision(const QStringList &names, Error error)
{
    error.kind = error ? error.kind : Error::Kind::Protocol;
    error.message = ClientText::tr("No common protocol revision: the server supports %1, Sonde supports %2.")
                        .arg(shownRevisions(names), revisionNames(statelessRevisions() + statefulRevisions()));
    return failed(error);
}

// Spec: basic/versioning, "Protocol Version Negotiation".
EraVerdict judgeVersionError(const Error &error)
{
    const QStringList names = revisionNames(error.data[u"supported"]);
    if (const std::optional<Revision> refused = newestOf(statelessRevisions(), names)) {
        Error loop = error;
        loop.message = ClientText::tr("The server refuses revision %1, although it lists it as supported.")
                           .arg(toString(*refused));
        return failed(loop);
    }
    // Revisions are dates: what is newer than the last with a handshake has none.
    const QString last = toString(statefulRevisions().first());
    if (std::any_of(names.begin(), names.end(), [&](const QString &name) { return name > last; }))
        return noCommonRevision(names, error);
    return stateful(names.isEmpty() ? ClientText::tr("The server refused the revision and named no other.")
                                    : ClientText::tr("The server supports only %1.").arg(shownRevisions(names)));
}

EraVerdict judgeResult(const json::Value &result)
{
    if (!result[u"supportedVersions"].isArray())
        return stateful(ClientText::tr("The response to server/discover lists no revisions."));
    const QStringList names = revisionNames(result[u"supportedVersions"]);
    if (const std::optional<Revision> revision = newestOf(statelessRevisions(), names))
        return {EraVerdict::Kind::Stateless,
                *revision,
                ClientText::tr("The server lists %1 in its response to server/discover.").arg(toString(*revision)),
                {}};
    if (newestOf(statefulRevisions(), names))
        return stateful(ClientText::tr("The server supports only %1.").arg(shownRevisions(names)));
    return noCommonRevision(names, {});
}

EraVerdict judgeError(const Error &error)
{
    if (error.code == errorcodes::UnsupportedRevision)
        return judgeVersionError(error);
    // Only a server without a handshake knows these: the request has to be mended, not the revision.
    if (isOfStatelessRevision(error.code))
        return failed(error);
    if (error.code == errorcodes::MethodNotFound)
        return stateful(ClientText::tr("The server does not support server/discover."));
    return stateful(error.code == 0
                        ? ClientText::tr("The server responded to server/discover with an error without a code.")
                        : ClientText::tr("The server responded to server/discover with error %1.").arg(error.code));
}

EraVerdict judgeSilence(const Error &error, bool overHttp)
{
    switch (error.kind) {
        case Error::Kind::Timeout:
            return overHttp ? failed(error)
                            : stateful(ClientText::tr("The server did not respond to server/discover."));
        case Error::Kind::Transport:
            break;
        case Error::Kind::Protocol:
            return stateful(ClientText::tr("The response to server/discover could not be used: %1").arg(error.message));
        default:
            return failed(error);
    }
    if (!overHttp)
        return stateful(ClientText::tr("The server exited on server/discover."));
    if (error.reason != Error::Reason::HttpStatus || error.code < 400 || http::isOutage(int(error.code)))
        return failed(error);
    // Without a readable ID the response does not belong to our request, but says the same.
    if (error.data[u"supported"].isArray())
        return judgeVersionError(error);
    if (isOfStatelessRevision(error.bodyCode))
        return failed(error);
    return stateful(ClientText::tr("The server responded to server/discover with HTTP %1.").arg(error.code));
}

}  // namespace

EraVerdict judgeDiscovery(const Outcome &outcome, bool overHttp)
{
    switch (outcome.kind) {
        case Outcome::Kind::Ok:
        case Outcome::Kind::ToolError:
            return judgeResult(outcome.result());
        case Outcome::Kind::ProtocolError:
            return judgeError(outcome.error);
        case Outcome::Kind::NoResponse:
            break;
    }
    return judgeSilence(outcome.error, overHttp);
}

QStringList revisionNames(const json::Value &list)
{
    QStringList names;
    if (!list.isArray())
        return names;
    for (const json::Value &name : list) {
        if (name.isString())
            names.append(name.string());
    }
    return names;
}

QString shownRevisions(const QStringList &names)
{
    if (names.isEmpty())
        return ClientText::tr("none");
    QStringList shown;
    for (const QString &name : names.first(std::min(names.size(), MaxShownRevisions)))
        shown.append(visibleLine(name, MaxShownRevisionLength));
    if (names.size() > MaxShownRevisions)
        shown.append(ClientText::tr("%1 more").arg(names.size() - MaxShownRevisions));
    return shown.join(", "_L1);
}

QString revisionNames(const QList<Revision> &revisions)
{
    QStringList names;
    for (const Revision revision : revisions)
        names.append(toString(revision));
    return names.join(", "_L1);
}

}  // namespace sonde
