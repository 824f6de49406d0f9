// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/theme.h"

#include "ui/theme/accessiblecombobox.h"
#include "ui/theme/density.h"
#include "ui/theme/desktopsettings.h"
#include "ui/theme/focusring.h"
#include "ui/theme/screenfit.h"
#include "ui/theme/style.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <QPointer>
#include <QStyle>
#include <QSvgRenderer>
#include <QWidget>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

const Colors &lightColors()
{
    static const Colors table{
        .window = 0xf3f4f7,
        .panel = 0xffffff,
        .line = 0xdfe3ea,
        .text = 0x1b212b,
        .dim = 0x5c6675,
        .accent = 0x1f5ae0,
        .ok = 0x137638,
        .toolError = 0xa84d08,
        .protocolError = 0xb42318,
        .asks = 0x7c3aed,
        .finding = 0x0d6f8a,
        .selection = 0xdbe7fd,
        .field = 0xf6f7fa,
        .onAccent = 0xffffff,
        .border = 0x7f8897,
        .placeholder = 0x5c6675,
    };
    return table;
}

const Colors &darkColors()
{
    static const Colors table{
        .window = 0x171a20,
        .panel = 0x1f232b,
        .line = 0x323845,
        .text = 0xe4e8ef,
        .dim = 0xa0a9b8,
        .accent = 0x7aa7ff,
        .ok = 0x5ad28a,
        .toolError = 0xf0b35a,
        .protocolError = 0xff8a80,
        .asks = 0xc2a2ff,
        .finding = 0x67d3e8,
        .selection = 0x2a3a5c,
        .field = 0x1a1e25,
        .onAccent = 0x10151f,
        .border = 0x707a8c,
        .placeholder = 0xa0a9b8,
    };
    return table;
}

// Lines are seen, and so is what is selected: 3:1.
const Colors &highContrastColors()
{
    static const Colors table{
        .window = Qt::black,
        .panel = Qt::black,
        .line = 0x8f959f,
        .text = Qt::white,
        .dim = 0xdcdfe4,
        .accent = 0xa8d8ff,
        .ok = 0x8df5b8,
        .toolError = 0xffd27a,
        .protocolError = 0xffc8c3,
        .asks = 0xe2d0ff,
        .finding = 0x9ceefa,
        .selection = 0x0052cc,
        .field = 0x16181c,
        .onAccent = Qt::black,
        .border = Qt::white,
        .placeholder = 0x9aa0aa,  // not to be taken for what was typed
    };
    return table;
}

// Lengths are made for this one.
constexpr qreal DesignPoints = 10;
constexpr int InputPadding = 6;  // of a text in an input, in all

QColor mix(const QColor &over, const QColor &under, qreal amount)
{
    const auto channel = [amount](int a, int b) { return int(a * amount + b * (1 - amount)); };
    return {channel(over.red(), under.red()), channel(over.green(), under.green()), channel(over.blue(), under.blue())};
}

QPalette paletteFrom(const Colors &c)
{
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.panel);
    p.setColor(QPalette::AlternateBase, c.field);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::PlaceholderText, c.placeholder);
    p.setColor(QPalette::Button, c.panel);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.protocolError);
    p.setColor(QPalette::Highlight, c.selection);
    p.setColor(QPalette::HighlightedText, c.text);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::LinkVisited, c.asks);
    p.setColor(QPalette::ToolTipBase, c.panel);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::Light, c.panel);
    p.setColor(QPalette::Midlight, c.line);
    p.setColor(QPalette::Mid, c.line);
    p.setColor(QPalette::Dark, mix(c.dim, c.line, 0.4));
    p.setColor(QPalette::Shadow, c.line);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, mix(c.dim, c.panel, 0.75));
    return p;
}

class FontFollower final : public QObject {
public:
    FontFollower(QWidget *widget, std::function<void()> apply) : QObject(widget), m_apply(std::move(apply))
    {
        widget->installEventFilter(this);
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (watched == parent() && event->type() == QEvent::FontChange)
            m_apply();
        return false;
    }

private:
    std::function<void()> m_apply;
};

// Renders an SVG in one colour and any size, reading the palette when it paints.
class TintedIconEngine final : public QIconEngine {
public:
    TintedIconEngine(QString path, Tone tone) : m_path(std::move(path)), m_tone(tone) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(rect, pixmapFor(rect.size(), ratio, mode, state));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        return pixmapFor(size, 1, mode, state);
    }

    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State state, qreal scale) override
    {
        return pixmapFor(size / scale, scale, mode, state);
    }

    QIconEngine *clone() const override { return new TintedIconEngine(*this); }

private:
    // size: empty where a line edit is too narrow for the icons in it. Each row of a list paints its own icon, so that
    // reading the SVG each time would take longer than all else that is painted.
    QPixmap pixmapFor(const QSize &size, qreal ratio, QIcon::Mode mode, QIcon::State) const
    {
        if (size.isEmpty())
            return {};
        QColor tint = m_tone == Tone::Neutral ? colors().text : color(m_tone);
        if (mode == QIcon::Disabled)
            tint = mix(tint, colors().panel, 0.4);
        const QString key = m_path + u' ' + tint.name(QColor::HexArgb) + u' ' + QString::number(size.width()) + u'x' +
                            QString::number(size.height()) + u' ' + QString::number(ratio);
        QPixmap result;
        if (QPixmapCache::find(key, &result))
            return result;
        result = QPixmap(size * ratio);
        result.setDevicePixelRatio(ratio);
        result.fill(Qt::transparent);
        QSvgRenderer renderer(m_path);
        QPainter painter(&result);
        renderer.render(&painter, QRectF(QPointF(), QSizeF(size)));
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(QRect(QPoint(), size), tint);
        painter.end();
        QPixmapCache::insert(key, result);
        return result;
    }

    QString m_path;
    Tone m_tone;
};

}  // namespace

bool isDark()
{
    return QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
}

// The palette tells which theme is shown: no two have the same window.
const Colors &colors()
{
    const QColor window = QGuiApplication::palette().color(QPalette::Window);
    if (window == highContrastColors().window)
        return highContrastColors();
    return isDark() ? darkColors() : lightColors();
}

QColor color(Tone tone)
{
    const Colors &c = colors();
    switch (tone) {
        case Tone::Accent:
            return c.accent;
        case Tone::Ok:
            return c.ok;
        case Tone::ToolError:
            return c.toolError;
        case Tone::ProtocolError:
            return c.protocolError;
        case Tone::Asks:
            return c.asks;
        case Tone::Finding:
            return c.finding;
        case Tone::Neutral:
        case Tone::NoResponse:
            break;
    }
    return c.dim;
}

// A share of violet over the dark panel is grey.
QColor softColor(Tone tone)
{
    if (tone == Tone::Asks && &colors() == &darkColors())
        return 0x2e2446;
    return mix(color(tone), colors().panel, isDark() ? 0.16 : 0.11);
}

QFont monoFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF() - 0.5);
    return font;
}

QFont smallFont()
{
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() - 1);
    return font;
}

QFont headingFont()
{
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() + 2.5);
    font.setWeight(QFont::DemiBold);
    return font;
}

int scaled(int pixels)
{
    return qRound(pixels * QApplication::font().pointSizeF() / DesignPoints);
}

int rowHeight()
{
    return dense(scaled(23));
}

int inputHeight()
{
    return qMax(dense(scaled(28)), QFontMetrics(QApplication::font()).height() + InputPadding);
}

int headerHeight()
{
    return dense(scaled(20));
}

void followFont(QWidget *widget, std::function<void()> apply)
{
    apply();
    new FontFollower(widget, std::move(apply));
}

QPen focusPen()
{
    // Where every border is as bright as the accent, only its width tells.
    const int width = colors().border == colors().text ? 3 : 2;
    return QPen(colors().accent, width);
}

bool reducesMotion()
{
    return QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
}

QIcon icon(const QString &name, Tone tone)
{
    return QIcon(new TintedIconEngine(u":/icons/"_s + name + u".svg"_s, tone));
}

QString sign(Tone tone)
{
    switch (tone) {
        case Tone::Ok:
            return u"✓"_s;
        case Tone::ToolError:
            return u"▲"_s;
        case Tone::ProtocolError:
            return u"✕"_s;
        case Tone::NoResponse:
            return u"⊘"_s;
        case Tone::Finding:
            return u"◆"_s;
        case Tone::Asks:
            return u"?"_s;
        case Tone::Accent:
            return u"●"_s;
        case Tone::Neutral:
            break;
    }
    return {};
}

ThemeController::ThemeController(QApplication *app)
    : QObject(app), m_app(app), m_desktop(std::make_unique<DesktopWishes>()), m_blinkMs(app->cursorFlashTime())
{
    app->setStyle(new Style);
    setFontSize(DesignPoints);
    m_desktop->isDark = isDark();
    m_desktop->reducesMotion = reducesMotion();
    applyColors();
    makeComboBoxesAccessible();
    new FocusRing(app, this);
    new ScreenFit(this);
}

ThemeController::~ThemeController() = default;

void ThemeController::followDesktop(const QDBusConnection &bus)
{
    auto *settings = new DesktopSettings(bus, *m_desktop, this);
    connect(settings, &DesktopSettings::told, this, &ThemeController::heed);
}

void ThemeController::heed(const DesktopWishes &desktop)
{
    if (desktop == *m_desktop)
        return;
    *m_desktop = desktop;
    applyColors();
    applyMotion();
}

void ThemeController::setMode(Mode mode)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    applyColors();
}

void ThemeController::setReducesMotion(bool reduces)
{
    m_reducesMotion = reduces;
    applyMotion();
}

// Qt passes the new font to all widgets but those with a size of their own, such as captions.
void ThemeController::setFontSize(qreal points)
{
    QFont font = m_app->font();
    const qreal change = points - font.pointSizeF();
    if (qFuzzyIsNull(change))
        return;
    font.setPointSizeF(points);
    m_app->setFont(font);
    const QWidgetList all = QApplication::allWidgets();
    const QList<QPointer<QWidget>> widgets(all.begin(), all.end());
    for (const QPointer<QWidget> &widget : widgets) {
        if (!widget)
            continue;  // it went when another one changed
        QFont own = widget->font();
        if (!widget->testAttribute(Qt::WA_SetFont) || !(own.resolveMask() & QFont::SizeResolved))
            continue;
        own.setPointSizeF(own.pointSizeF() + change);
        widget->setFont(own);
    }
}

void ThemeController::applyColors()
{
    const bool followsDesktop = m_mode == Mode::System;
    const bool isContrasty = m_mode == Mode::HighContrast || (followsDesktop && m_desktop->wantsContrast);
    const bool isDark = m_mode == Mode::Dark || (followsDesktop && m_desktop->isDark);
    m_app->setPalette(paletteFrom(isContrasty ? highContrastColors() : isDark ? darkColors() : lightColors()));
    Q_EMIT changed();
}

void ThemeController::applyMotion()
{
    const bool reduces = m_reducesMotion || m_desktop->reducesMotion;
    if (auto *style = qobject_cast<Style *>(m_app->style()))
        style->setReducesMotion(reduces);
    m_app->setCursorFlashTime(reduces ? 0 : m_blinkMs);
    Q_EMIT changed();
}

}  // namespace sonde::ui
