// The rows of a session in their order: messages, stderr, or all of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/table/timelinerows.h"

namespace sonde::ui {

class MessagesModel : public TimelineRows {
    Q_OBJECT
public:
    explicit MessagesModel(CallIndex *calls, QObject *parent = nullptr);

    std::pair<qsizetype, qsizetype> shownOfTotal() const override;
    int placeOf(qsizetype sessionRow) const override;
    std::vector<qsizetype> recordsOf(int place) const override { return {sessionRow(place)}; }

private:
    void clear() override;
    qsizetype scanEnd() const override;
    void look(qsizetype row, std::vector<quint32> &hits) override;
    void show(std::vector<quint32> hits) override { insertAt(m_rows.size(), hits); }
    bool waitsForCalls() const override { return isOfOneCall() && m_calls->isBehind(); }
    void onAppended() override { wake(); }
    void onChanged(qsizetype row) override;
    void onTimer() override;

    void onCallsRead(const std::vector<qsizetype> &calls, qsizetype first, qsizetype last);
    bool isOfOneCall() const { return m_query.onlyCallOf >= 0; }
    bool accepts(qsizetype row);
    bool isInView(const RecordInfo &record) const;
    void filterAgain(const std::vector<qsizetype> &rows);
    void showLinkedLate();
    void announce(qsizetype firstRow, qsizetype lastRow);

    qsizetype m_changedFirst = -1;
    qsizetype m_changedLast = -1;
    std::vector<qsizetype> m_changedRows;  // the filter may decide differently about them now
    qsizetype m_lastSeen = -1;             // the last row of the only call that was looked at
};

}  // namespace sonde::ui
