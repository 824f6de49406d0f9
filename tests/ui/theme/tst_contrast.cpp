// What stands out from what, in each theme: text and badges 4.5:1, borders of controls, focus and progress 3:1.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/contrast.h"
#include "tests/support/testregistry.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QTest>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

using test::contrastOf;
using test::ShapeContrast;
using test::TextContrast;

class TestContrast : public QObject {
    Q_OBJECT

private:
    static void measure(const QString &what, const QColor &one, const QColor &other, double least)
    {
        const double ratio = contrastOf(one, other);
        QVERIFY2(ratio >= least,
                 qPrintable(u"%1: %2 on %3 is %4:1"_s.arg(what, one.name(), other.name()).arg(ratio, 0, 'f', 2)));
    }

private Q_SLOTS:
    void theTable_data()
    {
        QTest::addColumn<ThemeController::Mode>("mode");
        QTest::newRow("light") << ThemeController::Mode::Light;
        QTest::newRow("dark") << ThemeController::Mode::Dark;
        QTest::newRow("high contrast") << ThemeController::Mode::HighContrast;
    }

    void theTable()
    {
        QFETCH(ThemeController::Mode, mode);
        ThemeController theme(qApp);
        theme.setMode(mode);
        const Colors &c = colors();
        const QList<std::pair<QString, QColor>> grounds{
            {u"panel"_s, c.panel}, {u"window"_s, c.window}, {u"field"_s, c.field}, {u"selection"_s, c.selection}};
        for (const auto &[name, ground] : grounds) {
            measure(u"text on "_s + name, c.text, ground, TextContrast);
            measure(u"dim text on "_s + name, c.dim, ground, TextContrast);
            for (const Tone tone : {Tone::Accent, Tone::Ok, Tone::ToolError, Tone::ProtocolError, Tone::NoResponse,
                                    Tone::Asks, Tone::Finding})
                measure(u"tone %1 on %2"_s.arg(int(tone)).arg(name), color(tone), ground, TextContrast);
            measure(u"focus on "_s + name, focusPen().color(), ground, ShapeContrast);
            if (ground != c.selection)
                measure(u"border on "_s + name, c.border, ground, ShapeContrast);
        }
        for (const Tone tone : {Tone::Accent, Tone::Ok, Tone::ToolError, Tone::ProtocolError, Tone::NoResponse,
                                Tone::Asks, Tone::Finding})
            measure(u"badge of tone %1"_s.arg(int(tone)), color(tone), softColor(tone), TextContrast);
        const QColor requests = softColor(Tone::Asks);  // also of a whole panel
        measure(u"text on the panel of requests"_s, c.text, requests, TextContrast);
        measure(u"dim text on the panel of requests"_s, c.dim, requests, TextContrast);
        measure(u"border on the panel of requests"_s, c.border, requests, ShapeContrast);
        measure(u"neutral badge"_s, color(Tone::Neutral), c.window, TextContrast);
        measure(u"main button"_s, c.onAccent, c.accent, TextContrast);
        measure(u"focus of the main button"_s, c.onAccent, c.accent, ShapeContrast);
        for (const QPalette::ColorRole role : {QPalette::Link, QPalette::LinkVisited, QPalette::PlaceholderText})
            measure(u"role %1"_s.arg(int(role)), qApp->palette().color(role), c.panel, TextContrast);
        measure(u"tool tip"_s, qApp->palette().color(QPalette::ToolTipText),
                qApp->palette().color(QPalette::ToolTipBase), TextContrast);
        if (mode == ThemeController::Mode::HighContrast) {
            measure(u"text"_s, c.text, c.panel, 7);
            measure(u"dim text"_s, c.dim, c.panel, 7);
            measure(u"lines"_s, c.line, c.panel, ShapeContrast);
            measure(u"what is selected"_s, c.selection, c.panel, ShapeContrast);
        }
        measure(u"progress"_s, c.accent, c.field, ShapeContrast);
    }

    void whatIsDrawn_data() { theTable_data(); }

    // That the table is used.
    void whatIsDrawn()
    {
        QFETCH(ThemeController::Mode, mode);
        ThemeController theme(qApp);
        theme.setMode(mode);
        QWidget page;
        page.setAutoFillBackground(true);
        auto *column = new QVBoxLayout(&page);
        auto *line = new QLineEdit;
        auto *text = new QPlainTextEdit;
        auto *combo = new QComboBox;
        auto *bar = new QProgressBar;
        bar->setTextVisible(false);
        bar->setValue(50);
        auto *elsewhere = new QPushButton(u"focus"_s);
        auto *button = new QPushButton(u"button"_s);
        auto *segments = new SegmentedControl;
        segments->addSegment(u"one"_s);
        segments->addSegment(u"another"_s);
        for (QWidget *widget : std::initializer_list<QWidget *>{elsewhere, line, text, combo, button, segments, bar})
            column->addWidget(widget);
        page.resize(300, 300);
        page.show();
        elsewhere->setFocus();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const QImage image = page.grab().toImage();
        const auto at = [&image](const QWidget *widget, int x, int y) {
            return image.pixelColor(widget->pos() + QPoint(x, y));
        };
        for (const QWidget *input : std::initializer_list<QWidget *>{line, text, combo, button, segments}) {
            const QString name = QString::fromLatin1(input->metaObject()->className());
            const int x = input->width() - 12;  // not of the segment that is chosen
            const QColor edge = at(input, x, 0);
            measure(name + u" and around it"_s, edge, at(input, x, -3), ShapeContrast);
            measure(name + u" and within"_s, edge, at(input, x, 3), ShapeContrast);
        }
        measure(u"progress"_s, at(bar, 10, bar->height() / 2), at(bar, bar->width() - 10, bar->height() / 2),
                ShapeContrast);
        theme.setMode(ThemeController::Mode::Light);
    }
};

}  // namespace sonde::ui

using sonde::ui::TestContrast;
SONDE_TEST(TestContrast)
#include "tst_contrast.moc"
