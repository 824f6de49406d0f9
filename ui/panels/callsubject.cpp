// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/callsubject.h"

#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/uritemplate.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxShownUri = 200;

struct SubjectText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::CallSubject)
};

struct TextField {
    QString name;
    QString description;
    bool required = false;
    bool isList = false;
};

json::Value schemaOf(const QList<TextField> &fields)
{
    json::Builder builder;
    builder.beginObject().member(u"type", u"object").key(u"properties").beginObject();
    for (const TextField &field : fields) {
        builder.key(field.name).beginObject();
        if (field.isList)
            builder.member(u"type", u"array").key(u"items").beginObject().member(u"type", u"string").endObject();
        else
            builder.member(u"type", u"string");
        if (!field.description.isEmpty())
            builder.member(u"description", field.description);
        builder.endObject();
    }
    builder.endObject().key(u"required").beginArray();
    for (const TextField &field : fields) {
        if (field.required)
            builder.string(field.name);
    }
    builder.endArray().endObject();
    return json::parse(builder.take());
}

void describe(CallSubject &subject, const Entry &entry)
{
    subject.exists = true;
    subject.name = entry.name.isEmpty() ? subject.ref.key : entry.name;
    subject.title = entry.title.isEmpty() ? entry.name : entry.title;
    if (subject.title.isEmpty())
        subject.title = subject.ref.key;
    subject.caption = subject.title == subject.ref.key ? QString() : subject.ref.key;
    subject.description = entry.description;
    subject.findings = entry.findings;
    subject.icons = entry.value[u"icons"];
}

// Where the server lists the name more than once, which is a finding of each of them.
template <typename Listed>
void sayWhichOf(CallSubject &subject, const QList<Listed> &entries)
{
    if (subject.findings.isEmpty())
        return;
    const auto count = std::count_if(entries.begin(), entries.end(),
                                     [&](const Listed &entry) { return entry.name == subject.ref.key; });
    if (count > 1)
        subject.findings << SubjectText::tr(
                                "This page shows definition %1 of %2. A call contains only the name: the "
                                "server decides which of them it reaches.")
                                .arg(qMin<qsizetype>(subject.ref.number + 1, count))
                                .arg(count);
}

void describeKind(CallSubject &subject)
{
    const ResourceKind kind = resourceKindOf(subject.ref.key);
    if (kind == ResourceKind::Plain)
        return;
    subject.badges.prepend({kindName(kind), Tone::Accent});
    subject.note = kind == ResourceKind::App
                       ? SubjectText::tr(
                             "The page of an app that a chat client would run. Sonde shows its source and does not "
                             "run it.")
                       : SubjectText::tr("Instructions that a chat client would give to its model.");
}

void describeTemplate(CallSubject &subject)
{
    const Result<UriTemplate> parsed = UriTemplate::parse(subject.ref.key);
    if (!parsed) {
        subject.findings << parsed.error().message;
        subject.inputSchema = schemaOf({});
        return;
    }
    QList<TextField> fields;
    for (const QString &variable : parsed->variables())
        fields.append({variable, {}, false, subject.ref.key.contains(variable + u'*')});
    subject.inputSchema = schemaOf(fields);
}

}  // namespace

CallSubject subjectFor(const OfferRef &ref, const Connection &connection)
{
    CallSubject subject;
    subject.ref = ref;
    subject.name = ref.key;
    subject.title = ref.key;
    const Catalog &catalog = *connection.catalog();
    switch (ref.kind) {
        case OfferRef::Kind::Tool:
            subject.verb = SubjectText::tr("Call");
            subject.resultKind = ResultView::Subject::Tool;
            if (const Tool *tool = catalog.tool(ref.key, ref.number)) {
                describe(subject, *tool);
                sayWhichOf(subject, catalog.tools());
                subject.badges = badgesOf(*tool);
                subject.problem = connection.whyNotCallable(*tool);
                subject.inputSchema = tool->inputSchema;
                subject.taskSupport = tool->taskSupport;
                if (const QString app = appUriOf(*tool); !app.isEmpty())
                    subject.note =
                        SubjectText::tr(
                            "Its results have a view of their own, %1. Sonde shows the source of such an app "
                            "and does not run it.")
                            .arg(visibleLine(app, MaxShownUri));
            }
            break;
        case OfferRef::Kind::Resource:
            subject.verb = SubjectText::tr("Read");
            subject.resultKind = ResultView::Subject::Resource;
            subject.exists = true;
            subject.inputSchema = schemaOf({});
            if (const Resource *resource = catalog.resource(ref.key, ref.number)) {
                describe(subject, *resource);
                if (!resource->mimeType.isEmpty())
                    subject.badges.append({resource->mimeType, Tone::Neutral});
            }
            describeKind(subject);
            break;
        case OfferRef::Kind::Template:
            subject.verb = SubjectText::tr("Read");
            subject.resultKind = ResultView::Subject::Resource;
            if (const ResourceTemplate *entry = catalog.resourceTemplate(ref.key, ref.number)) {
                describe(subject, *entry);
                if (!entry->mimeType.isEmpty())
                    subject.badges.append({entry->mimeType, Tone::Neutral});
            }
            describeTemplate(subject);
            break;
        case OfferRef::Kind::Prompt:
            subject.verb = SubjectText::tr("Get");
            subject.resultKind = ResultView::Subject::Prompt;
            if (const Prompt *prompt = catalog.prompt(ref.key, ref.number)) {
                describe(subject, *prompt);
                sayWhichOf(subject, catalog.prompts());
                QList<TextField> fields;
                for (const PromptArgument &argument : prompt->arguments)
                    fields.append({argument.name, argument.description, argument.required, false});
                subject.inputSchema = schemaOf(fields);
            }
            break;
        case OfferRef::Kind::Info:
        case OfferRef::Kind::None:
            break;
    }
    return subject;
}

Result<PreparedCall> prepareCall(const CallSubject &subject, const QByteArray &arguments)
{
    const json::Value given = json::parse(arguments);
    json::Builder params;
    params.beginObject();
    QStringView method;
    switch (subject.ref.kind) {
        case OfferRef::Kind::Tool:
            method = methods::CallTool;
            params.member(u"name", subject.ref.key);
            if (!arguments.isEmpty())
                params.rawMember(u"arguments", arguments);
            break;
        case OfferRef::Kind::Prompt:
            method = methods::GetPrompt;
            params.member(u"name", subject.ref.key);
            if (!given.isEmpty())
                params.rawMember(u"arguments", arguments);
            break;
        case OfferRef::Kind::Resource:
            method = methods::ReadResource;
            params.member(u"uri", subject.ref.key);
            break;
        case OfferRef::Kind::Template: {
            const Result<UriTemplate> parsed = UriTemplate::parse(subject.ref.key);
            if (!parsed)
                return parsed.error();
            QMap<QString, UriTemplate::Value> values;
            for (const json::Value &member : given) {
                if (member.isArray()) {
                    QStringList list;
                    for (const json::Value &item : member)
                        list << (item.isString() ? item.string() : QString::fromUtf8(item.slice()));
                    values.insert(member.key(), list);
                } else {
                    values.insert(member.key(),
                                  member.isString() ? member.string() : QString::fromUtf8(member.slice()));
                }
            }
            const Result<QString> uri = parsed->expand(values);
            if (!uri)
                return uri.error();
            method = methods::ReadResource;
            params.member(u"uri", uri.value());
            break;
        }
        case OfferRef::Kind::Info:
        case OfferRef::Kind::None:
            return Error::local(SubjectText::tr("There is nothing to call here."));
    }
    params.endObject();
    return PreparedCall{method, params.take()};
}

}  // namespace sonde::ui
