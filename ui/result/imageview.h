// An image in its natural size, scaled down if there is less room.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QWidget>

namespace sonde::ui {

class ImageView : public QWidget {
    Q_OBJECT
public:
    explicit ImageView(const QImage &image, QWidget *parent = nullptr);
    const QImage &image() const { return m_image; }
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QSize shownSize(int width) const;
    QImage m_image;
    QImage m_scaled;  // for the present size: scaling a large picture at every paint would be felt
};

}  // namespace sonde::ui
