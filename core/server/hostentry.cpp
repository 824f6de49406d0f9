// SPDX-License-Identifier: Apache-2.0
#include "core/server/hostentry.h"

#include "core/json/builder.h"
#include "core/secrets/secretreference.h"
#include "core/server/entrymask.h"
#include "core/server/hostsecrets.h"
#include "core/server/serverspecjson.h"
#include "core/server/texts.h"

#include <QHash>

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// The members of an entry under the names that mcpServers has for them.
class EntryMembers {
public:
    explicit EntryMembers(const json::Value &entry)
    {
        QHash<QString, qsizetype> last;  // of duplicates the last one counts
        for (const json::Value &member : entry)
            last.insert(member.key(), member.offset());
        for (const json::Value &member : entry) {
            const QString name = member.key();
            if (last.value(name) == member.offset())
                add(name, json::compact(member));
            else
                m_overridden.append(name);
        }
        m_overridden.removeDuplicates();
    }
    const QStringList &overridden() const { return m_overridden; }

    bool has(QStringView name) const { return place(name) >= 0; }
    json::Value operator[](QStringView name) const
    {
        const qsizetype at = place(name);
        return at < 0 ? json::Value() : json::parse(m_members[at].second);
    }
    void add(const QString &name, const QByteArray &value) { m_members.append({name, value}); }
    void set(const QString &name, const QByteArray &value)
    {
        if (const qsizetype at = place(name); at >= 0)
            m_members[at].second = value;
        else
            add(name, value);
    }
    // Only where that name is free: otherwise both stay what they are.
    void rename(QStringView from, const QString &to)
    {
        if (const qsizetype at = place(from); at >= 0 && !has(to))
            m_members[at].first = to;
    }
    void remove(QStringView name)
    {
        if (const qsizetype at = place(name); at >= 0)
            m_members.removeAt(at);
    }
    // The members of an object take its place.
    void unfold(QStringView name)
    {
        const json::Value object = (*this)[name];
        remove(name);
        for (const json::Value &member : object) {
            const QString key = member.key() == u"path" ? u"command"_s : member.key();
            if (!has(key))
                add(key, json::compact(member));
        }
    }

    QByteArray json() const
    {
        json::Builder builder;
        builder.beginObject();
        for (const auto &[name, value] : m_members)
            builder.rawMember(name, value);
        return builder.endObject().take();
    }

private:
    qsizetype place(QStringView name) const
    {
        const auto it = std::find_if(m_members.crbegin(), m_members.crend(),
                                     [&](const auto &member) { return member.first == name; });
        return m_members.crend() - it - 1;
    }
    QList<std::pair<QString, QByteArray>> m_members;
    QStringList m_overridden;
};

// Codex names variables from which it takes the values of headers.
void addHeadersOfCodex(EntryMembers &members)
{
    members.rename(u"http_headers", u"headers"_s);
    const json::Value variable = members[u"bearer_token_env_var"];
    const json::Value variables = members[u"env_http_headers"];
    if (!variable.isString() && variables.isEmpty())
        return;
    json::Builder headers;
    headers.beginObject();
    const json::Value present = members[u"headers"];
    for (const json::Value &header : present)
        headers.rawKey(header.keySlice()).value(header);
    if (variable.isString() && !present.contains(u"Authorization"))
        headers.member(u"Authorization", QString(u"Bearer ${"_s + variable.string() + u'}'));
    for (const json::Value &header : variables) {
        if (!present.contains(header.key()))
            headers.rawKey(header.keySlice()).string(QString(u"${"_s + header.string() + u'}'));
    }
    headers.endObject();
    members.set(u"headers"_s, headers.take());
    members.remove(u"bearer_token_env_var");
    members.remove(u"env_http_headers");
}

// Cursor has the client that was registered for it under names of its own.
void addClientOfCursor(EntryMembers &members)
{
    const json::Value auth = members[u"auth"];
    if (!auth[u"CLIENT_ID"].isString() || members.has(u"oauth"))
        return;
    json::Builder oauth;
    json::Builder others;
    oauth.beginObject().member(u"clientId", auth[u"CLIENT_ID"].string());
    if (const json::Value secret = auth[u"CLIENT_SECRET"]; secret.isString())
        oauth.member(u"clientSecret", secret.string());
    others.beginObject();
    bool hasOthers = false;
    for (const json::Value &member : auth) {
        if (const QString name = member.key(); name == u"CLIENT_ID" || name == u"CLIENT_SECRET")
            continue;
        others.rawKey(member.keySlice()).value(member);
        hasOthers = true;
    }
    members.add(u"oauth"_s, oauth.endObject().take());
    if (hasOthers)
        members.set(u"auth"_s, others.endObject().take());
    else
        members.remove(u"auth");
}

EntryMembers translated(Host host, const json::Value &entry)
{
    EntryMembers members(entry);
    if (members[u"command"].isObject())  // Zed, until 2025
        members.unfold(u"command");
    if (host == Host::GeminiCli && members.has(u"url") && !members.has(u"httpUrl") && !members.has(u"type"))
        members.add(u"type"_s, "\"sse\""_ba);  // to Gemini CLI, a "url" alone means HTTP+SSE
    members.rename(u"httpUrl", u"url"_s);
    members.rename(u"serverUrl", u"url"_s);
    members.rename(u"transportType", u"type"_s);  // Cline, until 2025
    addHeadersOfCodex(members);
    addClientOfCursor(members);
    return members;
}

bool isDisabled(const json::Value &entry)
{
    return entry[u"disabled"].toBool() || (entry[u"enabled"].isBool() && !entry[u"enabled"].toBool());
}

// A list of names for people.
QString enumerated(const QStringList &names)
{
    return names.first(qMin<qsizetype>(names.size(), 20)).join(u", "_s);
}

// Takes out secrets that would only be saved as plain text, since Sonde makes no use of them.
void leaveOutUnusedSecrets(HostServer &server, const json::Value &entry)
{
    const auto isUsed = [](const QString &name) { return EntryMask::isUsed(name); };
    EntryMask mask(server.spec);
    server.spec.original = mask.masked(entry, EntryMask::Members::NotUsed);
    QStringList unused;
    for (const json::Value &member : entry)
        unused.append(member.key());
    unused.removeIf(isUsed);
    if (!unused.isEmpty())
        server.findings.append(ServerText::tr("Kept, but not used by Sonde: %1.").arg(enumerated(unused)));
    QStringList changed = mask.changedMembers();
    changed.removeIf(isUsed);
    if (!changed.isEmpty())
        server.findings.append(
            ServerText::tr("Left out, since Sonde does not use them: the secrets in %1.").arg(enumerated(changed)));
}

QString inputOf(const QString &reference, const json::Value &inputs)
{
    for (const json::Value &input : inputs) {
        if (reference == u"${input:"_s + input[u"id"].string() + u'}')
            return input[u"description"].string();
    }
    return {};
}

}  // namespace

HostServer readHostEntry(Host host, const QString &name, const json::Value &entry, const json::Value &inputs)
{
    HostServer server;
    if (!entry.isObject()) {
        server.spec.name = name;
        server.problems.append(ServerText::tr("The entry is not a JSON object."));
        return server;
    }
    const EntryMembers members = translated(host, entry);
    const json::Value read = json::parse(members.json());
    EntryReading reading = readEntry(name, read);
    server.spec = std::move(reading.spec);
    server.findings = reading.findings;
    if (!members.overridden().isEmpty())
        server.findings.append(
            ServerText::tr("Given more than once; the last one counts: %1.").arg(enumerated(members.overridden())));
    server.isDisabled = isDisabled(entry);
    if (read[u"source"].string() == u"extension" && !read.contains(u"command") && !read.contains(u"url"))
        server.problems.append(ServerText::tr("A Zed extension starts this server; the file does not say how."));
    if (read.contains(u"envFile"))
        server.findings.append(ServerText::tr("“envFile” is not read. Add the variables that the server needs."));
    if (!read[u"env_vars"].isEmpty())
        server.findings.append(
            ServerText::tr("Codex passes on the variables of “env_vars”. Add those that the server needs."));
    leaveOutUnusedSecrets(server, read);
    judge(server, host == Host::GeminiCli ? References::BracedAndPlain : References::Braced, {}, inputs);
    return server;
}

bool isSameServer(ServerSpec a, ServerSpec b)
{
    for (ServerSpec *spec : {&a, &b}) {
        spec->name.clear();
        spec->original.clear();
    }
    const auto level = [](QString &left, QString &right) {
        if (hasSecretReference(left) || hasSecretReference(right))
            left = right = QString();
    };
    const auto levelPairs = [&](QList<std::pair<QString, QString>> &left, QList<std::pair<QString, QString>> &right) {
        for (qsizetype i = 0; i < qMin(left.size(), right.size()); ++i) {
            if (left[i].first == right[i].first)
                level(left[i].second, right[i].second);
        }
    };
    levelPairs(a.environment, b.environment);
    levelPairs(a.headers, b.headers);
    level(a.oauth.clientSecret, b.oauth.clientSecret);
    for (const auto member : {&OAuthSettings::privateKey, &OAuthSettings::idToken, &OAuthSettings::assertion}) {
        if (hasSecretReference(QString::fromUtf8(a.oauth.*member) + QString::fromUtf8(b.oauth.*member)))
            a.oauth.*member = b.oauth.*member = QByteArray();
    }
    return a == b;
}

QHash<QString, QString> valuesOfReferences(const ServerSpec &known, const ServerSpec &read)
{
    const auto textsOf = [](const ServerSpec &spec) {
        QStringList texts{spec.oauth.clientSecret};
        for (const auto member : {&OAuthSettings::privateKey, &OAuthSettings::idToken, &OAuthSettings::assertion})
            texts.append(QString::fromUtf8(spec.oauth.*member));
        for (const auto &pair : spec.environment + spec.headers)
            texts.append(pair.second);
        return texts;
    };
    QHash<QString, QString> values;
    const QStringList references = textsOf(known);
    const QStringList texts = textsOf(read);
    for (qsizetype i = 0; i < qMin(references.size(), texts.size()); ++i) {
        const QString name = secretNamesIn(references[i]).value(0);
        if (!name.isEmpty() && references[i] == secretReference(name) && isOwnValue(texts[i]))
            values.insert(name, texts[i]);
    }
    return values;
}

void judge(HostServer &server, References replaced, const QStringList &declaredSecrets, const json::Value &inputs)
{
    if (server.problems.isEmpty())
        server.problems = server.spec.problems();
    for (const QString &place : removeKeychainReferences(&server.spec))
        server.problems.append(ServerText::tr("Not taken over: the reference to Sonde's keychain in %1. Only Sonde "
                                              "itself writes such references; enter the value.")
                                   .arg(place));
    server.secrets = secretPlaces(server.spec, declaredSecrets);
    for (const Reference &reference : references(server.spec, replaced == References::BracedAndPlain)) {
        if (reference.isRead) {
            server.findings.append(ServerText::tr("%1 in %2 is read from Sonde's environment when the server starts.")
                                       .arg(reference.text, reference.place));
            continue;
        }
        const QString input = inputOf(reference.text, inputs);
        QString finding = ServerText::tr("%1 in %2 is not replaced by Sonde. Enter the value before you connect.")
                              .arg(reference.text, reference.place);
        if (!input.isEmpty())
            finding += ServerText::tr(" It stands for: %1").arg(input);
        server.findings.append(finding);
    }
    server.fixedSecrets = countFixedSecrets(server.spec);
    if (server.fixedSecrets > 0)
        server.findings.append(
            ServerText::tr("An argument, the URL or the proxy contains a secret. It is saved in "
                           "the list of servers as plain text."));
}

}  // namespace sonde
