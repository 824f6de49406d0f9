// The rows of a session as a table model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filter/filtermatcher.h"
#include "core/session/session.h"
#include "ui/theme/theme.h"
#include "ui/timeline/calls/callfolding.h"
#include "ui/timeline/calls/callindex.h"
#include "ui/timeline/calls/callwords.h"
#include "ui/timeline/table/rowlist.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QPointer>
#include <QTimer>
#include <optional>
#include <vector>

namespace sonde::ui {

// Reads the session by row number; keeps no text. New rows are inserted at most every 33 ms, all at once, so that a
// flood costs one layout. A filter yields a list of row numbers, made in slices of a few milliseconds.
class TimelineModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Column { Number, Time, Direction, Method, Outcome, Duration, Size, Waterfall, Count };
    enum class Fold { None, Folded, Unfolded };
    enum Role {
        RowRole = Qt::UserRole + 1,  // of the session, as qlonglong
        ToneRole,                    // of the badge, as int
        BadgeRole,
        TargetRole,   // bold part of the method column
        MoreRole,     // dim part of the method column
        DimRole,      // true: the row is not an exchange, or only the second half of one
        FindingRole,  // true: there is a remark about this record
        FromServerRole,
        ColorRole,  // tone of the first rule that fits the row, as int; -1: none does
        FoldRole,   // in the view of calls, as int
        StepRole,   // true: shown under the call that it belongs to
        MarkRole,   // a few letters where the row's place among the calls is inferred or in doubt
        TimesRole,  // CallTimes
        HintRole    // for a tool tip: plain text, several lines
    };
    // Calls: one row for each call, its steps under it. Messages: every message, and what should have been one.
    enum class View { Calls, Messages, Everything, Stderr };
    enum class TimeFormat { Clock, SinceStart, SincePrevious, SinceRequest };

    explicit TimelineModel(QObject *parent = nullptr);

    void setSession(Session *session);  // not owned; null for none
    Session *session() const { return m_session; }
    CallIndex *calls() const { return m_calls; }
    void setView(View view);
    View view() const { return m_view; }
    bool showsCalls() const { return m_view == View::Calls && m_calls->operations(); }
    void setFilter(const Filter &filter);
    // Filters whose rows are tinted; of several that fit a row the first one counts.
    void setColors(const QList<std::pair<Filter, Tone>> &rules);
    void setTimeFormat(TimeFormat format);
    TimeFormat timeFormat() const { return m_timeFormat; }
    bool isFiltering() const { return m_filtering; }       // not all rows have been looked at yet, or folded
    int percentRead() const;                               // of the session, for what is shown
    std::pair<qsizetype, qsizetype> shownOfTotal() const;  // calls in their view, however they are folded; else records
    std::pair<QString, QString> whyNothingIsShown() const;  // and what to do, where there are no rows
    // Only the call that this row of the session belongs to, unfolded; -1: all of them.
    void setOnlyCallOf(qsizetype sessionRow);
    qsizetype onlyCallOf() const { return m_only; }
    qsizetype sessionRow(const QModelIndex &index) const;
    QModelIndex indexOfRow(qsizetype sessionRow) const;  // invalid when filtered out or folded away
    // The row that tells most of it when it has none of its own: of a response its request, of a step its call.
    QModelIndex indexStandingFor(qsizetype sessionRow) const;

    // All that the row stands for: of a folded call whatever belongs to it, of a request in that view also its
    // response.
    std::vector<qsizetype> recordsOf(const QModelIndex &index) const;

    Fold fold(const QModelIndex &index) const;
    void setUnfolded(const QModelIndex &index, bool unfolded);
    // The list is made anew in the background and shown when it is done, see aboutToRefold().
    void setAllUnfolded(bool unfolded);
    void reveal(qsizetype sessionRow);                   // unfolds the call that it is a step of
    QModelIndex callOf(const QModelIndex &index) const;  // of a step; otherwise invalid

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void filteringChanged();
    // Around a reset, before and after which there are the same calls.
    void aboutToRefold();
    void refolded();

private:
    void onAppended();
    void onChanged(qsizetype row);
    void flush();
    void restart();
    void scanSlice();
    void putRows(size_t at, const std::vector<quint32> &rows);
    void takeRows(size_t at, size_t count);
    void announce(qsizetype firstRow, qsizetype lastRow);
    void announcePlaces(size_t first, size_t last);
    void filterAnew(const std::vector<qsizetype> &rows);
    void startMatching();
    int colorOf(qsizetype row) const;
    void setFiltering(bool filtering);
    bool accepts(qsizetype row);
    bool inView(const RecordInfo &record) const;

    bool showsAllCalls() const { return showsCalls() && m_only < 0 && m_filter.matchesAll(); }
    qsizetype onlyCall() const;             // -1: none, or not read yet
    qsizetype callAt(qsizetype row) const;  // of a row that stands for one in the view of calls; otherwise -1
    bool countsForCall(qsizetype row) const;
    void scanForCall(qsizetype row, std::vector<quint32> &hits);
    bool acceptsCall(qsizetype operation);
    void showCalls(std::vector<quint32> operations);
    void growCalls(std::vector<qsizetype> operations);
    void onCallsRead(const std::vector<qsizetype> &operations, qsizetype first, qsizetype last);
    void onCallsChanged(const std::vector<qsizetype> &rows);
    void showLinkedLate();
    void refold();

    QString displayText(qsizetype row, int tableRow, Column column) const;
    QString spokenText(qsizetype row, int tableRow, Column column) const;
    RowText textOf(qsizetype row) const;
    QString durationOf(qsizetype row) const;
    Tone badgeToneOf(qsizetype row) const;
    bool hasFinding(qsizetype row) const;
    QString markOf(qsizetype row) const;
    QString hintOf(qsizetype row, Column column) const;
    CallTimes timesOf(qsizetype row) const;
    QString timeText(qsizetype row, int tableRow) const;
    QString badgeOf(qsizetype row) const;
    int errorCodeOf(qsizetype row) const;
    int jsonRpcErrorOf(qsizetype row) const;
    int httpStatusOf(qsizetype row) const;
    qint64 sizeOf(qsizetype row) const;

    QPointer<Session> m_session;
    CallIndex *m_calls;
    CallFolding m_folding;
    std::optional<Refolding> m_refolding;  // as long as it is there, calls that come or change wait
    std::vector<qsizetype> m_waiting;      // the changed ones
    qsizetype m_only = -1;
    qsizetype m_onlySeen = -1;  // the last row of that call that was looked at
    View m_view = View::Everything;
    Filter m_filter;
    std::optional<FilterMatcher> m_matcher;  // while there is a session
    QList<std::pair<Filter, Tone>> m_rules;
    mutable std::vector<FilterMatcher> m_ruleMatchers;  // in the order of the rules
    TimeFormat m_timeFormat = TimeFormat::Clock;
    RowList m_rows;
    qsizetype m_found = 0;    // calls among them that the filter chose
    qsizetype m_scanned = 0;  // rows of the session; in the view of calls without a filter, operations
    qsizetype m_changedFirst = -1;
    qsizetype m_changedLast = -1;
    std::vector<qsizetype> m_changedRows;  // of calls, and where the filter may say something else of them now
    bool m_filtering = false;
    QTimer m_timer;
    mutable QHash<qsizetype, int> m_errorCodes;  // they lie in the responses, which have to be read for them
};

}  // namespace sonde::ui
