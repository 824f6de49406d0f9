// SPDX-License-Identifier: Apache-2.0
#include "core/secrets/secretstore.h"

#include <QObject>

namespace sonde {

namespace {

template <typename Function>
void later(QObject *context, Function function)
{
    QMetaObject::invokeMethod(context, std::move(function), Qt::QueuedConnection);
}

}  // namespace

SecretStore::~SecretStore() = default;

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
