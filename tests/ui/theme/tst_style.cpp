// What people must be able to see of small controls: where the keyboard is, and what is chosen.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QCheckBox>
#include <QHeaderView>
#include <QPushButton>
#include <QRadioButton>
#include <QTableWidget>
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

    // From the left edge to the first that is drawn, on the line through the middle and some above and below.
    static int firstInk(const QImage &image)
    {
        const QRgb ground = image.pixel(1, image.height() / 2);
        for (int x = 1; x < image.width(); ++x) {
            for (int y = image.height() / 2 - 3; y < image.height() / 2 + 3; ++y) {
                if (image.pixel(x, y) != ground)
                    return x;
            }
        }
        return -1;
    }

private Q_SLOTS:
    // A label lays out all of its text: that of a server may be longer than any machine could draw.
    void longTextsOfServersAreCut()
    {
        ThemeController theme(qApp);
        const QString endless(5'000'000, u'm');
        TextLabel label;
        label.setServerText(endless);
        QVERIFY2(label.text().size() < 50'000, qPrintable(QString::number(label.text().size())));
        Banner banner;
        banner.setContent(Tone::NoResponse, endless, endless);
        QVERIFY(banner.accessibleName().size() < 5'000 && banner.accessibleDescription().size() < 5'000);
        for (const QLabel *each : banner.findChildren<QLabel *>())
            QVERIFY2(each->text().size() < 5'000, qPrintable(QString::number(each->text().size())));
        QVERIFY(plainToolTip(endless).size() < 100'000);
    }

    void titlesStandOverTheirCells()
    {
        ThemeController theme(qApp);
        theme.setMode(ThemeController::Mode::Light);
        QTableWidget table(1, 1);
        table.setShowGrid(false);
        table.setFrameShape(QFrame::NoFrame);
        table.verticalHeader()->hide();
        table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        table.setHorizontalHeaderLabels({u"H"_s});
        table.setItem(0, 0, new QTableWidgetItem(u"H"_s));
        table.resize(200, 100);
        table.show();
        const int title = firstInk(table.horizontalHeader()->grab().toImage());
        const int cell = firstInk(table.viewport()->grab(table.visualRect(table.model()->index(0, 0))).toImage());
        QVERIFY2(qAbs(title - cell) <= 1 && cell > Grid / 2, qPrintable(u"%1 %2"_s.arg(title).arg(cell)));
    }

    void wordsHaveRoomInTheirButtons()
    {
        ThemeController theme(qApp);
        theme.setMode(ThemeController::Mode::Light);
        QPushButton words(u"Make this wide enough"_s);
        const int text = words.fontMetrics().horizontalAdvance(words.text());
        QVERIFY2(words.sizeHint().width() >= text + 2 * Grid, qPrintable(QString::number(words.sizeHint().width())));
        // An icon and words: as far from the one edge as from the other.
        QToolButton both;
        both.setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        both.setText(u"HHH"_s);
        QPixmap square(16, 16);
        square.fill(Qt::black);
        both.setIcon(square);
        both.resize(both.sizeHint());
        const QImage inside = both.grab(both.rect().adjusted(2, 2, -2, -2)).toImage();
        const int left = firstInk(inside);
        const int right = firstInk(inside.mirrored(true, false));
        QVERIFY2(qAbs(left - right) <= 3, qPrintable(u"%1 %2"_s.arg(left).arg(right)));
    }

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
