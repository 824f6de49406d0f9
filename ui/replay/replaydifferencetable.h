// The differences of a step, each with a menu to ignore it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/replay/replaydifferences.h"
#include "ui/theme/rowtable.h"

class QMenu;

namespace sonde::ui {

class ReplayDifferenceTable : public RowTable {
    Q_OBJECT
public:
    explicit ReplayDifferenceTable(QWidget *parent = nullptr);

    // method, target: of the step; rules apply to them.
    void setDifferences(const ReplayDifferences &differences, const QString &method, const QString &target);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

Q_SIGNALS:
    void ruleRequested(const sonde::ReplayRule &rule);
    void ruleDrafted(const sonde::ReplayRule &rule);  // incomplete: the user has to add something

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void layOutColumns();
    void showMenu(int row, const QPoint &place);
    void fillMenu(QMenu *menu, const json::Difference &difference);
    ReplayDifferenceModel *m_model;
    bool m_isNarrow = false;
    bool m_hasRules = false;  // some rows are ignored
    QString m_method;
    QString m_target;
};

}  // namespace sonde::ui
