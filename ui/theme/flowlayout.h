// Lays widgets out in a row, and in further rows where the width does not do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace sonde::ui {

// Each item has the size of its hint. Rows are as high as their highest item and begin at the left.
class FlowLayout final : public QLayout {
public:
    using QLayout::QLayout;

    void addItem(QLayoutItem *item) override;
    int count() const override { return int(m_items.size()); }
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;     // of a single row
    QSize minimumSize() const override;  // as wide as the widest item
    Qt::Orientations expandingDirections() const override { return {}; }
    void setGeometry(const QRect &rect) override;

private:
    enum class Mode { Measure, Place };
    int flow(const QRect &rect, Mode mode) const;  // the height

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

}  // namespace sonde::ui
