// Draws a row of the timeline.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/calls/timescale.h"

#include <QStyledItemDelegate>

namespace sonde::ui {

class TimelineDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit TimelineDelegate(QObject *parent = nullptr);
    void setPartner(qsizetype sessionRow) { m_partner = sessionRow; }  // the other half of the selected exchange
    qsizetype partner() const { return m_partner; }
    void setScale(const TimeScale &scale) { m_scale = scale; }  // of the waterfall
    const TimeScale &scale() const { return m_scale; }
    // The place of the arrow for expanding within a cell of the method column.
    static QRect arrowRect(const QRect &cell);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override;

private:
    void paintRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const;
    void paintMethod(QPainter *painter, QRect rect, const QModelIndex &index) const;
    void paintOutcome(QPainter *painter, QRect rect, const QModelIndex &index) const;
    qsizetype m_partner = -1;
    TimeScale m_scale;
};

}  // namespace sonde::ui
