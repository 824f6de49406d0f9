// SPDX-License-Identifier: Apache-2.0
#include "core/secrets/secretstore.h"

#include "core/protocol/visibletext.h"
#include "core/secrets/texts.h"

#include <QObject>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

template <typename Function>
void later(QObject *context, Function function)
{
    QMetaObject::invokeMethod(context, std::move(function), Qt::QueuedConnection);
}

void readNext(const std::shared_ptr<SecretStore> &store, const QStringList &names, QObject *context,
              const QHash<QString, QString> &values, const SecretsRead &done)
{
    if (names.isEmpty())
        return done(values, {});
    const auto took = [=](const Result<SecretStore::Value> &value) {
        const QString &name = names.first();
        if (!value)
            return done(values, value.error());
        if (!*value)
            return done(
                values,
                Error::local(
                    SecretsText::tr("The keychain has no value named “%1”.").arg(visibleLine(name, 80)),
                    SecretsText::tr("Enter the value again in this server's settings, and unlock the keychain.")));
        QHash<QString, QString> more = values;
        more.insert(name, QString::fromUtf8(**value));
        readNext(store, names.sliced(1), context, more, done);
    };
    store->read(names.first(), context, took);
}

}  // namespace

SecretStore::~SecretStore() = default;

void readSecrets(const std::shared_ptr<SecretStore> &store, const QStringList &names, QObject *context,
                 const SecretsRead &done)
{
    later(context, [=] { readNext(store, names, context, {}, done); });
}

SecretStore::Value MemorySecretStore::value(const QString &name) const
{
    const auto found = m_values.constFind(name);
    return found == m_values.constEnd() ? Value() : Value(*found);
}

void MemorySecretStore::read(const QString &name, QObject *context, const ReadDone &done)
{
    later(context, [done, value = value(name)] { done(value); });
}

void MemorySecretStore::write(const QString &name, const QByteArray &value, QObject *context, const Done &done)
{
    m_values.insert(name, value);
    later(context, [done] { done({}); });
}

void MemorySecretStore::remove(const QString &name, QObject *context, const Done &done)
{
    m_values.remove(name);
    later(context, [done] { done({}); });
}

SecretVault::SecretVault(std::unique_ptr<SecretStore> lasting) : m_lasting(std::move(lasting)) {}

SecretVault::~SecretVault() = default;

void SecretVault::read(const QString &name, QObject *context, const ReadDone &done)
{
    if (m_memory.contains(name))
        m_memory.read(name, context, done);
    else
        m_lasting->read(name, context, done);
}

void SecretVault::write(const QString &name, const QByteArray &value, QObject *context, const Done &done)
{
    m_memory.forget(name);
    m_lasting->write(name, value, context, done);
}

void SecretVault::remove(const QString &name, QObject *context, const Done &done)
{
    m_memory.forget(name);
    m_lasting->remove(name, context, done);
}

}  // namespace sonde
