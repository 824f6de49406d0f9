// The question before a start: nothing of what would run is out of sight, however long or hostile it is.
// SPDX-License-Identifier: Apache-2.0
#include "core/server/approval.h"
#include "tests/support/testregistry.h"
#include "ui/json/textview.h"
#include "ui/panels/launchlines.h"
#include "ui/theme/widgets.h"

#include <QLabel>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestLaunchLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCharacterIsOnTheScreen_data()
    {
        QTest::addColumn<QString>("argument");
        const QString filler(600, u'a');
        QTest::newRow("no space") << u"exec</dev/null;LC_ALL=C;"_s + filler + u";touch${IFS}/tmp/x"_s;
        QTest::newRow("spaces") << QString(300, u'a') + u" ; "_s + QString(300, u'b') + u" touch /tmp/x"_s;
        QTest::newRow("wide") << QString(300, QChar(0x6F22)) + u"touch"_s;
        QTest::newRow("newlines") << u"a\n\n\n\ntouch /tmp/x\r\n"_s;
        QTest::newRow("right to left") << QString(300, QChar(0x05D0)) + u" touch"_s;
    }
    void everyCharacterIsOnTheScreen()
    {
        QFETCH(QString, argument);
        ui::LaunchLines lines;
        lines.setApproval(question({u"-c"_s, argument, u"last"_s}));
        ui::TextView *view = shown(lines, 500);
        QVERIFY(view->wordWrap());
        QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
        QTRY_COMPARE(view->verticalScrollBar()->maximum(), 0);
        // What is drawn, line by line on the screen, is the text; and each of these lines is within the box.
        QString drawn = view->shownText();
        for (const QString &caption : {u"Program "_s, u"Argument 1 "_s, u"Argument 2 "_s, u"Argument 3 "_s})
            drawn.replace(QRegularExpression(u"^"_s + caption, QRegularExpression::MultilineOption), QString());
        const QString whole = QString::fromUtf8(view->text());
        QCOMPARE(drawn.remove(u'\n').remove(u' '), QString(whole).remove(u'\n').remove(u' '));
        QVERIFY2(view->text().contains("touch"), view->text().constData());
        QCOMPARE(view->text().count('\n'), 3);
    }

    // Captions can be long: they give way, and no value is pushed out of the box.
    void valuesHaveRoomInANarrowWindow()
    {
        Approval approval = question({QString(60, u'x') + u"touch"_s});
        approval.before = approval.lines;
        approval.before[1].value = u"--before"_s;
        approval.before[0].value = u"/another/program"_s;
        ui::LaunchLines lines;
        lines.setApproval(approval);
        ui::TextView *view = shown(lines, 200);
        const int lineHeight = view->heightForLines(QWIDGETSIZE_MAX) / int(view->shownText().count(u'\n') + 1);
        QVERIFY2(view->heightForLines(QWIDGETSIZE_MAX) < 16 * lineHeight, qPrintable(view->shownText()));
        QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
        const QString drawn = view->shownText().remove(u'\n').remove(u' ');
        for (const QString &value : {u"/another/program"_s, u"--before"_s, u"touch"_s})
            QVERIFY2(drawn.contains(value), qPrintable(drawn));
    }

    void aLongOneSaysHowLongItIs()
    {
        ui::LaunchLines lines;
        lines.setApproval(question({QString(100'000, u'x') + u"touch"_s}));
        ui::TextView *view = shown(lines, 500);
        QVERIFY2(view->shownText().contains(QStringLiteral("100\u2009005 characters")), qPrintable(view->shownText()));
        QVERIFY(view->verticalScrollBar()->maximum() > 0);
        const auto *note = lines.findChild<QLabel *>(u"launchNote"_s);
        QVERIFY(note->isVisible() && note->text().contains(u"Scroll"_s));
        view->verticalScrollBar()->setValue(view->verticalScrollBar()->maximum());
        QVERIFY(view->shownText().endsWith(u"touch"_s));
        lines.setApproval(question({u"-y"_s}));
        QVERIFY(!note->isVisible());
    }

    // A text that wraps cannot pass for a line of its own: the captions have a column that no text can reach.
    void noTextPassesForACaption()
    {
        ui::LaunchLines lines;
        lines.setApproval(question({QString(200, u'a') + u" Argument 2 --harmless"_s, u"--evil"_s}));
        ui::TextView *view = shown(lines, 500);
        QCOMPARE(view->shownText().count(QRegularExpression(u"^Argument 2"_s, QRegularExpression::MultilineOption)), 1);
    }

    // Thousands of arguments cost no widgets, whose layout would take the square of their number.
    void thousandsOfArguments()
    {
        ui::LaunchLines few;
        few.setApproval(question({u"a"_s}));
        ui::LaunchLines many;
        QStringList arguments;
        for (int i = 0; i < 20'000; ++i)
            arguments += u"--argument-%1"_s.arg(i);
        many.setApproval(question(arguments));
        QCOMPARE(many.findChildren<QWidget *>().size(), few.findChildren<QWidget *>().size());
        ui::TextView *view = shown(many, 500);
        QTRY_VERIFY(view->verticalScrollBar()->maximum() > 19'900);  // a worker lays them out
        view->verticalScrollBar()->setValue(view->verticalScrollBar()->maximum());
        QVERIFY2(view->shownText().endsWith(u"Argument 20000 --argument-19999"_s), qPrintable(view->shownText()));
    }

    void aChangeIsScrolledToAndSaid()
    {
        QStringList arguments;
        for (int i = 0; i < 200; ++i)
            arguments += u"--argument-%1"_s.arg(i);
        Approval approval = question(arguments);
        approval.before = approval.lines;
        approval.before[150].value = u"--before"_s;
        ui::LaunchLines lines;
        lines.setApproval(approval);
        const QString text = shown(lines, 500)->shownText();
        QVERIFY2(text.contains(u"Argument 150 · before --before"_s), qPrintable(text));
        QVERIFY2(text.contains(u"Argument 150 · now --argument-149"_s), qPrintable(text));
    }

private:
    static Approval question(const QStringList &arguments)
    {
        ServerSpec spec;
        spec.command = u"/bin/sh"_s;
        spec.arguments = arguments;
        QList<LaunchLine> lines = launchLines(spec, spec.command);
        lines.removeLast();  // the folder
        return {lines, {}};
    }

    static ui::TextView *shown(ui::LaunchLines &lines, int width)
    {
        lines.resize(width, 420);
        lines.show();
        [[maybe_unused]] const bool isThere = QTest::qWaitForWindowExposed(&lines);
        return lines.findChild<ui::TextView *>(u"launchLines"_s);
    }
};

SONDE_TEST(TestLaunchLines)
#include "tst_launchlines.moc"
