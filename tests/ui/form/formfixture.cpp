// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/form/formfixture.h"

#include "tests/support/testregistry.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::test {

void FormFixture::begin()
{
    m_form = std::make_unique<ui::SchemaForm>();
    m_form->resize(560, 800);
}

void FormFixture::end()
{
    m_form.reset();
}

void FormFixture::open(const QByteArray &schema, const QByteArray &value)
{
    m_form->setSchema(json::parse(schema));
    if (!value.isEmpty())
        m_form->setValue(json::parse(value));
    m_form->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_form.get()));
    settle();
}

void FormFixture::settle() const
{
    QApplication::processEvents();
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    // Fields are drawn some in each turn.
    int drawn = -1;
    while (std::exchange(drawn, m_form->fieldCount()) != m_form->fieldCount()) {
        for (int turn = 0; turn < 4; ++turn)
            QApplication::processEvents();
    }
}

void FormFixture::click(const QString &name) const
{
    settle();
    auto *widget = find<QWidget>(name);
    QVERIFY2(widget, qPrintable(name));
    QVERIFY2(widget->isVisible(), qPrintable(name));
    QTest::mouseClick(widget, Qt::LeftButton);
}

void FormFixture::type(const QString &name, const QString &text) const
{
    settle();
    auto *widget = find<QWidget>(name);
    QVERIFY2(widget, qPrintable(name));
    widget->setFocus();
    QTest::keyClicks(widget, text);
}

void FormFixture::press(Qt::Key key, Qt::KeyboardModifiers modifiers) const
{
    settle();
    QWidget *at = QApplication::focusWidget();
    QVERIFY(at);
    QTest::keyClick(at, key, modifiers);
    settle();
}

void FormFixture::choose(const QString &presence, const QString &action) const
{
    click(presence);
    QMenu *menu = nullptr;
    QTRY_VERIFY((menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())));
    auto *entry = menu->findChild<QAction *>(action);
    QVERIFY2(entry, qPrintable(action));
    menu->setActiveAction(entry);
    QTest::keyClick(menu, Qt::Key_Return);
    QTRY_VERIFY(!QApplication::activePopupWidget());
    // This platform has no window manager to give the focus back.
    m_form->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_form.get()));
}

QString FormFixture::issueAt(const QString &pointer) const
{
    const auto *label = find<QLabel>(u"issue:"_s + pointer);
    return label && label->isVisible() ? label->text() : QString();
}

}  // namespace sonde::test
