// SPDX-License-Identifier: Apache-2.0
#include "app/cli/askedresponses.h"

#include "app/cli/responses.h"
#include "app/cli/values.h"
#include "core/client/responsecheck.h"
#include "core/protocol/consenturl.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {

namespace {

// One block of a message as a model would get it; bytes as their kind and size.
QString shownBlock(const json::Value &block)
{
    if (block[u"text"].isString())
        return visibleText(block[u"text"].string());
    if (!block[u"data"].isString())
        return visibleText(QString::fromUtf8(json::indented(block)));
    return visibleLine(u"[%1, %2, %3]"_s.arg(block[u"type"].string(), block[u"mimeType"].string(),
                                             humanSize(block[u"data"].bytes().size() * 3 / 4)));
}

}  // namespace

AskedResponses::AskedResponses(Output &output) : m_output(output)
{
    connect(&m_input, &app::StandardInput::received, this, &AskedResponses::onLine);
    connect(&m_input, &app::StandardInput::ended, this, &AskedResponses::onEnded);
}

void AskedResponses::ask(InputRequest *request)
{
    m_requests.append(request);
    connect(request, &InputRequest::ended, this, [this, request](InputRequest::End how) {
        if (how != InputRequest::End::Answered && !m_requests.isEmpty() && m_requests.first() == request)
            m_output.note(how == InputRequest::End::CallEnded ? tr("The call has ended; the response was not sent.")
                                                              : tr("The server no longer waits for this response."));
        const bool wasFirst = !m_requests.isEmpty() && m_requests.first() == request;
        m_requests.removeAll(request);
        if (wasFirst)
            next();
    });
    if (m_requests.size() == 1)
        next();
}

void AskedResponses::next()
{
    m_input.setEnabled(!m_requests.isEmpty() && !m_hasEnded);
    if (m_requests.isEmpty())
        return;
    introduce();
    declineUnread();
}

void AskedResponses::introduce()
{
    const InputRequest &request = *m_requests.first();
    const json::Value params = request.params();
    m_content.clear();
    m_fields.clear();
    m_field = 0;
    m_output.note(tr("The server requests %1.").arg(request.method()));
    if (request.kind() == InputRequest::Kind::Sampling) {
        if (params[u"systemPrompt"].isString())
            m_output.note(tr("System prompt: %1").arg(visibleText(params[u"systemPrompt"].string())));
        for (const json::Value &message : params[u"messages"]) {
            const json::Value content = message[u"content"];
            const QString role = visibleLine(message[u"role"].string()) + u": "_s;
            if (!content.isArray())
                m_output.note(role + shownBlock(content));
            for (const json::Value &block : content.isArray() ? content : json::Value())
                m_output.note(role + shownBlock(block));
        }
        m_step = Step::SampledText;
        m_output.note(tr("Text of the response, on one line (empty: decline):"));
        return;
    }
    m_output.note(visibleText(params[u"message"].string()));
    if (params[u"url"].isString()) {
        const ConsentUrl url = ConsentUrl::fromText(params[u"url"].string());
        m_output.note(tr("URL (sonde-cli does not open it): %1").arg(visibleText(params[u"url"].string())));
        if (url.refusal.isEmpty())
            m_output.note(tr("Host: %1").arg(url.host));
        else
            m_output.note(tr("Do not open it: %1").arg(url.refusal));
        for (const QString &warning : url.warnings)
            m_output.note(warning);
    }
    m_schema = schema::Schema(params[u"requestedSchema"]);
    for (const json::Value &field : params[u"requestedSchema"][u"properties"])
        m_fields.append(field);
    m_step = Step::Action;
    m_output.note(tr("accept, decline or cancel? (empty: decline)"));
}

// The last line needs no line feed.
void AskedResponses::onEnded(const QByteArray &rest)
{
    m_hasEnded = true;
    if (!rest.isEmpty())
        onLine(rest);
    declineUnread();
}

// What standard input has no more lines for.
void AskedResponses::declineUnread()
{
    if (!m_hasEnded || m_requests.isEmpty())
        return;
    m_output.note(tr("Declined: standard input has ended."));
    m_requests.first()->decline();
}

void AskedResponses::onLine(const QByteArray &bytes)
{
    const QString line = QString::fromUtf8(bytes);
    if (m_step == Step::Action) {
        onAction(line);
    } else if (m_step == Step::Field) {
        onField(line);
    } else if (line.isEmpty()) {
        m_requests.first()->decline();
    } else {
        json::Builder builder;
        builder.beginObject().member(u"role", u"assistant"_s).key(u"content").beginObject();
        builder.member(u"type", u"text"_s).member(u"text", line).endObject();
        builder.member(u"model", u"sonde-cli"_s).member(u"stopReason", u"endTurn"_s);
        send(builder.endObject().take());
    }
}

void AskedResponses::onAction(const QString &line)
{
    InputRequest *request = m_requests.first();
    if (line.isEmpty() || line == "decline"_L1) {
        request->decline();
    } else if (line == "cancel"_L1) {
        request->cancel();
    } else if (line != "accept"_L1) {
        m_output.note(tr("'%1' is not valid; enter accept, decline or cancel.").arg(visibleLine(line)));
    } else if (request->params()[u"url"].isString()) {
        send(R"({"action":"accept"})");
    } else {
        m_step = Step::Field;
        askField();
    }
}

bool AskedResponses::isRequired(const json::Value &field) const
{
    bool isRequired = false;
    for (const json::Value &name : m_schema.root()[u"required"])
        isRequired = isRequired || name.string() == field.key();
    return isRequired;
}

QString AskedResponses::problemOfField(const json::Value &field, const QByteArray &value) const
{
    if (value.isEmpty())
        return isRequired(field) ? tr("A value is required. To decline the request, press Ctrl+D.") : QString();
    for (const schema::Issue &issue : m_schema.validateAt(field, json::parse(value))) {
        if (!issue.notChecked)
            return tr("%1 does not match the requestedSchema: %2.")
                .arg(visibleLine(QString::fromUtf8(value), 80), issue.message);
    }
    return {};
}

void AskedResponses::askField()
{
    if (m_field == m_fields.size()) {
        sendContent();
        return;
    }
    const json::Value field = m_fields.at(m_field);
    QStringList facts;
    if (field[u"type"].isString())
        facts.append(visibleLine(field[u"type"].string()));
    facts.append(isRequired(field) ? tr("required") : tr("optional"));
    const json::Value choices = field[u"enum"].isArray() ? field[u"enum"] : field[u"items"][u"enum"];
    if (choices.isArray())
        facts.append(tr("one of %1").arg(visibleLine(QString::fromUtf8(choices.bytes()))));
    for (const json::Value &choice : field[u"oneOf"].isArray() ? field[u"oneOf"] : field[u"items"][u"anyOf"])
        facts.append(visibleLine(choice[u"const"].string() + u" = "_s + choice[u"title"].string()));
    if (field[u"default"].exists())
        facts.append(tr("default %1").arg(visibleLine(QString::fromUtf8(field[u"default"].bytes()))));
    QString label = visibleLine(field.key());
    if (field[u"description"].isString())
        label += u": "_s + visibleLine(field[u"description"].string());
    m_output.note(u"%1 (%2)"_s.arg(label, facts.join(u"; "_s)));
}

// An empty line takes the default, or leaves the field out.
void AskedResponses::onField(const QString &line)
{
    const json::Value field = m_fields.at(m_field);
    QByteArray value = field[u"default"].exists() ? field[u"default"].bytes() : QByteArray();
    QString problem;
    if (!line.isEmpty()) {
        const Result<QByteArray> typed = typedValue(line, m_schema, field);
        if (typed)
            value = *typed;
        else
            problem = typed.error().message;
    }
    if (problem.isEmpty())
        problem = problemOfField(field, value);
    if (!problem.isEmpty()) {
        m_output.note(problem);
        askField();
        return;
    }
    if (!value.isEmpty()) {
        m_content.append({field.key(), value});
        json::Builder builder;
        builder.beginObject().rawMember(field.key(), value);
        const json::Value entered = json::parse(builder.endObject().take());
        for (const QString &remark : formatRemarks(m_schema.root(), entered))
            m_output.note(tr("Warning: %1. It will be sent as entered.").arg(remark));
    }
    ++m_field;
    askField();
}

void AskedResponses::sendContent()
{
    json::Builder builder;
    builder.beginObject().member(u"action", u"accept"_s).key(u"content").beginObject();
    for (const auto &[name, value] : std::as_const(m_content))
        builder.rawMember(name, value);
    send(builder.endObject().endObject().take());
}

// What the request does not allow is entered again.
void AskedResponses::send(const QByteArray &result)
{
    InputRequest *request = m_requests.first();
    QString problem = problemOfResponse(*request, json::parse(result));
    if (problem.isEmpty())
        problem = request->respond(result).message;
    if (problem.isEmpty())
        return;
    m_output.note(problem);
    if (!m_requests.isEmpty() && m_requests.first() == request)
        introduce();
}

}  // namespace sonde::cli
