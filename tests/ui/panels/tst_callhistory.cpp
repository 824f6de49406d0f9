// The previous calls of a tab: how many are kept, and what can be compared.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/panels/callhistory.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

using namespace sonde;
using namespace sonde::ui;

class TestCallHistory : public QObject {
    Q_OBJECT

private:
    static PastCall callOf(qint64 bytes, const QByteArray &arguments = {})
    {
        PastCall call;
        call.arguments = arguments;
        call.outcome.bytes = bytes;
        return call;
    }

private Q_SLOTS:
    void theOldestGo_data()
    {
        QTest::addColumn<qint64>("megabytes");
        QTest::addColumn<int>("kept");
        QTest::newRow("small") << qint64(0) << 100;
        QTest::newRow("large") << qint64(20) << 3;
        QTest::newRow("one too large is kept with the one before it") << qint64(100) << 2;
    }
    void theOldestGo()
    {
        QFETCH(qint64, megabytes);
        CallHistoryModel model;
        for (int i = 0; i < 150; ++i)
            model.add(callOf(megabytes * 1024 * 1024, QByteArray::number(i)));
        QTEST(model.rowCount(), "kept");
        QCOMPARE(model.at(0).arguments, QByteArray("149"));
        QCOMPARE(model.at(1).arguments, QByteArray("148"));
    }

    void callsWithoutArguments()
    {
        CallHistoryModel model;
        model.add(callOf(0, "{}"));
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("(no arguments)"));
        model.setNoArgumentsText(QStringLiteral("Read"));
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("Read"));
    }

    void someRowsAreKeptWhereThereIsLittleRoom()
    {
        CallHistoryModel model;
        CallHistoryView view(&model);
        model.add(callOf(10));
        const int oneRow = view.minimumSizeHint().height();
        for (int i = 0; i < 5; ++i)
            model.add(callOf(10));
        QVERIFY(view.minimumSizeHint().height() > 2 * oneRow);
        QVERIFY(view.minimumSizeHint().height() < view.sizeHint().height());
    }

    void secretsAreDots()
    {
        CallHistoryModel model;
        model.setSecretFinder([](const json::Value &arguments) { return QList<json::Value>{arguments[u"token"]}; });
        model.add(callOf(10, R"({"token":"sk-1234","n":1.0})"));
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("token=••• n=1.0"));
        QCOMPARE(model.shownArguments(0), QByteArray("{\"token\":\"•••\",\"n\":1.0}"));
        QVERIFY(model.at(0).arguments.contains("sk-1234"));
    }

    void theSelectedOneIsShown()
    {
        CallHistoryModel model;
        for (int i = 0; i < 3; ++i)
            model.add(callOf(10));
        CallHistoryView view(&model);
        view.resize(500, 200);
        view.show();
        view.setCurrentIndex(model.index(0));
        const QSignalSpy chosen(&view, &CallHistoryView::chosen);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.first().first().toInt(), 1);
        // The menu compares the row that it is opened on with the one that is shown.
        QTest::mouseClick(view.viewport(), Qt::RightButton, {}, view.visualRect(model.index(2)).center());
        QCOMPARE(view.currentIndex().row(), 1);
        QCOMPARE(chosen.size(), 1);
    }

    void everyOtherCallCanBeCompared()
    {
        CallHistoryModel model;
        for (int i = 0; i < 3; ++i)
            model.add(callOf(10, QByteArray("{\"a\":") + QByteArray::number(i) + '}'));
        CallHistoryView view(&model);
        view.resize(500, 200);
        view.show();
        view.setCurrentIndex(model.index(0));
        const QSignalSpy compared(&view, &CallHistoryView::compareRequested);
        const QSignalSpy clicked(&view, &QListView::clicked);
        const auto click = [&](int row) {
            const QRect rect = view.visualRect(model.index(row));
            QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {rect.right() - 14, rect.center().y()});
        };
        click(2);
        QCOMPARE(compared.size(), 1);
        QCOMPARE(compared.first().first().toInt(), 2);
        QCOMPARE(view.currentIndex().row(), 0);  // what is shown stays
        QCOMPARE(clicked.size(), 0);
        click(0);  // not with itself
        QCOMPARE(compared.size(), 1);
        QCOMPARE(clicked.size(), 1);

        // By keyboard, with the one before it.
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, view.mapToGlobal(QPoint()));
        QCoreApplication::sendEvent(&view, &event);
        auto *menu = view.findChild<QMenu *>(QStringLiteral("previousCallMenu"));
        QVERIFY(menu);
        menu->actions().first()->trigger();
        QCOMPARE(compared.last().first().toInt(), 1);
    }
};

SONDE_TEST(TestCallHistory)
#include "tst_callhistory.moc"
