// Everything that can be pressed, typed into or chosen from has a name for those who cannot see it.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/aboutdialog.h"
#include "ui/dialogs/comparedialog.h"
#include "ui/dialogs/gotopalette.h"
#include "ui/dialogs/manualwindow.h"
#include "ui/dialogs/preferencesdialog.h"
#include "ui/dialogs/replaydialog.h"
#include "ui/dialogs/senddialog.h"
#include "ui/dialogs/serverdialog.h"
#include "ui/dialogs/sessionsdialog.h"
#include "ui/dialogs/shortcuteditor.h"
#include "ui/dialogs/timeoutsdialog.h"
#include "ui/json/textview.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/serverpanel.h"
#include "ui/replay/ignorerulesdialog.h"
#include "ui/replay/replaypanel.h"
#include "ui/timeline/table/timelinemodel.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

bool isControl(const QWidget *widget)
{
    if (widget->objectName().startsWith(u"qt_"_s) || widget->inherits("QHeaderView"))
        return false;  // Qt's own helpers: scroll buttons, the clear button of a line
    const QWidget *parent = widget->parentWidget();
    const bool within =
        parent && (parent->inherits("QLineEdit") || parent->inherits("QComboBox") || parent->inherits("QTabBar") ||
                   parent->inherits("QComboBoxPrivateContainer") || parent->inherits("QTableView"));
    if (within)
        return false;
    return qobject_cast<const QAbstractButton *>(widget) || qobject_cast<const QLineEdit *>(widget) ||
           qobject_cast<const QComboBox *>(widget) || qobject_cast<const QPlainTextEdit *>(widget) ||
           qobject_cast<const QAbstractItemView *>(widget) || qobject_cast<const ui::TextView *>(widget);
}

// The controls that have neither a name nor a text of their own.
QStringList nameless(QWidget *root)
{
    QStringList result;
    for (QWidget *widget : root->findChildren<QWidget *>()) {
        if (!isControl(widget))
            continue;
        QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(widget);
        const QString name = spoken ? spoken->text(QAccessible::Name).trimmed() : widget->accessibleName();
        if (!name.isEmpty())
            continue;
        QString place;
        for (const QWidget *at = widget; at && at != root; at = at->parentWidget())
            place.prepend(u'/' + QString::fromLatin1(at->metaObject()->className()).section(u"::"_s, -1) + u' ' +
                          at->objectName());
        result << place;
    }
    return result;
}

}  // namespace

class TestAccessibleNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void everyControlHasOne()
    {
        TestWindow desk;
        const auto check = [&desk] { return nameless(&desk.window()).join(u'\n'); };
        QVERIFY2(check().isEmpty(), qPrintable(check()));
        QVERIFY(desk.openDemo());
        for (const QString &offer : desk.offered()) {
            QVERIFY2(desk.open(offer), qPrintable(offer));
            QTRY_VERIFY2_WITH_TIMEOUT(!desk.panel()->isRunning(), qPrintable(offer), Patience);
        }
        QVERIFY2(check().isEmpty(), qPrintable(check()));
        // With results of each kind, and a row of the timeline read.
        for (const QString &tool : {u"every-content-kind"_s, u"structured-wrong"_s, u"protocol-error"_s, u"fail"_s}) {
            QVERIFY(desk.open(tool));
            desk.press(Qt::Key_Return, Qt::ControlModifier);
            QTRY_VERIFY2_WITH_TIMEOUT(!desk.panel()->isRunning(), qPrintable(tool), Patience);
        }
        auto *table = desk.find<QAbstractItemView>(u"timelineTable"_s);
        QTRY_VERIFY(table->model()->rowCount() > 4);
        QVERIFY(test::clickRow(table, table->model()->index(2, 3)));
        QVERIFY2(check().isEmpty(), qPrintable(check()));
        // The server's page.
        QVERIFY(desk.clickServer(app::Workspace::demoSpec().name));
        QTest::mouseDClick(desk.window().serverList->viewport(), Qt::LeftButton, {}, QPoint(60, 15));
        QVERIFY(desk.window().findChild<ui::ServerPanel *>());
        QVERIFY2(check().isEmpty(), qPrintable(check()));
        QVERIFY(desk.close());
    }

    void dialogsToo()
    {
        ui::ServerDialog server({}, true, [](const QString &) { return QString(); });
        ui::TimeoutsDialog timeouts({}, {}, {});
        ui::SessionsDialog sessions((SessionLibrary()));
        ui::GotoPalette palette({{u"a"_s, u"b"_s, u"tool"_s, {}, {}}});
        palette.setAttribute(Qt::WA_DeleteOnClose, false);
        ui::SendDialog send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", "2", {}, recordedHeaders({}, {"Accept"}));
        ui::ReplayDialog replay({});
        ui::IgnoreRulesDialog rules({}, u"/x"_s);
        rules.addDraft({});
        ui::CompareDialog compare({}, -1, -1, {});
        ui::PreferencesDialog preferences({}, {}, new ui::ShortcutEditor({}, {}));
        ui::AboutDialog about;
        ui::ManualWindow manual(u":/manual"_s);
        for (QDialog *dialog : QList<QDialog *>{&server, &timeouts, &sessions, &palette, &send, &compare, &replay,
                                                &rules, &preferences, &about, &manual}) {
            dialog->show();
            QVERIFY2(!dialog->windowTitle().isEmpty(), dialog->metaObject()->className());
            QVERIFY2(nameless(dialog).isEmpty(), qPrintable(nameless(dialog).join(u'\n')));
        }
    }

    void theReplayToo()
    {
        ui::ReplayPanel panel({}, SessionLibrary());
        panel.show();
        QVERIFY2(nameless(&panel).isEmpty(), qPrintable(nameless(&panel).join(u'\n')));
    }

    void theKeyboardGetsEverywhere()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"add"_s));
        QTRY_VERIFY(desk.timelineModel()->rowCount() > 0);  // before that the table is not there
        // Tab goes around: through form, button, result, timeline, servers, and back.
        QSet<QString> reached;
        for (int i = 0; i < 60; ++i) {
            desk.press(Qt::Key_Tab);
            for (const QWidget *at = QApplication::focusWidget(); at; at = at->parentWidget())
                reached.insert(at->objectName());
        }
        for (const QString &name :
             {u"field:/a"_s, u"field:/b"_s, u"callButton"_s, u"serverList"_s, u"offerFilter"_s, u"offerTree"_s,
              u"timelineFilter"_s, u"timelineTable"_s, u"addServer"_s, u"goTo"_s, u"compare"_s, u"theme"_s})
            QVERIFY2(reached.contains(name), qPrintable(name));
        // Ctrl+K goes to anything by its name.
        test::WhenDialog palette([](QDialog *shown) {
            auto *line = shown->findChild<QLineEdit *>(u"gotoLine"_s);
            QTest::keyClicks(line, u"every-field"_s);
            QTest::keyClick(line, Qt::Key_Return);
        });
        desk.press(Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(palette.hasRun());
        QTRY_COMPARE(desk.panel()->ref().key, u"every-field-kind"_s);
        // Ctrl+F filters, where the focus is not in a tab; Enter opens the first match.
        desk.window().serverList->setFocus();
        desk.press(Qt::Key_F, Qt::ControlModifier);
        desk.type(u"summ"_s);
        desk.press(Qt::Key_Return);
        QCOMPARE(desk.panel()->ref().key, u"summarize"_s);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestAccessibleNames)
#include "tst_accessiblenames.moc"
