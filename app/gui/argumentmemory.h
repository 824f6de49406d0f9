// Remembers the arguments of tools, templates and prompts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QObject>

namespace sonde {
class ArgumentStore;
namespace ui {
class CallPanel;
}
}  // namespace sonde

namespace sonde::app {

// The store is not owned and outlives this.
class ArgumentMemory : public QObject {
    Q_OBJECT
public:
    explicit ArgumentMemory(ArgumentStore *store, QObject *parent = nullptr);

    // Fills a new panel with its tool's last arguments, and remembers new ones.
    void follow(ui::CallPanel *panel);

Q_SIGNALS:
    void notSaved(const sonde::Error &reason);

private:
    ArgumentStore *m_store;
};

}  // namespace sonde::app
