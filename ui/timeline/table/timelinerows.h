// Base of the two lists that the timeline shows of a session: its messages and its calls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filter/filtermatcher.h"
#include "core/session/session.h"
#include "ui/theme/theme.h"
#include "ui/timeline/calls/callindex.h"
#include "ui/timeline/calls/waterfall.h"
#include "ui/timeline/table/timelinetext.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QPointer>
#include <QTimer>
#include <optional>
#include <vector>

namespace sonde::ui {

// Lists rows of the session by their numbers and keeps no text. New rows are inserted at most every 33 ms, all at once,
// so that a flood costs one layout; a long session is read in slices of a few milliseconds.
class TimelineRows : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Column { Number, Time, Direction, Method, Outcome, Duration, Size, Waterfall, Count };
    enum class Expansion { None, Collapsed, Expanded };
    enum Role {
        RowRole = Qt::UserRole + 1,  // of the session, as qlonglong
        ToneRole,                    // of the badge, as int
        BadgeRole,
        TextRole,     // RowText: all parts of the method column
        DimRole,      // true: the row is not an exchange, or only the second half of one
        FindingRole,  // true: there is a finding about this record
        FromServerRole,
        HighlightRole,  // tone of the first highlight that matches the row, as int; -1: none does
        ExpansionRole,  // in the view of calls, as int
        StepRole,       // true: shown under the call that it belongs to
        MarkRole,       // a few letters where the row's place among the calls is inferred or in doubt
        TimesRole,      // CallTimes
        HintRole        // for a tool tip: plain text, several lines
    };
    // Calls: one row for each call, its steps under it. Messages: every message, and what should have been one.
    enum class View { Calls, Messages, Everything, Stderr };
    // What is to be listed.
    struct Query {
        QPointer<Session> session;  // not owned; null: nothing is listed
        View view = View::Everything;
        Filter filter;
        qsizetype onlyCallOf = -1;  // only the call that this row of the session belongs to; -1: all of them
    };

    void start(const Query &query);               // lists the rows again
    bool isReading() const { return m_reading; }  // not all rows have been looked at yet
    virtual bool isBehind() const;                // nor those that were added just now
    // Of the session, for what is listed.
    virtual qsizetype rowsRead() const { return m_scanned; }
    virtual std::pair<qsizetype, qsizetype> shownOfTotal() const = 0;
    qsizetype sessionRow(int place) const;
    virtual int placeOf(qsizetype sessionRow) const = 0;  // -1: not listed
    // Of the row that tells most of it when it is not listed itself; -1: there is none.
    virtual int placeStandingFor(qsizetype sessionRow) const { return placeOf(sessionRow); }
    virtual std::vector<qsizetype> recordsOf(int place) const = 0;  // represented by the listed row

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void readingChanged();
    void caughtUp();  // no longer behind; may be told again

protected:
    TimelineRows(CallIndex *calls, QObject *parent);  // calls: not owned, of the session that is listed

    // The list, read in slices: look() collects what show() inserts.
    virtual void clear() {}  // within a reset
    virtual qsizetype scanEnd() const = 0;
    virtual void look(qsizetype at, std::vector<quint32> &hits) = 0;
    virtual void show(std::vector<quint32> hits) = 0;
    virtual bool waitsForCalls() const = 0;  // they are still being read
    virtual void onAppended() = 0;
    virtual void onChanged(qsizetype row) = 0;
    virtual void onTimer() = 0;
    void restart();
    void scanSlice();
    void setReading(bool reading);
    void insertAt(size_t at, const std::vector<quint32> &rows);
    void removeAt(size_t at, size_t count);
    void announcePlaces(size_t first, size_t last);
    void wake();                                                                     // soon, unless that is so already
    qsizetype onlyCall() const { return m_calls->operationOf(m_query.onlyCallOf); }  // -1: none, or not read yet

    // The cells of a row, by its number in the session.
    virtual RowText lineOf(qsizetype row) const;
    virtual QString badgeOf(qsizetype row) const;
    virtual Tone badgeToneOf(qsizetype row) const;
    // For a request with this outcome: an open subscription does not run, and one that was closed did not fail.
    QString badgeFor(qsizetype row, RowOutcome outcome, int errorCode) const;
    Tone toneFor(qsizetype row, RowOutcome outcome) const;
    virtual QString markOf(qsizetype row) const;
    virtual QString durationOf(qsizetype row) const;
    virtual qint64 sizeOf(qsizetype row) const;
    virtual CallTimes timesOf(qsizetype) const { return {}; }
    virtual QString timesHintOf(qsizetype) const { return {}; }
    virtual qsizetype exchangeOf(qsizetype row) const { return row; }  // the request whose response counts for it
    virtual Expansion expansionOf(qsizetype) const { return Expansion::None; }
    virtual bool isStep(qsizetype) const { return false; }
    int errorCodeOf(qsizetype row) const;

    CallIndex *m_calls;
    Query m_query;
    std::optional<FilterMatcher> m_matcher;  // while there is a session
    std::vector<quint32> m_rows;             // of the session, in order
    qsizetype m_scanned = 0;
    QTimer m_timer;

private:
    bool isSubscription(qsizetype row) const;
    bool isFromServer(qsizetype row) const;
    RowText textOf(qsizetype row) const;  // the line, and the mark where it has no place of its own
    QString displayText(qsizetype row, Column column) const;
    QString spokenText(qsizetype row, Column column) const;
    QString hintOf(qsizetype row, Column column) const;
    bool hasFinding(qsizetype row) const;
    int jsonRpcErrorOf(qsizetype row) const;
    int httpStatusOf(qsizetype row) const;

    bool m_isFlood = false;  // at the last look
    bool m_reading = false;
    mutable QHash<qsizetype, int> m_errorCodes;  // they lie in the responses, which have to be read for them
};

}  // namespace sonde::ui
