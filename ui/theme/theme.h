// Colours, fonts, lengths and icons of the window: one table of colours for each theme.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QPen>
#include <functional>
#include <memory>

class QApplication;
class QDBusConnection;
class QWidget;

namespace sonde::ui {

struct DesktopWishes;

enum class Tone { Neutral, Accent, Ok, ToolError, ProtocolError, NoResponse, Asks, Finding };

// Contrast to the background, measured by a test: text and badges 4.5:1, borders of inputs and progress 3:1.
struct Colors {
    QColor window, panel, line, text, dim, accent, ok, toolError, protocolError, asks, finding, selection;
    QColor field;     // inputs and wire data blocks
    QColor onAccent;  // text on an accent button
    QColor border;    // of inputs: what shows where one can type
    QColor placeholder;
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

// The design is drawn for a font of 10 points. What holds text grows and shrinks with the font that was chosen.
int scaled(int pixels);
int rowHeight();
int inputHeight();
int headerHeight();  // of the line above an input
// Calls apply now, and again whenever the font of the widget changes: for sizes that a layout does not ask for. It
// lives as long as the widget.
void followFont(QWidget *widget, std::function<void()> apply);

QPen focusPen();       // around what has the focus
bool reducesMotion();  // nothing moves or blinks by itself; numbers change once a second

// "ok", "tool-error", "protocol-error", "no-answer", "finding", "plus", "play" … from resources/icons, tinted with the
// palette's text colour (or a tone's). Crisp at any scale; follows palette changes.
QIcon icon(const QString &name, Tone tone = Tone::Neutral);
// The sign of a tone, so that colour is never the only indication: ✓ ▲ ✕ ⊘ ◆ …
QString sign(Tone tone);

// Chooses and applies colours, font size and motion, for all windows at once. One per application, created in main().
class ThemeController : public QObject {
    Q_OBJECT
public:
    enum class Mode { System, Light, Dark, HighContrast };
    Q_ENUM(Mode)
    explicit ThemeController(QApplication *app);
    ~ThemeController() override;
    Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    void setFontSize(qreal points);
    void setReducesMotion(bool reduces);  // false: as the desktop wishes
    // From now on Mode::System and motion are as the settings portal on this bus says.
    void followDesktop(const QDBusConnection &bus);

Q_SIGNALS:
    void changed();

private:
    void heed(const DesktopWishes &desktop);
    void applyColors();
    void applyMotion();
    QApplication *m_app;
    std::unique_ptr<DesktopWishes> m_desktop;  // what it wishes
    Mode m_mode = Mode::System;
    bool m_reducesMotion = false;
    int m_blinkMs;  // of the text cursor, where it may
};

}  // namespace sonde::ui
