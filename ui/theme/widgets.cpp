// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/widgets.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/theme/firstlines.h"
#include "ui/theme/keys.h"
#include "ui/theme/roundedframe.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QScrollArea>
#include <QStyle>
#include <QStyleOption>
#include <QTextDocument>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

// A label lays out its whole text, again for each size that a layout asks about.
constexpr qsizetype MaxLabelLength = 20'000;
constexpr qsizetype MaxBannerLength = 2'000;

constexpr int BadgePadding = 7;

constexpr int EmptyMargin = 3 * Grid;  // around an empty state
constexpr int MaxEmptyLines = 6;       // of its title and of its text

QFont badgeFont()
{
    QFont font = smallFont();
    font.setPointSizeF(font.pointSizeF() - 0.3);
    return font;
}

// A segment of a SegmentedControl within the common frame.
class Segment final : public QAbstractButton {
public:
    explicit Segment(QWidget *parent) : QAbstractButton(parent)
    {
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
    }

    QSize sizeHint() const override
    {
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        const QFontMetrics metrics(bold);
        return {metrics.horizontalAdvance(text()) + 3 * Grid, metrics.height() + 9};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
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
        QFont shown = font();
        if (isChecked())
            shown.setWeight(QFont::DemiBold);
        painter.setFont(shown);
        painter.drawText(area, Qt::AlignCenter, text());
        if (hasFocus()) {
            painter.setPen(QPen(colors().accent, 1));
            painter.drawRect(area.adjusted(2, 2, -3, -3));
        }
    }
};

}  // namespace

QString plainToolTip(const QString &text)
{
    return text.isEmpty() ? text : Qt::convertFromPlainText(visibleText(text, {true, MaxLabelLength}));
}

QWidget *addScrolledPage(QWidget *owner)
{
    auto *outer = new QVBoxLayout(owner);
    outer->setContentsMargins(0, 0, 0, 0);
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
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
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setFocusPolicy(Qt::NoFocus);
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

void TextLabel::setElided(bool elided)
{
    m_elided = elided;
    update();
}

void TextLabel::paintEvent(QPaintEvent *event)
{
    const QRect room = contentsRect();
    if (!m_elided || fontMetrics().horizontalAdvance(text()) <= room.width()) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    style()->drawItemText(&painter, room, int(alignment()) | Qt::TextSingleLine, palette(), isEnabled(),
                          fontMetrics().elidedText(text(), Qt::ElideRight, room.width()), foregroundRole());
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
    return {widthFor(m_text), QFontMetrics(badgeFont()).height() + 5};
}

QSize Badge::minimumSizeHint() const
{
    return sizeHint().boundedTo({5 * Grid, sizeHint().height()});
}

int Badge::widthFor(const QString &text)
{
    return QFontMetrics(badgeFont()).horizontalAdvance(text) + 2 * BadgePadding;
}

int Badge::paint(QPainter *painter, const QRect &rect, const QString &text, Tone tone, Qt::Alignment align)
{
    const QFont font = badgeFont();
    const QFontMetrics metrics(font);
    const int height = qMin(rect.height(), metrics.height() + 5);
    const int width = qMin(rect.width(), widthFor(text));
    const int left = align.testFlag(Qt::AlignRight) ? rect.right() - width + 1 : rect.left();
    const QRect box(left, rect.top() + (rect.height() - height) / 2, width, height);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(tone == Tone::Neutral ? colors().window : softColor(tone));
    painter->drawRoundedRect(box, 5, 5);
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
    const int id = int(m_group->buttons().size());
    segment->setFocusPolicy(id == 0 ? Qt::StrongFocus : Qt::ClickFocus);
    segment->setObjectName(QStringLiteral("segment%1").arg(id));
    if (id == 0) {
        const QSignalBlocker quiet(m_group);
        segment->setChecked(true);
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
    if (QAbstractButton *segment = m_group->button(index))
        segment->setChecked(true);
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
        fill = colors().line;
    else if (isDown())
        fill = fill.darker(115);
    else if (underMouse())
        fill = fill.lighter(108);
    paintRoundedFrame(&painter, rect(), Qt::NoPen, fill);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(isEnabled() ? colors().onAccent : colors().dim);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextShowMnemonic, text());
    if (hasFocus())
        paintRoundedFrame(&painter, rect().adjusted(2, 2, -2, -2), colors().onAccent);
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
    const int side = autoRaise() ? HeaderHeight : InputHeight;
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
    if (autoRaise() || !isEnabled())
        option->palette.setColor(QPalette::ButtonText, colors().dim);
}

Banner::Banner(QWidget *parent)
    : QFrame(parent), m_row(new QHBoxLayout(this)), m_title(new TextLabel), m_text(new TextLabel)
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
    m_row->addWidget(control, 0, Qt::AlignVCenter);
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
    column->setContentsMargins(EmptyMargin, EmptyMargin, EmptyMargin, EmptyMargin);
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
    const int room = qMax(EmptyMargin, contentsRect().width() - 2 * EmptyMargin);
    const auto show = [room](TextLabel *label, const QString &whole) {
        const QString lines = firstLines(whole, label->font(), room, MaxEmptyLines);
        const bool breaksAtSpaces = whole.simplified() == lines.simplified();
        label->setText(breaksAtSpaces ? whole : lines);
    };
    show(m_title, m_wholeTitle);
    show(m_text, m_wholeText);
}

}  // namespace sonde::ui
