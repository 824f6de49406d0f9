// SPDX-License-Identifier: Apache-2.0
#include "ui/requests/samplingbody.h"

#include "core/json/builder.h"
#include "core/protocol/types.h"
#include "core/protocol/visibletext.h"
#include "ui/form/schemaform.h"
#include "ui/result/contentblock.h"
#include "ui/result/textblock.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxMessages = 50;  // drawn; the timeline has all of them
constexpr int MaxTools = 50;
constexpr int MaxBlockHeight = 160;  // px
constexpr int MaxToolPresets = 8;

TextLabel *samplingCaption(const QString &text)
{
    auto *label = new TextLabel;
    label->setServerText(text);
    label->setFont(smallFont());
    label->setDim(true);
    label->setWordWrap(true);
    label->setMinimumWidth(40);
    return label;
}

// "max 100 tokens · temperature 0.7"
QString samplingLimits(const json::Value &params)
{
    QStringList parts;
    const auto add = [&](const QString &form, const json::Value &value) {
        if (value.exists())
            parts.append(form.arg(visibleLine(value.isString() ? value.string() : QString::fromUtf8(value.bytes()))));
    };
    add(SamplingBody::tr("max %1 tokens"), params[u"maxTokens"]);
    add(SamplingBody::tr("temperature %1"), params[u"temperature"]);
    add(SamplingBody::tr("stop sequences %1"), params[u"stopSequences"]);
    add(SamplingBody::tr("context %1"), params[u"includeContext"]);
    const json::Value preferences = params[u"modelPreferences"];
    QStringList hints;
    for (const json::Value &hint : preferences[u"hints"])
        hints.append(visibleLine(hint[u"name"].string(), 60));
    if (!hints.isEmpty())
        parts.append(SamplingBody::tr("model like %1").arg(hints.join(u", "_s)));
    add(SamplingBody::tr("cost %1"), preferences[u"costPriority"]);
    add(SamplingBody::tr("speed %1"), preferences[u"speedPriority"]);
    add(SamplingBody::tr("intelligence %1"), preferences[u"intelligencePriority"]);
    return parts.join(u" · "_s);
}

QWidget *samplingBlock(const json::Value &content)
{
    const QString type = content[u"type"].string();
    if (type != u"tool_use" && type != u"tool_result") {
        auto *block = new ContentBlock(readContent(content), false);
        block->setMaxTextHeight(MaxBlockHeight);
        return block;
    }
    auto *block = new TextBlock(content, TextBlock::Pretty::WhenJson);
    block->caption()->setCaption(type == u"tool_use"
                                     ? SamplingBody::tr("tool call: %1").arg(visibleLine(content[u"name"].string(), 60))
                                     : SamplingBody::tr("tool result"));
    block->setMaxHeight(MaxBlockHeight);
    return block;
}

}  // namespace

SamplingBody::SamplingBody(const json::Value &params, QWidget *parent) : FilledBody(parent), m_params(params)
{
    for (const json::Value &tool : m_params[u"tools"]) {
        if (m_tools.size() < MaxTools)
            m_tools.append(tool[u"name"].string());
    }
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    setSchema(json::parse(responseSchema()));
    m_form->setHeader(makeConversation());  // they scroll together: each would have too little room of its own
    column->addWidget(m_form);
}

QWidget *SamplingBody::makeConversation()
{
    auto *page = new QWidget;
    page->setObjectName(u"samplingConversation"_s);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(1, 0, 0, 0);
    column->setSpacing(Grid / 2);
    if (const QString limits = samplingLimits(m_params); !limits.isEmpty())
        column->addWidget(samplingCaption(limits));
    if (const json::Value prompt = m_params[u"systemPrompt"]; prompt.exists()) {
        column->addWidget(samplingCaption(tr("system")));
        auto *block = new TextBlock(prompt);
        block->setMaxHeight(MaxBlockHeight);
        column->addWidget(block);
    }
    const json::Value messages = m_params[u"messages"];
    int shown = 0;
    for (const json::Value &message : messages) {
        const json::Value content = message[u"content"];
        column->addWidget(samplingCaption(visibleLine(message[u"role"].string(tr("(no role)")), 40)));
        if (content.isArray()) {
            for (const json::Value &block : content) {
                if (++shown <= MaxMessages)
                    column->addWidget(samplingBlock(block));
            }
        } else {
            ++shown;
            column->addWidget(samplingBlock(content));
        }
        if (shown >= MaxMessages)
            break;
    }
    if (messages.isEmpty())
        column->addWidget(samplingCaption(tr("The server sent no messages.")));
    else if (shown >= MaxMessages)
        column->addWidget(samplingCaption(tr("The timeline shows the rest.")));
    for (const json::Value &tool : m_params[u"tools"]) {
        if (shown++ >= MaxMessages + MaxTools)
            break;
        column->addWidget(samplingCaption(
            tr("tool %1: %2")
                .arg(visibleLine(tool[u"name"].string(), 60), visibleLine(tool[u"description"].string()))));
    }
    if (const json::Value choice = m_params[u"toolChoice"]; choice.exists())
        column->addWidget(samplingCaption(tr("tool choice: %1").arg(visibleLine(choice[u"mode"].string(), 40))));
    return page;
}

// What the person fills in; result() makes the protocol's form of it.
QByteArray SamplingBody::responseSchema() const
{
    json::Builder builder;
    builder.beginObject().member(u"type", u"object").key(u"properties").beginObject();
    builder.rawMember(u"text", R"({"type":"string","title":"Text"})");
    if (!m_tools.isEmpty()) {
        builder.key(u"toolCalls").beginObject().member(u"type", u"array").member(u"title", tr("Tool calls"));
        builder.key(u"items").beginObject().member(u"type", u"object").key(u"properties").beginObject();
        builder.key(u"name").beginObject().member(u"type", u"string").key(u"enum").beginArray();
        for (const QString &tool : m_tools)
            builder.string(tool);
        builder.endArray().endObject();
        builder.rawMember(u"id", R"({"type":"string","minLength":1})");
        builder.rawMember(u"input", R"({"type":"object"})");
        builder.endObject().rawMember(u"required", R"(["name","id","input"])").endObject().endObject();
    }
    const QString hint = m_params[u"modelPreferences"][u"hints"].at(0)[u"name"].string();
    builder.key(u"model").beginObject().member(u"type", u"string").member(u"title", tr("Model"));
    builder.member(u"default", hint.isEmpty() ? u"written by hand"_s : hint).endObject();
    builder.rawMember(
        u"stopReason",
        R"({"type":"string","title":"Stop reason","enum":["endTurn","stopSequence","maxTokens","toolUse"],"default":"endTurn"})");
    builder.rawMember(u"role", R"({"type":"string","title":"Role","enum":["assistant","user"],"default":"assistant"})");
    builder.endObject().rawMember(u"required",
                                  m_tools.isEmpty() ? R"(["text","model","role"])" : R"(["model","role"])");
    return builder.endObject().take();
}

QString SamplingBody::kindName() const
{
    return tr("sampling");
}

QString SamplingBody::acceptText() const
{
    return tr("Respond");
}

QByteArray SamplingBody::result() const
{
    const json::Value filled = json::parse(m_form->value());
    QList<QByteArray> blocks;
    const json::Value calls = filled[u"toolCalls"];
    if (const json::Value text = filled[u"text"]; calls.isEmpty() || !text.string().isEmpty()) {
        json::Builder block;
        blocks.append(block.beginObject()
                          .member(u"type", u"text")
                          .rawMember(u"text", text.exists() ? text.bytes() : "\"\""_ba)
                          .endObject()
                          .take());
    }
    for (const json::Value &call : calls) {
        json::Builder block;
        block.beginObject().member(u"type", u"tool_use");
        for (const json::Value &member : call)
            block.rawKey(member.keySlice()).value(member);
        blocks.append(block.endObject().take());
    }
    json::Builder builder;
    builder.beginObject();
    for (const QStringView name : {u"role", u"model", u"stopReason"}) {
        if (const json::Value value = filled[name]; value.exists())
            builder.rawMember(name, value.bytes());
    }
    // One block is no list: that is all that revisions before 2025-11-25 know.
    builder.rawMember(u"content", blocks.size() == 1 ? blocks.first() : '[' + blocks.join(',') + ']');
    return builder.endObject().take();
}

QByteArray SamplingBody::response(const QString &text, const QString &stopReason, const QString &tool) const
{
    const json::Value before = json::parse(m_form->value());
    json::Builder builder;
    builder.beginObject().member(u"text", text);
    if (!tool.isEmpty()) {
        builder.key(u"toolCalls").beginArray().beginObject();
        builder.member(u"name", tool).member(u"id", u"call_1").rawMember(u"input", "{}");
        builder.endObject().endArray();
    }
    builder.member(u"model", before[u"model"].string(u"written by hand"_s));
    return builder.member(u"stopReason", stopReason).member(u"role", u"assistant").endObject().take();
}

QList<RequestPreset> SamplingBody::presets() const
{
    QList<RequestPreset> presets{{tr("Short text"), response(u"OK"_s, u"endTurn"_s)},
                                 {tr("Cut off at the token limit"), response(u"The response is"_s, u"maxTokens"_s)}};
    for (const QString &tool : m_tools.mid(0, MaxToolPresets))
        presets.append({tr("Call the tool %1").arg(visibleLine(tool, 40)), response({}, u"toolUse"_s, tool)});
    return presets;
}

}  // namespace sonde::ui
