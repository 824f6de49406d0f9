// SPDX-License-Identifier: Apache-2.0
#include "core/replay/replayer.h"
#include "core/connection/toolmemory.h"

#include "core/json/builder.h"
#include "core/protocol/error.h"
#include "core/protocol/methods.h"

#include <QElapsedTimer>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qint64 SliceNs = 4'000'000;

// The last response of a session that began a connection.
Message handshakeOf(const Session &session)
{
    Message response;
    for (const RecordedCall &call : recordedCalls(session)) {
        if (isHandshake(session, call))
            response = responseOf(session, call);
    }
    return response;
}

// An entry of a result that asks for input is there as the request that it was until 2025-11-25.
Message asMessage(const InputRequest &request)
{
    return request.key().isEmpty()
               ? request.message()
               : Message::request(RequestId(request.key()), request.method(), request.params().bytes());
}

}  // namespace

ConnectionOptions replayOptions(const ReplayMaterial &material)
{
    ConnectionOptions options;
    options.capabilities = material.capabilities;
    options.loadCatalog = false;
    return options;
}

void listenForServerRequests(Connection *connection)
{
    // What was declared when it was recorded is declared again.
    ServerSpec spec = connection->spec();
    spec.undeclaredCapabilities.clear();
    connection->setSpec(spec);
    const QStringList methods = InputRequest::methodsFor(connection->options().capabilities);
    for (const QString &method : methods)
        connection->setResponder(*InputRequest::kindOf(method), connection, [](InputRequest *request) {
            request->fail(errorcodes::InternalError, u"The replay has not begun."_s);
        });
}

Replayer::Replayer(const Session *recording, ReplayMaterial material, Connection *connection, const ReplayRules &rules,
                   QObject *parent)
    : QObject(parent),
      m_recording(recording),
      m_connection(connection),
      m_judge(rules),
      m_steps(std::move(material.steps)),
      m_responder(recording, std::move(material.serverRequests))
{
    m_settling.setSingleShot(true);
    connect(&m_settling, &QTimer::timeout, this, &Replayer::next);
    connect(connection, &Connection::stateChanged, this, [this] {
        if (m_isRenewing && m_connection->state() != Connection::State::Connecting) {
            m_isRenewing = false;
            nextLater();
        }
    });
    // The server may ask for what it could ask for when it was recorded.
    const QStringList methods = InputRequest::methodsFor(connection->options().capabilities);
    for (const QString &method : methods)
        connection->setResponder(*InputRequest::kindOf(method), this,
                                 [this](InputRequest *request) { handleServerRequest(asMessage(*request), request); });
    connect(connection, &Connection::serverRequested, this, [this](const Message &request) {
        if (InputRequest::kindOf(request.method()))
            handleServerRequest(request, nullptr);
    });
}

Replayer::~Replayer() = default;

void Replayer::start()
{
    if (m_phase != Phase::Ready)
        return;
    if (m_connection && m_connection->state() != Connection::State::Connected) {
        const QString what = m_connection->spec().startsProcess() ? tr("Not sent: the server did not start. %1")
                                                                  : tr("Not sent: the server could not be reached. %1");
        m_endReason = what.arg(maskedText(m_connection->error().message)).trimmed();
        m_isUnsent = true;
        m_phase = Phase::Running;
        nextLater();
        return;
    }
    m_phase = Phase::Running;
    m_responder.begin();
    for (const auto &[serverRequest, request] : std::exchange(m_earlyServerRequests, {}))
        handleServerRequest(serverRequest, request);
    startCalls();
}

// request: see RecordedResponder::respond().
void Replayer::handleServerRequest(const Message &serverRequest, InputRequest *request)
{
    if (m_phase == Phase::Ready) {
        m_earlyServerRequests.append({serverRequest, request});
        return;
    }
    ReplayStep *step = m_current >= 0 && m_current < m_steps.size() ? &m_steps[m_current] : nullptr;
    const bool isRunning = step && step->status == ReplayStep::Status::Running;
    const Message live = masked(serverRequest);
    ReplayServerRequest asked = m_responder.respond(serverRequest, request, isRunning ? step->call.row : -1);
    asked.live = live;
    if (isRunning)
        step->serverRequests.append(asked);
    else
        addLooseServerRequest(asked);
    if (m_settling.isActive())
        m_settling.start(0);
}

// Of no call: where that is a finding, the step that is nearest has it.
void Replayer::addLooseServerRequest(const ReplayServerRequest &serverRequest)
{
    if (m_phase == Phase::Finished || m_steps.isEmpty())
        return;
    const qsizetype at = qBound(qsizetype(0), m_current, m_steps.size() - 1);
    ReplayStep &step = m_steps[at];
    ReplayStep alone;
    alone.target = step.target;
    alone.serverRequests = {serverRequest};
    if (m_judge.judgeServerRequests(alone))
        return;
    step.serverRequests.append(alone.serverRequests);
    if (step.status == ReplayStep::Status::Same)
        step.status = ReplayStep::Status::Changed;
    Q_EMIT stepChanged(at);
}

void Replayer::startCalls()
{
    const auto firstOf = [this](QStringView method) {
        const auto found = std::find_if(m_steps.begin(), m_steps.end(),
                                        [method](const ReplayStep &step) { return step.method == method; });
        return found - m_steps.begin();
    };
    const qsizetype firstCall = firstOf(methods::CallTool);
    const bool needsTools = firstCall < m_steps.size() && firstOf(methods::ListTools) > firstCall;
    if (needsTools && m_policy != Destructive::Allow && m_connection &&
        m_connection->catalog()->status(Catalog::List::Tools).state != Catalog::State::Ready) {
        listTools();
        return;
    }
    m_phase = Phase::Running;
    nextLater();
}

// The recording does not ask for the tools before it calls one; what they may do has to be known all the same.
void Replayer::listTools()
{
    m_phase = Phase::Listing;
    Catalog *catalog = m_connection->catalog();
    connect(catalog, &Catalog::changed, this, [this, catalog] {
        const Catalog::State state = catalog->status(Catalog::List::Tools).state;
        if (m_phase != Phase::Listing || state == Catalog::State::Loading)
            return;
        m_phase = Phase::Running;
        nextLater();
    });
    catalog->refresh(Catalog::List::Tools);
}

void Replayer::nextLater()
{
    QMetaObject::invokeMethod(this, &Replayer::next, Qt::QueuedConnection);
}

void Replayer::next()
{
    if (m_phase != Phase::Running)
        return;
    // Over HTTP a session that the server has lost is replaced by a new one. That ends in Connected or Disconnected.
    m_isRenewing = m_endReason.isEmpty() && m_connection && m_connection->state() == Connection::State::Connecting;
    if (m_isRenewing)
        return;
    if (m_endReason.isEmpty() && (!m_connection || m_connection->state() != Connection::State::Connected)) {
        const Error error = m_connection ? m_connection->error() : Error();
        m_endReason = error ? tr("The connection to the server was lost: %1").arg(maskedText(error.message))
                            : tr("The connection to the server is closed.");
        m_isLost = m_current + 1 < m_steps.size();
    }
    if (!m_endReason.isEmpty()) {
        endRest();
        return;
    }
    while (++m_current < m_steps.size()) {
        ReplayStep &step = m_steps[m_current];
        if (step.status != ReplayStep::Status::Waiting)
            continue;
        if (const int ms = m_responder.settlingMs(step.call.row); ms > 0) {
            --m_current;
            m_settling.start(ms);
            return;
        }
        if (!begin(step))
            return;
        Q_EMIT stepChanged(m_current);
        nextLater();
        return;
    }
    finish();
}

// False: it goes on by itself, with a response or with decide().
bool Replayer::begin(ReplayStep &step)
{
    if (step.call.responseRow < 0) {
        skip(step, tr("No response was recorded."));
        return true;
    }
    step.recorded = responseOf(*m_recording, step.call);
    if (step.isHandshake()) {
        judgeHandshake(step);
        return true;
    }
    step.isDestructive = mayDestroy(step);
    if (step.isDestructive && m_policy == Destructive::Skip) {
        step.wasForbidden = true;
        skip(step, tr("The tool may change or delete data; it was not allowed to run."));
        return true;
    }
    if (step.isDestructive && m_policy == Destructive::Ask) {
        m_phase = Phase::Asking;
        Q_EMIT asked(m_current);
        return false;
    }
    make(step, requestOf(*m_recording, step.call));
    return step.status != ReplayStep::Status::Running;
}

void Replayer::decide(bool run)
{
    if (m_phase != Phase::Asking)
        return;
    m_phase = Phase::Running;
    ReplayStep &step = m_steps[m_current];
    if (run) {
        make(step, requestOf(*m_recording, step.call));
    } else {
        step.wasForbidden = true;
        skip(step, tr("Skipped by you."));
    }
    if (step.status == ReplayStep::Status::Running)
        return;
    Q_EMIT stepChanged(m_current);
    nextLater();
}

void Replayer::make(ReplayStep &step, const Message &request)
{
    const Result<QByteArray> params = paramsFor(step, request);
    if (!params) {
        skip(step, params.error().message);
        return;
    }
    if (!m_connection) {
        skip(step, tr("The connection to the server is closed."));
        return;
    }
    CallOptions options = m_connection->options().callOptions;
    options.askForProgress = request.params()[u"_meta"][u"progressToken"].exists();
    if (mayRepeat(step))
        options.repeat = CallOptions::Repeat::Yes;
    step.status = ReplayStep::Status::Running;
    Call *call = m_connection->request(step.method, *params, options);
    m_call = call;
    connect(call, &Call::finished, this, [this, at = m_current](const Outcome &outcome) {
        if (m_steps[at].status != ReplayStep::Status::Running)
            return;
        end(m_steps[at], outcome);
        Q_EMIT stepChanged(at);
        nextLater();
    });
    Q_EMIT stepChanged(m_current);
}

Result<QByteArray> Replayer::paramsFor(const ReplayStep &step, const Message &request) const
{
    const json::Value params = request.params();
    const QByteArray text = repeatableParams(params);
    if (holdsSecretMark(QString::fromUtf8(text)))
        return Error::local(tr("The recorded request contains a redacted secret and cannot be sent again."));
    if (const auto task = m_judge.liveTask(params[u"taskId"].string())) {
        const json::Document document = json::Document::parse(text);
        return withReplaced(document.root()[u"taskId"], json::quoted(*task));
    }
    const json::Value cursor = params[u"cursor"];
    if (!isList(step.method) || !cursor.isString())
        return text;
    const auto known = m_cursors.constFind({step.method, cursor.string()});
    if (known == m_cursors.constEnd())
        return text;
    if (known->isEmpty())
        return Error::local(tr("The list now has fewer pages."));
    const json::Document document = json::Document::parse(text);
    return withReplaced(document.root()[u"cursor"], json::quoted(*known));
}

// Spec: server/tools, "ToolAnnotations": readOnlyHint is false and destructiveHint true where nothing is said.
bool Replayer::mayDestroy(const ReplayStep &step) const
{
    if (step.method != methods::CallTool)
        return false;
    return riskOf(annotationsOf(step.target)) >= ToolRisk::Unmarked;
}

// The connection judges by its catalog, which is empty where the lists are read by steps of the replay.
bool Replayer::mayRepeat(const ReplayStep &step) const
{
    if (step.method != methods::CallTool)
        return false;
    const ToolAnnotations annotations = annotationsOf(step.target);
    return annotations.readOnly.value_or(false) || annotations.idempotent.value_or(false);
}

ToolAnnotations Replayer::annotationsOf(const QString &name) const
{
    const Tool *tool = m_connection ? m_connection->catalog()->tool(name) : nullptr;
    return tool ? tool->annotations : m_annotations.value(name);
}

void Replayer::end(ReplayStep &step, const Outcome &outcome)
{
    step.live = masked(outcome.message);
    step.durationNs = outcome.durationNs;
    step.serverRequests.append(m_responder.missing(step.call.row));
    m_judge.judgeServerRequests(step);
    for (const QString &finding : outcome.findings)
        step.findings.append(maskedText(finding));
    // A result that is no object says nothing, but it can be compared.
    if (outcome.kind == Outcome::Kind::NoResponse && !outcome.message.isResponse()) {
        step.live = {};
        step.status = ReplayStep::Status::Failed;
        step.reason = maskedText(outcome.error.message);
        return;
    }
    learn(step, outcome.message);
    m_judge.judge(step);
}

QString Replayer::maskedText(const QString &text) const
{
    return m_connection ? QString::fromUtf8(m_connection->session()->masked(text.toUtf8())) : text;
}

Message Replayer::masked(const Message &live) const
{
    if (!m_connection)
        return live;
    const QByteArray text = m_connection->session()->masked(live.raw());
    return text == live.raw() ? live : Message::parse(text);
}

void Replayer::judgeHandshake(ReplayStep &step)
{
    if (m_connection)
        m_connection->session()->flush();
    const Message live = m_connection ? handshakeOf(*m_connection->session()) : Message();
    if (!live.isResponse()) {
        skip(step, tr("The connection's own handshake was not recorded."));
        return;
    }
    step.live = live;
    m_judge.judge(step);
}

// What later steps need to know of this response.
void Replayer::learn(const ReplayStep &step, const Message &live)
{
    const json::Value task = step.recorded.result()[u"task"][u"taskId"];
    const json::Value liveTask = live.result()[u"task"][u"taskId"];
    if (task.isString() && liveTask.isString())
        m_judge.addTask(task.string(), liveTask.string());
    if (!isList(step.method) || live.kind() != Message::Kind::Result)
        return;
    const json::Value before = step.recorded.result()[u"nextCursor"];
    if (before.isString())
        m_cursors.insert({step.method, before.string()}, live.result()[u"nextCursor"].string());
    if (step.method != methods::ListTools)
        return;
    for (const json::Value &each : live.result()[u"tools"]) {
        const Tool tool = readTool(each);
        m_annotations.insert(tool.name, tool.annotations);
    }
}

void Replayer::setRules(const ReplayRules &rules, qsizetype first)
{
    m_judge.setRules(rules);
    if (first >= 0)
        judgeAgain(first);
    const bool isUnderWay = isJudging();
    m_nextJudged = 0;
    if (!isUnderWay)
        judgeRest();
}

// There may be very many, and somebody shows each.
void Replayer::judgeRest()
{
    QElapsedTimer clock;
    clock.start();
    while (m_nextJudged < m_steps.size()) {
        judgeAgain(m_nextJudged++);
        if (clock.nsecsElapsed() > SliceNs) {
            QMetaObject::invokeMethod(this, &Replayer::judgeRest, Qt::QueuedConnection);
            return;
        }
    }
    m_nextJudged = -1;
    Q_EMIT judged();
}

void Replayer::judgeAgain(qsizetype step)
{
    if (!m_steps[step].live.isResponse() || !m_steps[step].hasRun())
        return;
    m_judge.judge(m_steps[step]);
    Q_EMIT stepChanged(step);
}

void Replayer::skip(ReplayStep &step, const QString &reason)
{
    step.status = ReplayStep::Status::Skipped;
    step.reason = reason;
}

// In slices likewise.
void Replayer::endRest()
{
    QElapsedTimer clock;
    clock.start();
    while (++m_current < m_steps.size()) {
        ReplayStep &step = m_steps[m_current];
        if (step.status != ReplayStep::Status::Waiting)
            continue;
        skip(step, m_endReason);
        if (m_isUnsent) {
            step.status = ReplayStep::Status::Failed;
            step.isUnsent = true;
        }
        Q_EMIT stepChanged(m_current);
        if (clock.nsecsElapsed() > SliceNs) {
            nextLater();
            return;
        }
    }
    finish();
}

void Replayer::cancel()
{
    if (m_phase == Phase::Finished)
        return;
    const QString reason = tr("The replay was stopped.");
    if (m_phase == Phase::Asking) {
        skip(m_steps[m_current], reason);
        Q_EMIT stepChanged(m_current);
    }
    m_phase = Phase::Running;
    m_endReason = reason;
    m_isUnsent = false;
    if (m_call && !m_call->isFinished())
        m_call->cancel(reason);  // its end leads to ours
    else
        nextLater();
}

void Replayer::finish()
{
    m_phase = Phase::Finished;
    for (const auto &[serverRequest, request] : std::exchange(m_earlyServerRequests, {}))
        handleServerRequest(serverRequest, request);
    Q_EMIT finished();
}

int Replayer::count(ReplayStep::Status status) const
{
    return int(std::count_if(m_steps.begin(), m_steps.end(),
                             [status](const ReplayStep &step) { return step.status == status; }));
}

bool Replayer::isUnanswered() const
{
    return m_isLost || std::any_of(m_steps.begin(), m_steps.end(), [](const ReplayStep &step) {
               return step.status == ReplayStep::Status::Failed && !step.live.isResponse();
           });
}

bool Replayer::isAcceptable() const
{
    if (m_connection && m_connection->session()->leftOut().records() > 0)
        return false;
    return std::all_of(m_steps.begin(), m_steps.end(), [](const ReplayStep &step) {
        return !step.isUnsent && (step.call.responseRow < 0 || (step.hasRun() && step.live.isResponse()));
    });
}

}  // namespace sonde
