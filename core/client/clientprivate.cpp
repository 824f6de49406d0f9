// SPDX-License-Identifier: Apache-2.0
#include "core/client/clientprivate.h"

#include "core/client/calltask.h"
#include "core/client/inputround.h"
#include "core/client/readmessage.h"
#include "core/json/builder.h"
#include "core/json/scan.h"
#include "core/protocol/error.h"
#include "core/protocol/messagefields.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/worker.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <iterator>
#include <limits>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// Parsing more than this would be felt in the event loop.
constexpr qsizetype WorkerThresholdBytes = 64 * 1024;
constexpr int MaxInputRounds = 10;
constexpr qint64 NsPerMs = 1'000'000;
constexpr qint64 Never = std::numeric_limits<qint64>::max();

qint64 toNs(std::chrono::milliseconds duration)
{
    constexpr std::chrono::milliseconds maxDuration = std::chrono::hours(24 * 365 * 100);
    return std::min(duration, maxDuration).count() * NsPerMs;
}

// Valid, which is known without a tree.
bool isPlainObject(QByteArrayView text)
{
    json::Scanner<json::Reading::Strict> scanner(text);
    scanner.space();
    return scanner.peek('{') && scanner.value() && scanner.takeEnd();
}

Outcome withoutResponse(const Error &error)
{
    Outcome outcome;
    outcome.error = error;
    return outcome;
}

// How a call ended while the server still waited for a response to a request of its own.
QString sentenceOf(RequestHistory::Ending ending)
{
    switch (ending) {
        case RequestHistory::Ending::Answered:
            return Client::tr("The server responded to it without waiting for you.");
        case RequestHistory::Ending::Cancelled:
            return Client::tr("It was cancelled.");
        case RequestHistory::Ending::TimedOut:
            return Client::tr("It timed out.");
        case RequestHistory::Ending::Failed:
            return Client::tr("It failed.");
    }
    return {};
}

}  // namespace

// Text that breaks JSON would break the message around it, and a line break the framing of stdio. Between the tokens of
// an object a line break is as good as a blank, and it cannot stand anywhere else.
Result<QByteArray> oneLineObject(const QByteArray &text, const QString &complaint)
{
    if (!text.isEmpty() && !isPlainObject(text)) {
        const json::Document document = json::Document::parse(text);
        if (!document.isValid() || !document.root().isObject())
            return Error::local(complaint,
                                document.findings().isEmpty() ? QString() : document.findings().constFirst().reason);
    }
    QByteArray line = text;
    for (const char lineEnd : {'\n', '\r'}) {
        if (line.contains(lineEnd))
            line.replace(lineEnd, ' ');
    }
    return line;
}

// Sending

RequestId Client::Private::nextId()
{
    // A request edited by hand may have taken a number already.
    RequestId id;
    do {
        id = RequestId(m_nextId++);
    } while (m_hasForeignNumbers && (q->m_calls.contains(id) || m_history.contains(id)));
    return id;
}

// A request came with this ID, which may be the next of ours.
RequestId Client::Private::noteForeign(const RequestId &id)
{
    m_hasForeignNumbers = m_hasForeignNumbers || id.kind() == RequestId::Kind::Integer;
    return id;
}

bool Client::Private::canSend() const
{
    return q->m_transport && q->m_transport->state() == Transport::State::Open;
}

// So that a call takes as long here as between its records.
void Client::Private::onTapped(const WireEvent &event)
{
    if (event.kind == WireEvent::Kind::Message)
        (event.direction == Direction::ToServer ? m_sentNs : m_receivedNs) = q->timeOf(event);
    else if (event.kind == WireEvent::Kind::Open)
        m_lostNs.reset();
    else if (event.kind == WireEvent::Kind::State && endsConnection(event.eventCode) && !m_lostNs)
        m_lostNs = q->timeOf(event);
}

Error Client::Private::send(const Message &message, const OutgoingHeaders &headers)
{
    if (!canSend()) {
        if (loss)
            return loss;
        return Error::of(Error::Kind::Transport, Client::tr("Not connected to the server."));
    }
    const QScopedValueRollback sending(m_sending, m_sending + 1);
    return q->m_transport->send(message, headers);
}

void Client::Private::sendRound(Call *call)
{
    const PreparedRequest prepared =
        q->m_dialect->prepare({call->m_roundMethod, call->m_roundParams}, call->m_id, Tasks::roundOptions(call));
    // Progress of a task comes under the token of the request that started it.
    if (!call->m_task)
        call->m_token = prepared.progressToken;
    if (prepared.error)
        return refuseRound(call, prepared.error);
    send(call, Message::request(call->m_id, call->m_roundMethod, prepared.params), {prepared.headers, {}});
}

// As when the transport does not take it.
void Client::Private::refuseRound(Call *call, const Error &error)
{
    if (tasks.retry(call, error))
        return;
    settle(call, Ending::Failed);
    endLater(call, error);
}

void Client::Private::send(Call *call, const Message &message, const OutgoingHeaders &headers)
{
    if (call->m_roundMethod == methods::CallTool)
        call->m_tool = message.fields().string(MessageFields::Name);
    else if (call->method() == methods::ListTools)
        call->m_isNextPage = message.params()[u"cursor"].exists();
    // In the table before it is sent: observers of the wire may look it up.
    q->m_calls.insert(call->m_id, call);
    if (call->m_token.isMatchable())
        m_tokens.insert(call->m_token, call);
    m_sentNs.reset();
    const Error error = send(message, headers);
    if (!isOpen(call))
        return;
    if (error)
        return refuseRound(call, error);
    if (call->m_round == 1 && !call->m_wasMadeAgain && m_sentNs)
        call->m_startedNs = *m_sentNs;
    watch(deadlineOf(call));
}

void Client::Private::addFinding(const QString &text, const Message &message, int kind)
{
    RepeatLimit &limit = findingLimits[kind];
    if (!limit.admit())
        return;
    if (!limit.isNumbered())
        Q_EMIT q->findingAdded(text, message);
    else
        Q_EMIT q->findingAdded(
            Client::tr("%1 (Findings of this kind so far: %2; further ones are mostly only counted.)")
                .arg(text, grouped(limit.count())),
            message);
}

// Receiving

void Client::Private::receive(const Message &message, const RequestId &carrier)
{
    // Where there are batches, nothing depends on the stream that brought a message.
    if (batches.isReading())
        batches.hold(message);
    else
        route(message, carrier);
}

void Client::Private::route(const Message &message, const RequestId &carrier, const std::shared_ptr<BatchReply> &batch)
{
    switch (message.kind()) {
        case Message::Kind::Request:
            if (!failEchoed(message))
                serverRequests.route(message, carrier, batch);
            return;
        case Message::Kind::Batch:
            batches.read(message);
            return;
        case Message::Kind::Notification:
            if (message.method() == methods::Progress)
                routeProgress(message);
            else if (message.method() == methods::Cancelled)
                routeWithdrawal(message);
            else
                routeNotification(message, carrier);
            return;
        case Message::Kind::Invalid:
            if (message.root().isArray())
                return batches.read(message);
            [[fallthrough]];
        case Message::Kind::Result:
        case Message::Kind::Error:
            routeResponse(message);
            return;
    }
}

void Client::Private::routeResponse(const Message &response)
{
    const RequestId id = response.id();
    // A malformed request may carry the number of one of ours.
    if (response.kind() == Message::Kind::Invalid && (!id.isMatchable() || response.root()[u"method"].exists())) {
        addFinding(Client::tr("Not a JSON-RPC message: %1").arg(response.problems().join(u' ')), response);
        return;
    }
    if (!id.isMatchable()) {
        if (id.isNone() || id.toJson() == "null")
            addFinding(Client::tr("The server could not read a request: its error response has no ID."), response);
        else
            addFinding(Client::tr("Unmatched response: the ID %1 is neither an integer nor a string.")
                           .arg(QString::fromUtf8(id.toJson())),
                       response);
        return;
    }
    Call *call = q->m_calls.value(id);
    if (!call) {
        const auto isOpen = [this](const RequestId &other) { return q->m_calls.contains(other); };
        if (!m_history.isEndedSubscription(id))
            addFinding(m_history.explain(id, isOpen, q->now()), response);
        return;
    }
    if (call->m_answeredNs) {
        addFinding(Client::tr("Duplicate response to request %1 (%2); the first one counts.")
                       .arg(QString::fromUtf8(id.toJson()), call->method()),
                   response);
        return;
    }
    call->m_answeredNs = m_receivedNs.value_or(q->now());
    if (response.raw().size() > WorkerThresholdBytes && !response.isParsed())
        parseOnWorker(call, response.raw());
    else
        conclude(call, response);
}

// The recorder and the timeline may look into the received message meanwhile, so the worker makes its own from the
// bytes. The watcher dies with its call; what the worker still does then is thrown away.
void Client::Private::parseOnWorker(Call *call, const QByteArray &bytes)
{
    readMessage(call, bytes, MessageDepth::Tree, [this, call, size = bytes.size()](const Message &message) {
        if (!isOpen(call))
            return;
        if (!message.raw().isEmpty())
            return conclude(call, message);
        settle(call, Ending::Failed);
        finish(call, withoutResponse(Error::outOfMemory(size)));
    });
}

void Client::Private::conclude(Call *call, const Message &response)
{
    Interpretation meaning = q->m_dialect->interpret(call->m_roundMethod, response);
    // What a person wrote by hand is one request, whatever comes back.
    if (meaning.kind == Interpretation::Kind::InputRequired && !call->m_isRaw)
        return askForInputs(call, meaning);
    if (tasks.conclude(call, &meaning))
        return;
    if (meaning.kind == Interpretation::Kind::Again && !call->m_isRaw && !std::exchange(call->m_wasMadeAgain, true))
        return startNextRound(call, {call->m_roundMethod, call->m_roundParams});
    if (meaning.kind == Interpretation::Kind::AgainWithTools && listTools && !call->m_isRaw &&
        !std::exchange(call->m_wasMadeAgain, true))
        return repeatWithTools(call);
    const Outcome &outcome = meaning.outcome;
    if (outcome.kind == Outcome::Kind::Ok && call->method() == methods::ListTools) {
        m_outputs.learn(outcome.result(), !call->m_isNextPage);
        q->m_dialect->learnTools(outcome.result());
    }
    if (mayHaveOutputSchema(call, outcome))
        checkOnWorker(call, outcome);
    else
        complete(call, outcome);
}

// Spec (2026-07-28): basic/patterns/multi-round-trip-requests.
void Client::Private::askForInputs(Call *call, const Interpretation &meaning)
{
    const auto fail = [&](const QString &text) {
        Outcome outcome = withoutResponse(Error::of(Error::Kind::Protocol, text));
        outcome.message = meaning.outcome.message;
        outcome.bytes = meaning.outcome.bytes;
        settle(call, Ending::Failed);
        finish(call, outcome);
    };
    if (++call->m_inputRounds > MaxInputRounds)
        return fail(Client::tr("The server asked for input more than %1 times in one call.").arg(MaxInputRounds));
    if (const QString problem = serverRequests.problemOf(meaning.inputs); !problem.isEmpty())
        return fail(problem);
    call->m_isBetweenRounds = true;
    const RequestBody first{call->m_method, *oneLineObject(call->m_params, {})};
    const auto goOn = [this, call, first, meaning](const QList<InputResponse> &responses) {
        if (isOpen(call))
            startNextRound(call, q->m_dialect->nextRound(first, meaning, responses));
    };
    if (meaning.inputs.isEmpty()) {
        QTimer::singleShot(meaning.pause, call, [goOn] { goOn({}); });
        return;
    }
    const auto refused = [this, call](const Error &error) {
        if (!isOpen(call))
            return;
        settle(call, Ending::Failed);
        finish(call, withoutResponse(error));
    };
    call->m_inputs = std::make_shared<InputRound>(call, InputRound::Hooks{goOn, refused});
    for (const QPointer<InputRequest> &request : call->m_inputs->ask(q, meaning.inputs, meaning.outcome.message)) {
        if (request && request->isOpen())
            Q_EMIT q->inputRequested(request);
    }
}

void Client::Private::repeatWithTools(Call *call)
{
    call->m_isBetweenRounds = true;
    listTools([this, call = QPointer<Call>(call)] {
        if (call && isOpen(call) && call->m_isBetweenRounds)
            startNextRound(call, {call->m_roundMethod, call->m_roundParams});
    });
}

void Client::Private::startNextRound(Call *call, const RequestBody &body)
{
    leaveTables(call);
    m_history.add(call->m_id, call->m_roundMethod, Ending::Answered, q->now());
    call->m_inputs.reset();
    call->m_isBetweenRounds = false;
    call->m_waitedNs += q->now() - call->m_answeredNs.value_or(q->now());
    call->m_answeredNs.reset();
    call->m_lastActivityNs = q->now();
    call->m_lastProgress.reset();
    ++call->m_round;
    call->m_id = nextId();
    call->m_roundMethod = body.method;
    call->m_roundParams = body.params;
    sendRound(call);
}

void Client::Private::leaveTables(const Call *call)
{
    q->m_calls.remove(call->m_id);
    if (m_tokens.value(call->m_token) == call)
        m_tokens.remove(call->m_token);
}

bool Client::Private::mayHaveOutputSchema(const Call *call, const Outcome &outcome) const
{
    if (m_outputs.isEmpty() || call->method() != methods::CallTool ||
        (outcome.kind != Outcome::Kind::Ok && outcome.kind != Outcome::Kind::ToolError))
        return false;
    return m_outputs.isLarge() || m_outputs.schemaOf(call->m_tool).exists();
}

// Neither a large result nor a schema that takes long to check may hold up the event loop.
void Client::Private::checkOnWorker(Call *call, const Outcome &outcome)
{
    using Issues = QList<StructuredIssue>;
    const auto check = [outputs = m_outputs, tool = call->m_tool, result = outcome.result()] {
        return checkStructured(result, outputs.schemaOf(tool));
    };
    runOnWorker(call, check, [this, call, checked = outcome](const std::optional<Issues> &issues) mutable {
        checked.structuredIssues = issues.value_or(Issues());
        checked.findings +=
            issues ? sentencesOf(*issues)
                   : QStringList{Client::tr("Not enough memory to check the result against the tool's outputSchema.")};
        if (isOpen(call))
            complete(call, checked);
    });
}

// What is wrong with the form of the response can be read in it again; what else was found would be lost with the call,
// so it is announced, and thereby recorded.
void Client::Private::complete(Call *call, const Outcome &outcome)
{
    if (!outcome.findings.isEmpty()) {
        const qsizetype known = formFindings(outcome.message).size();
        for (const QString &finding : outcome.findings.mid(known))  // none for a response that is no response
            addFinding(finding, outcome.message);
    }
    settle(call, Ending::Answered);
    finish(call, outcome);
}

// A program that repeats its input is no server. A response to our own request would come back as well, and look like
// the server's.
bool Client::Private::failEchoed(const Message &request)
{
    Call *call = q->m_calls.value(request.id());
    if (!call || call->m_roundMethod != request.method() || request.method() == methods::Ping || call->m_answeredNs)
        return false;
    addFinding(
        Client::tr("The server echoed request %1 from Sonde; no response was sent.").arg(request.id().toString()),
        request);
    settle(call, Ending::Failed);
    finish(call, withoutResponse(Error::of(
                     Error::Kind::Protocol,
                     Client::tr("The server echoed request %1 instead of responding to it.").arg(call->method()), {},
                     Client::tr("The program echoes its input, as cat or a terminal does. It is not an MCP "
                                "server, or was not started as one."))));
    return true;
}

void Client::Private::routeNotification(const Message &notification, const RequestId &carrier)
{
    const QPointer<Client> alive(q);
    tasks.hear(notification);
    if (alive)
        Q_EMIT q->notified(notification, carrier);
}

// Spec: basic/utilities/cancellation. The server does not want its response any more.
void Client::Private::routeWithdrawal(const Message &notification)
{
    const QPointer<Client> alive(q);
    serverRequests.withdraw(RequestId::fromValue(notification.params()[u"requestId"]),
                            notification.params()[u"reason"].string());
    if (alive)
        Q_EMIT q->notified(notification, {});
}

void Client::Private::routeProgress(const Message &notification)
{
    const Progress progress = readProgress(notification.params());
    const RequestId token = RequestId::fromValue(progress.token);
    const QPointer<Call> call = m_tokens.value(token);
    if (!call) {
        // What was under way when its request ended is nobody's mistake.
        if (!m_history.contains(token))
            addFinding(Client::tr("Progress with an unknown token: %1")
                           .arg(token.isNone() ? Client::tr("none") : QString::fromUtf8(token.toJson())),
                       notification);
        return;
    }
    if (call->m_answeredNs && !call->m_task)
        return;
    call->m_lastActivityNs = q->now();
    const std::optional<double> last = std::exchange(call->m_lastProgress, progress.progress);
    if (!notification.params()[u"progress"].isNumber())
        addFinding(Client::tr("'progress' is not a number."), notification);
    else if (last && progress.progress <= *last)
        addFinding(Client::tr("The progress does not increase: %1 after %2.").arg(progress.progress).arg(*last),
                   notification);
    if (progress.total && progress.progress > *progress.total)
        addFinding(
            Client::tr("The progress is beyond its total: %1 of %2.").arg(progress.progress).arg(*progress.total),
            notification);
    if (call)
        Q_EMIT call->progressed(progress);
}

void Client::Private::fail(const RequestId &id, const Error &error)
{
    Call *call = id.isMatchable() ? q->m_calls.value(id) : nullptr;
    if (!call) {
        // The failure of a request that has ended is no news; one that cannot be assigned is.
        if (!m_history.contains(id))
            addFinding(error.message);
        return;
    }
    if (call->m_answeredNs || tasks.retry(call, error))
        return;
    settle(call, Ending::Failed);
    finish(call, withoutResponse(error));
}

void Client::Private::onTransportOpened()
{
    const Depth handling(depth);
    loss = {};
    findingLimits.clear();
    Q_EMIT q->transportOpened();
}

void Client::Private::onTransportFailed(const RequestId &id, const Error &error)
{
    const Depth handling(depth);
    const QPointer<Client> alive(q);
    fail(id, error);
    if (alive)
        Q_EMIT q->transportFailed(id, error);
}

void Client::Private::onTransportClosed(const Error &error)
{
    const Depth handling(depth);
    m_outputs.clear();
    loss = error ? error : Error::of(Error::Kind::Cancelled, Client::tr("The connection was closed."));
    const QPointer<Client> alive(q);
    m_kept.clear();
    if (error.reason == Error::Reason::SessionLost) {
        const QList<QPointer<Call>> calls = openCalls();
        std::copy_if(calls.begin(), calls.end(), std::back_inserter(m_kept),
                     [this](const Call *call) { return !call->m_task && !call->m_answeredNs && mayRepeat(call); });
    }
    batches.stop();
    if (alive)
        endUnanswered(loss);
    if (alive)
        serverRequests.end(InputRequest::End::Lost);
    if (alive)
        Q_EMIT q->transportClosed(error);
}

// Finishing

void Client::Private::settle(Call *call, Ending ending)
{
    leaveTables(call);
    m_history.add(call->m_id, call->m_roundMethod, ending, q->now());
    const bool isLost = ending == Ending::Failed && !canSend();
    const auto how = isLost ? InputRequest::End::Lost : InputRequest::End::CallEnded;
    const QString reason = isLost ? QString() : sentenceOf(ending);
    // A slot that hears of the end of a server request must not run before the call has been told of its own.
    if (call->m_inputs)
        QMetaObject::invokeMethod(
            q, [inputs = std::exchange(call->m_inputs, {}), how, reason] { inputs->close(how, reason); },
            Qt::QueuedConnection);
    tasks.leave(call, how, reason);
    serverRequests.leave(call, reason);
    // Nothing to wait for: no reason to wake up.
    if (q->m_calls.isEmpty())
        deadline.stop();
}

void Client::Private::finish(Call *call, Outcome outcome)
{
    if (call->m_finished)
        return;
    // Somebody who reacts within send() would otherwise end a call that request() has not returned yet.
    if (m_sending > 0) {
        QMetaObject::invokeMethod(
            call, [this, call, outcome] { finish(call, outcome); }, Qt::QueuedConnection);
        return;
    }
    call->m_finished = true;
    // Between rounds it lasts on, most likely while somebody is asked for input.
    if (!call->m_endedNs)
        call->m_endedNs = call->m_isBetweenRounds ? q->now() : call->m_answeredNs.value_or(q->now());
    outcome.startedAt = call->startedAt();
    outcome.durationNs = call->elapsedNs();
    deleteSoon(call);
    Q_EMIT q->callEnded(*call, outcome);
    Q_EMIT call->finished(outcome);
}

Client::Private::EndedCalls::~EndedCalls()
{
    for (const QPointer<Call> &call : calls)
        delete call;
}

// As deleteLater() does: not before the slots have returned that are running now.
void Client::Private::deleteSoon(Call *call)
{
    if (!m_ended) {
        m_ended = new EndedCalls(q);
        m_ended->deleteLater();
    }
    call->m_client = nullptr;
    call->setParent(nullptr);
    m_ended->calls.push_back(call);
}

void Client::Private::endLater(Call *call, const Error &error)
{
    QMetaObject::invokeMethod(
        call, [this, call, error] { finish(call, withoutResponse(error)); }, Qt::QueuedConnection);
}

void Client::Private::endUnanswered(const Error &error)
{
    const Error reason = error;  // a slot may delete the owner of the original
    const QList<QPointer<Call>> calls = openCalls();
    for (const QPointer<Call> &call : calls) {
        // Null as well when a slot has deleted the client, and with it this table.
        if (!call || !isOpen(call))
            continue;
        const bool isParsed = call->m_answeredNs && !call->m_isBetweenRounds;
        if (isParsed || m_kept.contains(call) || tasks.survives(call, reason))
            continue;
        settle(call, Ending::Failed);
        call->m_endedNs = m_lostNs;
        finish(call, withoutResponse(reason));
    }
}

bool Client::Private::mayRepeat(const Call *call) const
{
    const CallOptions::Repeat repeat = call->m_options.repeat;
    return repeat == CallOptions::Repeat::Yes ||
           (repeat == CallOptions::Repeat::IfHarmless && isHarmless && isHarmless(*call));
}

// The id is new to the session that is open now. A second loss ends them.
void Client::Private::repeatKept()
{
    const QPointer<Client> alive(q);
    const QList<QPointer<Call>> calls = std::exchange(m_kept, {});
    for (const QPointer<Call> &call : calls) {
        if (!call || !isOpen(call))
            continue;
        call->m_options.repeat = CallOptions::Repeat::No;
        sendRound(call);
        if (!alive)
            return;
    }
    tasks.resume();
}

void Client::Private::failKept(const Error &error)
{
    const QList<QPointer<Call>> calls = std::exchange(m_kept, {}) + tasks.waitingForSession();
    for (const QPointer<Call> &call : calls) {
        if (!call || !isOpen(call))  // null as well when a slot has deleted the client
            continue;
        settle(call, Ending::Failed);
        finish(call, withoutResponse(error));
    }
}

void Client::Private::cancel(Call *call, const QString &reason)
{
    settle(call, Ending::Cancelled);
    call->m_endedNs = q->now();
    if (call->m_task)
        tasks.sendCancellation(call);
    else
        sendCancellation(call, reason);
    call->m_answeredNs.reset();
    endLater(call, Error::of(Error::Kind::Cancelled, Client::tr("Cancelled.")));
}

void Client::Private::sendCancellation(const Call *call, const QString &reason)
{
    if (call->m_answeredNs || !canSend())
        return;
    const bool hasLeft = q->m_transport->abandon(call->m_id);
    if (!hasLeft || !call->m_options.cancellable)
        return;
    const Message message = q->m_dialect->cancellation(call->m_roundMethod, call->m_id, reason);
    if (message.kind() == Message::Kind::Invalid)
        return;
    if (const Error error = send(message))
        addFinding(Client::tr("The cancellation could not be sent to the server: %1").arg(error.message), message);
}

QList<QPointer<Call>> Client::Private::openCalls() const
{
    QList<Call *> calls = q->m_calls.values();
    std::sort(calls.begin(), calls.end(),
              [](const Call *left, const Call *right) { return left->m_startedNs < right->m_startedNs; });
    return QList<QPointer<Call>>(calls.cbegin(), calls.cend());
}

// Deadlines. The timer is set for the earliest one known when it was set. Progress only moves a deadline away, so it
// may fire for nothing and is then set anew; with no call open it does not run at all.

qint64 Client::Private::deadlineOf(const Call *call)
{
    if (call->m_answeredNs || !call->m_pause.expired() || (call->m_task && call->m_task->isEndless))
        return Never;
    qint64 deadlineNs = Never;
    if (call->m_options.timeout.count() > 0)
        deadlineNs = call->m_lastActivityNs + toNs(call->m_options.timeout);
    if (call->m_options.maxTotal.count() > 0 && !call->m_task)
        deadlineNs = std::min(deadlineNs, call->m_startedNs + call->m_waitedNs + toNs(call->m_options.maxTotal));
    return deadlineNs;
}

std::shared_ptr<void> Client::Private::pauseDeadline(Call *call)
{
    if (std::shared_ptr<void> pause = call->m_pause.lock())
        return pause;
    // A call that has ended has no client.
    const auto resume = [this, call = QPointer<Call>(call), sinceNs = q->now()](const void *) {
        if (!call || !call->m_client)
            return;
        call->m_lastActivityNs = q->now();
        call->m_waitedNs += call->m_lastActivityNs - sinceNs;
        watch(deadlineOf(call));
    };
    const std::shared_ptr<void> pause(q, resume);  // of something: a null pointer would read as no pause
    call->m_pause = pause;
    return pause;
}

void Client::Private::watch(qint64 deadlineNs)
{
    if (deadlineNs == Never || (deadline.isActive() && m_watchedNs <= deadlineNs))
        return;
    m_watchedNs = deadlineNs;
    const qint64 ms = (deadlineNs - q->now() + NsPerMs - 1) / NsPerMs;
    deadline.start(int(std::clamp<qint64>(ms, 0, std::numeric_limits<int>::max())));
}

void Client::Private::expireDue()
{
    const QPointer<Client> alive(q);
    tasks.wakeDue();
    if (!alive)
        return;
    const qint64 now = q->now();
    qint64 next = Never;
    QList<QPointer<Call>> due;
    const QList<QPointer<Call>> calls = openCalls();
    for (const QPointer<Call> &call : calls) {
        const qint64 deadlineNs = deadlineOf(call);
        if (deadlineNs <= now)
            due.append(call);
        else
            next = std::min(next, deadlineNs);
    }
    deadline.stop();
    watch(next);
    for (const QPointer<Call> &call : std::as_const(due)) {
        if (call && isOpen(call))
            expire(call);
    }
}

void Client::Private::expire(Call *call)
{
    const CallOptions &options = call->m_options;
    const bool capped = options.maxTotal.count() > 0 && !call->m_task &&
                        q->now() - call->m_startedNs - call->m_waitedNs >= toNs(options.maxTotal);
    const QString text = capped ? Client::tr("Timed out after %1 s (max time per request).")
                                : Client::tr("Timed out: no response or progress for %1 s.");
    const Error error{
        Error::Kind::Timeout,      0, text.arg(secondsText(capped ? options.maxTotal : options.timeout)), {}, {}, {},
        Error::Reason::CallTimeout};
    if (tasks.retry(call, error))
        return;
    settle(call, Ending::TimedOut);
    if (!call->m_task)
        sendCancellation(call, u"Timed out"_s);
    finish(call, withoutResponse(error));
}

}  // namespace sonde
