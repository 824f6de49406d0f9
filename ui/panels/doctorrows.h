// What the doctor says about a server: a row for each step, with the remedy as a button.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/doctor/doctorline.h"

#include <QWidget>
#include <vector>

class QGridLayout;
class QPushButton;

namespace sonde::ui {

class TextLabel;

class DoctorRows : public QWidget {
    Q_OBJECT
public:
    explicit DoctorRows(QWidget *parent = nullptr);
    // told: whose remedy is offered elsewhere, so that it needs no button here; null: none.
    void setLines(const QList<DoctorLine> &lines, const DoctorLine *told);

Q_SIGNALS:
    void remedyChosen(sonde::Remedy remedy);

private:
    struct Row {
        TextLabel *sign;
        TextLabel *title;
        TextLabel *text;
        TextLabel *evidence;
        TextLabel *note;
        TextLabel *time;
        QPushButton *remedy;
        Remedy offered = Remedy::None;
    };
    void addRow();

    QGridLayout *m_grid;
    std::vector<Row> m_rows;
    std::vector<QWidget *> m_widgets;  // of all rows
};

}  // namespace sonde::ui
