// Servers that mean no good, or mean too much: text that would deceive, names without end, a flood.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/visibletext.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "ui/json/textview.h"
#include "ui/panels/offermodel.h"
#include "ui/panels/offertree.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/table/timelinetext.h"

#include <QAbstractButton>
#include <QLabel>
#include <QTabWidget>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;
using sonde::test::unsafeIn;

namespace {

const QString LongName =
    u"a-name-of-the-greatest-length-that-the-protocol-recommends.which-has-one-hundred-and-twenty-eight-characters_so-it-has-to-be-cut"_s;

// Everything that a person could see or hear of these widgets.
QStringList shownBy(QWidget *root)
{
    QStringList texts;
    const auto add = [&texts](const QString &text) {
        if (!text.isEmpty())
            texts << text;
    };
    QList<QWidget *> widgets = root->findChildren<QWidget *>();
    widgets.append(root);
    for (const QWidget *widget : std::as_const(widgets)) {
        add(widget->toolTip());
        add(widget->accessibleName());
        add(widget->accessibleDescription());
        add(widget->windowTitle());
        if (const auto *label = qobject_cast<const QLabel *>(widget))
            add(label->text());
        if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
            add(button->text());
        if (const auto *badge = qobject_cast<const ui::Badge *>(widget))
            add(badge->text());
        if (const auto *text = qobject_cast<const ui::TextView *>(widget); text && text->isVisible())
            add(text->shownText());
    }
    return texts;
}

int floodLength()
{
    return test::isSanitized() ? 40'000 : 100'000;
}

}  // namespace

class TestHostileServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void s6_nothingIsDrawnAsItCame()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const auto *model = desk.window().offers->model();
        for (int group = 0; group < model->rowCount(); ++group) {
            const QModelIndex parent = model->index(group, 0);
            for (int row = 0; row < model->rowCount(parent); ++row) {
                for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(Qt::AccessibleTextRole)}) {
                    const QString unsafe = unsafeIn(model->index(row, 0, parent).data(role).toString());
                    QVERIFY2(unsafe.isEmpty(), qPrintable(unsafe));
                }
            }
        }
        QVERIFY(desk.open(u"hostile-text"_s));
        const QTabWidget *tabs = desk.window().tabs;
        QVERIFY2(unsafeIn(tabs->tabText(tabs->currentIndex())).isEmpty(),
                 qPrintable(tabs->tabText(tabs->currentIndex())));
        QVERIFY2(unsafeIn(tabs->tabToolTip(tabs->currentIndex())).isEmpty(), "the tab's tool tip");
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.resultText().contains(QChar(0x202e)));  // what is copied is what came
        QTRY_COMPARE(qsizetype(desk.timelineModel()->rowCount()), desk.session()->size());
        for (const QString &text : shownBy(&desk.window())) {
            const QString unsafe = unsafeIn(text);
            QVERIFY2(unsafe.isEmpty(), qPrintable(unsafe));
        }
        // And no label takes it for markup.
        for (const QLabel *label : desk.window().findChildren<QLabel *>()) {
            if (label->pixmap(Qt::ReturnByValue).isNull())
                QCOMPARE(label->textFormat(), Qt::PlainText);
        }
        // A tool tip guesses: what looks like markup must come escaped.
        const QString tip = tabs->tabToolTip(tabs->currentIndex());
        QVERIFY2(!Qt::mightBeRichText(tip) || !tip.contains(u"<img"_s), qPrintable(tip));
        const ui::TimelineModel *timeline = desk.timelineModel();
        for (int row = 0; row < timeline->rowCount(); ++row) {
            for (int column = 0; column < timeline->columnCount(); ++column) {
                const QModelIndex index = timeline->index(row, column);
                const auto text = index.data(ui::TimelineModel::TextRole).value<ui::RowText>();
                for (const QString &each :
                     {index.data().toString(), index.data(Qt::ToolTipRole).toString(), text.target, text.more}) {
                    const QString unsafe = unsafeIn(each);
                    QVERIFY2(unsafe.isEmpty(), qPrintable(unsafe));
                }
            }
        }
        QVERIFY(desk.close());
    }

    void longNamesPushNothingAway()
    {
        TestWindow desk;
        desk.window().resize(1000, 700);
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(LongName));
        const QTabWidget *tabs = desk.window().tabs;
        const int tab = tabs->currentIndex();
        // Names often differ at their ends.
        const QString title = tabs->tabText(tab);
        QVERIFY2(tabs->fontMetrics().horizontalAdvance(title) <= 320 && title.endsWith(LongName.right(10)),
                 qPrintable(title));
        QVERIFY(tabs->tabToolTip(tab).contains(LongName));
        QVERIFY(desk.call(u"✓ OK"_s));
        // The window and its halves keep their size, and the controls stay within it.
        QCOMPARE(desk.window().width(), 1000);
        for (const QString &name : {u"callButton"_s, u"copyAs"_s, u"modeSwitch"_s}) {
            const auto *control = desk.panel()->findChild<QWidget *>(name);
            const QRect place(control->mapTo(desk.panel(), QPoint(0, 0)), control->size());
            QVERIFY2(desk.panel()->rect().contains(place), qPrintable(name));
        }
        QVERIFY(desk.close());
    }

    void aFloodLeavesTheWindowUsable()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        // With a handshake the flood comes once, however often the lists behind it are given up and asked for again.
        desk.servers().connectLine(test::demoProgram() + u" --revision 2025-11-25 --flood %1"_s.arg(floodLength()));
        const Session *flooded = desk.session();
        QVERIFY(flooded && flooded->isLive());
        QTRY_VERIFY_WITH_TIMEOUT(flooded->size() > 1000, Patience);
        // While it arrives the window does what one asks of it: another server, another tool, a call.
        QVERIFY(desk.clickServer(app::Workspace::demoSpec().name));
        QVERIFY(desk.open(u"echo"_s));
        QCOMPARE(desk.panel()->ref().key, u"echo"_s);
        QVERIFY(desk.open(u"add"_s));
        QVERIFY(desk.enter(u"/a"_s, u"20"_s));
        QVERIFY(desk.enter(u"/b"_s, u"22"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(flooded->size() < floodLength(), "the flood was over before the call was");
        QVERIFY(desk.clickServer(u"sonde-demo-server"_s));
        QCOMPARE(desk.session(), flooded);
        QTRY_VERIFY2_WITH_TIMEOUT(desk.offered().contains(u"echo"_s), "its own tools are not listed", 20 * Patience);
        QTRY_COMPARE_WITH_TIMEOUT(desk.countOf(u"notifications/message"_s, Direction::FromServer), floodLength(),
                                  20 * Patience);
        QTRY_COMPARE_WITH_TIMEOUT(qsizetype(desk.timelineModel()->rowCount()), flooded->size(), Patience);
        // In order, none twice.
        int number = 0;
        for (qsizetype row = 0; row < flooded->size(); ++row) {
            const RecordInfo &record = flooded->at(row);
            if (record.direction != Direction::FromServer || flooded->name(record.method) != "notifications/message"_L1)
                continue;
            const QByteArray wanted = "\"message " + QByteArray::number(++number) + " of ";
            QVERIFY2(flooded->bytes(row).contains(wanted), flooded->bytes(row).constData());
        }
        QCOMPARE(number, floodLength());
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestHostileServer)
#include "tst_hostileserver.moc"
