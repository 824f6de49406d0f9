// The rows of a session as a table model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/filtermatcher.h"
#include "core/session/session.h"
#include "ui/theme/theme.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QPointer>
#include <QTimer>
#include <vector>

namespace sonde::ui {

// Reads the session by row number; keeps no text. New rows are inserted at most every 33 ms, all at once, so that a
// flood costs one layout. A filter yields a list of row numbers, made in slices of a few milliseconds.
class TimelineModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Column { Number, Time, Direction, Method, Outcome, Duration, Size, Count };
    enum Role {
        RowRole = Qt::UserRole + 1,  // of the session, as qlonglong
        ToneRole,                    // of the badge, as int
        BadgeRole,
        TargetRole,   // bold part of the method column
        MoreRole,     // dim part of the method column
        DimRole,      // true: the row is not an exchange, or only the second half of one
        FindingRole,  // true: there is a remark about this record
        FromServerRole,
        ColorRole  // tone of the first rule that fits the row, as int; -1: none does
    };
    // Calls: one row for each request. Messages: every message, and what should have been one.
    enum class View { Calls, Messages, Everything, Stderr };
    enum class TimeFormat { Clock, SinceStart, SincePrevious, SinceRequest };

    explicit TimelineModel(QObject *parent = nullptr);

    void setSession(Session *session);  // not owned; null for none
    Session *session() const { return m_session; }
    void setView(View view);
    View view() const { return m_view; }
    void setFilter(const QString &text);  // while it is no filter, the last good one stays in force
    // Filters whose rows are tinted; of several that fit a row the first one counts.
    void setColors(const QList<std::pair<Filter, Tone>> &rules);
    void setTimeFormat(TimeFormat format);
    TimeFormat timeFormat() const { return m_timeFormat; }
    bool isFiltering() const { return m_filtering; }  // not all rows have been looked at yet
    qsizetype sessionRow(const QModelIndex &index) const;
    QModelIndex indexOfRow(qsizetype sessionRow) const;  // invalid when filtered out

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void filteringChanged();

private:
    void onAppended();
    void onChanged(qsizetype row);
    void flush();
    void restart();
    void scanSlice();
    void announceChanges();
    void filterAnew(const std::vector<qsizetype> &rows);
    void startMatching();
    int colorOf(qsizetype row) const;
    void setFiltering(bool filtering);
    bool accepts(qsizetype row);
    bool inView(const RecordInfo &record) const;
    QString displayText(qsizetype row, int tableRow, Column column) const;
    QString timeText(qsizetype row, int tableRow) const;
    QString badgeOf(qsizetype row) const;
    int errorCodeOf(qsizetype row) const;
    qint64 sizeOf(qsizetype row) const;

    QPointer<Session> m_session;
    View m_view = View::Everything;
    Filter m_filter;
    std::optional<FilterMatcher> m_matcher;  // while there is a session
    QList<std::pair<Filter, Tone>> m_rules;
    mutable std::vector<FilterMatcher> m_ruleMatchers;  // in the order of the rules
    TimeFormat m_timeFormat = TimeFormat::Clock;
    std::vector<quint32> m_rows;
    qsizetype m_scanned = 0;
    qsizetype m_changedFirst = -1;
    qsizetype m_changedLast = -1;
    std::vector<qsizetype> m_changedRows;  // only where the filter may say something else of them now
    bool m_filtering = false;
    QTimer m_timer;
    mutable QHash<qsizetype, int> m_errorCodes;  // they lie in the answers, which have to be read for them
};

}  // namespace sonde::ui
