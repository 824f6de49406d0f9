// SPDX-License-Identifier: Apache-2.0
#include "ui/result/markdownview.h"

#include "core/protocol/visibletext.h"
#include "ui/json/background.h"
#include "ui/json/bytestext.h"
#include "ui/json/documentfind.h"
#include "ui/result/payload.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>
#include <QThread>
#include <cmath>

namespace sonde::ui {

namespace {

constexpr int MaxMeasured = 8000;  // characters; a longer text fills all the height that there is
constexpr int TextMargin = Grid / 2;

// Qt's own would look for files by the names of images.
class ClosedDocument final : public QTextDocument {
protected:
    QVariant loadResource(int, const QUrl &) override { return {}; }
};

void replaceImages(QTextDocument *document)
{
    struct Image {
        int position;
        int length;
        QString description;
    };
    QList<Image> images;
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const QTextFragment fragment = at.fragment();
            if (!fragment.charFormat().isImageFormat())
                continue;
            const QTextImageFormat image = fragment.charFormat().toImageFormat();
            const QString words = image.stringProperty(QTextFormat::ImageAltText);
            images.append({fragment.position(), fragment.length(), words.isEmpty() ? image.name() : words});
        }
    }
    QTextCursor cursor(document);
    for (auto image = images.crbegin(); image != images.crend(); ++image) {
        cursor.setPosition(image->position);
        cursor.setPosition(image->position + image->length, QTextCursor::KeepAnchor);
        cursor.insertText(MarkdownView::tr("[Image: %1]").arg(image->description), QTextCharFormat());
    }
}

// Qt's reader marks what is code, and leaves its looks to the view.
void showCode(QTextDocument *document, const QFont &font, const QColor &background)
{
    QTextCursor cursor(document);
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)) {
            QTextBlockFormat format;
            format.setBackground(background);
            cursor.setPosition(block.position());
            cursor.mergeBlockFormat(format);
        }
        QList<std::pair<int, int>> pieces;
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const QTextFragment fragment = at.fragment();
            if (fragment.charFormat().fontFixedPitch())
                pieces.append({fragment.position(), fragment.length()});
        }
        for (const auto &[position, length] : std::as_const(pieces)) {
            QTextCharFormat format;
            format.setFontFamilies(font.families());
            cursor.setPosition(position);
            cursor.setPosition(position + length, QTextCursor::KeepAnchor);
            cursor.mergeCharFormat(format);
        }
    }
}

void layOutTables(QTextDocument *document, const QColor &line)
{
    const QList<QTextFrame *> frames = document->rootFrame()->childFrames();
    for (QTextFrame *frame : frames) {
        auto *table = qobject_cast<QTextTable *>(frame);
        if (!table)
            continue;
        QTextTableFormat format = table->format();
        format.setBorderCollapse(true);
        format.setBorder(1);
        format.setBorderBrush(line);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setCellPadding(TextMargin);
        format.setTopMargin(TextMargin);
        format.setBottomMargin(TextMargin);
        table->setFormat(format);
    }
}

struct MarkdownLook {
    QFont font;
    QFont codeFont;
    QColor line;
    QColor codeBackground;
};

std::shared_ptr<QTextDocument> readMarkdown(const QByteArray &utf8, const MarkdownLook &look, QThread *thread)
{
    auto document = std::make_shared<ClosedDocument>();
    document->setUndoRedoEnabled(false);
    document->setDefaultFont(look.font);
    document->setDocumentMargin(TextMargin);
    // Marked, so that nothing in it is out of sight or changes the direction of what is around it.
    document->setMarkdown(
        visibleText(decodedUtf8(utf8)),
        QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML);
    replaceImages(document.get());
    showCode(document.get(), look.codeFont, look.codeBackground);
    layOutTables(document.get(), look.line);
    document->moveToThread(thread);
    return document;
}

}  // namespace

MarkdownView::MarkdownView(QWidget *parent) : QTextBrowser(parent), m_findSource(new DocumentFind(this))
{
    setObjectName(QStringLiteral("markdown"));
    setAccessibleName(tr("Rendered Markdown"));
    setFrameShape(NoFrame);
    setOpenLinks(false);
    setOpenExternalLinks(false);
    viewport()->setAutoFillBackground(false);
    connect(this, &QTextBrowser::anchorClicked, this, &MarkdownView::showLinkMenu);
    connect(this, &QTextBrowser::highlighted, this,
            [this](const QUrl &link) { setToolTip(plainToolTip(visibleLine(link.toString()))); });
}

MarkdownView::~MarkdownView()
{
    setDocument(nullptr);  // the view does not own what was read
}

void MarkdownView::setMarkdownText(const QByteArray &utf8)
{
    m_markdown = utf8;
    read();
}

void MarkdownView::read()
{
    using Read = std::shared_ptr<QTextDocument>;
    runInBackground<Read>(
        this,
        [text = m_markdown, look = MarkdownLook{font(), monoFont(), colors().border, colors().field},
         thread = thread()] { return readMarkdown(text, look, thread); },
        [this, asked = ++m_asked](const Read &read) {
            if (asked != m_asked)
                return;
            setDocument(read.get());
            m_read = read;
            m_findSource->setChanged();
            Q_EMIT heightChanged();
        });
}

int MarkdownView::heightForText(int maxHeight) const
{
    if (document()->characterCount() > MaxMeasured)
        return maxHeight;
    return std::min(maxHeight, int(std::ceil(document()->size().height())) + 2 * frameWidth());
}

QVariant MarkdownView::loadResource(int, const QUrl &)
{
    return {};
}

void MarkdownView::showLinkMenu(const QUrl &link)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("linkMenu"));
    const QString address = link.toString(QUrl::FullyEncoded);
    if (isWebAddress(address))
        menu->addAction(tr("Open link…"), this, [this, address] { Q_EMIT linkActivated(address); });
    menu->addAction(tr("Copy link address"), this, [address] { QGuiApplication::clipboard()->setText(address); });
    menu->popup(QCursor::pos());
}

void MarkdownView::contextMenuEvent(QContextMenuEvent *event)
{
    if (const QString link = anchorAt(event->pos()); !link.isEmpty()) {
        showLinkMenu(QUrl(link));
        return;
    }
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("markdownMenu"));
    QAction *copying = menu->addAction(tr("Copy"), this, &QTextEdit::copy);
    copying->setShortcut(QKeySequence::Copy);
    copying->setEnabled(textCursor().hasSelection());
    menu->addAction(tr("Select all"), this, &QTextEdit::selectAll)->setShortcut(QKeySequence::SelectAll);
    Q_EMIT menuRequested(menu);
    menu->popup(event->globalPos());
}

// Colours and fonts are part of what was read.
void MarkdownView::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_markdown.isEmpty())
        read();
}

}  // namespace sonde::ui
