// SPDX-License-Identifier: Apache-2.0
#include "core/secrets/keychain.h"

#include "core/protocol/visibletext.h"
#include "core/secrets/texts.h"

#include <qt6keychain/keychain.h>
#include <QPointer>
#include <QTimer>

namespace sonde {

namespace {

Error errorOf(const QKeychain::Job &job)
{
    QString text;
    switch (job.error()) {
        case QKeychain::NoError:
        case QKeychain::EntryNotFound:
            return {};
        case QKeychain::AccessDeniedByUser:
            text = SecretsText::tr("Access to the keychain was refused.");
            break;
        case QKeychain::AccessDenied:
            text = SecretsText::tr("Sonde could not unlock the keychain.");
            break;
        case QKeychain::NoBackendAvailable:
        case QKeychain::NotImplemented:
            text = SecretsText::tr("There is no keychain on this computer.");
            break;
        case QKeychain::CouldNotDeleteEntry:
        case QKeychain::OtherError:
            text = SecretsText::tr("The keychain cannot be used.");
            break;
    }
    return {Error::Kind::Local,
            0,
            text,
            visibleLine(job.errorString(), 300),
            SecretsText::tr("Unlock the keychain, or start a service that provides one, such as GNOME Keyring or "
                            "KWallet."),
            {}};
}

// A job cannot be ended: one that is given up goes on by itself and deletes itself.
template <typename Job, typename Function>
void run(Job *job, const QString &name, QObject *context, std::chrono::milliseconds patience, const Function &finish)
{
    job->setKey(name);
    job->setAutoDelete(true);
    auto *deadline = new QTimer(context);
    deadline->setSingleShot(true);
    QObject::connect(job, &QKeychain::Job::finished, deadline, [deadline, job, finish] {
        deadline->stop();
        deadline->deleteLater();
        finish(errorOf(*job), job);
    });
    QObject::connect(deadline, &QTimer::timeout, deadline, [deadline, job = QPointer<Job>(job), finish] {
        if (job)
            job->disconnect(deadline);
        deadline->deleteLater();
        finish(Error{Error::Kind::Timeout,
                     0,
                     SecretsText::tr("The keychain did not respond in time."),
                     {},
                     SecretsText::tr("It may be waiting for its password in another window."),
                     {}},
               static_cast<Job *>(nullptr));
    });
    deadline->start(patience);
    job->start();
}

}  // namespace

Keychain::Keychain(const QString &service, std::chrono::milliseconds patience)
    : m_service(service), m_patience(patience)
{}

void Keychain::read(const QString &name, QObject *context, const ReadDone &done)
{
    run(new QKeychain::ReadPasswordJob(m_service), name, context, m_patience,
        [done](const Error &error, const QKeychain::ReadPasswordJob *job) {
            if (error)
                done(error);
            else
                done(job->error() == QKeychain::EntryNotFound ? Value() : Value(job->binaryData()));
        });
}

void Keychain::write(const QString &name, const QByteArray &value, QObject *context, const Done &done)
{
    auto *job = new QKeychain::WritePasswordJob(m_service);
    job->setBinaryData(value);
    run(job, name, context, m_patience, [done](const Error &error, const auto *) { done(error); });
}

void Keychain::remove(const QString &name, QObject *context, const Done &done)
{
    run(new QKeychain::DeletePasswordJob(m_service), name, context, m_patience,
        [done](const Error &error, const auto *) { done(error); });
}

}  // namespace sonde
