// A line painted the quick way looks like one painted by Qt.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/theme/linepainter.h"
#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde::ui;

class LinePainterTest : public QObject {
    Q_OBJECT

private:
    struct Painted {
        QImage image;
        int width = 0;
    };

    template <typename Paint>
    static Painted painted(const QFont &font, Paint paint)
    {
        Painted result{QImage(700, 40, QImage::Format_ARGB32_Premultiplied), 0};
        result.image.fill(Qt::white);
        QPainter painter(&result.image);
        painter.setFont(font);
        result.width = paint(painter);
        return result;
    }
    static Painted ours(const QFont &font, const QRect &rect, const QString &text, Qt::Alignment alignment)
    {
        return painted(font, [&](QPainter &painter) { return paintLine(&painter, rect, text, alignment); });
    }
    static Painted qts(const QFont &font, const QRect &rect, const QString &text, Qt::Alignment alignment)
    {
        return painted(font, [&](QPainter &painter) {
            const QFontMetrics metrics(font);
            const QString shown = metrics.elidedText(text, Qt::ElideRight, rect.width());
            painter.drawText(rect, Qt::AlignVCenter | Qt::TextSingleLine | int(alignment), shown);
            return metrics.horizontalAdvance(shown);
        });
    }

private Q_SLOTS:
    void aMethodIsShortenedForItsTarget()
    {
        const int width = QFontMetrics(monoFont()).horizontalAdvance(u"tools/call structured-report"_s);
        QCOMPARE(methodBeside(u"tools/call"_s, u"structured-report"_s, width), u"tools/call"_s);
        // Each name alike, so that a column does not mix the two.
        QCOMPARE(methodBeside(u"tools/call"_s, u"structured-report"_s, width / 2), u"call"_s);
        QCOMPARE(methodBeside(u"tools/call"_s, u"add"_s, width / 2), u"call"_s);
        QCOMPARE(methodBeside(u"resources/list"_s, {}, 10), u"resources/list"_s);
    }

    void looksAlike_data()
    {
        QTest::addColumn<QFont>("font");
        QTest::addColumn<QString>("text");
        QFont bold = monoFont();
        bold.setBold(true);
        const QString ascii =
            u"notifications/message & {data: ~12345|} and so on, further than there is room for it all"_s;
        QTest::newRow("ascii") << monoFont() << ascii;
        QTest::newRow("short") << monoFont() << u"ms"_s;
        QTest::newRow("bold") << bold << ascii;
        QTest::newRow("letters of many widths") << smallFont() << ascii;
        QTest::newRow("beyond ascii") << monoFont()
                                      << u"Größe ✓ 日本語 and more of it, further than there is room for"_s;
        QTest::newRow("right to left") << monoFont() << u"שלום hello"_s;
    }
    void looksAlike()
    {
        QFETCH(QFont, font);
        QFETCH(QString, text);
        // Half a letter more than whole ones: what fits exactly is a matter of rounding.
        const int letter = QFontMetrics(font).horizontalAdvance(u'x');
        for (const Qt::AlignmentFlag alignment : {Qt::AlignLeft, Qt::AlignRight}) {
            for (const int letters : {2, 5, 11, 30, 77}) {
                const QRect rect(7, 4, letters * letter + letter / 2, 23);
                const Painted quick = ours(font, rect, text, alignment);
                const Painted stock = qts(font, rect, text, alignment);
                QCOMPARE(quick.width, stock.width);
                QCOMPARE(quick.image, stock.image);
            }
        }
    }

    void nothingWhereThereIsNoRoom()
    {
        const QRect rect(7, 4, 3, 23);
        QCOMPARE(ours(monoFont(), rect, u"text"_s, Qt::AlignLeft).width, 0);
        QCOMPARE(ours(monoFont(), QRect(7, 4, 0, 23), u"text"_s, Qt::AlignLeft).width, 0);
        QCOMPARE(ours(monoFont(), QRect(7, 4, 90, 23), {}, Qt::AlignLeft).width, 0);
    }
};

SONDE_TEST(LinePainterTest)
#include "tst_linepainter.moc"
