// SPDX-License-Identifier: Apache-2.0
#include "ui/result/imageview.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace sonde::ui {

ImageView::ImageView(const QImage &image, QWidget *parent) : QWidget(parent), m_image(image)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QSize ImageView::shownSize(int width) const
{
    const QSize natural = m_image.size().expandedTo({1, 1});
    if (natural.width() <= width)
        return natural;
    return {width, qMax(1, int(qint64(natural.height()) * width / natural.width()))};
}

QSize ImageView::sizeHint() const
{
    return m_image.size().boundedTo({480, 2000});
}

int ImageView::heightForWidth(int width) const
{
    return shownSize(width).height();
}

void ImageView::paintEvent(QPaintEvent *)
{
    const QSize size = shownSize(width()).scaled(shownSize(width()).boundedTo(this->size()), Qt::KeepAspectRatio);
    const QSize pixels = size * devicePixelRatioF();
    if (m_scaled.size() != pixels) {
        const bool smaller = pixels.width() < m_image.width();
        m_scaled =
            m_image.scaled(pixels, Qt::IgnoreAspectRatio, smaller ? Qt::SmoothTransformation : Qt::FastTransformation);
    }
    QPainter painter(this);
    const QRect place({0, 0}, size);
    if (m_image.hasAlphaChannel())
        painter.fillRect(place, QBrush(colors().line, Qt::Dense6Pattern));
    painter.drawImage(place, m_scaled);
}

}  // namespace sonde::ui
