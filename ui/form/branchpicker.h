// Picks one of several ways to fill in a place: segments for few short names, a list for the others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace sonde::ui {

class CalmComboBox;
class SegmentedControl;

class BranchPicker : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Fitting, NarrowList };
    BranchPicker(const QStringList &labels, int current, Kind kind, QWidget *parent);
    QWidget *control() const;
    void setCurrent(int index);
    void rename(const QString &pointer, const QString &spoken);

Q_SIGNALS:
    void picked(int index);  // by the user

private:
    SegmentedControl *m_segments = nullptr;
    CalmComboBox *m_combo = nullptr;
    qsizetype m_count;
};

}  // namespace sonde::ui
