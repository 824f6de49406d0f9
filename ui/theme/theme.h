// Colours, fonts and icons of the window: one table for light, one for dark.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>

class QApplication;
class QPainter;
class QRect;

namespace sonde::ui {

enum class Tone { Neutral, Accent, Ok, ToolError, ProtocolError, NoResponse, Asks, Finding };

// Contrast to the background, measured by a test: text and badges 4.5:1, borders of inputs and progress 3:1.
struct Colors {
    QColor window, panel, line, text, dim, accent, ok, toolError, protocolError, asks, finding, selection;
    QColor field;     // inputs and wire data blocks
    QColor onAccent;  // text on an accent button
    QColor border;    // of inputs: what shows where one can type
};

// The colours of the application's current palette, for use when painting. Widgets that cache colours update them on
// QEvent::PaletteChange.
bool isDark();
const Colors &colors();
QColor color(Tone tone);
QColor softColor(Tone tone);  // the background that goes with it
QFont monoFont();             // wire data only
QFont smallFont();            // captions
QFont headingFont();
constexpr int Grid = 8;  // px; spacing is a multiple or a half of it
constexpr int RowHeight = 23;
constexpr int InputHeight = 28;
constexpr int HeaderHeight = 20;  // of the line above an input

// "ok", "tool-error", "protocol-error", "no-answer", "finding", "plus", "play" … from resources/icons, tinted with the
// palette's text colour (or a tone's). Crisp at any scale; follows palette changes.
QIcon icon(const QString &name, Tone tone = Tone::Neutral);
// The sign of a tone, so that colour is never the only indication: ✓ ▲ ✕ ⊘ ◆ …
QString sign(Tone tone);

// Chooses and applies the palette. One per application, created in main().
class ThemeController : public QObject {
    Q_OBJECT
public:
    enum class Mode { System, Light, Dark };
    Q_ENUM(Mode)
    explicit ThemeController(QApplication *app);
    Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    void setFontSize(qreal points);  // of windows that are made from then on

Q_SIGNALS:
    void changed();

private:
    void apply();
    QApplication *m_app;
    Mode m_mode = Mode::System;
    bool m_systemIsDark = false;
};

}  // namespace sonde::ui
