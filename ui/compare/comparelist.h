// The list of differences with its filter.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/comparemodel.h"

#include <QWidget>
#include <functional>

class QLineEdit;
class QListView;

namespace sonde::ui {

class SegmentedControl;
class TextLabel;

class CompareList : public QWidget {
    Q_OBJECT
public:
    explicit CompareList(QWidget *parent = nullptr);
    // Keeps the same entry selected, if it still exists; otherwise selects the first.
    void setSides(std::shared_ptr<const ComparedSides> sides);
    const CompareEntry *current() const;  // null: none
    void focusFilter();

Q_SIGNALS:
    void currentChanged();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh(const std::function<void()> &change);
    void updateCount();

    CompareModel *m_model;
    QLineEdit *m_filter;
    SegmentedControl *m_which;
    TextLabel *m_none;
    QListView *m_view;
    std::shared_ptr<const ComparedSides> m_sides;
};

}  // namespace sonde::ui
