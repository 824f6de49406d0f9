// The headers of a message that is edited and sent: by mouse and keys, in the dialog they stand in.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/dialogs/headereditor.h"
#include "ui/dialogs/pairtable.h"
#include "ui/dialogs/senddialog.h"
#include "ui/form/jsoneditor.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;
using Origin = HeaderRow::Origin;

class TestHeaderEditor : public QObject {
    Q_OBJECT

private:
    static RecordedHeaders recorded()
    {
        RecordedHeaders headers;
        headers.rows = {{u"Accept"_s, u"text/plain"_s, Origin::Typed},
                        {u"Authorization"_s, {}, Origin::Own},
                        {u"X-Token-Once"_s, {}, Origin::Lost},
                        {u"User-Agent"_s, u"Sonde"_s, Origin::Typed}};
        headers.ownNames = {"Accept", "Authorization", "User-Agent"};
        headers.isRecorded = true;
        return headers;
    }

    struct Shown {
        explicit Shown(const SendDraft &draft = {}, const RecordedHeaders &headers = recorded())
            : dialog(Message, "8", draft, headers)
        {
            dialog.show();
            dialog.activateWindow();
            isActive = QTest::qWaitForWindowActive(&dialog, test::Patience);
            table = dialog.findChild<PairTable *>(u"sendHeaders"_s);
            finding = dialog.findChild<TextLabel *>(u"sendHeadersFinding"_s);
            send = dialog.findChild<QPushButton *>(u"sendMessage"_s);
        }
        // Wherever the focus is, as a hand on the keyboard does it.
        void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const
        {
            QTest::keyClick(QApplication::focusWidget(), key, modifiers);
            QCoreApplication::processEvents();  // an editor ends in the next turn
        }
        // The first key opens an editor, which has the focus then.
        void type(const QString &text) const
        {
            for (const QChar c : text)
                QTest::keyClick(QApplication::focusWidget(), c.toLatin1());
        }
        void choose(int row, int column) const
        {
            table->setFocus();
            table->setCurrentCell(row, column);
        }
        QString shownIn(int row) const { return table->item(row, 1)->data(Qt::AccessibleTextRole).toString(); }

        static inline const QByteArray Message = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}";
        SendDialog dialog;
        PairTable *table = nullptr;
        TextLabel *finding = nullptr;
        QPushButton *send = nullptr;
        bool isActive = false;
    };

private Q_SLOTS:
    void withoutHttpThereAreNone()
    {
        Shown shown({}, {});
        QVERIFY(!shown.table && !shown.finding);
        QVERIFY(shown.dialog.headers().isEmpty());
    }

    void whatIsNotKnownIsSaid()
    {
        Shown shown;
        QVERIFY(shown.isActive);
        QCOMPARE(shown.table->rowCount(), 5);
        QCOMPARE(shown.table->item(0, 1)->text(), u"text/plain"_s);
        QVERIFY(shown.shownIn(0).isEmpty());
        QCOMPARE(shown.shownIn(1), u"default value"_s);
        QVERIFY(shown.shownIn(2).contains(u"not sent"));
        QVERIFY(shown.finding->isVisible() && shown.finding->text().contains(u"X-Token-Once"));
        QVERIFY(shown.send->isEnabled());
        QVERIFY(shown.dialog.draft().isEmpty());
        QCOMPARE(shown.dialog.headers(),
                 (MessageHeaders{{"Accept", "text/plain"}, {"X-Token-Once", ""}, {"User-Agent", "Sonde"}}));
        RecordedHeaders unknown = recorded();
        unknown.isRecorded = false;
        Shown other({}, unknown);
        QVERIFY(other.dialog.findChild<TextLabel *>(u"sendHeadersNote"_s)->text().contains(u"were not found"));
    }

    // Later its row might be gone.
    void aClickOnASelectedHeaderEditsItAtOnce()
    {
        Shown shown;
        QVERIFY(shown.isActive);
        const auto click = [&shown] {
            const QPoint place = shown.table->visualItemRect(shown.table->item(0, 1)).center();
            QTest::mouseClick(shown.table->viewport(), Qt::LeftButton, {}, place);
        };
        click();
        QVERIFY(!shown.table->findChild<QLineEdit *>());
        click();
        QVERIFY(shown.table->findChild<QLineEdit *>());
        shown.press(Qt::Key_Escape);
        QVERIFY(shown.dialog.isVisible());
        QCOMPARE(shown.table->item(0, 1)->text(), u"text/plain"_s);
    }

    void byKeysAlone()
    {
        Shown shown;
        QVERIFY(shown.isActive);
        // Alt+H comes to the table; mnemonics do not fire on the offscreen platform.
        const QList<QLabel *> labels = shown.dialog.findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [&shown](const QLabel *label) {
            return label->text() == u"HTTP &headers" && label->buddy() == shown.table;
        }));
        shown.table->setFocus();
        shown.press(Qt::Key_Home);
        // Replaced.
        shown.press(Qt::Key_Right);
        shown.type(u"text/html"_s);
        shown.press(Qt::Key_Return);
        QVERIFY(shown.dialog.isVisible());
        // In place of Sonde's own; cleared, that comes back.
        shown.press(Qt::Key_Down);
        shown.type(u"Bearer mine"_s);
        shown.press(Qt::Key_Return);
        QCOMPARE(shown.dialog.headers().at(1), (std::pair<QByteArray, QByteArray>("Authorization", "Bearer mine")));
        shown.press(Qt::Key_Return);
        QVERIFY(shown.dialog.isVisible());
        shown.press(Qt::Key_A, Qt::ControlModifier);
        shown.press(Qt::Key_Backspace);
        shown.press(Qt::Key_Return);
        QCOMPARE(shown.shownIn(1), u"default value"_s);
        QCOMPARE(shown.dialog.headers().at(1).first, "X-Token-Once"_ba);
        // Removed.
        shown.press(Qt::Key_Down);
        shown.press(Qt::Key_Delete);
        QVERIFY(!shown.finding->isVisible());
        // Added.
        shown.press(Qt::Key_Down);
        shown.press(Qt::Key_Left);
        shown.type(u"X-New"_s);
        shown.press(Qt::Key_Tab);
        shown.type(u"1"_s);
        shown.press(Qt::Key_Return);
        QCOMPARE(shown.dialog.headers(),
                 (MessageHeaders{{"Accept", "text/html"}, {"User-Agent", "Sonde"}, {"X-New", "1"}}));
        // And out again.
        shown.press(Qt::Key_Tab);
        QVERIFY(QApplication::focusWidget() != shown.table);
    }

    void removedByMouse()
    {
        Shown shown;
        QVERIFY(shown.isActive);
        auto *remove = shown.dialog.findChild<QToolButton *>(u"sendHeadersRemove"_s);
        QVERIFY(!remove->isEnabled());
        const QRect cell = shown.table->visualItemRect(shown.table->item(0, 0));
        QTest::mouseClick(shown.table->viewport(), Qt::LeftButton, {}, cell.center());
        QVERIFY(remove->isEnabled());
        QTest::mouseClick(remove, Qt::LeftButton);
        QVERIFY(shown.dialog.headers().contains({"Accept", ""}));
        shown.choose(2, 0);
        QTest::mouseClick(remove, Qt::LeftButton);
        QVERIFY(shown.dialog.headers().contains({"User-Agent", ""}));
        QVERIFY(shown.send->isEnabled());
        shown.choose(shown.table->rowCount() - 1, 0);
        QVERIFY(!remove->isEnabled());
    }

    void anotherNameIsAnotherHeader()
    {
        Shown shown;
        shown.table->item(1, 0)->setText(u"X-Authorization"_s);
        QCOMPARE(shown.shownIn(1), u"not sent"_s);
        QVERIFY(shown.dialog.headers().contains({"Authorization", ""}));
        shown.table->item(1, 0)->setText(u"authorization"_s);
        QCOMPARE(shown.shownIn(1), u"default value"_s);
    }

    void whatCannotBeSentKeepsTheDialogOpen()
    {
        Shown shown;
        QVERIFY(shown.isActive);
        QSignalSpy accepted(&shown.dialog, &QDialog::accepted);
        // Pasted, as it would get there.
        QApplication::clipboard()->setText(u"1\r\nInjected: 2"_s);
        shown.choose(0, 1);
        shown.press(Qt::Key_F2);
        shown.press(Qt::Key_A, Qt::ControlModifier);
        shown.press(Qt::Key_V, Qt::ControlModifier);
        shown.press(Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(accepted.size(), 0);
        QVERIFY(shown.finding->isVisible());
        QVERIFY2(shown.finding->text().contains(u"“Accept” contains a"), qPrintable(shown.finding->text()));
        QVERIFY(shown.finding->text().startsWith(sign(Tone::ProtocolError)));
        QVERIFY(!shown.send->isEnabled());
        shown.table->item(0, 1)->setText(u"fine"_s);
        QVERIFY(shown.send->isEnabled());
        shown.table->item(4, 0)->setText(u"Content-Length"_s);
        QVERIFY2(shown.finding->text().contains(u"computes it from the message"), qPrintable(shown.finding->text()));
        QVERIFY(!shown.send->isEnabled());
        QTest::keyClick(shown.dialog.findChild<JsonEditor *>(u"sendParams"_s)->edit(), Qt::Key_Return,
                        Qt::ControlModifier);
        QCOMPARE(accepted.size(), 0);
        shown.table->item(4, 0)->setText(u"accept"_s);
        QVERIFY2(shown.finding->text().contains(u"Duplicate"), qPrintable(shown.finding->text()));
    }

    void whatIsBeingTypedIsSent()
    {
        Shown shown;
        QVERIFY(shown.isActive);
        QSignalSpy accepted(&shown.dialog, &QDialog::accepted);
        shown.choose(1, 1);
        shown.type(u"Basic x"_s);
        shown.press(Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(accepted.size(), 1);
        QVERIFY(shown.dialog.headers().contains({"Authorization", "Basic x"}));
    }

    void whatWasTypedIsNeverLost()
    {
        SendDraft draft;
        {
            Shown shown;
            shown.table->item(1, 1)->setText(u"Bearer typed"_s);
            shown.choose(0, 0);
            shown.press(Qt::Key_Delete);
            shown.choose(1, 1);
            shown.type(u"X"_s);
            shown.dialog.close();  // in the middle of a cell
            QVERIFY(!shown.dialog.isVisible());
            draft = shown.dialog.draft();
            QVERIFY(!draft.isEmpty() && draft.text.isEmpty());
        }
        Shown again(draft);
        const MessageHeaders typed{
            {"Authorization", "Bearer typed"}, {"X-Token-Once", "X"}, {"User-Agent", "Sonde"}, {"Accept", ""}};
        QCOMPARE(again.dialog.headers(), typed);
        auto *startOver = again.dialog.findChild<QPushButton *>(u"sendStartOver"_s);
        QVERIFY(startOver->isEnabled());
        QTest::mouseClick(startOver, Qt::LeftButton);
        QVERIFY(again.dialog.draft().isEmpty());
        QCOMPARE(again.shownIn(1), u"default value"_s);
        QTest::mouseClick(startOver, Qt::LeftButton);
        QCOMPARE(again.dialog.headers(), typed);
    }
};

SONDE_TEST(TestHeaderEditor)
#include "tst_headereditor.moc"
