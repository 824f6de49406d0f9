// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recordedquestions.h"

#include "core/client/inputrequest.h"
#include "core/json/compare.h"
#include "core/protocol/methods.h"

#include <QElapsedTimer>
#include <QThreadPool>
#include <algorithm>

namespace sonde {

namespace {

// The same for params that haveSameParams().
size_t hashOf(const json::Value &params)
{
    const json::Value compared = params[u"_meta"][u"progressToken"].exists() ? comparableParams(params) : params;
    return compared.exists() ? json::hash(compared) : 0;  // as of an empty object
}

}  // namespace

QList<RecordedQuestion> recordedQuestions(const Session &recording)
{
    QList<RecordedQuestion> questions;
    for (const RecordedCall &call : recordedCalls(recording, Direction::FromServer)) {
        const RecordedQuestion question{call, -1, methodOf(recording, call)};
        if (InputRequest::kindOf(question.method))
            questions.append(question);
    }
    return questions;
}

RecordedQuestions::RecordedQuestions(const Session *recording, QList<RecordedQuestion> asked)
    : m_recording(recording), m_questions(std::move(asked))
{
    if (!m_questions.isEmpty())
        m_owners = std::make_unique<MessageOwners>(recording);
}

bool RecordedQuestions::advance(qint64 budgetNs)
{
    if (!m_owners)
        return true;
    QElapsedTimer clock;
    clock.start();
    if (!m_owners->advance(budgetNs))
        return false;
    while (m_indexed < m_questions.size()) {
        addToIndex(m_indexed++);
        if (budgetNs >= 0 && clock.nsecsElapsed() > budgetNs)
            return false;
    }
    // What they were found by is much where there are many: to let go of it would take a turn of its own.
    QThreadPool::globalInstance()->start([owners = std::shared_ptr(std::move(m_owners))] {});
    return true;
}

void RecordedQuestions::addToIndex(qsizetype index)
{
    RecordedQuestion &question = m_questions[index];
    if (question.method == methods::ListRoots)
        m_lastRoots = index;
    else
        question.callRow = m_owners->ownerOf(question.row);
    const Place place{question.callRow, question.method};
    m_byCall[question.callRow].append(index);
    m_byPlace[place].append(index);
    m_byParams[{hashOf(requestOf(*m_recording, question).params()), place}].append(index);
    if (question.callRow < 0 && question.answerRow >= 0)
        m_awaited.insert({question.answerRow, index});
}

qsizetype RecordedQuestions::take(const Message &question, qsizetype callRow)
{
    const json::Value params = question.params();
    const size_t hash = hashOf(params);
    // A question of this call before one of no call, and one that is the same before one of the same method.
    for (const qsizetype owner : {callRow, qsizetype(-1)}) {
        const Place place{owner, question.method()};
        if (const qsizetype same = firstSame({hash, place}, params); same >= 0)
            return markTaken(same);
        if (const qsizetype next = first(place); next >= 0)
            return markTaken(next);
    }
    return question.method() == methods::ListRoots ? m_lastRoots : -1;
}

qsizetype RecordedQuestions::firstSame(const Params &wanted, const json::Value &params)
{
    const auto found = m_byParams.find(wanted);
    if (found == m_byParams.end())
        return -1;
    QList<qsizetype> &indexes = found->second;
    dropTaken(indexes);
    const auto same = std::find_if(indexes.cbegin(), indexes.cend(), [this, &params](qsizetype index) {
        return !m_questions[index].isTaken && isSame(m_questions[index], params);
    });
    return same == indexes.cend() ? -1 : *same;
}

qsizetype RecordedQuestions::first(const Place &wanted)
{
    const auto found = m_byPlace.find(wanted);
    if (found == m_byPlace.end())
        return -1;
    dropTaken(found->second);
    return found->second.value(0, -1);
}

void RecordedQuestions::dropTaken(QList<qsizetype> &indexes) const
{
    while (!indexes.isEmpty() && m_questions[indexes.constFirst()].isTaken)
        indexes.removeFirst();
}

qsizetype RecordedQuestions::markTaken(qsizetype index)
{
    RecordedQuestion &question = m_questions[index];
    question.isTaken = true;
    question.takenNs = monotonicNs();
    if (m_awaited.erase({question.answerRow, index}) > 0)
        m_loose.append(index);
    return index;
}

QList<qsizetype> RecordedQuestions::left(qsizetype callRow) const
{
    QList<qsizetype> indexes;
    const auto found = m_byCall.find(callRow);
    for (const qsizetype index : found == m_byCall.end() ? QList<qsizetype>() : found->second) {
        if (!m_questions[index].isTaken)
            indexes.append(index);
    }
    return indexes;
}

QList<qsizetype> RecordedQuestions::takenSince(qint64 monotonic) const
{
    const auto isEarlier = [this](qsizetype index, qint64 time) { return m_questions[index].takenNs < time; };
    return {std::lower_bound(m_loose.cbegin(), m_loose.cend(), monotonic, isEarlier), m_loose.cend()};
}

bool RecordedQuestions::isSame(const RecordedQuestion &recorded, const json::Value &params) const
{
    return haveSameParams(requestOf(*m_recording, recorded).params(), params);
}

}  // namespace sonde
