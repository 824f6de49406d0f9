// Figures of Sonde: one JSON object a line. Only an optimised build says anything.
// SPDX-License-Identifier: Apache-2.0
#include "app/common/guardedapplication.h"
#include "tests/bench/benchtools.h"
#include "tests/bench/scenarios.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QMap>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace sonde::bench;
using namespace Qt::StringLiterals;

namespace {

const QMap<QString, void (*)(const Settings &)> &scenarios()
{
    static const QMap<QString, void (*)(const Settings &)> all = {
        {u"latency"_s, measureLatency}, {u"pipeline"_s, measurePipeline}, {u"flood"_s, measureFlood},
        {u"large"_s, measureLarge},     {u"blob"_s, measureBlob},         {u"list"_s, measureList},
        {u"open"_s, measureOpen},       {u"filter"_s, measureFilter},     {u"scroll"_s, measureScroll},
        {u"start"_s, measureStart},     {u"tools"_s, measureTools},       {u"forms"_s, measureForms},
        {u"result"_s, measureResult},   {u"parallel"_s, measureParallel}, {u"window"_s, measureWindowTools},
    };
    return all;
}

}  // namespace

int main(int argc, char *argv[])
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const sonde::app::GuardedApplication<QApplication> app(argc, argv);  // with the memory settings of Sonde itself
    QStandardPaths::setTestModeEnabled(true);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addPositionalArgument(u"scenario"_s, QStringList(scenarios().keys()).join(u", "_s));
    const QCommandLineOption http(u"http"_s, u"Over Streamable HTTP instead of stdio."_s);
    const QCommandLineOption folder(u"folder"_s, u"Where session files lie; kept."_s, u"path"_s);
    const QCommandLineOption rows(u"rows"_s, u"Of the session that is opened."_s, u"number"_s, u"1000000"_s);
    const QCommandLineOption count(u"count"_s, u"Of calls or notifications."_s, u"number"_s, u"0"_s);
    const QCommandLineOption bytes(u"bytes"_s, u"Of the large result."_s, u"number"_s, u"10000000"_s);
    const QCommandLineOption tools(u"tools"_s, u"That the server lists."_s, u"number"_s, u"10000"_s);
    parser.addOptions({http, folder, rows, count, bytes, tools});
    parser.process(app);

    QTemporaryDir temporary;
    Settings settings;
    settings.http = parser.isSet(http);
    settings.folder = parser.isSet(folder) ? parser.value(folder) : temporary.path();
    settings.rows = parser.value(rows).toLongLong();
    settings.count = parser.value(count).toInt();
    settings.bytes = parser.value(bytes).toLongLong();
    settings.tools = parser.value(tools).toInt();
    const QStringList wanted = parser.positionalArguments();
    if (wanted.isEmpty())
        parser.showHelp(1);
    for (const QString &name : wanted) {
        const auto measure = scenarios().value(name);
        if (!measure)
            giveUp(u"No such scenario: %1"_s.arg(name));
        measure(settings);
    }
    return 0;
}
