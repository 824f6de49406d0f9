// A keychain that lets itself be read and written, or refuses.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/secrets/secretstore.h"

#include <QObject>

namespace sonde::test {

class FakeKeychain final : public SecretStore {
public:
    void read(const QString &name, QObject *context, const ReadDone &done) override
    {
        const auto found = values.constFind(name);
        const Value value = found == values.constEnd() ? Value() : Value(*found);
        later(context, [done, result = readError ? Result<Value>(readError) : Result<Value>(value)] { done(result); });
    }
    void write(const QString &name, const QByteArray &value, QObject *context, const Done &done) override
    {
        if (!writeError)
            values.insert(name, value);
        later(context, [done, error = writeError] { done(error); });
    }
    void remove(const QString &name, QObject *context, const Done &done) override
    {
        values.remove(name);
        later(context, [done] { done({}); });
    }

    QHash<QString, QByteArray> values;
    Error readError;
    Error writeError;

private:
    template <typename Function>
    static void later(QObject *context, const Function &function)
    {
        QMetaObject::invokeMethod(context, function, Qt::QueuedConnection);
    }
};

}  // namespace sonde::test
