// Gives the requests of a live server the responses that the recording holds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/inputrequest.h"
#include "core/replay/replaystep.h"

#include <QStringList>

namespace sonde {

// Also knows how long a call has to wait for such responses to have their effect. On one thread.
class RecordedResponder {
public:
    // The session must outlive this and stay unchanged; asked is what was asked in it.
    RecordedResponder(const Session *recording, RecordedServerRequests asked);

    // The calls begin soon: from here on is counted how long a server had to ask by itself.
    void begin();

    // Responds as was recorded, or with an error where nothing was, or where it held a secret. request: null when the
    // client has refused it already, or when nobody waits for the response any more. callRow: of the call that is made
    // now, in the recording; -1: none is. What comes back lacks the live message and the verdict.
    ReplayServerRequest respond(const Message &serverRequest, InputRequest *request, qsizetype callRow);

    QList<ReplayServerRequest> missing(qsizetype callRow) const;  // was asked in the course of it, and was not now
    QStringList missingMethods() const;                           // of what was asked outside of any call
    int settlingMs(qsizetype callRow) const;                      // until this call may be made

private:
    bool giveRecorded(const RecordedServerRequest &recorded, InputRequest *request) const;

    const Session *m_recording;
    RecordedServerRequests m_asked;
    qint64 m_startedNs = 0;
};

}  // namespace sonde
