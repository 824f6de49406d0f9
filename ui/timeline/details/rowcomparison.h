// Two rows of a session side by side, with their differences.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"
#include "core/session/session.h"

#include <QWidget>
#include <memory>

namespace sonde::ui {

class DifferenceTable;
class SegmentedControl;
class SideBySide;
class TextLabel;

// A window that deletes itself; Esc closes it. Of two calls with responses, either the requests or the responses can be
// compared. Copies what it needs from the session. Differences are computed on a worker.
class RowComparison : public QWidget {
    Q_OBJECT
public:
    RowComparison(const Session &session, qsizetype left, qsizetype right, QWidget *parent);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Pair {
        QByteArray left;
        QByteArray right;
    };
    struct Compared {
        json::Document left;
        json::Document right;
        json::Diff diff;
    };
    static Compared compared(const Pair &pair);
    void layOut();
    void compare(int pair);
    void showCompared(const Compared &compared);

    QList<Pair> m_pairs;
    QString m_left;
    QString m_right;
    std::unique_ptr<QObject> m_comparing;  // whose result is waited for
    SegmentedControl *m_halves;
    TextLabel *m_summary;
    DifferenceTable *m_table;
    SideBySide *m_sides;
};

}  // namespace sonde::ui
