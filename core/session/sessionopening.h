// Reads a session's file: at once, or in batches while the session is shown already.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/sessiondata.h"
#include "core/session/sessionloader.h"

#include <QObject>

namespace sonde {

class SessionOpening : public QObject {
public:
    static Result<std::unique_ptr<Session>> open(const QString &path, std::shared_ptr<FileOps> calls, bool inBatches,
                                                 const std::atomic_bool *stop);
    ~SessionOpening() override;
    bool isLoading() const { return m_loader != nullptr; }

protected:
    bool event(QEvent *event) override;

private:
    SessionOpening(Session *session, SessionData *data) : m_session(session), m_data(*data) {}
    void readAll(SessionReader &reader, const std::atomic_bool *stop);
    void load();
    void take(const ReadBatch &found);

    Session *m_session;
    SessionData &m_data;
    std::shared_ptr<SessionLoader> m_loader;  // while it reads
};

}  // namespace sonde
