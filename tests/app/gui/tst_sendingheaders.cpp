// A recorded message sent again with other HTTP headers: from the timeline through the dialog to a server of ours.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/fakehttpserver.h"
#include "ui/dialogs/pairtable.h"
#include "ui/timeline/timelinepanel.h"

#include <QClipboard>
#include <QDirIterator>
#include <QFile>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace sonde;
using test::FakeHttpServer;
using test::TestWindow;
using HeaderMap = QMap<QByteArray, QByteArray>;  // names in lower case

class TestSendingHeaders : public QObject {
    Q_OBJECT

private:
    static constexpr const char *Canary = "canary-typed-4711";

    // One tool, which says what it was called with.
    static void serve(const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer)
    {
        const Message message = Message::parse(request.body);
        const auto response = [&](const QByteArray &result, const FakeHttpServer::Headers &headers = {}) {
            peer.json(Message::response(message.id(), result).raw(), headers);
        };
        if (message.kind() != Message::Kind::Request)
            return peer.response(request.method == "POST" ? 202 : 405, {}, {});
        if (message.method() == methods::Initialize) {
            response(
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"fake\","
                "\"version\":\"1\"}}",
                {{"Mcp-Session-Id", "session-of-the-test"}});
        } else if (message.method() == methods::ListTools) {
            response("{\"tools\":[{\"name\":\"seen\",\"inputSchema\":{\"type\":\"object\"}}]}");
        } else {
            json::Builder text;
            text.beginObject().key(u"content").beginArray().beginObject();
            text.member(u"type", u"text").member(u"text", QString::fromUtf8(request.header("Authorization")));
            response(text.endObject().endArray().endObject().take());
        }
    }

    static HeaderMap sentIn(const FakeHttpServer::Request &request)
    {
        HeaderMap map;
        for (const auto &[name, value] : request.headers)
            map.insert(name.toLower(), value);
        map.remove("content-length");
        return map;
    }

    static qsizetype lastRow(const TestWindow &desk, WireEvent::Kind kind, Direction direction)
    {
        for (qsizetype row = desk.session()->size() - 1; row >= 0; --row) {
            const RecordInfo &record = desk.session()->at(row);
            if (record.kind == kind && record.direction == direction)
                return row;
        }
        return -1;
    }
    static qsizetype lastSent(const TestWindow &desk)
    {
        return lastRow(desk, WireEvent::Kind::Message, Direction::ToServer);
    }

    // Connected with headers of the server's own; its tool was called, and the row of the call is selected.
    static bool hasCalled(TestWindow &desk, const FakeHttpServer &server)
    {
        ServerSpec spec;
        spec.name = u"fake"_s;
        spec.kind = ServerSpec::Kind::Http;
        spec.url = server.url();
        spec.headers = {{u"Authorization"_s, u"Bearer of-the-server-0815"_s}, {u"X-Team"_s, u"blue"_s}};
        if (!desk.workspace().add(spec))
            return false;
        desk.servers().connectServer(spec.name);
        if (!desk.isConnected(u"fake"_s) ||
            !QTest::qWaitFor([&] { return desk.offered().contains(u"seen"_s); }, test::Patience) ||
            !desk.open(u"seen"_s) || !desk.call(u"✓ OK"_s))
            return false;
        desk.window().timeline->showRow(lastSent(desk));
        return true;
    }

    static QString copiedAsCurl(TestWindow &desk, qsizetype row)
    {
        desk.window().timeline->showRow(row);
        auto *table = desk.find<QTableView>(u"timelineTable"_s);
        test::WhenMenu menu([](QMenu *shown) { test::chooseInMenu(shown, u"Copy as curl"_s); });
        Q_EMIT table->customContextMenuRequested(table->visualRect(table->currentIndex()).center());
        return QTest::qWaitFor([&menu] { return menu.hasRun(); }, test::Patience) ? QGuiApplication::clipboard()->text()
                                                                                  : QString();
    }

    static QByteArray everythingWritten()
    {
        QByteArray all;
        QDirIterator files(qEnvironmentVariable("HOME"), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly))
                all += file.readAll();
        }
        return all;
    }

    static int rowOf(const ui::PairTable *table, const QString &name)
    {
        for (int row = 0; row < table->rowCount(); ++row) {
            if (table->item(row, 0)->text() == name)
                return row;
        }
        return -1;
    }
    // A double click, and what is there is typed over.
    static void type(ui::PairTable *table, int row, int column, const QString &text)
    {
        table->scrollToItem(table->item(row, column));
        const QPoint place = table->visualItemRect(table->item(row, column)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, place);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(QApplication::focusWidget(), text);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCoreApplication::processEvents();
    }

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    // A server that is not kept any more is named by its address and headers, in the tab of a tool as in the timeline.
    void aCallIsCopiedWithTheHeadersOfItsServer()
    {
        FakeHttpServer server(&serve);
        TestWindow desk;
        QVERIFY(hasCalled(desk, server));
        QVERIFY(QFile::remove(TestWindow::configPath(u"servers.json"_s)));
        for (QAction *action : desk.panel()->findChild<QToolButton *>(u"copyAs"_s)->menu()->actions()) {
            if (action->text().startsWith(u"sonde-cli"_s))
                action->trigger();
        }
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.contains(u"--header 'X-Team: blue'"), qPrintable(copied));
        QVERIFY2(copied.contains(u"--url "_s + server.url().toString()), qPrintable(copied));
        QVERIFY(!copied.contains(u"of-the-server-0815"));
        QVERIFY(desk.close());
    }

    void theServerGetsWhatWasTyped()
    {
        FakeHttpServer server(serve);
        {
            TestWindow desk;
            QVERIFY(hasCalled(desk, server));
            const HeaderMap before = sentIn(server.requests("POST").last());
            QCOMPARE(before.value("authorization"), "Bearer of-the-server-0815"_ba);
            const qsizetype first = lastSent(desk);
            test::WhenDialog dialog([](QDialog *shown) {
                QTRY_COMPARE(QApplication::activeWindow(), shown);  // keys go where the focus is
                auto *table = shown->findChild<ui::PairTable *>(u"sendHeaders"_s);
                QVERIFY(table && table->isVisible());
                QCOMPARE(table->item(rowOf(table, u"X-Team"_s), 1)->text(), u"blue"_s);
                QCOMPARE(table->item(rowOf(table, u"MCP-Protocol-Version"_s), 1)->text(), u"2025-11-25"_s);
                for (const QString &name : {u"Authorization"_s, u"Mcp-Session-Id"_s}) {
                    const QTableWidgetItem *value = table->item(rowOf(table, name), 1);
                    QVERIFY(value->text().isEmpty());
                    QCOMPARE(value->data(Qt::AccessibleTextRole).toString(), u"default value"_s);
                }
                type(table, rowOf(table, u"Authorization"_s), 1, u"Bearer "_s + QLatin1String(Canary));
                type(table, rowOf(table, u"MCP-Protocol-Version"_s), 1, u"1999-12-31"_s);
                type(table, table->rowCount() - 1, 0, u"X-Trace"_s);
                type(table, rowOf(table, u"X-Trace"_s), 1, u"on"_s);
                table->setCurrentCell(rowOf(table, u"Accept"_s), 0);
                QTest::mouseClick(shown->findChild<QToolButton *>(u"sendHeadersRemove"_s), Qt::LeftButton);
                QTest::mouseClick(shown->findChild<QPushButton *>(u"sendMessage"_s), Qt::LeftButton);
            });
            QTest::mouseClick(desk.find<QToolButton>(u"editAndSend"_s), Qt::LeftButton);
            QVERIFY(dialog.hasRun());
            QTRY_VERIFY(lastSent(desk) > first && desk.session()->partnerOf(lastSent(desk)) > 0);
            const qsizetype edited = lastSent(desk);
            HeaderMap expected = before;
            expected.remove("accept");
            expected.insert(
                {{"authorization", "Bearer "_ba + Canary}, {"mcp-protocol-version", "1999-12-31"}, {"x-trace", "on"}});
            QCOMPARE(sentIn(server.requests("POST").last()), expected);

            // The record has them, without the secret; so has what is copied from it.
            const QByteArray facts =
                desk.session()->facts(lastRow(desk, WireEvent::Kind::HttpRequest, Direction::ToServer));
            QVERIFY2(facts.contains("[\"X-Trace\",\"on\"]") && !facts.contains("\"Accept\","), facts.constData());
            QVERIFY2(facts.contains("\"Bearer \xE2\x80\xB9"
                                    "authorization:"),
                     facts.constData());
            const QString curl = copiedAsCurl(desk, edited);
            QVERIFY2(curl.contains(u"X-Trace: on") && curl.contains(u"--header Accept: "), qPrintable(curl));
            QVERIFY2(curl.contains(u"1999-12-31") && !curl.contains(QLatin1String(Canary)), qPrintable(curl));

            // Edited once more it starts from there: what was masked is Sonde's own again, what was left out stays out.
            desk.window().timeline->showRow(edited);
            test::WhenDialog again([](QDialog *shown) {
                auto *table = shown->findChild<ui::PairTable *>(u"sendHeaders"_s);
                QCOMPARE(rowOf(table, u"Accept"_s), -1);
                QTest::mouseClick(shown->findChild<QPushButton *>(u"sendMessage"_s), Qt::LeftButton);
            });
            QTest::mouseClick(desk.find<QToolButton>(u"editAndSend"_s), Qt::LeftButton);
            QVERIFY(again.hasRun());
            QTRY_VERIFY(lastSent(desk) > edited && desk.session()->partnerOf(lastSent(desk)) > 0);
            expected.insert("authorization", "Bearer of-the-server-0815");
            QCOMPARE(sentIn(server.requests("POST").last()), expected);

            // Everything else goes as it always did.
            QVERIFY(desk.call(u"✓ OK"_s));
            QCOMPARE(sentIn(server.requests("POST").last()), before);
            QVERIFY(desk.close());
        }
        const QByteArray written = everythingWritten();
        QVERIFY(written.contains("X-Trace"));
        QVERIFY(!written.contains(Canary));
        QVERIFY(!written.contains(QByteArray(Canary).toBase64()));
    }

    void withoutHttpThereIsNothingToEdit()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo() && desk.open(u"add"_s) && desk.call(u"▲ Tool error"_s));
        desk.window().timeline->showRow(lastSent(desk));
        test::WhenDialog dialog([](QDialog *shown) {
            QVERIFY(!shown->findChild<ui::PairTable *>(u"sendHeaders"_s));
            shown->reject();
        });
        QTest::mouseClick(desk.find<QToolButton>(u"editAndSend"_s), Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestSendingHeaders)
#include "tst_sendingheaders.moc"
