// The differences between the recorded and the new response of a step, including those that rules ignore.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replayer.h"
#include "ui/json/differencemodel.h"
#include "ui/replay/replaysides.h"

namespace sonde::ui {

struct ReplayDifference {
    json::Difference difference;
    bool isIgnored = false;
    QString rule;       // why it is ignored, in two words
    QString wholeRule;  // and in full
};

struct ReplayDifferences {
    QList<ReplayDifference> rows;
    bool isCut = false;   // there are more
    ReplaySides sides;    // with the differences that count
    QList<int> sideRows;  // of those, in rows
};

// For a finished step. Time is proportional to the size of the responses: use a worker for large ones.
ReplayDifferences differencesOf(const ReplayStep &step, const ReplayRules &rules);

// The result or error of a response; Missing without a response.
json::Value responseOf(const Message &response);

// The note column offers to ignore the difference, or names the rule that does.
class ReplayDifferenceModel : public DifferenceModel {
    Q_OBJECT
public:
    enum Role {
        IgnoredRole = Qt::UserRole + 1,
        AbsentRole,  // true: there is nothing on this side
        BadgeRole    // beside the value of now: of another type, only written otherwise
    };

    explicit ReplayDifferenceModel(QObject *parent = nullptr);

    void setRows(const QList<ReplayDifference> &rows);
    const ReplayDifference &row(int number) const { return m_rows.at(number); }

    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<ReplayDifference> m_rows;
};

}  // namespace sonde::ui
