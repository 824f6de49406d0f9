// SPDX-License-Identifier: Apache-2.0
#include "ui/result/imageview.h"

#include "ui/result/imagedecoder.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPixmap>
#include <cmath>

namespace sonde::ui {

namespace {

constexpr int Square = Grid;  // of the checkerboard

// Two greys in the middle between black and white in either theme, so that black and white show on both.
void paintCheckerboard(QPainter *painter, const QRect &place)
{
    const auto mixed = [](int text, int panel) {
        const auto part = [&](int of, int with) { return (of * text + with * panel) / (text + panel); };
        const QColor &dark = isDark() ? colors().panel : colors().text;
        const QColor &light = isDark() ? colors().text : colors().panel;
        return QColor(part(dark.red(), light.red()), part(dark.green(), light.green()),
                      part(dark.blue(), light.blue()));
    };
    QPixmap tile(2 * Square, 2 * Square);
    tile.fill(mixed(28, 72));
    QPainter squares(&tile);
    squares.fillRect(0, 0, Square, Square, mixed(40, 60));
    squares.fillRect(Square, Square, Square, Square, mixed(40, 60));
    squares.end();
    painter->drawTiledPixmap(place, tile, place.topLeft());
}

}  // namespace

ImageView::ImageView(const QByteArray &bytes, const QSize &naturalSize, QWidget *parent)
    : QWidget(parent), m_bytes(bytes), m_naturalSize(naturalSize.expandedTo({1, 1}))
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::StrongFocus);  // for the keys and the menu of its block
}

void ImageView::setZoom(int percent)
{
    m_zoom = percent;
    updateGeometry();
    update();
}

QSize ImageView::shownSize(int width) const
{
    if (m_zoom > 0)
        return (m_naturalSize * (m_zoom / 100.0)).expandedTo({1, 1});
    if (m_naturalSize.width() <= width)
        return m_naturalSize;
    return {width, qMax(1, int(qint64(m_naturalSize.height()) * width / m_naturalSize.width()))};
}

QSize ImageView::shownSize() const
{
    const QSize size = shownSize(width());
    return m_zoom > 0 ? size : size.scaled(size.boundedTo(this->size()), Qt::KeepAspectRatio);
}

QSize ImageView::sizeHint() const
{
    return m_zoom > 0 ? shownSize(0) : m_naturalSize.boundedTo({480, 2000});
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
        paintCheckerboard(&painter, place & visibleRegion().boundingRect());
    painter.drawImage(place, m_image);
    if (hasFocus()) {
        painter.setPen(QPen(colors().accent, 2));
        painter.drawRect(place.adjusted(1, 1, -1, -1));
        painter.setPen(QPen(colors().panel, 2));  // an image may have the colour of the frame
        painter.drawRect(place.adjusted(3, 3, -3, -3));
    }
}

void ImageView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void ImageView::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace sonde::ui
