// SPDX-License-Identifier: Apache-2.0
#include "ui/form/branchpicker.h"

#include "ui/form/inputs.h"
#include "ui/theme/widgets.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QSignalBlocker>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxSegments = 5;
constexpr int LeastSegmentWidth = 5 * Grid;  // of an elided one
constexpr int NarrowPickerWidth = 104;
constexpr int MaxSegmentsWidth = 264;  // px: what a form 420 wide has left within two groups

}  // namespace

BranchPicker::BranchPicker(const QStringList &labels, int current, Kind kind, QWidget *parent)
    : QWidget(parent), m_count(labels.size())
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    int width = 0;
    for (const QString &label : labels)
        width += fontMetrics().horizontalAdvance(label) + 3 * Grid;
    if (kind == Kind::Fitting && labels.size() <= MaxSegments && width <= MaxSegmentsWidth) {
        m_segments = new SegmentedControl(this);
        for (const QString &label : labels)
            m_segments->addSegment(label);
        m_segments->setMinimumWidth(int(labels.size()) * LeastSegmentWidth);
        m_segments->setCurrent(current);
        row->addWidget(m_segments);
        row->addStretch(1);
        connect(m_segments, &SegmentedControl::currentChanged, this, &BranchPicker::picked);
    } else {
        m_combo = new CalmComboBox(this);
        m_combo->addItems(labels);
        m_combo->setCurrentIndex(current);
        if (kind == Kind::NarrowList)
            followFont(m_combo, [this] { m_combo->setFixedWidth(scaled(NarrowPickerWidth)); });
        row->addWidget(m_combo);
        connect(m_combo, &QComboBox::activated, this, &BranchPicker::picked);
    }
}

QWidget *BranchPicker::control() const
{
    return m_segments ? static_cast<QWidget *>(m_segments) : m_combo;
}

void BranchPicker::setCurrent(int index)
{
    const QSignalBlocker quiet(control());
    if (m_segments)
        m_segments->setCurrent(index);
    else
        m_combo->setCurrentIndex(index);
}

void BranchPicker::rename(const QString &pointer, const QString &spoken)
{
    control()->setObjectName("branch:"_L1 + pointer);
    control()->setAccessibleName(spoken);
    for (int i = 0; m_segments && i < m_count; ++i)
        m_segments->button(i)->setObjectName(u"branch:%1:%2"_s.arg(QString::number(i), pointer));
}

}  // namespace sonde::ui
