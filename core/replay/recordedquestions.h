// What the server asked in a session and what it was answered, to be found again when it asks the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/messageowners.h"
#include "core/replay/recording.h"

#include <memory>

namespace sonde {

struct RecordedQuestion : RecordedCall {
    qsizetype callRow = -1;  // the request in the course of which it was asked; -1: of none that is known
    QString method;
    bool isTaken = false;
    qint64 takenNs = 0;  // when; monotonic
};

// What the server asked, in order; not yet in the course of which call.
QList<RecordedQuestion> recordedQuestions(const Session &recording);

// The roots belong to no call: a server asks for them when it likes and keeps what it got.
class RecordedQuestions {
public:
    // The session must outlive this and stay unchanged; asked is what recordedQuestions() found in it.
    RecordedQuestions(const Session *recording, QList<RecordedQuestion> asked);

    // Finds out what belongs to which call, for about that long; true when that is known. Nothing may be taken before.
    bool advance(qint64 budgetNs);

    // The recorded question that this one repeats: of the same call, else of none, with the same params by value (but
    // for a progress token), else the next one of its method. Each is taken once, roots/list over and over. -1: none.
    qsizetype take(const Message &question, qsizetype callRow);
    const RecordedQuestion &at(qsizetype index) const { return m_questions[index]; }
    const QList<RecordedQuestion> &all() const { return m_questions; }
    // What was asked in the course of this call and has not been taken; -1: in the course of none.
    QList<qsizetype> left(qsizetype callRow) const;

private:
    qsizetype markTaken(qsizetype index);
    bool isSame(const RecordedQuestion &recorded, const json::Value &params) const;

    const Session *m_recording;
    std::unique_ptr<MessageOwners> m_owners;  // while they are looked for
    QList<RecordedQuestion> m_questions;
};

}  // namespace sonde
