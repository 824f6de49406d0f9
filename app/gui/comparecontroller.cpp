// SPDX-License-Identifier: Apache-2.0
#include "app/gui/comparecontroller.h"

#include "app/gui/mainwindow.h"
#include "ui/compare/comparepanel.h"
#include "ui/dialogs/comparedialog.h"
#include "ui/result/outcometext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

using Choice = ui::CompareChoice;

}  // namespace

CompareController::CompareController(Workspace *workspace, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window)
{}

// Connected servers, open sessions and recorded sessions.
QList<Choice> CompareController::choices() const
{
    QList<Choice> choices;
    QStringList open;
    for (const auto &item : m_workspace->items()) {
        // Over HTTP a server that cannot be reached stays connected; nothing can be compared with it now.
        if (!item->connection || item->connection->state() != Connection::State::Connected ||
            item->connection->trouble())
            continue;
        Session *session = item->connection->session();
        choices.append({Choice::Kind::Live, item->spec.name,
                        item->connection->transportName() + u" · "_s + item->connection->serverInfo().protocolVersion,
                        session->path(), session});
        open.append(session->path());
    }
    const QList<SessionEntry> entries = m_workspace->library().entries();
    const auto recorded = [&entries](const QString &path, const QDateTime &when) {
        const bool isReplay = std::any_of(entries.begin(), entries.end(), [&path](const SessionEntry &entry) {
            return entry.isReplay && entry.path == path;
        });
        const QString date = ui::dateTimeText(when);
        return isReplay ? tr("replay of %1").arg(date) : date;
    };
    for (const auto &item : m_workspace->items()) {
        if (item->isServer())
            continue;
        const QString path = item->session->path();
        choices.append({Choice::Kind::Open, item->spec.name, recorded(path, item->session->createdAt()), path,
                        item->session.get()});
        open.append(path);
    }
    for (const SessionEntry &entry : entries) {
        if (entry.problem.isEmpty() && !open.contains(entry.path))
            choices.append({Choice::Kind::Recorded, entry.serverName,
                            recorded(entry.path, entry.createdAt) + u" · "_s + ui::sizeText(entry.size), entry.path});
    }
    return choices;
}

void CompareController::ask(const WorkspaceItem *item)
{
    const QList<Choice> choices = this->choices();
    // Before and after: by default a recording on the left and its server on the right.
    const auto find = [&choices](auto matches) {
        const auto found = std::find_if(choices.begin(), choices.end(), matches);
        return found == choices.end() ? -1 : int(found - choices.begin());
    };
    const Session *shown = item ? item->shownSession() : nullptr;
    const int own = shown ? find([shown](const Choice &each) { return each.session == shown; }) : -1;
    const bool isLive = own >= 0 && choices[own].kind == Choice::Kind::Live;
    const auto other = [&](auto matches) {
        return find([&](const Choice &each) { return (own < 0 || each != choices[own]) && matches(each); });
    };
    int partner = other([&](const Choice &each) {
        return item && each.name == item->spec.name && (each.kind == Choice::Kind::Live) != isLive;
    });
    if (partner < 0)
        partner = other([](const Choice &each) { return each.kind == Choice::Kind::Live; });
    ui::CompareDialog dialog(choices, isLive ? partner : own, isLive ? own : partner, m_workspace->library().folder(),
                             m_window);
    if (dialog.exec() == QDialog::Accepted)
        open(dialog.left(), dialog.right());
}

void CompareController::open(const ui::CompareChoice &left, const ui::CompareChoice &right)
{
    const auto sourceOf = [this](const Choice &choice) {
        CompareFeeder::Source source;
        source.state.name = choice.name;
        if (choice.kind != Choice::Kind::Live) {
            source.state.place.session = choice.path;
            // A session in memory has no path to read it from.
            if (choice.path.isEmpty())
                source.session = choice.session;
            return source;
        }
        for (const auto &item : m_workspace->items()) {
            if (item->connection && item->connection->session() == choice.session) {
                source.state.place = Place::of(*item);
                source.item = item->id;
            }
        }
        return source;
    };
    m_window->bringForward(add({sourceOf(left), sourceOf(right)}));
}

ui::ComparePanel *CompareController::add(const std::array<CompareFeeder::Source, 2> &sources)
{
    auto *panel = new ui::ComparePanel;
    // The timeline does not belong to a comparison.
    m_window->addPage(panel, panel->title(), panel->title(), MainWindow::PageHeight::Whole);
    connect(panel, &ui::ComparePanel::titleChanged, this,
            [this, panel] { m_window->namePage(panel, panel->title(), panel->title()); });
    new CompareFeeder(m_workspace, sources, panel);
    return panel;
}

bool CompareController::store(const QWidget *page, TabState *tab, TabContents *contents) const
{
    const auto *feeder = qobject_cast<const ui::ComparePanel *>(page) ? page->findChild<CompareFeeder *>() : nullptr;
    if (!feeder)
        return false;
    tab->kind = TabState::Kind::Comparison;
    tab->sides = feeder->sides();
    if (contents)
        contents->snapshots = feeder->snapshots();
    return true;
}

QWidget *CompareController::restore(const TabState &tab, const TabContents *contents)
{
    if (tab.kind != TabState::Kind::Comparison)
        return nullptr;
    std::array<CompareFeeder::Source, 2> sources;
    for (size_t i = 0; i < sources.size(); ++i) {
        sources[i].state = tab.sides[i];
        if (contents)
            sources[i].last = contents->snapshots[i];
    }
    return add(sources);
}

}  // namespace sonde::app
