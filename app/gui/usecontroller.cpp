// SPDX-License-Identifier: Apache-2.0
#include "app/gui/usecontroller.h"

#include "app/gui/mainwindow.h"
#include "core/connection/connection.h"
#include "core/json/pointer.h"
#include "ui/dialogs/useindialog.h"
#include "ui/panels/callpanel.h"
#include "ui/result/resultview.h"

#include <QMenu>
#include <QPointer>
#include <QTabWidget>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

// arguments: with the value in that place.
json::Pointer pointerTo(const json::Value &arguments, const ui::FieldPlace &place)
{
    using Kind = ui::FieldPlace::Step::Kind;
    QStringList tokens;
    json::Value value = arguments;
    for (const ui::FieldPlace::Step &step : place.steps) {
        const qsizetype index = step.kind == Kind::NewItem ? value.size() - 1 : step.index;
        tokens.append(step.kind == Kind::Member ? step.name : QString::number(index));
        value = step.kind == Kind::Member ? value[step.name] : value.at(index);
    }
    return json::Pointer(tokens);
}

}  // namespace

UseController::UseController(MainWindow *window, QObject *parent) : QObject(parent), m_window(window) {}

void UseController::follow(ui::CallPanel *panel)
{
    connect(panel->result(), &ui::ResultView::valueMenuRequested, this,
            [this, panel](QMenu *menu, const json::Value &value, const QString &pointer) {
                QAction *use = menu->addAction(tr("Use in…"));
                use->setObjectName(u"useIn"_s);
                connect(use, &QAction::triggered, this, [this, panel = QPointer(panel), value, pointer] {
                    if (panel)
                        ask(panel, value, pointer);
                });
            });
}

// Tabs that are open, then all tools of the same server.
void UseController::ask(ui::CallPanel *source, const json::Value &value, const QString &pointer)
{
    Connection *connection = source->connection();
    if (!connection)
        return;
    QList<ui::UseTarget> targets;
    QList<ui::OfferRef> refs;
    for (int i = 0; i < m_window->tabs->count(); ++i) {
        const auto *panel = qobject_cast<ui::CallPanel *>(m_window->tabs->widget(i));
        const bool isOfTool = panel && panel->ref().kind == ui::OfferRef::Kind::Tool;
        if (!isOfTool || panel == source || panel->connection() != connection)
            continue;
        const bool isSaved = panel->savedCall();
        targets.append({panel->name(), isSaved ? tr("saved call") : tr("open tab"), panel->inputSchema(),
                        json::Document::parse(panel->arguments()).root(), isSaved});
        refs.append(panel->ref());
    }
    for (const Tool &tool : connection->catalog()->tools()) {
        const ui::OfferRef ref{ui::OfferRef::Kind::Tool, tool.name};
        if (refs.contains(ref) || tool.inputSchema[u"properties"].isEmpty())
            continue;
        targets.append({tool.name, {}, tool.inputSchema, {}, false});
        refs.append(ref);
    }
    const SavedCall *saved = source->savedCall();
    const QString placeholder = saved ? u"${calls.%1.result%2}"_s.arg(saved->name, pointer) : QString();
    auto *dialog = new ui::UseInDialog(value, targets, placeholder, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, refs, guard = QPointer(connection)] {
        const int target = dialog->target();
        if (!guard || target < 0 || target >= refs.size())
            return;
        Q_EMIT openRequested(guard, refs[target]);
        auto *panel = qobject_cast<ui::CallPanel *>(m_window->tabs->currentWidget());
        if (!panel || panel->ref() != refs[target])
            return;
        const QByteArray arguments = panel->arguments().isEmpty() ? "{}"_ba : panel->arguments();
        const json::Document document = json::Document::parse(arguments);
        if (!document.isValid() || !document.root().isObject())
            return m_window->tell(tr("Not used: the JSON of these arguments has to be fixed first."));
        const QByteArray filled = ui::withValueAt(arguments, dialog->place(), dialog->argument());
        panel->setArguments(filled);
        panel->focusPlace(pointerTo(json::parse(filled), dialog->place()));
    });
    dialog->open();
}

}  // namespace sonde::app
