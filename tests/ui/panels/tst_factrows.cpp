// Rows of facts that are told again and again, while somebody reads them.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/json/textview.h"
#include "ui/panels/factrows.h"
#include "ui/theme/widgets.h"

#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::ui::Fact;
using sonde::ui::FactRows;
using sonde::ui::TextLabel;
using sonde::ui::TextView;

class TestFactRows : public QObject {
    Q_OBJECT

private:
    struct Page {
        QWidget widget;
        FactRows *rows = new FactRows;
        QPushButton *again = new QPushButton(u"Again"_s, &widget);

        Page()
        {
            widget.setLayout(rows);
            widget.resize(400, 300);
            again->hide();
        }
        QStringList shown() const
        {
            QStringList texts;
            for (int row = 0; row < rows->rowCount(); ++row) {
                const auto *name = qobject_cast<QLabel *>(rows->itemAt(row, QFormLayout::LabelRole)->widget());
                texts += name->text() + u'=' + label(row)->text();
            }
            return texts;
        }
        TextLabel *label(int row) const
        {
            QWidget *field = rows->itemAt(row, QFormLayout::FieldRole)->widget();
            auto *text = qobject_cast<TextLabel *>(field);
            return text ? text : field->findChild<TextLabel *>();
        }
    };

private Q_SLOTS:
    void rowsComeChangeAndGo()
    {
        Page page;
        page.rows->setFacts({{u"a"_s, u"1"_s}, {u"b"_s, {}}, {u"c"_s, u"3"_s}});
        QCOMPARE(page.shown(), (QStringList{u"a=1"_s, u"c=3"_s}));
        page.rows->setFacts({{u"a"_s, u"1"_s}, {u"b"_s, u"2"_s}, {u"c"_s, u"4"_s}, {u"d"_s, u"5"_s}});
        QCOMPARE(page.shown(), (QStringList{u"a=1"_s, u"b=2"_s, u"c=4"_s, u"d=5"_s}));
        page.rows->setFacts({{u"d"_s, u"5"_s}, {u"a"_s, u"1"_s}});
        QCOMPARE(page.shown(), (QStringList{u"d=5"_s, u"a=1"_s}));
        page.rows->setFacts({});
        QCOMPARE(page.shown(), QStringList());
    }

    void selectedTextStaysSelected()
    {
        Page page;
        page.rows->setFacts({{u"Recording"_s, u"/home/somebody/session"_s}});
        page.widget.show();
        TextLabel *label = page.label(0);
        label->select(6, 8);
        page.rows->setFacts({{u"Lists"_s, u"Tools: 12 loaded"_s}, {u"Recording"_s, u"/home/somebody/session"_s}});
        QCOMPARE(page.label(1), label);
        QCOMPARE(label->selectedText(), u"somebody"_s);
    }

    void textIsSelectedWithTheMouse()
    {
        Page page;
        page.rows->setFacts({{u"Recording"_s, u"/home/somebody/session"_s}});
        page.widget.show();
        TextLabel *label = page.label(0);
        QTest::mouseDClick(label, Qt::LeftButton, {}, label->rect().center());
        QVERIFY2(!label->selectedText().isEmpty() && label->text().contains(label->selectedText()),
                 qPrintable(label->selectedText()));
        QCOMPARE(label->focusPolicy(), Qt::NoFocus);  // a click takes it from no field
    }

    void aCommandLineHidesNothing()
    {
        Page page;
        const QString command =
            u"/bin/sh -c 'a\nb"_s + QString(10'000, u' ') + u"touch /tmp/x;"_s + QString(900, u'x') + u"end'"_s;
        page.rows->setFacts({{u"Command"_s, command, true}});
        page.widget.show();
        auto *view = qobject_cast<TextView *>(page.rows->itemAt(0, QFormLayout::FieldRole)->widget());
        QVERIFY(view);
        QCOMPARE(view->text().count('\n'), 0);
        QVERIFY2(view->text().contains("‹LF›") && view->text().contains("spaces›touch"), view->text().constData());
        QVERIFY(QTest::qWaitForWindowExposed(&page.widget));
        // Nothing is cut at the edge, and what is higher than the box is scrolled to.
        QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
        view->verticalScrollBar()->setValue(view->verticalScrollBar()->maximum());
        QVERIFY2(view->shownText().endsWith(u"end'"_s), qPrintable(view->shownText()));
    }

    void rowsAreAsHighAsTheirLines()
    {
        Page page;
        page.rows->setFacts({{u"Command"_s, u"/bin/true"_s, true}, {u"Process"_s, u"4127"_s}});
        page.widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page.widget));
        const QWidget *exact = page.rows->itemAt(0, QFormLayout::FieldRole)->widget();
        const QWidget *text = page.label(1);
        QCOMPARE(exact->x(), text->x());
        QTRY_VERIFY2(qAbs(exact->height() - text->height()) <= 3, qPrintable(QString::number(exact->height())));
    }

    // A page that scrolls asks for heights at several widths; the rows have those of the one that they get.
    void rowsKeepNoHeightOfANarrowerLayout()
    {
        Page page;
        const QString path = u"/home/somebody/bin:/usr/local/bin:/usr/bin:/bin (Sonde's own)"_s;
        page.rows->setFacts({{u"PATH"_s, path}, {u"Environment"_s, path}, {u"Lists"_s, path.repeated(8)}});
        page.widget.resize(700, 300);
        page.widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page.widget));
        page.rows->setFacts({{u"PATH"_s, path + u':'}, {u"Environment"_s, path}, {u"Lists"_s, path.repeated(9)}});
        const int width = page.widget.width();
        const int height = page.rows->heightForWidth(width);
        QVERIFY(page.rows->heightForWidth(page.rows->sizeHint().width()) > height);
        page.rows->setGeometry({0, 0, width, height});
        for (int row = 0; row < 3; ++row)
            QCOMPARE(page.label(row)->height(), page.label(row)->heightForWidth(page.label(row)->width()));
    }

    void buttonIsPressedAcrossARefresh()
    {
        Page page;
        const auto facts = [&page](const QString &revision, const QString &lists) {
            return QList<Fact>{{u"Lists"_s, lists}, {u"Revision"_s, revision, false, page.again}};
        };
        page.rows->setFacts(facts(u"2025-06-18"_s, {}));
        page.widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page.widget));
        QTRY_VERIFY(page.again->isVisible());
        page.again->setFocus();
        QSignalSpy clicked(page.again, &QPushButton::clicked);
        QTest::mousePress(page.again, Qt::LeftButton);
        page.rows->setFacts(facts(u"2025-11-25"_s, u"Tools: 12 loaded"_s));
        QTest::mouseRelease(page.again, Qt::LeftButton);
        QCOMPARE(clicked.size(), 1);
        QVERIFY(page.again->hasFocus());
        QCOMPARE(page.shown().last(), u"Revision=2025-11-25"_s);
    }

    void buttonOutlivesItsRow()
    {
        Page page;
        page.widget.show();
        page.rows->setFacts({{u"Revision"_s, u"2025-06-18"_s, false, page.again}});
        QTRY_VERIFY(page.again->isVisible());
        page.rows->setFacts({});
        QVERIFY(!page.again->isVisible());
        QCOMPARE(page.again->parentWidget(), &page.widget);
        page.rows->setFacts({{u"Revision"_s, u"2025-06-18"_s, false, page.again}});
        QTRY_VERIFY(page.again->isVisible());
        page.rows->setFacts({{u"Revision"_s, u"2025-06-18"_s}});  // chosen now, so that there is nothing to detect
        QVERIFY(!page.again->isVisible());
        QCOMPARE(page.shown(), QStringList{u"Revision=2025-06-18"_s});
    }
};

SONDE_TEST(TestFactRows)
#include "tst_factrows.moc"
