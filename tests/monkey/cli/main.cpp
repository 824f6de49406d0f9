// sonde-monkey-cli: runs sonde-cli with verbs, options, values and closed pipes chosen at random.
// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/cli/runner.h"
#include "tests/monkey/cli/shrinker.h"
#include "tests/monkey/cli/walk.h"
#include "tests/support/files.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QElapsedTimer>

#include <csignal>
#include <cstdio>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::monkey;

namespace {

constexpr int StepsPerWorld = 40;

void print(const QString &text)
{
    std::fputs(text.toUtf8().constData(), stdout);
    std::fflush(stdout);
}

// All of them from a fresh home on; the failure of the first one that fails.
QString runAll(CliWorld *world, const QList<CliStep> &steps, bool withOutput = false)
{
    world->renew();
    CliRunner runner(world);
    for (const CliStep &step : steps) {
        const QString failure = runner.run(step);
        if (withOutput)
            print(step.commandLine() + u"\n-- output\n"_s + QString::fromUtf8(runner.output().left(4000)) +
                  u"\n-- errors\n"_s + QString::fromUtf8(runner.errors().left(4000)) + u"\n-- "_s +
                  (failure.isEmpty() ? u"no failure"_s : failure) + u'\n');
        if (!failure.isEmpty())
            return failure;
    }
    return {};
}

// The same sort of failure, whatever numbers and paths are in it.
QString sortOf(const QString &failure)
{
    return failure.section(u':', 0, 0);
}

void report(CliWorld *world, const QString &failure, const QList<CliStep> &steps, int shrinkingRuns)
{
    print(u"FAILED: %1\n  %2\n"_s.arg(failure, steps.constLast().commandLine()));
    CliShrinker shrinker([&](const QList<CliStep> &fewer) { return sortOf(runAll(world, fewer)) == sortOf(failure); },
                         shrinkingRuns);
    const QList<CliStep> shrunk = shrinker.shrink(steps);
    print(u"  shrunk, for --replay FILE:\n"_s + QString::fromUtf8(CliStep::toLines(shrunk)));
}

struct WalkOptions {
    quint32 seed = 1;
    int steps = 0;
    int seconds = 0;  // 0: as long as it takes
    int shrinkingRuns = 0;
    bool isVerbose = false;
};

int walk(CliWorld *world, const WalkOptions &options)
{
    print(u"seed %1\n"_s.arg(options.seed));
    CliWalk chooser(options.seed);
    CliRunner runner(world);
    QList<CliStep> steps;
    QElapsedTimer timer;
    timer.start();
    int failures = 0;
    int done = 0;
    for (; done < options.steps && (options.seconds == 0 || timer.elapsed() < options.seconds * 1000); ++done) {
        if (steps.size() >= StepsPerWorld)
            steps.clear();
        if (steps.isEmpty())
            world->renew();
        steps.append(chooser.next());
        const QString failure = runner.run(steps.constLast());
        if (options.isVerbose)
            print(u"%1  %2\n"_s.arg(runner.outcome(), steps.constLast().commandLine().left(300)));
        if (failure.isEmpty())
            continue;
        ++failures;
        report(world, failure, steps, options.shrinkingRuns);
        steps.clear();
    }
    print(u"%1 steps, %2 failures\n"_s.arg(done).arg(failures));
    return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char *argv[])
{
    std::signal(SIGPIPE, SIG_IGN);
    QCoreApplication app(argc, argv);
    QCommandLineParser options;
    options.addOptions({
        {u"steps"_s, u"How many runs of sonde-cli."_s, u"N"_s, u"1000"_s},
        {u"seed"_s, u"Of the random choices."_s, u"S"_s, u"1"_s},
        {u"seconds"_s, u"End after this time; 0: only after all steps."_s, u"N"_s, u"0"_s},
        {u"shrinking-runs"_s, u"How often a failure is tried again with less."_s, u"N"_s, u"60"_s},
        {u"verbose"_s, u"Print each run and how it ended."_s},
        {u"replay"_s, u"Walk these steps, one per line, as a failure printed them."_s, u"file"_s},
    });
    options.addHelpOption();
    options.process(app);
    CliWorld world;
    if (!world.problem().isEmpty()) {
        print(world.problem() + u'\n');
        return 2;
    }
    if (options.isSet(u"replay"_s)) {
        const QString failure = runAll(&world, CliStep::fromLines(test::readFile(options.value(u"replay"_s))), true);
        print(failure.isEmpty() ? u"no failure\n"_s : u"FAILED: "_s + failure + u'\n');
        return failure.isEmpty() ? 0 : 1;
    }
    return walk(&world, {options.value(u"seed"_s).toUInt(), options.value(u"steps"_s).toInt(),
                         options.value(u"seconds"_s).toInt(), options.value(u"shrinking-runs"_s).toInt(),
                         options.isSet(u"verbose"_s)});
}
