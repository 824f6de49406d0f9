// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recordedquestions.h"

#include "core/client/inputrequest.h"
#include "core/protocol/methods.h"

namespace sonde {

QList<RecordedQuestion> recordedQuestions(const Session &recording)
{
    QList<RecordedQuestion> questions;
    for (const RecordedCall &call : recordedCalls(recording, Direction::FromServer)) {
        RecordedQuestion question;
        static_cast<RecordedCall &>(question) = call;
        question.method = methodOf(recording, call);
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
    if (!m_owners->advance(budgetNs))
        return false;
    for (RecordedQuestion &question : m_questions) {
        if (question.method != methods::ListRoots)
            question.callRow = m_owners->ownerOf(question.row);
    }
    m_owners.reset();
    return true;
}

qsizetype RecordedQuestions::take(const Message &question, qsizetype callRow)
{
    const json::Value params = question.params();
    qsizetype next = -1;
    qsizetype last = -1;
    // A question of this call before one of no call, and one that is the same before one of the same method.
    for (const qsizetype owner : {callRow, qsizetype(-1)}) {
        for (qsizetype i = 0; i < m_questions.size(); ++i) {
            const RecordedQuestion &recorded = m_questions[i];
            if (recorded.method != question.method() || recorded.callRow != owner)
                continue;
            last = i;
            if (recorded.isTaken)
                continue;
            if (next < 0)
                next = i;
            if (isSame(recorded, params))
                return markTaken(i);
        }
        if (next >= 0)
            break;
    }
    if (next < 0)
        return question.method() == methods::ListRoots ? last : -1;
    return markTaken(next);
}

qsizetype RecordedQuestions::markTaken(qsizetype index)
{
    m_questions[index].isTaken = true;
    m_questions[index].takenNs = monotonicNs();
    return index;
}

QList<qsizetype> RecordedQuestions::left(qsizetype callRow) const
{
    QList<qsizetype> indexes;
    for (qsizetype i = 0; i < m_questions.size(); ++i) {
        if (!m_questions[i].isTaken && m_questions[i].callRow == callRow)
            indexes.append(i);
    }
    return indexes;
}

bool RecordedQuestions::isSame(const RecordedQuestion &recorded, const json::Value &params) const
{
    return haveSameParams(requestOf(*m_recording, recorded).params(), params);
}

}  // namespace sonde
