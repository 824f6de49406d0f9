// SPDX-License-Identifier: Apache-2.0
#include "tests/support/drawntexts.h"

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QWidget>

namespace sonde::test {

namespace {

class NotingEngine final : public QPaintEngine {
public:
    NotingEngine() : QPaintEngine(AllFeatures) {}

    bool begin(QPaintDevice *) override
    {
        m_hasClip = false;
        return true;
    }
    bool end() override { return true; }
    Type type() const override { return User; }

    void updateState(const QPaintEngineState &now) override
    {
        const DirtyFlags dirty = now.state();
        if (dirty & DirtyPen)
            m_pen = now.pen().color();
        if (dirty & DirtyTransform)
            m_transform = now.transform();
        if (dirty & DirtyOpacity)
            m_opacity = now.opacity();
        if (dirty & (DirtyClipRegion | DirtyClipPath | DirtyClipEnabled)) {
            const QPainter *painter = now.painter();
            m_hasClip = painter && painter->hasClipping();
            m_clip = m_hasClip ? m_transform.mapRect(painter->clipBoundingRect()).toAlignedRect() : QRect();
        }
    }

    void drawTextItem(const QPointF &point, const QTextItem &item) override
    {
        const QRectF box(point.x(), point.y() - item.ascent(), item.width(), item.ascent() + item.descent());
        QRect place = m_transform.mapRect(box).toAlignedRect();
        if (!systemClip().isEmpty())
            place &= systemClip().boundingRect();
        if (m_hasClip)
            place &= m_clip;
        QColor color = m_pen;
        color.setAlphaF(float(color.alphaF() * m_opacity));
        if (!place.isEmpty() && !item.text().trimmed().isEmpty())
            texts.append({item.text(), color, item.font().pointSizeF(), item.font().bold(), place});
    }

    using QPaintEngine::drawPolygon;
    void drawPixmap(const QRectF &, const QPixmap &, const QRectF &) override {}
    void drawPath(const QPainterPath &) override {}
    void drawPolygon(const QPointF *, int, PolygonDrawMode) override {}
    void drawImage(const QRectF &, const QImage &, const QRectF &, Qt::ImageConversionFlags) override {}

    QList<DrawnText> texts;

private:
    QColor m_pen;
    QTransform m_transform;
    QRect m_clip;
    qreal m_opacity = 1;
    bool m_hasClip = false;
};

class NotingDevice final : public QPaintDevice {
public:
    explicit NotingDevice(const QWidget *like) : m_like(like) {}
    QPaintEngine *paintEngine() const override { return &engine; }
    mutable NotingEngine engine;

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
            case PdmWidth:
                return m_like->width();
            case PdmHeight:
                return m_like->height();
            case PdmDpiX:
            case PdmPhysicalDpiX:
                return m_like->logicalDpiX();
            case PdmDpiY:
            case PdmPhysicalDpiY:
                return m_like->logicalDpiY();
            case PdmDevicePixelRatio:
                return 1;
            case PdmDevicePixelRatioScaled:
                return int(devicePixelRatioFScale());
            case PdmDepth:
                return 32;
            default:
                return QPaintDevice::metric(metric);
        }
    }

private:
    const QWidget *m_like;
};

}  // namespace

QList<DrawnText> drawnTexts(QWidget *widget)
{
    NotingDevice device(widget);
    widget->render(&device);
    return device.engine.texts;
}

}  // namespace sonde::test
