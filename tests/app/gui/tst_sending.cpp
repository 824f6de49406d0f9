// Messages sent from the timeline: again, edited, broken on purpose.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "tests/support/wrongmessages.h"
#include "ui/form/jsoneditor.h"
#include "ui/json/textview.h"
#include "ui/panels/callpanel.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/details/recorddetails.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/timelinepanel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace sonde;
using test::TestWindow;

class TestSending : public QObject {
    Q_OBJECT

private:
    // The last row that this is true of.
    template <typename Matches>
    static qsizetype lastRow(const TestWindow &desk, Matches matches)
    {
        for (qsizetype row = desk.session()->size() - 1; row >= 0; --row) {
            if (matches(desk.session()->at(row), row))
                return row;
        }
        return -1;
    }

    static qsizetype callRow(const TestWindow &desk)
    {
        return lastRow(desk, [](const RecordInfo &record, qsizetype) {
            return record.kind == WireEvent::Kind::Message && record.direction == Direction::ToServer &&
                   record.messageKind == Message::Kind::Request;
        });
    }

    // Something was called, and its row is selected.
    static bool hasCalled(TestWindow &desk)
    {
        if (!desk.openDemo() || !desk.open(u"add"_s) || !desk.enter(u"/a"_s, u"1"_s) || !desk.enter(u"/b"_s, u"2"_s) ||
            !desk.call(u"✓ OK"_s))
            return false;
        desk.window().timeline->showRow(callRow(desk));
        return true;
    }

    static QString copiedCommand(const TestWindow &desk)
    {
        QGuiApplication::clipboard()->clear();
        for (QAction *action : desk.panel()->findChild<QToolButton *>(u"copyAs"_s)->menu()->actions()) {
            if (action->text().startsWith(u"sonde-cli"_s))
                action->trigger();
        }
        return QGuiApplication::clipboard()->text();
    }

    static QByteArray shownBytes(const TestWindow &desk)
    {
        return desk.find<ui::RecordDetails>(u"recordDetails"_s)->findChild<ui::TextView *>(u"recordBytes"_s)->text();
    }

    static qsizetype selectedRow(const TestWindow &desk)
    {
        const auto *table = desk.find<QTableView>(u"timelineTable"_s);
        return desk.timelineModel()->sessionRow(table->currentIndex());
    }

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    // A server that is not kept is named by how it is started.
    void aCallIsCopiedAsACommand()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo() && desk.open(u"add"_s) && desk.enter(u"/a"_s, u"1"_s) && desk.enter(u"/b"_s, u"2"_s));
        const QString demo = desk.panel()->connection()->spec().command;
        const QString first = copiedCommand(desk);
        QVERIFY2(first.startsWith(u"sonde-cli call add a:=1 b:=2 --cwd "_s), qPrintable(first));
        QVERIFY2(first.endsWith(u" -- "_s + demo), qPrintable(first));
        const QString name = desk.add(demo + u" --page-size 4"_s);
        QVERIFY(!name.isEmpty());
        QVERIFY(desk.open(u"add"_s) && desk.enter(u"/a"_s, u"1"_s));
        const QString second = copiedCommand(desk);
        QVERIFY2(second.endsWith(u" --server "_s + name), qPrintable(second));
    }

    void againShowsTheResponse()
    {
        TestWindow desk;
        QVERIFY(hasCalled(desk));
        const qsizetype before = callRow(desk);
        QTest::mouseClick(desk.find<QToolButton>(u"sendAgain"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(callRow(desk) > before && desk.session()->partnerOf(callRow(desk)) > 0,
                                 test::Patience);
        QTRY_COMPARE_WITH_TIMEOUT(selectedRow(desk), callRow(desk), test::Patience);
        const Message again = desk.session()->message(callRow(desk));
        QVERIFY(again.id() != desk.session()->message(before).id());
        QCOMPARE(RequestId::fromValue(again.params()[u"_meta"][u"progressToken"]), again.id());
        QTRY_COMPARE_WITH_TIMEOUT(shownBytes(desk), desk.session()->bytes(desk.session()->partnerOf(callRow(desk))),
                                  test::Patience);
        QVERIFY(desk.close());
    }

    // What was masked is typed anew: a mask is of no use to any server.
    void aMaskedSecretIsAskedFor()
    {
        TestWindow desk;
        QVERIFY(hasCalled(desk));
        desk.session()->addSecretMember(u"word"_s, u"4711"_s);
        const test::WrongMessages wrong("without _meta, as it was typed");
        desk.panel()->connection()->sendRaw(
            R"({"jsonrpc":"2.0","id":700,"method":"tools/call","params":{"name":"echo","arguments":{"word":"4711"}}})");
        QTRY_VERIFY_WITH_TIMEOUT(desk.session()->bytes(callRow(desk)).contains("secret:"), test::Patience);
        desk.window().timeline->showRow(callRow(desk));
        test::WhenDialog dialog([](QDialog *shown) {
            QVERIFY(shown->findChild<ui::JsonEditor *>(u"sendParams"_s)->json().contains("secret:"));
            shown->reject();
        });
        QTest::mouseClick(desk.find<QToolButton>(u"sendAgain"_s), Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        QVERIFY(desk.close());
    }

    void editedPartsAreSent()
    {
        TestWindow desk;
        QVERIFY(hasCalled(desk));
        const qsizetype before = callRow(desk);
        {
            test::WhenDialog dialog([](QDialog *shown) {
                auto *params = shown->findChild<ui::JsonEditor *>(u"sendParams"_s);
                // Nothing is added to what is sent by hand, and without its _meta the server would refuse it.
                const QString meta = QString::fromUtf8(json::compact(json::parse(params->json())[u"_meta"]));
                params->edit()->selectAll();
                QTest::keyClicks(params->edit(),
                                 u"{\"name\":\"add\",\"arguments\":{\"a\":40,\"b\":404},\"_meta\":%1}"_s.arg(meta));
                QTest::keyClick(params->edit(), Qt::Key_Return, Qt::ControlModifier);
            });
            QTest::mouseClick(desk.find<QToolButton>(u"editAndSend"_s), Qt::LeftButton);
            QVERIFY(dialog.hasRun());
        }
        QTRY_VERIFY_WITH_TIMEOUT(callRow(desk) > before && desk.session()->partnerOf(callRow(desk)) > 0,
                                 test::Patience);
        QTRY_COMPARE_WITH_TIMEOUT(selectedRow(desk), callRow(desk), test::Patience);
        QVERIFY(desk.session()->message(callRow(desk)).id() != desk.session()->message(before).id());
        QTRY_VERIFY_WITH_TIMEOUT(shownBytes(desk).contains("444"), test::Patience);
        QCOMPARE(desk.session()->at(callRow(desk)).outcome, RowOutcome::Ok);
        // Who edits the first one again goes on from there.
        desk.window().timeline->showRow(before);
        test::WhenDialog again([](QDialog *shown) {
            QVERIFY(shown->findChild<ui::JsonEditor *>(u"sendParams"_s)->json().contains("404"));
            shown->reject();
        });
        QTest::mouseClick(desk.find<QToolButton>(u"editAndSend"_s), Qt::LeftButton);
        QVERIFY(again.hasRun());
        QVERIFY(desk.close());
    }

    void brokenJsonIsSentAndComplainedAbout()
    {
        const test::WrongMessages wrong("written by hand");
        TestWindow desk;
        QVERIFY(hasCalled(desk));
        const qsizetype before = desk.session()->size();
        test::WhenDialog dialog([](QDialog *shown) {
            QTest::mouseClick(shown->findChild<ui::SegmentedControl *>(u"sendModes"_s)->button(1), Qt::LeftButton);
            auto *text = shown->findChild<ui::JsonEditor *>(u"messageEditor"_s);
            text->edit()->selectAll();
            QTest::keyClicks(text->edit(), u"{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":"_s);
            QTest::mouseClick(shown->findChild<QPushButton *>(u"sendMessage"_s), Qt::LeftButton);
        });
        QTest::mouseClick(desk.find<QToolButton>(u"editAndSend"_s), Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        const auto sent = [&desk, before] {
            const qsizetype row = lastRow(desk, [](const RecordInfo &record, qsizetype) {
                return record.kind == WireEvent::Kind::Message && record.direction == Direction::ToServer;
            });
            return row >= before ? row : -1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(sent() >= 0, test::Patience);
        QCOMPARE(desk.session()->bytes(sent()), "{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":"_ba);
        QTRY_COMPARE_WITH_TIMEOUT(selectedRow(desk), sent(), test::Patience);
        QCOMPARE(shownBytes(desk), desk.session()->bytes(sent()));
        // The server says that it could not read it.
        QTRY_VERIFY_WITH_TIMEOUT(lastRow(desk,
                                         [](const RecordInfo &record, qsizetype) {
                                             return record.kind == WireEvent::Kind::Message &&
                                                    record.messageKind == Message::Kind::Error;
                                         }) > sent(),
                                 test::Patience);
        // And the connection goes on.
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestSending)
#include "tst_sending.moc"
