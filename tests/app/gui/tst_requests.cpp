// What servers ask during their calls, and what the person does about it, with real servers in the real window.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/transport/process/commandline.h"
#include "tests/app/gui/requestdesk.h"
#include "tests/support/testregistry.h"
#include "ui/panels/problemline.h"
#include "ui/requests/requestpanel.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QAbstractItemView>
#include <QDesktopServices>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::asks;
using sonde::test::askUrl;
using sonde::test::Browser;
using sonde::test::Patience;
using sonde::test::RequestWindow;
using sonde::test::serverThat;
using sonde::test::TestWindow;

namespace {

const QByteArray AskForm =
    R"({"message":"Who are you?","requestedSchema":{"type":"object","properties":{)"
    R"("name":{"type":"string","minLength":2},"line":{"type":"string","default":"It was dark."},)"
    R"("count":{"type":"integer","minimum":1,"default":3},"sure":{"type":"boolean","default":false},)"
    R"("mail":{"type":"string","format":"email"}},"required":["name"]}})";
const QByteArray AskDefaults =
    R"({"message":"Anything?","requestedSchema":{"type":"object","properties":{)"
    R"("line":{"type":"string","default":"It was dark."},"count":{"type":"integer","default":3},)"
    R"("note":{"type":"string"},"sure":{"type":"boolean","default":false},)"
    R"("hero":{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}],"default":"b"},)"
    R"("fish":{"type":"array","items":{"type":"string","enum":["tuna","trout"]},"default":["trout"]}}}})";
const QByteArray AskModel =
    R"({"messages":[{"role":"user","content":{"type":"text","text":"Say hello"}}],"maxTokens":20,)"
    R"("systemPrompt":"Be short.","modelPreferences":{"hints":[{"name":"small-model"}]},)"
    R"("tools":[{"name":"look_up","inputSchema":{"type":"object"}}]})";

QByteArray askFor(const QByteArray &message)
{
    return R"({"message":")" + message +
           R"(","requestedSchema":{"type":"object","properties":{"line":{"type":"string","default":"x"}}}})";
}

}  // namespace

class TestRequests : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void whatIsFilledInIsSent()
    {
        RequestWindow desk;
        const QString server = desk.start({asks(u"q1"_s, methods::Elicit, AskForm)});
        QVERIFY(desk.waitsForPerson(1));
        QCOMPARE(desk.text(u"requestTitle"_s), u"Request from "_s + server);
        QVERIFY(desk.fill(u"/name"_s, u"Ada"_s));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QVERIFY(desk.getsResponse(
            server, u"q1"_s,
            R"({"action":"accept","content":{"name":"Ada","line":"It was dark.","count":3,"sure":false}})"));
        QVERIFY(desk.waitsForPerson(0));
        QVERIFY(desk.panel()->isHidden());
        QVERIFY(desk.close());
    }

    // Where there is no room for all three, the timeline takes the place of the tabs.
    void theTimelineHasRoomBesideARequest()
    {
        RequestWindow desk;
        QVERIFY(desk.openDemo());
        desk.window().resize(800, 560);
        desk.start({asks(u"q1"_s, methods::Elicit, AskForm)});
        QVERIFY(desk.waitsForPerson(1));
        const app::MainWindow &window = desk.window();
        QTRY_VERIFY(window.timeline->isHidden());
        window.actions->filterTimeline->trigger();
        QVERIFY(!window.timeline->isHidden());
        QVERIFY(window.tabs->isHidden());
        const QWidget *focused = window.focusWidget();
        QVERIFY(focused && window.timeline->isAncestorOf(focused));
        QTRY_VERIFY(!focused->visibleRegion().isEmpty());
        window.actions->maximiseTimeline->trigger();
        QVERIFY(window.timeline->isHidden() && !window.tabs->isHidden());
        window.actions->maximiseTimeline->trigger();
        QVERIFY(!window.timeline->isHidden() && window.tabs->isHidden());
        QVERIFY(desk.close());
    }

    void untouchedDefaultsAreSent()
    {
        RequestWindow desk;
        const QString server = desk.start({asks(u"q1"_s, methods::Elicit, AskDefaults)});
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QVERIFY(desk.getsResponse(server, u"q1"_s,
                                  R"({"action":"accept","content":{"line":"It was dark.","count":3,"sure":false,)"
                                  R"("hero":"b","fish":["trout"]}})"));
        QVERIFY(desk.close());
    }

    void declineAndCancelAreToldApart()
    {
        RequestWindow desk;
        const QString server =
            desk.start({asks(u"q1"_s, methods::Elicit, AskForm), asks(u"q2"_s, methods::Elicit, AskForm),
                        asks(u"q3"_s, methods::CreateMessage, AskModel)});
        QVERIFY(desk.waitsForPerson(3));
        QVERIFY(desk.pressButton(u"requestDecline"_s));
        QVERIFY(desk.getsResponse(server, u"q1"_s, R"({"action":"decline"})"));
        QVERIFY(desk.waitsForPerson(2));
        QVERIFY(desk.pressButton(u"requestCancel"_s));
        QVERIFY(desk.getsResponse(server, u"q2"_s, R"({"action":"cancel"})"));
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(!desk.shown(u"requestDecline"_s)->isVisible());
        QVERIFY(desk.pressButton(u"requestCancel"_s));
        QVERIFY(desk.getsResponse(server, u"q3"_s, R"({"code":-1,"message":"User rejected sampling request"})"));
        QVERIFY(desk.close());
    }

    void invalidInputIsRefusedWithItsPlace()
    {
        RequestWindow desk;
        const QString server = desk.start({asks(u"q1"_s, methods::Elicit, AskForm)});
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.problem().isEmpty());  // nobody has typed yet
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QCOMPARE(desk.problem(), u"Not sent: “name” is required"_s);
        QVERIFY(desk.fill(u"/name"_s, u"A"_s));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QVERIFY2(desk.problem().contains(u"“name” must"_s), qPrintable(desk.problem()));
        QTRY_VERIFY2(desk.focused() == u"field:/name"_s, qPrintable(desk.focused()));
        QVERIFY(desk.sent(server, u"q1"_s).isEmpty());
        // It is a debugger: on request it goes all the same.
        QVERIFY(desk.choose(u"Send without validation"_s));
        QVERIFY(desk.getsResponse(
            server, u"q1"_s,
            R"({"action":"accept","content":{"name":"A","line":"It was dark.","count":3,"sure":false}})"));
        QVERIFY(desk.close());
    }

    void severalServersAskAtOnce()
    {
        RequestWindow desk;
        const QString first = desk.start({asks(u"q1"_s, methods::Elicit, AskDefaults)});
        const QString second = desk.start({asks(u"q1"_s, methods::CreateMessage, AskModel)});
        const QString third = desk.start({asks(u"q1"_s, methods::Elicit, askUrl(u"https://example.com/in"_s))});
        QVERIFY(desk.waitsForPerson(3));
        QCOMPARE(desk.text(u"requestTitle"_s), u"Request from "_s + first);
        QVERIFY(desk.text(u"requestKind"_s).contains(u"1 of 3"_s));
        auto *list = desk.panel()->findChild<QAbstractItemView *>(u"requestList"_s);
        QVERIFY(list->isVisible());
        QCOMPARE(list->model()->index(1, ui::RequestModel::ServerColumn).data().toString(), second);
        // The order is the person's.
        QVERIFY(test::clickRow(list, list->model()->index(1, 0)));
        QCOMPARE(desk.text(u"requestTitle"_s), u"Request from "_s + second);
        QVERIFY(desk.fill(u"/text"_s, u"Hello"_s));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QVERIFY(desk.getsResponse(
            second, u"q1"_s,
            R"({"role":"assistant","model":"small-model","stopReason":"endTurn","content":{"type":"text","text":"Hello"}})"));
        // A server that is removed takes its request along, and no other one.
        QVERIFY(desk.waitsForPerson(2));
        QCOMPARE(desk.text(u"requestTitle"_s), u"Request from "_s + third);
        QVERIFY(!desk.workspace().remove(first));
        QVERIFY(desk.waitsForPerson(1));
        QCOMPARE(desk.text(u"requestTitle"_s), u"Request from "_s + third);
        // Also the one that is looked at: whoever removes a server knows why.
        QVERIFY(!desk.workspace().remove(third));
        QVERIFY(desk.panel()->isEmpty());
        QVERIFY(desk.panel()->isHidden());
        QVERIFY(desk.close());
    }

    void eachRowSaysWhatItAsks()
    {
        RequestWindow desk;
        QStringList steps;
        for (int i = 0; i < 8; ++i)
            steps << asks(u"q%1"_s.arg(i), methods::Elicit, askFor("Delete file " + QByteArray::number(i) + '?'));
        const QString server = desk.start(steps);
        QVERIFY(desk.waitsForPerson(8));
        auto *list = desk.panel()->findChild<QTableView *>(u"requestList"_s);
        for (int row = 0; row < 8; ++row)
            QCOMPARE(list->model()->index(row, ui::RequestModel::MessageColumn).data().toString(),
                     u"Delete file %1?"_s.arg(row));
        // What is the same in each row takes no room from that.
        for (const int column : {ui::RequestModel::ServerColumn, ui::RequestModel::KindColumn})
            QVERIFY(list->isColumnHidden(column));
        auto *declineAll = desk.panel()->findChild<QPushButton *>(u"requestDeclineAll"_s);
        QVERIFY(declineAll->isVisible());
        QTRY_VERIFY(declineAll->isEnabled());
        QTest::mouseClick(declineAll, Qt::LeftButton);
        QVERIFY(desk.panel()->isHidden());
        for (int i = 0; i < 8; ++i)
            QVERIFY(desk.getsResponse(server, u"q%1"_s.arg(i), R"({"action":"decline"})"));
        QVERIFY(desk.close());
    }

    void aRuleIsOfferedToThoseThatWait()
    {
        RequestWindow desk;
        const QString server =
            desk.start({asks(u"q1"_s, methods::Elicit, askFor("One?")), asks(u"q2"_s, methods::Elicit, askFor("Two?")),
                        asks(u"q3"_s, methods::Elicit, AskForm), asks(u"q4"_s, methods::Elicit, askFor("Four?")),
                        u"readline"_s, asks(u"q5"_s, methods::Elicit, askFor("Five?"))});
        QVERIFY(desk.waitsForPerson(4));
        QVERIFY(desk.choose(u"Always respond like this, including to the 2 other waiting requests"_s));
        for (const auto &id : {u"q1"_s, u"q2"_s, u"q4"_s, u"q5"_s})
            QVERIFY(desk.getsResponse(server, id, R"({"action":"accept","content":{"line":"x"}})"));
        // Another form.
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.sent(server, u"q3"_s).isEmpty());
        QCOMPARE(desk.text(u"requestTitle"_s), u"Request from "_s + server);
        QVERIFY(desk.shown(u"field:/name"_s));
        const auto *automatic = desk.find<QToolButton>(u"automaticResponses"_s);
        QVERIFY(automatic->menu()->actions().first()->text().contains(u"sent 3 more times"_s));
        QVERIFY(desk.close());
    }

    // Without that they stay as they are.
    void aRuleLeavesThoseThatWait()
    {
        RequestWindow desk;
        const QString server = desk.start(
            {asks(u"q1"_s, methods::Elicit, askFor("One?")), asks(u"q2"_s, methods::Elicit, askFor("Two?"))});
        QVERIFY(desk.waitsForPerson(2));
        QVERIFY(desk.choose(u"Always respond like this until"_s));
        QVERIFY(desk.getsResponse(server, u"q1"_s, R"({"action":"accept","content":{"line":"x"}})"));
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.sent(server, u"q2"_s).isEmpty());
        QVERIFY(desk.close());
    }

    void thoseThatWaitComeBeforeThoseThatDoNot()
    {
        Browser browser;
        RequestWindow desk;
        const QString server = desk.start(
            {asks(u"q1"_s, methods::Elicit, askUrl(u"https://example.com/in"_s)),
             asks(u"q2"_s, methods::Elicit, askFor("Two?")), asks(u"q3"_s, methods::Elicit, askFor("Three?")),
             u"readline"_s,
             QString::fromUtf8(
                 R"(say:{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q2"}})")});
        QVERIFY(desk.waitsForPerson(3));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QVERIFY(desk.getsResponse(server, u"q1"_s, R"({"action":"accept"})"));
        QVERIFY(desk.waitsForPerson(2));
        const auto *list = desk.panel()->findChild<QTableView *>(u"requestList"_s);
        const auto row = [list](int at) {
            return list->model()->index(at, ui::RequestModel::MessageColumn).data().toString();
        };
        QCOMPARE((QStringList{row(0), row(1), row(2)}), (QStringList{u"Two?"_s, u"Three?"_s, u"Please sign in"_s}));
        QCOMPARE(desk.text(u"requestKind"_s), u"elicitation · 1 of 2"_s);
        // The one in sight ends: it says so, goes behind, and leads to the next.
        desk.workspace().serverNamed(server)->connection->ping();
        QVERIFY(desk.waitsForPerson(1));
        QCOMPARE((QStringList{row(0), row(1), row(2)}), (QStringList{u"Three?"_s, u"Two?"_s, u"Please sign in"_s}));
        QCOMPARE(desk.shown<QPushButton>(u"requestClose"_s)->text(), u"Next request (1 waiting)"_s);
        QVERIFY(desk.pressButton(u"requestClose"_s));
        QVERIFY(desk.pressButton(u"requestDecline"_s));
        QVERIFY(desk.getsResponse(server, u"q3"_s, R"({"action":"decline"})"));
        QVERIFY(desk.close());
    }

    void windowIsClosedWhileRequestsAreOpen()
    {
        RequestWindow desk;
        desk.start({asks(u"q1"_s, methods::Elicit, AskForm), asks(u"q2"_s, methods::CreateMessage, AskModel)});
        QVERIFY(desk.waitsForPerson(2));
        QVERIFY(desk.close());
    }

    void aWithdrawnRequestSaysSo()
    {
        RequestWindow desk;
        const QString server = desk.start(
            {asks(u"q1"_s, methods::Elicit, AskForm), asks(u"q2"_s, methods::Elicit, AskForm), u"readline"_s,
             QString::fromUtf8(
                 R"(say:{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1","reason":"too <b>slow"}})"),
             QString::fromUtf8(
                 R"(say:{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q2"}})")});
        QVERIFY(desk.waitsForPerson(2));
        QVERIFY(desk.fill(u"/name"_s, u"typed"_s));
        desk.workspace().serverNamed(server)->connection->ping();  // the line that it waits for
        QVERIFY(desk.waitsForPerson(0));
        const auto *end = desk.shown<ui::Banner>(u"requestEnd"_s);
        QTRY_VERIFY(end->isVisible());
        QVERIFY2(end->accessibleName().contains(u"withdrew"_s), qPrintable(end->accessibleName()));
        QCOMPARE(end->accessibleDescription(), u"Its reason: “too <b>slow”. Nothing was sent."_s);
        QVERIFY(!desk.shown(u"requestAccept"_s)->isVisible());
        QVERIFY(desk.sent(server, u"q1"_s).isEmpty());
        QVERIFY(desk.shown(u"field:/name"_s)->isVisible());  // what was typed can still be read
        QVERIFY(desk.panel()->findChild<QLabel *>(u"requestsGone"_s)->isVisible());
        QVERIFY(desk.pressButton(u"requestClose"_s));
        QVERIFY(desk.panel()->isHidden());
        QVERIFY(desk.close());
    }

    void aUrlOpensOnlyWithConsent()
    {
        Browser browser;
        RequestWindow desk;
        const QString server =
            desk.start({asks(u"q1"_s, methods::Elicit, askUrl(u"https://xn--80ak6aa92e.example.com:8443/in?x=1"_s)),
                        asks(u"q2"_s, methods::Elicit, askUrl(u"https://example.com/again"_s))});
        QVERIFY(desk.waitsForPerson(2));
        QCOMPARE(desk.text(u"urlHost"_s), u"xn--80ak6aa92e.example.com"_s);
        QCOMPARE(desk.shown<QPlainTextEdit>(u"urlAddress"_s)->toPlainText(),
                 u"https://xn--80ak6aa92e.example.com:8443/in?x=1"_s);
        QCOMPARE(desk.page()->findChildren<QLabel *>(u"urlWarning"_s).size(), 2);
        QVERIFY(browser.opened.isEmpty());
        QVERIFY(desk.pressButton(u"requestDecline"_s));
        QVERIFY(desk.getsResponse(server, u"q1"_s, R"({"action":"decline"})"));
        QVERIFY(browser.opened.isEmpty());
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QVERIFY(desk.getsResponse(server, u"q2"_s, R"({"action":"accept"})"));
        QCOMPARE(browser.opened, QList<QUrl>{QUrl(u"https://example.com/again"_s)});
        QVERIFY(desk.close());
    }

    void aUrlWithABadSchemeIsRefused()
    {
        Browser browser;
        RequestWindow desk;
        const QString server = desk.start({asks(u"q1"_s, methods::Elicit, askUrl(u"file:///etc/passwd"_s))});
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY2(desk.text(u"urlRefusal"_s).contains(u"file"_s), qPrintable(desk.text(u"urlRefusal"_s)));
        QTRY_VERIFY(desk.shown(u"requestDecline"_s)->isEnabled());
        QVERIFY(!desk.shown(u"requestAccept"_s)->isEnabled());
        desk.panel()->setFocus();
        QTest::keyClick(desk.shown(u"urlAddress"_s), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.sent(server, u"q1"_s).isEmpty());
        QVERIFY(browser.opened.isEmpty());
        QVERIFY(desk.pressButton(u"requestDecline"_s));
        QVERIFY(desk.getsResponse(server, u"q1"_s, R"({"action":"decline"})"));
        QVERIFY(desk.close());
    }

    void aRuleRespondsUntilTheServerStops()
    {
        RequestWindow desk;
        const QString server = desk.start({asks(u"q1"_s, methods::CreateMessage, AskModel), u"readline"_s,
                                           asks(u"q2"_s, methods::CreateMessage, AskModel), u"readline"_s,
                                           asks(u"q3"_s, methods::Elicit, AskForm)});
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.choose(u"Call the tool look_up"_s));
        QVERIFY(desk.choose(u"Always respond like this until the server stops"_s));
        const QByteArray expected = R"({"role":"assistant","model":"small-model","stopReason":"toolUse",)"
                                    R"("content":{"type":"tool_use","name":"look_up","id":"call_1","input":{}}})";
        QVERIFY(desk.getsResponse(server, u"q1"_s, expected));
        QVERIFY(desk.getsResponse(server, u"q2"_s, expected));
        // Of another kind: it has to be looked at.
        QVERIFY(desk.waitsForPerson(1));
        auto *automatic = desk.find<QToolButton>(u"automaticResponses"_s);
        QVERIFY(automatic->isVisible());
        QVERIFY(automatic->menu()->actions().first()->text().contains(u"sent 1 more time"_s));
        desk.workspace().serverNamed(server)->connection->close();
        QTRY_VERIFY(!automatic->isVisible());
        QVERIFY(desk.close());
    }

    void aRuleDoesNotSendWhatTheRequestDoesNotAllow()
    {
        RequestWindow desk;
        const QString server =
            desk.start({asks(u"q1"_s, methods::CreateMessage, AskModel), u"readline"_s,
                        asks(u"q2"_s, methods::CreateMessage, "{\"messages\":[],\"maxTokens\":20}")});
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.choose(u"Call the tool look_up"_s));
        QVERIFY(desk.choose(u"Always respond like this until the server stops"_s));
        // It offers no tools.
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(!desk.sent(server, u"q1"_s).isEmpty());
        QVERIFY(desk.sent(server, u"q2"_s).isEmpty());
        QVERIFY(desk.close());
    }

    void whatTheRevisionDoesNotHaveIsNotSent()
    {
        RequestWindow desk;
        const QString server = desk.start({asks(u"q1"_s, methods::CreateMessage, AskModel)}, u"2025-06-18"_s);
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.choose(u"Call the tool look_up"_s));
        QVERIFY(desk.fill(u"/text"_s, u"and a text"_s));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QVERIFY2(desk.problem().contains(u"one object, not a list, in revision 2025-06-18"_s),
                 qPrintable(desk.problem()));
        QVERIFY(desk.sent(server, u"q1"_s).isEmpty());
        QVERIFY(desk.close());
    }

    void theKeyboardIsEnough()
    {
        RequestWindow desk;
        const QString server = desk.start(
            {asks(u"q1"_s, methods::Elicit, AskForm), u"readline"_s, asks(u"q2"_s, methods::Elicit, AskForm)});
        QVERIFY(desk.waitsForPerson(1));
        // It comes without taking the keyboard.
        QVERIFY(!desk.panel()->isAncestorOf(QApplication::focusWidget()));
        desk.press(Qt::Key_J, Qt::ControlModifier);
        QTRY_VERIFY(QApplication::focusWidget()->objectName() == u"field:/name"_s);
        desk.type(u"Ada"_s);
        // Escape decides nothing.
        desk.press(Qt::Key_Escape);
        QVERIFY(desk.waitsForPerson(1));
        QTRY_VERIFY(desk.shown(u"requestAccept"_s)->isEnabled());
        QStringList names;
        for (int i = 0; i < 40 && !names.contains(u"requestMore"_s); ++i) {
            desk.press(Qt::Key_Tab);
            QVERIFY2(desk.panel()->isAncestorOf(QApplication::focusWidget()),
                     qPrintable(names.join(u' ') + u" then "_s + desk.focused()));
            names << QApplication::focusWidget()->objectName();
        }
        qsizetype at = -1;
        for (const auto &name : {u"field:/line"_s, u"field:/count"_s, u"field:/mail"_s, u"requestAccept"_s,
                                 u"requestDecline"_s, u"requestCancel"_s, u"requestMore"_s}) {
            QVERIFY2(names.indexOf(name) > at, qPrintable(name + u" in "_s + names.join(u' ')));
            at = names.indexOf(name);
        }
        desk.press(Qt::Key_J, Qt::ControlModifier);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.getsResponse(
            server, u"q1"_s,
            R"({"action":"accept","content":{"name":"Ada","line":"It was dark.","count":3,"sure":false}})"));
        // The next one does not get the keys that are still being pressed.
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.sent(server, u"q2"_s).isEmpty());
        QVERIFY(desk.close());
    }

    void aFloodStaysUsable()
    {
        RequestWindow desk;
        QStringList steps;
        for (int i = 0; i < 1000; ++i)
            steps << asks(u"q"_s + QString::number(i), methods::Elicit, askUrl(u"https://example.com/"_s));
        const QString server = desk.start(steps);
        QVERIFY(desk.waitsForPerson(1000));
        // Only what was looked at has widgets.
        QCOMPARE(desk.panel()->findChildren<QWidget *>(u"urlAddress"_s).size(), 1);
        QVERIFY(desk.pressButton(u"requestCancel"_s));
        QVERIFY(desk.getsResponse(server, u"q0"_s, R"({"action":"cancel"})"));
        QVERIFY(desk.waitsForPerson(999));
        // A click that was meant for the one before does not decide about the next.
        QVERIFY(!desk.shown(u"requestCancel"_s)->isEnabled());
        QVERIFY(desk.close());
    }

    void rootsAreSharedAsTheyAreEntered()
    {
        RequestWindow desk;
        const QString server = desk.start({u"readline"_s, asks(u"q1"_s, methods::ListRoots, "{}")});
        ServerSpec spec = desk.workspace().serverNamed(server)->spec;
        spec.roots = {{u"file:///srv/data"_s, u"Data"_s}, {u"file:///tmp"_s, {}}};
        QVERIFY(!desk.workspace().change(server, spec));
        // The change is what the server waits for.
        QVERIFY(desk.getsResponse(
            server, u"q1"_s,
            "{\"roots\":[{\"uri\":\"file:///srv/data\",\"name\":\"Data\"},{\"uri\":\"file:///tmp\"}]}"));
        QCOMPARE(desk.countOf(methods::RootsChanged.toString(), Direction::ToServer), 1);
        QVERIFY(desk.panel()->isHidden());
        QVERIFY(desk.close());
    }

    void whatIsNotDeclaredIsNotAsked()
    {
        RequestWindow desk;
        const QString server = desk.start({asks(u"q1"_s, methods::Elicit, askUrl(u"https://example.com/"_s))});
        QVERIFY(desk.waitsForPerson(1));
        ServerSpec spec = desk.workspace().serverNamed(server)->spec;
        spec.undeclaredCapabilities = {u"elicitation.url"_s, u"sampling"_s};
        QVERIFY(!desk.workspace().change(server, spec));
        Connection *connection = desk.workspace().serverNamed(server)->connection.get();
        QCOMPARE(connection->clientCapabilities(), R"({"roots":{"listChanged":true},"elicitation":{"form":{}}})"_ba);
        QCOMPARE(desk.panel()->openCount(), 1);  // this start was told otherwise
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestRequests)
#include "tst_requests.moc"
