// Draws a row of the timeline.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

namespace sonde::ui {

class TimelineDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit TimelineDelegate(QObject *parent = nullptr);
    void setPartner(qsizetype sessionRow) { m_partner = sessionRow; }  // the other half of the selected exchange
    qsizetype partner() const { return m_partner; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintMethod(QPainter *painter, QRect rect, const QModelIndex &index) const;
    void paintOutcome(QPainter *painter, QRect rect, const QModelIndex &index) const;
    qsizetype m_partner = -1;
};

}  // namespace sonde::ui
