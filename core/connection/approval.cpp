// SPDX-License-Identifier: Apache-2.0
#include "core/connection/approval.h"

#include "core/connection/specsecrets.h"
#include "core/connection/transportoptions.h"
#include "core/files/filelimits.h"
#include "core/files/filelock.h"
#include "core/files/readfile.h"
#include "core/files/savefile.h"
#include "core/files/userfolder.h"
#include "core/json/builder.h"
#include "core/secrets/secretreference.h"
#include "core/transport/programlookup.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>
#include <QSaveFile>

#include <algorithm>
#include <optional>
#include <tuple>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

const QString HashMark = u"hmac-sha256:"_s;

struct ApprovalText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Approval)
};

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
    if (line.isSecret)
        line.value =
            HashMark +
            QString::fromLatin1(
                QMessageAuthenticationCode::hash(line.value.toUtf8(), key, QCryptographicHash::Sha256).toHex());
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

const LaunchLine *lineAt(const QList<LaunchLine> &lines, const LaunchLine &place)
{
    const auto found =
        std::find_if(lines.begin(), lines.end(), [&](const LaunchLine &line) { return line.isAt(place); });
    return found == lines.end() ? nullptr : &*found;
}

// What leads elsewhere, or sends something there.
void addSignIn(QList<LaunchLine> *lines, const OAuthSettings &oauth)
{
    const auto add = [lines](const QString &name, const QString &value, bool isSecret = false) {
        if (!value.isEmpty())
            lines->append({u"oauth"_s, name, value, isSecret && !hasSecretReference(value)});
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

QString LaunchLine::label() const
{
    if (kind == u"program")
        return ApprovalText::tr("Program");
    if (kind == u"argument")
        return ApprovalText::tr("Argument %1").arg(name);
    if (kind == u"folder")
        return ApprovalText::tr("Working directory");
    if (kind == u"variable")
        return ApprovalText::tr("Variable %1").arg(name);
    if (kind == u"environment")
        return ApprovalText::tr("Environment");
    if (kind == u"url")
        return name.isEmpty() ? ApprovalText::tr("URL") : ApprovalText::tr("URL: %1").arg(name);
    if (kind == u"header")
        return ApprovalText::tr("Header %1").arg(name);
    if (kind == u"oauth")
        return ApprovalText::tr("Sign-in: %1").arg(name);
    if (kind == u"network")
        return ApprovalText::tr("Network: %1").arg(name);
    return kind;
}

QList<LaunchLine> launchLines(const ServerSpec &spec, const QString &program)
{
    const QList<SecretPlace> secrets = secretPlaces(spec);
    QList<LaunchLine> lines;
    const auto addPairs = [&](const QList<std::pair<QString, QString>> &pairs, const QString &kind,
                              SecretPlace::Where where) {
        for (const auto &[name, value] : pairs)
            lines.append({kind, name, value, secrets.contains(SecretPlace{where, name})});
    };
    if (spec.startsProcess()) {
        lines.append({u"program"_s, {}, program});
        for (qsizetype i = 0; i < spec.arguments.size(); ++i)
            lines.append({u"argument"_s, QString::number(i + 1), spec.arguments.at(i)});
        lines.append({u"folder"_s, {}, spec.workingDirectory.isEmpty() ? u"~"_s : spec.workingDirectory});
        addPairs(spec.environment, u"variable"_s, SecretPlace::Where::Environment);
        if (spec.inheritEnvironment)
            lines.append({u"environment"_s, u"inherited"_s, ApprovalText::tr("all of Sonde's own variables")});
        if (spec.loginShellPath)
            lines.append({u"environment"_s, u"PATH"_s, ApprovalText::tr("PATH of the login shell")});
        return lines;
    }
    // What stands in front of a host can look like one.
    const auto addUserInfo = [&lines](const QString &kind, const QString &prefix, const QUrl &url) {
        if (!url.userName().isEmpty())
            lines.append({kind, prefix + u"user"_s, url.userName(QUrl::FullyDecoded)});
        if (!url.password().isEmpty())
            lines.append({kind, prefix + u"password"_s, url.password(QUrl::FullyDecoded), true});
    };
    lines.append({u"url"_s, {}, spec.url.toString(QUrl::FullyEncoded | QUrl::RemoveUserInfo)});
    addUserInfo(u"url"_s, {}, spec.url);
    addPairs(spec.headers, u"header"_s, SecretPlace::Where::Header);
    addSignIn(&lines, spec.oauth);
    for (const auto &[name, member] : ServerSpec::Network::members()) {
        const QString &value = spec.network.*member;
        const QUrl url(value);
        if (value.isEmpty())
            continue;
        const QString shown =
            url.userInfo().isEmpty() ? value : url.toString(QUrl::FullyEncoded | QUrl::RemoveUserInfo);
        lines.append({u"network"_s, name, shown});
        addUserInfo(u"network"_s, QString(name) + u' ', url);
    }
    if (!spec.network.allowedHosts.isEmpty())
        lines.append({u"network"_s, u"allowedHosts"_s, spec.network.allowedHosts.join(u' ')});
    return lines;
}

QList<LaunchLine> launchLines(const ServerSpec &spec)
{
    return launchLines(spec, spec.startsProcess() ? findProgram(stdioOptions(spec)).path : QString());
}

const LaunchLine *Approval::beforeAt(const LaunchLine &line) const
{
    return lineAt(before, line);
}

bool Approval::isChanged(const LaunchLine &line) const
{
    const LaunchLine *old = beforeAt(line);
    return !before.isEmpty() && (!old || old->isSecret != line.isSecret || old->value != line.value);
}

QList<LaunchLine> Approval::removed() const
{
    QList<LaunchLine> gone;
    for (const LaunchLine &line : before) {
        if (!lineAt(lines, line))
            gone.append(line);
    }
    return gone;
}

ApprovalStore::ApprovalStore(const QString &path) : m_path(path)
{
    m_memory.key = newKey();
}

QString ApprovalStore::usualPath()
{
    const QString folder = userFolder(UserFolder::Config);
    return folder.isEmpty() ? QString() : folder + u"/approvals.json"_s;
}

std::optional<Approval> ApprovalStore::question(const QString &server, const QList<LaunchLine> &lines)
{
    const auto find = [&server](const Content &content) {
        return std::find_if(content.servers.begin(), content.servers.end(),
                            [&](const auto &entry) { return entry.first == server; });
    };
    const auto remembered = find(m_memory);
    if (remembered != m_memory.servers.end() && areSame(remembered->second, sealedLines(lines, m_memory.key)))
        return std::nullopt;
    const Content content = read();
    const auto known = find(content);
    if (known == content.servers.end())
        return Approval{lines, {}};
    const QList<LaunchLine> now = sealedLines(lines, content.key);
    if (areSame(now, known->second))
        return std::nullopt;
    Approval approval{lines, known->second};
    // What is the same secret as before is no change.
    for (LaunchLine &line : approval.before) {
        const LaunchLine *same = lineAt(now, line);
        if (same && *same == line)
            line.value = lineAt(lines, line)->value;
    }
    return approval;
}

Error ApprovalStore::approve(const QString &server, const QList<LaunchLine> &lines)
{
    return change(server, [&](Content &content) {
        content.servers.removeIf([&](const auto &entry) { return entry.first == server; });
        content.servers.append({server, sealedLines(lines, content.key)});
    });
}

Error ApprovalStore::remove(const QString &server)
{
    return change(server, [&](Content &content) {
        content.servers.removeIf([&](const auto &entry) { return entry.first == server; });
    });
}

template <typename Function>
Error ApprovalStore::change(const QString &server, const Function &function)
{
    Error error;
    if (!m_path.isEmpty())
        error = makePrivateFolder(QFileInfo(m_path).absolutePath());
    if (!m_path.isEmpty() && !error) {
        const FileLock lock(m_path + u".lock"_s);
        Content content = read();
        function(content);
        error = write(content);
    }
    // What the file does not take lasts until the program ends, or until the file takes something else.
    if (error || m_path.isEmpty())
        function(m_memory);
    else
        m_memory.servers.removeIf([&](const auto &entry) { return entry.first == server; });
    return error;
}

ApprovalStore::Content ApprovalStore::read() const
{
    if (m_path.isEmpty())
        return m_memory;
    Content content;
    if (const Result<QByteArray> text = readFile(m_path, filelimits::Approvals)) {
        const json::Document document = json::Document::parse(*text);
        content.key = QByteArray::fromBase64(document.root()[u"key"].utf8());
        for (const json::Value &server : document.root()[u"servers"]) {
            QList<LaunchLine> lines;
            for (const json::Value &line : server)
                lines.append({line[u"kind"].string(), line[u"name"].string(), line[u"value"].string(),
                              line[u"isSecret"].toBool()});
            content.servers.append({server.key(), lines});
        }
    }
    // Without their key the hashes say nothing.
    if (content.key.size() != m_memory.key.size())
        content = {m_memory.key, {}};
    return content;
}

Error ApprovalStore::write(const Content &content)
{
    json::Builder builder;
    builder.beginObject().member(u"key", QString::fromLatin1(content.key.toBase64()));
    builder.key(u"servers").beginObject();
    for (const auto &[server, lines] : content.servers) {
        builder.key(server).beginArray();
        for (const LaunchLine &line : lines) {
            builder.beginObject().member(u"kind", line.kind);
            if (!line.name.isEmpty())
                builder.member(u"name", line.name);
            builder.member(u"value", line.value);
            if (line.isSecret)
                builder.rawMember(u"isSecret", "true");
            builder.endObject();
        }
        builder.endArray();
    }
    builder.endObject().endObject();
    QSaveFile file(m_path);
    QString reason;
    if (file.open(QIODevice::WriteOnly)) {
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        file.write(json::indented(json::parse(builder.take())));
        reason = commitFile(file);
    } else {
        reason = file.errorString();
    }
    return reason.isEmpty()
               ? Error()
               : Error::local(ApprovalText::tr("The approval cannot be remembered: %1.").arg(reason),
                              ApprovalText::tr("Sonde asks again at the next start. File: %1").arg(m_path));
}

}  // namespace sonde
