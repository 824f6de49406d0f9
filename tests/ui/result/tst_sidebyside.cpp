// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/support/testregistry.h"
#include "ui/diff/differencemodel.h"
#include "ui/diff/sidebyside.h"
#include "ui/json/background.h"
#include "ui/json/textview.h"

#include <QAbstractItemModelTester>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestSideBySide : public QObject {
    Q_OBJECT

private:
    struct Compared {
        json::Document left;
        json::Document right;
        QList<json::Difference> differences;
        SideBySideText text;

        Compared(const QByteArray &one, const QByteArray &other)
            : left(json::Document::parse(one)), right(json::Document::parse(other))
        {
            differences = json::diff(left.root(), right.root()).differences;
            text = layOutSideBySide(left, right, differences);
        }
        QByteArray leftPart(qsizetype i) const
        {
            return text.left.mid(text.leftRanges[i].offset, text.leftRanges[i].length);
        }
        QByteArray rightPart(qsizetype i) const
        {
            return text.right.mid(text.rightRanges[i].offset, text.rightRanges[i].length);
        }
    };

    static qsizetype lineOf(const QByteArray &text, qsizetype offset) { return text.left(offset).count('\n'); }

    static QByteArray manyMembers(int count, int changed)
    {
        QByteArray text = "{";
        for (int i = 0; i < count; ++i)
            text += QByteArray(i > 0 ? "," : "") + "\"member" + QByteArray::number(i) +
                    "\":" + QByteArray::number(i == changed ? -1 : i);
        return text + "}";
    }

private Q_SLOTS:
    void whatBelongsTogetherStandsAcross()
    {
        const Compared compared("{\"a\":1,\"gone\":[1,2],\"b\":2,\"c\":\"x\"}"_ba,
                                "{\"a\":1,\"b\":3,\"new\":{},\"c\":\"x\"}"_ba);
        QCOMPARE(compared.differences.size(), 3);
        QCOMPARE(compared.text.left.count('\n'), compared.text.right.count('\n'));
        const QList<QByteArray> left = compared.text.left.split('\n');
        const QList<QByteArray> right = compared.text.right.split('\n');
        for (qsizetype i = 0; i < left.size(); ++i) {
            if (left[i].contains("\"a\"") || left[i].contains("\"c\""))
                QCOMPARE(right[i], left[i]);
            if (left[i].contains("\"gone\""))
                QCOMPARE(right[i], QByteArray());
            if (left[i].contains("\"b\""))
                QVERIFY(right[i].contains("\"b\""));
            if (right[i].contains("\"new\""))
                QCOMPARE(left[i], QByteArray());
        }
    }

    void everyDifferenceHasItsPlace()
    {
        const Compared compared("{\"a\": 1, \"gone\": [1, 2], \"b\": 2}"_ba,
                                "{\"b\": 2.0, \"new\": {}, \"a\": true}"_ba);
        QCOMPARE(compared.differences.size(), 4);
        for (qsizetype i = 0; i < compared.differences.size(); ++i) {
            const json::Difference &difference = compared.differences[i];
            if (difference.left.exists())
                QCOMPARE(json::parse(compared.leftPart(i)).size(), difference.left.size());
            if (difference.right.exists())
                QCOMPARE(json::parse(compared.rightPart(i)).kind(), difference.right.kind());
            if (difference.pointer == u"/gone")
                QCOMPARE(lineOf(compared.text.right, compared.text.rightRanges[i].offset),
                         lineOf(compared.text.left, compared.text.leftRanges[i].offset));
        }
    }

    void jsonInTextsIsLaidOutToo()
    {
        const Compared compared(
            "{\"t\":\"{\\\"rows\\\": [1, 2], \\\"name\\\": \\\"\\u00e4\\ud83d\\ude00\\\", \\\"n\\\": 7}\"}",
            "{\"t\":\"{\\\"rows\\\": [1, 5], \\\"name\\\": \\\"\\u00e4\\ud83d\\ude00\\\", \\\"n\\\": 8}\"}");
        QCOMPARE(compared.differences.size(), 2);
        QCOMPARE(compared.differences[0].pointer, u"/t#/rows/1"_s);
        QVERIFY(compared.text.hasEmbeddedJson);
        QVERIFY(compared.text.left.contains("  \"t\": {\n    \"rows\": [\n"));
        QCOMPARE(compared.text.differences[0].pointer, u"/t/rows/1"_s);
        QCOMPARE(compared.leftPart(0), "2"_ba);
        QCOMPARE(compared.rightPart(0), "5"_ba);
        QCOMPARE(compared.leftPart(1), "7"_ba);
        QCOMPARE(compared.rightPart(1), "8"_ba);
        // JSON within a string within JSON within a string.
        const QByteArray inner = "{\"deep\":%1}";
        const auto wrapped = [](const QByteArray &text) { return "[" + json::quoted(QString::fromUtf8(text)) + "]"; };
        const Compared nested(wrapped(wrapped(QByteArray(inner).replace("%1", "12"))),
                              wrapped(wrapped(QByteArray(inner).replace("%1", "13"))));
        QCOMPARE(nested.differences.size(), 1);
        QCOMPARE(nested.leftPart(0), "12"_ba);
        QCOMPARE(nested.rightPart(0), "13"_ba);
    }

    void theSameTextTwiceIsToldApart()
    {
        const Compared compared("[\"{\\\"a\\\":1}\",\"{\\\"a\\\":1}\"]"_ba, "[\"{\\\"a\\\":1}\",\"{\\\"a\\\":2}\"]"_ba);
        QCOMPARE(compared.differences.size(), 1);
        QVERIFY(compared.text.left.contains("\"{\\\"a\\\":1}\",\n"));  // the first is what it was
        QCOMPARE(lineOf(compared.text.left, compared.text.leftRanges[0].offset), 3);
        QCOMPARE(compared.leftPart(0), "1"_ba);
    }

    void textsWithoutDifferencesAndKeysWithSignsStay()
    {
        const Compared same("{\"n\":1,\"text\":\"{\\\"a\\\":1}\"}"_ba, "{\"n\":2,\"text\":\"{\\\"a\\\":1}\"}"_ba);
        QVERIFY(!same.text.hasEmbeddedJson);
        QVERIFY(same.text.right.contains("\"{\\\"a\\\":1}\""));
        const Compared key("{\"a\":\"x\",\"a#b\":1}"_ba, "{\"a\":\"x\",\"a#b\":2}"_ba);
        QVERIFY(!key.text.hasEmbeddedJson);
        QCOMPARE(key.text.differences[0].pointer, u"/a#b"_s);
        QCOMPARE(key.rightPart(0), "2"_ba);
        const Compared both("{\"a#b\":\"{\\\"n\\\":1}\"}"_ba, "{\"a#b\":\"{\\\"n\\\":2}\"}"_ba);
        QVERIFY(both.text.hasEmbeddedJson);
        QCOMPARE(both.rightPart(0), "2"_ba);
    }

    void aTextThatIsTooDeepToBeLaidOutIsMarkedAsAWhole()
    {
        const auto nested = [](const QByteArray &inside) {
            return QByteArray(600, '[') + inside + QByteArray(600, ']');
        };
        const auto whole = [&nested](const char *number) {
            return nested(json::quoted(QString::fromUtf8(nested(number))));
        };
        const Compared compared(whole("1"), whole("2"));
        QCOMPARE(compared.differences.size(), 1);
        QVERIFY(compared.differences[0].pointer.contains(u'#'));
        QVERIFY(!compared.text.hasEmbeddedJson);
        QCOMPARE(compared.leftPart(0), json::quoted(QString::fromUtf8(nested("1"))));
        QCOMPARE(compared.rightPart(0), json::quoted(QString::fromUtf8(nested("2"))));
    }

    void brokenJsonIsShownAsItIs()
    {
        const Compared compared("{\"a\":1"_ba, "{\"a\":1}"_ba);
        QVERIFY(compared.text.left.startsWith("{\"a\":1"_ba));
        QVERIFY(compared.text.right.contains("\"a\": 1"));
    }

    void partsOfDocumentsCanBeCompared()
    {
        const json::Document left = json::Document::parse("{\"id\":1,\"result\":{\"n\":1}}"_ba);
        const json::Document right = json::Document::parse("{\"id\":22,\"result\":{\"n\":2}}"_ba);
        const auto differences = json::diff(left.root()[u"result"], right.root()[u"result"]).differences;
        const SideBySideText text = layOutSideBySide(left.root()[u"result"], right.root()[u"result"], differences);
        QCOMPARE(text.left.mid(text.leftRanges[0].offset, text.leftRanges[0].length), "1"_ba);
        QCOMPARE(text.right.mid(text.rightRanges[0].offset, text.rightRanges[0].length), "2"_ba);
        QVERIFY(!text.left.contains("result"));
    }

    void bothSidesScrollTogether()
    {
        const json::Document left = json::Document::parse(manyMembers(300, -1));
        const json::Document right = json::Document::parse(manyMembers(300, 200));
        SideBySide view;
        view.resize(600, 300);
        view.setSides(left, right, json::diff(left.root(), right.root()).differences);
        view.show();
        auto *leftText = view.findChild<TextView *>(u"leftText"_s);
        auto *rightText = view.findChild<TextView *>(u"rightText"_s);
        leftText->verticalScrollBar()->setValue(40);
        QCOMPARE(rightText->verticalScrollBar()->value(), 40);
        rightText->verticalScrollBar()->setValue(10);
        QCOMPARE(leftText->verticalScrollBar()->value(), 10);

        view.showDifference(0);
        QVERIFY(leftText->shownText().contains(u"member200"));
        QVERIFY(rightText->shownText().contains(u"\"member200\": -1"));
    }

    void whatIsOnOneSideOnlyHasTheRoomOfBoth()
    {
        const json::Document only = json::Document::parse("{\"a\":1}"_ba);
        SideBySide view;
        view.resize(600, 300);
        view.show();
        auto *leftText = view.findChild<TextView *>(u"leftText"_s);
        auto *rightText = view.findChild<TextView *>(u"rightText"_s);
        view.setSides({}, only, {});
        QTRY_VERIFY(!leftText->isVisible() && rightText->width() > 560);
        view.setSides(only, only, {});
        QTRY_VERIFY(leftText->isVisible() && rightText->width() < 300);
    }

    void clickingALineNamesItsDifference()
    {
        const json::Document left = json::Document::parse("{\"a\":\"one two\"}"_ba);
        const json::Document right = json::Document::parse("{\"a\":\"three\"}"_ba);
        SideBySide view;
        view.resize(700, 300);
        view.setSides(left, right, json::diff(left.root(), right.root()).differences);
        view.show();
        QSignalSpy clicked(&view, &SideBySide::differenceClicked);
        auto *rightText = view.findChild<TextView *>(u"rightText"_s);
        const QFontMetrics metrics(monoFont());
        QTest::mouseClick(
            rightText->viewport(), Qt::LeftButton, {},
            QPoint(metrics.horizontalAdvance(u"≠   \"a\": \"th"_s) + 4, metrics.lineSpacing() * 3 / 2 + 4));
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked.first().first().toLongLong(), 0);
    }

    void largeTextsAreLaidOutInTheBackground()
    {
        const json::Document left = json::Document::parse(manyMembers(6000, -1));
        const json::Document right = json::Document::parse(manyMembers(6000, 5990));
        QVERIFY(left.text().size() > BackgroundBytes);
        SideBySide view;
        view.resize(600, 300);
        view.setSides(left, right, json::diff(left.root(), right.root()).differences);
        view.showDifference(0);
        view.show();
        auto *rightText = view.findChild<TextView *>(u"rightText"_s);
        QTRY_VERIFY_WITH_TIMEOUT(rightText->shownText().contains(u"\"member5990\": -1"), 30'000);
    }

    void theListSaysWhatDiffers()
    {
        DifferenceModel model;
        QAbstractItemModelTester tester(&model);
        const Compared compared("{\"n\":1,\"t\":\"0\",\"s\":\"a\",\"gone\":1}"_ba,
                                "{\"n\":1.0,\"t\":0,\"s\":\"b\",\"new\":[1,2]}"_ba);
        model.setTitles(u"then"_s, u"now"_s);
        model.setDifferences(compared.differences);
        const auto row = [&model](const QString &where) {
            QStringList cells;
            for (int i = 0; i < model.rowCount(); ++i) {
                if (model.index(i, 0).data().toString() != where)
                    continue;
                for (int column = 1; column < DifferenceModel::ColumnCount; ++column)
                    cells << model.index(i, column).data().toString();
            }
            return cells;
        };
        QCOMPARE(row(u"/n"_s), (QStringList{u"1"_s, u"1.0"_s, u"number format"_s}));
        QCOMPARE(row(u"/t"_s), (QStringList{u"\"0\""_s, u"0"_s, u"type"_s}));
        QCOMPARE(row(u"/s"_s), (QStringList{u"\"a\""_s, u"\"b\""_s, u""_s}));
        QCOMPARE(row(u"/gone"_s), (QStringList{u"1"_s, u"absent"_s, u"removed"_s}));
        QCOMPARE(row(u"/new"_s), (QStringList{u"absent"_s, u"[1,2]"_s, u"added"_s}));
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), u"then"_s);
    }
};

}  // namespace sonde::ui

using TestSideBySide = sonde::ui::TestSideBySide;
SONDE_TEST(TestSideBySide)
#include "tst_sidebyside.moc"
