// The tree of what a server offers, and the list of servers, as a person meets them.
// SPDX-License-Identifier: Apache-2.0
#include "core/client/statefuldialect.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"
#include "ui/panels/offermodel.h"
#include "ui/panels/offertree.h"
#include "ui/panels/serverlist.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;

class TestOffers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Their folders are read whether there is a server or not.
    void savedCallsBeforeAnyCatalog()
    {
        OfferModel model;
        model.setSavedCalls({}, {}, {});
        model.setSavedCalls({}, {{u"id"_s, u"Choose folder…"_s, {}, {}, true}}, {});
        QCOMPARE(model.rowCount(), 0);
        model.setCatalog(nullptr);
        const QModelIndex group = model.index(model.savedCallsRow(), 0);
        QCOMPARE(group.data().toString(), u"Saved calls"_s);
        QVERIFY(!group.data(OfferModel::VisibleRole).toBool());
        QCOMPARE(model.rowCount(group), 0);
    }

    void badges_data()
    {
        QTest::addColumn<QByteArray>("annotations");
        QTest::addColumn<QString>("first");
        QTest::newRow("nothing stated") << "{}"_ba << u"may write"_s;
        QTest::newRow("read-only") << R"({"readOnlyHint":true})"_ba << u"read-only"_s;
        QTest::newRow("read-only wins over destructive")
            << R"({"readOnlyHint":true,"destructiveHint":true})"_ba << u"read-only"_s;
        QTest::newRow("destructive") << R"({"readOnlyHint":false,"destructiveHint":true})"_ba << u"destructive"_s;
        QTest::newRow("writes, harmless") << R"({"readOnlyHint":false,"destructiveHint":false})"_ba << u"writes"_s;
        QTest::newRow("not read-only, nothing more") << R"({"readOnlyHint":false})"_ba << u"may write"_s;
    }

    void badges()
    {
        QFETCH(QByteArray, annotations);
        QFETCH(QString, first);
        const Tool tool = readTool(
            json::parse("{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":" + annotations + '}'));
        QCOMPARE(badgesOf(tool).value(0).text, first);
        const QString icon = badgesOf(tool).value(0).icon;  // a text would take the room of the name
        QVERIFY2(QFile::exists(u":/icons/%1.svg"_s.arg(icon)), qPrintable(icon));
    }

    void whatExtensionsKeepInResources()
    {
        QCOMPARE(resourceKindOf(u"ui://weather/view"), ResourceKind::App);
        QCOMPARE(resourceKindOf(u"UI://weather/view"), ResourceKind::App);
        QCOMPARE(resourceKindOf(u"skill://pdf/SKILL.md"), ResourceKind::Skill);
        QCOMPARE(resourceKindOf(u"file:///ui://x"), ResourceKind::Plain);
        for (const auto meta : {"{\"ui\":{\"resourceUri\":\"ui://a\"}}", "{\"ui/resourceUri\":\"ui://a\"}"}) {
            const Tool tool = readTool(json::parse(
                "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},\"_meta\":" + QByteArray(meta) + '}'));
            QCOMPARE(appUriOf(tool), u"ui://a"_s);
            QCOMPARE(badgesOf(tool).value(0).text, u"MCP App"_s);
        }
    }

    void theFilterSaysHowManyAndIsKeptForEachServer()
    {
        const auto isOpen = [](test::FakeTransport &transport) {
            transport.openNow();
            return &transport;
        };
        test::FakeTransport first;
        test::FakeTransport second;
        Client client(isOpen(first));
        Client otherClient(isOpen(second));
        client.setDialect(std::make_unique<StatefulDialect>());
        otherClient.setDialect(std::make_unique<StatefulDialect>());
        Catalog catalog(&client);
        Catalog other(&otherClient);
        QByteArrayList tools;
        for (int i = 0; i < 2000; ++i)
            tools.append("{\"name\":\"tool" + QByteArray::number(i) + "\",\"inputSchema\":{}}");
        catalog.refresh(Catalog::List::Tools);
        first.response(first.expectSent(methods::ListTools), "{\"tools\":[" + tools.join(',') + "]}");
        other.refresh(Catalog::List::Tools);
        second.response(second.expectSent(methods::ListTools), "{\"tools\":[]}");
        OfferTree tree;
        auto *line = tree.findChild<QLineEdit *>(u"offerFilter"_s);
        const auto *count = tree.findChild<QLabel *>(u"offerCount"_s);
        tree.setCatalog(&catalog, u"large"_s);
        QTRY_COMPARE(tree.model()->rowCount(tree.model()->index(0, 0)), 2000);
        QVERIFY(count->isHidden());
        tree.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tree));
        QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(tree.findChild<QTreeView *>());
        QVERIFY(spoken->childCount() > 2000);
        line->setText(u"tool199"_s);
        // A screen reader that asks at once is told of the rows that are left.
        QStringList rows;
        for (int i = 0; i < spoken->childCount(); ++i) {
            if (!spoken->child(i)->rect().isEmpty())
                rows += spoken->child(i)->text(QAccessible::Name);
        }
        QVERIFY(!rows.filter(u"tool1999"_s).isEmpty());
        QVERIFY(rows.filter(u"tool0"_s).isEmpty());
        QVERIFY(!count->isHidden());
        QCOMPARE(count->text(), u"11 of "_s + grouped(2000));
        // A list without entries says so, also to those who filter another one.
        tree.setCatalog(&other, u"empty"_s);
        QCOMPARE(line->text(), QString());
        QVERIFY(count->isHidden());
        const QModelIndex group = tree.model()->index(0, 0);
        QTRY_COMPARE(tree.model()->index(0, 0, group).data().toString(), u"No tools"_s);
        QCOMPARE(tree.model()->index(0, 0, group).data(Qt::ToolTipRole).toString(), u"The server lists no tools"_s);
        tree.setCatalog(&catalog, u"large"_s);
        QCOMPARE(line->text(), u"tool199"_s);
        QCOMPARE(count->text(), u"11 of "_s + grouped(2000));
    }

    // A worker reads it; rows come in the order of the list, and the entry that was chosen stays so.
    void aLongListArrivesInOrder()
    {
        test::FakeTransport transport;
        transport.openNow();
        Client client(&transport);
        client.setDialect(std::make_unique<StatefulDialect>());
        Catalog catalog(&client);
        catalog.setRefreshInterval(std::chrono::milliseconds(0));
        OfferTree tree;
        QAbstractItemModelTester tester(tree.model());
        tree.setCatalog(&catalog);
        const auto list = [&](int count, const QByteArray &prefix) {
            QByteArrayList tools;
            for (int i = 0; i < count; ++i)
                tools.append("{\"name\":\"" + prefix + QByteArray::number(i) + "\",\"inputSchema\":{}}");
            catalog.refresh(Catalog::List::Tools);
            transport.response(transport.expectSent(methods::ListTools), "{\"tools\":[" + tools.join(',') + "]}");
        };
        const auto current = [&tree] {
            const QModelIndex index = tree.findChild<QTreeView *>()->currentIndex();
            return index.data(OfferModel::RefRole).value<OfferRef>().key;
        };
        const QModelIndex group = tree.model()->index(0, 0);
        list(3000, "a");
        QTRY_COMPARE(tree.model()->rowCount(group), 3000);
        for (int row = 0; row < 3000; ++row)
            QCOMPARE(tree.model()->index(row, 0, group).data().toString(), u"a%1"_s.arg(row));
        const OfferRef last{OfferRef::Kind::Tool, u"a2999"_s};
        tree.select(last);
        QCOMPARE(current(), last.key);
        list(3001, "a");
        QTRY_COMPARE(tree.model()->rowCount(group), 3001);
        QCOMPARE(tree.model()->indexOf(last).row(), 2999);
        QCOMPARE(current(), last.key);
        // The list changes while it is read, and the connection goes.
        list(2000, "b");
        catalog.suspend();
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(tree.model()->rowCount(group), 3001);
        catalog.load(json::parse(R"({"tools":{}})"));
        transport.response(transport.expectSent(methods::ListTools), R"({"tools":[{"name":"c","inputSchema":{}}]})");
        QCOMPARE(tree.model()->rowCount(group), 1);
        QVERIFY(!tree.model()->indexOf(last).isValid());
    }

    void serverListKeepsRowsThatStay()
    {
        ServerListModel model;
        QAbstractItemModelTester tester(&model);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        ServerItem one;
        one.name = u"one"_s;
        one.detail = u"stdio"_s;
        ServerItem two;
        two.name = u"two\u202Ex"_s;
        two.detail = u"exited 127"_s;
        two.isFailure = true;
        model.setItems({one, two});
        QCOMPARE(resets.size(), 1);
        one.detail = u"stdio · 2025-11-25"_s;
        model.setItems({one, two});
        QCOMPARE(resets.size(), 1);
        QCOMPARE(changes.size(), 1);
        QCOMPARE(model.index(0).data(ServerListModel::DetailRole).toString(), one.detail);
        // A name cannot turn the rest of its line around.
        QVERIFY(!model.index(1).data().toString().contains(QChar(0x202e)));
        model.setItems({two});
        QCOMPARE(model.rowCount(), 1);
    }

    void serverListButtonStartsAndStops()
    {
        ServerListModel model;
        ServerListView view;
        view.setModel(&model);
        ServerItem idle;
        idle.name = u"idle"_s;
        ServerItem live;
        live.name = u"live"_s;
        live.canStart = false;
        live.canStop = true;
        model.setItems({idle, live});
        view.resize(240, 120);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QSignalSpy started(&view, &ServerListView::startRequested);
        QSignalSpy stopped(&view, &ServerListView::stopRequested);
        const auto button = [&](int row) {
            const QRect line = view.visualRect(model.index(row));
            return QPoint(line.right() - 18, line.center().y());
        };
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, button(0));
        QCOMPARE(started.size(), 1);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, button(1));
        QCOMPARE(stopped.size(), 1);
        // Elsewhere on the line it only selects.
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          view.visualRect(model.index(0)).topLeft() + QPoint(30, 8));
        QCOMPARE(started.size(), 1);
    }
};

SONDE_TEST(TestOffers)
#include "tst_offers.moc"
