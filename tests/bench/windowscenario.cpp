// The whole window, with the list of what is known of a server's tools: what no part of it does by itself.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/mainwindow.h"
#include "app/gui/settings.h"
#include "app/gui/windowhost.h"
#include "tests/bench/benchtools.h"
#include "tests/bench/scenarios.h"
#include "tests/support/programs.h"
#include "ui/panels/offertree.h"

#include <QApplication>
#include <QStandardPaths>
#include <QTreeView>

namespace sonde::bench {

using namespace Qt::StringLiterals;

namespace {

constexpr double QuietMs = 2000;  // what is known of the tools is saved after one second

void rest(Turns *turns)
{
    const double start = wallMs();
    turns->runUntil([start] { return wallMs() - start > QuietMs; });
}

double listAgain(Catalog *catalog)
{
    Turns turns;
    const qsizetype before = catalog->tools().size();
    bool isListed = false;
    const auto listed =
        QObject::connect(catalog, &Catalog::changed, catalog, [&] { isListed = !catalog->isLoading(); });
    turns.measure([catalog] { catalog->refresh(Catalog::List::Tools); });
    if (!turns.runUntil([&] { return isListed; }) || catalog->tools().size() != before)
        giveUp(u"No list."_s);
    QObject::disconnect(listed);
    rest(&turns);
    return turns.longestCpuMs();
}

}  // namespace

void measureWindowTools(const Settings &settings)
{
    qputenv("XDG_CONFIG_HOME", settings.folder.toLocal8Bit());
    qputenv("XDG_DATA_HOME", settings.folder.toLocal8Bit());
    QStandardPaths::setTestModeEnabled(false);
    ui::ThemeController theme(qApp);
    app::Settings remembered;
    app::WindowHost host(&theme, &remembered, Profile::ofUser());
    app::Workspace &workspace = host.workspace();
    host.window().show();

    ServerSpec spec;
    spec.name = u"bench"_s;
    spec.command = test::builtProgram(u"sonde-bench-server"_s);
    spec.arguments = {u"--tools"_s, QString::number(settings.tools), u"--rewords"_s};
    (void)workspace.add(spec);
    app::WorkspaceItem *item = workspace.serverNamed(spec.name);
    if (!item)
        giveUp(u"The server was not added."_s);
    workspace.approve(item->spec);
    workspace.choose(*item);
    Turns warmUp;
    rest(&warmUp);

    Report report(u"window");
    report.count(u"tools", settings.tools);
    Turns listing;
    listing.measure([&] { workspace.start(*item); });
    Catalog *catalog = item->connection->catalog();
    if (!listing.runUntil([&] { return catalog->tools().size() == settings.tools; }))
        giveUp(u"No list: %1"_s.arg(item->connection->error().message));
    rest(&listing);
    report.figure(u"longest_turn_cpu_ms", listing.longestCpuMs());

    Turns opening;
    const QString last = catalog->tools().constLast().name;
    opening.measure([&] { Q_EMIT host.window().offers->activated({ui::OfferRef::Kind::Tool, last}); });
    rest(&opening);
    report.figure(u"longest_turn_opening_last_cpu_ms", opening.longestCpuMs());
    report.figure(u"longest_turn_reworded_cpu_ms", listAgain(catalog));
    report.figure(u"longest_turn_as_before_cpu_ms", listAgain(catalog));
    Turns closing;
    closing.measure([&] { host.shutDown(); });
    rest(&closing);
}

}  // namespace sonde::bench
