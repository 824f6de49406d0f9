// What people must be able to see of small controls: where the keyboard is, and what is chosen.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/contrast.h"
#include "tests/support/testregistry.h"
#include "ui/theme/breakingrow.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/theme/tonedelegate.h"
#include "ui/theme/widgets.h"

#include <QAbstractAnimation>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QTableWidget>
#include <QTest>
#include <QTextEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestStyle : public QObject {
    Q_OBJECT

private:
    // The strongest that anything within that place stands out from the window's colour.
    static double contrastIn(QWidget *widget, const QRect &place)
    {
        const QImage image = widget->grab(place).toImage();
        double most = 1;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                most = qMax(most, test::contrastOf(image.pixelColor(x, y), colors().window));
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
    // Each of its sizes asks for the other one: laying it out has to end all the same.
    void aPageThatNeverSettlesIsShown()
    {
        class Fickle : public QVBoxLayout {
        public:
            using QVBoxLayout::QVBoxLayout;
            QSize minimumSize() const override { return {parentWidget()->width() == 400 ? 401 : 400, 10}; }
        };
        QWidget place;
        QWidget *page = addScrolledPage(&place);
        new Fickle(page);
        place.resize(300, 200);
        place.show();
        QTRY_VERIFY(page->width() == 400 || page->width() == 401);
    }

    // Whatever else there is in too small a place has to give way.
    void aBannerIsNotCut()
    {
        QWidget place;
        auto *column = new QVBoxLayout(&place);
        auto *banner = new Banner;
        auto *other = new QTextEdit;
        other->setMinimumHeight(10);
        column->addWidget(banner);
        column->addWidget(other, 1);
        banner->setContent(Tone::ToolError, u"Call this tool?"_s, u"It may write, and it may delete. "_s.repeated(4));
        place.resize(240, 60);
        place.show();
        const auto areWhole = [banner] {
            const QList<QLabel *> labels = banner->findChildren<QLabel *>();
            return std::all_of(labels.begin(), labels.end(), [](const QLabel *label) {
                return label->height() >= label->heightForWidth(label->width());
            });
        };
        QTRY_VERIFY(areWhole());
        banner->setContent(Tone::ToolError, u"Call this tool, which is not annotated at all?"_s, u"It may delete."_s);
        QTRY_VERIFY(areWhole());
        place.resize(600, 60);
        QTRY_VERIFY(banner->height() < 60);
    }

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

    // A badge has a shape, though its fill is that of what is around it.
    void badgesHaveAShapeInHighContrast()
    {
        ThemeController theme(qApp);
        theme.setMode(ThemeController::Mode::HighContrast);
        Badge badge(u"idempotent"_s, Tone::Neutral);
        badge.resize(badge.sizeHint());
        QVERIFY(contrastIn(&badge, QRect(badge.width() / 2, 0, 1, 2)) >= 3);
        theme.setMode(ThemeController::Mode::Light);
    }

    void whatIsDisabledLooksSo()
    {
        ThemeController theme(qApp);
        theme.setMode(ThemeController::Mode::Light);
        QLineEdit line;
        QComboBox combo;
        for (QWidget *input : std::initializer_list<QWidget *>{&line, &combo}) {
            input->resize(120, 28);
            const QRect edge(40, 0, 1, 2);
            QVERIFY(contrastIn(input, edge) >= 3);
            input->setEnabled(false);
            QVERIFY(contrastIn(input, edge) < 2);
        }
        FlatButton words(u"Show"_s);
        words.resize(words.sizeHint());
        const auto isBlue = [&words] {
            const QImage image = words.grab().toImage();
            for (int x = 0; x < image.width(); ++x) {
                for (int y = 0; y < image.height(); ++y) {
                    if (qBlue(image.pixel(x, y)) - qRed(image.pixel(x, y)) > 60)
                        return true;
                }
            }
            return false;
        };
        QVERIFY(isBlue());
        words.setEnabled(false);
        QVERIFY(!isBlue());
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

    // Lists have no frame that could be coloured.
    void keyboardFocusIsSeenAroundLists()
    {
        ThemeController theme(qApp);
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        auto *before = new QPushButton(u"before"_s);
        auto *list = new RowTable(0);
        column->addWidget(before);
        column->addWidget(list);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        before->setFocus();
        const auto edge = [list] { return list->grab().toImage().pixelColor(list->width() / 2, list->height() - 1); };
        QVERIFY(edge() != focusPen().color());
        QTest::keyClick(before, Qt::Key_Tab);
        QVERIFY(list->hasFocus());
        QCOMPARE(edge(), focusPen().color());
        window.resize(500, 400);
        QCoreApplication::processEvents();
        QCOMPARE(edge(), focusPen().color());
        QTest::keyClick(list, Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY(edge() != focusPen().color());
    }

    void tonesOfItemsFollowTheTheme()
    {
        ThemeController theme(qApp);
        QListWidget list;
        list.setItemDelegate(new ToneDelegate(&list));
        list.addItem(u"████"_s);
        list.item(0)->setData(ToneDelegate::ToneRole, int(Tone::ProtocolError));
        list.show();
        for (const auto mode : {ThemeController::Mode::Dark, ThemeController::Mode::Light}) {
            theme.setMode(mode);
            const QImage image = list.grab(list.visualItemRect(list.item(0))).toImage();
            bool isDrawn = false;
            for (int x = 0; x < image.width(); ++x)
                isDrawn = isDrawn || image.pixelColor(x, image.height() / 2) == color(Tone::ProtocolError);
            QVERIFY(isDrawn);
        }
    }

    void rowsBreakWhereTheyMust()
    {
        auto *name = new TextLabel(u"a name that is long"_s);
        auto *button = new QPushButton(u"Button"_s);
        name->setMinimumWidth(40);
        QWidget window;  // a window would not become narrower than both
        BreakingRow row(name, button, &window);
        row.resize(600, 100);
        window.show();
        QTRY_VERIFY(button->x() > name->x() && button->y() < name->geometry().bottom());
        row.resize(qMax(name->sizeHint().width(), button->sizeHint().width()) + 8, 100);
        QTRY_VERIFY(button->y() >= name->geometry().bottom() && name->width() >= name->sizeHint().width());
        QCOMPARE(button->width(), button->sizeHint().width());
    }

    void theFontSizeCountsAtOnce()
    {
        ThemeController theme(qApp);
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        auto *usual = new TextLabel(u"usual"_s);
        auto *small = new TextLabel(u"small"_s);
        small->setFont(smallFont());
        auto *bold = new TextLabel(u"bold"_s);
        bold->setStrong();
        auto *line = new QLineEdit;
        auto *table = new RowTable(5);
        for (QWidget *each : std::initializer_list<QWidget *>{usual, small, bold, line, table})
            column->addWidget(each);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const int lineHeight = line->height();
        const QList<qreal> before{usual->font().pointSizeF(), small->font().pointSizeF(), bold->font().pointSizeF()};
        QCOMPARE(table->verticalHeader()->defaultSectionSize(), 28);
        theme.setFontSize(20);
        const auto change = [&](int i, const QWidget *widget) { return widget->font().pointSizeF() - before[i]; };
        QTRY_COMPARE(change(0, usual), 10.0);
        QCOMPARE(change(1, small), 10.0);
        QCOMPARE(change(2, bold), 10.0);
        QVERIFY(bold->font().weight() == QFont::DemiBold);
        QCOMPARE(table->verticalHeader()->defaultSectionSize(), 51);
        QTRY_VERIFY(line->height() >= 2 * lineHeight - 2);
        theme.setFontSize(10);
        QTRY_COMPARE(change(0, usual), 0.0);
        QCOMPARE(change(1, small), 0.0);
        QCOMPARE(rowHeight(), 23);
        QTRY_COMPARE(line->height(), lineHeight);
    }

    void anIconMayHaveNoRoom()
    {
        QTest::failOnWarning(QRegularExpression(u"QPainter"_s));
        QPixmap place(20, 20);
        QPainter painter(&place);
        icon(u"close"_s).paint(&painter, QRect(0, 0, 0, 10));
        QVERIFY(icon(u"close"_s).pixmap(10, 0).isNull());
    }

    void aComboBoxHasRoomForItsText()
    {
        const ThemeController theme(qApp);
        QComboBox combo;
        combo.setSizeAdjustPolicy(QComboBox::AdjustToContents);
        combo.addItem(u"13:46:16"_s);
        combo.resize(combo.sizeHint());
        combo.show();
        const QImage fitting = combo.grab().toImage();
        combo.setItemText(0, u"13:…:16"_s);
        QVERIFY(combo.grab().toImage() != fitting);
    }

    void nothingMovesWhenMotionIsReduced()
    {
        ThemeController theme(qApp);
        const int blink = QApplication::cursorFlashTime();
        QVERIFY(blink > 0 && !reducesMotion());
        const auto moves = [] {
            QProgressBar busy;
            busy.setRange(0, 0);
            busy.show();
            const bool isShown = QTest::qWaitForWindowExposed(&busy);
            (void)busy.grab();
            return isShown && !busy.findChildren<QAbstractAnimation *>().isEmpty();
        };
        QVERIFY(moves());
        theme.setReducesMotion(true);
        QVERIFY(reducesMotion());
        QCOMPARE(QApplication::cursorFlashTime(), 0);
        QVERIFY(!moves());
        theme.setReducesMotion(false);
        QVERIFY(!reducesMotion());
        QCOMPARE(QApplication::cursorFlashTime(), blink);
    }
};

}  // namespace sonde::ui

using TestStyle = sonde::ui::TestStyle;
SONDE_TEST(TestStyle)
#include "tst_style.moc"
