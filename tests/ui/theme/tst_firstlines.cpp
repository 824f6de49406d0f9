// A text that is too long for its place says so.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/theme/firstlines.h"
#include "ui/theme/widgets.h"

#include <QFontMetrics>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde::ui;

class TestFirstLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatFitsIsWhole()
    {
        QCOMPARE(firstLines(u"one two"_s, QFont(), 500, 3), u"one two"_s);
        QCOMPARE(firstLines(u"one\ntwo\nthree"_s, QFont(), 500, 3), u"one\ntwo\nthree"_s);
        QCOMPARE(firstLines({}, QFont(), 500, 3), QString());
    }

    void theLastLineEndsInDots()
    {
        QCOMPARE(firstLines(u"one\ntwo\nthree\nfour"_s, QFont(), 500, 3), u"one\ntwo\nthree…"_s);
        const QString shown = firstLines(QString(u"word "_s).repeated(100), QFont(), 120, 2);
        QCOMPARE(shown.count(u'\n'), 1);
        QVERIFY2(shown.endsWith(u'…'), qPrintable(shown));
    }

    void noLineIsWiderThanItsPlace()
    {
        const QFontMetrics metrics{QFont()};
        const QString shown = firstLines(u"sh -c "_s + QString(400, u'y'), QFont(), 120, 4);
        QCOMPARE(shown.count(u'\n'), 3);
        for (const QString &line : shown.split(u'\n'))
            QVERIFY2(metrics.horizontalAdvance(line) <= 120, qPrintable(line));
    }

    void anEmptyStateCutsNothingSilently()
    {
        EmptyState state(u"Waiting"_s, u"bash -c "_s + QString(2000, u'y'));
        state.resize(240, 400);
        state.show();
        QVERIFY(QTest::qWaitForWindowExposed(&state));
        const auto *text = state.findChildren<TextLabel *>().last();
        QVERIFY2(text->text().endsWith(u'…'), qPrintable(text->text()));
        QVERIFY(text->sizeHint().width() <= text->width());
        QVERIFY(text->height() >= 6 * text->fontMetrics().lineSpacing());
        state.setContent(u"Not connected"_s, u"command not found"_s);
        QCOMPARE(text->text(), u"command not found"_s);
    }

    void anEmptyStateIsWholeInASmallPlace()
    {
        EmptyState state(u"No result yet"_s, u"The result will appear here. Press Ctrl+Enter to call."_s);
        const QList<TextLabel *> labels = state.findChildren<TextLabel *>();
        const int line = labels.last()->fontMetrics().lineSpacing();
        state.resize(24 * line / 2, 6 * line);
        state.show();
        for (const TextLabel *label : labels)
            QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    }
};

SONDE_TEST(TestFirstLines)
#include "tst_firstlines.moc"
