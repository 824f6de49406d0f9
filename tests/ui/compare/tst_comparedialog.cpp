// Two sides are chosen among what runs and what was recorded.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/dialogs/comparedialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde::ui;
using Kind = CompareChoice::Kind;

namespace {

QList<CompareChoice> choices()
{
    return {{Kind::Live, u"demo"_s, u"stdio"_s, u"/s/1"_s},
            {Kind::Live, u"other"_s, u"HTTP"_s, u"/s/2"_s},
            {Kind::Recorded, u"demo"_s, u"yesterday"_s, u"/s/3"_s},
            {Kind::Recorded, u"third"_s, u"long ago"_s, u"/s/4"_s}};
}

}  // namespace

class TestCompareDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void proposesAndChooses()
    {
        CompareDialog dialog(choices(), 2, 0, {});
        dialog.show();
        QCOMPARE(dialog.left(), choices()[2]);
        QCOMPARE(dialog.right(), choices()[0]);
        auto *start = dialog.findChild<QPushButton *>(u"compareStart"_s);
        QVERIFY(start->isEnabled());
        // Headings cannot be chosen: they are stepped over.
        auto *right = dialog.findChild<QListWidget *>(u"compareRightList"_s);
        QTest::keyClick(right, Qt::Key_Down);
        QCOMPARE(dialog.right(), choices()[1]);
        QTest::keyClick(right, Qt::Key_Down);
        QCOMPARE(dialog.right(), choices()[2]);
        QVERIFY2(!start->isEnabled(), "the same on both sides");
        QTest::keyClick(right, Qt::Key_Down);
        QCOMPARE(dialog.right(), choices()[3]);
        QTest::mouseClick(start, Qt::LeftButton);
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
    }

    void nothingChosenStartsNothing()
    {
        CompareDialog dialog(choices(), 1, -1, {});
        dialog.show();
        QVERIFY(!dialog.findChild<QPushButton *>(u"compareStart"_s)->isEnabled());
        CompareDialog none({}, -1, -1, {});
        none.show();
        QVERIFY(!none.findChild<QPushButton *>(u"compareStart"_s)->isEnabled());
        const auto labels = none.findChildren<QLabel *>(u"compareMessage"_s);
        QVERIFY(labels.value(0)->text().contains(u"Connect to a server first"_s));
    }

    // Two recordings of one server with a long name.
    void datesAreNotPushedOut()
    {
        const QString name = u"an extraordinarily long name of a server "_s.repeated(4);
        CompareDialog dialog({{Kind::Recorded, name, u"2026-01-31 12:00:00"_s, u"/s/1"_s},
                              {Kind::Recorded, name, u"2026-02-28 18:11:59"_s, u"/s/2"_s}},
                             0, 1, {});
        dialog.show();
        const auto *list = dialog.findChild<QListWidget *>(u"compareRightList"_s);
        const auto picture = [list](int row) {
            return list->viewport()->grab(list->visualItemRect(list->item(row))).toImage();
        };
        dialog.findChild<QListWidget *>(u"compareRightList"_s)->setCurrentRow(-1);
        QVERIFY(picture(1) != picture(2));
    }

    void filtered()
    {
        CompareDialog dialog(choices(), 3, 0, {});
        dialog.show();
        auto *list = dialog.findChild<QListWidget *>(u"compareLeftList"_s);
        auto *line = dialog.findChild<QLineEdit *>(u"compareLeftFilter"_s);
        const auto shown = [list] {
            QStringList texts;
            for (int row = 0; row < list->count(); ++row) {
                if (!list->item(row)->isHidden())
                    texts.append(list->item(row)->text().simplified());
            }
            return texts;
        };
        QTest::keyClicks(line, u"yester"_s);
        // No heading without anything under it.
        QCOMPARE(shown(), (QStringList{u"Recorded sessions"_s, u"demo yesterday"_s}));
        // What is filtered away is not chosen: the match is.
        QCOMPARE(dialog.left(), choices()[2]);
        QVERIFY(dialog.findChild<QPushButton *>(u"compareStart"_s)->isEnabled());
        // From the filter the keys go through the list.
        line->clear();
        QCOMPARE(shown().size(), 6);
        QTest::keyClick(line, Qt::Key_Down);
        QCOMPARE(dialog.left(), choices()[3]);
        QTest::keyClicks(line, u"nowhere"_s);
        QVERIFY(dialog.left().name.isEmpty());
        QVERIFY(!dialog.findChild<QPushButton *>(u"compareStart"_s)->isEnabled());
    }
};

SONDE_TEST(TestCompareDialog)
#include "tst_comparedialog.moc"
