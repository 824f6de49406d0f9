// SPDX-License-Identifier: Apache-2.0
#include "ui/result/imageview.h"

#include "ui/result/imagedecoder.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <cmath>

namespace sonde::ui {

ImageView::ImageView(const QByteArray &bytes, const QSize &naturalSize, QWidget *parent)
    : QWidget(parent), m_bytes(bytes), m_naturalSize(naturalSize.expandedTo({1, 1}))
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QSize ImageView::shownSize(int width) const
{
    if (m_naturalSize.width() <= width)
        return m_naturalSize;
    return {width, qMax(1, int(qint64(m_naturalSize.height()) * width / m_naturalSize.width()))};
}

QSize ImageView::shownSize() const
{
    const QSize size = shownSize(width());
    return size.scaled(size.boundedTo(this->size()), Qt::KeepAspectRatio);
}

QSize ImageView::sizeHint() const
{
    return m_naturalSize.boundedTo({480, 2000});
}

int ImageView::heightForWidth(int width) const
{
    return shownSize(width).height();
}

QSize ImageView::wantedSize() const
{
    const QSize pixels = (shownSize() * devicePixelRatioF()).boundedTo(m_naturalSize).expandedTo({1, 1});
    const double area = double(pixels.width()) * pixels.height();
    if (area <= double(ImageDecoder::MaxShownPixels))
        return pixels;
    const double factor = std::sqrt(double(ImageDecoder::MaxShownPixels) / area);
    return QSize(int(pixels.width() * factor), int(pixels.height() * factor)).expandedTo({1, 1});
}

void ImageView::take(const DecodedImage &decoded, const QSize &wanted)
{
    m_decodedFor = wanted;
    m_image = decoded.image;
    update();
    if (m_image.isNull() && !m_hasFailed) {
        m_hasFailed = true;
        Q_EMIT failed(decoded.error);
    }
}

void ImageView::giveBack()
{
    m_image = {};
    m_decodedFor = {};
}

void ImageView::paintEvent(QPaintEvent *)
{
    if (m_hasFailed)
        return;
    if (m_decodedFor != wantedSize())
        ImageDecoder::shared()->request(this);
    ImageDecoder::shared()->notePainted(this);
    QPainter painter(this);
    const QRect place({0, 0}, shownSize());
    if (m_image.isNull() || m_image.hasAlphaChannel())
        painter.fillRect(place, QBrush(colors().line, Qt::Dense6Pattern));
    painter.drawImage(place, m_image);
}

}  // namespace sonde::ui
