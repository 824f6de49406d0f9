// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/json/jsonrows.h"
#include "ui/json/jsontable.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QTest>
#include <numeric>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestJsonTable : public QObject {
    Q_OBJECT

private:
    struct Shown {
        explicit Shown(const QByteArray &array)
        {
            table.resize(600, 400);
            table.setArray(json::parse(array));
            table.show();
            view = table.findChild<QTableView *>(u"jsonTable"_s);
        }
        QStringList column(int column) const
        {
            QStringList texts;
            for (int row = 0; row < view->model()->rowCount(); ++row)
                texts.append(view->model()->index(row, column).data().toString());
            return texts;
        }
        QString count() const { return table.findChild<QLabel *>(u"tableCount"_s)->text(); }
        void clickHeader(int column) const
        {
            QHeaderView *header = view->horizontalHeader();
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                              {header->sectionViewportPosition(column) + header->sectionSize(column) / 2, 8});
        }
        QString copied(const QString &button) const
        {
            QGuiApplication::clipboard()->clear();
            table.findChild<QAbstractButton *>(button)->click();
            [&] { QTRY_VERIFY(!QGuiApplication::clipboard()->text().isEmpty()); }();
            return QGuiApplication::clipboard()->text();
        }

        JsonTable table;
        QTableView *view = nullptr;
    };

    static constexpr const char *Fruit =
        R"([{"name":"pear","n":10},{"name":"Apple","n":9,"more":{"a":[1]}},{"n":9007199254740993},)"
        R"({"name":"fig","n":9007199254740992,"more":null}])";

private Q_SLOTS:
    void keysAreColumns()
    {
        const Shown shown(Fruit);
        QCOMPARE(shown.view->model()->columnCount(), 3);
        QCOMPARE(shown.view->model()->headerData(2, Qt::Horizontal).toString(), u"more"_s);
        QCOMPARE(shown.column(0), (QStringList{u"pear"_s, u"Apple"_s, QString(), u"fig"_s}));
        QCOMPARE(shown.column(2), (QStringList{QString(), u"{\"a\":[1]}"_s, QString(), u"null"_s}));
        QCOMPARE(shown.count(), u"4 rows · 3 columns"_s);
    }

    void headersSort()
    {
        Shown shown(Fruit);
        QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
        shown.clickHeader(1);
        // By value, and exactly.
        QTRY_COMPARE(shown.column(1), (QStringList{u"9"_s, u"10"_s, u"9007199254740992"_s, u"9007199254740993"_s}));
        shown.clickHeader(1);
        QTRY_COMPARE(shown.column(1).first(), u"9007199254740993"_s);
        shown.clickHeader(1);
        QTRY_COMPARE(shown.column(1).first(), u"10"_s);  // as received
        shown.clickHeader(0);
        QTRY_COMPARE(shown.column(0), (QStringList{u"Apple"_s, u"fig"_s, u"pear"_s, QString()}));
        shown.clickHeader(0);
        QTRY_COMPARE(shown.column(0), (QStringList{u"pear"_s, u"fig"_s, u"Apple"_s, QString()}));  // absent: last
    }

    void columnsCanBeHidden()
    {
        const Shown shown(Fruit);
        const auto choose = [&](const QString &text) {
            Q_EMIT shown.view->horizontalHeader()->customContextMenuRequested(
                {shown.view->columnViewportPosition(1) + 4, 4});
            auto *menu = shown.table.findChild<QMenu *>(u"columnMenu"_s);
            QVERIFY(menu);
            for (QAction *action : menu->actions()) {
                if (action->text() == text)
                    action->trigger();
            }
            delete menu;
        };
        choose(u"Hide “n”"_s);
        QVERIFY(shown.view->isColumnHidden(1));
        QCOMPARE(shown.count(), u"4 rows · 3 columns · 1 hidden"_s);
        choose(u"more"_s);
        QVERIFY(shown.view->isColumnHidden(2));
        QCOMPARE(shown.copied(u"copyCsv"_s), u"name\r\npear\r\nApple\r\n\r\nfig\r\n"_s);
        choose(u"Show all columns"_s);
        QVERIFY(!shown.view->isColumnHidden(1) && !shown.view->isColumnHidden(2));
    }

    void rowsAreCopied()
    {
        const Shown shown("[{\"a\":\"x,\\\"y\\\"\",\"b\":1.50},{\"a\":\"two\\nlines|\",\"b\":[1, 2]},{\"b\":null}]");
        QCOMPARE(shown.copied(u"copyCsv"_s), u"a,b\r\n\"x,\"\"y\"\"\",1.50\r\n\"two\nlines|\",\"[1,2]\"\r\n,\r\n"_s);
        QCOMPARE(shown.copied(u"copyMarkdown"_s),
                 u"| a | b |\n| --- | --- |\n| x,\"y\" | 1.50 |\n| two<br>lines\\| | [1,2] |\n|  |  |\n"_s);
    }

    void cellsAreCopied()
    {
        const Shown shown(R"([{"a/b":"x"}])");
        QContextMenuEvent event(QContextMenuEvent::Mouse, {4, 4}, shown.view->viewport()->mapToGlobal(QPoint(4, 4)));
        QCoreApplication::sendEvent(shown.view->viewport(), &event);
        auto *menu = shown.table.findChild<QMenu *>(u"cellMenu"_s);
        QVERIFY(menu);
        QStringList copied;
        for (int i = 0; i < 3; ++i) {
            menu->actions().value(i)->trigger();
            copied.append(QGuiApplication::clipboard()->text());
        }
        QCOMPARE(copied, (QStringList{u"x"_s, u"\"x\""_s, u"/0/a~1b"_s}));
    }

    void elementsOfOtherKindsAreShown()
    {
        auto rows = readJsonRows(json::parse(R"([{"a":1},2,{"":3},{"a":4,"a":5}])"));
        QCOMPARE(rows->columns.size(), 3);
        QVERIFY(rows->columns[1].isEmpty() && !rows->columns[1].isNull() && rows->columns[2].isNull());
        QCOMPARE(rows->cell(1, 2).numberText(), "2"_ba);
        QCOMPARE(rows->cell(2, 1).numberText(), "3"_ba);
        QVERIFY(!rows->cell(0, 2).exists());
        QCOMPARE(rows->cell(3, 0).numberText(), "5"_ba);
        // Of very many keys the first are columns.
        QByteArray wide;
        for (int i = 0; i < 1000; ++i)
            wide += "{\"k" + QByteArray::number(i) + "\":1},";
        rows = readJsonRows(json::parse('[' + wide.chopped(1) + ']'));
        QCOMPARE(rows->columns.size(), JsonRows::MaxColumns);
        QCOMPARE(rows->leftOut, 1000 - JsonRows::MaxColumns);
    }

    void theFirstArrayOfObjectsIsTheTable_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("table");
        QTest::newRow("itself") << R"([{"a":1}])"_ba
                                << R"([{"a":1}])"_ba;
        QTest::newRow("a member") << R"({"n":1,"rows":[{"a":1}]})"_ba
                                  << R"([{"a":1}])"_ba;
        QTest::newRow("the outer one") << R"({"x":{"y":[{"b":1}]},"rows":[{"a":1}]})"_ba
                                       << R"([{"a":1}])"_ba;
        QTest::newRow("deeper") << R"({"x":{"y":[{"b":1}]}})"_ba
                                << R"([{"b":1}])"_ba;
        QTest::newRow("numbers") << "[1,2]"_ba
                                 << ""_ba;
        QTest::newRow("mixed") << R"([{"a":1},2])"_ba
                               << ""_ba;
        QTest::newRow("empty") << "[]"_ba
                               << ""_ba;
        QTest::newRow("empty objects") << "[{},{}]"_ba
                                       << ""_ba;
        QTest::newRow("no container") << "1"_ba
                                      << ""_ba;
    }

    void theFirstArrayOfObjectsIsTheTable()
    {
        QFETCH(QByteArray, text);
        QTEST(tableWithin(json::parse(text)).bytes(), "table");
    }

    void aHundredThousandRowsHoldUpNothing()
    {
        QByteArray array = "[";
        for (int i = 0; i < 100'000; ++i)
            array += "{\"id\":" + QByteArray::number((i * 7919LL) % 100'000) + ",\"name\":\"row " +
                     QByteArray::number(i) + "\",\"ok\":true},";
        array.back() = ']';
        const json::Value value = json::parse(array);
        JsonTable table;
        table.resize(700, 400);
        table.show();
        auto *view = table.findChild<QTableView *>(u"jsonTable"_s);
        table.setArray(value);
        QVERIFY(view->model()->rowCount() < 100'000);
        QTRY_COMPARE_WITH_TIMEOUT(view->model()->rowCount(), 100'000, test::Patience);
        const auto last = [view] { return view->model()->index(99'999, 0).data().toString(); };
        view->sortByColumn(0, Qt::AscendingOrder);
        QVERIFY(last() != u"99999"_s);
        QTRY_COMPARE_WITH_TIMEOUT(last(), u"99999"_s, test::Patience);
    }
};

}  // namespace sonde::ui

using TestJsonTable = sonde::ui::TestJsonTable;
SONDE_TEST(TestJsonTable)
#include "tst_jsontable.moc"
