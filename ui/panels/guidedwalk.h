// A guided tour through the demo server: eight things to try, each done once it has really happened.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/step.h"
#include "core/session/session.h"

#include <QObject>
#include <QPointer>
#include <QSet>
#include <QTimer>
#include <memory>

namespace sonde {
class Operations;
}

namespace sonde::ui {

// `text` says what to do.
struct WalkStep : Step {
    enum class Kind : quint8 {
        CallTool,
        SeeToolError,
        FixArgument,
        RespondToServer,
        LookAtMessage,
        FilterTimeline,
        ReadResource,
        ReplaySession
    };
    static constexpr Kind Last = Kind::ReplaySession;
    Kind kind = Kind::CallTool;
};
QString nameOf(WalkStep::Kind kind);

// Reads from the records of a session what was done, in any order; what is done only in the window is told with
// complete(). Once all is done, it reads no further. GUI thread.
class GuidedWalk : public QObject {
    Q_OBJECT
public:
    using Kind = WalkStep::Kind;

    explicit GuidedWalk(QObject *parent = nullptr);
    ~GuidedWalk() override;

    // Not owned. What was done in another session before is forgotten.
    void follow(const Session *session);
    const Session *session() const { return m_session; }
    const QList<WalkStep> &steps() const { return m_steps; }
    qsizetype doneCount() const;
    void complete(Kind kind);
    void translate();  // says everything in the language that is installed now
    void restart();    // only what happens from now on counts

Q_SIGNALS:
    void changed();
    void chosen(sonde::ui::WalkStep::Kind kind);  // by the user, who wants to be led there

private:
    void begin();
    void read();
    void judge(qsizetype operation);
    void judgeToolCall(const RecordInfo &request, RowOutcome outcome);
    bool hasResponseOfUser(qsizetype operation) const;
    bool isDone(Kind kind) const { return m_steps.at(qsizetype(kind)).state == Step::State::Done; }

    QPointer<const Session> m_session;
    std::unique_ptr<Operations> m_operations;  // null while there is nothing to read
    qsizetype m_firstRow = 0;                  // that counts
    QList<WalkStep> m_steps;
    QSet<quint32> m_failed;  // names of tools, as RecordInfo::target, whose last call ended with an error
    QTimer m_reading;
};

}  // namespace sonde::ui
