// What stands out from what, in light and in dark: text and badges 4.5:1, borders of inputs and progress 3:1.
// SPDX-License-Identifier: Apache-2.0
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
#include <cmath>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr double TextRatio = 4.5;
constexpr double ShapeRatio = 3;

double relativeLuminance(const QColor &color)
{
    const auto linear = [](double part) {
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrastOf(const QColor &one, const QColor &other)
{
    const double a = relativeLuminance(one) + 0.05;
    const double b = relativeLuminance(other) + 0.05;
    return qMax(a, b) / qMin(a, b);
}

}  // namespace

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
            measure(u"text on "_s + name, c.text, ground, TextRatio);
            measure(u"dim text on "_s + name, c.dim, ground, TextRatio);
            for (const Tone tone : {Tone::Accent, Tone::Ok, Tone::ToolError, Tone::ProtocolError, Tone::NoResponse,
                                    Tone::Asks, Tone::Finding})
                measure(u"tone %1 on %2"_s.arg(int(tone)).arg(name), color(tone), ground, TextRatio);
            if (ground != c.selection)
                measure(u"border on "_s + name, c.border, ground, ShapeRatio);
        }
        for (const Tone tone : {Tone::Accent, Tone::Ok, Tone::ToolError, Tone::ProtocolError, Tone::NoResponse,
                                Tone::Asks, Tone::Finding})
            measure(u"badge of tone %1"_s.arg(int(tone)), color(tone), softColor(tone), TextRatio);
        measure(u"neutral badge"_s, color(Tone::Neutral), c.window, TextRatio);
        measure(u"main button"_s, c.onAccent, c.accent, TextRatio);
        measure(u"progress"_s, c.accent, c.field, ShapeRatio);
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
        for (QWidget *widget : std::initializer_list<QWidget *>{elsewhere, line, text, combo, bar})
            column->addWidget(widget);
        page.resize(300, 300);
        page.show();
        elsewhere->setFocus();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const QImage image = page.grab().toImage();
        const auto at = [&image](const QWidget *widget, int x, int y) {
            return image.pixelColor(widget->pos() + QPoint(x, y));
        };
        for (const QWidget *input : std::initializer_list<QWidget *>{line, text, combo}) {
            const QString name = QString::fromLatin1(input->metaObject()->className());
            const QColor edge = at(input, input->width() / 2, 0);
            measure(name + u" and around it"_s, edge, at(input, input->width() / 2, -3), ShapeRatio);
            measure(name + u" and within"_s, edge, at(input, input->width() / 2, 3), ShapeRatio);
        }
        measure(u"progress"_s, at(bar, 10, bar->height() / 2), at(bar, bar->width() - 10, bar->height() / 2),
                ShapeRatio);
        theme.setMode(ThemeController::Mode::Light);
    }
};

}  // namespace sonde::ui

using sonde::ui::TestContrast;
SONDE_TEST(TestContrast)
#include "tst_contrast.moc"
