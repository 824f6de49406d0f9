// Suggestions for the arguments of prompts and templates, as they are typed.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/panels/callpanel.h"

#include <QAbstractItemView>
#include <QPlainTextEdit>

using namespace Qt::StringLiterals;
using namespace sonde;
using test::TestWindow;

class TestSuggestions : public QObject {
    Q_OBJECT
private:
    // The list that is open, or null.
    static QAbstractItemView *list()
    {
        auto *popup = qobject_cast<QAbstractItemView *>(QApplication::activePopupWidget());
        return popup && popup->objectName() == u"suggestions"_s ? popup : nullptr;
    }

    static QStringList suggestions()
    {
        QStringList shown;
        for (int row = 0; list() && row < list()->model()->rowCount(); ++row)
            shown << list()->model()->index(row, 0).data().toString();
        return shown;
    }

    static QString typed(const TestWindow &desk) { return QString::fromUtf8(desk.panel()->arguments()); }

private Q_SLOTS:
    void aSuggestionIsChosen()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"summarize"_s));
        QVERIFY(desk.panel()->findChild<QWidget *>(u"subjectNote"_s)->isVisible());
        QVERIFY(desk.enter(u"/style"_s, u"d"_s));
        QTRY_COMPARE(suggestions(), QStringList{u"detailed"_s});
        QTest::keyClick(list(), Qt::Key_Down);
        QTest::keyClick(list(), Qt::Key_Return);
        QTRY_COMPARE(typed(desk), uR"({"style":"detailed"})"_s);
        QVERIFY(suggestions().isEmpty());
        // The one that was chosen is not suggested again.
        QCOMPARE(desk.countOf(u"completion/complete"_s, Direction::ToServer), 1);
        QVERIFY(desk.close());
    }

    void askedForWithoutTyping()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"summarize"_s));
        QVERIFY(desk.enter(u"/topic"_s, u"whales"_s));
        QVERIFY(desk.enter(u"/style"_s, {}));
        desk.press(Qt::Key_Space, Qt::ControlModifier);
        QTRY_COMPARE(suggestions(), (QStringList{u"short"_s, u"detailed"_s, u"poetic"_s}));
        // Typing goes on in the field while the list is there, and Escape closes the list only.
        QTest::keyClick(list(), Qt::Key_P);
        QTRY_COMPARE(suggestions(), QStringList{u"poetic"_s});
        QCOMPARE(typed(desk), uR"({"topic":"whales","style":"p"})"_s);
        QTest::keyClick(list(), Qt::Key_Escape);
        QVERIFY(!list());
        QCOMPARE(typed(desk), uR"({"topic":"whales","style":"p"})"_s);
        QVERIFY(desk.close());
    }

    // They would be in front of the result.
    void aCallEndsThem()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"summarize"_s));
        QVERIFY(desk.enter(u"/topic"_s, u"whales"_s));
        QVERIFY(desk.enter(u"/style"_s, u"d"_s));
        QTRY_COMPARE(suggestions(), QStringList{u"detailed"_s});
        desk.panel()->call();
        QVERIFY(!list());
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY(desk.close());
    }

    void toolsHaveNone()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"add"_s));
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        desk.press(Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(desk.countOf(u"completion/complete"_s, Direction::ToServer), 0);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestSuggestions)
#include "tst_suggestions.moc"
