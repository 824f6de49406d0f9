// Remembers the arguments of tools, templates and prompts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QObject>
#include <memory>

namespace sonde {
class ArgumentStore;
namespace ui {
class CallPanel;
}
}  // namespace sonde

namespace sonde::app {

class ArgumentMemory : public QObject {
    Q_OBJECT
public:
    explicit ArgumentMemory(std::shared_ptr<ArgumentStore> store, QObject *parent = nullptr);

    // Fills a new panel with its tool's last arguments, and remembers new ones.
    void follow(ui::CallPanel *panel);

Q_SIGNALS:
    void notSaved(const sonde::Error &reason);

private:
    const std::shared_ptr<ArgumentStore> m_store;
};

}  // namespace sonde::app
