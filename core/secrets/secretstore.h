// Keeps secrets outside every file of Sonde, by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QHash>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>

class QObject;

namespace sonde {

// The caller's thread. Each `done` is called once and never before the call returns, unless its context is gone
// by then. Nothing waits: what takes long ends with an Error of its own accord.
class SecretStore {
public:
    using Value = std::optional<QByteArray>;  // none: nothing is kept under that name
    using ReadDone = std::function<void(const Result<Value> &)>;
    using Done = std::function<void(const Error &)>;

    virtual ~SecretStore();
    virtual void read(const QString &name, QObject *context, const ReadDone &done) = 0;
    virtual void write(const QString &name, const QByteArray &value, QObject *context, const Done &done) = 0;
    // What is not there is no error.
    virtual void remove(const QString &name, QObject *context, const Done &done) = 0;
};

// One after another, as texts by their names. The first that cannot be read, or that is not there, ends it: the error
// says which, and the values are those before it.
using SecretsRead = std::function<void(const QHash<QString, QString> &values, const Error &error)>;
void readSecrets(const std::shared_ptr<SecretStore> &store, const QStringList &names, QObject *context,
                 const SecretsRead &done);

// Ends with this object: the memory of one start of the program.
class MemorySecretStore final : public SecretStore {
public:
    void read(const QString &name, QObject *context, const ReadDone &done) override;
    void write(const QString &name, const QByteArray &value, QObject *context, const Done &done) override;
    void remove(const QString &name, QObject *context, const Done &done) override;

    bool contains(const QString &name) const { return m_values.contains(name); }
    Value value(const QString &name) const;
    void setValue(const QString &name, const QByteArray &value) { m_values.insert(name, value); }
    void forget(const QString &name) { m_values.remove(name); }

private:
    QHash<QString, QByteArray> m_values;
};

// A store that lasts, and beside it a memory for what that did not take: never a file.
class SecretVault final : public SecretStore {
public:
    explicit SecretVault(std::unique_ptr<SecretStore> lasting);
    ~SecretVault() override;

    void read(const QString &name, QObject *context, const ReadDone &done) override;
    void write(const QString &name, const QByteArray &value, QObject *context, const Done &done) override;
    void remove(const QString &name, QObject *context, const Done &done) override;

    // Until the program ends. Nobody but the person decides that, after write() has failed.
    void keepForSession(const QString &name, const QByteArray &value) { m_memory.setValue(name, value); }
    bool isForSession(const QString &name) const { return m_memory.contains(name); }

private:
    std::unique_ptr<SecretStore> m_lasting;
    MemorySecretStore m_memory;
};

}  // namespace sonde
