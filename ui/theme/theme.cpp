// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/theme.h"

#include "ui/theme/style.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFile>
#include <QFontDatabase>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

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
    };
    return table;
}

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
    p.setColor(QPalette::PlaceholderText, c.dim);
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
    QPixmap pixmapFor(const QSize &size, qreal ratio, QIcon::Mode mode, QIcon::State) const
    {
        QPixmap result(size * ratio);
        result.setDevicePixelRatio(ratio);
        result.fill(Qt::transparent);
        QSvgRenderer renderer(m_path);
        QPainter painter(&result);
        renderer.render(&painter, QRectF(QPointF(), QSizeF(size)));
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        QColor tint = m_tone == Tone::Neutral ? colors().text : color(m_tone);
        if (mode == QIcon::Disabled)
            tint = mix(tint, colors().panel, 0.4);
        painter.fillRect(QRect(QPoint(), size), tint);
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

const Colors &colors()
{
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

QColor softColor(Tone tone)
{
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

ThemeController::ThemeController(QApplication *app) : QObject(app), m_app(app)
{
    app->setStyle(new Style);
    setFontSize(10);
    m_systemIsDark = isDark();
    apply();

    // Qt 6.4 does not report the desktop's colour scheme; the portal does. Asked asynchronously, so that startup cannot
    // hang.
    QDBusMessage ask =
        QDBusMessage::createMethodCall(u"org.freedesktop.portal.Desktop"_s, u"/org/freedesktop/portal/desktop"_s,
                                       u"org.freedesktop.portal.Settings"_s, u"Read"_s);
    ask << u"org.freedesktop.appearance"_s << u"color-scheme"_s;
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    auto *watcher = new QDBusPendingCallWatcher(bus.asyncCall(ask, 2000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher *done) {
        done->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (reply.isError())
            return;
        QVariant value = reply.value().variant();
        if (value.canConvert<QDBusVariant>())
            value = value.value<QDBusVariant>().variant();
        const uint scheme = value.toUInt();  // 0 no preference, 1 dark, 2 light
        if (scheme == 0 || (scheme == 1) == m_systemIsDark)
            return;
        m_systemIsDark = scheme == 1;
        apply();
    });
}

void ThemeController::setMode(Mode mode)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    apply();
}

void ThemeController::setFontSize(qreal points)
{
    QFont font = m_app->font();
    font.setPointSizeF(points);
    m_app->setFont(font);
}

void ThemeController::apply()
{
    const bool dark = m_mode == Mode::Dark || (m_mode == Mode::System && m_systemIsDark);
    m_app->setPalette(paletteFrom(dark ? darkColors() : lightColors()));
    Q_EMIT changed();
}

}  // namespace sonde::ui
