// form-probe: loads values into the real form and says what comes back, line by line or of generated schemas. See
// ../README.md.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/json/document.h"
#include "tests/support/fallbacks.h"
#include "tests/support/formproperties.h"
#include "tests/support/schemagenerator.h"
#include "tests/support/schemaproperties.h"
#include "ui/form/schemaform.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <cstdio>
#include <iostream>
#include <string>

using namespace Qt::StringLiterals;
using sonde::ui::FormIssue;
using sonde::ui::SchemaForm;
namespace json = sonde::json;

namespace {

QByteArray failure(const QString &reason)
{
    return json::Builder().beginObject().member(u"error", reason).endObject().take();
}

QByteArray response(const QByteArray &line)
{
    const json::Document document = json::Document::parse(line);
    if (!document.isValid()) {
        const QString reason = document.findings().isEmpty() ? u"no JSON"_s : document.findings().constFirst().reason;
        return failure(u"not valid JSON: "_s + reason);
    }
    const json::Value root = document.root();
    if (!root.isObject() || !root.contains(u"schema"))
        return failure(u"expected {\"schema\": …, \"value\": …}"_s);

    SchemaForm form;
    form.resize(560, 800);
    form.setSchema(root[u"schema"]);
    if (const json::Value value = root[u"value"]; value.exists())
        form.setValue(value);
    form.show();
    QApplication::processEvents();

    json::Builder builder;
    builder.beginObject().rawMember(u"value", form.value()).key(u"fallbacks").beginArray();
    const QList<json::Pointer> fallbacks = sonde::test::fallbacksOf(form);
    for (const json::Pointer &place : fallbacks)
        builder.string(place.toString());
    builder.endArray().key(u"issues").beginArray();
    const QList<FormIssue> issues = form.issues();
    for (const FormIssue &issue : issues) {
        builder.beginObject();
        builder.member(u"place", issue.place.toString()).member(u"message", issue.message);
        builder.endObject();
    }
    return builder.endArray().endObject().take();
}

void writeLine(const QByteArray &line)
{
    std::cout.write(line.constData(), line.size());
    std::cout.put('\n');
    std::cout.flush();
}

// Until so many schemas were made, or that time has passed. False: there were faults.
bool probeGenerated(quint32 firstSeed, int count, int seconds)
{
    QElapsedTimer timer;
    timer.start();
    int tools = 0;
    int faulty = 0;
    while (tools < count && (seconds == 0 || timer.elapsed() < qint64(seconds) * 1000)) {
        const quint32 seed = firstSeed + quint32(tools++);
        sonde::test::SchemaGenerator generator(seed);
        const sonde::test::SchemaGenerator::Made made = generator.tool();
        const QByteArrayList others = generator.mutations(made.value);
        const QStringList faults = sonde::test::faultsOfSchema(made.schema, made.value, others) +
                                   sonde::test::faultsOfForm(made.schema, made.value, others);
        if (faults.isEmpty())
            continue;
        ++faulty;
        json::Builder builder;
        builder.beginObject().member(u"seed", qint64(seed)).key(u"faults").beginArray();
        for (const QString &fault : faults)
            builder.string(fault);
        builder.endArray().rawMember(u"schema", made.schema);
        writeLine(builder.endObject().take());
    }
    json::Builder builder;
    builder.beginObject().member(u"tools", qint64(tools)).member(u"faulty", qint64(faulty));
    writeLine(builder.member(u"milliseconds", timer.elapsed()).endObject().take());
    return faulty == 0;
}

}  // namespace

int main(int argc, char *argv[])
{
    const bool hasDisplay = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    if (!hasDisplay && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    std::ios::sync_with_stdio(false);
    QCommandLineParser arguments;
    const QCommandLineOption generate(u"generate"_s, u"Probe generated schemas instead of lines."_s, u"count"_s);
    const QCommandLineOption first(u"seed"_s, u"Seed of the first schema."_s, u"seed"_s, u"1"_s);
    const QCommandLineOption seconds(u"seconds"_s, u"Stop after this time."_s, u"seconds"_s, u"0"_s);
    arguments.addOptions({generate, first, seconds});
    arguments.addHelpOption();
    arguments.process(app);
    if (arguments.isSet(generate)) {
        const bool isGood = probeGenerated(arguments.value(first).toUInt(), arguments.value(generate).toInt(),
                                           arguments.value(seconds).toInt());
        return isGood ? 0 : 1;
    }
    for (std::string line; std::getline(std::cin, line);) {
        const QByteArray said = response(QByteArray::fromStdString(line));
        writeLine(said);
    }
    return 0;
}
