// The dialog of the ignore rules, by mouse and keys.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/replay/ignorerulesdialog.h"
#include "ui/theme/widgets.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QTimer>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;

class TestIgnoreRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Where a dialog is higher than the screen, all that it has is moved into a page that scrolls.
    void rulesAreAddedOnASmallScreen()
    {
        IgnoreRulesDialog dialog({}, {});
        auto *page = new QWidget(&dialog);
        page->setLayout(dialog.layout());
        (new QVBoxLayout(&dialog))->addWidget(page);
        dialog.show();
        dialog.findChild<QPushButton *>(u"ruleAdd"_s)->click();
        QCOMPARE(dialog.findChild<QTableWidget *>(u"ruleTable"_s)->rowCount(), 1);
    }

    void rulesAreShownChangedAndRemoved()
    {
        IgnoreRulesDialog dialog(rules({u"/a"_s, u"/b"_s}), u"/folder/a.rules.json"_s);
        ReplayRules told;
        connect(&dialog, &IgnoreRulesDialog::rulesChanged, this, [&told](const ReplayRules &now) { told = now; });
        dialog.show();
        auto *table = dialog.findChild<QTableWidget *>(u"ruleTable"_s);
        QCOMPARE(table->rowCount(), 2);
        QVERIFY(message(dialog).contains(u"/folder/a.rules.json"_s));
        editCell(table, 0, 2, u"/content/*/text"_s);
        QCOMPARE(told.rules().size(), 2);
        QCOMPARE(told.rules().first().pointer, u"/content/*/text"_s);
        // By its line of choices: timestamps there.
        auto *what = static_cast<QComboBox *>(table->cellWidget(1, 0));
        QTest::keyClick(what, Qt::Key_Down);
        QVERIFY(told.rules().last().kind == ReplayRule::Kind::Timestamp);
        table->setCurrentCell(0, 2);
        QTest::mouseClick(dialog.findChild<QPushButton *>(u"ruleRemove"_s), Qt::LeftButton);
        QCOMPARE(told.rules().size(), 1);
        QCOMPARE(told.rules().first().pointer, u"/b"_s);
    }

    void whatIsNoRuleIsSaidAndChangesNothing()
    {
        IgnoreRulesDialog dialog(rules({u"/a"_s}), u"/x"_s);
        QSignalSpy changed(&dialog, &IgnoreRulesDialog::rulesChanged);
        dialog.show();
        auto *table = dialog.findChild<QTableWidget *>(u"ruleTable"_s);
        editCell(table, 0, 2, u"no pointer"_s);
        QCOMPARE(changed.size(), 0);
        QVERIFY2(message(dialog).contains(u"Line 1"_s) && message(dialog).contains(u"begin with /"_s),
                 qPrintable(message(dialog)));
        editCell(table, 0, 2, u"/fine"_s);
        QCOMPARE(changed.size(), 1);
    }

    void returnInTheTableDoesNotClose()
    {
        IgnoreRulesDialog dialog(rules({u"/a"_s}), u"/x"_s);
        dialog.show();
        auto *table = dialog.findChild<QTableWidget *>(u"ruleTable"_s);
        table->setFocus();
        table->setCurrentCell(0, 2);
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(dialog.isVisible());
    }

    void aDraftIsCompletedByTyping()
    {
        IgnoreRulesDialog dialog({}, u"/x"_s);
        ReplayRules told;
        connect(&dialog, &IgnoreRulesDialog::rulesChanged, this, [&told](const ReplayRules &now) { told = now; });
        dialog.show();
        ReplayRule draft;
        draft.kind = ReplayRule::Kind::Regex;
        draft.pointer = u"/version"_s;
        dialog.addDraft(draft);
        auto *table = dialog.findChild<QTableWidget *>(u"ruleTable"_s);
        auto *editor = table->findChild<QLineEdit *>();
        QVERIFY(editor);
        QTest::keyClicks(editor, u"build \\d+"_s);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(told.rules().size(), 1);
        QCOMPARE(told.rules().first().regex, u"build \\d+"_s);
        QCOMPARE(told.rules().first().pointer, u"/version"_s);
        dialog.showSaved(Error::local(u"the disk is full"_s));
        QVERIFY(message(dialog).contains(u"the disk is full"_s));
    }

    void whatIsNoRuleYetIsNotClosedAway_data()
    {
        QTest::addColumn<bool>("leavesOut");
        QTest::newRow("go on") << false;
        QTest::newRow("leave it out") << true;
    }

    void whatIsNoRuleYetIsNotClosedAway()
    {
        QFETCH(bool, leavesOut);
        IgnoreRulesDialog dialog(rules({u"/a"_s}), u"/x"_s);
        ReplayRules told;
        connect(&dialog, &IgnoreRulesDialog::rulesChanged, this, [&told](const ReplayRules &now) { told = now; });
        dialog.show();
        ReplayRule draft;
        draft.kind = ReplayRule::Kind::Regex;
        dialog.addDraft(draft);
        auto *table = dialog.findChild<QTableWidget *>(u"ruleTable"_s);
        editCell(table, 1, 1, u"(("_s);
        // Waits for the line that is wrong.
        editCell(table, 0, 2, u"/b"_s);
        QCOMPARE(told.rules().size(), 0);
        QString asked;
        QTimer::singleShot(0, &dialog, [&] {
            auto *serverRequest = dialog.findChild<QMessageBox *>(u"ruleQuestion"_s);
            QVERIFY(serverRequest);
            asked = serverRequest->text();
            for (QAbstractButton *button : serverRequest->buttons()) {
                if ((serverRequest->buttonRole(button) == QMessageBox::DestructiveRole) == leavesOut)
                    QTest::mouseClick(button, Qt::LeftButton);
            }
        });
        QTest::mouseClick(dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Close), Qt::LeftButton);
        QVERIFY2(asked.contains(u"Line 2"_s), qPrintable(asked));
        QCOMPARE(dialog.isVisible(), !leavesOut);
        QCOMPARE(table->item(1, 1)->text(), u"(("_s);
        QCOMPARE(told.rules().size(), leavesOut ? 1 : 0);
        if (leavesOut)
            QCOMPARE(told.rules().first().pointer, u"/b"_s);
    }

    void aLineThatNobodyTypedIsNotAskedAbout()
    {
        IgnoreRulesDialog dialog(rules({u"/a"_s}), u"/x"_s);
        QSignalSpy changed(&dialog, &IgnoreRulesDialog::rulesChanged);
        dialog.show();
        QTest::mouseClick(dialog.findChild<QPushButton *>(u"ruleAdd"_s), Qt::LeftButton);
        QTest::mouseClick(dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Close), Qt::LeftButton);
        QVERIFY(!dialog.isVisible());
        QCOMPARE(changed.size(), 0);
    }

    void theChoicesAreReadable()
    {
        IgnoreRulesDialog dialog(rules({u"/a"_s}), u"/x"_s);
        dialog.show();
        auto *table = dialog.findChild<QTableWidget *>(u"ruleTable"_s);
        const QWidget *what = table->cellWidget(0, 0);
        QVERIFY2(what->width() >= what->sizeHint().width(), qPrintable(QString::number(what->width())));
    }

private:
    static ReplayRules rules(const QStringList &pointers)
    {
        ReplayRules result;
        for (const QString &pointer : pointers) {
            ReplayRule rule;
            rule.pointer = pointer;
            result.add(rule);
        }
        return result;
    }

    static QString message(const IgnoreRulesDialog &dialog)
    {
        return dialog.findChild<TextLabel *>(u"ruleMessage"_s)->text();
    }

    static void editCell(QTableWidget *table, int row, int column, const QString &text)
    {
        table->setCurrentCell(row, column);
        table->editItem(table->item(row, column));
        auto *editor = table->findChild<QLineEdit *>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(!table->findChild<QLineEdit *>());  // it takes over in the next turn
    }
};

SONDE_TEST(TestIgnoreRules)
#include "tst_ignorerules.moc"
