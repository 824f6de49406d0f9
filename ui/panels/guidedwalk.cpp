// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/guidedwalk.h"

#include "core/calls/operations.h"
#include "core/protocol/methods.h"

#include <algorithm>
#include <chrono>

namespace sonde::ui {

using namespace Qt::StringLiterals;
using Kind = WalkStep::Kind;

namespace {

constexpr std::chrono::nanoseconds TurnBudget = std::chrono::milliseconds(2);
constexpr auto ReadingInterval = std::chrono::milliseconds(20);

QString textOf(Kind kind)
{
    switch (kind) {
        case Kind::CallTool:
            return GuidedWalk::tr("Enter two numbers in “add” and press Ctrl+Enter.");
        case Kind::SeeToolError:
            return GuidedWalk::tr("Call “fail”: it runs, and reports an error that a model would see.");
        case Kind::FixArgument:
            return GuidedWalk::tr("Call “add” without b. Then click the error, enter a number and call again.");
        case Kind::RespondToServer:
            return GuidedWalk::tr("Call “ask-form”: the server asks you for something in the middle of the call.");
        case Kind::LookAtMessage:
            return GuidedWalk::tr("Select a row of the timeline to see the message as it was sent.");
        case Kind::FilterTimeline:
            return GuidedWalk::tr("Type “tool == fail” into the filter of the timeline.");
        case Kind::ReadResource:
            return GuidedWalk::tr("Open “greeting”: a resource is read when its tab opens.");
        case Kind::ReplaySession:
            return GuidedWalk::tr("Send the recorded calls again and compare the responses.");
    }
    return {};
}

}  // namespace

QString nameOf(Kind kind)
{
    switch (kind) {
        case Kind::CallTool:
            return GuidedWalk::tr("Call a tool");
        case Kind::SeeToolError:
            return GuidedWalk::tr("See a tool error");
        case Kind::FixArgument:
            return GuidedWalk::tr("Fix an argument");
        case Kind::RespondToServer:
            return GuidedWalk::tr("Respond to the server");
        case Kind::LookAtMessage:
            return GuidedWalk::tr("Look at a message");
        case Kind::FilterTimeline:
            return GuidedWalk::tr("Filter the timeline");
        case Kind::ReadResource:
            return GuidedWalk::tr("Read a resource");
        case Kind::ReplaySession:
            return GuidedWalk::tr("Replay the session");
    }
    return {};
}

GuidedWalk::GuidedWalk(QObject *parent) : QObject(parent)
{
    m_reading.setSingleShot(true);
    m_reading.setInterval(ReadingInterval);
    connect(&m_reading, &QTimer::timeout, this, &GuidedWalk::read);
    begin();
}

GuidedWalk::~GuidedWalk() = default;

void GuidedWalk::begin()
{
    m_steps.clear();
    for (int kind = 0; kind <= int(WalkStep::Last); ++kind) {
        m_steps.append(makeStep<WalkStep>(Kind(kind)));
        m_steps.last().text = textOf(Kind(kind));
    }
    m_failed.clear();
    m_operations = m_session ? std::make_unique<Operations>(m_session) : nullptr;
    if (m_operations)
        read();
    Q_EMIT changed();
}

void GuidedWalk::follow(const Session *session)
{
    if (m_session == session)
        return;
    if (m_session)
        m_session->disconnect(this);
    m_session = session;
    m_firstRow = 0;
    if (session)
        connect(session, &Session::appended, this, [this] {
            if (m_operations && !m_reading.isActive())
                m_reading.start();
        });
    begin();
}

void GuidedWalk::translate()
{
    for (WalkStep &step : m_steps) {
        step.name = nameOf(step.kind);
        step.text = textOf(step.kind);
    }
    Q_EMIT changed();
}

void GuidedWalk::restart()
{
    m_firstRow = m_session ? m_session->size() : 0;
    begin();
}

qsizetype GuidedWalk::doneCount() const
{
    return std::count_if(m_steps.begin(), m_steps.end(),
                         [](const WalkStep &step) { return step.state == Step::State::Done; });
}

void GuidedWalk::complete(Kind kind)
{
    if (isDone(kind))
        return;
    m_steps[qsizetype(kind)].state = Step::State::Done;
    Q_EMIT changed();
}

void GuidedWalk::read()
{
    if (!m_session) {  // it was deleted
        m_operations.reset();
        return;
    }
    const bool isAtEnd = m_operations->advance(TurnBudget.count());
    for (const qsizetype operation : m_operations->takeChanged())
        judge(operation);
    if (doneCount() == m_steps.size())
        m_operations.reset();
    else if (!isAtEnd)
        m_reading.start();
}

void GuidedWalk::judge(qsizetype operation)
{
    const Operation made = m_operations->at(operation);
    if (qsizetype(made.requestRow) < m_firstRow)
        return;
    if (!isDone(Kind::RespondToServer) && (made.hasSteps || !made.isLocal) && hasResponseOfUser(operation))
        complete(Kind::RespondToServer);
    if (made.isOpen || !made.isLocal)
        return;
    const RecordInfo &request = m_session->at(made.requestRow);
    const QString method = m_session->name(request.method);
    if (method == methods::CallTool)
        judgeToolCall(request, made.outcome);
    else if (method == methods::ReadResource && made.outcome == RowOutcome::Ok)
        complete(Kind::ReadResource);
}

void GuidedWalk::judgeToolCall(const RecordInfo &request, RowOutcome outcome)
{
    if (outcome == RowOutcome::Ok) {
        complete(Kind::CallTool);
        if (m_failed.remove(request.target))
            complete(Kind::FixArgument);
    } else if (outcome == RowOutcome::ToolError || outcome == RowOutcome::ProtocolError) {
        m_failed.insert(request.target);
        if (outcome == RowOutcome::ToolError)
            complete(Kind::SeeToolError);
    }
}

// Roots are given without asking the user.
bool GuidedWalk::hasResponseOfUser(qsizetype operation) const
{
    const std::vector<qsizetype> rows = m_operations->rows(operation);
    return std::any_of(rows.begin(), rows.end(), [this](qsizetype row) {
        const RecordRole role = m_operations->role(row);
        if (role == RecordRole::ServerRequestResponse)
            return m_session->name(m_session->at(row).method) != methods::ListRoots;
        if (role != RecordRole::Retry)
            return false;
        const Message retry = m_session->message(row);
        for (const json::Value &response : retry.params()[u"inputResponses"]) {
            if (!response[u"roots"].exists())
                return true;
        }
        return false;
    });
}

}  // namespace sonde::ui
