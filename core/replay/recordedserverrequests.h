// What the server asked in a session and what it was answered, to be found again when it asks the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/recording.h"

#include <map>
#include <set>

namespace sonde {

struct RecordedServerRequest : RecordedCall {
    qsizetype callRow = -1;  // the request in the course of which it was asked; -1: of none that is known
    QString method;
    bool isTaken = false;
    qint64 takenNs = 0;  // when; monotonic
};

// What the server asked, in order; not yet in the course of which call.
QList<RecordedServerRequest> recordedServerRequests(const Session &recording);

// The roots belong to no call: a server asks for them when it likes and keeps what it got. To find one of very many
// takes no longer than to find one of few.
class RecordedServerRequests {
public:
    RecordedServerRequests() = default;  // none
    // Reads all of them.
    RecordedServerRequests(const Session &recording, QList<RecordedServerRequest> asked);

    // The recorded server request that this one repeats: of the same call, else of none, with the same params by value
    // (but for a progress token), else the next one of its method. Each is taken once, roots/list over and over. -1:
    // none.
    qsizetype take(const Session &recording, const Message &serverRequest, qsizetype callRow);
    qsizetype size() const { return m_serverRequests.size(); }
    const RecordedServerRequest &at(qsizetype index) const { return m_serverRequests[index]; }
    // What was asked in the course of this call and has not been taken; -1: in the course of none.
    QList<qsizetype> left(qsizetype callRow) const;

    // Of what was asked in the course of no call and answered: whether something that had its response before this row
    // has not been taken, and what was taken since that time.
    bool awaitsBefore(qsizetype row) const { return !m_awaited.empty() && m_awaited.begin()->first < row; }
    QList<qsizetype> takenSince(qint64 monotonic) const;

private:
    using Place = std::pair<qsizetype, QString>;  // call and method
    using Params = std::pair<size_t, Place>;      // with a hash that is the same for the same params

    qsizetype firstSame(const Session &recording, const Params &wanted, const json::Value &params);
    qsizetype first(const Place &wanted);
    void dropTaken(QList<qsizetype> &indexes) const;
    qsizetype markTaken(qsizetype index);

    QList<RecordedServerRequest> m_serverRequests;
    qsizetype m_lastRoots = -1;
    // Trees, since to make room in a table of many takes long.
    std::map<qsizetype, QList<qsizetype>> m_byCall;
    // Those that were taken are among them until they come to stand first.
    std::map<Params, QList<qsizetype>> m_byParams;
    std::map<Place, QList<qsizetype>> m_byPlace;
    // Of those of no call that were answered.
    std::set<std::pair<qsizetype, qsizetype>> m_awaited;  // by the rows of their responses
    QList<qsizetype> m_loose;                             // taken, in that order
};

}  // namespace sonde
