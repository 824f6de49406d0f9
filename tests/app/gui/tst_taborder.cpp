// Where Tab leads in the window, and where the keyboard is after something was opened, closed or brought back.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"

#include <QAbstractButton>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

QString focused()
{
    const QWidget *widget = QApplication::focusWidget();
    if (!widget)
        return {};
    return widget->objectName().isEmpty() ? QString::fromLatin1(widget->metaObject()->className())
                                          : widget->objectName();
}

bool getsFocus(const QString &name)
{
    if (QTest::qWaitFor([&name] { return focused() == name; }, Patience))
        return true;
    qWarning("the keyboard is at %s, not at %s", qUtf8Printable(focused()), qUtf8Printable(name));
    return false;
}

QStringList walk(TestWindow &desk, int steps, Qt::Key key = Qt::Key_Tab, Qt::KeyboardModifiers modifiers = {})
{
    QStringList names;
    for (int i = 0; i < steps; ++i) {
        desk.press(key, modifiers);
        names << focused();
    }
    return names;
}

}  // namespace

class TestTabOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void theWindowIsReadFromTheTop()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QTRY_VERIFY(desk.find<QWidget>(u"timelineTable"_s)->isVisible());
        QVERIFY(getsFocus(u"field:/a"_s));  // also where nobody has clicked yet
        const QStringList forward = walk(desk, 60);
        const QStringList expected{
            u"field:/b"_s,  u"callButton"_s,  u"copyAs"_s,      u"timelineFilter"_s, u"timelineTable"_s,
            u"addServer"_s, u"openSession"_s, u"goTo"_s,        u"replay"_s,         u"compare"_s,
            u"theme"_s,     u"serverList"_s,  u"offerFilter"_s, u"offerTree"_s,      u"qt_tabwidget_tabbar"_s,
            u"field:/a"_s};
        qsizetype at = -1;
        for (const QString &name : expected) {
            const qsizetype next = forward.indexOf(name, at + 1);
            QVERIFY2(next > at, qPrintable(name + u" after "_s + forward.value(at) + u" in "_s + forward.join(u' ')));
            at = next;
        }
        // And back the same way.
        const qsizetype round = forward.indexOf(u"field:/a"_s);
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QStringList back = walk(desk, int(round) + 1, Qt::Key_Backtab, Qt::ShiftModifier);
        std::reverse(back.begin(), back.end());
        QCOMPARE(back.mid(1), forward.first(round));
    }

    void tabGoesFromFieldToField()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        for (const QString &tool : {u"every-field-kind"_s}) {
            QVERIFY2(desk.offered().contains(tool), qPrintable(tool));
            QVERIFY(desk.open(tool));
            QTRY_VERIFY_WITH_TIMEOUT(focused().startsWith(u"field:"_s), Patience);
            const auto *form = desk.panel()->findChild<QWidget *>(u"formSide"_s);
            QStringList names{focused()};
            while (names.size() < 200 && names.last() != u"callButton"_s) {
                names << walk(desk, 1);
                QVERIFY2(form->isAncestorOf(QApplication::focusWidget()), qPrintable(names.join(u' ')));
                QVERIFY2(!names.last().startsWith(u"menu-button:"_s) && !names.last().startsWith(u"remove:"_s),
                         qPrintable(names.join(u' ')));
            }
            QCOMPARE(names.last(), u"callButton"_s);
            QVERIFY2(names.size() > 5, qPrintable(names.join(u' ')));
        }
        QVERIFY(desk.close());
    }

    void theKeyboardStaysWhereTheWorkIs()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.enter(u"/b"_s, u"3"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(getsFocus(u"field:/b"_s));
        // What was sent before comes back around the field that is being typed in.
        desk.press(Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"a":1,"b":2})"));
        QVERIFY(getsFocus(u"field:/b"_s));
        desk.press(Qt::Key_Down, Qt::AltModifier);
        QVERIFY(getsFocus(u"field:/b"_s));
        QCOMPARE(walk(desk, 1), QStringList{u"callButton"_s});
        // A tab that is closed leaves it to the one that comes forward.
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(getsFocus(u"field:/value"_s));
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(desk.panel()->ref().key, u"add"_s);
        QVERIFY(getsFocus(u"field:/a"_s));
        while (desk.panel())
            desk.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY2(desk.window().tabs->isAncestorOf(QApplication::focusWidget()), qPrintable(focused()));
        QVERIFY(desk.close());
    }

    void aRowOfAListIsLeftForTheNextThing()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"every-field-kind"_s));
        QAbstractButton *add = nullptr;  // fields are drawn a few at a time
        QTRY_VERIFY((add = desk.panel()->findChild<QAbstractButton *>(u"add:/tags"_s)));
        add->setFocus();
        desk.press(Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(focused() != add->objectName(), Patience);
        const QString row = focused();
        const QStringList next = walk(desk, 2);
        QVERIFY2(next.contains(add->objectName()), qPrintable(row + u" "_s + next.join(u' ')));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestTabOrder)
#include "tst_taborder.moc"
