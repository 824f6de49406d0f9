// The calls of a session, one row for each, and under an expanded call its steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/calls/callexpansion.h"
#include "ui/timeline/table/timelinerows.h"

namespace sonde::ui {

class CallsModel : public TimelineRows {
    Q_OBJECT
public:
    explicit CallsModel(CallIndex *calls, QObject *parent = nullptr);

    qsizetype rowsRead() const override;
    std::pair<qsizetype, qsizetype> shownOfTotal() const override;  // calls, whether expanded or not
    int placeOf(qsizetype sessionRow) const override;
    int placeStandingFor(qsizetype sessionRow) const override;
    std::vector<qsizetype> recordsOf(int place) const override;

    Expansion expansion(int place) const { return expansionOf(sessionRow(place)); }
    void setExpanded(int place, bool expanded);
    void setAllExpanded(bool expanded);  // takes effect in the background, see aboutToReplaceRows()
    void reveal(qsizetype sessionRow);   // expands the call that it is a step of
    int callOf(int place) const;         // the place of a step's call; -1: it is no step

Q_SIGNALS:
    // Around a reset, before and after which there are the same calls.
    void aboutToReplaceRows();
    void rowsReplaced();

private:
    void clear() override;
    qsizetype scanEnd() const override;
    void look(qsizetype at, std::vector<quint32> &hits) override;
    void show(std::vector<quint32> hits) override;
    bool isBehind() const override { return !m_calls->isComplete() || TimelineRows::isBehind(); }
    bool waitsForCalls() const override { return m_calls->isBehind(); }
    void onAppended() override {}  // calls appear when the records have been read as such
    void onChanged(qsizetype row) override;
    void onTimer() override;
    RowText lineOf(qsizetype row) const override;
    QString badgeOf(qsizetype row) const override;
    Tone badgeToneOf(qsizetype row) const override;
    QString markOf(qsizetype row) const override;
    QString durationOf(qsizetype row) const override;
    qint64 sizeOf(qsizetype row) const override;
    CallTimes timesOf(qsizetype row) const override;
    QString timesHintOf(qsizetype row) const override;
    qsizetype exchangeOf(qsizetype row) const override;
    Expansion expansionOf(qsizetype row) const override;
    bool isStep(qsizetype row) const override { return m_expansion.isStep(row); }

    bool showsAll() const { return m_query.onlyCallOf < 0 && m_query.filter.matchesAll(); }
    const Operations &operations() const { return *m_calls->operations(); }
    qsizetype callAt(qsizetype row) const;  // of a row that stands for one; otherwise -1
    bool countsForCall(qsizetype row) const;
    bool accepts(qsizetype call);
    void grow(std::vector<qsizetype> calls);
    void filterAgain(const std::vector<qsizetype> &calls);
    void replaceRows();
    void onCallsRead(const std::vector<qsizetype> &calls);

    CallExpansion m_expansion;
    std::optional<BulkExpansion> m_bulk;   // as long as it is there, calls that come or change wait
    std::vector<qsizetype> m_waiting;      // the changed ones
    std::vector<qsizetype> m_changedRows;  // of the session
    qsizetype m_found = 0;                 // calls that the filter chose
};

}  // namespace sonde::ui
