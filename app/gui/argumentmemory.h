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
struct CallDraft;
}  // namespace ui
}  // namespace sonde

namespace sonde::app {

class Workspace;

// Does not own the workspace, which outlives it. GUI thread.
class ArgumentMemory : public QObject {
    Q_OBJECT
public:
    explicit ArgumentMemory(const Workspace *workspace, QObject *parent = nullptr);

    // What is filled in there, as far as it may be kept in a file: without secrets, and no more than maxBytes.
    // *hasLeftOut: something is missing.
    static ui::CallDraft keptDraft(const ui::CallPanel &panel, qsizetype maxBytes, bool *hasLeftOut);

    // Fills a new panel with its tool's last arguments, and remembers new ones.
    void follow(ui::CallPanel *panel);
    void saveAgain();  // what could not be saved

Q_SIGNALS:
    void notSaved(const sonde::Error &reason);
    void saved();  // everything

private:
    void tell(const Error &problem);

    const Workspace *m_workspace;
    const std::shared_ptr<ArgumentStore> m_store;
};

}  // namespace sonde::app
