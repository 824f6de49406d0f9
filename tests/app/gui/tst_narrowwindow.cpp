// The main screens in small windows: nothing is cut, and nothing scrolls sideways.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "tests/app/gui/cuttexts.h"
#include "tests/app/gui/requestdesk.h"
#include "ui/panels/welcomepanel.h"
#include "ui/timeline/timelinepanel.h"

#include <QAbstractButton>
#include <QLabel>
#include <QScrollArea>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;

class TestNarrowWindow : public QObject {
    Q_OBJECT

private:
    static bool isWhole(const QWidget *page)
    {
        const QStringList found = test::cutTexts(page);
        if (!found.isEmpty())
            qWarning("%s", qUtf8Printable(found.join(u'\n')));
        return found.isEmpty();
    }

    static bool isAllInSight(const QWidget *widget)
    {
        return widget &&
               QTest::qWaitFor([widget] { return widget->visibleRegion().boundingRect() == widget->rect(); }, 1000);
    }

private Q_SLOTS:
    void init() { test::TestWindow::clear(); }

    void nothingIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("800x560") << QSize(800, 560);
        QTest::newRow("1000x700") << QSize(1000, 700);
    }

    void nothingIsCut()
    {
        QFETCH(QSize, size);
        test::RequestWindow desk;
        desk.window().resize(size);
        QVERIFY(isWhole(desk.window().welcome));
        QVERIFY(!desk.window().timeline->isVisible());  // nothing is in it yet
        QVERIFY(desk.openDemo());
        QCOMPARE(desk.window().size(), size);
        QTRY_VERIFY(desk.window().timeline->isVisible());
        QTRY_VERIFY2(desk.window().tabs->height() > desk.window().timeline->height() * 19 / 10,
                     qPrintable(QString::number(desk.window().timeline->height())));
        // Maximised, it is as wide as before.
        const int width = desk.window().timeline->width();
        for (int i = 0; i < 2; ++i) {
            desk.window().actions->maximiseTimeline->trigger();
            QTRY_COMPARE(desk.window().tabs->isVisible(), i == 1);
            QTRY_COMPARE(desk.window().timeline->width(), width);
        }
        ui::CallPanel *add = desk.test::TestWindow::panel();
        QVERIFY(isWhole(add));
        QVERIFY(isAllInSight(add->findChild<QWidget *>(u"field:/a"_s)));
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(isWhole(add));
        ui::CallPanel *every = desk.open(u"every-field-kind"_s);
        QVERIFY(every);
        QVERIFY(isWhole(every));
        QVERIFY(isAllInSight(every->findChild<QWidget *>(u"field:/text"_s)));
        // The name of the tool is whole beside the buttons, at the cost of that of the server.
        const auto *name = desk.open(u"progress"_s)->findChild<QLabel *>(u"subjectCaption"_s);
        QTRY_VERIFY(name->width() >= name->fontMetrics().horizontalAdvance(name->text()));
        // Its result is as wide as its page, whatever stands above the blocks.
        ui::CallPanel *wrong = desk.open(u"structured-wrong"_s);
        QVERIFY(wrong && desk.call(u"✓ OK"_s));
        const auto *result = wrong->findChild<QScrollArea *>(u"resultPage"_s);
        QTRY_COMPARE(result->widget()->width(), result->viewport()->width());
        // Where nothing is filled in, the form leaves it more room.
        QVERIFY2(result->width() > 220, qPrintable(QString::number(result->width())));
        ui::CallPanel *place = desk.open(u"weather"_s);
        QVERIFY(place && desk.enter(u"/city"_s, u"Oslo"_s) && desk.call(u"✓ OK"_s));
        QVERIFY(isAllInSight(place->findChild<QWidget *>(u"field:/city"_s)));
        QVERIFY(desk.open(u"greeting"_s));
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY(isWhole(desk.test::TestWindow::panel()));
        desk.window().actions->serverInfo->trigger();
        const QWidget *page = desk.window().tabs->currentWidget();
        QVERIFY(isWhole(page));
        const auto *title = page->findChild<QLabel *>(u"serverTitle"_s);
        QVERIFY2(title->fontMetrics().horizontalAdvance(title->text()) <= title->width(), qPrintable(title->text()));
        const auto *scrolled = page->findChild<QScrollArea *>();
        QTest::mouseClick(page->findChild<QAbstractButton *>(u"showLaunch"_s), Qt::LeftButton);
        QTRY_VERIFY(!page->findChild<QWidget *>(u"launchArea"_s)->visibleRegion().isEmpty());
        QTRY_COMPARE(scrolled->widget()->width(), scrolled->viewport()->width());
        desk.window().actions->stop->trigger();
        QTRY_VERIFY(page->findChild<QWidget *>(u"launchArea"_s)->isVisible());
        QTRY_COMPARE(scrolled->widget()->width(), scrolled->viewport()->width());
        QVERIFY(desk.close());
    }

    // What is asked, and what can be responded.
    void aQuestionIsWhole_data() { nothingIsCut_data(); }
    void aQuestionIsWhole()
    {
        QFETCH(QSize, size);
        test::RequestWindow desk;
        desk.window().resize(size);
        QVERIFY(desk.openDemo());
        ui::CallPanel *tool = desk.open(u"delete-everything"_s);
        QVERIFY(tool);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        auto *banner = tool->findChild<QWidget *>(u"callQuestion"_s);
        QTRY_VERIFY(banner->isVisible());
        for (QLabel *label : banner->findChildren<QLabel *>()) {
            QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
            QVERIFY2(isAllInSight(label), qPrintable(label->text()));
        }
        QVERIFY(isAllInSight(tool->findChild<QWidget *>(u"confirmCall"_s)));
        QVERIFY(isWhole(tool));
        QCOMPARE(desk.window().size(), size);
        QVERIFY(desk.close());
    }

    // Whatever stands above them, also where it is scrolled.
    void theFirstFieldOfARequestIsInSight_data()
    {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QString>("field");
        QTest::newRow("elicitation") << u"ask-form"_s << u"field:/name"_s;
        QTest::newRow("several requests") << u"ask-everything"_s << u"field:/name"_s;
        QTest::newRow("sampling") << u"ask-model"_s << u"field:/text"_s;
    }
    void theFirstFieldOfARequestIsInSight()
    {
        QFETCH(const QString, tool);
        QFETCH(const QString, field);
        test::RequestWindow desk;
        desk.window().resize(800, 560);
        QVERIFY(desk.openDemo());
        const ui::CallPanel *panel = desk.open(tool);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(desk.shown(field), Patience);
        QVERIFY(isAllInSight(desk.shown(field)));
        const auto *title = panel->findChild<QLabel *>(u"subjectTitle"_s);
        QTRY_VERIFY2(title->wordWrap() || title->fontMetrics().horizontalAdvance(title->text()) <= title->width(),
                     qPrintable(title->text()));
        QVERIFY(desk.close());
    }

    // It can be folded, and comes back; its call goes on waiting meanwhile.
    void aRequestIsReadableAndFolds_data() { nothingIsCut_data(); }
    void aRequestIsReadableAndFolds()
    {
        QFETCH(QSize, size);
        test::RequestWindow desk;
        desk.window().resize(size);
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"ask-twice"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(1));
        ui::RequestPanel *requests = desk.panel();
        QVERIFY(isWhole(requests));
        QVERIFY2(requests->width() >= 320 && desk.window().tabs->width() >= 420,
                 qPrintable(u"%1 and %2"_s.arg(requests->width()).arg(desk.window().tabs->width())));
        QVERIFY(isAllInSight(desk.shown(u"requestAccept"_s)));
        QVERIFY(isAllInSight(desk.shown(u"field:/name"_s)));
        const QWidget *form = desk.shown(u"requestForm"_s);
        QVERIFY2(form->height() <= form->sizeHint().height(), qPrintable(QString::number(form->height())));
        auto *chip = desk.find<QAbstractButton>(u"requestChip"_s);
        QVERIFY(chip->isHidden());
        QVERIFY(desk.fill(u"/name"_s, u"Ada"_s));
        QTest::mouseClick(requests->findChild<QAbstractButton *>(u"requestFold"_s), Qt::LeftButton);
        QVERIFY(requests->isHidden() && chip->isVisible());
        QCOMPARE(chip->text(), u"1 request"_s);
        QVERIFY(isWhole(desk.test::TestWindow::panel()));
        QVERIFY(requests->openCount() == 1);
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(requests->isVisible() && chip->isHidden());
        QTRY_VERIFY2(requests->isAncestorOf(desk.window().focusWidget()), qPrintable(desk.focused()));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        // Folded when nothing is asked any more: the next request is shown again.
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.pressButton(u"requestDecline"_s));
        QTRY_VERIFY(requests->isHidden() && chip->isHidden());
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestNarrowWindow)
#include "tst_narrowwindow.moc"
