// Every kind of field that a server may ask for, URLs that an error requires, and the call that a request belongs to.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/requestdesk.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinemodel.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::asks;
using sonde::test::Browser;
using sonde::test::Patience;
using sonde::test::RequestWindow;
using sonde::test::TestWindow;

namespace {

// A property, what is expected of it untouched, and what is wrong with it then.
QByteArray formWith(const QByteArray &property, bool isRequired)
{
    return R"({"message":"?","requestedSchema":{"type":"object","properties":{"a":)" + property + '}' +
           (isRequired ? QByteArray(",\"required\":[\"a\"]") : QByteArray()) + "}}";
}

const QByteArray AskFish =
    R"({"message":"Which?","requestedSchema":{"type":"object","properties":{"fish":{"type":"array","title":"Fish",)"
    R"("items":{"anyOf":[{"const":"t","title":"Tuna"},{"const":"s","title":"Salmon & <b>friends</b>"},)"
    R"({"const":"x","title":"Trout"}]},"minItems":1,"maxItems":2,"default":["x"]}},"required":["fish"]}})";

const QByteArray UrlsRequired =
    R"({"jsonrpc":"2.0","id":3,"error":{"code":-32042,"message":"Sign in first.","data":{"elicitations":[)"
    R"({"mode":"url","elicitationId":"e1","url":"https://one.example/in","message":"One"},)"
    R"({"mode":"url","elicitationId":"e2","url":"https://two.example/in","message":"Two"}]}}})";

QString says(const QByteArray &message)
{
    return u"say:"_s + QString::fromUtf8(message);
}

// A server with one tool, "sign", that does this once it is called. The call has the ID 3.
QString toolServer(const QStringList &steps)
{
    QStringList words{
        test::builtProgram(QStringLiteral("fake-stdio-server")),
        u"readline"_s,
        says(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
             R"("serverInfo":{"name":"signer","version":"1"}}})"),
        u"readline"_s,
        u"readline"_s,
        says(R"({"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"sign","inputSchema":{"type":"object"}}]}})"),
        u"readline"_s};
    return joinCommandLine(words + steps + QStringList{u"waiteof"_s});
}

}  // namespace

class TestRequestKinds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void everyKindOfField_data()
    {
        QTest::addColumn<QByteArray>("property");
        QTest::addColumn<QByteArray>("content");  // untouched; empty: it cannot be sent like that
        const auto row = [](const char *name, const QByteArray &property, const QByteArray &content) {
            QTest::newRow(name) << property << content;
        };
        row("string", R"({"type":"string","minLength":1,"default":"x"})", R"({"a":"x"})");
        row("email", R"({"type":"string","format":"email","default":"a@example.com"})", R"({"a":"a@example.com"})");
        row("bad email", R"({"type":"string","format":"email","default":"nobody"})", {});
        row("uri", R"({"type":"string","format":"uri","default":"urn:isbn:1"})", R"({"a":"urn:isbn:1"})");
        row("date", R"({"type":"string","format":"date","default":"2026-02-28"})", R"({"a":"2026-02-28"})");
        row("bad date", R"({"type":"string","format":"date","default":"2026-02-30"})", {});
        row("date-time", R"({"type":"string","format":"date-time","default":"2026-02-28T10:00:00Z"})",
            R"({"a":"2026-02-28T10:00:00Z"})");
        row("integer of 64 bits", R"({"type":"integer","default":9223372036854775807})",
            R"({"a":9223372036854775807})");
        row("integer, too large", R"({"type":"integer","maximum":9223372036854775806,"default":9223372036854775807})",
            {});
        row("number", R"({"type":"number","minimum":0,"default":0.10})", R"({"a":0.10})");
        row("boolean", R"({"type":"boolean","default":false})", R"({"a":false})");
        row("enum", R"({"type":"string","enum":["s","m"],"default":"m"})", R"({"a":"m"})");
        row("enum with names", R"({"type":"string","enum":["s","m"],"enumNames":["Small","Medium"],"default":"m"})",
            R"({"a":"m"})");
        row("enum with titles",
            R"({"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"m","title":"Medium"}],"default":"s"})",
            R"({"a":"s"})");
        row("several", R"({"type":"array","items":{"type":"string","enum":["s","m"]},"default":["m"]})",
            R"({"a":["m"]})");
        row("several with titles",
            R"({"type":"array","items":{"anyOf":[{"const":"s","title":"Small"},{"const":"m","title":"Medium"}]},)"
            R"("minItems":1,"maxItems":1,"default":["s"]})",
            R"({"a":["s"]})");
        row("too few", R"({"type":"array","items":{"type":"string","enum":["s","m"]},"minItems":1,"default":[]})", {});
        row("too many",
            R"({"type":"array","items":{"type":"string","enum":["s","m"]},"maxItems":1,"default":["s","m"]})", {});
        row("without a default", R"({"type":"string","title":"A"})", "{}");
    }
    void everyKindOfField()
    {
        QFETCH(QByteArray, property);
        QFETCH(QByteArray, content);
        RequestWindow desk;
        const QString server =
            desk.start({asks(u"q1"_s, methods::Elicit, formWith(property, !content.isEmpty() && content != "{}"))});
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        if (content.isEmpty()) {
            QVERIFY2(desk.problem().contains(u"“a” "_s), qPrintable(desk.problem()));
            QVERIFY(desk.sent(server, u"q1"_s).isEmpty());
        } else {
            QVERIFY(desk.getsResponse(server, u"q1"_s, R"({"action":"accept","content":)" + content + '}'));
        }
        QVERIFY(desk.close());
    }

    void severalChoicesAreCheckBoxes()
    {
        RequestWindow desk;
        const QString server = desk.start({asks(u"q1"_s, methods::Elicit, AskFish)});
        QVERIFY(desk.waitsForPerson(1));
        QTRY_VERIFY(desk.shown(u"checks:/fish"_s));
        const QList<QCheckBox *> boxes = desk.shown(u"checks:/fish"_s)->findChildren<QCheckBox *>();
        QCOMPARE(boxes.size(), 3);
        QCOMPARE(boxes.at(1)->accessibleName(), u"Salmon & <b>friends</b>"_s);
        QVERIFY(!boxes.at(0)->isChecked() && boxes.at(2)->isChecked());
        // The title is shown, and the name that is sent.
        bool isTitled = false;
        for (const QLabel *label : desk.page()->findChildren<QLabel *>())
            isTitled = isTitled || label->text() == "Fish"_L1;
        for (const QWidget *widget : desk.page()->findChildren<QWidget *>())
            isTitled = isTitled || widget->accessibleName() == "Fish"_L1;
        QVERIFY(isTitled);
        // By keyboard alone, and in the order of the schema.
        boxes.at(0)->setFocus();
        QTest::keyClick(boxes.at(0), Qt::Key_Space);
        QVERIFY(boxes.at(0)->isChecked());
        QTest::keyClick(boxes.at(1), Qt::Key_Space);
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QVERIFY2(desk.problem().contains(u"“fish” "_s), qPrintable(desk.problem()));  // at most two
        QTest::keyClick(boxes.at(2), Qt::Key_Space);
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QVERIFY(desk.getsResponse(server, u"q1"_s, R"({"action":"accept","content":{"fish":["t","s"]}})"));
        QVERIFY(desk.close());
    }

    void anErrorMayRequireUrls()
    {
        Browser browser;
        RequestWindow desk;
        desk.servers().connectLine(toolServer(
            {says(UrlsRequired), u"readline"_s,
             says(R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}})"),
             says(R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e2"}})"),
             says(R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"??"}})"),
             u"readline"_s,
             says(R"({"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"signed"}]}})")}));
        QVERIFY(desk.open(u"sign"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(2));
        auto *banner = desk.panel() ? desk.TestWindow::panel()->findChild<ui::Banner *>(u"requiredUrls"_s) : nullptr;
        QTRY_VERIFY(banner && banner->isVisible());
        QVERIFY2(banner->accessibleDescription().contains(u"one.example: waiting"_s),
                 qPrintable(banner->accessibleDescription()));
        QTRY_COMPARE(desk.text(u"requestCall"_s), u"during sign"_s);
        QVERIFY(browser.opened.isEmpty());
        // Nothing goes to the server, whatever the user decides.
        QVERIFY(desk.text(u"urlNote"_s).contains(u"sends nothing to the server"));
        QVERIFY(!desk.text(u"urlNote"_s).contains(u"learns"));
        QVERIFY(!desk.shown(u"requestCancel"_s)->isVisible());
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QCOMPARE(browser.opened, QList<QUrl>{QUrl(u"https://one.example/in"_s)});
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY2(banner->accessibleDescription().contains(u"one.example: opened"_s),
                 qPrintable(banner->accessibleDescription()));
        // The other one comes next; completed elsewhere, it is not needed any more.
        QTRY_COMPARE(desk.text(u"urlHost"_s), u"two.example"_s);
        Connection *connection = desk.TestWindow::panel()->connection();
        connection->ping();  // the line that the server waits for
        QTRY_COMPARE(banner->accessibleDescription().count(u"completed"_s), 2);
        QVERIFY(desk.waitsForPerson(0));
        QTRY_VERIFY(desk.shown(u"requestEnd"_s)->isVisible());
        QVERIFY(desk.click(u"tryAgain"_s));
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QCOMPARE(desk.resultText(), u"signed"_s);
        QVERIFY(!banner->isVisible());
        QCOMPARE(desk.countOf(methods::CallTool.toString(), Direction::ToServer), 2);
        // What was agreed to locally went nowhere.
        QVERIFY(desk.sent(connection->spec().name, u"e1"_s).isEmpty());
        QVERIFY(desk.close());
    }

    void aCallSaysThatItWaitsForTheUser_data()
    {
        QTest::addColumn<QString>("revision");
        QTest::newRow("requests of the server") << u"2025-11-25"_s;
        QTest::newRow("results that ask for input") << u"2026-07-28"_s;
    }
    void aCallSaysThatItWaitsForTheUser()
    {
        QFETCH(QString, revision);
        RequestWindow desk;
        QVERIFY(!desk.add(test::demoProgram() + u" --revision "_s + revision).isEmpty());
        const ui::CallPanel *panel = desk.open(u"ask-model"_s);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(1));
        QTRY_VERIFY_WITH_TIMEOUT(waitsForUser(panel), Patience);
        const auto *show = panel->findChild<QAbstractButton *>(u"showRequest"_s);
        QVERIFY(!show->isVisible());  // it is in sight
        QTest::mouseClick(desk.panel()->findChild<QAbstractButton *>(u"requestFold"_s), Qt::LeftButton);
        QVERIFY(desk.click(u"showRequest"_s));
        QTRY_VERIFY_WITH_TIMEOUT(desk.panel()->isAncestorOf(desk.window().focusWidget()), Patience);
        QVERIFY(desk.pressButton(u"requestCancel"_s));
        QTRY_VERIFY_WITH_TIMEOUT(!panel->isRunning(), Patience);
        QVERIFY(desk.close());
    }

    void theFocusIsSeenWhileACallWaits_data()
    {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QString>("focused");
        QTest::newRow("nothing to fill in for the tool") << u"ask-twice"_s << u"field:/name"_s;
        QTest::newRow("a field of the tool") << u"ask-form"_s << u"field:/withdrawAfterMs"_s;
        QTest::newRow("while a URL is asked for") << u"ask-url"_s << u"field:/url"_s;
        QTest::newRow("while a model is asked for") << u"ask-model"_s << u"field:/prompt"_s;
    }
    void theFocusIsSeenWhileACallWaits()
    {
        QFETCH(const QString, tool);
        QFETCH(const QString, focused);
        RequestWindow desk;
        desk.window().resize(800, 560);
        QVERIFY(desk.openDemo());
        const ui::CallPanel *panel = desk.open(tool);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(1));
        QTRY_VERIFY_WITH_TIMEOUT(waitsForUser(panel), Patience);
        QTRY_COMPARE(desk.focused(), focused);
        const QWidget *control = QApplication::focusWidget();
        QVERIFY(control);
        QTRY_VERIFY(!control->visibleRegion().isEmpty());
        QVERIFY(desk.close());
    }

    void aWaitIsTheSameEverywhere()
    {
        RequestWindow desk;
        QVERIFY(desk.openDemo());
        const ui::CallPanel *panel = desk.open(u"ask-everything"_s);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(2));
        const auto *elapsed = panel->findChild<QLabel *>(u"elapsed"_s);
        const auto *list = desk.panel()->findChild<QAbstractItemView *>(u"requestList"_s);
        QTRY_COMPARE_WITH_TIMEOUT(elapsed->text(), u"Waiting for your response… 1 s"_s, Patience);
        QCOMPARE(desk.text(u"requestTime"_s), u"waiting 1 s"_s);
        QCOMPARE(list->model()->index(0, ui::RequestModel::TimeColumn).data().toString(), u"1 s"_s);
        QVERIFY(desk.close());
    }

    void theRequestOfTheShownCallIsShown()
    {
        RequestWindow desk;
        QVERIFY(desk.openDemo());
        const ui::CallPanel *form = desk.open(u"ask-form"_s);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        const ui::CallPanel *model = desk.open(u"ask-model"_s);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(2));
        QTRY_VERIFY_WITH_TIMEOUT(waitsForUser(model), Patience);
        QTRY_COMPARE(desk.text(u"requestCall"_s), u"during ask-form"_s);
        QVERIFY(desk.click(u"showRequest"_s));
        QTRY_COMPARE(desk.text(u"requestCall"_s), u"during ask-model"_s);
        QVERIFY(desk.pressButton(u"requestCancel"_s));
        QTRY_VERIFY_WITH_TIMEOUT(!model->isRunning(), Patience);
        QVERIFY(form->isRunning() && waitsForUser(form));
        QVERIFY(desk.close());
    }

    void aRequestEndsWithItsCall_data() { aCallSaysThatItWaitsForTheUser_data(); }
    void aRequestEndsWithItsCall()
    {
        QFETCH(const QString, revision);
        RequestWindow desk;
        const QString server = desk.add(test::demoProgram() + u" --revision "_s + revision);
        const ui::CallPanel *panel = desk.open(u"ask-form"_s);
        QVERIFY(panel);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(1));
        QTRY_VERIFY_WITH_TIMEOUT(waitsForUser(panel), Patience);
        QTRY_VERIFY(desk.shown(u"requestAccept"_s)->isEnabled());
        desk.press(Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!panel->isRunning(), Patience);
        QVERIFY(desk.waitsForPerson(0));
        const auto *end = desk.shown<ui::Banner>(u"requestEnd"_s);
        QVERIFY(end && end->isVisible());
        QVERIFY2(end->accessibleName().endsWith(u"The call has ended."_s), qPrintable(end->accessibleName()));
        QCOMPARE(end->accessibleDescription(), u"It was cancelled. What you entered was not sent."_s);
        QVERIFY(!desk.shown(u"requestAccept"_s)->isVisible());
        const auto cancelled = [&desk](const char *bytes) {
            Session *session = desk.session();
            session->flush();
            for (qsizetype row = 0; row < session->size(); ++row) {
                if (session->at(row).direction == Direction::ToServer && session->bytes(row).contains(bytes))
                    return true;
            }
            return false;
        };
        // In the later revision a server does not wait for anything of its own.
        QCOMPARE(cancelled(R"("action":"cancel")"), revision == u"2025-11-25");
        // The timeline says so too, although there is no message about it in the later revision.
        desk.find<ui::SegmentedControl>(u"timelineViews"_s)->setCurrent(0);
        const QAbstractItemModel *rows = desk.find<QTableView>(u"timelineTable"_s)->model();
        const auto lastOutcome = [rows] {
            return rows->index(rows->rowCount() - 1, int(ui::TimelineModel::Column::Outcome)).data().toString();
        };
        QTRY_VERIFY2(lastOutcome().contains(u"ancelled"), qPrintable(lastOutcome()));
        QVERIFY(desk.close());
    }

    void requiredUrlsAreLostWithTheServer()
    {
        RequestWindow desk;
        desk.servers().connectLine(toolServer({says(UrlsRequired)}));
        QVERIFY(desk.open(u"sign"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(2));
        desk.TestWindow::panel()->connection()->close();
        QVERIFY(desk.waitsForPerson(0));
        QVERIFY(desk.close());
    }

    void anOpenedUrlSaysThatItIsCompleted()
    {
        Browser browser;
        RequestWindow desk;
        const QString server = desk.start(
            {asks(u"q1"_s, methods::Elicit, test::askUrl(u"https://example.com/in"_s)), u"readline"_s,
             says(
                 R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}})")});
        QVERIFY(desk.waitsForPerson(1));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QVERIFY(desk.getsResponse(server, u"q1"_s, R"({"action":"accept"})"));
        const auto *end = desk.shown<ui::Banner>(u"requestEnd"_s);
        QVERIFY(end);
        QTRY_VERIFY2(end->accessibleName().contains(u"Completed"_s), qPrintable(end->accessibleName()));
        const QString note = desk.text(u"urlNote"_s);
        QVERIFY2(note.startsWith(u"The page was opened in your browser"_s), qPrintable(note));
        QVERIFY(desk.waitsForPerson(0));
        QVERIFY(desk.pressButton(u"requestClose"_s));
        QVERIFY(desk.panel()->isHidden());
        QVERIFY(desk.close());
    }

    void theCallOfARequestIsNamed()
    {
        RequestWindow desk;
        desk.servers().connectLine(toolServer({asks(u"q1"_s, methods::Elicit, AskFish)}));
        QVERIFY(desk.open(u"sign"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(1));
        QTRY_COMPARE(desk.text(u"requestCall"_s), u"during sign"_s);
        QVERIFY(desk.close());
    }

    // Two calls at once, of which each asks: the protocol says which is which.
    void theCallOfAnInputIsNamed()
    {
        RequestWindow desk;
        ServerSpec spec = app::Workspace::demoSpec();
        spec.name = u"stateless"_s;
        spec.revision = Revision::R20260728;
        QVERIFY(desk.workspace().add(spec));
        desk.workspace().start(*desk.workspace().serverNamed(u"stateless"_s));
        QVERIFY(desk.isConnected(u"stateless"_s));
        QVERIFY(desk.open(u"ask-form"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(1));
        QTRY_COMPARE(desk.text(u"requestCall"_s), u"during ask-form"_s);
        QVERIFY(desk.open(u"ask-twice"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(2));
        auto *list = desk.panel()->findChild<QAbstractItemView *>(u"requestList"_s);
        QTRY_COMPARE(list->model()->index(1, ui::RequestModel::CallColumn).data().toString(), u"ask-twice"_s);
        QCOMPARE(list->model()->index(0, ui::RequestModel::CallColumn).data().toString(), u"ask-form"_s);
        QVERIFY(desk.close());
    }

private:
    static bool waitsForUser(const ui::CallPanel *panel)
    {
        const auto *label = panel->findChild<QLabel *>(u"elapsed"_s);
        return label && label->text().startsWith(u"Waiting for your response…");
    }
};

SONDE_TEST(TestRequestKinds)
#include "tst_requestkinds.moc"
