// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/widgets.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/theme/firstlines.h"
#include "ui/theme/flowlayout.h"
#include "ui/theme/keys.h"
#include "ui/theme/pagearea.h"
#include "ui/theme/roundedframe.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QPen>
#include <QResizeEvent>
#include <QStyle>
#include <QStyleOption>
#include <QTextDocument>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace sonde::ui {

namespace {

// A label lays out its whole text, again for each size that a layout asks about.
constexpr qsizetype MaxLabelLength = 20'000;
constexpr qsizetype MaxToolTipLine = 100;  // characters; only HTML is wrapped
constexpr qsizetype MaxBannerLength = 2'000;
constexpr int MaxKeptLines = 6;  // of a banner, whatever else has to give way

constexpr int MinBannerText = 22 * Grid;  // with the margins

constexpr int MinSegmentWidth = 4 * Grid;  // where there is little room; its text is elided

constexpr int BadgePadding = 7;

constexpr int EmptyMargin = 3 * Grid;  // around an empty state
constexpr int NarrowEmptyState = 30 * Grid;
constexpr int LowEmptyState = 20 * Grid;
constexpr int MaxEmptyLines = 6;  // of its title and of its text

// A layout that is short of room would cut the lines of a label that wraps.
class WholeLabel final : public TextLabel {
public:
    using TextLabel::TextLabel;
    QSize minimumSizeHint() const override
    {
        const int height = qBound(0, heightForWidth(width()), MaxKeptLines * fontMetrics().lineSpacing());
        return {TextLabel::minimumSizeHint().width(), height};
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        TextLabel::resizeEvent(event);
        if (event->oldSize().width() != width())
            updateGeometry();
    }
};

// Where the texts would become a narrow column beside them, the controls of a banner are below.
class BannerControls final : public QObject {
public:
    BannerControls(QHBoxLayout *row, QWidget *banner) : QObject(banner), m_row(row), m_controls(new QWidget)
    {
        auto *flow = new FlowLayout(m_controls);
        flow->setContentsMargins(0, 0, 0, 0);
        flow->setSpacing(Grid);
        row->addWidget(m_controls, 0, Qt::AlignVCenter);
        banner->installEventFilter(this);
    }

    bool eventFilter(QObject *banner, QEvent *event) override
    {
        if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
            place(static_cast<QWidget *>(banner)->width());
        return QObject::eventFilter(banner, event);
    }

private:
    void place(int width)
    {
        const int controls = m_controls->sizeHint().width();
        const bool isBelow = controls > 0 && width - controls < MinBannerText;
        const auto direction = isBelow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
        if (direction == m_row->direction())
            return;
        m_row->setAlignment(m_controls, isBelow ? Qt::Alignment() : Qt::AlignVCenter);
        m_row->setDirection(direction);
        m_row->setStretch(0, isBelow ? 0 : 1);
        m_row->setSpacing(isBelow ? Grid / 2 : Grid);
    }

    QHBoxLayout *m_row;
    QWidget *m_controls;
};

// A segment of a SegmentedControl within the common frame.
class Segment final : public QAbstractButton {
public:
    explicit Segment(QWidget *parent) : QAbstractButton(parent)
    {
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);  // where there is little room, each gives way
    }

    QSize sizeHint() const override
    {
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        const QFontMetrics metrics(bold);
        return {metrics.horizontalAdvance(text()) + 3 * Grid, metrics.height() + 9};
    }
    QSize minimumSizeHint() const override { return sizeHint().boundedTo({MinSegmentWidth, sizeHint().height()}); }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::ToolTip || !toolTip().isEmpty() || shownText() == text())
            return QAbstractButton::event(event);
        QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), plainToolTip(text()), this);
        return true;
    }

    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const QRect area = rect();
        if (isChecked())
            painter.fillRect(area, colors().selection);
        else if (underMouse())
            painter.fillRect(area, colors().field);
        painter.setPen(isEnabled() ? colors().text : colors().dim);
        if (!isChecked())
            painter.setPen(colors().dim);
        painter.setFont(shownFont());
        painter.drawText(area, Qt::AlignCenter, shownText());
        if (hasFocus()) {
            painter.setPen(focusPen());
            painter.drawRect(area.adjusted(2, 2, -2, -2));
        }
    }

private:
    // Rather not bold than elided: its colour tells that it is on.
    QFont shownFont() const
    {
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        return isChecked() && QFontMetrics(bold).horizontalAdvance(text()) <= width() ? bold : font();
    }

    QString shownText() const { return QFontMetrics(shownFont()).elidedText(text(), Qt::ElideRight, width()); }
};

}  // namespace

QString plainToolTip(const QString &text)
{
    const QString visible = visibleText(text, {true, MaxLabelLength});
    const QList<QStringView> lines = QStringView(visible).split(u'\n');
    const bool isNarrow =
        std::all_of(lines.cbegin(), lines.cend(), [](QStringView line) { return line.size() <= MaxToolTipLine; });
    return isNarrow && !Qt::mightBeRichText(visible) ? visible : Qt::convertFromPlainText(visible);
}

QWidget *addScrolledPage(QWidget *owner)
{
    auto *outer = new QVBoxLayout(owner);
    outer->setContentsMargins(0, 0, 0, 0);
    auto *scroll = new PageArea;
    scroll->setAccessibleName(TextLabel::tr("Page"));
    outer->addWidget(scroll);
    auto *page = new QWidget;
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    scroll->setWidget(page);
    return page;
}

TextLabel::TextLabel(const QString &text, QWidget *parent) : QLabel(text, parent)
{
    setTextFormat(Qt::PlainText);
    setFocusPolicy(Qt::NoFocus);
}

// A text that can be selected is a whole text document: most labels never need it, and a window starts a quarter
// faster.
void TextLabel::makeSelectable()
{
    const Qt::FocusPolicy policy = focusPolicy();  // which the flags change: a click would take the focus from a field
    setTextInteractionFlags(textInteractionFlags() | Qt::TextSelectableByMouse);
    setFocusPolicy(policy);
}

void TextLabel::select(int from, int length)
{
    makeSelectable();
    setSelection(from, length);
}

void TextLabel::deselect()
{
    if (hasSelectedText())
        setSelection(0, 0);
}

void TextLabel::mousePressEvent(QMouseEvent *event)
{
    makeSelectable();
    QLabel::mousePressEvent(event);
}

void TextLabel::setServerText(const QString &text)
{
    setText(visibleText(text, {true, MaxLabelLength}));
}

void TextLabel::setTone(Tone tone)
{
    m_tone = tone;
    recolor();
}

void TextLabel::setDim(bool dim)
{
    m_dim = dim;
    recolor();
}

void TextLabel::setStrong()
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    setFont(bold);
}

void TextLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_updating)
        recolor();
}

void TextLabel::setElided(bool elided, Qt::TextElideMode where)
{
    m_elide = elided ? where : Qt::ElideNone;
    update();
}

void TextLabel::paintEvent(QPaintEvent *event)
{
    const QRect room = contentsRect();
    if (m_elide == Qt::ElideNone || fontMetrics().horizontalAdvance(text()) <= room.width()) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    style()->drawItemText(&painter, room, int(alignment()) | Qt::TextSingleLine, palette(), isEnabled(),
                          fontMetrics().elidedText(text(), m_elide, room.width()), foregroundRole());
}

void TextLabel::recolor()
{
    if (m_tone == Tone::Neutral && !m_dim && !testAttribute(Qt::WA_SetPalette))
        return;
    m_updating = true;
    const QColor wanted = m_tone != Tone::Neutral ? color(m_tone) : m_dim ? colors().dim : colors().text;
    QPalette own;
    // The palette role of a label's text depends on its parent's background.
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        own.setColor(role, wanted);
    setPalette(own);
    m_updating = false;
}

Badge::Badge(const QString &text, Tone tone, QWidget *parent) : QWidget(parent), m_text(text), m_tone(tone)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(text);
}

void Badge::setContent(const QString &text, Tone tone)
{
    m_text = text;
    m_tone = tone;
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    updateGeometry();
    update();
}

QSize Badge::sizeHint() const
{
    return {widthFor(m_text), QFontMetrics(smallFont()).height() + 5};
}

QSize Badge::minimumSizeHint() const
{
    return sizeHint().boundedTo({5 * Grid, sizeHint().height()});
}

int Badge::widthFor(const QString &text)
{
    return QFontMetrics(smallFont()).horizontalAdvance(text) + 2 * BadgePadding;
}

int Badge::paint(QPainter *painter, const QRect &rect, const QString &text, Tone tone, Qt::Alignment align)
{
    const QFont font = smallFont();
    const QFontMetrics metrics(font);
    const int height = qMin(rect.height(), metrics.height() + 5);
    const int width = qMin(rect.width(), widthFor(text));
    const int left = align.testFlag(Qt::AlignRight) ? rect.right() - width + 1 : rect.left();
    const QRect box(left, rect.top() + (rect.height() - height) / 2, width, height);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    // Where window and panel are the same, the fill alone shows no shape.
    const bool isOutlined = colors().window == colors().panel;
    painter->setPen(isOutlined ? QPen(colors().line) : QPen(Qt::NoPen));
    painter->setBrush(tone == Tone::Neutral ? colors().window : softColor(tone));
    const qreal inset = isOutlined ? 0.5 : 0;
    painter->drawRoundedRect(QRectF(box).adjusted(inset, inset, -inset, -inset), 5, 5);
    painter->setPen(color(tone));
    painter->setFont(font);
    const int room = box.width() - 2 * BadgePadding + 2;
    painter->drawText(box, Qt::AlignCenter, metrics.elidedText(text, Qt::ElideRight, room));
    painter->restore();
    return width;
}

void Badge::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paint(&painter, rect(), m_text, m_tone);
}

SegmentedControl::SegmentedControl(QWidget *parent) : QWidget(parent), m_group(new QButtonGroup(this))
{
    auto *outer = new QHBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto *frame = new RoundedFrame(&Colors::panel, this);
    frame->setObjectName(QStringLiteral("segmentFrame"));
    frame->setLine(&Colors::border);
    outer->addWidget(frame);
    auto *row = new QHBoxLayout(frame);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_group->setExclusive(true);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        // Tab stops only at the active segment, or else the first; arrow keys reach the others.
        const int stop = qMax(m_group->checkedId(), 0);
        for (QAbstractButton *segment : m_group->buttons())
            segment->setFocusPolicy(m_group->id(segment) == stop ? Qt::StrongFocus : Qt::ClickFocus);
        setFocusProxy(m_group->button(stop));
        if (on)
            Q_EMIT currentChanged(id);
    });
}

int SegmentedControl::addSegment(const QString &text, const QString &accessibleName)
{
    auto *frame = findChild<QWidget *>(QStringLiteral("segmentFrame"), Qt::FindDirectChildrenOnly);
    auto *segment = new Segment(frame);
    segment->setText(text);
    segment->setAccessibleName(accessibleName.isEmpty() ? text : accessibleName);
    segment->setAutoExclusive(true);  // for assistive tools, to which it is a radio button then
    const int id = int(m_group->buttons().size());
    segment->setFocusPolicy(id == 0 ? Qt::StrongFocus : Qt::ClickFocus);
    segment->setObjectName(QStringLiteral("segment%1").arg(id));
    if (id == 0) {
        const QSignalBlocker quiet(m_group);
        segment->setChecked(true);
        setFocusProxy(segment);
    }
    m_group->addButton(segment, id);
    frame->layout()->addWidget(segment);
    return id;
}

int SegmentedControl::current() const
{
    return m_group->checkedId();
}

void SegmentedControl::setCurrent(int index)
{
    if (QAbstractButton *segment = m_group->button(index)) {
        segment->setChecked(true);
    } else if (QAbstractButton *checked = m_group->checkedButton()) {
        m_group->setExclusive(false);
        checked->setChecked(false);
        m_group->setExclusive(true);
    }
}

void SegmentedControl::setSegmentVisible(int index, bool visible)
{
    if (QAbstractButton *segment = m_group->button(index))
        segment->setVisible(visible);
}

QAbstractButton *SegmentedControl::button(int index) const
{
    return m_group->button(index);
}

PrimaryButton::PrimaryButton(const QString &text, QWidget *parent) : QPushButton(text, parent)
{
    setCursor(Qt::PointingHandCursor);
}

void PrimaryButton::setPrimary(bool primary)
{
    if (m_isPrimary == primary)
        return;
    m_isPrimary = primary;
    updateGeometry();
    update();
}

QSize PrimaryButton::sizeHint() const
{
    if (!m_isPrimary)
        return QPushButton::sizeHint();
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const int text = QFontMetrics(bold).size(Qt::TextShowMnemonic, this->text()).width();
    return QPushButton::sizeHint().expandedTo({text + 4 * Grid, 0});
}

void PrimaryButton::paintEvent(QPaintEvent *event)
{
    if (!m_isPrimary)
        return QPushButton::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = colors().accent;
    if (!isEnabled())
        fill = colors().window;
    else if (isDown())
        fill = fill.darker(115);
    else if (underMouse())
        fill = fill.lighter(108);
    paintRoundedFrame(&painter, rect(), isEnabled() ? QPen(Qt::NoPen) : QPen(colors().line), fill);
    QFont shown = font();
    shown.setWeight(isEnabled() ? QFont::DemiBold : QFont::Normal);
    painter.setFont(shown);
    painter.setPen(isEnabled() ? colors().onAccent : palette().color(QPalette::Disabled, QPalette::ButtonText));
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextShowMnemonic, text());
    if (hasFocus())
        paintRoundedFrame(&painter, rect().adjusted(2, 2, -2, -2), QPen(colors().onAccent, focusPen().width()));
}

FlatButton::FlatButton(const QString &text, QWidget *parent) : QToolButton(parent)
{
    setText(text);
    setAutoRaise(true);
    setFont(smallFont());
    setFocusPolicy(Qt::TabFocus);
    setIconSize({14, 14});
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize FlatButton::sizeHint() const
{
    const int side = autoRaise() ? headerHeight() : inputHeight();
    if (text().isEmpty())
        return {side, side};
    const int content = fontMetrics().horizontalAdvance(text()) + (icon().isNull() ? 0 : 18);
    return {m_isFlush ? content + 2 : qMax(content + 2 * Grid, side), side};
}

void FlatButton::keyPressEvent(QKeyEvent *event)
{
    if (isPlainEnter(event))
        click();
    else
        QToolButton::keyPressEvent(event);
}

void FlatButton::initStyleOption(QStyleOptionToolButton *option) const
{
    QToolButton::initStyleOption(option);
    option->toolButtonStyle = icon().isNull()    ? Qt::ToolButtonTextOnly
                              : text().isEmpty() ? Qt::ToolButtonIconOnly
                                                 : Qt::ToolButtonTextBesideIcon;
    option->state.setFlag(QStyle::State_On, false);  // its text or icon tells
    option->palette.setColor(QPalette::ButtonText, textColor());
}

// Without a frame, the colour of its words tells that they can be pressed.
QColor FlatButton::textColor() const
{
    const QString shown = text();
    const bool hasWords = std::any_of(shown.cbegin(), shown.cend(), [](QChar each) { return each.isLetter(); });
    if (!isEnabled() || (autoRaise() && !hasWords))
        return colors().dim;
    return autoRaise() ? colors().accent : palette().color(QPalette::ButtonText);
}

// A form shows hundreds of them: at rest one is only its text or its icon, which takes a fraction of what a style takes
// for a tool button.
void FlatButton::paintEvent(QPaintEvent *event)
{
    const bool isPlain = icon().isNull() || text().isEmpty();
    if (!isPlain || !autoRaise() || underMouse() || hasFocus() || isDown()) {
        QToolButton::paintEvent(event);
        return;
    }
    QPainter painter(this);
    painter.setPen(textColor());
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextShowMnemonic, text());
    icon().paint(&painter, QStyle::alignedRect(layoutDirection(), Qt::AlignCenter, iconSize(), rect()), Qt::AlignCenter,
                 isEnabled() ? QIcon::Normal : QIcon::Disabled);
}

Banner::Banner(QWidget *parent)
    : QFrame(parent), m_row(new QHBoxLayout(this)), m_title(new WholeLabel), m_text(new WholeLabel)
{
    m_row->setContentsMargins(2 * Grid, Grid, Grid, Grid);
    m_row->setSpacing(Grid);
    auto *column = new QVBoxLayout;
    column->setSpacing(2);
    m_row->addLayout(column, 1);
    m_title->setStrong();
    m_title->setWordWrap(true);
    m_text->setWordWrap(true);
    // A word without end would push everything else out of the window.
    for (TextLabel *label : {m_title, m_text})
        label->setMinimumWidth(40);
    column->addWidget(m_title);
    column->addWidget(m_text);
}

void Banner::setContent(Tone tone, const QString &title, const QString &text)
{
    m_tone = tone;
    m_title->setServerText(visibleText(title, {true, MaxBannerLength}));
    m_text->setServerText(visibleText(text, {true, MaxBannerLength}));
    m_text->setVisible(!text.isEmpty());
    setAccessibleName(m_title->text());
    setAccessibleDescription(m_text->text());
    update();
}

void Banner::addControl(QWidget *control)
{
    if (m_row->count() == 1)
        new BannerControls(m_row, this);
    m_row->itemAt(1)->widget()->layout()->addWidget(control);
}

void Banner::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), softColor(m_tone));
    painter.fillRect(QRect(0, 0, 4, height()), color(m_tone));
}

Line::Line(Qt::Orientation orientation, QWidget *parent) : QWidget(parent)
{
    if (orientation == Qt::Horizontal)
        setFixedHeight(1);
    else
        setFixedWidth(1);
}

void Line::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), colors().line);
}

EmptyState::EmptyState(const QString &title, const QString &text, QWidget *parent)
    : QWidget(parent), m_title(new TextLabel), m_text(new TextLabel)
{
    auto *column = new QVBoxLayout(this);
    column->setSpacing(Grid / 2);
    column->addStretch(1);
    m_title->setStrong();
    for (TextLabel *label : {m_title, m_text}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
        label->setDim(true);
        column->addWidget(label);
    }
    column->addStretch(2);
    setContent(title, text);
}

void EmptyState::setContent(const QString &title, const QString &text)
{
    m_wholeTitle = visibleText(title, {.keepNewlines = true, .maxLength = MaxLabelLength});
    m_wholeText = visibleText(text, {.keepNewlines = true, .maxLength = MaxLabelLength});
    m_text->setVisible(!text.isEmpty());
    setAccessibleName(m_wholeTitle);
    setAccessibleDescription(m_wholeText);
    breakLines();
}

void EmptyState::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    breakLines();
}

// A label wraps between words only: a long command or URL would end at the edge, with nothing to tell so.
void EmptyState::breakLines()
{
    // In a small place the text needs the room that the margins would take.
    const int side = width() < NarrowEmptyState ? Grid : EmptyMargin;
    const int above = height() < LowEmptyState ? Grid / 2 : EmptyMargin;
    layout()->setContentsMargins(side, above, side, above);
    const int room = qMax(EmptyMargin, contentsRect().width() - 2 * side);
    const auto show = [room](TextLabel *label, const QString &whole) {
        const QString lines = firstLines(whole, label->font(), room, MaxEmptyLines);
        const bool breaksAtSpaces = whole.simplified() == lines.simplified();
        label->setText(breaksAtSpaces ? whole : lines);
    };
    show(m_title, m_wholeTitle);
    show(m_text, m_wholeText);
}

}  // namespace sonde::ui
