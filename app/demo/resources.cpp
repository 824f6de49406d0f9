// SPDX-License-Identifier: Apache-2.0
#include "app/demo/resources.h"

#include "app/demo/media.h"
#include "app/demo/rawjson.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QUrl>
#include <QUrlQuery>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

constexpr QByteArrayView Notes = R"(# Notes of an expedition

Three things were *sent*, two came back:

1. a probe
2. a **question**
3. `{"an": "object"}`

> Nothing here loads anything: ![a picture](https://example.invalid/x.png) stays text.
)";

constexpr QByteArrayView Readings = R"({"station":"Höhe 7","readings":[{"at":"2026-01-01T00:00:00Z","celsius":-3.50},)"
                                    R"({"at":"2026-01-01T01:00:00Z","celsius":-4.0}],"serial":9007199254740993})";

// A page that a host with a web view would show with the results of structured-report. It loads nothing.
constexpr QByteArrayView ReportPage = R"(<!doctype html>
<meta charset="utf-8">
<title>Report</title>
<p id="report">Waiting for a result…</p>
<script>
addEventListener("message", ({data}) => {
  if (data.method === "ui/notifications/tool-result")
    document.getElementById("report").textContent = JSON.stringify(data.params.structuredContent);
});
parent.postMessage({jsonrpc: "2.0", id: 1, method: "ui/initialize", params: {}}, "*");
</script>
)";
constexpr char PageMeta[] = R"({"ui":{"csp":{"connectDomains":[],"resourceDomains":[]},"prefersBorder":true}})";

constexpr QByteArrayView Skill = R"(---
name: read-the-station
description: How to tell what a weather station measured.
---
Call the tool structured-report with the name of the station. Read steps.md before you compare two stations.
)";
constexpr QByteArrayView SkillSteps = R"(1. Ask for both reports.
2. Compare the values of the same hour only.
)";
constexpr QLatin1StringView SkillUri("skill://read-the-station/SKILL.md");
constexpr QLatin1StringView SkillStepsUri("skill://read-the-station/steps.md");

QByteArray skillFile(QLatin1StringView uri, QByteArrayView bytes)
{
    const QByteArray digest = QCryptographicHash::hash(bytes.toByteArray(), QCryptographicHash::Sha256).toHex();
    return json::Object()
        .text("uri", uri)
        .text("digest", u"sha256:"_s + QLatin1StringView(digest))
        .number("size", bytes.size())
        .done();
}

QByteArray allBytes()
{
    QByteArray bytes;
    for (int i = 0; i < 256; ++i)
        bytes.append(char(i));
    return bytes;
}

QByteArray text(const QString &uri, const char *type, QByteArrayView utf8)
{
    return json::Object()
        .text("uri", uri)
        .text("mimeType", QLatin1StringView(type))
        .text("text", QString::fromUtf8(utf8))
        .done();
}

QByteArray blob(const QString &uri, const char *type, const QByteArray &bytes)
{
    return json::Object()
        .text("uri", uri)
        .text("mimeType", QLatin1StringView(type))
        .raw("blob", '"' + bytes.toBase64() + '"')
        .done();
}

QStringList cities()
{
    return {u"Amsterdam"_s, u"Athens"_s, u"Berlin"_s, u"Bern"_s, u"København"_s, u"Zürich"_s};
}

QStringList units()
{
    return {u"celsius"_s, u"fahrenheit"_s, u"kelvin"_s};
}

}  // namespace

QList<QByteArray> resourceDefinitions()
{
    return {
        R"({"uri":"demo://text/greeting","name":"greeting","title":"A greeting","description":"Plain text, two lines.",)"
        R"("mimeType":"text/plain","annotations":{"audience":["user"],"priority":0.9}})",
        R"({"uri":"demo://text/notes.md","name":"notes.md","title":"Notes","description":"Markdown, shown as text.",)"
        R"("mimeType":"text/markdown"})",
        R"({"uri":"demo://data/readings.json","name":"readings.json","description":"JSON with numbers that must stay )"
        R"(exact.","mimeType":"application/json","size":)" +
            QByteArray::number(Readings.size()) + "}",
        R"({"uri":"demo://media/wave.png","name":"wave.png","title":"A wave","mimeType":"image/png","size":)" +
            QByteArray::number(demoPng().size()) + "}",
        R"({"uri":"demo://media/tone.wav","name":"tone.wav","mimeType":"audio/wav"})",
        R"({"uri":"demo://data/all-bytes","name":"all-bytes","description":"The 256 bytes from 0 to 255.",)"
        R"("mimeType":"application/octet-stream","size":256})",
        R"({"uri":"demo://live/clock","name":"clock","description":"Different each time it is read; the tool )"
        R"(touch-resource tells subscribers.","mimeType":"text/plain"})",
        R"({"uri":"ui://demo/report","name":"report","title":"Page of a report","description":"Shown by hosts that run )"
        R"(MCP Apps, with the results of structured-report.","mimeType":"text/html;profile=mcp-app"})",
        R"({"uri":"skill://read-the-station/SKILL.md","name":"read-the-station","title":"A skill",)"
        R"("description":"How to tell what a weather station measured.","mimeType":"text/markdown"})",
    };
}

QList<QByteArray> templateDefinitions()
{
    return {
        R"({"uriTemplate":"demo://weather/{city}{?unit}","name":"weather","title":"Weather of a city",)"
        R"("description":"Invented weather.","mimeType":"text/plain"})",
        R"({"uriTemplate":"demo://files{/path*}","name":"files","description":"Any path; its parts come back.",)"
        R"("mimeType":"application/json"})",
    };
}

QByteArray resourceContents(const QString &uri)
{
    if (uri == "demo://text/greeting"_L1)
        return text(uri, "text/plain", "Good day.\nThis text came from a server.");
    if (uri == "demo://text/notes.md"_L1)
        return text(uri, "text/markdown", Notes);
    if (uri == "demo://data/readings.json"_L1)
        return text(uri, "application/json", Readings);
    if (uri == "demo://media/wave.png"_L1)
        return blob(uri, "image/png", demoPng());
    if (uri == "demo://media/tone.wav"_L1)
        return blob(uri, "audio/wav", demoWav());
    if (uri == "demo://data/all-bytes"_L1)
        return blob(uri, "application/octet-stream", allBytes());
    if (uri == "demo://live/clock"_L1)
        return text(uri, "text/plain", QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toUtf8());

    if (uri == "ui://demo/report"_L1)
        return json::withMember(text(uri, "text/html;profile=mcp-app", ReportPage), "_meta", PageMeta);
    if (uri == SkillUri)
        return text(uri, "text/markdown", Skill);
    if (uri == SkillStepsUri)
        return text(uri, "text/markdown", SkillSteps);

    const QUrl url(uri, QUrl::StrictMode);
    if (url.scheme() != "demo"_L1)
        return {};
    const QStringList parts = url.path(QUrl::FullyDecoded).split(u'/', Qt::SkipEmptyParts);
    if (url.host() == "weather"_L1 && parts.size() == 1) {
        const QString unit = QUrlQuery(url).queryItemValue(u"unit"_s, QUrl::FullyDecoded);
        return text(uri, "text/plain",
                    u"%1: 7 degrees %2, some clouds."_s.arg(parts.first(), unit.isEmpty() ? units().constFirst() : unit)
                        .toUtf8());
    }
    if (url.host() == "files"_L1 && !parts.isEmpty()) {
        QList<QByteArray> quoted;
        for (const QString &part : parts)
            quoted.append(json::quoted(part));
        return text(uri, "application/json", json::Object().raw("path", json::array(quoted)).done());
    }
    return {};
}

QList<QByteArray> skillDefinitions()
{
    const QByteArray matter =
        R"({"name":"read-the-station","description":"How to tell what a weather station measured."})";
    return {json::Object()
                .text("uri", SkillUri)
                .raw("frontmatter", matter)
                .raw("resources", json::array({skillFile(SkillUri, Skill), skillFile(SkillStepsUri, SkillSteps)}))
                .done()};
}

std::optional<QStringList> templateCompletions(const QString &uriTemplate, const QString &variable,
                                               const QByteArray &context)
{
    if (uriTemplate == "demo://files{/path*}"_L1)
        return QStringList();
    if (!uriTemplate.startsWith("demo://weather/"_L1))
        return std::nullopt;
    if (variable != "city"_L1)
        return variable == "unit"_L1 ? units() : QStringList();
    // Nobody else measures in degrees Fahrenheit.
    const bool american = json::text(json::member(context, u"unit"_s)) == "fahrenheit"_L1;
    return american ? QStringList{u"Boston"_s, u"Chicago"_s} : cities();
}

}  // namespace sonde::demo
