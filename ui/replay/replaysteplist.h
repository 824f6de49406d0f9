// The list of a replay's steps, with a filter.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/replay/replaytext.h"

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

class QPoint;
class QStackedWidget;

namespace sonde::ui {

class EmptyState;
class FilterLine;
class ReplayStepsModel;
class ReplayStepsTable;

class ReplayStepList : public QWidget {
    Q_OBJECT
public:
    explicit ReplayStepList(QWidget *parent = nullptr);
    ~ReplayStepList() override;

    // The filter reads the session of the steps; it must outlive the next call.
    void setSteps(QList<StepRow> rows, const Session *recording);
    void setStep(qsizetype step, const StepRow &row);
    ReplayStep::Status statusOf(qsizetype step) const;
    // Only steps with this result; nothing: all.
    void setShownStatus(const std::optional<ReplayStep::Status> &status);
    void setEmptyText(const QString &title, const QString &text);  // while there are no steps at all

    qsizetype selected() const { return m_selected; }  // outlives a filter that hides it; -1: none
    void select(qsizetype step);
    void scrollTo(qsizetype step);

Q_SIGNALS:
    void selectedChanged(qsizetype step);
    void menuRequested(qsizetype step, const QPoint &globalPlace);

private:
    void onCurrentChanged();
    void restartFilter();
    void filterSlice();
    void applyShown();
    void showEmpty();

    class StepFilter;
    std::unique_ptr<StepFilter> m_stepFilter;
    const Session *m_recording = nullptr;
    FilterLine *m_filter;
    QStackedWidget *m_pages;
    ReplayStepsModel *m_model;
    ReplayStepsTable *m_table;
    EmptyState *m_empty;
    QTimer m_slices;
    std::optional<ReplayStep::Status> m_status;
    QString m_emptyTitle;
    QString m_emptyText;
    qsizetype m_selected = -1;
    bool m_isRestoring = false;
};

}  // namespace sonde::ui
