// What people must be able to see of small controls: where the keyboard is, and what is chosen.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QRadioButton>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestStyle : public QObject {
    Q_OBJECT

private:
    static double luminance(QColor color)
    {
        const auto linear = [](double part) {
            return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
    }

    // The strongest that anything within that place stands out from the window's colour.
    static double contrastIn(QWidget *widget, const QRect &place)
    {
        const QImage image = widget->grab(place).toImage();
        const double ground = luminance(colors().window);
        double most = 1;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const double here = luminance(image.pixelColor(x, y));
                most = qMax(most, (qMax(here, ground) + 0.05) / (qMin(here, ground) + 0.05));
            }
        }
        return most;
    }

private Q_SLOTS:
    void choicesAreSeen_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void choicesAreSeen()
    {
        QFETCH(bool, dark);
        ThemeController theme(qApp);
        theme.setMode(dark ? ThemeController::Mode::Dark : ThemeController::Mode::Light);
        QRadioButton radio;
        QRadioButton other;
        QCheckBox check;
        for (QAbstractButton *button : std::initializer_list<QAbstractButton *>{&radio, &other, &check}) {
            button->resize(24, 24);
            button->setAutoExclusive(false);
            QVERIFY(contrastIn(button, button->rect()) >= 3);  // a ring or a box
            const QImage before = button->grab().toImage();
            button->setChecked(true);
            QVERIFY(contrastIn(button, button->rect()) >= 3);
            QVERIFY(button->grab().toImage() != before);
        }
        theme.setMode(ThemeController::Mode::Light);
    }

    void keyboardFocusIsSeen()
    {
        ThemeController theme(qApp);
        theme.setMode(ThemeController::Mode::Light);
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        auto *flat = new QToolButton;
        flat->setText(u"flat"_s);
        flat->setAutoRaise(true);
        auto *radio = new QRadioButton(u"radio"_s);
        auto *check = new QCheckBox(u"check"_s);
        for (QWidget *stop : std::initializer_list<QWidget *>{flat, radio, check})
            column->addWidget(stop);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (QWidget *stop : std::initializer_list<QWidget *>{flat, radio, check}) {
            stop->clearFocus();
            const QImage without = stop->grab().toImage();
            stop->setFocus(Qt::ShortcutFocusReason);
            QTRY_VERIFY(stop->hasFocus());
            QVERIFY2(stop->grab().toImage() != without,
                     qPrintable(QString::fromLatin1(stop->metaObject()->className())));
        }
    }
};

}  // namespace sonde::ui

using TestStyle = sonde::ui::TestStyle;
SONDE_TEST(TestStyle)
#include "tst_style.moc"
