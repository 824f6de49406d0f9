// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/callsender.h"

#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"
#include "core/redact/secretforms.h"

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

json::Value stringValue(const QString &text)
{
    return json::parse(json::Builder().string(text).take());
}

QString scalarText(const json::Value &value)
{
    return value.isString() ? value.string() : QString::fromUtf8(value.bytes());
}

}  // namespace

CallSender::CallSender(Connection *connection, QObject *parent) : QObject(parent), m_connection(connection) {}

void CallSender::send(const SavedCall &call, const CallOptions &options, const Responses &responses)
{
    m_call = call;
    m_options = options;
    m_responses = responses;
    const Result<QList<PlaceholderUse>> uses = placeholdersIn(call.arguments);
    if (!uses) {
        Q_EMIT notSent(uses.error(), CallStep::Status::Error);
        return;
    }
    m_uses = *uses;
    QStringList names;
    for (const PlaceholderUse &use : std::as_const(m_uses)) {
        for (const Placeholder &each : use.placeholders) {
            if (each.kind == Placeholder::Kind::Keychain && !names.contains(each.name))
                names.append(each.name);
        }
    }
    if (names.isEmpty())
        return make({});
    const std::shared_ptr<SecretStore> store = m_connection->options().profile.secrets;
    if (!store) {
        Q_EMIT notSent(Error::local(tr("There is no keychain to read %1 from.").arg(names.join(u", "_s))),
                       CallStep::Status::Error);
        return;
    }
    m_reading = std::make_unique<QObject>();
    readSecrets(store, names, m_reading.get(), [this](const QHash<QString, QString> &values, const Error &unread) {
        if (unread)
            Q_EMIT notSent(unread, CallStep::Status::Error);
        else
            make(values);
    });
}

void CallSender::cancel()
{
    m_reading.reset();
}

void CallSender::make(const Secrets &secrets)
{
    learn(secrets);
    json::Builder params;
    params.beginObject().member(u"name", m_call.tool);
    if (m_call.arguments.exists()) {
        const Result<QByteArray> arguments = withPlaceholderValues(
            m_call.arguments, [&](const Placeholder &placeholder) { return valueOf(placeholder, secrets); });
        // Only what a server has returned can be missing here, or a variable that was unset.
        if (!arguments) {
            Q_EMIT notSent(arguments.error(), CallStep::Status::Failed);
            return;
        }
        // One line: over standard input a message ends with it.
        params.rawMember(u"arguments", json::compact(json::parse(*arguments)));
    }
    Q_EMIT sent(m_connection->request(methods::CallTool, params.endObject().take(), m_options));
}

Result<json::Value> CallSender::valueOf(const Placeholder &placeholder, const Secrets &secrets) const
{
    switch (placeholder.kind) {
        case Placeholder::Kind::Keychain:
            return stringValue(secrets.value(placeholder.name));
        case Placeholder::Kind::Environment: {
            const QByteArray name = placeholder.name.toLocal8Bit();
            if (!qEnvironmentVariableIsSet(name.constData()))
                return Error::local(tr("The environment variable %1 is not set.").arg(placeholder.name));
            return stringValue(qEnvironmentVariable(name.constData()));
        }
        case Placeholder::Kind::Result:
            break;
    }
    return resultOf(placeholder);
}

Result<json::Value> CallSender::resultOf(const Placeholder &placeholder) const
{
    if (!m_responses.contains(placeholder.name))
        return Error::local(tr("%1 needs the result of the saved call '%2', which was not run before this one.")
                                .arg(placeholder.text, placeholder.name),
                            tr("Run both together, '%1' first.").arg(placeholder.name));
    const json::Value result = m_responses.value(placeholder.name).result();
    if (!result.exists())
        return Error::local(
            tr("%1 has no value: the saved call '%2' returned no result.").arg(placeholder.text, placeholder.name));
    const json::Value value = resolvePlace(result, placeholder.pointer);
    if (value.exists())
        return value;
    QStringList members;
    for (const json::Value &member : result)
        members.append(member.key());
    return Error::local(tr("%1 has no value: the result of the saved call '%2' has no %3.")
                            .arg(placeholder.text, placeholder.name, placeholder.pointer),
                        tr("The members of the result are %1.").arg(visibleLine(members.join(u", "_s))));
}

// Before the request is recorded.
void CallSender::learn(const Secrets &secrets)
{
    Session *session = m_connection->session();
    for (const PlaceholderUse &use : std::as_const(m_uses)) {
        bool holdsSecret = false;
        for (const Placeholder &each : use.placeholders) {
            const Result<json::Value> value = valueOf(each, secrets);
            if (!value || value->isContainer() || !isSecret(each, scalarText(*value)))
                continue;
            session->addSecret(scalarText(*value));
            holdsSecret = true;
        }
        // A short one is masked under the name of its member only.
        const Result<QByteArray> whole = withPlaceholderValues(
            use.string, [&](const Placeholder &placeholder) { return valueOf(placeholder, secrets); });
        if (holdsSecret && whole && !use.string.key().isEmpty())
            session->addSecretMember(use.string.key(), scalarText(json::parse(*whole)));
    }
}

bool CallSender::isSecret(const Placeholder &placeholder, const QString &value) const
{
    switch (placeholder.kind) {
        case Placeholder::Kind::Keychain:
            return true;
        case Placeholder::Kind::Environment:
            return isSearchedElsewhere(value.toUtf8());  // not "1" or "production"
        case Placeholder::Kind::Result:
            break;
    }
    return isMasked(placeholder);
}

// What was masked in the response it comes from is a secret wherever it goes.
bool CallSender::isMasked(const Placeholder &placeholder) const
{
    const QByteArray recorded = m_connection->session()->masked(m_responses.value(placeholder.name).raw());
    const json::Value value = resolvePlace(Message::parse(recorded).result(), placeholder.pointer);
    return holdsSecretMark(scalarText(value));
}

}  // namespace sonde
