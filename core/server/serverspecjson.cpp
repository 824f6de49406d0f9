// SPDX-License-Identifier: Apache-2.0
#include "core/server/serverspecjson.h"

#include "core/json/builder.h"
#include "core/server/texts.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

using Pairs = QList<std::pair<QString, QString>>;

constexpr QStringView UrlNames[] = {u"url", u"serverUrl", u"httpUrl"};

// Hosts take {"PORT": 8080} for what it obviously means, so it is no reason to refuse an entry.
std::optional<QString> scalarText(const json::Value &value)
{
    if (value.isString())
        return value.string();
    if (value.isNumber())
        return QString::fromLatin1(value.numberText());
    if (value.isBool())
        return value.toBool() ? u"true"_s : u"false"_s;
    return std::nullopt;
}

QString readString(const json::Value &entry, QStringView name, QStringList &problems)
{
    const json::Value value = entry[name];
    if (value.exists() && !value.isNull() && !value.isString())
        problems.append(ServerText::tr("“%1” is not a string.").arg(name));
    return value.string();
}

QStringList readArguments(const json::Value &value, QStringList &problems)
{
    QStringList arguments;
    if (!value.exists() || value.isNull())
        return arguments;
    if (!value.isArray()) {
        problems.append(ServerText::tr("“args” is not a list of strings."));
        return arguments;
    }
    qsizetype number = 0;
    for (const json::Value &element : value) {
        ++number;
        if (const std::optional<QString> text = scalarText(element))
            arguments.append(*text);
        else
            problems.append(ServerText::tr("Argument %1 of “args” is not a string.").arg(number));
    }
    return arguments;
}

Pairs readPairs(const json::Value &value, QStringView name, QStringList &problems)
{
    Pairs pairs;
    if (!value.exists() || value.isNull())
        return pairs;
    if (!value.isObject()) {
        problems.append(ServerText::tr("“%1” is not an object of strings.").arg(name));
        return pairs;
    }
    for (const json::Value &member : value) {
        if (const std::optional<QString> text = scalarText(member))
            pairs.append({member.key(), *text});
        else
            problems.append(ServerText::tr("“%1” of “%2” is not a string.").arg(member.key(), name));
    }
    return pairs;
}

Pairs readRoots(const json::Value &value, QStringList &problems)
{
    Pairs roots;
    if (!value.exists() || value.isNull())
        return roots;
    bool isUsable = value.isArray();
    for (const json::Value &root : value) {
        isUsable = isUsable && root[u"uri"].isString();
        roots.append({root[u"uri"].string(), root[u"name"].string()});
    }
    if (isUsable)
        return roots;
    problems.append(ServerText::tr("“roots” is not a list of objects with a “uri”."));
    return {};
}

QStringList readStrings(const json::Value &value)
{
    QStringList strings;
    for (const json::Value &each : value) {
        if (each.isString())
            strings.append(each.string());
    }
    return strings;
}

ServerTimeouts readTimeouts(const json::Value &value, QStringList &findings)
{
    ServerTimeouts timeouts;
    if (!value.exists() || value.isNull())
        return timeouts;
    if (!value.isObject()) {
        findings.append(ServerText::tr("Ignored: “timeouts” is not an object."));
        return timeouts;
    }
    for (const ServerTimeouts::Member &member : ServerTimeouts::members()) {
        const json::Value given = value[member.name];
        if (!given.exists() || given.isNull())
            continue;
        if (given.isNumber())
            timeouts.*member.place = member.fromSeconds(given.toDouble());
        if (!(timeouts.*member.place))
            findings.append(ServerText::tr("Ignored: “%1” of “timeouts” is not a number of seconds from %2 to %3.")
                                .arg(member.name)
                                .arg(member.min.count())
                                .arg(member.max.count()));
    }
    return timeouts;
}

QString nameOfUrlMember(const json::Value &entry)
{
    for (const QStringView name : UrlNames) {
        if (entry.contains(name))
            return name.toString();
    }
    return {};
}

bool isStreamableWord(const QString &word)
{
    return word == u"streamable-http" || word == u"streamablehttp" || word == u"streamable_http";
}

// Other clients, too, take "http" for Streamable HTTP with HTTP+SSE after it.
ServerSpec::HttpKind readHttpKind(const json::Value &entry)
{
    const QString word = entry[u"type"].string().toLower();
    return word == u"sse"           ? ServerSpec::HttpKind::Sse
           : isStreamableWord(word) ? ServerSpec::HttpKind::Streamable
                                    : ServerSpec::HttpKind::Automatic;
}

QByteArray typeWord(const ServerSpec &spec)
{
    if (spec.kind == ServerSpec::Kind::Stdio)
        return "\"stdio\"";
    switch (spec.httpKind) {
        case ServerSpec::HttpKind::Streamable:
            return "\"streamable-http\"";
        case ServerSpec::HttpKind::Sse:
            return "\"sse\"";
        case ServerSpec::HttpKind::Automatic:
            break;
    }
    return "\"http\"";
}

ServerSpec::Kind readKind(const json::Value &entry, QStringList &problems)
{
    const bool hasUrl = !nameOfUrlMember(entry).isEmpty();
    const ServerSpec::Kind guess =
        hasUrl && !entry.contains(u"command") ? ServerSpec::Kind::Http : ServerSpec::Kind::Stdio;
    const json::Value type = entry[u"type"];
    if (!type.exists() || type.isNull())
        return guess;
    const QString word = type.string().toLower();
    if (word == u"stdio" || word == u"local")
        return ServerSpec::Kind::Stdio;
    if (word == u"http" || word == u"sse" || isStreamableWord(word))
        return ServerSpec::Kind::Http;
    problems.append(ServerText::tr("Unknown “type” %1; use “stdio”, “http”, “streamable-http” or “sse”.")
                        .arg(QString::fromUtf8(type.slice().toByteArray().left(80))));
    return guess;
}

std::optional<Revision> readRevision(const json::Value &entry, QStringList &problems)
{
    const QString word = readString(entry, u"revision", problems);
    if (word.isEmpty() || word == u"automatic")
        return std::nullopt;
    const std::optional<Revision> revision = revisionFromString(word);
    if (!revision)
        problems.append(ServerText::tr("Unknown “revision” %1; use “automatic” or one of 2024-11-05, "
                                       "2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28.")
                            .arg(word.left(80)));
    return revision;
}

TypedUrl readUrl(const json::Value &entry, QStringList &problems)
{
    const QString name = nameOfUrlMember(entry);
    if (name.isEmpty())
        return {};
    const QString text = readString(entry, name, problems).trimmed();
    const TypedUrl url = TypedUrl::fromText(text);
    if (!text.isEmpty() && !url.isValid())
        problems.append(ServerText::tr("“%1” is not a valid URL: %2").arg(name, url.errorString()));
    return url.isValid() ? url : TypedUrl();
}

constexpr std::pair<QStringView, OAuthSettings::Grant> GrantNames[] = {
    {u"authorization_code", OAuthSettings::Grant::AuthorizationCode},
    {u"client_credentials", OAuthSettings::Grant::ClientCredentials},
    {u"enterprise", OAuthSettings::Grant::Enterprise},
    {u"workload", OAuthSettings::Grant::Workload}};

// The members of "oauth" and where each goes; all of them are strings.
template <typename Visit>
void visitOAuth(Visit &&visit)
{
    visit(u"clientId", &OAuthSettings::clientId);
    visit(u"clientSecret", &OAuthSettings::clientSecret);
    visit(u"issuer", &OAuthSettings::issuer);
    visit(u"redirectUri", &OAuthSettings::redirectUri);
    visit(u"clientMetadata", &OAuthSettings::clientMetadata);
    visit(u"privateKey", &OAuthSettings::privateKey);
    visit(u"keyAlgorithm", &OAuthSettings::keyAlgorithm);
    visit(u"providerTokenEndpoint", &OAuthSettings::providerTokenEndpoint);
    visit(u"providerClientId", &OAuthSettings::providerClientId);
    visit(u"idToken", &OAuthSettings::idToken);
    visit(u"assertion", &OAuthSettings::assertion);
}

QString textOf(const QString &value)
{
    return value;
}
QString textOf(const QByteArray &value)
{
    return QString::fromUtf8(value);
}
QString textOf(const TypedUrl &value)
{
    return value.text();
}
void setText(QString *value, const QString &text)
{
    *value = text;
}
void setText(QByteArray *value, const QString &text)
{
    *value = text.toUtf8();
}
void setText(TypedUrl *value, const QString &text)
{
    *value = TypedUrl::fromText(text);
}

OAuthSettings readOAuth(const json::Value &entry, QStringList &problems)
{
    OAuthSettings settings;
    const json::Value oauth = entry[u"oauth"];
    if (!oauth.isObject())
        return settings;  // some hosts write false
    const QString grant = readString(oauth, u"grant", problems);
    bool isKnown = grant.isEmpty();
    for (const auto &[name, value] : GrantNames) {
        if (grant == name) {
            settings.grant = value;
            isKnown = true;
        }
    }
    if (!isKnown)
        problems.append(ServerText::tr("Unknown “grant” %1 of “oauth”; use “authorization_code”, "
                                       "“client_credentials”, “enterprise” or “workload”.")
                            .arg(grant.left(80)));
    visitOAuth([&](QStringView name, auto member) { setText(&(settings.*member), readString(oauth, name, problems)); });
    // Claude Code's way of saying it.
    const std::optional<qint64> port = oauth[u"callbackPort"].toInteger();
    if (settings.redirectUri.isEmpty() && port && *port > 0 && *port < 65536)
        settings.redirectUri = QUrl(u"http://localhost:%1/callback"_s.arg(*port));
    return settings;
}

QStringList duplicateFindings(const json::Value &entry)
{
    QStringList findings;
    QSet<QString> seen;
    for (const json::Value &member : entry) {
        const QString key = member.key();
        if (seen.contains(key))
            findings.append(ServerText::tr("“%1” is given more than once; the last one counts.").arg(key));
        seen.insert(key);
    }
    return findings;
}

// Writes an entry anew with the members that differ; everything else goes through byte for byte.
class EntryWriter {
public:
    EntryWriter(const ServerSpec &wanted, const ServerSpec &before, const json::Value &entry)
        : m_wanted(wanted), m_before(before), m_entry(entry)
    {}

    QByteArray write()
    {
        const QStringList order = collectChanges();
        m_builder.beginObject();
        for (const json::Value &member : m_entry)
            writeExisting(member);
        for (const QString &name : order) {
            if (!m_entry.contains(name) && !m_changes.value(name).isEmpty())
                m_builder.rawMember(name, m_changes.value(name));
        }
        m_builder.endObject();
        return m_builder.take();
    }

private:
    // An empty text removes the member.
    QStringList collectChanges()
    {
        QStringList order;
        const auto change = [&](const QString &name, const QByteArray &json) {
            order.append(name);
            m_changes.insert(name, json);
        };
        const auto text = [](const QString &value) { return value.isEmpty() ? QByteArray() : json::quoted(value); };
        if (typeIsDue())
            change(u"type"_s, typeWord(m_wanted));
        if (m_wanted.command != m_before.command)
            change(u"command"_s, text(m_wanted.command));
        if (m_wanted.arguments != m_before.arguments)
            change(u"args"_s, strings(m_wanted.arguments));
        if (m_wanted.workingDirectory != m_before.workingDirectory)
            change(u"cwd"_s, text(m_wanted.workingDirectory));
        if (m_wanted.url != m_before.url) {
            const QString name = nameOfUrlMember(m_entry);
            change(name.isEmpty() ? u"url"_s : name, text(m_wanted.url.text()));
        }
        if (m_wanted.headers != m_before.headers)
            change(u"headers"_s, pairs(m_wanted.headers, m_entry[u"headers"]));
        if (m_wanted.environment != m_before.environment)
            change(u"env"_s, pairs(m_wanted.environment, m_entry[u"env"]));
        if (m_wanted.inheritEnvironment != m_before.inheritEnvironment)
            change(u"inheritEnv"_s, m_wanted.inheritEnvironment ? "true"_ba : QByteArray());
        if (m_wanted.loginShellPath != m_before.loginShellPath)
            change(u"loginShellPath"_s, m_wanted.loginShellPath ? "true"_ba : QByteArray());
        if (m_wanted.revision != m_before.revision)
            change(u"revision"_s, json::quoted(m_wanted.revision ? toString(*m_wanted.revision) : u"automatic"_s));
        if (m_wanted.roots != m_before.roots)
            change(u"roots"_s, rootList());
        if (m_wanted.undeclaredCapabilities != m_before.undeclaredCapabilities)
            change(u"undeclaredCapabilities"_s, strings(m_wanted.undeclaredCapabilities));
        if (m_wanted.oauth != m_before.oauth)
            change(u"oauth"_s, oauthMembers());
        for (const auto &[name, member] : http::NetworkOptions::members()) {
            if (m_wanted.network.*member != m_before.network.*member)
                change(name, text(m_wanted.network.*member));
        }
        if (m_wanted.network.allowedHosts != m_before.network.allowedHosts)
            change(u"allowedHosts"_s, strings(m_wanted.network.allowedHosts));
        if (m_wanted.pageByPage != m_before.pageByPage)
            change(u"pageByPage"_s, m_wanted.pageByPage ? "true"_ba : QByteArray());
        if (m_wanted.timeouts != m_before.timeouts)
            change(u"timeouts"_s, timeoutMembers());
        return order;
    }

    // Entries mostly do without "type"; it is written where leaving it out would mean the other kind.
    bool typeIsDue() const
    {
        const bool isHttp = m_wanted.kind == ServerSpec::Kind::Http;
        if (m_wanted.kind != m_before.kind)
            return isHttp || m_entry.contains(u"type") || !nameOfUrlMember(m_entry).isEmpty();
        if (isHttp && m_wanted.httpKind != m_before.httpKind)
            return true;
        if (!m_entry.exists())
            return isHttp;
        // A type that was not understood stands as long as nobody changed what it is about.
        QStringList problems;
        readKind(m_entry, problems);
        return !problems.isEmpty() && (m_wanted.url != m_before.url || m_wanted.command != m_before.command);
    }

    void writeExisting(const json::Value &member)
    {
        const QString key = member.key();
        // Of duplicates only the last one was read, so only that one is changed.
        const bool counts = m_entry[key].isSameNode(member);
        if (!counts || !m_changes.contains(key)) {
            m_builder.rawKey(member.keySlice()).value(member);
        } else if (!m_changes.value(key).isEmpty()) {
            m_builder.rawKey(member.keySlice()).raw(m_changes.value(key));
        }
    }

    static QByteArray strings(const QStringList &wanted)
    {
        if (wanted.isEmpty())
            return {};
        json::Builder builder;
        builder.beginArray();
        for (const QString &each : wanted)
            builder.string(each);
        return builder.endArray().take();
    }

    QByteArray oauthMembers() const
    {
        json::Builder builder;
        builder.beginObject();
        bool any = false;
        for (const auto &[name, value] : GrantNames) {
            if (value == m_wanted.oauth.grant && m_wanted.oauth.grant != OAuthSettings().grant) {
                builder.member(u"grant", name);
                any = true;
            }
        }
        QStringList known{u"grant"_s, u"callbackPort"_s};
        visitOAuth([&](QStringView name, auto member) {
            known.append(name.toString());
            const QString text = textOf(m_wanted.oauth.*member);
            if (text.isEmpty())
                return;
            builder.member(name, text);
            any = true;
        });
        for (const json::Value &member : m_entry[u"oauth"]) {
            if (known.contains(member.key()))
                continue;
            builder.rawKey(member.keySlice()).value(member);
            any = true;
        }
        builder.endObject();
        return any ? builder.take() : QByteArray();
    }

    QByteArray rootList() const
    {
        if (m_wanted.roots.isEmpty())
            return {};
        json::Builder builder;
        builder.beginArray();
        for (const auto &[uri, name] : m_wanted.roots) {
            builder.beginObject().member(u"uri", uri);
            if (!name.isEmpty())
                builder.member(u"name", name);
            builder.endObject();
        }
        return builder.endArray().take();
    }

    // Members that are none of ours, and those that did not change, keep their bytes.
    QByteArray timeoutMembers() const
    {
        QStringList changed;
        for (const ServerTimeouts::Member &member : ServerTimeouts::members()) {
            if (m_wanted.timeouts.*member.place != m_before.timeouts.*member.place)
                changed.append(member.name.toString());
        }
        json::Builder builder;
        builder.beginObject();
        bool any = false;
        if (const json::Value old = m_entry[u"timeouts"]; old.isObject()) {
            for (const json::Value &member : old) {
                if (changed.contains(member.key()))
                    continue;
                builder.rawKey(member.keySlice()).value(member);
                any = true;
            }
        }
        for (const ServerTimeouts::Member &member : ServerTimeouts::members()) {
            const ServerTimeouts::Timeout timeout = m_wanted.timeouts.*member.place;
            if (!timeout || !changed.contains(member.name))
                continue;
            builder.key(member.name).number(double(timeout->count()) / 1000);
            any = true;
        }
        builder.endObject();
        return any ? builder.take() : QByteArray();
    }

    // Members that were not understood, and those that did not change, keep their bytes and their place.
    static QByteArray pairs(Pairs wanted, const json::Value &old)
    {
        json::Builder builder;
        builder.beginObject();
        bool any = false;
        for (const json::Value &member : old) {
            const QString key = member.key();
            const std::optional<QString> text = scalarText(member);
            const auto it = std::find_if(wanted.begin(), wanted.end(), [&](const auto &p) { return p.first == key; });
            if (text && it == wanted.end())
                continue;
            any = true;
            builder.rawKey(member.keySlice());
            if (it == wanted.end() || text == it->second)
                builder.value(member);
            else
                builder.string(it->second);
            if (it != wanted.end())
                wanted.erase(it);
        }
        for (const auto &[name, value] : std::as_const(wanted)) {
            any = true;
            builder.member(name, value);
        }
        builder.endObject();
        return any ? builder.take() : QByteArray();
    }

    const ServerSpec &m_wanted;
    const ServerSpec &m_before;
    const json::Value m_entry;
    QHash<QString, QByteArray> m_changes;
    json::Builder m_builder;
};

}  // namespace

EntryReading readEntry(const QString &name, const json::Value &entry)
{
    EntryReading reading;
    ServerSpec &spec = reading.spec;
    spec.name = name;
    spec.original = entry.bytes();
    if (!entry.isObject()) {
        reading.problems.append(ServerText::tr("The entry is not a JSON object."));
        return reading;
    }
    spec.kind = readKind(entry, reading.problems);
    spec.httpKind = readHttpKind(entry);
    spec.command = readString(entry, u"command", reading.problems);
    spec.arguments = readArguments(entry[u"args"], reading.problems);
    spec.workingDirectory = readString(entry, u"cwd", reading.problems);
    spec.environment = readPairs(entry[u"env"], u"env", reading.problems);
    spec.inheritEnvironment = entry[u"inheritEnv"].toBool();
    spec.loginShellPath = entry[u"loginShellPath"].toBool();
    spec.url = readUrl(entry, reading.problems);
    spec.headers = readPairs(entry[u"headers"], u"headers", reading.problems);
    spec.revision = readRevision(entry, reading.problems);
    spec.roots = readRoots(entry[u"roots"], reading.problems);
    spec.undeclaredCapabilities = readStrings(entry[u"undeclaredCapabilities"]);
    spec.oauth = readOAuth(entry, reading.problems);
    // Other programs may mean something else by such a name: what is no string is none of ours.
    for (const auto &[member, place] : http::NetworkOptions::members())
        spec.network.*place = entry[member].string();
    spec.network.allowedHosts = readStrings(entry[u"allowedHosts"]);
    spec.pageByPage = entry[u"pageByPage"].toBool();
    reading.findings = duplicateFindings(entry);
    spec.timeouts = readTimeouts(entry[u"timeouts"], reading.findings);
    return reading;
}

Result<ServerSpec> ServerSpec::fromJson(const QString &name, const json::Value &entry)
{
    EntryReading reading = readEntry(name, entry);
    if (!reading.problems.isEmpty())
        return Error::local(reading.problems.join(u' '));
    return std::move(reading.spec);
}

QByteArray ServerSpec::toJson() const
{
    const json::Value entry = original.isEmpty() ? json::Value() : json::parse(original);
    // What is not an object holds nothing that could be kept beside our members.
    const bool usable = entry.isObject();
    const ServerSpec before = usable ? readEntry(name, entry).spec : ServerSpec();
    ServerSpec wanted = *this;
    wanted.original = before.original;
    wanted.name = before.name;
    const bool unchanged = wanted == before;
    if (!original.isEmpty() && unchanged)
        return original;
    return EntryWriter(*this, before, usable ? entry : json::Value()).write();
}

}  // namespace sonde
