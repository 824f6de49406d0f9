// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filter.h"
#include "core/json/pointer.h"
#include "tests/support/testregistry.h"
#include "ui/json/jsontable.h"
#include "ui/json/jsontreeview.h"
#include "ui/panels/openaddressdialog.h"
#include "ui/result/contentblock.h"
#include "ui/result/findingslist.h"
#include "ui/result/imageview.h"
#include "ui/result/resultheader.h"
#include "ui/result/resultview.h"
#include "ui/result/textblock.h"
#include "ui/result/timelinefilter.h"
#include "ui/theme/widgets.h"

#include <QAction>
#include <QBuffer>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QFileDialog>
#include <QGuiApplication>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QUrl>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

// What the menus of a result offer, wherever one is opened.
class TestResultMenus : public QObject {
    Q_OBJECT

private:
    static Outcome outcomeOf(const QByteArray &result)
    {
        Outcome outcome;
        outcome.kind = Outcome::Kind::Ok;
        outcome.message = Message::parse(R"({"jsonrpc":"2.0","id":7,"result":)" + result + "}");
        return outcome;
    }

    struct Page {
        explicit Page(const Outcome &outcome)
        {
            view.resize(640, 700);
            view.show();
            view.showOutcome(ResultView::Subject::Tool, outcome);
            QObject::connect(&view, &ResultView::timelineFilterRequested, &view,
                             [this](const QString &filter) { filters.append(filter); });
            QObject::connect(&view, &ResultView::valueMenuRequested, &view,
                             [this](QMenu *, const json::Value &, const QString &place) { pointers.append(place); });
        }
        explicit Page(const QByteArray &result) : Page(outcomeOf(result)) {}

        // As the mouse or the Menu key opens it.
        QMenu *menuOn(QWidget *widget, const QPoint &place, bool isKey = false)
        {
            delete menu;
            const QList<QMenu *> before = view.findChildren<QMenu *>();
            // As the application does it: to the parent, until somebody has a menu.
            QPoint at = place;
            for (QWidget *each = widget; each; at = each->mapToParent(at), each = each->parentWidget()) {
                QContextMenuEvent event(isKey ? QContextMenuEvent::Keyboard : QContextMenuEvent::Mouse, at,
                                        each->mapToGlobal(at));
                QCoreApplication::sendEvent(each, &event);
                if (event.isAccepted())
                    break;
            }
            for (QMenu *each : view.findChildren<QMenu *>()) {
                if (!before.contains(each) && !qobject_cast<QMenu *>(each->parent()))
                    menu = each;
            }
            return menu;
        }
        QStringList entries() const
        {
            QStringList texts;
            for (const QAction *action : menu->actions()) {
                if (!action->isSeparator())
                    texts.append(action->text());
            }
            return texts;
        }
        void choose(const QString &text) const
        {
            for (QAction *action : menu->actions()) {
                if (action->text() == text)
                    return action->trigger();
            }
            QFAIL(qPrintable(text + u" is not in: "_s + entries().join(u", "_s)));
        }
        QString copied(const QString &entry) const
        {
            QGuiApplication::clipboard()->clear();
            choose(entry);
            return QGuiApplication::clipboard()->text();
        }
        void showAs(const QString &name) const
        {
            const auto *views = view.findChild<SegmentedControl *>(u"blockViews"_s);
            for (QAbstractButton *button : views->findChildren<QAbstractButton *>()) {
                if (button->text() == name)
                    return button->click();
            }
            QFAIL(qPrintable(name));
        }

        ResultView view;
        QPointer<QMenu> menu;
        QStringList filters;
        QStringList pointers;
    };

    static void select(JsonTreeView *tree, const QList<int> &rows)
    {
        QModelIndex index;
        for (const int row : rows)
            index = tree->model()->index(row, 0, index);
        tree->setCurrentIndex(index);
        tree->scrollTo(index);
    }

    static QByteArray png()
    {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        QImage image(20, 10, QImage::Format_RGB32);
        image.fill(Qt::red);
        image.save(&buffer, "PNG");
        return bytes;
    }

private Q_SLOTS:
    void aValueOfTheTree()
    {
        Page page("{\"content\":[],\"structuredContent\":{\"a b\":{\"c\":[\"x\",\"two \\\"q\\\"\"],\"n\":1e400}}}");
        page.showAs(u"Tree"_s);
        auto *tree = page.view.findChild<JsonTreeView *>(u"blockTree"_s);
        QVERIFY(tree && tree->isVisible());
        select(tree, {0, 0, 1});
        QVERIFY(page.menuOn(tree->viewport(), tree->visualRect(tree->currentIndex()).center()));
        QCOMPARE(page.copied(u"Copy value"_s), u"two \"q\""_s);
        QCOMPARE(page.copied(u"Copy as JSON"_s), u"\"two \\\"q\\\"\""_s);
        QCOMPARE(page.copied(u"Copy JSON pointer"_s), u"/a b/c/1"_s);
        QVERIFY(!page.entries().contains(u"Copy name"_s));  // an element has none
        QCOMPARE(page.pointers, QStringList{u"/structuredContent/a b/c/1"_s});
        page.choose(u"Filter timeline by this value"_s);
        page.choose(u"Filter timeline by this call"_s);
        QCOMPARE(page.filters,
                 (QStringList{u"\"/result/structuredContent/a b/c/1\" == \"two \\\"q\\\"\""_s, u"id == 7"_s}));
        QVERIFY(page.copied(u"Copy message as JSON"_s).startsWith(u"{\"jsonrpc\""_s));

        // With the keyboard.
        select(tree, {0, 1});
        QVERIFY(page.menuOn(tree, {4, 4}, true));
        QCOMPARE(page.copied(u"Copy name"_s), u"n"_s);
        QTest::keyClick(tree, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"/a b/n"_s);
        QTest::keyClick(tree, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"1e400"_s);
        for (const QAction *action : page.menu->actions()) {
            if (action->text() == u"Copy value"_s)
                QCOMPARE(action->shortcut(), QKeySequence(QKeySequence::Copy));
        }
    }

    void theTextTheTreeAndTheTableSayTheSamePointer()
    {
        Page page(R"({"content":[],"structuredContent":{"rows":[{"a":1,"a":2,"b":"x"},{"b":"y"}]}})");
        auto *text = page.view.findChild<TextBlock *>()->view();
        auto *menu = new QMenu(text);
        const qsizetype first = text->text().indexOf("\"a\": 1");
        Q_EMIT text->menuRequested(menu, first + 5);
        page.menu = menu;
        QCOMPARE(page.copied(u"Copy value"_s), u"1"_s);  // and not the later one of the same name
        QCOMPARE(page.copied(u"Copy JSON pointer"_s), u"/rows/0/a"_s);
        // Each key means one thing.
        QVERIFY(page.menuOn(text->viewport(), {4, 4}));
        QVERIFY(page.entries().contains(u"Copy value"_s));
        const QList<QAction *> actions = page.menu->actions();
        QCOMPARE(std::count_if(actions.begin(), actions.end(),
                               [](const QAction *each) { return each->shortcut() == QKeySequence::Copy; }),
                 1);

        page.showAs(u"Table"_s);
        auto *table = page.view.findChild<QTableView *>(u"jsonTable"_s);
        QVERIFY(table && table->isVisible());
        const QModelIndex cell = table->model()->index(1, 1);
        QVERIFY(page.menuOn(table->viewport(), table->visualRect(cell).center()));
        QCOMPARE(page.copied(u"Copy value"_s), u"y"_s);
        QCOMPARE(page.copied(u"Copy JSON pointer"_s), u"/rows/1/b"_s);
        QCOMPARE(page.copied(u"Copy name"_s), u"b"_s);
        page.choose(u"Filter timeline by this value"_s);
        QCOMPARE(page.filters, QStringList{u"/result/structuredContent/rows/1/b == \"y\""_s});
        QCOMPARE(page.pointers.last(), u"/structuredContent/rows/1/b"_s);

        // A cell without a value; by the keyboard.
        table->setCurrentIndex(table->model()->index(1, 0));
        QVERIFY(page.menuOn(table, {2, 2}, true));
        QVERIFY(!page.entries().contains(u"Copy value"_s));
        QVERIFY(page.entries().contains(u"Columns"_s));
        QVERIFY(page.entries().contains(u"Filter timeline by this call"_s));
    }

    void jsonInAText()
    {
        Page page(
            "{\"content\":[{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"text\",\"text\":\"{\\\"token\\\":"
            "\\\"abc\\\",\\\"n\\\":5}\"}]}");
        page.showAs(u"Tree"_s);
        auto *tree = page.view.findChild<JsonTreeView *>(u"blockTree"_s);
        select(tree, {0});
        QVERIFY(page.menuOn(tree->viewport(), tree->visualRect(tree->currentIndex()).center()));
        QCOMPARE(page.copied(u"Copy JSON pointer"_s), u"/token"_s);
        QCOMPARE(page.pointers, QStringList{u"/content/1/text#/token"_s});
        page.choose(u"Filter timeline by this value"_s);  // a place in a text has no pointer: its bytes are searched
        QCOMPARE(page.filters, QStringList{u"\"abc\""_s});
        QVERIFY(page.copied(u"Copy content block as JSON"_s).startsWith(u"{\"type\":\"text\""_s));
        select(tree, {1});
        QVERIFY(page.menuOn(tree, {4, 4}, true));
        QVERIFY(!page.entries().contains(u"Filter timeline by this value"_s));  // five is everywhere
    }

    void aTextAndWhatIsSelectedInIt()
    {
        Page page(R"({"content":[{"type":"text","text":"some plain words"}]})");
        TextView *text = page.view.findChild<TextBlock *>()->view();
        QVERIFY(page.menuOn(text->viewport(), {4, 4}));
        QVERIFY(!page.entries().contains(u"Filter timeline by selected text"_s));
        QCOMPARE(page.entries().count(u"Find…"_s), 1);
        text->selectAll();
        QVERIFY(page.menuOn(text, {4, 4}, true));
        page.choose(u"Filter timeline by selected text"_s);
        QCOMPARE(page.filters, QStringList{u"\"some plain words\""_s});
        page.choose(u"Find…"_s);
        QTRY_VERIFY(page.view.findChild<QWidget *>(u"findBar"_s)->isVisible());
    }

    void shiftF10OpensTheMenuOfWhatHasTheFocus()
    {
        Page page(R"({"content":[],"structuredContent":{"a":1}})");
        QVERIFY(QTest::qWaitForWindowActive(&page.view));
        page.showAs(u"Tree"_s);
        auto *tree = page.view.findChild<JsonTreeView *>(u"blockTree"_s);
        select(tree, {0});
        tree->setFocus();
        QTRY_VERIFY(tree->hasFocus());
        QTest::keyClick(tree, Qt::Key_F10, Qt::ShiftModifier);
        QPointer<QMenu> menu = page.view.findChild<QMenu *>(u"jsonTreeMenu"_s);
        QVERIFY(menu);
        delete menu;
        auto *copy = page.view.findChild<QAbstractButton *>(u"copyText"_s);
        copy->setFocus();
        QTRY_VERIFY(copy->hasFocus());
        QTest::keyClick(copy, Qt::Key_F10, Qt::ShiftModifier);
        QVERIFY(page.view.findChild<QMenu *>(u"resultMenu"_s));
    }

    void anImage()
    {
        Page page("{\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"" + png().toBase64() +
                  "\"}]}");
        auto *image = page.view.findChild<ImageView *>();
        QVERIFY(image);
        QVERIFY(page.menuOn(image, {2, 2}));
        page.choose(u"Copy image"_s);
        QTRY_COMPARE(QGuiApplication::clipboard()->image().size(), QSize(20, 10));
        page.choose(u"Save as…"_s);
        auto *dialog = page.view.findChild<QFileDialog *>(u"saveDialog"_s);
        QVERIFY(dialog);
        delete dialog;
        // By keys alone.
        image->setFocus();
        QGuiApplication::clipboard()->clear();
        QTest::keyClick(image, Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(QGuiApplication::clipboard()->image().size(), QSize(20, 10));
        QVERIFY(page.menuOn(image, {2, 2}, true));
        page.choose(u"Filter timeline by this call"_s);
        QCOMPARE(page.filters, QStringList{u"id == 7"_s});
    }

    void aResourceLink()
    {
        const QString uri = u"https://example.com/a?b=c d"_s;
        Page page("{\"content\":[{\"type\":\"resource_link\",\"uri\":\"" + uri.toUtf8() + "\",\"name\":\"report\"}]}");
        const QSignalSpy opened(&page.view, &ResultView::linkActivated);
        const QSignalSpy read(&page.view, &ResultView::resourceActivated);
        auto *link = page.view.findChild<QWidget *>(u"resourceLink"_s);
        QVERIFY(page.menuOn(link, {4, 4}));
        QCOMPARE(page.copied(u"Copy URI"_s), uri);
        QCOMPARE(page.copied(u"Copy name"_s), u"report"_s);
        page.choose(u"Read resource"_s);
        QCOMPARE(read.value(0).value(0).toString(), uri);
        page.choose(u"Open link…"_s);
        QCOMPARE(opened.value(0).value(0).toString(), uri);
        page.choose(u"Filter timeline by this resource"_s);
        QCOMPARE(page.filters, QStringList{u"uri == \"https://example.com/a?b=c d\""_s});
        // The focus is on its button.
        auto *button = page.view.findChild<QAbstractButton *>(u"openResource"_s);
        button->setFocus();
        QVERIFY(page.menuOn(button, {2, 2}, true));
        QVERIFY(page.entries().contains(u"Copy URI"_s));
        QTest::keyClick(button, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), uri);

        Page other(R"({"content":[{"type":"resource_link","uri":"demo:a","name":"report"}]})");
        QVERIFY(other.menuOn(other.view.findChild<QWidget *>(u"resourceLink"_s), {4, 4}));
        QVERIFY(!other.entries().contains(u"Open link…"_s));  // for no browser
    }

    void aLinkIsOpenedAfterItsAddressWasSeen()
    {
        auto *dialog = new OpenAddressDialog(u"https://example.com/a"_s, nullptr);
        const QPointer<OpenAddressDialog> guard = dialog;
        QDesktopServices::setUrlHandler(u"https"_s, this, "takeUrl");
        dialog->open();
        QVERIFY(m_taken.isEmpty());
        dialog->findChild<QAbstractButton *>(u"confirmOpen"_s)->click();
        QDesktopServices::unsetUrlHandler(u"https"_s);
        QCOMPARE(m_taken.host(), u"example.com"_s);
        QTRY_VERIFY(!guard);
        const OpenAddressDialog refused(u"ftp://example.com/a"_s, nullptr);
        QVERIFY(!refused.findChild<QAbstractButton *>(u"confirmOpen"_s)->isEnabled());
    }

    void theHeaderTheFindingsAndTheRest()
    {
        Outcome outcome = outcomeOf(R"({"content":[{"type":"text","text":"t"}]})");
        outcome.findings = {u"first finding"_s, u"second finding"_s};
        Page page(outcome);
        auto *header = page.view.findChild<ResultHeader *>();
        QVERIFY(page.menuOn(header, {4, 4}));
        QVERIFY2(page.copied(u"Copy summary"_s).startsWith(u"✓ OK · "_s), qPrintable(page.copied(u"Copy summary"_s)));
        page.choose(u"Filter timeline by this call"_s);

        auto *findings = page.view.findChild<FindingsList *>();
        const auto labels = findings->findChildren<TextLabel *>();
        QTRY_VERIFY(labels.at(1)->y() > 0);
        QVERIFY(page.menuOn(labels.at(1), {4, 4}));
        QCOMPARE(page.copied(u"Copy finding"_s), u"second finding"_s);
        QCOMPARE(page.copied(u"Copy all findings"_s), u"first finding\nsecond finding"_s);
        findings->setFocus();
        QTest::keyClick(findings, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"first finding\nsecond finding"_s);

        QVERIFY(page.menuOn(&page.view, {1, 1}));
        page.choose(u"Filter timeline by this call"_s);
        QCOMPARE(page.filters, (QStringList{u"id == 7"_s, u"id == 7"_s}));
        // Without a result there is nothing to offer.
        page.view.showEmpty({});
        QVERIFY(!page.menuOn(&page.view, {1, 1}));
    }

    void whatOnlySondeSaysOfACallCanBeCopied()
    {
        Outcome lost;
        lost.error = {Error::Kind::Timeout, 0, u"Timed out"_s, {}, {}, {}};
        Page page(lost);
        QVERIFY(page.menuOn(page.view.findChild<QWidget *>(u"outcomeBanner"_s), {4, 4}));
        QVERIFY(!page.copied(u"Copy error text"_s).isEmpty());
        QVERIFY(!page.entries().contains(u"Filter timeline by this call"_s));  // it has no ID
    }

    void filtersAreValid_data()
    {
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("filter");
        QTest::newRow("number") << R"({"result":{"n":1.50}})"_ba << u"/result/n"_s << u"/result/n == 1.50"_s;
        QTest::newRow("large") << R"({"result":{"n":1e400}})"_ba << u"/result/n"_s << u"/result/n == 1e400"_s;
        QTest::newRow("bool") << R"({"result":true})"_ba << u"/result"_s << u"/result == true"_s;
        QTest::newRow("null") << R"({"result":null})"_ba << u"/result"_s << u"/result == null"_s;
        QTest::newRow("word like a number") << R"({"result":"10"})"_ba << u"/result"_s << u"/result == \"10\""_s;
        QTest::newRow("word none") << R"({"result":"none"})"_ba << u"/result"_s << u"/result == \"none\""_s;
        QTest::newRow("escapes") << "{\"a~b/c d\":\"\\\\\\\"\"}"_ba << u"/a~0b~1c d"_s
                                 << u"\"/a~0b~1c d\" == \"\\\\\\\"\""_s;
        QTest::newRow("operators in a name") << R"({"a==b":1})"_ba << u"/a==b"_s << u"\"/a==b\" == 1"_s;
        QTest::newRow("lines") << "{\"a\":\"x\\ny\"}"_ba << u"/a"_s << u"/a != none"_s;
        QTest::newRow("container") << R"({"a":[1]})"_ba << u"/a"_s << u"/a != none"_s;
        QTest::newRow("long") << QByteArray("{\"a\":\"" + QByteArray(5000, 'x') + "\"}") << u"/a"_s << u"/a != none"_s;
        QTest::newRow("whole") << R"({"a":1})"_ba << QString() << u"\"\" != none"_s;
    }

    void filtersAreValid()
    {
        QFETCH(QByteArray, message);
        QFETCH(QString, pointer);
        QFETCH(QString, filter);
        const QString made = filterForValue(json::Pointer::fromString(pointer)->resolve(json::parse(message)));
        QCOMPARE(made, filter);
        const Filter::Parsed parsed = Filter::parse(made);
        QVERIFY2(!parsed.problem, qPrintable(parsed.problem ? parsed.problem->reason : QString()));
        QVERIFY(!parsed.filter.matchesAll());
    }

    void wordsThatAreWrittenInSeveralWaysHaveNoFilter()
    {
        QCOMPARE(filterForWords(u"a = b and (c)"_s), u"\"a = b and (c)\""_s);
        QVERIFY(!Filter::parse(filterForWords(u"a = b and (c)"_s)).problem);
        for (const QString &words : {u"é"_s, u"a\nb"_s, u"a\"b"_s, u"a\\b"_s, u" "_s, QString(), QString(500, u'x')})
            QCOMPARE(filterForWords(words), QString());
    }

public Q_SLOTS:
    void takeUrl(const QUrl &url) { m_taken = url; }

private:
    QUrl m_taken;
};

}  // namespace sonde::ui

using TestResultMenus = sonde::ui::TestResultMenus;
SONDE_TEST(TestResultMenus)
#include "tst_resultmenus.moc"
