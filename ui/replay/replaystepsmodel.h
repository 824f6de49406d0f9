// The steps of a replay as a table model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/replay/replaytext.h"

#include <QAbstractTableModel>
#include <optional>

namespace sonde::ui {

class ReplayStepsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Column { Number, Step, Result, Then, Now, Count };
    enum Role {
        TargetRole = Qt::UserRole + 1,  // bold part of the step column
        BadgeRole,
        ToneRole,  // of the badge, as int
        DimRole,   // true: it has not run
        NoteRole   // behind the target
    };

    explicit ReplayStepsModel(QObject *parent = nullptr);

    void setRows(QList<StepRow> rows);
    void setRow(qsizetype step, const StepRow &row);
    const QList<StepRow> &rows() const { return m_rows; }
    // The steps to show, in order; nothing: all.
    void setShown(const std::optional<QList<qsizetype>> &steps);

    qsizetype stepAt(const QModelIndex &index) const;  // -1 for none
    QModelIndex indexOf(qsizetype step) const;         // invalid when it is not shown

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(qsizetype step, Column column) const;
    QList<StepRow> m_rows;
    std::optional<QList<qsizetype>> m_shown;
};

}  // namespace sonde::ui
