// SPDX-License-Identifier: Apache-2.0
#include "core/client/client.h"
#include "core/client/statefuldialect.h"
#include "core/protocol/methods.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"
#include "ui/result/resultview.h"

#include <QAbstractButton>
#include <QLabel>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestRunningView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsItsHeightsInALowPlace()
    {
        test::FakeTransport transport;
        transport.openNow();
        Client client(&transport);
        client.setDialect(std::make_unique<StatefulDialect>());
        Call *call = client.request(methods::CallTool, "{\"name\":\"slow\"}");
        ResultView view;
        bool isInSight = false;
        view.setInputCheck([&](const Call &) { return AwaitedInput{QStringLiteral("5 s"), isInSight}; });
        view.resize(220, 140);
        view.showRunning(call);
        view.show();
        auto *cancel = view.findChild<QAbstractButton *>(u"cancel"_s);
        auto *elapsed = view.findChild<QLabel *>(u"elapsed"_s);
        QTRY_VERIFY(cancel->mapTo(&view, QPoint()).y() >= elapsed->mapTo(&view, QPoint(0, elapsed->height())).y());
        QTRY_COMPARE(cancel->size(), cancel->sizeHint());
        QTRY_VERIFY(elapsed->height() >= elapsed->heightForWidth(elapsed->width()));
        view.resize(320, 140);
        const auto *request = view.findChild<QAbstractButton *>(u"showRequest"_s);
        QTRY_VERIFY(request->isVisible());
        QTRY_COMPARE(request->y(), cancel->y());
        QCOMPARE(elapsed->text(), u"Waiting for your response… 5 s"_s);
        isInSight = true;
        QTRY_VERIFY(!request->isVisible());
        QCOMPARE(cancel->text(), u"Cancel call"_s);
        call->cancel();
    }

    void showsProgressAndCancels()
    {
        test::FakeTransport transport;
        transport.openNow();
        Client client(&transport);
        client.setDialect(std::make_unique<StatefulDialect>());
        Call *call = client.request(methods::CallTool, "{\"name\":\"slow\"}");
        ResultView view;
        view.resize(500, 300);
        QSignalSpy cancelled(&view, &ResultView::cancelRequested);
        view.showRunning(call);
        view.show();
        auto *bar = view.findChild<QProgressBar *>(u"progress"_s);
        auto *text = view.findChild<QLabel *>(u"progressText"_s);
        auto *cancel = view.findChild<QAbstractButton *>(u"cancel"_s);
        QVERIFY(bar->isVisible() && cancel->isVisible());
        QCOMPARE(bar->maximum(), 0);  // nobody knows how long

        const QByteArray token = transport.expectSent(methods::CallTool).params()[u"_meta"][u"progressToken"].bytes();
        QVERIFY(!token.isEmpty());
        transport.inject("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":" +
                         token + ",\"progress\":2,\"total\":8,\"message\":\"<b>two\\u202e\"}}");
        QTRY_COMPARE(bar->value() * 4, bar->maximum());
        QVERIFY2(text->text().startsWith(u"2 of 8 · <b>two"_s), qPrintable(text->text()));
        QVERIFY(!text->text().contains(QChar(0x202e)));
        QCOMPARE(text->textFormat(), Qt::PlainText);
        QTRY_VERIFY(view.findChild<QLabel *>(u"elapsed"_s)->text().contains(u" s"_s));

        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(cancelled.size(), 1);
        QVERIFY(!cancel->isEnabled());  // once is enough
        call->cancel();
        QSignalSpy finished(call, &Call::finished);
        QVERIFY(!finished.isEmpty() || finished.wait());
        view.showOutcome(ResultView::Subject::Tool, finished.value(0).value(0).value<Outcome>());
        QVERIFY(!cancel->isVisible());
        QCOMPARE(view.findChild<QLabel *>(u"outcomeFacts"_s)->isVisible(), true);
    }

    void nextCallStartsAfresh()
    {
        test::FakeTransport transport;
        transport.openNow();
        auto client = std::make_unique<Client>(&transport);
        ResultView view;
        view.show();
        view.showRunning(client->request(methods::CallTool, "{\"name\":\"slow\"}"));
        auto *cancel = view.findChild<QAbstractButton *>(u"cancel"_s);
        cancel->click();
        view.showRunning(client->request(methods::CallTool, "{\"name\":\"slow\"}"));
        QVERIFY(cancel->isEnabled());
        client.reset();  // takes its calls with it, without a word
        QTRY_VERIFY(!view.findChild<QTimer *>(u"tick"_s)->isActive());
        view.grab();
        view.showEmpty(u"again"_s);
    }
};

}  // namespace sonde::ui

using TestRunningView = sonde::ui::TestRunningView;
SONDE_TEST(TestRunningView)
#include "tst_runningview.moc"
