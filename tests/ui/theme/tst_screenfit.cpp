// Dialogs that are larger than the screen.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/theme/pagearea.h"
#include "ui/theme/screenfit.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QScreen>
#include <QTest>
#include <QVBoxLayout>
#include <memory>

using namespace Qt::StringLiterals;
using namespace sonde::ui;

class TestScreenFit : public QObject {
    Q_OBJECT

private:
    // A dialog whose page and buttons need so much room.
    struct Dialog : QDialog {
        QWidget *page = new QWidget;
        QPushButton *save = nullptr;

        Dialog(const QSize &pageSize, int buttonWidth)
        {
            auto *column = new QVBoxLayout(this);
            page->setMinimumSize(pageSize);
            column->addWidget(page);
            auto *buttons = new QDialogButtonBox;
            save = buttons->addButton(u"Save"_s, QDialogButtonBox::AcceptRole);
            save->setMinimumWidth(buttonWidth);
            column->addWidget(buttons);
        }
        QSize screenSize() const { return screen()->availableSize(); }
        bool isInside() const { return size().boundedTo(screenSize()) == size(); }
        qsizetype areas() const { return findChildren<PageArea *>().size(); }
    };

private Q_SLOTS:
    void initTestCase() { m_fit = std::make_unique<ScreenFit>(nullptr); }
    void cleanupTestCase() { m_fit.reset(); }

    void aSmallDialogIsLeftAsItIs()
    {
        Dialog dialog({200, 200}, 80);
        dialog.show();
        QCOMPARE(dialog.areas(), 0);
    }

    void aHighDialogIsScrolledAboveItsButtons()
    {
        Dialog dialog({200, 3000}, 80);
        dialog.show();
        QVERIFY(dialog.isInside());
        QCOMPARE(dialog.areas(), 1);
        QVERIFY(dialog.rect().contains(dialog.save->mapTo(&dialog, dialog.save->rect().center())));
    }

    // Each time its layout changes, too.
    void buttonsThatAreTooWideAreScrolledOnce()
    {
        Dialog dialog({200, 3000}, 3000);
        dialog.show();
        for (int i = 0; i < 10; ++i) {
            dialog.page->setMinimumHeight(3000 + i);
            QCoreApplication::sendPostedEvents();
        }
        QVERIFY(dialog.isInside());
        QCOMPARE(dialog.areas(), 2);
    }

private:
    std::unique_ptr<ScreenFit> m_fit;
};

SONDE_TEST(TestScreenFit)
#include "tst_screenfit.moc"
