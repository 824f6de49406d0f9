// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/tokenstore.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/files/savefile.h"
#include "core/files/userfolder.h"
#include "core/json/texts.h"

#include <QCryptographicHash>
#include <QFile>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int LockRetryMs = 50;
constexpr qint64 EarlyS = 30;

}  // namespace

bool TokenSet::isAboutToExpire() const
{
    const qint64 early = lifetimeS > 0 ? qMin(EarlyS, lifetimeS / 2) : EarlyS;
    return expiresAt.isValid() && QDateTime::currentDateTimeUtc().addSecs(early) >= expiresAt;
}

QByteArray SignInRecord::toJson() const
{
    json::Builder builder;
    builder.beginObject().member(u"issuer", tokens.issuer);
    builder.member(u"accessToken", QString::fromUtf8(tokens.accessToken));
    builder.member(u"refreshToken", QString::fromUtf8(tokens.refreshToken));
    builder.rawMember(u"isBound", tokens.isBound ? "true" : "false");
    builder.member(u"expiresAt", tokens.expiresAt.toString(Qt::ISODate));
    builder.rawMember(u"lifetime", QByteArray::number(tokens.lifetimeS));
    addTexts(builder, u"scopes", tokens.scopes);
    addTexts(builder, u"requestedScopes", requestedScopes);
    builder.member(u"clientId", client.clientId).member(u"clientSecret", client.secret);
    builder.member(u"authMethod", client.authMethod);
    builder.member(u"redirectUri", client.redirectUri.toString(QUrl::FullyEncoded));
    builder.member(u"clientExpiresAt", client.expiresAt.toString(Qt::ISODate));
    addTexts(builder, u"clientScopes", client.scopes);
    builder.member(u"proofKey", QString::fromUtf8(proofKey));
    builder.member(u"revocationEndpoint", revocation.url.toString(QUrl::FullyEncoded));
    if (revocation.authMethods)
        addTexts(builder, u"revocationMethods", *revocation.authMethods);
    builder.member(u"serverAddress", revocation.serverAddress.toString());
    builder.member(u"tokenEndpoint", tokenEndpoint.toString(QUrl::FullyEncoded));
    if (tokenMethods)
        addTexts(builder, u"tokenMethods", *tokenMethods);
    builder.member(u"resource", resource);
    builder.member(u"metadataUrl", namedMetadata.toString(QUrl::FullyEncoded));
    builder.member(u"identity", QString::fromLatin1(identity));
    return builder.endObject().take();
}

std::optional<SignInRecord> SignInRecord::fromJson(const QByteArray &text)
{
    const json::Document document = json::Document::parse(text);
    const json::Value root = document.root();
    if (root[u"issuer"].string().isEmpty())
        return std::nullopt;
    SignInRecord record;
    record.tokens = {root[u"issuer"].string(),
                     root[u"accessToken"].utf8(),
                     root[u"refreshToken"].utf8(),
                     root[u"isBound"].toBool(),
                     QDateTime::fromString(root[u"expiresAt"].string(), Qt::ISODate).toUTC(),
                     textsIn(root[u"scopes"]),
                     root[u"lifetime"].toInteger().value_or(0)};
    record.client = {root[u"clientId"].string(),
                     root[u"clientSecret"].string(),
                     root[u"authMethod"].string(),
                     QUrl(root[u"redirectUri"].string()),
                     QDateTime::fromString(root[u"clientExpiresAt"].string(), Qt::ISODate).toUTC(),
                     textsIn(root[u"clientScopes"])};
    record.requestedScopes = textsIn(root[u"requestedScopes"]);
    record.proofKey = root[u"proofKey"].utf8();
    record.revocation.url = QUrl(root[u"revocationEndpoint"].string());
    if (root.contains(u"revocationMethods"))
        record.revocation.authMethods = textsIn(root[u"revocationMethods"]);
    record.revocation.serverAddress = QHostAddress(root[u"serverAddress"].string());
    record.tokenEndpoint = QUrl(root[u"tokenEndpoint"].string());
    if (root.contains(u"tokenMethods"))
        record.tokenMethods = textsIn(root[u"tokenMethods"]);
    record.resource = root[u"resource"].string();
    record.namedMetadata = QUrl(root[u"metadataUrl"].string());
    record.identity = root[u"identity"].utf8();
    return record;
}

TokenStore::TokenStore(std::shared_ptr<SecretVault> vault, const QString &folder)
    : m_vault(std::move(vault)), m_folder(folder), m_removals(std::make_shared<QHash<QString, int>>())
{}

QString TokenStore::markPath(const QString &name) const
{
    return m_folder.isEmpty()
               ? QString()
               : m_folder + u'/' +
                     QString::fromLatin1(QCryptographicHash::hash(name.toUtf8(), QCryptographicHash::Sha256).toHex());
}

QString TokenStore::lockPath(const QString &name) const
{
    if (m_folder.isEmpty() || makePrivateFolder(m_folder))
        return {};
    return markPath(name) + u".lock"_s;
}

bool TokenStore::mayHave(const QString &name) const
{
    return m_folder.isEmpty() || m_vault->isForSession(name) || QFile::exists(markPath(name));
}

QString TokenStore::scopesPath(const QString &name) const
{
    return markPath(name) + u".scopes"_s;
}

QStringList TokenStore::demandedScopes(const QString &name) const
{
    const Result<QByteArray> text =
        m_folder.isEmpty() ? QByteArray() : readFile(scopesPath(name), filelimits::DemandedScopes);
    return text ? QString::fromUtf8(*text).split(u'\n', Qt::SkipEmptyParts) : QStringList();
}

void TokenStore::setDemandedScopes(const QString &name, const QStringList &scopes)
{
    if (m_folder.isEmpty() || scopes == demandedScopes(name))
        return;
    const QString path = scopesPath(name);
    const QByteArray text = scopes.join(u'\n').toUtf8();
    if (text.isEmpty()) {
        QFile::remove(path);
        return;
    }
    if (text.size() <= filelimits::DemandedScopes && !makePrivateFolder(m_folder))
        (void)saveFile(path, text, ReadableBy::Owner);
}

void TokenStore::read(const QString &name, QObject *context, const ReadDone &done)
{
    m_vault->read(name, context, [done](const Result<SecretStore::Value> &value) {
        if (!value)
            done(value.error());
        else
            done(*value ? SignInRecord::fromJson(**value) : std::nullopt);
    });
}

void TokenStore::write(const QString &name, const SignInRecord &record, QObject *context, const SecretStore::Done &done)
{
    const QByteArray json = record.toJson();
    m_vault->write(name, json, context,
                   [vault = m_vault, mark = markPath(name), folder = m_folder, name, json, done, removals = m_removals,
                    count = m_removals->value(name)](const Error &error) {
                       // A write that fails late does not bring back what was removed since.
                       if (error) {
                           if (removals->value(name) == count)
                               vault->keepForSession(name, json);
                       } else if (!mark.isEmpty() && !makePrivateFolder(folder)) {
                           (void)saveFile(mark, {}, ReadableBy::Owner);
                       }
                       done(error);
                   });
}

void TokenStore::remove(const QString &name, QObject *context, const SecretStore::Done &done)
{
    const QString mark = markPath(name);
    ++(*m_removals)[name];
    // What was kept for the session only is gone, whatever the keychain says.
    const bool wasForSession = m_vault->isForSession(name) && !QFile::exists(mark);
    m_vault->remove(name, context, [mark, wasForSession, done](const Error &error) {
        if (!error && !mark.isEmpty())
            QFile::remove(mark);
        done(wasForSession ? Error() : error);
    });
}

SignInLock::SignInLock(const QString &path) : m_path(path)
{
    m_retry.setInterval(LockRetryMs);
    QObject::connect(&m_retry, &QTimer::timeout, &m_retry, [this] {
        if (tryTake())
            std::exchange(m_taken, {})();
    });
}

bool SignInLock::tryTake()
{
    m_lock.reset();
    if (!m_path.isEmpty())
        m_lock = std::make_unique<FileLock>(m_path, std::chrono::milliseconds(0));
    const bool isTaken = !m_lock || !m_lock->isHeldElsewhere();
    if (isTaken)
        m_retry.stop();
    return isTaken;
}

void SignInLock::take(const std::function<void()> &taken)
{
    if (tryTake())
        return taken();
    m_taken = taken;
    m_retry.start();
}

void SignInLock::release()
{
    m_retry.stop();
    m_taken = {};
    m_lock.reset();
}

}  // namespace sonde
