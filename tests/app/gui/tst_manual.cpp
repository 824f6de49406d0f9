// The manual in the program: its pages, search, history and pictures, and which page belongs to which screen.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "app/gui/manual.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/manualbrowser.h"
#include "ui/dialogs/manualwindow.h"
#include "ui/result/resultview.h"
#include "ui/timeline/timelinepanel.h"

#include <QAbstractTextDocumentLayout>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QTextBlock>
#include <QTreeWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

const QString &manualFolder()
{
    static const QString folder = u":/manual"_s;
    return folder;
}

QSet<QString> anchorsOf(const ui::ManualPage &page)
{
    QSet<QString> anchors;
    const auto document = ui::ManualPages::documentOf(page);
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 0)
            anchors.insert(ui::ManualPages::anchorOf(block.text()));
    }
    return anchors;
}

// The pictures of the page that is shown, as they are laid out.
QList<QSizeF> pictureSizes(const QTextBrowser &browser)
{
    QList<QSizeF> sizes;
    for (QTextBlock block = browser.document()->begin(); block.isValid(); block = block.next()) {
        if (block.text().contains(QChar::ObjectReplacementCharacter))
            sizes.append(browser.document()->documentLayout()->blockBoundingRect(block).size());
    }
    return sizes;
}

// A manual that a person has before them.
class Reader {
public:
    explicit Reader(ui::ManualWindow *window)
        : m_window(window),
          browser(*window->findChild<ui::ManualBrowser *>(u"manualPage"_s)),
          contents(*window->findChild<QTreeWidget *>(u"manualPages"_s)),
          hits(*window->findChild<QListWidget *>(u"manualHits"_s)),
          search(*window->findChild<QLineEdit *>(u"manualSearch"_s))
    {
        window->show();
        window->activateWindow();
    }
    QString page() const { return m_window->currentPage(); }
    // The first heading in sight.
    QString heading() const { return browser.cursorForPosition(QPoint(20, 12)).block().text(); }
    QString said(const QString &label) const
    {
        const auto *found = m_window->findChild<QLabel *>(label);
        return found->isVisible() ? found->text() : QString();
    }

private:
    ui::ManualWindow *m_window;

public:
    ui::ManualBrowser &browser;
    QTreeWidget &contents;
    QListWidget &hits;
    QLineEdit &search;
};

}  // namespace

class TestManual : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    // What links and pictures of all pages, and all screens, lead to is there.
    void nothingLeadsNowhere()
    {
        const ui::ManualPages pages(manualFolder());
        QHash<QString, QSet<QString>> anchors;
        for (const ui::ManualPage &page : pages.all())
            anchors.insert(page.path, anchorsOf(page));
        QStringList wrong;
        const auto check = [&](const QString &where, const ui::ManualPlace &place) {
            if (!anchors.contains(place.path) ||
                (!place.anchor.isEmpty() && !anchors[place.path].contains(place.anchor)))
                wrong.append(where + u": "_s + place.path + u'#' + place.anchor);
        };
        static const QRegularExpression link(u"(!?)\\[[^\\]]*\\]\\(([^)\\s]+)\\)"_s);
        int own = 0;
        QSet<QString> pictures;
        for (const ui::ManualPage &page : pages.all()) {
            own += page.path.startsWith(u"manual/") ? 1 : 0;
            QVERIFY2(!page.title.isEmpty() && !page.chapter.isEmpty(), qPrintable(page.path));
            QVERIFY2(!page.markdown.contains(u"<picture"), qPrintable(page.path));
            auto links = link.globalMatch(page.markdown);
            while (links.hasNext()) {
                const QRegularExpressionMatch match = links.next();
                const ui::ManualPlace target = pages.target(page.path, QUrl(match.captured(2)));
                if (match.captured(1) == u"!")
                    pictures.insert(match.captured(2).section(u'/', -1));
                else if (!target.path.isEmpty())
                    check(page.path, target);
                else if (match.captured(2).contains(u"manual/"))
                    wrong.append(page.path + u": "_s + match.captured(2));
            }
        }
        for (const QString &place : app::ManualController::places())
            check(u"screen"_s, {place.section(u'#', 0, 0), place.section(u'#', 1)});
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
        QCOMPARE(own, 12);
        // Each picture is in both themes, and none is there for nothing.
        QStringList missing;
        QStringList files = QDir(manualFolder() + u"/pictures"_s).entryList();
        for (const QString &picture : std::as_const(pictures)) {
            for (const QString &name : {picture, QString(picture).replace(u"-light."_s, u"-dark."_s)}) {
                if (files.removeAll(name) == 0)
                    missing.append(name);
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
        QVERIFY2(files.isEmpty(), qPrintable(u"on no page: "_s + files.join(u' ')));
        QVERIFY(QDir(manualFolder()).exists(u"README.md"_s));
        QCOMPARE(QDir(manualFolder() + u"/manual"_s).entryList({u"*.md"_s}).size(), 12);
    }

    void wordsAreFoundInAllPages()
    {
        ui::ManualWindow window(manualFolder());
        Reader reader(&window);
        window.showPlace(u"manual/forms.md"_s);
        QTest::keyClicks(&reader.search, u"backtracking"_s);
        QVERIFY(reader.hits.isVisible() && !reader.contents.isVisible());
        QCOMPARE(reader.hits.count(), 1);
        QVERIFY2(reader.hits.item(0)->text().startsWith(u"Limits"), qPrintable(reader.hits.item(0)->text()));
        QCOMPARE(reader.page(), u"manual/forms.md"_s);  // until it is asked for
        QTest::keyClick(&reader.search, Qt::Key_Return);
        QCOMPARE(reader.page(), u"limits.md"_s);
        QCOMPARE(reader.browser.textCursor().selectedText(), u"backtracking"_s);
        QVERIFY(reader.browser.viewport()->rect().contains(reader.browser.cursorRect()));
        // Words may stand apart; the arrows choose without leaving the line.
        reader.search.clear();
        QTest::keyClicks(&reader.search, u"keychain tokens"_s);
        QVERIFY(reader.hits.count() > 2);
        QTest::keyClick(&reader.search, Qt::Key_Down);
        QTest::keyClick(&reader.search, Qt::Key_Return);
        QCOMPARE(reader.hits.currentRow(), 1);
        QVERIFY(!reader.browser.textCursor().selectedText().isEmpty());
        QVERIFY(reader.browser.extraSelections().size() > 1);
        QVERIFY(reader.said(u"manualCount"_s).contains(u"places"));
        reader.search.clear();
        QTest::keyClicks(&reader.search, u"the"_s);
        QVERIFY2(reader.said(u"manualCount"_s).contains(u"the first "_s + QString::number(reader.hits.count())),
                 qPrintable(reader.said(u"manualCount"_s)));
        QTest::keyClicks(&reader.search, u" zzzzz"_s);
        QCOMPARE(reader.said(u"manualCount"_s), u"No page has these words."_s);
        QTest::keyClick(&reader.search, Qt::Key_Return);  // there is nothing to open
        QTest::keyClick(&reader.search, Qt::Key_Escape);
        QVERIFY(window.isVisible() && reader.contents.isVisible());
        QTest::keyClick(&reader.search, Qt::Key_Escape);
        QVERIFY(!window.isVisible());
    }

    void oneGoesBackToWhereOneWas()
    {
        ui::ManualWindow window(manualFolder());
        Reader reader(&window);
        QVERIFY(QTest::qWaitForWindowActive(&window, Patience));
        window.showPlace(u"manual/forms.md#conditions-and-choices"_s);
        QCOMPARE(reader.heading(), u"Conditions and choices"_s);
        QCOMPARE(reader.contents.currentItem()->text(0), u"Forms"_s);
        QVERIFY(reader.contents.currentItem()->isExpanded());
        const int place = reader.browser.verticalScrollBar()->value();
        Q_EMIT reader.browser.anchorClicked(QUrl(u"saved-calls.md#use-in"_s));
        QCOMPARE(reader.page(), u"manual/saved-calls.md"_s);
        Q_EMIT reader.browser.anchorClicked(QUrl(u"../filter-language.md#fields"_s));
        QCOMPARE(reader.page(), u"filter-language.md"_s);
        QCOMPARE(reader.heading(), u"Fields"_s);
        QTest::keyClick(&reader.browser, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(reader.page(), u"manual/saved-calls.md"_s);
        QTest::keyClick(&reader.browser, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(reader.page(), u"manual/forms.md"_s);
        QCOMPARE(reader.browser.verticalScrollBar()->value(), place);
        QTest::keyClick(&reader.browser, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(reader.page(), u"manual/saved-calls.md"_s);
        // Nothing outside is opened, or read.
        Q_EMIT reader.browser.anchorClicked(QUrl(u"https://example.com/x"_s));
        QVERIFY(reader.said(u"manualMessage"_s).contains(u"example.com"));
        Q_EMIT reader.browser.anchorClicked(QUrl(u"file:///etc/passwd"_s));
        QCOMPARE(reader.page(), u"manual/saved-calls.md"_s);
        QVERIFY(!reader.browser.loadResource(QTextDocument::ImageResource, QUrl(u"file:///etc/passwd"_s)).isValid());
    }

    void picturesFitTheWindow()
    {
        ui::ManualWindow window(manualFolder());
        Reader reader(&window);
        window.resize(1400, 800);
        window.showPlace(u"manual/first-steps.md"_s);
        QCOMPARE(pictureSizes(reader.browser).size(), 1);
        const qreal wide = pictureSizes(reader.browser).first().height();
        QVERIFY(wide > 300);
        window.resize(700, 800);
        QTRY_VERIFY(pictureSizes(reader.browser).first().height() < wide * 0.7);
        QVERIFY(!reader.browser.horizontalScrollBar()->isVisible());
        QCOMPARE_GT(pictureSizes(reader.browser).first().height(), 100.0);
        // It is drawn, and not only room for it.
        const QImage drawn = reader.browser.viewport()->grab().toImage();
        QSet<QRgb> colors;
        for (int y = 0; y < drawn.height(); ++y)
            colors.insert(drawn.pixel(drawn.width() / 2, y));
        QVERIFY2(colors.size() > 8, qPrintable(QString::number(colors.size())));
    }

    void everyPageOpens()
    {
        ui::ManualWindow window(manualFolder());
        const Reader reader(&window);
        const ui::ManualPages pages(manualFolder());
        for (const ui::ManualPage &page : pages.all()) {
            window.showPlace(page.path);
            QCOMPARE(reader.page(), page.path);
        }
    }

    void aWordIsFoundInThePage()
    {
        ui::ManualWindow window(manualFolder());
        Reader reader(&window);
        QVERIFY(QTest::qWaitForWindowActive(&window, Patience));
        window.showPlace(u"manual/forms.md"_s);
        reader.browser.setFocus();
        QTest::keyClick(&reader.browser, Qt::Key_F, Qt::ControlModifier);
        auto *edit = window.findChild<QLineEdit *>(u"findEdit"_s);
        QTRY_VERIFY(edit->hasFocus());
        QTest::keyClicks(edit, u"schema"_s);
        QTRY_VERIFY2(reader.said(u"findCount"_s).startsWith(u"1 of "), qPrintable(reader.said(u"findCount"_s)));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY(reader.said(u"findCount"_s).startsWith(u"2 of "));
        QTest::keyClick(edit, Qt::Key_Escape);
        QVERIFY(window.isVisible() && !edit->isVisible());
    }

    // What a worker still finds is in the page before.
    void aPageOpensDuringASearch()
    {
        QTest::failOnWarning(QRegularExpression(u"QTextCursor"_s));
        const ui::ManualPages pages(manualFolder());
        QList<std::pair<int, QString>> byLength;
        for (const ui::ManualPage &page : pages.all())
            byLength.append({ui::ManualPages::documentOf(page)->characterCount(), page.path});
        std::sort(byLength.begin(), byLength.end());
        ui::ManualWindow window(manualFolder());
        Reader reader(&window);
        QVERIFY(QTest::qWaitForWindowActive(&window, Patience));
        window.showPlace(byLength.last().second);
        reader.browser.setFocus();
        QTest::keyClick(&reader.browser, Qt::Key_F, Qt::ControlModifier);
        auto *edit = window.findChild<QLineEdit *>(u"findEdit"_s);
        QTRY_VERIFY(edit->hasFocus());
        QTest::keyClick(edit, Qt::Key_A);
        window.showPlace(byLength.first().second);
        QTRY_VERIFY2(reader.said(u"findCount"_s).contains(u" of "), qPrintable(reader.said(u"findCount"_s)));
    }

    void theKeyOpensThePageOfTheScreen()
    {
        TestWindow desk;
        app::MainWindow &window = desk.window();
        const auto place = [&window](const QWidget *focus) { return app::ManualController::placeOf(focus, window); };
        desk.press(Qt::Key_F1);
        auto *manual = window.findChild<ui::ManualWindow *>();
        QVERIFY(manual && manual->isVisible());
        QCOMPARE(manual->currentPage(), u"manual/first-steps.md"_s);
        // What was read meanwhile stays, as long as the screen is the same.
        manual->showPlace(u"limits.md"_s);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window, Patience));
        desk.press(Qt::Key_F1);
        QCOMPARE(manual->currentPage(), u"limits.md"_s);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window, Patience));
        QVERIFY(desk.openDemo());
        window.actions->manual->trigger();
        QCOMPARE(manual->currentPage(), u"manual/forms.md"_s);
        QCOMPARE(place(desk.panel()->findChild<ui::ResultView *>()), u"manual/results.md"_s);
        QCOMPARE(place(window.timeline), u"manual/timeline.md"_s);
        QCOMPARE(place(desk.find<QLineEdit>(u"timelineFilter"_s)), u"manual/timeline.md#filter"_s);
        QCOMPARE(place(desk.find<QWidget>(u"requestPanel"_s)), u"manual/server-requests.md"_s);
        QCOMPARE(place(nullptr), u"manual/forms.md"_s);
        QVERIFY(desk.close());
    }

    // What was read in a dialog was not read in the window.
    void theManualOfADialogIsAnother()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"a.mcpsession"_s);
        test::writeFile(path, test::HandmadeSession().text());
        TestWindow desk;
        desk.press(Qt::Key_F1);
        const auto *manual = desk.window().findChild<ui::ManualWindow *>();
        QVERIFY(manual);
        QCOMPARE(manual->currentPage(), u"manual/first-steps.md"_s);
        const test::WhenDialog dialog([](QDialog *shown) {
            QTest::keyClick(shown, Qt::Key_F1);
            QCOMPARE(shown->findChild<ui::ManualWindow *>()->currentPage(), u"manual/sessions.md"_s);
            shown->reject();
        });
        desk.window().actions->openSession->trigger();
        QVERIFY(dialog.hasRun());
        desk.workspace().openSessionFile(path);
        desk.window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&desk.window(), Patience));
        desk.window().tabs->setFocus();
        desk.window().actions->manual->trigger();
        QCOMPARE(manual->currentPage(), u"manual/sessions.md"_s);
        QVERIFY(desk.close());
    }

    void dialogsHaveTheirPageToo()
    {
        QString page;
        {
            TestWindow desk;
            const test::WhenDialog dialog([&](QDialog *shown) {
                QTest::keyClick(shown, Qt::Key_F1);
                auto *manual = shown->findChild<ui::ManualWindow *>();
                QVERIFY(manual && manual->isVisible());
                // The dialog does not block it.
                QVERIFY(QTest::qWaitForWindowActive(manual, Patience));
                page = manual->currentPage();
                manual->close();
                shown->reject();
            });
            desk.window().actions->preferences->trigger();
            QVERIFY(dialog.hasRun());
            QCOMPARE(page, u"manual/window.md"_s);
            QVERIFY(desk.close());
        }
        // The page that was read last is where a screen without one begins.
        app::Settings settings;
        QCOMPARE(settings.text(app::setting::ManualPage), u"manual/window.md"_s);
    }
};

SONDE_TEST(TestManual)

#include "tst_manual.moc"
