// sonde-monkey: uses the window at random. See README.md beside this file.
// SPDX-License-Identifier: Apache-2.0
#include "app/common/guardedapplication.h"
#include "tests/monkey/stack.h"
#include "tests/monkey/supervisor.h"
#include "tests/monkey/walker.h"
#include "tests/support/files.h"

#include <signal.h>
#include <QApplication>
#include <QCommandLineParser>
#include <QDesktopServices>
#include <QDir>
#include <QTemporaryDir>
#include <cstdio>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::monkey;

namespace {

// A debugger or a sanitizer tells more.
void printCrash(int number)
{
    printStack();
    ::signal(number, SIG_DFL);
    ::raise(number);
}

// Nothing of the person who runs this is read or written, and no address is opened.
void moveTo(const QString &home)
{
    for (const char *variable :
         {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TMPDIR"})
        qputenv(variable, home.toUtf8());
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + home.toUtf8() + "/no-bus");
    for (const char *variable : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"})
        qunsetenv(variable);
    QDir::setCurrent(home);
}

class NoOpener : public QObject {
    Q_OBJECT
public:
    NoOpener()
    {
        for (const QString &scheme : m_schemes)
            QDesktopServices::setUrlHandler(scheme, this, "open");
    }
    ~NoOpener() override
    {
        for (const QString &scheme : m_schemes)
            QDesktopServices::unsetUrlHandler(scheme);
    }
public Q_SLOTS:
    void open(const QUrl &) {}

private:
    const QStringList m_schemes{u"http"_s, u"https"_s, u"file"_s};
};

Chooser::Walk walkNamed(const QString &name)
{
    if (name == u"keyboard")
        return Chooser::Walk::Keyboard;
    return name == u"sessions" ? Chooser::Walk::Sessions : Chooser::Walk::Hands;
}

int report(const QString &failure)
{
    if (failure.isEmpty())
        return 0;
    std::fprintf(stderr, "FAILED: %s\n", qUtf8Printable(failure));
    return 1;
}

// One walk in this process.
int walkHere(const QCommandLineParser &options)
{
    for (const QString &name : QDir(options.value(u"recorded"_s)).entryList(QDir::Files))
        QFile::copy(options.value(u"recorded"_s) + u'/' + name, name);
    const NoOpener opener;
    const Chooser::Walk walk = walkNamed(options.value(u"walk"_s));
    World world(walk == Chooser::Walk::Sessions ? World::Content::Sessions : World::Content::Servers);
    QFile trail(options.value(u"trail"_s));
    const bool hasTrail = options.isSet(u"trail"_s) && trail.open(QIODevice::WriteOnly);
    Walker walker(&world, hasTrail ? &trail : nullptr);
    if (options.isSet(u"replay-here"_s))
        return report(walker.replay(monkey::Step::fromLines(test::readFile(options.value(u"replay-here"_s)))));
    return report(walker.walk(Chooser(walk, options.value(u"seed"_s).toUInt()), options.value(u"walk-here"_s).toInt()));
}

}  // namespace

int main(int argc, char *argv[])
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QCommandLineParser options;
    options.addOptions({
        {u"walk"_s, u"hands, keyboard or sessions."_s, u"walk"_s, u"hands"_s},
        {u"steps"_s, u"How many steps."_s, u"N"_s, u"3000"_s},
        {u"seed"_s, u"Of the random choices; each process takes the next one."_s, u"S"_s, u"1"_s},
        {u"steps-per-process"_s, u"After so many the next process begins with a fresh home."_s, u"N"_s, u"1000"_s},
        {u"shrinking-runs"_s, u"How often a failure is tried again with fewer steps."_s, u"N"_s, u"60"_s},
        {u"replay"_s, u"Walk these steps, one per line, as a failure printed them."_s, u"file"_s},
        {u"walk-here"_s, u"Used by this program: so many steps in this process."_s, u"N"_s},
        {u"replay-here"_s, u"Used by this program: these steps in this process."_s, u"file"_s},
        {u"record"_s, u"Used by this program: makes the recorded sessions."_s, u"folder"_s},
        {u"recorded"_s, u"Used by this program: where they are."_s, u"folder"_s},
        {u"trail"_s, u"Used by this program: every step before it is done."_s, u"file"_s},
    });
    options.addHelpOption();

    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    const QString caller = QDir::currentPath();
    const QTemporaryDir home;
    moveTo(home.path());
    options.parse(arguments);
    const bool isHere = options.isSet(u"walk-here"_s) || options.isSet(u"replay-here"_s);
    if (!isHere && !options.isSet(u"record"_s)) {
        const QCoreApplication app(argc, argv);
        options.process(app);
        Supervisor supervisor({options.value(u"walk"_s), options.value(u"steps"_s).toInt(),
                               options.value(u"seed"_s).toUInt(), options.value(u"steps-per-process"_s).toInt(),
                               options.value(u"shrinking-runs"_s).toInt()});
        if (options.isSet(u"replay"_s))
            return supervisor.replayFile(QDir(caller).absoluteFilePath(options.value(u"replay"_s)));
        return supervisor.run() == 0 ? 0 : 1;
    }

#ifndef __SANITIZE_ADDRESS__
    for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE})
        ::signal(number, printCrash);
#endif
    app::GuardedApplication<QApplication> app(argc, argv);
    QCoreApplication::setApplicationName(u"sonde"_s);
    QApplication::setQuitOnLastWindowClosed(false);
    options.process(app);
    if (options.isSet(u"record"_s)) {
        QDir::setCurrent(options.value(u"record"_s));
        World::recordSessions();
        return 0;
    }
    return walkHere(options);
}

#include "main.moc"
