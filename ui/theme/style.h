// Fusion with hairlines, small corners and quiet colours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProxyStyle>

namespace sonde::ui {

// QTabBar::tabData() of a tab that only previews something: its name is in italics.
inline constexpr int PreviewTab = 1;

class Style : public QProxyStyle {
    Q_OBJECT
public:
    Style();
    void setReducesMotion(bool reduces) { m_reducesMotion = reduces; }

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl subControl,
                         const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *returnData) const override;
    QIcon standardIcon(StandardPixmap pixmap, const QStyleOption *option, const QWidget *widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget) const override;
    using QProxyStyle::polish;
    void polish(QWidget *widget) override;

private:
    bool m_reducesMotion = false;
};

}  // namespace sonde::ui
