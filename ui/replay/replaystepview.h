// The details of a step: its request, the recorded and the new response.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replaystep.h"

#include <QWidget>

class QBoxLayout;
class QStackedWidget;
class QVBoxLayout;

namespace sonde::ui {

class Banner;
class DifferenceTable;
class EmptyState;
class JsonTreeView;
class SegmentedControl;
class SideBySide;
class TextBlock;
class TextLabel;

class ReplayStepView : public QWidget {
    Q_OBJECT
public:
    explicit ReplayStepView(QWidget *parent = nullptr);

    // Showing the same step again, after the rules changed, keeps the scroll position.
    void showStep(const ReplayStep &step, const json::Value &arguments);
    void clear();
    // In place of before and after: what is compared, and the empty page.
    void setWords(const QString &before, const QString &after, const QString &emptyTitle, const QString &emptyText);

Q_SIGNALS:
    void ruleRequested(const sonde::ReplayRule &rule);
    void ruleDrafted(const sonde::ReplayRule &rule);  // incomplete: the user has to add something

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeHead();
    QWidget *makeDifferencePage();
    void choose(int segment);
    void showReason(const ReplayStep &step);
    void showArguments(const json::Value &arguments);
    void showDifferences();
    void showResponses();

    ReplayStep m_step;
    bool m_hasArguments = false;
    QList<int> m_sideRows;  // of the table, for each difference that is marked side by side
    QBoxLayout *m_titles;
    TextLabel *m_title;
    TextLabel *m_summary;
    SegmentedControl *m_segments;
    QStackedWidget *m_pages;
    EmptyState *m_empty;
    Banner *m_reason;
    DifferenceTable *m_table;
    TextLabel *m_more;
    TextLabel *m_argumentsTitle;
    QVBoxLayout *m_argumentsPlace;
    TextBlock *m_arguments = nullptr;
    TextLabel *m_sidesTitle;
    SideBySide *m_sides;
    JsonTreeView *m_recorded;
    JsonTreeView *m_now;
    QWidget *m_differencePage;  // made of the parts above
};

}  // namespace sonde::ui
