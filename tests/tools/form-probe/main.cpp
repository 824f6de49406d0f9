// form-probe: loads values into the real form, line by line, and says what comes back. See ../README.md.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/json/document.h"
#include "tests/support/fallbacks.h"
#include "ui/form/schemaform.h"

#include <QApplication>
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

}  // namespace

int main(int argc, char *argv[])
{
    const bool hasDisplay = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    if (!hasDisplay && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) {
        const QByteArray said = response(QByteArray::fromStdString(line));
        std::cout.write(said.constData(), said.size());
        std::cout.put('\n');
        std::cout.flush();
    }
    return 0;
}
