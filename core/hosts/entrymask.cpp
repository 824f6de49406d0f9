// SPDX-License-Identifier: Apache-2.0
#include "core/hosts/entrymask.h"

#include "core/connection/specsecrets.h"
#include "core/redact/secretmarks.h"
#include "core/redact/secretnames.h"
#include "core/secrets/secretreference.h"

#include <QHash>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// Never secret, whatever their names and values look like: words, paths of files, and the digest of a certificate.
bool isNeverSecret(QStringView member)
{
    static const QStringList names{u"type"_s,
                                   u"cwd"_s,
                                   u"revision"_s,
                                   u"caFile"_s,
                                   u"clientCertificate"_s,
                                   u"clientKey"_s,
                                   u"acceptedCertificate"_s};
    return names.contains(member);
}

bool isAddressMember(QStringView member)
{
    return member == u"url" || member == u"serverUrl" || member == u"httpUrl" || member == u"proxy";
}

// An assertion of OAuth is a credential; elsewhere it is an ordinary word.
bool isSecretMember(const QString &name)
{
    return isSecretName(name) || name == u"assertion";
}

QString writtenText(const json::Value &scalar)
{
    return scalar.isString() ? scalar.string() : QString::fromUtf8(scalar.slice());
}

// Both texts have the same members and elements. Where they had not, nothing would be shown of a value.
json::Value nextOf(json::Value::Iterator &at, const json::Value &parent)
{
    if (at == parent.end())
        return {};
    const json::Value value = *at;
    ++at;
    return value;
}

}  // namespace

QString secretPlaceholder(const QString &name)
{
    return u'<' + name + u'>';
}

EntryMask::EntryMask(const ServerSpec &spec) : m_redactor({})
{
    QList<RedactionMark> ignored;
    m_redactor.redactFacts(json::Document::parse(spec.secretFacts()), ignored);
}

bool EntryMask::isUsed(QStringView member)
{
    static const QStringList names = [] {
        QStringList all{
            u"type"_s,       u"command"_s,      u"args"_s,           u"cwd"_s,   u"env"_s,
            u"inheritEnv"_s, u"headers"_s,      u"loginShellPath"_s, u"url"_s,   u"undeclaredCapabilities"_s,
            u"roots"_s,      u"allowedHosts"_s, u"revision"_s,       u"oauth"_s, u"pageByPage"_s,
            u"name"_s,       u"enabled"_s,      u"disabled"_s};
        for (const auto &network : http::NetworkOptions::members())
            all.append(network.first);
        return all;
    }();
    return names.contains(member);
}

QByteArray EntryMask::masked(const json::Value &entry, Members which)
{
    // "env", "headers" and "oauth" may hold more than was understood.
    const auto isLeft = [which](QStringView member) {
        return isNeverSecret(member) || (which == Members::NotUsed && isUsed(member) && member != u"env" &&
                                         member != u"headers" && member != u"oauth");
    };
    QByteArray text = entry.bytes();
    QList<RedactionMark> ignored;
    m_redactor.redactPayload(text, ignored);
    const json::Value redacted = json::parse(text);
    QHash<QString, qsizetype> last;
    for (const json::Value &member : entry)
        last.insert(member.key(), member.offset());
    m_changed.clear();
    m_builder.beginObject();
    auto masked = redacted.begin();
    for (const json::Value &member : entry) {
        const json::Value maskedMember = nextOf(masked, redacted);
        const QString name = member.key();
        if (last.value(name) != member.offset())
            continue;
        m_builder.rawKey(member.keySlice());
        if (isLeft(name)) {
            m_builder.value(member);
            continue;
        }
        m_hasReplaced = false;
        if (name == u"args" && member.isArray())
            write(member, redactedArguments(member), {u"secret"_s});
        else
            write(member, maskedMember, {name, !isUsed(name) && isSecretMember(name), isAddressMember(name)});
        if (m_hasReplaced)
            m_changed.append(name);
    }
    return m_builder.endObject().take();
}

// A flag says of the argument behind it that it is secret.
json::Value EntryMask::redactedArguments(const json::Value &arguments)
{
    json::Builder facts;
    facts.beginObject().key(u"argv").beginArray();
    for (const json::Value &argument : arguments)
        argument.isContainer() ? facts.value(argument) : facts.string(writtenText(argument));
    facts.endArray().endObject();
    QList<RedactionMark> ignored;
    return json::parse(m_redactor.redactFacts(json::Document::parse(facts.take()), ignored))[u"argv"];
}

void EntryMask::write(const json::Value &value, const json::Value &redacted, const Place &place)
{
    if (value.isObject()) {
        writeMembers(value, redacted, place);
    } else if (value.isArray()) {
        m_builder.beginArray();
        auto masked = redacted.begin();
        for (const json::Value &element : value)
            write(element, nextOf(masked, redacted), place);
        m_builder.endArray();
    } else {
        writeScalar(value, redacted, place);
    }
}

void EntryMask::writeMembers(const json::Value &object, const json::Value &redacted, const Place &place)
{
    QHash<QString, qsizetype> last;
    for (const json::Value &member : object)
        last.insert(member.key(), member.offset());
    m_builder.beginObject();
    auto masked = redacted.begin();
    for (const json::Value &member : object) {
        const json::Value maskedMember = nextOf(masked, redacted);
        const QString name = member.key();
        if (last.value(name) != member.offset())
            continue;
        m_builder.rawKey(member.keySlice());
        write(member, maskedMember, {name, place.isSecret || isSecretMember(name), place.isAddress});
    }
    m_builder.endObject();
}

void EntryMask::writeScalar(const json::Value &value, const json::Value &redacted, const Place &place)
{
    const QString text = writtenText(value);
    const bool isReference = hasSecretReference(text);
    const QString found = writtenText(redacted);
    const bool isWhole = place.isSecret || isReference || isMark(found.toUtf8());
    if (value.isNull() || value.isBool() || (!isReference && !isOwnValue(text)) || (!isWhole && found == text)) {
        m_builder.value(value);
        return;
    }
    const QString whole = secretPlaceholder(place.name);
    const QString part = place.isAddress ? urlPlaceholder() : secretPlaceholder(u"secret"_s);
    const QString shown = isWhole ? whole : withPlaceholders(found, part);
    m_hasReplaced = m_hasReplaced || shown != text;
    m_builder.string(shown);
}

}  // namespace sonde
