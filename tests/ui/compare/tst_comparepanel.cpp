// The tab that compares: verdict, list, sides, and what it does meanwhile.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/compare/snapshots.h"
#include "ui/compare/comparemodel.h"
#include "ui/compare/comparepanel.h"
#include "ui/theme/widgets.h"

#include <QAbstractButton>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;
using sonde::test::manyTools;
using sonde::test::side;

namespace {

constexpr int Patience = 60'000;

QString textsOf(const QWidget *widget)
{
    QStringList texts;
    for (const TextLabel *label : widget->findChildren<TextLabel *>())
        texts << label->text();
    return texts.join(u'\n');
}

QByteArray handshakeWithTools(const QByteArray &instructions)
{
    return "{\"capabilities\":{\"tools\":{}},\"instructions\":\"" + instructions + "\"}";
}

class Panel {
public:
    Panel()
    {
        panel.resize(1000, 700);
        panel.show();
    }

    bool compare(const CompareSide &left, const CompareSide &right)
    {
        const QSignalSpy finished(&panel, &ComparePanel::finished);
        panel.setSides(left, right);
        return QTest::qWaitFor([&finished] { return !finished.isEmpty(); }, Patience);
    }

    QString verdict() const
    {
        const auto *banner = panel.findChild<Banner *>(u"compareVerdict"_s);
        return banner->isVisible() ? textsOf(banner) : QString();
    }
    QString empty() const
    {
        const auto *state = panel.findChild<EmptyState *>(u"compareEmpty"_s);
        return state->isVisible() ? textsOf(state) : QString();
    }
    QString badge(const QString &name) const
    {
        const auto *badge = panel.findChild<Badge *>(name);
        return badge->isVisible() ? badge->text() : QString();
    }
    QString shown() const { return panel.findChild<TextLabel *>(u"compareName"_s)->text(); }
    QListView *list() const { return panel.findChild<QListView *>(u"compareList"_s); }

    ComparePanel panel;
};

}  // namespace

class TestComparePanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noDifferenceIsSaidWithWhatWasCompared()
    {
        Panel p;
        QVERIFY(p.compare(side(u"a"_s, "[{\"name\":\"x\"},{\"name\":\"y\"}]"),
                          side(u"b"_s, "[{\"name\":\"y\"},{\"name\":\"x\"}]")));
        QVERIFY2(p.empty().contains(u"No difference"_s) && p.empty().contains(u"2 tools"_s), qPrintable(p.empty()));
        QVERIFY(p.verdict().isEmpty());
    }

    void theVerdict_data()
    {
        QTest::addColumn<QByteArray>("left");
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<QByteArray>("environment");
        QTest::addColumn<QString>("verdict");
        const auto row = [](const char *name, const char *left, const char *right, const char *environment,
                            QStringView verdict) {
            QTest::newRow(name) << QByteArray(left) << QByteArray(right) << QByteArray(environment)
                                << verdict.toString();
        };
        const char *const same = "{\"program\":\"/a\"}";
        const char *const other = "{\"program\":\"/b\"}";
        row("breaks", "[{\"name\":\"x\"}]", "[]", same, u"✕ 1 difference can break clients of “a”.");
        row("breaks twice", "[{\"name\":\"x\"},{\"name\":\"y\"}]", "[]", same,
            u"✕ 2 differences can break clients of “a”.");
        row("unclear", "[{\"name\":\"x\",\"annotations\":{\"readOnlyHint\":true}}]", "[{\"name\":\"x\"}]", same,
            u"? No certain breaking changes; 1 difference needs review.");
        row("more", "[]", "[{\"name\":\"x\"}]", same, u"✓ No breaking changes for clients of “a”.");
        row("unknown", "[{\"name\":\"x\"}]", "[{\"name\":\"x\"}]", "{\"program\":\"‹a›\"}",
            u"✓ No differences in what could be compared.");
        row("started twice", "[{\"name\":\"x\"}]", "[{\"name\":\"x\"}]", "{\"program\":\"/b\",\"arguments\":[1,2]}",
            u"Launch settings differ in 2 places.");
        row("started", "[{\"name\":\"x\"}]", "[{\"name\":\"x\"}]", other, u"Launch settings differ in 1 place.");
    }
    void theVerdict()
    {
        QFETCH(QByteArray, left);
        QFETCH(QByteArray, right);
        QFETCH(QByteArray, environment);
        QFETCH(QString, verdict);
        Panel p;
        const QByteArray before = environment.contains("‹")           ? environment
                                  : environment.contains("arguments") ? "{\"program\":\"/a\",\"arguments\":[3,4]}"_ba
                                                                      : "{\"program\":\"/a\"}"_ba;
        QVERIFY(p.compare(side(u"a"_s, left, "{}", before), side(u"b"_s, right, "{}", environment)));
        QVERIFY2(p.verdict().contains(verdict), qPrintable(p.verdict()));
        QVERIFY(p.empty().isEmpty());
    }

    // A list that a server offers and that was not read says nothing about what breaks.
    void unlistedToolsLeaveItUnknown()
    {
        CompareSide left = side(u"pages"_s, "[]", handshakeWithTools("a"));
        left.snapshot.isListed[size_t(ServerSnapshot::List::Tools)] = false;
        for (const char *instructions : {"a", "b"}) {
            Panel p;
            QVERIFY(p.compare(left, side(u"b"_s, "[{\"name\":\"x\"}]", handshakeWithTools(instructions))));
            QVERIFY2(p.verdict().startsWith(u"? Unknown whether this can break clients of “pages”"),
                     qPrintable(p.verdict()));
        }
    }

    void selectingShowsBothSides()
    {
        Panel p;
        QVERIFY(p.compare(side(u"a"_s, "[{\"name\":\"x\",\"inputSchema\":{\"required\":[]}},{\"name\":\"y\"}]"),
                          side(u"b"_s, "[{\"name\":\"x\",\"inputSchema\":{\"required\":[\"q\"]}},{\"name\":\"z\"}]")));
        // Each of the three is counted once.
        QVERIFY(p.panel.findChild<QLineEdit *>(u"compareFilter"_s)->placeholderText().contains(u"3 differences"_s));
        QCOMPARE(p.badge(u"compareChanged"_s), u"≠ 1 changed"_s);
        QCOMPARE(p.badge(u"compareAdded"_s), u"+ 1 added"_s);
        QCOMPARE(p.badge(u"compareRemoved"_s), u"− 1 removed"_s);
        QCOMPARE(p.shown(), u"x"_s);
        const auto *changes = p.panel.findChild<QListWidget *>(u"compareChanges"_s);
        QCOMPARE(changes->count(), 1);
        QCOMPARE(changes->item(0)->text(), u"✕  now required: q"_s);
        QTest::keyClick(p.list(), Qt::Key_Down);
        QCOMPARE(p.shown(), u"y"_s);
        // A click beside the rows changes nothing: what is selected is what is shown.
        QTest::mouseClick(p.list()->viewport(), Qt::LeftButton, {}, p.list()->viewport()->rect().bottomRight());
        QVERIFY(p.list()->selectionModel()->isSelected(p.list()->currentIndex()));
        QCOMPARE(p.shown(), u"y"_s);
        // Compared again, the same thing is shown.
        QVERIFY(p.compare(side(u"a"_s, "[{\"name\":\"w\"},{\"name\":\"y\"}]"), side(u"b"_s, "[]")));
        QCOMPARE(p.shown(), u"y"_s);
        // And what is not there any more gives way to the first.
        QVERIFY(p.compare(side(u"a"_s, "[{\"name\":\"w\"}]"), side(u"b"_s, "[]")));
        QCOMPARE(p.shown(), u"w"_s);
    }

    void filteredByKeys()
    {
        Panel p;
        QVERIFY(p.compare(side(u"a"_s, "[{\"name\":\"apple\"},{\"name\":\"pear\"}]"), side(u"b"_s, "[]")));
        auto *line = p.panel.findChild<QLineEdit *>(u"compareFilter"_s);
        QTest::keyClicks(line, u"pea"_s);
        QCOMPARE(p.list()->model()->rowCount(), 2);
        QCOMPARE(p.shown(), u"pear"_s);
        QTest::keyClick(line, Qt::Key_Escape);
        QCOMPARE(p.list()->model()->rowCount(), 3);
        // The heading collapses and expands.
        p.list()->setCurrentIndex(p.list()->model()->index(0, 0));
        QTest::keyClick(p.list(), Qt::Key_Return);
        QCOMPARE(p.list()->model()->rowCount(), 1);
        QTest::keyClick(p.list(), Qt::Key_Return);
        QCOMPARE(p.list()->model()->rowCount(), 3);
    }

    void whatCannotBeReadIsSaid()
    {
        Panel p;
        CompareSide gone = side(u"gone"_s, "[]");
        gone.path = u"/nowhere/s.mcpsession"_s;
        QVERIFY(p.compare(gone, side(u"b"_s, "[]")));
        QVERIFY2(p.empty().contains(u"Before: “gone” cannot be compared"_s), qPrintable(p.empty()));
        QVERIFY(p.compare(side(u"gone"_s, "[]"), gone));
        QVERIFY2(p.empty().contains(u"After: “gone” cannot be compared"_s), qPrintable(p.empty()));
        // It comes back.
        QVERIFY(p.compare(side(u"gone"_s, "[]"), side(u"b"_s, "[]")));
        QVERIFY2(p.empty().contains(u"No difference"_s), qPrintable(p.empty()));
    }

    void buttonsAndNotes()
    {
        Panel p;
        QVERIFY(p.compare(side(u"a & b"_s, "[]"), side(u"c"_s, "[]")));
        QCOMPARE(p.panel.title(), u"a & b ⇄ c"_s);
        const QSignalSpy swapped(&p.panel, &ComparePanel::swapRequested);
        const QSignalSpy refreshed(&p.panel, &ComparePanel::refreshRequested);
        QTest::mouseClick(p.panel.findChild<QAbstractButton *>(u"compareSwap"_s), Qt::LeftButton);
        QTest::mouseClick(p.panel.findChild<QAbstractButton *>(u"compareRefresh"_s), Qt::LeftButton);
        QCOMPARE(swapped.size(), 1);
        QCOMPARE(refreshed.size(), 1);
        const auto *detail = p.panel.findChild<TextLabel *>(u"compareRightDetail"_s);
        const QString before = detail->text();
        p.panel.setNote(false, u"not there"_s);
        QCOMPARE(detail->text(), u"not there"_s);
        p.panel.setNote(false, {});
        QCOMPARE(detail->text(), before);
    }

    // The last question counts; nobody waits for the others, or for any once the tab is closed.
    void onlyTheLastResponseIsShown()
    {
        Panel p;
        const QSignalSpy finished(&p.panel, &ComparePanel::finished);
        const CompareSide left = side(u"a"_s, manyTools(3000, 0));
        p.panel.setSides(left, side(u"b"_s, "[]"));
        p.panel.setSides(left, side(u"b"_s, manyTools(3000, 1)));
        QVERIFY(p.panel.isComparing());
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, Patience);
        QVERIFY(!p.panel.isComparing());
        QCOMPARE(p.badge(u"compareChanged"_s), u"≠ 30 changed"_s);
        auto closed = std::make_unique<ComparePanel>();
        closed->setSides(left, side(u"b"_s, "[]"));
        closed.reset();
    }

    void tenThousandTools()
    {
        Panel p;
        QVERIFY(p.compare(side(u"a"_s, manyTools(10'000, 0)), side(u"b"_s, manyTools(10'000, 1))));
        QVERIFY2(p.verdict().contains(u"✕ 100 differences"_s), qPrintable(p.verdict()));
        QVERIFY(p.compare(side(u"a"_s, manyTools(10'000, 0)), side(u"b"_s, "[]")));
        QCOMPARE(p.list()->model()->rowCount(), 10'001);
        QTest::keyClicks(p.panel.findChild<QLineEdit *>(u"compareFilter"_s), u"tool-9999"_s);
        QCOMPARE(p.list()->model()->rowCount(), 2);
        QCOMPARE(p.shown(), u"tool-9999"_s);
    }
};

SONDE_TEST(TestComparePanel)
#include "tst_comparepanel.moc"
