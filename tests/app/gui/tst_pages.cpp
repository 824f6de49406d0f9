// A server whose lists are loaded page by page, as a person goes through them.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "ui/panels/offertree.h"
#include "ui/panels/serverpanel.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QFile>
#include <QLineEdit>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace sonde;
using test::Patience;

class TestPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { test::TestWindow::clear(); }

    void listsAreLoadedPageByPage()
    {
        test::TestWindow desk;
        const QString name = desk.add(test::demoProgram() + u" --page-size 3"_s);
        QVERIFY(!name.isEmpty());
        const qsizetype all = tools(desk).size();
        QVERIFY(all > 9);
        QVERIFY(!tools(desk).contains(u"Load all"_s));
        QAbstractItemModelTester tester(desk.window().offers->model());

        QVERIFY(desk.clickServer(name));
        test::WhenDialog dialog([](QDialog *shown) {
            QTest::keyClick(shown->findChild<QCheckBox *>(u"serverPageByPage"_s), Qt::Key_Space);
            QTest::keyClick(shown->findChild<QLineEdit *>(u"serverName"_s), Qt::Key_Return);
        });
        QVERIFY(desk.click(u"editServer"_s));
        QVERIFY(dialog.hasRun());
        QFile stored(test::TestWindow::configPath(u"servers.json"_s));
        QVERIFY(stored.open(QFile::ReadOnly));
        const QByteArray text = stored.readAll();
        QVERIFY2(json::parse(text)[u"mcpServers"][name][u"pageByPage"].toBool(), text.constData());

        QVERIFY(desk.click(u"restartServer"_s));
        QTRY_COMPARE_WITH_TIMEOUT(tools(desk).size(), 3 + 2, Patience);
        QTRY_COMPARE_WITH_TIMEOUT(note(desk), u"3 loaded"_s, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(pageText(desk).contains(u"Tools: 3 loaded, more on the server"), Patience);
        const QStringList first = tools(desk).first(3);

        QVERIFY(clickAction(desk, u"Load next page"_s));
        QTRY_COMPARE_WITH_TIMEOUT(note(desk), u"6 loaded"_s, Patience);
        QCOMPARE(tools(desk).first(3), first);
        QVERIFY(pageText(desk).contains(u"Tools: 6 loaded, more on the server"));

        // The keyboard: a filter finds no tool that is not loaded, but offers to load more; Enter there loads nothing.
        auto *line = desk.find<QLineEdit>(u"offerFilter"_s);
        auto *tree = desk.find<QTreeView>(u"offerTree"_s);
        line->setFocus();
        desk.type(u"no-such-tool"_s);
        QVERIFY(action(desk, u"Load next page"_s).isValid());
        desk.press(Qt::Key_Return);
        QCOMPARE(note(desk), u"6 loaded"_s);
        desk.press(Qt::Key_Escape);
        tree->setFocus();
        tree->setCurrentIndex(action(desk, u"Load next page"_s));
        desk.press(Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(note(desk), u"9 loaded"_s, Patience);

        QVERIFY(clickAction(desk, u"Load all"_s));
        QTRY_COMPARE_WITH_TIMEOUT(tools(desk).size(), all, Patience);
        QVERIFY(!tools(desk).contains(u"Load all"_s));
        QTRY_VERIFY_WITH_TIMEOUT(note(desk).startsWith(QString::number(all)), Patience);
        QVERIFY(!note(desk).contains(u"loaded") && !pageText(desk).contains(u"Tools: %1 loaded"_s.arg(all)));

        QVERIFY(desk.click(u"refreshLists"_s));
        QTRY_COMPARE_WITH_TIMEOUT(note(desk), u"3 loaded"_s, Patience);
        QVERIFY(desk.close());
    }

private:
    static QStringList tools(test::TestWindow &desk)
    {
        QStringList rows;
        const ui::OfferModel *model = desk.window().offers->model();
        const QModelIndex group = model->index(0, 0);
        for (int row = 0; row < model->rowCount(group); ++row)
            rows << model->index(row, 0, group).data().toString();
        return rows;
    }

    static QString note(test::TestWindow &desk)
    {
        return desk.window().offers->model()->index(0, 0).data(ui::OfferModel::NoteRole).toString();
    }

    static QString pageText(test::TestWindow &desk)
    {
        QStringList texts;
        for (const QLabel *label : desk.window().findChild<ui::ServerPanel *>()->findChildren<QLabel *>())
            texts << label->text();
        return texts.join(u'\n');
    }

    // Of the tools, as the tree shows it.
    static QModelIndex action(test::TestWindow &desk, const QString &text)
    {
        const QAbstractItemModel *model = desk.find<QTreeView>(u"offerTree"_s)->model();
        const QModelIndex group = model->index(0, 0);
        for (int row = 0; row < model->rowCount(group); ++row) {
            if (const QModelIndex index = model->index(row, 0, group); index.data().toString() == text)
                return index;
        }
        return {};
    }

    static bool clickAction(test::TestWindow &desk, const QString &text)
    {
        return test::clickRow(desk.find<QTreeView>(u"offerTree"_s), action(desk, text));
    }
};

SONDE_TEST(TestPages)
#include "tst_pages.moc"
