// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/manualbrowser.h"

#include "ui/dialogs/manualpictures.h"
#include "ui/json/documentfind.h"
#include "ui/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int PageMargin = 2 * Grid;
constexpr int MaxMarks = 500;

void formatTables(QTextDocument *document)
{
    const QList<QTextFrame *> frames = document->rootFrame()->childFrames();
    for (QTextFrame *frame : frames) {
        auto *table = qobject_cast<QTextTable *>(frame);
        if (!table)
            continue;
        QTextTableFormat format = table->format();
        format.setBorderCollapse(true);
        format.setBorder(1);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setCellSpacing(0);
        format.setCellPadding(Grid / 2.0);
        format.setTopMargin(Grid / 2.0);
        format.setBottomMargin(Grid);
        format.setBorderBrush(colors().line);
        table->setFormat(format);
    }
}

// Code stands on the colour of wire data; headings have room above them.
void formatBlocks(QTextDocument *document)
{
    QTextCursor cursor(document);
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        if (format.hasProperty(QTextFormat::BlockCodeFence))
            format.setBackground(colors().field);
        else if (format.headingLevel() > 1)
            format.setTopMargin(2 * Grid);
        else
            continue;
        cursor.setPosition(block.position());
        cursor.setBlockFormat(format);
    }
}

}  // namespace

ManualBrowser::ManualBrowser(const QString &folder, QWidget *parent)
    : QTextBrowser(parent), m_pictures(new ManualPictures(folder, this)), m_find(new DocumentFind(this))
{
    setOpenLinks(false);
    setAccessibleName(tr("Page"));
}

// Made while nothing shows it: else it would be laid out after each cell of its tables.
void ManualBrowser::setPage(const ManualPage &page)
{
    QTextDocument *former = document();
    QTextDocument *next = ManualPages::documentOf(page).release();
    next->setParent(this);
    next->setDefaultFont(font());
    next->setDocumentMargin(PageMargin);
    formatTables(next);
    formatBlocks(next);
    next->documentLayout()->registerHandler(QTextFormat::ImageObject, m_pictures);
    m_pictures->startPage(page.path);
    setExtraSelections({});
    const bool isOurs = former->parent() == this;  // the browser deletes its first one itself
    setDocument(next);
    if (isOurs)
        delete former;
    m_find->setChanged();
}

void ManualBrowser::goTo(const QString &anchor)
{
    QTextBlock block = document()->begin();
    if (!anchor.isEmpty()) {
        const auto isIt = [&anchor](const QTextBlock &at) {
            return at.blockFormat().headingLevel() > 0 && ManualPages::anchorOf(at.text()) == anchor;
        };
        while (block.isValid() && !isIt(block))
            block = block.next();
    }
    if (!block.isValid())
        block = document()->begin();
    setTextCursor(QTextCursor(block));
    const bool isStart = block == document()->begin();
    const int top = verticalScrollBar()->value() + cursorRect().top() - Grid / 2;
    verticalScrollBar()->setValue(isStart ? 0 : top);
}

void ManualBrowser::mark(const QStringList &words, int position)
{
    QList<QTextEdit::ExtraSelection> marks;
    QTextCursor first;
    for (const QString &word : words) {
        QTextCursor found(document());
        while (marks.size() < MaxMarks && !(found = document()->find(word, found)).isNull()) {
            QTextCharFormat format;
            format.setBackground(softColor(Tone::ToolError));
            marks.append({found, format});
            const bool isThere = found.selectionStart() >= position;
            if (isThere && (first.isNull() || found.selectionStart() < first.selectionStart()))
                first = found;
        }
    }
    setExtraSelections(marks);
    if (first.isNull())
        return;
    setTextCursor(first);
    // In the upper part of the page, with what is above it.
    const int y = cursorRect(first).top() + verticalScrollBar()->value();
    verticalScrollBar()->setValue(y - viewport()->height() / 4);
}

void ManualBrowser::clearMarks()
{
    setExtraSelections({});
    QTextCursor cursor = textCursor();
    cursor.clearSelection();
    setTextCursor(cursor);
}

QStringList ManualBrowser::headings() const
{
    QStringList found;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 2)
            found.append(block.text());
    }
    return found;
}

QVariant ManualBrowser::loadResource(int, const QUrl &)
{
    return {};
}

void ManualBrowser::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        Q_EMIT colorsChanged();
}

}  // namespace sonde::ui
