// The reference server "everything", used through the window as a person would.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/panels/offermodel.h"
#include "ui/panels/offertree.h"
#include "ui/panels/problemline.h"
#include "ui/theme/widgets.h"

#include <QComboBox>
#include <QFileInfo>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

const QString Modules = QStringLiteral(SONDE_SOURCE_DIR "/tests/peers/node_modules");

QString node()
{
    return Modules + u"/.bin/node"_s;
}

QString script()
{
    return Modules + u"/@modelcontextprotocol/server-everything/dist/index.js"_s;
}

}  // namespace

class TestEverythingWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo::exists(node()) || !QFileInfo::exists(script()))
            QSKIP("the peers are not installed: run 'npm ci --ignore-scripts' in tests/peers, as ./test does");
    }

    void init() { TestWindow::clear(); }

    void toolsAreCalledByMouseAndKeys()
    {
        TestWindow desk;
        QVERIFY(connect(desk));

        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.enter(u"/message"_s, u"one & <b>two</b>"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QCOMPARE(desk.resultText(), u"Echo: one & <b>two</b>"_s);

        QVERIFY(desk.open(u"get-sum"_s));
        QVERIFY(desk.enter(u"/a"_s, u"40.5"_s));
        // By way of the second field's own menu.
        for (int i = 0; i < 4 && QApplication::focusWidget()->objectName() != u"field:/b"_s; ++i)
            desk.press(Qt::Key_Tab);
        desk.type(u"1.5"_s);
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"a":40.5,"b":1.5})"));
        QVERIFY(desk.click(u"callButton"_s));
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY2(desk.resultText().contains(u"42"_s), qPrintable(desk.resultText()));

        QVERIFY(desk.open(u"get-annotated-message"_s));
        QVERIFY(choose(desk, u"/messageType"_s, u"error"_s));
        QVERIFY(desk.click(u"true:/includeImage"_s));
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"messageType":"error","includeImage":true})"));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(desk.resultText().contains(u"Error"_s), qPrintable(desk.resultText()));
        QTRY_VERIFY2(desk.panel()->findChild<QWidget *>(u"image"_s), "no image is shown");

        QVERIFY(desk.open(u"get-structured-content"_s));
        QVERIFY(choose(desk, u"/location"_s, u"Chicago"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(desk.resultText().contains(u"temperature"_s), qPrintable(desk.resultText()));
        QVERIFY(!desk.panel()->findChild<ui::Badge *>(u"structuredBadge"_s)->text().contains(u"not"_s));
        QVERIFY(desk.close());
    }

    void wrongArgumentsComeBackAsTheServerPutsIt()
    {
        TestWindow desk;
        QVERIFY(connect(desk));
        QVERIFY(desk.open(u"get-sum"_s));
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        // b is missing; it can be sent all the same, and the server's complaint marks the field it names.
        QTRY_VERIFY(desk.panel()->findChild<ui::ProblemLine *>(u"problems"_s)->sentence().contains(u": b"_s));
        QVERIFY(desk.call(u"▲ Tool error"_s));
        QVERIFY2(desk.resultText().contains(u"-32602"_s), qPrintable(desk.resultText()));
        // The form marks the field a moment after the result is shown.
        const auto isMarked = [&desk] {
            const auto *issue = desk.panel()->findChild<QLabel *>(u"issue:/b"_s);
            return issue && issue->isVisible() && issue->text().contains(u"Server:"_s);
        };
        QTRY_VERIFY2_WITH_TIMEOUT(isMarked(), qPrintable(desk.resultText()), Patience);
        QVERIFY(desk.close());
    }

    void everyOfferOpens()
    {
        TestWindow desk;
        QVERIFY(connect(desk));
        const QStringList offered = desk.offered();
        QVERIFY(offered.size() > 15);
        int tabs = desk.window().tabs->count();
        for (const QString &name : offered) {
            ui::CallPanel *panel = desk.open(name);
            QVERIFY2(panel, qPrintable(name));
            QCOMPARE(desk.window().tabs->count(), ++tabs);
            QTRY_VERIFY2_WITH_TIMEOUT(!panel->isRunning(), qPrintable(name), Patience);
            // Form to JSON, both, and back, on every one.
            auto *modes = panel->findChild<ui::SegmentedControl *>(u"modeSwitch"_s);
            if (!modes->isVisible())
                continue;
            const QByteArray arguments = panel->arguments();
            for (const int mode : {2, 1, 0})
                QTest::mouseClick(modes->button(mode), Qt::LeftButton);
            QCOMPARE(panel->arguments(), arguments);
        }
        for (int i = desk.window().tabs->count(); i > 1; --i)
            desk.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(desk.close());
    }

private:
    static bool connect(TestWindow &desk)
    {
        return !desk.add(node() + u' ' + script()).isEmpty() &&
               QTest::qWaitFor([&desk] { return desk.offered().size() > 15; }, Patience);
    }

    // With the keyboard: the entry whose text this is.
    static bool choose(TestWindow &desk, const QString &field, const QString &entry)
    {
        auto *combo = desk.panel()->findChild<QComboBox *>(u"field:"_s + field);
        if (!combo) {
            qWarning("%s is no list to choose from", qUtf8Printable(field));
            return false;
        }
        combo->setFocus();
        for (int i = 0; i <= combo->count() && combo->currentText() != entry; ++i)
            QTest::keyClick(combo, Qt::Key_Down);
        if (combo->currentText() == entry)
            return true;
        qWarning("%s offers no %s", qUtf8Printable(field), qUtf8Printable(entry));
        return false;
    }
};

SONDE_TEST(TestEverythingWindow)
#include "tst_everythingwindow.moc"
