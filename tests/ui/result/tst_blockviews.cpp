// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/json/jsontable.h"
#include "ui/json/jsontreeview.h"
#include "ui/json/textview.h"
#include "ui/result/audioplayer.h"
#include "ui/result/contentblock.h"
#include "ui/result/imageview.h"
#include "ui/result/markdownview.h"
#include "ui/result/resultview.h"
#include "ui/result/textblock.h"
#include "ui/theme/fittingsegments.h"
#include "ui/theme/widgets.h"

#include <QBuffer>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

// What can be done with a block of a result.
class TestBlockViews : public QObject {
    Q_OBJECT

private:
    struct Shown {
        explicit Shown(const QByteArray &result)
        {
            view.resize(600, 600);
            Outcome outcome;
            outcome.kind = Outcome::Kind::Ok;
            outcome.message = Message::parse(R"({"jsonrpc":"2.0","id":1,"result":)" + result + "}");
            view.showOutcome(ResultView::Subject::Tool, outcome);
            view.show();
        }
        SegmentedControl *views() const { return view.findChild<SegmentedControl *>(u"blockViews"_s); }
        void choose(const QString &text) const
        {
            for (QAbstractButton *button : views()->findChildren<QAbstractButton *>()) {
                if (button->text() == text && button->isVisibleTo(views()))
                    return button->click();
            }
            QFAIL(qPrintable(text));
        }
        QStringList words(const QString &name) const
        {
            QStringList texts;
            for (const QLabel *label : view.findChildren<QLabel *>(name)) {
                if (label->isVisibleTo(&view))
                    texts.append(label->text());
            }
            return texts;
        }
        ResultView view;
    };

    static QByteArray text(const QString &text)
    {
        QString escaped = text;
        escaped.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s).replace(u'\n', u"\\n"_s);
        return "{\"content\":[{\"type\":\"text\",\"text\":\"" + escaped.toUtf8() + "\"}]}";
    }

private Q_SLOTS:
    void jsonInATextIsATreeAndATable()
    {
        const Shown shown(text(uR"({"rows":[{"a":1,"b":"x"},{"a":2}]})"_s));
        shown.choose(u"Tree"_s);
        auto *tree = shown.view.findChild<JsonTreeView *>(u"blockTree"_s);
        QVERIFY(tree && tree->isVisible());
        QVERIFY(!shown.view.findChild<TextBlock *>()->view()->isVisible());
        QCOMPARE(tree->model()->index(0, 0).data().toString(), u"rows: [2]"_s);
        const int height = tree->height();
        tree->collapseAll();
        QTRY_VERIFY(tree->height() < height);  // as high as its rows
        shown.choose(u"Table"_s);
        const auto *table = shown.view.findChild<JsonTable *>();
        QVERIFY(table && table->isVisible() && !tree->isVisible());
        shown.choose(u"Raw text"_s);
        QCOMPARE(shown.view.findChild<TextBlock *>()->view()->text(), R"({"rows":[{"a":1,"b":"x"},{"a":2}]})"_ba);
        QVERIFY(!table->isVisible());
    }

    void viewsAreOfferedWhereTheyFit()
    {
        const auto offered = [](const QByteArray &result) {
            const Shown shown(result);
            QStringList texts;
            if (shown.views()) {
                for (const QAbstractButton *button : shown.views()->findChildren<QAbstractButton *>())
                    texts.append(button->text());
            }
            return texts.join(u' ');
        };
        QCOMPARE(offered(text(u"words"_s)), QString());
        QCOMPARE(offered(text(u"[1,2]"_s)), u"JSON Tree Raw text"_s);
        QCOMPARE(offered(text(u"[]"_s)), u"JSON Raw text"_s);
        QCOMPARE(offered(text(u"# Title"_s)), u"Raw text Render Markdown"_s);
        QCOMPARE(offered(R"({"content":[],"structuredContent":{"a":1}})"), u"JSON Tree"_s);
        QCOMPARE(offered(R"({"content":[],"structuredContent":{"rows":[{"a":1}]}})"), u"JSON Tree Table"_s);
    }

    void largeJsonInATextIsATree()
    {
        const Shown shown(text(u"[{\"a\":\""_s + QString(100'000, u'x') + u"\"}]"_s));
        QTRY_VERIFY(shown.views());
        shown.choose(u"Tree"_s);
        auto *tree = shown.view.findChild<JsonTreeView *>(u"blockTree"_s);
        QTRY_COMPARE(tree->model()->rowCount(), 1);
        shown.choose(u"Table"_s);
        QTRY_COMPARE(shown.view.findChild<QLabel *>(u"tableCount"_s)->text(), u"1 row · 1 column"_s);
    }

    void aTreeOfManyRowsHoldsUpNothing()
    {
        QByteArray rows = QByteArray("{\"id\":1},").repeated(100'000);
        rows.back() = ']';
        Shown shown("{\"content\":[],\"structuredContent\":[" + rows + "}");
        QTRY_VERIFY(shown.views());
        shown.views()->setCurrent(1);
        auto *tree = shown.view.findChild<JsonTreeView *>(u"blockTree"_s);
        tree->grab();
        QCoreApplication::processEvents();
        QVERIFY(tree->model()->rowCount() > 0 && tree->model()->rowCount() < 10'000);  // only what is near is made
    }

    void nothingIsCutInTheNarrowestPanel()
    {
        Shown shown(text(uR"([{"a":1}])"_s));
        Outcome outcome;
        outcome.kind = Outcome::Kind::Ok;
        outcome.message = Message::parse(R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"# T"},)"
                                         R"({"type":"text","text":"[{}]"}],"structuredContent":{"rows":[{"a":1}]}}})");
        outcome.structuredIssues = {{json::Pointer(QStringList{u"rows"_s}), u"must be a string"_s, false}};
        shown.view.resize(280, 600);
        shown.view.showOutcome(ResultView::Subject::Tool, outcome);
        const auto *page = shown.view.findChild<QScrollArea *>(u"resultPage"_s);
        QTRY_COMPARE(page->widget()->width(), page->viewport()->width());
        const auto isWhole = [](const QWidget *part) {
            return part->width() >= part->sizeHint().width() &&
                   part->parentWidget()->rect().contains(part->geometry()) && part->isVisible();
        };
        const auto blocks = shown.view.findChildren<FittingSegments *>();
        QVERIFY(blocks.size() > 1);
        for (const FittingSegments *block : blocks) {
            QTRY_VERIFY(isWhole(block->findChild<SegmentedControl *>(u"blockViews"_s)) ||
                        isWhole(block->findChild<QAbstractButton *>(u"blockViewsButton"_s)));
        }
        blocks.last()->setCurrent(2);
        QVERIFY(shown.view.findChild<JsonTable *>()->isVisible());
        for (const int width : {280, 200}) {
            shown.view.resize(width, 600);
            QCoreApplication::processEvents();
            QTRY_COMPARE(page->widget()->width(), page->viewport()->width());
        }
        // With room they are beside the caption.
        shown.view.resize(700, 600);
        auto *views = blocks.last();
        auto *copy = views->parentWidget()->findChild<QAbstractButton *>(u"copyText"_s);
        QTRY_COMPARE(views->geometry().center().y() / 8, copy->geometry().center().y() / 8);
    }

    void markdownIsFoundToo()
    {
        const Shown shown(text(u"# Title\n\na **word** and another word"_s));
        shown.choose(u"Render Markdown"_s);
        auto *rendered = shown.view.findChild<MarkdownView *>();
        QTRY_VERIFY(rendered->toPlainText().contains(u"Title"_s));
        rendered->setFocus();
        QTest::keyClick(rendered, Qt::Key_F, Qt::ControlModifier);
        auto *edit = shown.view.findChild<QLineEdit *>(u"findEdit"_s);
        edit->setText(u"word"_s);
        QTRY_COMPARE(shown.view.findChild<QLabel *>(u"findCount"_s)->text(), u"1 of 2"_s);
        QCOMPARE(rendered->textCursor().selectedText(), u"word"_s);
        QCOMPARE(rendered->extraSelections().size(), 2);
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(rendered->textCursor().selectionStart(), rendered->toPlainText().lastIndexOf(u"word"_s));
    }

    void markdownLoadsNothing()
    {
        const QTemporaryDir folder;
        const QString picture = folder.filePath(u"picture.png"_s);
        QImage image(700, 10, QImage::Format_RGB32);
        image.fill(Qt::red);
        QVERIFY(image.save(picture));
        const QString markdown =
            u"# Title\n\nsome **bold** <b>tag</b>\n\n![a local one](%1)\n![](%1)\n"
            "![remote](http://127.0.0.1:9/x.png)\n\n[link](https://example.com/a)\n"_s;
        const Shown shown(text(markdown.arg(picture)));
        QVERIFY(!shown.view.findChild<MarkdownView *>());  // on request only
        shown.choose(u"Render Markdown"_s);
        auto *rendered = shown.view.findChild<MarkdownView *>();
        QVERIFY(rendered && rendered->isVisible());
        QTRY_VERIFY(rendered->toPlainText().contains(u"Title"_s));
        const QString words = rendered->toPlainText();
        QVERIFY2(!words.contains(u'#') && !words.contains(u"**"_s), qPrintable(words));
        QVERIFY2(words.contains(u"<b>tag</b>"_s), qPrintable(words));  // no HTML
        // Qt leaves out images without a description.
        QVERIFY2(words.contains(u"[Image: a local one]"_s) && words.contains(u"[Image: remote]"_s), qPrintable(words));
        for (QTextBlock block = rendered->document()->begin(); block.isValid(); block = block.next()) {
            for (auto at = block.begin(); !at.atEnd(); ++at)
                QVERIFY(!at.fragment().charFormat().isImageFormat());
        }
        QVERIFY(!rendered->openLinks() && !rendered->openExternalLinks());
        const QImage seen = rendered->grab().toImage();
        for (int y = 0; y < seen.height(); ++y) {
            for (int x = 0; x < seen.width(); ++x)
                QVERIFY(seen.pixelColor(x, y) != QColor(Qt::red));
        }
        shown.choose(u"Raw text"_s);
        QVERIFY(!rendered->isVisible());
    }

    void aLinkOpensNothingByItself()
    {
        const Shown shown(text(u"# T\n\n[link](https://example.com/a) [file](file:///etc/passwd)"_s));
        const QSignalSpy activated(&shown.view, &ResultView::linkActivated);
        shown.choose(u"Render Markdown"_s);
        auto *rendered = shown.view.findChild<MarkdownView *>();
        QTRY_VERIFY(rendered->toPlainText().contains(u"link"_s));
        Q_EMIT rendered->anchorClicked(QUrl(u"https://example.com/a"_s));
        auto *menu = rendered->findChild<QMenu *>(u"linkMenu"_s);
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), 2);
        QVERIFY(activated.isEmpty());
        menu->actions().last()->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), u"https://example.com/a"_s);
        menu->actions().first()->trigger();
        QCOMPARE(activated.value(0).value(0).toString(), u"https://example.com/a"_s);
        delete menu;
        Q_EMIT rendered->anchorClicked(QUrl(u"file:///etc/passwd"_s));
        menu = rendered->findChild<QMenu *>(u"linkMenu"_s);
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), 1);  // can only be copied
    }

    void textThatRepeatsStructuredContentIsFolded()
    {
        const auto result = [](const QByteArray &value, const QByteArray &escaped) {
            return "{\"content\":[{\"type\":\"text\",\"text\":\"" + escaped + "\"}],\"structuredContent\":" + value +
                   "}";
        };
        // Also where it is laid out in another way.
        const Shown shown(result(R"({"a":1,"b":[true]})", "{ \\\"b\\\": [true], \\\"a\\\": 1.0 }"));
        auto *line = shown.view.findChild<QWidget *>(u"sameAsStructured"_s);
        QVERIFY(line && line->isVisible());
        QCOMPARE(line->findChild<QLabel *>()->text(), u"The text is the same as structuredContent."_s);
        auto *block = shown.view.findChild<ContentBlock *>()->findChild<TextBlock *>();
        QVERIFY(!block->isVisible());
        auto *toggle = line->findChild<QAbstractButton *>(u"showSame"_s);
        toggle->click();
        QVERIFY(block->isVisible() && block->view()->text().contains("1.0"));
        QCOMPARE(toggle->text(), u"Hide"_s);
        toggle->click();
        QVERIFY(!block->isVisible());

        const Shown other(result(R"({"a":1})", "{\\\"a\\\":2}"));
        QVERIFY(!other.view.findChild<QWidget *>(u"sameAsStructured"_s));
        const QByteArray large(100'000, 'x');
        const Shown big(result("{\"a\":\"" + large + "\"}", "{\\\"a\\\":\\\"" + large + "\\\"}"));
        QTRY_VERIFY(big.view.findChild<QWidget *>(u"sameAsStructured"_s));
        QTRY_VERIFY(!big.view.findChild<ContentBlock *>()->findChild<TextBlock *>()->isVisible());
    }

    void emptyContentBesideStructuredContentIsSaid()
    {
        const Shown shown(R"({"content":[],"structuredContent":{"a":1}})");
        QStringList all;
        for (const QLabel *label : shown.view.findChildren<QLabel *>())
            all.append(label->text());
        QVERIFY(all.contains(u"No content blocks. Hosts that read only content show the model nothing."_s));
        QVERIFY(all.filter(u"Empty content"_s).isEmpty());
    }

    void everyBlockCanBeCopied()
    {
        const Shown shown(
            "{\"content\":[{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"text\",\"text\":\"{\\\"b\\\":1.0}\"}],"
            R"("structuredContent":{"c":[]}})");
        QStringList copied;
        for (QAbstractButton *button : shown.view.findChildren<QAbstractButton *>(u"copyText"_s)) {
            QVERIFY(button->isVisible());
            button->click();
            copied.append(QGuiApplication::clipboard()->text());
        }
        QCOMPARE(copied, (QStringList{u"one"_s, u"{\"b\":1.0}"_s, u"{\n  \"c\": []\n}"_s}));
    }

    void copyTakesNoLineOfItsOwn()
    {
        Shown shown(text(u"one line"_s));
        auto *block = shown.view.findChild<TextBlock *>();
        const auto *copy = block->findChild<QAbstractButton *>(u"copyText"_s);
        const auto isBesideText = [block, copy] {
            const QRect there(copy->mapTo(block, QPoint()), copy->size());
            const QRect shownText(block->view()->mapTo(block, QPoint()), block->view()->size());
            return there.left() > shownText.right() && there.top() < shownText.bottom() &&
                   block->rect().contains(there);
        };
        QVERIFY(copy->isVisible() && (copy->focusPolicy() & Qt::TabFocus));
        QTRY_VERIFY(isBesideText());
        QVERIFY(block->caption()->isHidden());
        block->caption()->setCaption(u"text"_s);
        QTRY_VERIFY(block->caption()->isAncestorOf(copy) && copy->isVisible());
        // A long text would lose a column to it.
        Shown longer(text(u"line\n"_s.repeated(30)));
        const auto *tall = longer.view.findChild<TextBlock *>();
        QTRY_VERIFY(tall->caption()->isAncestorOf(tall->findChild<QAbstractButton *>(u"copyText"_s)));
    }

    void bytesAreAsManyOnALineAsFit()
    {
        Shown shown(R"({"content":[{"type":"resource","resource":{"uri":"a:b","blob":")" +
                    QByteArray(40, '\xff').toBase64() + R"("}}]})");
        const TextView *view = shown.view.findChild<TextBlock *>()->view();
        const auto firstLine = [view] { return view->text().left(view->text().indexOf('\n')); };
        shown.view.resize(800, 600);
        QTRY_COMPARE(firstLine().count("ff"), 16);
        QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
        shown.view.resize(440, 600);
        QTRY_COMPARE(firstLine().count("ff"), 8);
        QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
        shown.view.resize(270, 600);
        QTRY_COMPARE(firstLine().count("ff"), 4);
        QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
    }

    void whatTheServerSaysOfABlockIsOneLine()
    {
        const Shown shown(
            R"({"content":[{"type":"text","text":"t","annotations":{"audience":["user","assistant"],"priority":0.90,)"
            R"("lastModified":"2026-11-22T09:30:00Z"},"_meta":{"x/y":1}},{"type":"text","text":"plain"},)"
            R"({"type":"resource_link","uri":"a:b","name":"n","annotations":{"priority":1}},)"
            R"({"type":"resource","resource":{"uri":"x:y","text":"t","_meta":{"z":2}}}]})");
        QCOMPARE(
            shown.words(u"blockNotes"_s),
            (QStringList{u"for user, assistant · priority 0.90 · modified 2026-11-22T09:30:00Z · _meta {\"x/y\":1}"_s,
                         u"priority 1"_s, u"_meta {\"z\":2}"_s}));
    }

    void whatTheServerSaysOfTheResultIsFolded()
    {
        const Shown shown(R"({"content":[{"type":"text","text":"t"}],"_meta":{"took":{"db":12}}})");
        const auto *meta = shown.view.findChild<QWidget *>(u"resultMeta"_s);
        QVERIFY(meta && meta->isVisible());
        QCOMPARE(shown.words(u"foldedText"_s), QStringList{u"_meta {\"took\":{\"db\":12}}"_s});
        QVERIFY(!meta->findChild<TextBlock *>());  // only when it is wanted
        auto *toggle = meta->findChild<QAbstractButton *>(u"unfold"_s);
        toggle->click();
        QVERIFY(meta->findChild<TextBlock *>()->isVisible());
        QVERIFY(meta->findChild<TextBlock *>()->view()->text().contains("\"db\": 12"));
        QCOMPARE(toggle->text(), u"Hide"_s);
        toggle->click();
        QVERIFY(!meta->findChild<TextBlock *>()->isVisible());

        const Shown none(R"({"content":[{"type":"text","text":"t"}],"_meta":{}})");
        QVERIFY(!none.view.findChild<QWidget *>(u"resultMeta"_s));
    }

    void anImageIsMagnified()
    {
        QImage image(100, 40, QImage::Format_ARGB32);
        image.fill(Qt::transparent);
        QByteArray png;
        QBuffer buffer(&png);
        QVERIFY(image.save(&buffer, "PNG"));
        const Shown shown("{\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"" + png.toBase64() +
                          "\"}]}");
        auto *view = shown.view.findChild<ImageView *>();
        const auto *area = shown.view.findChild<QWidget *>(u"imageArea"_s);
        QVERIFY(view && area);
        QTRY_COMPARE(area->height(), 40);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Plus);
        QCOMPARE(view->zoom(), 200);
        QCOMPARE(view->size(), QSize(200, 80));
        QTRY_COMPARE(area->height(), 80);
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(view, Qt::Key_Plus);
        QCOMPARE(view->zoom(), 800);
        QTRY_VERIFY(area->height() > 320);  // and scrolls sideways
        QVERIFY(area->width() <= shown.view.width());
        QTest::keyClick(view, Qt::Key_Minus);
        QCOMPARE(view->zoom(), 400);
        QTest::keyClick(view, Qt::Key_1);
        QCOMPARE(view->size(), QSize(100, 40));
        QTest::keyClick(view, Qt::Key_0);
        QCOMPARE(view->zoom(), 0);
        QTRY_COMPARE(area->height(), 40);
        // Behind what is transparent are two colours on which black and white can be told from them.
        QTRY_VERIFY(view->heldBytes() > 0);
        view->clearFocus();
        const QImage seen = view->grab().toImage();
        QSet<QRgb> colors;
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 100; ++x)
                colors.insert(seen.pixel(x, y));
        }
        QCOMPARE(colors.size(), 2);
        for (const QRgb color : std::as_const(colors))
            QVERIFY2(qGray(color) > 90 && qGray(color) < 210, qPrintable(QString::number(qGray(color))));
    }

    void theMenuOfJsonCopiesThePlace()
    {
        const Shown shown(R"({"content":[],"structuredContent":{"a":{"b/c":"deep"}}})");
        const auto *block = shown.view.findChild<TextBlock *>();
        TextView *text = block->view();
        auto *menu = new QMenu(text);
        Q_EMIT text->menuRequested(menu, block->text().indexOf("deep"));
        QHash<QString, QString> copied;
        for (QAction *action : menu->actions()) {
            action->trigger();
            copied.insert(action->text(), QGuiApplication::clipboard()->text());
        }
        QCOMPARE(copied.value(u"Copy value"_s), u"deep"_s);
        QCOMPARE(copied.value(u"Copy JSON pointer"_s), u"/a/b~1c"_s);
    }

    void audioHasItsFactsAndCanBeSaved()
    {
        setAudioModule(nullptr);  // it may be installed here
        const Shown shown(R"({"content":[{"type":"audio","mimeType":"audio/mpeg","data":"AAAA"}]})");
        QTRY_COMPARE(shown.words(u"caption"_s), QStringList{u"audio · audio/mpeg · 3 B"_s});
        QVERIFY(shown.view.findChild<QAbstractButton *>(u"saveAs"_s)->isVisible());
        QCOMPARE(shown.words(u"playNote"_s), QStringList{u"Not recognized as audio. You can save it."_s});
    }
};

}  // namespace sonde::ui

using TestBlockViews = sonde::ui::TestBlockViews;
SONDE_TEST(TestBlockViews)
#include "tst_blockviews.moc"
