// The result of a step of a replay: its response and its server requests beside the recorded ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replaystep.h"

#include <QHash>
#include <optional>

namespace sonde {

class ReplayJudge {
public:
    explicit ReplayJudge(const ReplayRules &rules) : m_rules(rules) {}

    const ReplayRules &rules() const { return m_rules; }
    void setRules(const ReplayRules &rules) { m_rules = rules; }

    // What the live server calls a task of the recording. It may differ wherever it stands.
    void addTask(const QString &recorded, const QString &live) { m_tasks.insert(recorded, live); }
    std::optional<QString> liveTask(const QString &recorded) const;

    // Of a step with both responses: status, reason and differences, and those of its server requests.
    void judge(ReplayStep &step) const;
    bool judgeServerRequests(ReplayStep &step) const;  // whether all of them are the same

private:
    // Without its `before`.
    std::optional<IgnoredDifference> ignoredDifference(const json::Difference &difference, QStringView method,
                                                       QStringView target) const;
    bool isSameTask(const json::Difference &difference) const;

    ReplayRules m_rules;
    QHash<QString, QString> m_tasks;  // by recorded identifier
};

}  // namespace sonde
