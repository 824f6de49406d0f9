// A tool whose header annotation breaks the rules: shown with the reason, and not called over HTTP.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/badtoolserver.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "ui/panels/offertree.h"
#include "ui/panels/problemline.h"
#include "ui/theme/widgets.h"

#include <QDir>
#include <QFileInfo>
#include <QPushButton>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::BadToolServer;
using sonde::test::TestWindow;

namespace {

// The row of the tree with this name.
QModelIndex offerNamed(const ui::OfferModel &model, const QString &name)
{
    for (int group = 0; group < model.rowCount(); ++group) {
        const QModelIndex parent = model.index(group, 0);
        for (int row = 0; row < model.rowCount(parent); ++row) {
            if (model.index(row, 0, parent).data().toString() == name)
                return model.index(row, 0, parent);
        }
    }
    return {};
}

}  // namespace

class TestNotCallable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void overHttp()
    {
        const BadToolServer server;
        writeServer(server.url());
        TestWindow desk;
        QVERIFY(desk.clickServer(u"headers"_s));
        QVERIFY(desk.click(u"restartServer"_s));
        QVERIFY(desk.isConnected(u"headers"_s));
        QTRY_VERIFY(desk.isListed());

        const ui::OfferModel &model = *desk.window().offers->model();
        QVERIFY(offerNamed(model, u"good"_s).data(ui::OfferModel::ProblemRole).toString().isEmpty());
        const QModelIndex bad = offerNamed(model, u"bad"_s);
        const QString reason = u"is not a string, an integer or a boolean"_s;
        QVERIFY(bad.data(ui::OfferModel::ProblemRole).toString().contains(reason));
        QVERIFY(bad.data(Qt::ToolTipRole).toString().replace(QChar::Nbsp, u' ').contains(reason));
        QCOMPARE(bad.data(Qt::AccessibleTextRole).toString(), u"bad, not callable"_s);

        const ui::CallPanel *panel = desk.open(u"bad"_s);
        QVERIFY(panel);
        const auto *message = panel->findChild<ui::TextLabel *>(u"notCallable"_s);
        QVERIFY(message && message->isVisible());
        QVERIFY(message->text().contains(reason));
        QVERIFY(!panel->findChild<QPushButton *>(u"callButton"_s)->isEnabled());
        QCOMPARE(panel->findChild<ui::ProblemLine *>(u"problems"_s)->sentence(), u"not callable over HTTP"_s);
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(!panel->isRunning());
        if (const QString folder = qEnvironmentVariable("SONDE_TEST_SCREENS"); !folder.isEmpty())
            desk.window().grab().save(folder + u"/not-callable.png"_s);

        panel = desk.open(u"good"_s);
        QVERIFY(panel);
        QVERIFY(panel->findChild<ui::TextLabel *>(u"notCallable"_s)->isHidden());
        QVERIFY(panel->findChild<QPushButton *>(u"callButton"_s)->isEnabled());
        QVERIFY(desk.call(u"✓ OK"_s));
        QCOMPARE(server.calls(), 1);
        QVERIFY(desk.close());
    }

private:
    static void writeServer(const QUrl &url)
    {
        QDir().mkpath(QFileInfo(TestWindow::configPath({})).path());
        test::writeFile(
            TestWindow::configPath(u"servers.json"_s),
            R"({"mcpServers":{"headers":{"type":"http","url":")" + url.toEncoded() + R"(","revision":"2026-07-28"}}})");
    }
};

SONDE_TEST(TestNotCallable)
#include "tst_notcallable.moc"
