// Moves secrets of servers' descriptions into the keychain before the descriptions are stored.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/secrets/secretstore.h"
#include "core/server/specsecrets.h"

#include <QList>
#include <QObject>
#include <functional>
#include <memory>

namespace sonde::app {

class MainWindow;

// GUI thread. Does not own the window.
class SecretKeeper : public QObject {
    Q_OBJECT
public:
    SecretKeeper(std::shared_ptr<SecretVault> vault, MainWindow *window, QObject *parent = nullptr);

    struct Secrets {
        ServerSpec spec;
        QList<SecretPlace> places;
    };
    // then: gets each description with references in its places, once the keychain has all values, or once the person
    // has decided to keep them for this session only. Otherwise givenUp is called, later, and nothing was changed.
    void keep(const QList<Secrets> &servers, const std::function<void(const ServerSpec &)> &then,
              const std::function<void()> &givenUp = {});

    // Of a server of the list, the values that its references have: what the keychain has not is kept as above. then:
    // how many were missing; not called where the person gives up.
    void fillIn(const ServerSpec &known, const QHash<QString, QString> &values,
                const std::function<void(qsizetype)> &then);
    // The same with values that count in place of those that the keychain has.
    void replace(const ServerSpec &known, const QHash<QString, QString> &values, const std::function<void()> &then);

    // Removes from the keychain what `gone` refers to and none of the servers that are left does.
    void forget(const ServerSpec &gone, const QList<ServerSpec> &left);

    bool isBusy() const;  // the keychain or the person has not answered yet

private:
    struct Task;
    std::shared_ptr<Task> newTask();
    void readNext(const std::shared_ptr<Task> &task);
    void next(const std::shared_ptr<Task> &task);
    void ask(const std::shared_ptr<Task> &task, const Error &error);
    void giveUp(const std::shared_ptr<Task> &task);

    std::shared_ptr<SecretVault> m_vault;
    MainWindow *m_window;
    QList<std::weak_ptr<Task>> m_tasks;  // those that are not over are kept by what they wait for
};

}  // namespace sonde::app
