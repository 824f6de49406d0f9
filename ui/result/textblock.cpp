// SPDX-License-Identifier: Apache-2.0
#include "ui/result/textblock.h"

#include "core/json/builder.h"
#include "ui/json/background.h"
#include "ui/result/outcometext.h"
#include "ui/result/payload.h"
#include "ui/theme/roundedframe.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace sonde::ui {

BlockCaption::BlockCaption(QWidget *parent)
    : QWidget(parent), m_text(new TextLabel({}, this)), m_note(new TextLabel({}, this)), m_layout(new QHBoxLayout(this))
{
    m_text->setDim(true);
    m_text->setFont(smallFont());
    m_text->setObjectName(QStringLiteral("caption"));
    m_text->setElided(true);
    m_text->setMinimumWidth(20);
    m_note->setFont(smallFont());
    m_note->setObjectName(QStringLiteral("captionNote"));
    m_note->setElided(true);
    m_note->setMinimumWidth(20);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(Grid);
    m_layout->addWidget(m_text, 1);
    m_layout->addWidget(m_note);
    m_note->hide();
    hide();
}

void BlockCaption::setCaption(const QString &text)
{
    m_text->setServerText(text);
    m_text->setToolTip(plainToolTip(text));
    m_text->setAccessibleName(m_text->text());
    show();
}

void BlockCaption::setNote(const QString &text, Tone tone)
{
    m_note->setServerText(text);
    m_note->setToolTip(plainToolTip(text));
    m_note->setTone(tone);
    m_note->setVisible(!text.isEmpty());
    show();
}

QToolButton *BlockCaption::addButton(const QString &text, const QString &objectName, const QString &accessibleName)
{
    auto *button = new QToolButton(this);
    button->setText(text);
    button->setObjectName(objectName);
    button->setAccessibleName(accessibleName);
    addControl(button);
    return button;
}

void BlockCaption::addControl(QWidget *control)
{
    m_layout->addWidget(control);
    show();
}

TextBlock::TextBlock(const QByteArray &text, Pretty pretty, TextView::Highlight highlight, QWidget *parent)
    : TextBlock(highlight, parent)
{
    setText(text, pretty);
}

TextBlock::TextBlock(const json::Value &value, Pretty pretty, QWidget *parent)
    : TextBlock(value.exists() && !value.isString() ? TextView::Highlight::Json : TextView::Highlight::None, parent)
{
    const auto read = [value] { return value.exists() && !value.isString() ? json::indented(value) : value.utf8(); };
    const qsizetype size = value.slice().size();
    if (size <= BackgroundBytes) {
        setText(read(), pretty);
        return;
    }
    m_waiting = new TextLabel(tr("Reading %1…").arg(sizeText(size)), this);
    m_waiting->setDim(true);
    layout()->addWidget(m_waiting);
    m_view->parentWidget()->hide();
    runInBackground<QByteArray>(this, read, [this, pretty](const QByteArray &text) {
        delete std::exchange(m_waiting, nullptr);
        m_view->parentWidget()->show();
        setText(text, pretty);
        Q_EMIT completed();
    });
}

TextBlock::TextBlock(TextView::Highlight highlight, QWidget *parent)
    : QWidget(parent), m_highlight(highlight), m_caption(new BlockCaption(this)), m_view(new TextView(this))
{
    setObjectName(QStringLiteral("textBlock"));
    m_view->setObjectName(QStringLiteral("text"));
    m_view->setAccessibleName(tr("Text"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Grid / 2);
    layout->addWidget(m_caption);
    layout->addWidget(framedData(m_view));
}

void TextBlock::setText(const QByteArray &text, Pretty pretty)
{
    m_text = text;
    m_view->setText(text, m_highlight);
    fit();
    if (pretty == Pretty::Never)
        return;
    if (text.size() <= BackgroundBytes)
        offerPretty(indentedIfJson(text));
    else
        runInBackground<QByteArray>(
            this, [text] { return indentedIfJson(text); },
            [this](const QByteArray &indented) { offerPretty(indented); });
}

void TextBlock::offerPretty(const QByteArray &indented)
{
    if (indented.isEmpty())
        return;
    auto *choice = new SegmentedControl(this);
    choice->setObjectName(QStringLiteral("prettyChoice"));
    choice->setAccessibleName(tr("Text view"));
    choice->addSegment(tr("JSON"), tr("Formatted as JSON"));
    choice->addSegment(tr("Raw text"), tr("Exactly as sent by the server"));
    m_caption->addControl(choice);
    connect(choice, &SegmentedControl::currentChanged, this, [this, indented](int segment) {
        if (segment == 0)
            m_view->setText(indented, TextView::Highlight::Json);
        else
            m_view->setText(m_text, m_highlight);
        fit();
    });
    choice->setCurrent(0);
    m_view->setText(indented, TextView::Highlight::Json);
    fit();
}

void TextBlock::setMaxHeight(int height)
{
    if (m_maxHeight == height)
        return;
    m_maxHeight = height;
    fit();
}

void TextBlock::fit()
{
    const int height = m_view->heightForLines(m_maxHeight);
    if (m_view->minimumHeight() != height || m_view->maximumHeight() != height)
        m_view->setFixedHeight(height);
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
