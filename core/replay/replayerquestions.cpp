// What the server asks in the course of a replay, and what it is answered.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/error.h"
#include "core/protocol/methods.h"
#include "core/replay/replayer.h"

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 ReadingNs = 4'000'000;          // of a turn of the event loop
constexpr qint64 LeastSettlingNs = 500'000'000;  // after the start, when the machine is busy with it
constexpr qint64 MaxSettlingNs = 1'000'000'000;
constexpr qint64 MaxWaitingNs = 2'000'000'000;
constexpr qint64 QuestionNsPerMs = 1'000'000;

}  // namespace

void Replayer::readQuestions()
{
    if (m_phase != Phase::Reading)
        return;
    if (!m_questions.advance(ReadingNs)) {
        QMetaObject::invokeMethod(this, &Replayer::readQuestions, Qt::QueuedConnection);
        return;
    }
    m_phase = Phase::Running;
    for (const auto &[question, request] : std::exchange(m_earlyQuestions, {}))
        takeQuestion(question, request);
    startCalls();
}

// request: to be answered; null when the client has refused it already, or when nobody waits for the answer any more.
void Replayer::takeQuestion(const Message &question, InputRequest *request)
{
    if (m_phase == Phase::Ready || m_phase == Phase::Reading) {
        m_earlyQuestions.append({question, request});
        return;
    }
    ReplayStep *step = m_current >= 0 && m_current < m_steps.size() ? &m_steps[m_current] : nullptr;
    const bool isRunning = step && step->status == ReplayStep::Status::Running;
    const qsizetype index = m_questions.take(question, isRunning ? step->call.row : -1);
    ReplayQuestion asked;
    asked.method = question.method();
    asked.live = masked(question);
    if (index >= 0) {
        asked.recorded = requestOf(*m_recording, m_questions.at(index));
        asked.isWithheld = request && !answerAgain(m_questions.at(index), request);
    } else if (request) {
        request->fail(errorcodes::InternalError, u"The recording holds no answer to this question."_s);
    }
    if (isRunning)
        step->questions.append(asked);
    else
        addLooseQuestion(asked);
    if (m_settling.isActive())
        m_settling.start(0);
}

// False: it held a secret, and an error was sent in its place.
bool Replayer::answerAgain(const RecordedQuestion &recorded, InputRequest *request) const
{
    if (recorded.answerRow < 0)
        return true;
    const Message answer = answerOf(*m_recording, recorded);
    if (holdsSecretMark(QString::fromUtf8(answer.raw()))) {
        request->fail(errorcodes::InternalError, u"The recorded answer held a secret that was not recorded."_s);
        return false;
    }
    if (answer.kind() == Message::Kind::Result) {
        request->respond(answer.result().bytes());
    } else {
        const Error error = answer.toError();
        request->fail(error.code, error.message, error.data.bytes());
    }
    return true;
}

// Of no call: where it is worth a remark, the step that is nearest has it.
void Replayer::addLooseQuestion(const ReplayQuestion &question)
{
    if (m_phase == Phase::Finished || m_steps.isEmpty())
        return;
    const qsizetype at = qBound(qsizetype(0), m_current, m_steps.size() - 1);
    ReplayStep &step = m_steps[at];
    ReplayStep alone;
    alone.target = step.target;
    alone.questions = {question};
    if (m_judge.judgeQuestions(alone))
        return;
    step.questions.append(alone.questions);
    if (step.status == ReplayStep::Status::Same)
        step.status = ReplayStep::Status::Changed;
    Q_EMIT stepChanged(at);
}

// What a server does with an answer that it got outside of its calls nobody can see, and its later answers may depend
// on it. So the question is waited for, a while, and then the time that had passed before this call was made.
int Replayer::settlingMs(const ReplayStep &step) const
{
    const qint64 nowNs = monotonicNs();
    qint64 untilNs = nowNs;
    if (m_questions.awaitsBefore(step.call.row))
        untilNs = qMax(untilNs, m_startedNs + MaxWaitingNs);
    for (const qsizetype index : m_questions.takenSince(nowNs - MaxSettlingNs)) {
        const RecordedQuestion &question = m_questions.at(index);
        if (question.answerRow > step.call.row)
            continue;
        const qint64 passedNs = m_recording->at(step.call.row).timeNs - m_recording->at(question.answerRow).timeNs;
        const bool isEarly = question.takenNs < m_startedNs + MaxWaitingNs;
        untilNs = qMax(untilNs, question.takenNs + qBound(isEarly ? LeastSettlingNs : 0, passedNs, MaxSettlingNs));
    }
    return int((untilNs - nowNs + QuestionNsPerMs - 1) / QuestionNsPerMs);
}

void Replayer::settleQuestions(ReplayStep &step)
{
    for (const qsizetype index : m_questions.left(step.call.row)) {
        ReplayQuestion missing;
        missing.method = m_questions.at(index).method;
        missing.recorded = requestOf(*m_recording, m_questions.at(index));
        step.questions.append(missing);
    }
    m_judge.judgeQuestions(step);
}

QStringList Replayer::questionsLeft() const
{
    QStringList methods;
    for (const qsizetype index : m_questions.left(-1)) {
        if (!methods.contains(m_questions.at(index).method))
            methods.append(m_questions.at(index).method);
    }
    return methods;
}

}  // namespace sonde
