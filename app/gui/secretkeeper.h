// Moves secrets of a server's description into the keychain before the description is stored.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/specsecrets.h"
#include "core/secrets/secretstore.h"

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

    // then: gets the description with references in these places, once the keychain has the values, or once the person
    // has decided to keep them for this session only. Not at all if the person gives up: nothing was changed then.
    void keep(const ServerSpec &spec, const QList<SecretPlace> &places,
              const std::function<void(const ServerSpec &)> &then);

    // Removes from the keychain what `gone` refers to and none of the servers that are left does.
    void forget(const ServerSpec &gone, const QList<ServerSpec> &left);

private:
    struct Task;
    void next(const std::shared_ptr<Task> &task);
    void ask(const std::shared_ptr<Task> &task, const Error &error);

    std::shared_ptr<SecretVault> m_vault;
    MainWindow *m_window;
};

}  // namespace sonde::app
