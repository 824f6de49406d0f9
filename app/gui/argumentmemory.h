// The memory of what tools, templates and prompts were called with.
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

    // Shows a new panel what its tool was called with last, and remembers what it is called with.
    void follow(ui::CallPanel *panel);

Q_SIGNALS:
    void notSaved(const sonde::Error &reason);

private:
    ArgumentStore *m_store;
};

}  // namespace sonde::app
