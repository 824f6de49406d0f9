// What the timeline shows: the messages or the calls of a session, filtered and highlighted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/table/timelinerows.h"

#include <QIdentityProxyModel>

namespace sonde::ui {

class CallsModel;
class MessagesModel;

// Stands before a model of messages and a model of calls, one of which lists its rows; the table, its delegate and the
// panel know this interface only. Adds how rows are shown: the format of times, and highlights.
class TimelineModel : public QIdentityProxyModel {
    Q_OBJECT
public:
    using Column = TimelineRows::Column;
    using Expansion = TimelineRows::Expansion;
    using View = TimelineRows::View;
    using enum TimelineRows::Role;
    enum class TimeFormat { Clock, SinceStart, SincePrevious, SinceRequest };

    explicit TimelineModel(QObject *parent = nullptr);

    void setSession(Session *session);  // not owned; null for none
    Session *session() const { return m_query.session; }
    CallIndex *calls() const { return m_calls; }
    void setView(View view);
    View view() const { return m_query.view; }
    bool showsCalls() const { return m_query.view == View::Calls && m_calls->operations(); }
    void setFilter(const Filter &filter);
    bool isFiltered() const { return !m_query.filter.matchesAll(); }
    // Filters whose rows are tinted; of several that match a row the first one counts.
    void setHighlights(const QList<std::pair<Filter, Tone>> &highlights);
    void setTimeFormat(TimeFormat format);
    TimeFormat timeFormat() const { return m_timeFormat; }
    bool isFiltering() const { return m_filtering; }        // rows are still being listed, or expanded
    bool isBehind() const { return rows()->isBehind(); }    // or there are new ones that are not looked at yet
    int percentRead() const;                                // of the session, for what is shown
    std::pair<qsizetype, qsizetype> shownOfTotal() const;   // calls in their view, expanded or not; else records
    std::pair<QString, QString> whyNothingIsShown() const;  // and what to do, where there are no rows
    // Only the call that this row of the session belongs to, expanded; -1: all of them.
    void setOnlyCallOf(qsizetype sessionRow);
    qsizetype onlyCallOf() const { return m_query.onlyCallOf; }
    qsizetype sessionRow(const QModelIndex &index) const;
    QModelIndex indexOfRow(qsizetype sessionRow) const;  // invalid when filtered out or in a collapsed call
    // The row that tells most of it when it has none of its own: of a response its request, of a step its call.
    QModelIndex indexStandingFor(qsizetype sessionRow) const;
    // All that the row stands for: of a collapsed call whatever belongs to it, of a request among the calls also its
    // response.
    std::vector<qsizetype> recordsOf(const QModelIndex &index) const;

    Expansion expansion(const QModelIndex &index) const;
    void setExpanded(const QModelIndex &index, bool expanded);
    // The list is made in the background and shown when it is complete, see aboutToReplaceRows().
    void setAllExpanded(bool expanded);
    void reveal(qsizetype sessionRow);                   // expands the call that it is a step of
    QModelIndex callOf(const QModelIndex &index) const;  // of a step; otherwise invalid

    QVariant data(const QModelIndex &index, int role) const override;

Q_SIGNALS:
    void filteringChanged();
    void caughtUp();  // not behind
    // Around a reset, before and after which there are the same calls.
    void aboutToReplaceRows();
    void rowsReplaced();

private:
    TimelineRows *rows() const;
    void restart();
    void setFiltering(bool filtering);
    void startHighlighting();
    int highlightOf(qsizetype row) const;
    QString timeText(int place) const;

    CallIndex *m_calls;
    MessagesModel *m_messagesModel;
    CallsModel *m_callsModel;
    TimelineRows::Query m_query;
    QList<std::pair<Filter, Tone>> m_highlights;
    mutable std::vector<FilterMatcher> m_highlightMatchers;  // in the order of the highlights
    TimeFormat m_timeFormat = TimeFormat::Clock;
    bool m_filtering = false;
};

}  // namespace sonde::ui
