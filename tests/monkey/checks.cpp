// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/checks.h"

#include "tests/monkey/screen.h"
#include "tests/monkey/stack.h"
#include "tests/monkey/world.h"
#include "tests/support/programs.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/serverlist.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/timelinepanel.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <QAbstractItemView>
#include <QApplication>
#include <QFile>
#include <QTabWidget>
#include <QTest>
#include <cstdio>
#include <ctime>

using namespace Qt::StringLiterals;

namespace sonde::monkey {

namespace {

constexpr double LongestTurnMs = 200;
constexpr double LongestReplacementMs = 600;
constexpr int LastingMs = 1'000;
constexpr int LastingSteps = 25;
constexpr int ProcessesEndMs = 10'000;

QString firstWarning;
QtMessageHandler previousHandler = nullptr;

// The platform without a display says these; no person sees them.
bool isOfPlatform(const QString &message)
{
    return message.startsWith(u"This plugin does not support") || message.contains(u"propagateSizeHints");
}

void collect(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    if (isOfPlatform(message))
        return;
    if (type != QtDebugMsg && type != QtInfoMsg && firstWarning.isEmpty()) {
        firstWarning = message;
        printStack();
    }
    previousHandler(type, context, message);
}

// What the event loop does when its time is up.
void printHeldUp(int)
{
    constexpr char title[] = "Held up here:\n";
    (void)!::write(2, title, sizeof title - 1);
    printStack();
}

double threadCpuMs()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

// A build without optimisation, or with sanitizers, is that much slower.
double slowness()
{
    if (test::isSanitized())
        return 6;
#ifdef NDEBUG
    return 1;
#else
    return 3;
#endif
}

QString nameOf(const app::WorkspaceItem *item)
{
    return item ? item->spec.name : u"(none)"_s;
}

QString commandOf(qint64 pid)
{
    QFile file(u"/proc/%1/cmdline"_s.arg(pid));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll().replace('\0', ' ')) : QString();
}

// List, tabs and timeline speak of the same server.
QStringList disagreements(World &world)
{
    QStringList found;
    app::MainWindow &window = world.window();
    const app::WorkspaceItem *current = world.workspace().current();
    const QAbstractItemView *list = window.serverList;
    if (list->currentIndex().row() != world.workspace().rowOf(current))
        found << u"list: row %1 is selected, and %2 is current"_s.arg(list->currentIndex().row()).arg(nameOf(current));
    const auto *timeline = window.timeline->findChild<ui::TimelineModel *>();
    if (timeline->session() != world.workspace().shownSession())
        found << u"timeline: it does not show the session of %1"_s.arg(nameOf(current));
    const auto *panel = qobject_cast<ui::CallPanel *>(window.tabs->currentWidget());
    if (panel && !window.hidesTabs() && world.workspace().itemOf(panel->connection()) != current)
        found << u"tab: it is of %1, and %2 is current"_s.arg(nameOf(world.workspace().itemOf(panel->connection())),
                                                              nameOf(current));
    return found;
}

QStringList runningWithoutServer(World &world)
{
    QStringList found;
    for (int i = 0; i < world.window().tabs->count(); ++i) {
        const auto *panel = qobject_cast<ui::CallPanel *>(world.window().tabs->widget(i));
        if (!panel || !panel->isRunning() || panel->isTaskRunning())
            continue;
        if (!panel->connection() || panel->connection()->state() == Connection::State::Disconnected)
            found << u"running: %1 runs without its server"_s.arg(panel->name());
    }
    return found;
}

QString missingFocus()
{
    const QWidget *window = QApplication::activeWindow();
    if (!window || QApplication::activePopupWidget())
        return {};
    const QWidget *focus = QApplication::focusWidget();
    if (!focus)
        return u"focus: nothing has it in %1"_s.arg(screen::nameOf(window));
    if (!focus->isVisible())
        return u"focus: %1 has it and cannot be seen"_s.arg(screen::nameOf(focus));
    return {};
}

}  // namespace

Checks::Checks(World *world) : m_world(world)
{
    prepareStack();
    previousHandler = qInstallMessageHandler(collect);
    ::signal(SIGPROF, printHeldUp);
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGPROF;
    ::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &m_alarm);
}

Checks::~Checks()
{
    ::timer_delete(m_alarm);
    qInstallMessageHandler(previousHandler);
}

QString Checks::takeWarning()
{
    return std::exchange(firstWarning, {});
}

void Checks::beginStep()
{
    m_heldUp.clear();
    beginEvent();
}

void Checks::beginEvent()
{
    m_longestTurnMs = LongestTurnMs * slowness();
    m_eventCpuMs = threadCpuMs();
    m_eventClock.start();
    const auto ns = qint64(m_longestTurnMs * 1e6);
    const itimerspec once{{}, {time_t(ns / 1'000'000'000), long(ns % 1'000'000'000)}};
    ::timer_settime(m_alarm, 0, &once, nullptr);
}

void Checks::endEvent()
{
    if (m_heldUp.isEmpty())
        m_heldUp = heldUp();
    beginEvent();
}

void Checks::windowReplaced()
{
    m_longestTurnMs = LongestReplacementMs * slowness();
}

void Checks::forget()
{
    m_lasting.clear();
}

QString Checks::heldUp() const
{
    // What waits for something else takes no time of the processor, so that a busy machine changes nothing; but not
    // for seconds.
    const double cpu = threadCpuMs() - m_eventCpuMs;
    if (cpu > m_longestTurnMs)
        return u"held up: the event loop, for %1 ms of the processor's time"_s.arg(cpu, 0, 'f', 0);
    if (m_eventClock.isValid() && m_eventClock.elapsed() > 10'000)
        return u"held up: the event loop, for %1 ms"_s.arg(m_eventClock.elapsed());
    return {};
}

QString Checks::lasting()
{
    QStringList wrong = disagreements(*m_world) + runningWithoutServer(*m_world);
    if (const QString focus = missingFocus(); !focus.isEmpty())
        wrong << focus;
    for (auto it = m_lasting.begin(); it != m_lasting.end();)
        it = wrong.contains(it.key()) ? std::next(it) : m_lasting.erase(it);
    for (const QString &what : wrong) {
        Lasting &seen = m_lasting[what];
        if (seen.steps++ == 0)
            seen.since.start();
        if (seen.steps > LastingSteps && seen.since.elapsed() > LastingMs)
            return what;
    }
    return {};
}

QString Checks::afterStep()
{
    if (const QString warning = takeWarning(); !warning.isEmpty())
        return u"warning: "_s + warning;
    endEvent();
    if (!m_heldUp.isEmpty())
        return m_heldUp;
    return m_world->isOpen() && m_world->window().isVisible() ? lasting() : QString();
}

QString Checks::afterWindow()
{
    if (const QString warning = takeWarning(); !warning.isEmpty())
        return u"warning: "_s + warning;
    QElapsedTimer clock;
    clock.start();
    while (!m_world->ownProcesses().isEmpty() && clock.elapsed() < ProcessesEndMs)
        QTest::qWait(5);
    const QList<qint64> left = m_world->ownProcesses();
    return left.isEmpty() ? QString() : u"process: left behind: "_s + commandOf(left.first());
}

}  // namespace sonde::monkey
