// SPDX-License-Identifier: Apache-2.0
#include "app/gui/secretkeeper.h"

#include "app/gui/mainwindow.h"
#include "app/gui/warningbar.h"
#include "core/protocol/visibletext.h"

#include <QMessageBox>
#include <QPushButton>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

struct SecretKeeper::Task {
    QList<ServerSpec> specs;
    QHash<QString, QString> values;     // that the keychain does not have yet, by name
    QStringList unread;                 // names of those that it may have
    bool replaces = false;              // another value that it has
    QHash<QString, QByteArray> before;  // what it had in their places
    QStringList written;                // names of those that it has from here
    std::function<void(const ServerSpec &)> then;
    std::function<void()> givenUp;

    void end() const
    {
        for (const ServerSpec &spec : specs)
            then(spec);
    }
};

SecretKeeper::SecretKeeper(std::shared_ptr<SecretVault> vault, MainWindow *window, QObject *parent)
    : QObject(parent), m_vault(std::move(vault)), m_window(window)
{}

std::shared_ptr<SecretKeeper::Task> SecretKeeper::newTask()
{
    m_tasks.removeIf([](const std::weak_ptr<Task> &task) { return task.expired(); });
    auto task = std::make_shared<Task>();
    m_tasks.append(task);
    return task;
}

bool SecretKeeper::isBusy() const
{
    return std::any_of(m_tasks.begin(), m_tasks.end(), [](const auto &task) { return !task.expired(); });
}

void SecretKeeper::keep(const QList<Secrets> &servers, const std::function<void(const ServerSpec &)> &then,
                        const std::function<void()> &givenUp)
{
    const std::shared_ptr<Task> task = newTask();
    for (const Secrets &server : servers)
        task->specs.append(withKeychainReferences(server.spec, server.places, &task->values));
    task->then = then;
    task->givenUp = givenUp;
    next(task);
}

void SecretKeeper::fillIn(const ServerSpec &known, const QHash<QString, QString> &values,
                          const std::function<void(qsizetype)> &then)
{
    const std::shared_ptr<Task> task = newTask();
    task->specs.append(known);
    task->values = values;
    task->unread = values.keys();
    task->then = [then, task = std::weak_ptr(task)](const ServerSpec &) {
        const auto alive = task.lock();
        then(alive ? alive->written.size() + alive->values.size() : 0);
    };
    readNext(task);
}

void SecretKeeper::replace(const ServerSpec &known, const QHash<QString, QString> &values,
                           const std::function<void()> &then)
{
    const std::shared_ptr<Task> task = newTask();
    task->specs.append(known);
    task->values = values;
    task->unread = values.keys();
    task->replaces = true;
    task->then = [then](const ServerSpec &) { then(); };
    readNext(task);
}

// One after the other. What cannot be read may be there all the same.
void SecretKeeper::readNext(const std::shared_ptr<Task> &task)
{
    if (task->unread.isEmpty())
        return next(task);
    const QString name = task->unread.first();
    m_vault->read(name, this, [this, task, name](const Result<SecretStore::Value> &value) {
        if (!value)
            return ask(task, value.error());
        task->unread.removeFirst();
        if (value->has_value() && task->replaces && **value != task->values.value(name).toUtf8())
            task->before.insert(name, **value);
        else if (value->has_value())
            task->values.remove(name);
        readNext(task);
    });
}

void SecretKeeper::forget(const ServerSpec &gone, const QList<ServerSpec> &left)
{
    QStringList kept;
    for (const ServerSpec &spec : left)
        kept += keychainNames(spec);
    for (const QString &name : keychainNames(gone)) {
        if (kept.contains(name))
            continue;
        const QString title = tr("A secret of “%1” is still in the keychain").arg(visibleLine(gone.name, 80));
        m_vault->remove(name, this, [this, title, wasThere = !m_vault->isForSession(name)](const Error &error) {
            if (error && wasThere)
                m_window->notice->say(title, error);
        });
    }
}

void SecretKeeper::next(const std::shared_ptr<Task> &task)
{
    if (task->values.isEmpty())
        return task->end();
    const QString name = task->values.cbegin().key();
    const auto wrote = [this, task, name](const Error &error) {
        if (error)
            return ask(task, error);
        task->values.remove(name);
        task->written.append(name);
        next(task);
    };
    const QByteArray value = task->values.cbegin().value().toUtf8();
    if (m_vault->isForSession(name)) {  // as the person has decided before
        m_vault->keepForSession(name, value);
        wrote({});
    } else {
        m_vault->write(name, value, this, wrote);
    }
}

// Never a file in its place.
void SecretKeeper::ask(const std::shared_ptr<Task> &task, const Error &error)
{
    const QString whose =
        task->specs.size() == 1 ? visibleLine(task->specs.first().name, 80) : tr("%1 servers").arg(task->specs.size());
    auto *box = new QMessageBox(QMessageBox::Warning, tr("Secrets of %1").arg(whose), error.message,
                                QMessageBox::Cancel, m_window);
    box->setObjectName(u"secretsNotKept"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        (error.hint.isEmpty() ? QString() : error.hint + u'\n') +
        tr("Without a keychain the values can be kept until Sonde is closed. They are never written to a file."));
    box->setDetailedText(error.detail);
    QPushButton *session = box->addButton(tr("Keep for this session only"), QMessageBox::AcceptRole);
    QPushButton *again = box->addButton(tr("Try again"), QMessageBox::ActionRole);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(box, &QMessageBox::finished, this, [this, task, box, session, again] {
        if (box->clickedButton() == again)
            return readNext(task);
        if (box->clickedButton() != session)
            return giveUp(task);
        for (auto it = task->values.cbegin(); it != task->values.cend(); ++it)
            m_vault->keepForSession(it.key(), it.value().toUtf8());
        task->end();
    });
    box->open();
}

void SecretKeeper::giveUp(const std::shared_ptr<Task> &task)
{
    const auto ignore = [](const Error &) {};
    for (const QString &name : std::as_const(task->written)) {
        if (!task->before.contains(name))
            m_vault->remove(name, this, ignore);
        else if (m_vault->isForSession(name))
            m_vault->keepForSession(name, task->before.value(name));
        else
            m_vault->write(name, task->before.value(name), this, ignore);
    }
    if (task->givenUp)
        QMetaObject::invokeMethod(this, task->givenUp, Qt::QueuedConnection);  // it may show a dialog
}

}  // namespace sonde::app
