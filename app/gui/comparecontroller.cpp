// SPDX-License-Identifier: Apache-2.0
#include "app/gui/comparecontroller.h"

#include "app/gui/mainwindow.h"
#include "ui/compare/comparepanel.h"
#include "ui/dialogs/comparedialog.h"
#include "ui/result/outcometext.h"

#include <QTimer>
#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

using Choice = ui::CompareChoice;

// The source of one side, and what it showed last.
struct Source {
    QString name;
    QPointer<Connection> connection;  // a server; otherwise a recording
    QPointer<Session> session;        // open in the window
    QString path;
    bool isLive = false;
    ServerSnapshot last;

    bool isConnected() const { return connection && connection->state() == Connection::State::Connected; }
};

// Updates one panel, again whenever the offering of a live server changes. If a server disconnects, its last offering
// stays: in a loop of editing and restarting, the comparison waits for it to come back.
class Feeder final : public QObject {
public:
    Feeder(std::array<Source, 2> sources, ui::ComparePanel *panel)
        : QObject(panel), m_sources(std::move(sources)), m_panel(panel)
    {
        m_soon.setSingleShot(true);
        connect(&m_soon, &QTimer::timeout, this, &Feeder::feed);
        connect(panel, &ui::ComparePanel::refreshRequested, this, &Feeder::feed);
        connect(panel, &ui::ComparePanel::finished, this, &Feeder::note);
        connect(panel, &ui::ComparePanel::swapRequested, this, [this] {
            std::swap(m_sources[0], m_sources[1]);
            feed();
        });
        for (const Source &source : m_sources) {
            if (!source.connection)
                continue;
            connect(source.connection, &Connection::stateChanged, this, &Feeder::note);
            connect(source.connection->catalog(), &Catalog::changed, &m_soon, qOverload<>(&QTimer::start));
            connect(source.connection->catalog(), &Catalog::loaded, &m_soon, qOverload<>(&QTimer::start));
        }
        feed();
    }

private:
    void feed()
    {
        const bool isWaiting = std::any_of(m_sources.begin(), m_sources.end(), [](const Source &source) {
            return source.connection && source.connection->catalog()->isLoading();
        });
        if (isWaiting)  // it tells when it is there
            return note();
        m_panel->setSides(side(m_sources[0]), side(m_sources[1]));
        note();
    }

    static ui::CompareSide side(Source &source)
    {
        ui::CompareSide side;
        side.name = source.name;
        side.isLive = source.isLive;
        if (!source.isLive && !source.path.isEmpty()) {
            side.path = source.path;
            return side;
        }
        if (source.isConnected())
            source.last = ServerSnapshot::of(*source.connection);
        if (source.session) {
            const Result<ServerSnapshot> snapshot = ServerSnapshot::of(*source.session);
            if (!snapshot)
                side.error = snapshot.error();
            else
                source.last = *snapshot;
        }
        side.snapshot = source.last;
        if (!side.error && !side.snapshot.handshake.exists())
            side.error = source.isLive ? Error::local(CompareController::tr("Not connected."),
                                                      CompareController::tr("Connect to it, then compare again."))
                                       : Error::local(CompareController::tr("The session was closed."));
        return side;
    }

    void note()
    {
        for (size_t i = 0; i < m_sources.size(); ++i) {
            const Source &source = m_sources[i];
            QString text;
            if (source.isLive && !source.isConnected())
                text = CompareController::tr("not connected; showing its last offering");
            else if (source.connection && source.connection->catalog()->isLoading())
                text = CompareController::tr("loading its offering…");
            m_panel->setNote(i == 0, text);
        }
    }

    std::array<Source, 2> m_sources;
    ui::ComparePanel *m_panel;
    QTimer m_soon;
};

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
        if (!item->connection || item->connection->state() != Connection::State::Connected)
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
        Source source;
        source.name = choice.name;
        source.path = choice.path;
        source.isLive = choice.kind == Choice::Kind::Live;
        // A session in memory has no path to read it from.
        if (choice.kind == Choice::Kind::Open && choice.path.isEmpty())
            source.session = choice.session;
        for (const auto &item : m_workspace->items()) {
            if (source.isLive && item->connection && item->connection->session() == choice.session)
                source.connection = item->connection.get();
        }
        return source;
    };
    auto *panel = new ui::ComparePanel;
    // The timeline does not belong to a comparison.
    m_window->addPage(panel, panel->title(), panel->title(), MainWindow::PageHeight::Whole);
    connect(panel, &ui::ComparePanel::titleChanged, this,
            [this, panel] { m_window->namePage(panel, panel->title(), panel->title()); });
    new Feeder({sourceOf(left), sourceOf(right)}, panel);
    m_window->bringForward(panel);
}

}  // namespace sonde::app
