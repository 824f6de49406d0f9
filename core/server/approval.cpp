// SPDX-License-Identifier: Apache-2.0
#include "core/server/approval.h"

#include "core/files/filelimits.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "core/redact/secretforms.h"
#include "core/secrets/secretreference.h"
#include "core/server/specsecrets.h"
#include "core/server/texts.h"
#include "core/server/transportoptions.h"
#include "core/transport/process/programlookup.h"

#include <QDir>
#include <QHash>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

const QString HashMark = u"hmac-sha256:"_s;

QByteArray newKey()
{
    QByteArray key(32, Qt::Uninitialized);
    for (char &byte : key)
        byte = char(QRandomGenerator::system()->bounded(256));
    return key;
}

// As it is compared and stored.
LaunchLine sealed(LaunchLine line, const QByteArray &key)
{
    if (!line.secret.isEmpty())
        line.secret =
            HashMark +
            QString::fromLatin1(
                QMessageAuthenticationCode::hash(line.secret.toUtf8(), key, QCryptographicHash::Sha256).toHex());
    return line;
}

QList<LaunchLine> sealedLines(const QList<LaunchLine> &lines, const QByteArray &key)
{
    QList<LaunchLine> result;
    for (const LaunchLine &line : lines)
        result.append(sealed(line, key));
    return result;
}

// The order of variables and headers does not count, but that of two of one name does.
bool areSame(QList<LaunchLine> a, QList<LaunchLine> b)
{
    const auto isBefore = [](const LaunchLine &x, const LaunchLine &y) {
        return std::tie(x.kind, x.name) < std::tie(y.kind, y.name);
    };
    std::stable_sort(a.begin(), a.end(), isBefore);
    std::stable_sort(b.begin(), b.end(), isBefore);
    return a == b;
}

// Finds the line of a place; of several the first.
class LinesByPlace {
public:
    explicit LinesByPlace(const QList<LaunchLine> &lines)
    {
        for (const LaunchLine &line : lines) {
            if (!m_lines.contains({line.kind, line.name}))
                m_lines.insert({line.kind, line.name}, &line);
        }
    }
    const LaunchLine *find(const LaunchLine &place) const { return m_lines.value({place.kind, place.name}); }

private:
    QHash<std::pair<QString, QString>, const LaunchLine *> m_lines;
};

LaunchLine secretLine(const QString &kind, const QString &name, const QString &secret)
{
    return {kind, name, LaunchLine::secretMark(), secret};
}

// One that was stored before secrets could be shown in part.
bool isOfFormerForm(const json::Value &line)
{
    return line[u"isSecret"].toBool();
}

QList<LaunchLine> storedLines(const json::Value &entry)
{
    QList<LaunchLine> lines;
    for (const json::Value &line : entry)
        lines.append({line[u"kind"].string(), line[u"name"].string(),
                      isOfFormerForm(line) ? LaunchLine::secretMark() : line[u"value"].string(),
                      line[isOfFormerForm(line) ? u"value" : u"secret"].string()});
    return lines;
}

QByteArray entryOf(const QList<LaunchLine> &sealed)
{
    json::Builder builder;
    builder.beginArray();
    for (const LaunchLine &line : sealed) {
        builder.beginObject().member(u"kind", line.kind);
        if (!line.name.isEmpty())
            builder.member(u"name", line.name);
        builder.member(u"value", line.value);
        if (!line.secret.isEmpty())
            builder.member(u"secret", line.secret);
        builder.endObject();
    }
    return builder.endArray().take();
}

struct StoredApprovals {
    QByteArray key;  // of the hashes
    json::Value servers;
};

StoredApprovals approvalsIn(const QByteArray &text, const QByteArray &newKey)
{
    const json::Value root = json::parse(text);
    const QByteArray key = QByteArray::fromBase64(root[u"key"].utf8());
    // Without their key the hashes say nothing.
    return key.size() == newKey.size() ? StoredApprovals{key, root[u"servers"]} : StoredApprovals{newKey, {}};
}

// What leads elsewhere, or sends something there.
void addSignIn(QList<LaunchLine> *lines, const OAuthSettings &oauth)
{
    const auto add = [lines](const QString &name, const QString &value, bool isSecret = false) {
        if (value.isEmpty())
            return;
        if (isSecret && !hasSecretReference(value))
            lines->append(secretLine(u"oauth"_s, name, value));
        else
            lines->append({u"oauth"_s, name, value, {}});
    };
    if (oauth.grant != OAuthSettings::Grant::AuthorizationCode)
        add(u"grant"_s, QString::number(int(oauth.grant)));
    add(u"issuer"_s, oauth.issuer);
    add(u"clientId"_s, oauth.clientId);
    add(u"clientSecret"_s, oauth.clientSecret, true);
    add(u"providerTokenEndpoint"_s, oauth.providerTokenEndpoint.toString(QUrl::FullyEncoded));
    add(u"privateKey"_s, QString::fromUtf8(oauth.privateKey), true);
    add(u"idToken"_s, QString::fromUtf8(oauth.idToken), true);
    add(u"assertion"_s, QString::fromUtf8(oauth.assertion), true);
}

}  // namespace

// Stored as well, so it is the same in every language.
QString LaunchLine::secretMark()
{
    return u"(secret)"_s;
}

QString LaunchLine::text() const
{
    // Like the program above it, and as it is passed on.
    if (kind == u"folder" && (value == u'~' || value.startsWith(u"~/")))
        return revealedText(QDir::homePath() + value.mid(1));
    const bool isPair = kind == u"variable" || kind == u"header";
    return isPair ? revealedText(name) + u" = "_s + revealedText(value) : revealedText(value);
}

QString LaunchLine::label() const
{
    if (kind == u"program")
        return ServerText::tr("Program");
    if (kind == u"argument")
        return ServerText::tr("Argument %1").arg(name);
    if (kind == u"folder")
        return ServerText::tr("Working directory");
    if (kind == u"variable")
        return ServerText::tr("Variable");
    if (kind == u"environment")
        return ServerText::tr("Environment");
    if (kind == u"url")
        return name.isEmpty() ? ServerText::tr("URL") : ServerText::tr("URL: %1").arg(name);
    if (kind == u"header")
        return ServerText::tr("Header");
    if (kind == u"oauth")
        return ServerText::tr("Sign-in: %1").arg(name);
    if (kind == u"network")
        return ServerText::tr("Network: %1").arg(name);
    return kind;
}

static LaunchLine pairLine(const QString &kind, const QString &name, const QString &value, bool isSecret)
{
    const PartlyShown parts = partlyShown(value, isSecret, LaunchLine::secretMark());
    return {kind, name, parts.shown, parts.hidden.join(u'\n')};
}

QList<LaunchLine> launchLines(const ServerSpec &spec, const QString &program)
{
    const QList<SecretPlace> secrets = secretPlaces(spec);
    QList<LaunchLine> lines;
    const auto addPairs = [&](const QList<std::pair<QString, QString>> &pairs, const QString &kind,
                              SecretPlace::Where where) {
        for (const auto &[name, value] : pairs)
            lines.append(pairLine(kind, name, value, secrets.contains(SecretPlace{where, name})));
    };
    if (spec.startsProcess()) {
        lines.append({u"program"_s, {}, program, {}});
        for (qsizetype i = 0; i < spec.arguments.size(); ++i)
            lines.append({u"argument"_s, QString::number(i + 1), spec.arguments.at(i), {}});
        lines.append({u"folder"_s, {}, spec.workingDirectory.isEmpty() ? u"~"_s : spec.workingDirectory, {}});
        addPairs(spec.environment, u"variable"_s, SecretPlace::Where::Environment);
        if (spec.inheritEnvironment)
            lines.append({u"environment"_s, u"inherited"_s, ServerText::tr("all of Sonde's own variables"), {}});
        if (spec.loginShellPath)
            lines.append({u"environment"_s, u"PATH"_s, ServerText::tr("PATH of the login shell"), {}});
        return lines;
    }
    // What stands in front of a host can look like one.
    const auto addUrl = [&lines](const QString &kind, const QString &name, const QUrl &url) {
        const QString prefix = name.isEmpty() ? QString() : name + u' ';
        lines.append(pairLine(kind, name, url.toString(QUrl::FullyEncoded | QUrl::RemoveUserInfo), false));
        const QString user = url.userName(QUrl::FullyDecoded);
        if (!user.isEmpty())
            lines.append(pairLine(kind, prefix + u"user"_s, user, looksLikeToken(user.toUtf8())));
        if (!url.password().isEmpty())
            lines.append(secretLine(kind, prefix + u"password"_s, url.password(QUrl::FullyDecoded)));
    };
    addUrl(u"url"_s, {}, spec.url);
    addPairs(spec.headers, u"header"_s, SecretPlace::Where::Header);
    addSignIn(&lines, spec.oauth);
    for (const auto &[name, member] : http::NetworkOptions::members()) {
        const QString &value = spec.network.*member;
        if (const QUrl url(value); !url.userInfo().isEmpty())
            addUrl(u"network"_s, name, url);
        else if (!value.isEmpty())
            lines.append(pairLine(u"network"_s, name, value, false));
    }
    if (!spec.network.allowedHosts.isEmpty())
        lines.append({u"network"_s, u"allowedHosts"_s, spec.network.allowedHosts.join(u' '), {}});
    return lines;
}

QList<LaunchLine> launchLines(const ServerSpec &spec)
{
    return launchLines(spec, spec.startsProcess() ? findProgram(stdioOptions(spec)).path : QString());
}

QString Approval::Row::stateText() const
{
    switch (state) {
        case State::Same:
            break;
        case State::Before:
            return ServerText::tr("before");
        case State::Now:
            return ServerText::tr("now");
        case State::NowWithOtherSecret:
            return ServerText::tr("now, with another secret");
        case State::OtherSecret:
            return ServerText::tr("another secret than before");
        case State::Added:
            return ServerText::tr("new");
        case State::Removed:
            return ServerText::tr("removed");
    }
    return {};
}

QList<Approval::Row> Approval::rows() const
{
    using State = Row::State;
    const LinesByPlace known(before);
    const LinesByPlace current(lines);
    QList<Row> rows;
    for (const LaunchLine &line : lines) {
        const LaunchLine *old = known.find(line);
        const bool hasOtherSecret =
            old && !old->secret.isEmpty() && !line.secret.isEmpty() && old->secret != line.secret;
        if (before.isEmpty() || (old && *old == line)) {
            rows.append({line, State::Same});
        } else if (!old) {
            rows.append({line, State::Added});
        } else if (hasOtherSecret && old->value == line.value) {
            rows.append({line, State::OtherSecret});
        } else {
            rows.append({*old, State::Before});
            rows.append({line, hasOtherSecret ? State::NowWithOtherSecret : State::Now});
        }
    }
    for (const LaunchLine &line : before) {
        if (!current.find(line))
            rows.append({line, State::Removed});
    }
    return rows;
}

ApprovalStore::ApprovalStore(const QString &path)
    : m_newKey(newKey()), m_file(path, {.maxBytes = filelimits::Approvals})
{}

std::optional<Approval> ApprovalStore::question(const QString &server, const QList<LaunchLine> &lines) const
{
    const StoredApprovals stored = approvalsIn(m_file.read(), m_newKey);
    const json::Value known = stored.servers[server];
    if (!known.exists())
        return Approval{lines, {}};
    const QList<LaunchLine> now = sealedLines(lines, stored.key);
    Approval approval{lines, storedLines(known)};
    if (areSame(now, approval.before))
        return std::nullopt;
    // What is the same secret as before is no change.
    const LinesByPlace sealedNow(now);
    const LinesByPlace shownNow(approval.lines);
    for (LaunchLine &line : approval.before) {
        const LaunchLine *same = sealedNow.find(line);
        if (same && same->secret == line.secret)
            line.secret = shownNow.find(line)->secret;
    }
    return approval;
}

Error ApprovalStore::approve(const QString &server, const QList<LaunchLine> &lines)
{
    return change(server, lines);
}

Error ApprovalStore::remove(const QString &server)
{
    return change(server, std::nullopt);
}

Error ApprovalStore::change(const QString &server, const std::optional<QList<LaunchLine>> &lines)
{
    const JsonStore::Change change = [server, lines, newKey = m_newKey](const QByteArray &text) {
        const StoredApprovals stored = approvalsIn(text, newKey);
        const QByteArray servers = JsonStore::withMember(
            stored.servers.bytes(), server, lines ? entryOf(sealedLines(*lines, stored.key)) : QByteArray());
        const QByteArray withKey =
            JsonStore::withMember(text, u"key", json::quoted(QString::fromLatin1(stored.key.toBase64())));
        return json::indented(json::parse(JsonStore::withMember(withKey, u"servers", servers)));
    };
    const Error error = m_file.change(change, change);
    if (!error || m_file.path().isEmpty())
        return {};
    return Error::local(ServerText::tr("The approval cannot be remembered. %1").arg(error.message),
                        ServerText::tr("Sonde asks again at the next start."));
}

}  // namespace sonde
