// SPDX-License-Identifier: Apache-2.0
#include "core/hosts/hostentry.h"

#include "core/connection/serverspecjson.h"
#include "core/hosts/hostsecrets.h"
#include "core/json/builder.h"

#include "core/secrets/secretreference.h"

#include <QCoreApplication>

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct HostEntryText {
    Q_DECLARE_TR_FUNCTIONS(sonde::HostEntry)
};

// The members of an entry under the names that mcpServers has for them.
class EntryMembers {
public:
    explicit EntryMembers(const json::Value &entry)
    {
        for (const json::Value &member : entry)
            add(member.key(), json::compact(member));
    }

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
    // The members of an object take its place.
    void unfold(QStringView name)
    {
        const json::Value object = (*this)[name];
        m_members.removeAt(place(name));
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
    return members;
}

bool isDisabled(const json::Value &entry)
{
    return entry[u"disabled"].toBool() || (entry[u"enabled"].isBool() && !entry[u"enabled"].toBool());
}

// Members that neither Sonde nor the reading above makes use of.
QStringList unknownMembers(const json::Value &entry)
{
    static const QStringList known{u"type"_s,       u"command"_s,  u"args"_s,      u"cwd"_s,
                                   u"env"_s,        u"url"_s,      u"roots"_s,     u"headers"_s,
                                   u"inheritEnv"_s, u"enabled"_s,  u"disabled"_s,  u"undeclaredCapabilities"_s,
                                   u"name"_s,       u"revision"_s, u"pageByPage"_s};
    QStringList names;
    for (const json::Value &member : entry) {
        if (const QString name = member.key(); !known.contains(name) && !names.contains(name))
            names.append(name);
    }
    return names;
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
        server.problems.append(HostEntryText::tr("The entry is not a JSON object."));
        return server;
    }
    const QByteArray text = translated(host, entry).json();
    const json::Value read = json::parse(text);
    EntryReading reading = readEntry(name, read);
    server.spec = std::move(reading.spec);
    server.findings = reading.findings;
    server.isDisabled = isDisabled(entry);
    if (read[u"source"].string() == u"extension" && !read.contains(u"command") && !read.contains(u"url"))
        server.problems.append(HostEntryText::tr("An extension of Zed starts this server; the file does not say how."));
    if (read.contains(u"envFile"))
        server.findings.append(HostEntryText::tr("“envFile” is not read. Add the variables that the server needs."));
    if (!read[u"env_vars"].isEmpty())
        server.findings.append(
            HostEntryText::tr("Codex passes on the variables of “env_vars”. Add those that the server needs."));
    if (const QStringList unknown = unknownMembers(read); !unknown.isEmpty())
        server.findings.append(HostEntryText::tr("Kept, but not used by Sonde: %1.")
                                   .arg(QStringList(unknown.first(qMin<qsizetype>(unknown.size(), 20))).join(u", "_s)));
    judge(server, host, {}, inputs);
    return server;
}

bool isSameServer(ServerSpec a, ServerSpec b)
{
    for (ServerSpec *spec : {&a, &b}) {
        spec->name.clear();
        spec->original.clear();
    }
    // What one of them keeps in the keychain may be the same in the other.
    const auto level = [](QList<std::pair<QString, QString>> &left, QList<std::pair<QString, QString>> &right) {
        for (qsizetype i = 0; i < qMin(left.size(), right.size()); ++i) {
            const bool isKept = hasSecretReference(left[i].second) || hasSecretReference(right[i].second);
            if (left[i].first == right[i].first && isKept)
                left[i].second = right[i].second = QString();
        }
    };
    level(a.environment, b.environment);
    level(a.headers, b.headers);
    return a == b;
}

void judge(HostServer &server, Host host, const QStringList &declaredSecrets, const json::Value &inputs)
{
    if (server.problems.isEmpty())
        server.problems = server.spec.problems();
    server.secrets = secretPlaces(server.spec, declaredSecrets);
    for (const Reference &reference : references(server.spec, host == Host::GeminiCli)) {
        const QString input = inputOf(reference.text, inputs);
        QString finding = HostEntryText::tr("%1 in %2 is not replaced by Sonde. Enter the value before you connect.")
                              .arg(reference.text, reference.place);
        if (!input.isEmpty())
            finding += HostEntryText::tr(" It stands for: %1").arg(input);
        server.findings.append(finding);
    }
    if (hasFixedSecret(server.spec))
        server.findings.append(HostEntryText::tr(
            "An argument or the URL contains a secret. It is saved in the list of servers as plain text."));
}

}  // namespace sonde
