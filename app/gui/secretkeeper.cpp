// SPDX-License-Identifier: Apache-2.0
#include "app/gui/secretkeeper.h"

#include "app/gui/mainwindow.h"
#include "core/protocol/visibletext.h"

#include <QMessageBox>
#include <QPushButton>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

struct SecretKeeper::Task {
    ServerSpec spec;
    QHash<QString, QString> values;  // that the keychain does not have yet, by name
    std::function<void(const ServerSpec &)> then;
};

SecretKeeper::SecretKeeper(std::shared_ptr<SecretVault> vault, MainWindow *window, QObject *parent)
    : QObject(parent), m_vault(std::move(vault)), m_window(window)
{}

void SecretKeeper::keep(const ServerSpec &spec, const QList<SecretPlace> &places,
                        const std::function<void(const ServerSpec &)> &then)
{
    const auto task = std::make_shared<Task>();
    task->spec = withKeychainReferences(spec, places, &task->values);
    task->then = then;
    next(task);
}

void SecretKeeper::forget(const ServerSpec &gone, const QList<ServerSpec> &left)
{
    QStringList kept;
    for (const ServerSpec &spec : left)
        kept += keychainNames(spec);
    for (const QString &name : keychainNames(gone)) {
        if (!kept.contains(name))
            m_vault->remove(name, this, [](const Error &) {});
    }
}

void SecretKeeper::next(const std::shared_ptr<Task> &task)
{
    if (task->values.isEmpty())
        return task->then(task->spec);
    const QString name = task->values.cbegin().key();
    m_vault->write(name, task->values.cbegin().value().toUtf8(), this, [this, task, name](const Error &error) {
        if (error)
            return ask(task, error);
        task->values.remove(name);
        next(task);
    });
}

// Never a file in its place.
void SecretKeeper::ask(const std::shared_ptr<Task> &task, const Error &error)
{
    auto *box = new QMessageBox(QMessageBox::Warning, tr("Secrets of %1").arg(visibleLine(task->spec.name, 80)),
                                error.message, QMessageBox::Cancel, m_window);
    box->setObjectName(u"secretsNotKept"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        (error.hint.isEmpty() ? QString() : error.hint + u'\n') +
        tr("Without a keychain the values can be kept until Sonde is closed. They are written to no file."));
    box->setDetailedText(error.detail);
    QPushButton *session = box->addButton(tr("Keep for this session only"), QMessageBox::AcceptRole);
    QPushButton *again = box->addButton(tr("Try again"), QMessageBox::ActionRole);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(box, &QMessageBox::buttonClicked, this, [this, task, session, again](QAbstractButton *clicked) {
        if (clicked == again)
            return next(task);
        if (clicked != session)
            return;
        for (auto it = task->values.cbegin(); it != task->values.cend(); ++it)
            m_vault->keepForSession(it.key(), it.value().toUtf8());
        task->then(task->spec);
    });
    box->open();
}

}  // namespace sonde::app
