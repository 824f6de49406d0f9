// SPDX-License-Identifier: Apache-2.0
#include "ui/result/textblock.h"

#include "core/json/builder.h"
#include "ui/json/background.h"
#include "ui/json/bytestext.h"
#include "ui/json/copyactions.h"
#include "ui/json/jsonrows.h"
#include "ui/json/jsontable.h"
#include "ui/json/jsontreeview.h"
#include "ui/result/markdownview.h"
#include "ui/result/outcometext.h"
#include "ui/result/payload.h"
#include "ui/theme/fittingsegments.h"
#include "ui/theme/roundedframe.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sonde::ui {

namespace {

constexpr int MaxLinesBesideCopy = 4;
constexpr int MaxCaptionWidth = 160;  // px; a longer caption is elided before controls move to another line

}  // namespace

BlockCaption::BlockCaption(QWidget *parent)
    : QWidget(parent),
      m_text(new TextLabel({}, this)),
      m_note(new TextLabel({}, this)),
      m_row(new QHBoxLayout),
      m_secondRow(new QHBoxLayout)
{
    m_text->setDim(true);
    m_text->setFont(smallFont());
    m_text->setObjectName(QStringLiteral("caption"));
    m_text->setElided(true);
    m_text->setMinimumWidth(1);  // without a caption
    m_note->setFont(smallFont());
    m_note->setObjectName(QStringLiteral("captionNote"));
    m_note->setElided(true);
    m_note->setMinimumWidth(20);
    m_row->setSpacing(Grid / 2);
    m_row->addWidget(m_text, 1);
    m_row->addWidget(m_note);
    m_secondRow->setSpacing(Grid / 2);
    m_secondRow->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(m_row);
    column->addLayout(m_secondRow);
    m_note->hide();
    hide();
}

void BlockCaption::setCaption(const QString &text)
{
    m_text->setServerText(text);
    m_text->setMinimumWidth(20);
    m_text->setToolTip(plainToolTip(text));
    m_text->setAccessibleName(m_text->text());
    reveal();
}

void BlockCaption::setHeading(const QString &text)
{
    m_text->setFont(font());
    m_text->setDim(false);
    m_text->setStrong();
    setCaption(text);
}

void BlockCaption::setNote(const QString &text, Tone tone)
{
    m_note->setServerText(text);
    m_note->setToolTip(plainToolTip(text));
    m_note->setTone(tone);
    m_note->setVisible(!text.isEmpty());
    if (!text.isEmpty())
        reveal();
}

void BlockCaption::setNotes(const QString &text)
{
    if (text.isEmpty())
        return;
    auto *notes = new TextLabel({}, this);
    notes->setFont(smallFont());
    notes->setDim(true);
    notes->setObjectName(QStringLiteral("blockNotes"));
    notes->setElided(true);
    notes->setMinimumWidth(20);
    notes->setServerText(text);
    notes->setToolTip(plainToolTip(text));
    layout()->addWidget(notes);
    reveal();
}

QToolButton *BlockCaption::addButton(const QString &text, const QString &objectName, const QString &accessibleName)
{
    auto *button = new QToolButton(this);
    button->setText(text);
    button->setObjectName(objectName);
    button->setAccessibleName(accessibleName);
    addButton(button);
    return button;
}

void BlockCaption::addButton(QToolButton *button)
{
    reveal();
    m_row->addWidget(button);
    m_buttons.append(button);
}

void BlockCaption::reveal()
{
    if (!isHidden())
        return;
    show();
    Q_EMIT filled();
}

void BlockCaption::addControl(QWidget *control)
{
    if (m_isNarrow)
        m_secondRow->insertWidget(int(m_controls.size()), control);
    else
        m_row->insertWidget(m_row->indexOf(m_note) + 1 + int(m_controls.size()), control);
    m_controls.append(control);
    reveal();
    arrange();
}

int BlockCaption::widthOf(const QList<QWidget *> &widgets)
{
    int width = 0;
    for (const QWidget *each : widgets) {
        if (!each->isHidden())
            width += each->sizeHint().width() + Grid / 2;
    }
    return width;
}

QSize BlockCaption::minimumSizeHint() const
{
    const int first = m_text->minimumWidth() + widthOf(m_buttons);
    int second = 0;
    for (const QWidget *each : m_controls) {
        // Segments can be narrower than they like to be.
        const QLayout *segments = each->layout();
        if (!each->isHidden())
            second += (segments ? segments->minimumSize() : each->minimumSizeHint()).width() + Grid / 2;
    }
    return {std::max(first, second), layout()->minimumSize().height()};
}

void BlockCaption::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

bool BlockCaption::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest)
        arrange();
    return QWidget::event(event);
}

void BlockCaption::arrange()
{
    const int text = m_text->text().isEmpty() ? 0 : std::min(m_text->sizeHint().width(), MaxCaptionWidth);
    const bool narrow = !m_controls.isEmpty() && text + widthOf(m_controls) + widthOf(m_buttons) > width();
    if (narrow == m_isNarrow)
        return;
    m_isNarrow = narrow;
    for (qsizetype i = 0; i < m_controls.size(); ++i) {
        (narrow ? m_row : m_secondRow)->removeWidget(m_controls[i]);
        if (narrow)
            m_secondRow->insertWidget(int(i), m_controls[i]);
        else
            m_row->insertWidget(m_row->indexOf(m_note) + 1 + int(i), m_controls[i]);
    }
    updateGeometry();
}

TextBlock::TextBlock(const QByteArray &text, Pretty pretty, TextView::Highlight highlight, QWidget *parent)
    : TextBlock(highlight, parent)
{
    setText(text, pretty);
}

TextBlock::TextBlock(const json::Value &value, Pretty pretty, QWidget *parent)
    : TextBlock(value.exists() && !value.isString() ? TextView::Highlight::Json : TextView::Highlight::None, parent)
{
    const bool isJson = value.exists() && !value.isString();
    const auto readAll = [value, isJson] { return isJson ? read(value) : Reading{value.utf8()}; };
    const auto take = [this, value, isJson, pretty](const Reading &reading) {
        setText(reading.indented, isJson ? Pretty::Never : pretty);
        if (!isJson)
            return;
        m_value = value;
        setReading(reading);
    };
    const qsizetype size = value.slice().size();
    if (size <= BackgroundBytes) {
        take(readAll());
        return;
    }
    m_waiting = new TextLabel(tr("Reading %1…").arg(sizeText(size)), this);
    m_waiting->setDim(true);
    layout()->addWidget(m_waiting);
    m_shown->hide();
    runInBackground<Reading>(this, readAll, [this, take](const Reading &reading) {
        delete std::exchange(m_waiting, nullptr);
        m_shown->show();
        take(reading);
        Q_EMIT completed();
    });
}

TextBlock::TextBlock(TextView::Highlight highlight, QWidget *parent)
    : QWidget(parent),
      m_highlight(highlight),
      m_caption(new BlockCaption(this)),
      m_layout(new QVBoxLayout(this)),
      m_view(new TextView(this)),
      m_copy(new QToolButton(this))
{
    setObjectName(QStringLiteral("textBlock"));
    m_view->setObjectName(QStringLiteral("text"));
    m_view->setAccessibleName(tr("Text"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(Grid / 2);
    m_layout->addWidget(m_caption);
    m_shown = frameOf(m_view);
    makeCopyButton();
    connect(m_view, &TextView::menuRequested, this, &TextBlock::addJsonActions);
}

QWidget *TextBlock::frameOf(QWidget *view)
{
    QWidget *frame = framedData(view);
    m_layout->addWidget(frame);
    return frame;
}

// On a line of its own, it would stand above each short text.
void TextBlock::makeCopyButton()
{
    m_copy->setText(tr("Copy"));
    m_copy->setObjectName(QStringLiteral("copyText"));
    m_copy->setAccessibleName(tr("Copy text"));
    connect(m_copy, &QToolButton::clicked, this, &TextBlock::copy);
    auto *row = static_cast<QBoxLayout *>(m_shown->layout());
    row->setDirection(QBoxLayout::LeftToRight);
    row->addWidget(m_copy, 0, Qt::AlignTop);
    connect(m_caption, &BlockCaption::filled, this, [this] { m_caption->addButton(m_copy); });
}

TextBlock::Reading TextBlock::read(const json::Value &value)
{
    const bool isContainer = value.isContainer() && !value.isEmpty();
    return {json::indented(value), isContainer, tableWithin(value).exists(), false};
}

TextBlock::Reading TextBlock::read(const QByteArray &text)
{
    const json::Value value = containerIn(text);
    if (value.exists())
        return read(value);
    return {{}, false, false, text.size() <= MarkdownView::MaxBytes && looksLikeMarkdown(text)};
}

void TextBlock::setText(const QByteArray &text, Pretty pretty)
{
    m_text = text;
    m_view->setText(text, m_highlight);
    fit();
    if (pretty == Pretty::Never)
        return;
    if (text.size() <= BackgroundBytes)
        setReading(read(text));
    else
        runInBackground<Reading>(
            this, [text] { return read(text); }, [this](const Reading &reading) { setReading(reading); });
}

void TextBlock::setReading(const Reading &reading)
{
    // A value from the message is its own text; of a text that is JSON there is also what was sent.
    const bool isText = !m_value.exists();
    m_indented = isText ? reading.indented : m_text;
    QList<Segment> segments;
    if (!reading.indented.isEmpty())
        segments.append(JsonSegment);
    if (reading.isContainer)
        segments.append(TreeSegment);
    if (reading.hasTable)
        segments.append(TableSegment);
    if (isText)
        segments.append(TextSegment);
    if (reading.isMarkdown)
        segments.append(MarkdownSegment);
    if (segments.size() > 1)
        offerViews(segments);
}

void TextBlock::offerViews(const QList<Segment> &segments)
{
    m_segments = segments;
    m_views = new FittingSegments(QStringLiteral("blockViews"), tr("Text view"), this);
    for (const Segment segment : segments) {
        switch (segment) {
            case JsonSegment:
                m_views->addSegment(tr("JSON"), tr("Formatted as JSON"));
                break;
            case TreeSegment:
                m_views->addSegment(tr("Tree"), tr("As a tree"));
                break;
            case TableSegment:
                m_views->addSegment(tr("Table"), tr("As a table"));
                break;
            case TextSegment:
                m_views->addSegment(tr("Raw text"), tr("Exactly as sent by the server"));
                break;
            case MarkdownSegment:
                m_views->addSegment(tr("Render Markdown"), tr("Render Markdown"));
                break;
        }
    }
    m_caption->addControl(m_views);
    connect(m_views, &FittingSegments::currentChanged, this,
            [this](int index) { showSegment(m_segments.value(index)); });
    m_views->setCurrent(0);
    showSegment(segments.first());
}

void TextBlock::showSegment(int segment)
{
    m_shown->hide();
    switch (segment) {
        case TreeSegment:
            showTree();
            break;
        case TableSegment:
            showTable();
            break;
        case MarkdownSegment:
            showMarkdown();
            break;
        default:
            m_shown = m_view->parentWidget();
            if (segment == JsonSegment && m_view->text() != m_indented)
                m_view->setText(m_indented, TextView::Highlight::Json);
            else if (segment == TextSegment)
                m_view->setText(m_text, m_highlight);
            break;
    }
    m_shown->show();
    fit();
}

// Of a large text, the values are read when they are asked for, and not kept from the first reading.
void TextBlock::useJson(const std::function<void(const json::Value &)> &use)
{
    if (m_value.exists()) {
        use(m_value);
        return;
    }
    const auto take = [this, use](const json::Value &value) {
        m_value = value;
        use(value);
    };
    if (m_text.size() <= BackgroundBytes)
        take(containerIn(m_text));
    else
        runInBackground<json::Value>(
            this, [text = m_text] { return containerIn(text); }, take);
}

void TextBlock::showTree()
{
    if (!m_tree) {
        m_tree = new JsonTreeView(this);
        m_tree->setObjectName(QStringLiteral("blockTree"));
        m_tree->setAccessibleName(tr("JSON as a tree"));
        m_tree->viewport()->setAutoFillBackground(false);
        frameOf(m_tree);
        connect(m_tree, &JsonTreeView::heightChanged, this, &TextBlock::fit);
        connect(m_tree, &JsonTreeView::menuRequested, this, &TextBlock::menuRequested);
        useJson([this](const json::Value &value) {
            m_tree->setValue(value);
            m_tree->setFindings(m_treeFindings);
        });
    }
    m_shown = m_tree->parentWidget();
}

void TextBlock::showTable()
{
    if (!m_table) {
        m_table = new JsonTable(this);
        frameOf(m_table);
        connect(m_table, &JsonTable::heightChanged, this, &TextBlock::fit);
        connect(m_table, &JsonTable::menuRequested, this, &TextBlock::menuRequested);
        useJson([this](const json::Value &value) { m_table->setArray(tableWithin(value), value); });
    }
    m_shown = m_table->parentWidget();
}

void TextBlock::showMarkdown()
{
    if (!m_markdown) {
        m_markdown = new MarkdownView(this);
        frameOf(m_markdown);
        connect(m_markdown, &MarkdownView::heightChanged, this, &TextBlock::fit);
        connect(m_markdown, &MarkdownView::linkActivated, this, &TextBlock::linkActivated);
        connect(m_markdown, &MarkdownView::menuRequested, this,
                [this](QMenu *menu) { Q_EMIT menuRequested(menu, {}); });
        m_markdown->setMarkdownText(m_text);
    }
    m_shown = m_markdown->parentWidget();
}

void TextBlock::setTreeFindings(const QList<std::pair<json::Pointer, QString>> &findings)
{
    m_treeFindings = findings;
    if (m_tree)
        m_tree->setFindings(findings);
}

QString TextBlock::selectedText() const
{
    if (m_view->isVisible())
        return m_view->selectedText();
    return m_markdown && m_markdown->isVisible() ? m_markdown->textCursor().selectedText() : QString();
}

void TextBlock::copy() const
{
    QGuiApplication::clipboard()->setText(decodedUtf8(m_text));
}

// Larger texts take too long to be read while a menu opens; their trees have the same menu.
void TextBlock::addJsonActions(QMenu *menu, qsizetype offset)
{
    json::Value value;
    if (!m_indented.isEmpty() && m_view->text() == m_indented && m_indented.size() <= 4 * BackgroundBytes) {
        if (!m_value.exists())
            m_value = containerIn(m_text);
        value = innermostAt(json::parse(m_indented), offset, m_value);
        menu->addSeparator();
        addCopyActions(menu, value, m_value);
    }
    Q_EMIT menuRequested(menu, value);
}

void TextBlock::setMaxHeight(int height)
{
    if (m_maxHeight == height)
        return;
    m_maxHeight = height;
    fit();
}

void TextBlock::setBytes(const QByteArray &bytes)
{
    m_bytes = bytes;
    m_view->setWordWrap(false);
    fit();
}

void TextBlock::fitBytes()
{
    const int columns = m_view->columnsBesideScrollBar();
    int bytesPerLine = 16;
    while (bytesPerLine > 4 && hexColumns(bytesPerLine) > columns)
        bytesPerLine /= 2;
    if (bytesPerLine == m_bytesPerLine)
        return;
    m_bytesPerLine = bytesPerLine;
    m_text = hexDump(m_bytes, bytesPerLine);
    m_view->setText(m_text, m_highlight);
}

void TextBlock::fit()
{
    if (!m_bytes.isEmpty())
        fitBytes();
    const auto fix = [](QWidget *widget, int height) {
        if (widget->minimumHeight() != height || widget->maximumHeight() != height)
            widget->setFixedHeight(height);
    };
    if (m_tree && m_shown == m_tree->parentWidget())
        fix(m_tree, m_tree->heightForRows(m_maxHeight));
    else if (m_table && m_shown == m_table->parentWidget())
        fix(m_table, m_table->heightForRows(m_maxHeight));
    else if (m_markdown && m_shown == m_markdown->parentWidget())
        fix(m_markdown, m_markdown->heightForText(m_maxHeight));
    else
        fix(m_view, m_view->heightForLines(m_maxHeight));
    // Beside a long text it would take a column from it, all the way down.
    if (m_view->height() > MaxLinesBesideCopy * m_view->fontMetrics().lineSpacing())
        m_caption->reveal();
}

void TextBlock::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

bool TextBlock::event(QEvent *event)
{
    // The view gets its new width only when our layout has been applied.
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)
        fit();
    return handled;
}

}  // namespace sonde::ui
