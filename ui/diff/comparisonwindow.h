// Two JSON texts with their differences, in a window of their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"

#include <QWidget>
#include <memory>

class QSplitter;

namespace sonde::ui {

class DifferenceTable;
class SegmentedControl;
class SideBySide;
class TextLabel;

// Deletes itself; Esc closes it. Shows one of several parts, such as the responses and the requests of two calls.
// Differences are computed on a worker.
class ComparisonWindow : public QWidget {
    Q_OBJECT
public:
    struct Part {
        QString name;  // on the switch; needed if there are several
        QByteArray left;
        QByteArray right;
    };

    // The titles name the two sides; the window is called after both.
    ComparisonWindow(const QString &left, const QString &right, QWidget *parent);
    void setParts(const QList<Part> &parts, int shown = 0);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Compared {
        json::Document left;
        json::Document right;
        json::Diff diff;
    };
    static Compared compared(const Part &part);
    void layOut();
    void compare(int part);
    void showCompared(const Compared &compared);

    QList<Part> m_parts;
    QString m_left;
    QString m_right;
    std::unique_ptr<QObject> m_comparing;  // whose result is waited for
    QSplitter *m_splitter;
    SegmentedControl *m_choice;
    TextLabel *m_summary;
    DifferenceTable *m_table;
    SideBySide *m_sides;
};

}  // namespace sonde::ui
