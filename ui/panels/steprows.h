// A row for each step of something that takes several: how it went, what came of it, how long it took.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/step.h"

#include <QWidget>
#include <vector>

class QGridLayout;
class QPushButton;

namespace sonde::ui {

class FlatButton;
class Line;
class TextLabel;

class StepRows : public QWidget {
    Q_OBJECT
public:
    enum class Lines { None, Between };
    struct Row {
        Step step;
        QString action = {};     // text of a button below it; empty: there is none
        QString link = {};       // text of a button at its end; empty: there is none
        bool isForUser = false;  // while it waits, it is not dim: it is for the user to do
    };
    explicit StepRows(Lines lines, QWidget *parent = nullptr);
    void setRows(const QList<Row> &rows);

Q_SIGNALS:
    void actionChosen(int row);
    void linkChosen(int row);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Parts {
        TextLabel *sign;
        TextLabel *name;
        TextLabel *text;
        TextLabel *detail;
        TextLabel *note;
        TextLabel *time;
        QPushButton *action;
        FlatButton *link;
        Line *line;
    };
    void addRow();
    void removeRow();
    void fitNames();

    const Lines m_lines;
    QGridLayout *m_grid;
    std::vector<Parts> m_rows;
};

}  // namespace sonde::ui
