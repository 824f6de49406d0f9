// SPDX-License-Identifier: Apache-2.0
#include "core/client/dialect.h"

#include "core/json/builder.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct DialectText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Dialect)
};

// Warnings are about text that most programs read otherwise than it looks: duplicate keys and the like.
QStringList warnings(const json::Document &document)
{
    constexpr qsizetype maxShown = 5;
    QStringList sentences;
    for (const json::Finding &finding : document.findings()) {
        if (finding.severity != json::Finding::Severity::Warning)
            continue;
        if (sentences.size() == maxShown) {
            sentences.append(DialectText::tr("There are more findings of this kind."));
            break;
        }
        sentences.append(DialectText::tr("At byte %1: %2").arg(finding.offset).arg(finding.reason));
    }
    return sentences;
}

}  // namespace

QStringList formFindings(const Message &message)
{
    return message.problems() + warnings(message.document());
}

QString Dialect::name() const
{
    return QStringLiteral("JSON-RPC 2.0");
}

PreparedRequest Dialect::prepare(const RequestBody &request, const RequestId &, const CallOptions &) const
{
    return {request.params, {}, {}};
}

Interpretation Dialect::interpret(QStringView, const Message &response) const
{
    Interpretation meaning;
    Outcome &outcome = meaning.outcome;
    outcome.message = response;
    outcome.bytes = response.raw().size();
    switch (response.kind()) {
        case Message::Kind::Error:
            outcome.kind = Outcome::Kind::ProtocolError;
            outcome.error = response.toError();
            break;
        case Message::Kind::Result:
            outcome.kind = Outcome::Kind::Ok;
            break;
        default:
            outcome.error = {
                Error::Kind::Protocol,           0,  DialectText::tr("The server's response breaks JSON-RPC."),
                response.problems().join(u'\n'), {}, {}};
            return meaning;
    }
    outcome.findings = formFindings(response);
    return meaning;
}

RequestBody Dialect::nextRound(const RequestBody &first, const Interpretation &, const QList<InputResponse> &) const
{
    return first;
}

Message Dialect::cancellation(QStringView, const RequestId &, const QString &) const
{
    return {};
}

Message Dialect::response(const Message &) const
{
    return {};
}

QByteArray implementationJson()
{
    json::Builder builder;
    builder.beginObject();
    builder.member(u"name", u"sonde"_s).member(u"title", u"Sonde"_s).member(u"version", QStringLiteral(SONDE_VERSION));
    return builder.endObject().take();
}

QByteArray cancellationParams(const RequestId &id, const QString &reason)
{
    json::Builder builder;
    builder.beginObject().rawMember(u"requestId", id.toJson());
    if (!reason.isEmpty())
        builder.member(u"reason", reason);
    return builder.endObject().take();
}

}  // namespace sonde
