// SPDX-License-Identifier: Apache-2.0
#include "ui/result/contentblock.h"

#include "core/json/compare.h"
#include "core/protocol/visibletext.h"
#include "ui/json/background.h"
#include "ui/json/bytestext.h"
#include "ui/result/audioview.h"
#include "ui/result/imagearea.h"
#include "ui/result/imagedecoder.h"
#include "ui/result/imageview.h"
#include "ui/result/labelfind.h"
#include "ui/result/outcometext.h"
#include "ui/result/payloadreader.h"
#include "ui/result/savebytes.h"
#include "ui/result/textblock.h"
#include "ui/theme/roundedframe.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QTimer>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxMetaBytes = 600;

bool isSameJson(const json::Value &text, const json::Value &structuredContent)
{
    const json::Value value = containerIn(text.utf8());
    return value.exists() && json::equal(value, structuredContent);
}

}  // namespace

ContentBlock::ContentBlock(const Content &content, bool captioned, QWidget *parent)
    : QWidget(parent), m_content(content), m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("contentBlock"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(Grid / 2);
    switch (content.kind) {
        case Content::Kind::Text:
            showText(captioned);
            break;
        case Content::Kind::ResourceLink:
            showLink();
            break;
        case Content::Kind::Resource:
            if (content.data.exists())
                showCarried();
            else
                showText(true);
            break;
        case Content::Kind::Image:
        case Content::Kind::Audio:
            showCarried();
            break;
        case Content::Kind::Unknown: {
            auto *block = new TextBlock(content.value, TextBlock::Pretty::Never, this);
            block->caption()->setCaption(captionText(tr("unknown content type")));
            block->caption()->setNotes(notesText());
            addTextBlock(block);
            break;
        }
    }
}

// "resource · demo:text · text/plain"
QString ContentBlock::captionText(const QString &what) const
{
    QStringList parts;
    if (!what.isEmpty())
        parts.append(what);
    if (!m_content.uri.isEmpty())
        parts.append(m_content.uri);
    if (!m_content.mimeType.isEmpty() && m_content.mimeType != what)
        parts.append(m_content.mimeType);
    return parts.join(QStringLiteral(" · "));
}

// "for user · priority 0.9 · modified 2026-11-22T09:30:00Z · _meta {"a":1}"
QString ContentBlock::notesText() const
{
    QStringList parts;
    const json::Value annotations = m_content.value[u"annotations"];
    QStringList audience;
    for (const json::Value &who : annotations[u"audience"])
        audience.append(who.string());
    if (!audience.isEmpty())
        parts.append(tr("for %1").arg(audience.join(QStringLiteral(", "))));
    if (annotations[u"priority"].isNumber())
        parts.append(tr("priority %1").arg(QString::fromUtf8(annotations[u"priority"].numberText())));
    if (const QString modified = annotations[u"lastModified"].string(); !modified.isEmpty())
        parts.append(tr("modified %1").arg(modified));
    // An embedded resource has one of its own.
    for (const json::Value &meta : {m_content.value[u"_meta"], m_content.value[u"resource"][u"_meta"]}) {
        if (meta.exists())
            parts.append(QStringLiteral("_meta ") +
                         decodedUtf8(meta.slice().first(qMin(MaxMetaBytes, meta.slice().size()))));
    }
    return visibleLine(parts.join(QStringLiteral(" · ")), MaxMetaBytes);
}

void ContentBlock::addTextBlock(TextBlock *block)
{
    m_layout->addWidget(block);
    connect(block, &TextBlock::linkActivated, this, &ContentBlock::linkActivated);
    connect(block, &TextBlock::menuRequested, this, [this, block](QMenu *menu, const json::Value &value) {
        addActions(menu);
        Q_EMIT menuRequested(menu, {value, m_content.text, block->selectedText(), m_content.uri});
    });
}

void ContentBlock::addActions(QMenu *menu)
{
    const auto addCopy = [menu](const QString &text, const QString &copied) {
        return menu->addAction(text, menu, [copied] { QGuiApplication::clipboard()->setText(copied); });
    };
    menu->addSeparator();
    if (m_content.kind == Content::Kind::ResourceLink && !m_content.uri.isEmpty()) {
        menu->addAction(tr("Read resource"), this, [this] { Q_EMIT resourceActivated(m_content.uri); });
        if (isWebAddress(m_content.uri))
            menu->addAction(tr("Open link…"), this, [this] { Q_EMIT linkActivated(m_content.uri); });
    }
    if (m_audio && m_audio->canPlay())
        menu->addAction(tr("Play or pause"), m_audio, &AudioView::toggle)->setShortcut(Qt::Key_Space);
    if (m_audio && m_audio->canOpen())
        menu->addAction(tr("Open in player"), m_audio, &AudioView::openElsewhere);
    if (m_copyImage)
        menu->addAction(tr("Copy image"), this, m_copyImage)->setShortcut(QKeySequence::Copy);
    if (m_image)
        m_image->addZoomActions(menu->addMenu(tr("Zoom")));
    if (!m_content.uri.isEmpty()) {
        QAction *copying = addCopy(tr("Copy URI"), m_content.uri);
        if (m_content.kind == Content::Kind::ResourceLink)
            copying->setShortcut(QKeySequence::Copy);
    }
    if (!m_content.name.isEmpty())
        addCopy(tr("Copy name"), m_content.name);
    menu->addAction(tr("Copy content block as JSON"), this,
                    [this] { QGuiApplication::clipboard()->setText(decodedUtf8(m_content.value.slice())); });
    if (m_save)
        menu->addAction(tr("Save as…"), this, m_save);
}

void ContentBlock::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("blockMenu"));
    addActions(menu);
    Q_EMIT menuRequested(menu, {{}, {}, {}, m_content.uri});
    menu->popup(event->globalPos());
}

void ContentBlock::keyPressEvent(QKeyEvent *event)
{
    if (m_image && m_image->zoomOnKey(event))
        return;
    if (event->matches(QKeySequence::Copy) && m_copyImage)
        m_copyImage();
    else if (event->matches(QKeySequence::Copy) && m_content.kind == Content::Kind::ResourceLink)
        QGuiApplication::clipboard()->setText(m_content.uri);
    else
        QWidget::keyPressEvent(event);
}

void ContentBlock::showText(bool captioned)
{
    auto *block = new TextBlock(m_content.text, TextBlock::Pretty::WhenJson, this);
    block->setMaxHeight(m_maxTextHeight);
    const bool embedded = m_content.kind == Content::Kind::Resource;
    const QString caption = captionText(embedded ? tr("resource") : tr("text"));
    if (captioned || caption != tr("text"))
        block->caption()->setCaption(caption);
    block->caption()->setNotes(notesText());
    if (embedded)
        addSaveButton(block->caption(), [block] { return block->text(); });
    addTextBlock(block);
}

void ContentBlock::showLink()
{
    auto *frame = new RoundedFrame(&Colors::field, this);
    frame->setObjectName(QStringLiteral("resourceLink"));
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    QList<TextLabel *> labels;
    const auto add = [&](const QString &text, const QFont &font, bool dim) -> TextLabel * {
        if (text.isEmpty())
            return nullptr;
        auto *label = new TextLabel({}, frame);
        label->setServerText(text);
        label->setFont(font);
        label->setDim(dim);
        label->setWordWrap(true);
        label->setMinimumWidth(20);
        words->addWidget(label);
        labels.append(label);
        return label;
    };
    QFont bold = font();
    bold.setBold(true);
    const QString title = m_content.value[u"title"].string(m_content.name);
    add(title.isEmpty() ? tr("Resource") : title, bold, false);
    if (TextLabel *address = add(m_content.uri, monoFont(), false)) {
        address->setWordWrap(false);  // it has no place to wrap at
        address->setElided(true);
        address->setToolTip(plainToolTip(m_content.uri));
    }
    add(m_content.description, font(), true);
    QString facts = m_content.mimeType;
    if (const std::optional<qint64> size = m_content.value[u"size"].toInteger(); size && *size >= 0)
        facts += (facts.isEmpty() ? QString() : QStringLiteral(" · ")) + sizeText(*size);
    add(facts, smallFont(), true);
    if (TextLabel *notes = add(notesText(), smallFont(), true)) {
        notes->setObjectName(QStringLiteral("blockNotes"));
        notes->setWordWrap(false);
        notes->setElided(true);
        notes->setToolTip(plainToolTip(notesText()));
    }

    auto *open = new QPushButton(tr("Read"), frame);
    open->setObjectName(QStringLiteral("openResource"));
    open->setAccessibleName(tr("Read the linked resource"));
    open->setEnabled(!m_content.uri.isEmpty());
    connect(open, &QPushButton::clicked, this, [this] { Q_EMIT resourceActivated(m_content.uri); });
    auto *row = new QHBoxLayout(frame);
    row->setContentsMargins(Grid + 2, Grid, Grid, Grid);
    row->addLayout(words, 1);
    row->addWidget(open, 0, Qt::AlignTop);
    m_layout->addWidget(frame);
    new LabelFind(frame, labels);  // owned by the frame
}

void ContentBlock::showCarried()
{
    if (m_content.data.slice().size() <= BackgroundBytes) {
        const Payload payload = readPayload(m_content);
        showPayload(payload);
        return;
    }
    auto *waiting = new TextLabel(tr("Decoding %1…").arg(sizeText(m_content.data.slice().size())), this);
    waiting->setDim(true);
    m_layout->addWidget(waiting);
    PayloadReader::shared()->read(m_content, this, [this, waiting](const Payload &payload) {
        waiting->deleteLater();
        waiting->hide();
        showPayload(payload);
    });
}

void ContentBlock::showPayload(const Payload &payload)
{
    const QString what = m_content.kind == Content::Kind::Image   ? tr("image")
                         : m_content.kind == Content::Kind::Audio ? tr("audio")
                                                                  : tr("resource");
    QString caption = captionText(what) + QStringLiteral(" · ") + sizeText(payload.bytes.size());
    if (!payload.note.isEmpty())
        caption += QStringLiteral(" · ") + payload.note;

    if (payload.form == Payload::Form::Image || payload.form == Payload::Form::Audio) {
        auto *head = new BlockCaption(this);
        head->setCaption(caption);
        head->setNotes(notesText());
        m_layout->addWidget(head);
        if (payload.form == Payload::Form::Image)
            showImage(payload, head);
        else
            m_layout->addWidget(m_audio = new AudioView(payload.bytes, this));
        addSaveButton(head, [bytes = payload.bytes] { return bytes; });  // after "Copy", as everywhere
    } else {
        const bool text = payload.form == Payload::Form::Text;
        auto *block = new TextBlock(payload.shown, text ? TextBlock::Pretty::WhenJson : TextBlock::Pretty::Never,
                                    TextView::Highlight::None, this);
        block->setMaxHeight(m_maxTextHeight);
        if (payload.form == Payload::Form::Bytes)
            block->setBytes(payload.bytes);
        block->caption()->setCaption(caption);
        block->caption()->setNotes(notesText());
        addSaveButton(block->caption(), [bytes = payload.bytes] { return bytes; });
        addTextBlock(block);
    }
    tellFindings(payload.findings);
}

void ContentBlock::showImage(const Payload &payload, BlockCaption *head)
{
    QToolButton *copy = head->addButton(tr("Copy"), QStringLiteral("copyImage"), tr("Copy image"));
    m_copyImage = [this, bytes = payload.bytes, head] { copyImage(bytes, head); };
    connect(copy, &QToolButton::clicked, this, m_copyImage);
    auto *picture = new ImageView(payload.bytes, payload.imageSize, this);
    picture->setObjectName(QStringLiteral("image"));
    picture->setAccessibleName(tr("Image, %1 by %2").arg(payload.imageSize.width()).arg(payload.imageSize.height()));
    connect(picture, &ImageView::failed, this, [this, payload, head](const QString &reason) {
        for (QWidget *gone : {static_cast<QWidget *>(head), static_cast<QWidget *>(m_image)}) {
            gone->hide();
            gone->deleteLater();
        }
        m_image = nullptr;
        m_copyImage = nullptr;
        showPayload(withoutImage(payload, reason));
    });
    m_image = new ImageArea(picture, this);
    m_layout->addWidget(m_image);
}

// In its natural size, which is not what is shown.
void ContentBlock::copyImage(const QByteArray &bytes, BlockCaption *head)
{
    runInBackground<DecodedImage>(
        head, [bytes] { return decodeImage(bytes); },
        [head](const DecodedImage &decoded) {
            if (decoded.image.isNull())
                head->setNote(tr("Not copied: %1").arg(decoded.error), Tone::ProtocolError);
            else
                QGuiApplication::clipboard()->setImage(decoded.image);
        });
}

// Nothing is connected while the constructor runs.
void ContentBlock::tellFindings(const QStringList &findings)
{
    QTimer::singleShot(0, this, [this, findings] {
        for (const QString &finding : findings)
            Q_EMIT found(finding);
    });
}

void ContentBlock::addSaveButton(BlockCaption *caption, const std::function<QByteArray()> &bytes)
{
    QToolButton *save = caption->addButton(tr("Save as…"), QStringLiteral("saveAs"), tr("Save as a file"));
    m_save = [this, caption, bytes] {
        saveBytesAs(this, suggestedFileName(m_content), bytes(), [caption](const QString &sentence, bool saved) {
            caption->setNote(sentence, saved ? Tone::Ok : Tone::ProtocolError);
        });
    };
    connect(save, &QToolButton::clicked, this, m_save);
}

void ContentBlock::foldIfSameAs(const json::Value &structuredContent)
{
    if (m_content.kind != Content::Kind::Text || !structuredContent.isContainer())
        return;
    const json::Value text = m_content.text;
    if (text.slice().size() <= BackgroundBytes) {
        if (isSameJson(text, structuredContent))
            fold();
        return;
    }
    runInBackground<bool>(
        this, [text, structuredContent] { return isSameJson(text, structuredContent); },
        [this](bool same) {
            if (same)
                fold();
        });
}

void ContentBlock::fold()
{
    auto *block = findChild<TextBlock *>();
    auto *line = new QWidget(this);
    line->setObjectName(QStringLiteral("sameAsStructured"));
    auto *words = new TextLabel(tr("The text is the same as structuredContent."), line);
    words->setDim(true);
    words->setElided(true);
    words->setMinimumWidth(5 * Grid);
    words->setToolTip(plainToolTip(words->text()));
    auto *toggle = new FlatButton(tr("Show"), line);
    toggle->setObjectName(QStringLiteral("showSame"));
    toggle->setAccessibleName(tr("Show the text that is the same as structuredContent"));
    auto *row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Grid / 2);
    row->addWidget(words);
    row->addWidget(toggle);
    row->addStretch(1);
    m_layout->insertWidget(0, line);
    block->hide();
    connect(toggle, &QAbstractButton::clicked, block, [block, toggle] {
        block->setVisible(block->isHidden());
        toggle->setText(block->isHidden() ? tr("Show") : tr("Hide"));
    });
}

void ContentBlock::setMaxTextHeight(int height)
{
    m_maxTextHeight = height;
    const QList<TextBlock *> blocks = findChildren<TextBlock *>();
    for (TextBlock *block : blocks)
        block->setMaxHeight(height);
}

}  // namespace sonde::ui
