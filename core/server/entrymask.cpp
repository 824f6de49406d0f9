// SPDX-License-Identifier: Apache-2.0
#include "core/server/entrymask.h"

#include "core/redact/factsfinder.h"
#include "core/redact/secretmarks.h"
#include "core/redact/secretnames.h"
#include "core/secrets/secretreference.h"
#include "core/server/specsecrets.h"

#include <QHash>
#include <algorithm>

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

// Of members with the same name only the last.
template <typename Write>
void forEachMember(const json::Value &object, const Write &write)
{
    QHash<QString, qsizetype> last;
    for (const json::Value &member : object)
        last.insert(member.key(), member.offset());
    for (const json::Value &member : object) {
        if (const QString name = member.key(); last.value(name) == member.offset())
            write(name, member);
    }
}

}  // namespace

QString secretPlaceholder(const QString &name)
{
    return u'<' + name + u'>';
}

EntryMask::EntryMask(const ServerSpec &spec) : m_redactor({})
{
    m_redactor.learn(json::Document::parse(spec.secretFacts()));
}

bool EntryMask::isUsed(QStringView member)
{
    static const QStringList names = [] {
        QStringList all{
            u"type"_s,       u"command"_s,      u"args"_s,           u"cwd"_s,     u"env"_s,
            u"inheritEnv"_s, u"headers"_s,      u"loginShellPath"_s, u"url"_s,     u"undeclaredCapabilities"_s,
            u"roots"_s,      u"allowedHosts"_s, u"revision"_s,       u"oauth"_s,   u"pageByPage"_s,
            u"timeouts"_s,   u"name"_s,         u"enabled"_s,        u"disabled"_s};
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
    const json::Value root = json::parse(entry.bytes());
    m_text = root.document().text();
    // A flag says of the argument behind it that it is secret.
    m_found = m_redactor.find(m_text, secretsInArguments(root[u"args"]));
    m_changed.clear();
    m_builder.beginObject();
    forEachMember(root, [&](const QString &name, const json::Value &member) {
        m_builder.rawKey(member.keySlice());
        if (isLeft(name)) {
            m_builder.value(member);
            return;
        }
        m_hasReplaced = false;
        if (name == u"args" && member.isArray())
            write(member, {u"secret"_s});
        else
            write(member, {name, !isUsed(name) && isSecretMember(name), isAddressMember(name)});
        if (m_hasReplaced)
            m_changed.append(name);
    });
    return m_builder.endObject().take();
}

void EntryMask::write(const json::Value &value, const Place &place)
{
    if (value.isObject()) {
        m_builder.beginObject();
        forEachMember(value, [&](const QString &name, const json::Value &member) {
            m_builder.rawKey(member.keySlice());
            write(member, {name, place.isSecret || isSecretMember(name), place.isAddress});
        });
        m_builder.endObject();
    } else if (value.isArray()) {
        m_builder.beginArray();
        for (const json::Value &element : value)
            write(element, place);
        m_builder.endArray();
    } else {
        writeScalar(value, place);
    }
}

void EntryMask::writeScalar(const json::Value &value, const Place &place)
{
    const QString text = writtenText(value);
    const bool isReference = hasSecretReference(text);
    const qsizetype start = value.offset() + (value.isString() ? 1 : 0);
    const qsizetype end = value.offset() + value.slice().size() - (value.isString() ? 1 : 0);
    auto next = std::lower_bound(m_found.begin(), m_found.end(), start,
                                 [](const Redactor::Hit &hit, qsizetype from) { return hit.end <= from; });
    const bool isFound = next != m_found.end() && next->start < end;
    const bool isWhole = place.isSecret || isReference || (isFound && next->start <= start && next->end >= end);
    if (value.isNull() || value.isBool() || (!isReference && !isOwnValue(text)) || (!isWhole && !isFound)) {
        m_builder.value(value);
        return;
    }
    if (isWhole) {
        const QString shown = secretPlaceholder(place.name);
        m_hasReplaced = m_hasReplaced || shown != text;
        m_builder.string(shown);
        return;
    }
    m_hasReplaced = true;
    QByteArray shown = "\"";
    qsizetype at = start;
    for (; next != m_found.end() && next->start < end; ++next) {
        shown += m_text.sliced(at, qMax<qsizetype>(next->start - at, 0)) +
                 (place.isAddress ? urlPlaceholder() : secretPlaceholder(u"secret"_s)).toUtf8();
        at = next->end;
    }
    m_builder.raw(shown + m_text.sliced(at, qMax<qsizetype>(end - at, 0)) + '"');
}

}  // namespace sonde
