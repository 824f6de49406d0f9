// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/style.h"

#include "ui/theme/density.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialog>
#include <QLinearGradient>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QToolButton>

namespace sonde::ui {

namespace {

constexpr int ScrollBarWidth = 10;
constexpr int Radius = 4;
constexpr int CellPadding = Grid - 2;
constexpr int HeaderPadding = CellPadding - 2;  // on top of Fusion's, so that titles stand over their cells
constexpr int IconSpace = 3;                    // around an icon with a text beside it
constexpr int ButtonPadding = Grid / 2;         // on top of Fusion's
constexpr int ComboPadding = 2;                 // on top of Fusion's, so that its text stands under that of a line edit
constexpr int ComboSlack = 2;                   // beside the text, which is drawn that much narrower than its place
constexpr int TabFocusMargin = 3;               // around the frame that shows it

void chevron(QPainter *painter, const QRect &rect, qreal degrees, const QColor &tint)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(QRectF(rect).center());
    painter->rotate(degrees);
    painter->setPen(QPen(tint, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF points[]{{-3.2, -1.6}, {0, 1.6}, {3.2, -1.6}};
    painter->drawPolyline(points, 3);
    painter->restore();
}

void drawButton(const QStyleOption *option, QPainter *painter)
{
    const Colors &c = colors();
    const bool on = option->state.testFlag(QStyle::State_On) || option->state.testFlag(QStyle::State_Sunken);
    const bool hover = option->state.testFlag(QStyle::State_MouseOver) && option->state.testFlag(QStyle::State_Enabled);
    const bool focus = option->state.testFlag(QStyle::State_HasFocus);
    const QColor border = option->state.testFlag(QStyle::State_Enabled) ? c.border : c.line;
    paintRoundedFrame(painter, option->rect, focus ? focusPen() : border, on ? c.selection : hover ? c.field : c.panel);
}

// The box of a check box or, round, of a radio button.
void drawIndicator(const QStyleOption *option, QPainter *painter, bool isRound)
{
    const Colors &c = colors();
    const bool isEnabled = option->state.testFlag(QStyle::State_Enabled);
    const bool isOn = option->state.testFlag(QStyle::State_On);
    const bool isPartly = option->state.testFlag(QStyle::State_NoChange);
    const bool isMarked = isOn || isPartly;
    const int side = qMin(option->rect.width(), option->rect.height()) - 1;
    QRectF box(0, 0, side, side);
    box.moveCenter(QRectF(option->rect).center());
    const QColor strong = isEnabled ? c.accent : c.dim;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(isMarked ? strong : isEnabled ? c.dim : c.line, 1.2));
    painter->setBrush(isMarked && !isRound ? strong : c.field);
    if (isRound)
        painter->drawEllipse(box);
    else
        painter->drawRoundedRect(box, 3, 3);
    if (isMarked && isRound) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(strong);
        painter->drawEllipse(box.center(), side * 0.26, side * 0.26);
    } else if (isMarked) {
        const QPointF middle = box.center();
        const qreal unit = side / 12.0;
        painter->setPen(QPen(c.onAccent, 1.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const QPointF check[]{middle + QPointF(-3, 0.2) * unit, middle + QPointF(-0.9, 2.3) * unit,
                              middle + QPointF(3.1, -2.2) * unit};
        if (isOn)
            painter->drawPolyline(check, 3);
        else
            painter->drawLine(middle + QPointF(-3, 0) * unit, middle + QPointF(3, 0) * unit);
    }
    painter->restore();
}

// Around what can be typed in; it steps back where nothing can.
QPen inputPen(const QStyleOption *option)
{
    if (option->state.testFlag(QStyle::State_HasFocus))
        return focusPen();
    return option->state.testFlag(QStyle::State_Enabled) ? colors().border : colors().line;
}

// A tab that is cut by the end of its bar fades out there.
void drawCutTab(const QStyleOption *option, QPainter *painter, bool isLeft)
{
    constexpr int width = 3 * Grid;
    QRect place = option->rect;
    if (isLeft)
        place.setWidth(width);
    else
        place.setLeft(place.right() + 1 - width);
    QColor clear = colors().window;
    clear.setAlpha(0);
    QLinearGradient fade(place.topLeft(), place.topRight());
    fade.setColorAt(isLeft ? 0 : 1, colors().window);
    fade.setColorAt(isLeft ? 1 : 0, clear);
    painter->fillRect(place, fade);
}

// Where the focus does not colour an existing frame; only for keyboard users.
void drawFocus(const QStyleOption *option, QPainter *painter, const QWidget *widget)
{
    const bool isFramed = qobject_cast<const QPushButton *>(widget) || qobject_cast<const QToolButton *>(widget) ||
                          qobject_cast<const QAbstractItemView *>(widget) || qobject_cast<const QComboBox *>(widget);
    if (!isFramed && option->state.testFlag(QStyle::State_KeyboardFocusChange))
        paintRoundedFrame(painter, option->rect, focusPen(), Qt::transparent);
}

void drawSpinBox(const QStyleOptionSpinBox *spin, QPainter *painter, const QRect &up, const QRect &down)
{
    const Colors &c = colors();
    const bool isEnabled = spin->state.testFlag(QStyle::State_Enabled);
    paintRoundedFrame(painter, spin->rect, inputPen(spin), isEnabled ? c.panel : c.window);
    if (spin->buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    const auto tint = [&](QAbstractSpinBox::StepEnabledFlag step) {
        return isEnabled && spin->stepEnabled.testFlag(step) ? c.text : c.line;
    };
    chevron(painter, up, 180, tint(QAbstractSpinBox::StepUpEnabled));
    chevron(painter, down, 0, tint(QAbstractSpinBox::StepDownEnabled));
}

void drawScrollBar(const QStyleOptionSlider *option, QPainter *painter, const QRect &slider)
{
    if (option->minimum >= option->maximum)
        return;
    const bool active = option->state.testFlag(QStyle::State_MouseOver) || option->state.testFlag(QStyle::State_Sunken);
    const bool vertical = option->orientation == Qt::Vertical;
    const QRectF bar =
        QRectF(slider).adjusted(vertical ? 2 : 1, vertical ? 1 : 2, vertical ? -2 : -1, vertical ? -1 : -2);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(active ? colors().dim : colors().border);
    painter->drawRoundedRect(bar, 3, 3);
    painter->restore();
}

void drawProgress(const QStyleOptionProgressBar *bar, QPainter *painter)
{
    const qint64 range = qint64(bar->maximum) - bar->minimum;
    QRect fill = bar->rect.adjusted(1, 1, -1, -1);
    const int room = fill.width();
    fill.setWidth(int(room * qBound<qint64>(0, qint64(bar->progress) - bar->minimum, range) / range));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colors().accent);
    if (fill.width() > 0)
        painter->drawRoundedRect(QStyle::visualRect(bar->direction, bar->rect, fill), Radius - 1, Radius - 1);
    painter->restore();
}

// Of an unknown total, without motion.
void drawUnknownProgress(const QStyleOptionProgressBar *bar, QPainter *painter)
{
    painter->fillRect(bar->rect.adjusted(1, 1, -1, -1), QBrush(colors().accent, Qt::BDiagPattern));
}

void drawTab(const QStyleOptionTab *tab, QPainter *painter)
{
    const Colors &c = colors();
    if (!tab->state.testFlag(QStyle::State_Selected)) {
        if (tab->state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(tab->rect, c.field);
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setClipRect(tab->rect);
    painter->setPen(c.line);
    painter->setBrush(c.panel);
    painter->drawRoundedRect(QRectF(tab->rect).adjusted(0.5, 3.5, -0.5, 6), 5, 5);
    painter->restore();
}

}  // namespace

Style::Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                          const QWidget *widget) const
{
    const Colors &c = colors();
    const bool focus = option->state.testFlag(State_HasFocus);
    switch (element) {
        case PE_PanelLineEdit: {
            const auto *edit = qstyleoption_cast<const QStyleOptionFrame *>(option);
            if (edit && edit->lineWidth > 0)
                paintRoundedFrame(
                    painter, option->rect, inputPen(option),
                    option->state.testFlag(State_Enabled) ? option->palette.color(QPalette::Base) : c.window);
            return;
        }
        case PE_FrameLineEdit:
            paintRoundedFrame(painter, option->rect, inputPen(option), Qt::transparent);
            return;
        case PE_Frame: {
            const auto *view = qobject_cast<const QAbstractItemView *>(widget);
            const bool isTypedInto = view && view->editTriggers().testFlag(QAbstractItemView::AnyKeyPressed);
            const bool isInput = isTypedInto || qobject_cast<const QPlainTextEdit *>(widget);
            const bool isFocused = focus && !view;
            paintRoundedFrame(painter, option->rect,
                              isInput     ? inputPen(option)
                              : isFocused ? focusPen()
                                          : QPen(c.line),
                              Qt::transparent);
            return;
        }
        case PE_PanelButtonCommand:
            drawButton(option, painter);
            return;
        case PE_PanelButtonTool:
            if (!option->state.testFlag(State_AutoRaise) || option->state.testFlag(State_MouseOver) ||
                option->state.testFlag(State_On) || option->state.testFlag(State_Sunken) || focus)
                drawButton(option, painter);
            return;
        case PE_FrameFocusRect:
            drawFocus(option, painter, widget);
            return;
        case PE_IndicatorCheckBox:
        case PE_IndicatorRadioButton:
            drawIndicator(option, painter, element == PE_IndicatorRadioButton);
            return;
        case PE_PanelScrollAreaCorner:
            return;  // scroll bars have no groove that a corner would join
        case PE_IndicatorTabTearLeft:
        case PE_IndicatorTabTearRight:
            drawCutTab(option, painter, element == PE_IndicatorTabTearLeft);
            return;
        case PE_FrameStatusBarItem:
        case PE_FrameTabBarBase:
        case PE_FrameTabWidget:
            return;
        case PE_PanelStatusBar:
            painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1), c.line);
            return;
        case PE_IndicatorTabClose: {
            const bool hover = option->state.testFlag(State_MouseOver);
            if (hover)
                paintRoundedFrame(painter, option->rect, c.line, c.window);
            if (hover || option->state.testFlag(State_Selected))
                icon(QStringLiteral("close"), Tone::NoResponse)
                    .paint(painter, QRect(option->rect.center() - QPoint(5, 5), QSize(11, 11)));
            return;
        }
        case PE_IndicatorBranch:
            if (option->state.testFlag(State_Children))
                chevron(painter, option->rect, option->state.testFlag(State_Open) ? 0 : -90, c.dim);
            return;
        case PE_PanelMenu:
            painter->fillRect(option->rect, c.line);
            painter->fillRect(option->rect.adjusted(1, 1, -1, -1), c.panel);
            return;
        case PE_FrameMenu:
            return;
        case PE_IndicatorArrowDown:
            chevron(painter, option->rect, 0, c.dim);
            return;
        default:
            break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void Style::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                        const QWidget *widget) const
{
    const Colors &c = colors();
    switch (element) {
        case CE_Splitter: {
            // A hairline, even if the handle is wider for the mouse.
            const QPoint middle = option->rect.center();
            if (option->rect.width() < option->rect.height())
                painter->fillRect(QRect(middle.x(), option->rect.top(), 1, option->rect.height()), c.line);
            else
                painter->fillRect(QRect(option->rect.left(), middle.y(), option->rect.width(), 1), c.line);
            return;
        }
        case CE_TabBarTabShape:
            if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option))
                drawTab(tab, painter);
            return;
        case CE_TabBarTabLabel:
            if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
                QStyleOptionTab calm = *tab;
                const bool selected = tab->state.testFlag(State_Selected);
                calm.palette.setColor(QPalette::WindowText, selected ? c.text : c.dim);
                const auto *bar = qobject_cast<const QTabBar *>(widget);
                const QFont usual = painter->font();
                if (bar && bar->tabData(tab->tabIndex).toInt() == PreviewTab) {
                    QFont italic = usual;
                    italic.setItalic(true);
                    painter->setFont(italic);
                }
                // Qt would draw the focus of Fusion, past this style.
                calm.state.setFlag(State_HasFocus, false);
                QProxyStyle::drawControl(element, &calm, painter, widget);
                painter->setFont(usual);
                if (tab->state.testFlag(State_HasFocus)) {
                    QStyleOptionTab around = *tab;
                    around.rect.adjust(TabFocusMargin, TabFocusMargin + 2, -TabFocusMargin, -TabFocusMargin + 1);
                    drawFocus(&around, painter, widget);
                }
                return;
            }
            break;
        case CE_MenuItem:
            if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
                item && item->menuItemType == QStyleOptionMenuItem::Separator && item->text.isEmpty()) {
                const QRect area = item->rect.adjusted(CellPadding, 0, -CellPadding, 0);
                painter->fillRect(QRect(area.left(), area.center().y(), area.width(), 1), c.line);
                return;
            }
            break;
        case CE_ComboBoxLabel:
            // Elides in the middle: long entries often differ at their ends.
            if (const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option)) {
                QStyleOptionComboBox shown = *combo;
                const int icon = combo->currentIcon.isNull() ? 0 : combo->iconSize.width() + 4;
                const int room = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget).width() - icon - 2;
                shown.currentText = combo->fontMetrics.elidedText(combo->currentText, Qt::ElideMiddle, room);
                QProxyStyle::drawControl(element, &shown, painter, widget);
                return;
            }
            break;
        case CE_ProgressBarGroove:
            paintRoundedFrame(painter, option->rect, c.line, c.field);
            return;
        case CE_ProgressBarContents:
            if (const auto *bar = qstyleoption_cast<const QStyleOptionProgressBar *>(option)) {
                if (bar->maximum > bar->minimum) {
                    drawProgress(bar, painter);
                    return;
                }
                if (m_reducesMotion) {
                    drawUnknownProgress(bar, painter);
                    return;
                }
                // Fusion animates a busy indicator if the total is unknown.
                QStyleOptionProgressBar busy = *bar;
                QColor calm = c.accent;
                calm.setAlphaF(0.4F);
                busy.palette.setColor(QPalette::Highlight, calm);
                QProxyStyle::drawControl(element, &busy, painter, widget);
                return;
            }
            break;
        case CE_ProgressBarLabel:
            if (const auto *bar = qstyleoption_cast<const QStyleOptionProgressBar *>(option)) {
                QStyleOptionProgressBar read = *bar;
                read.palette.setColor(QPalette::HighlightedText, c.onAccent);
                QProxyStyle::drawControl(element, &read, painter, widget);
                return;
            }
            break;
        case CE_HeaderSection:
        case CE_HeaderEmptyArea:
            painter->fillRect(option->rect, c.panel);
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), c.line);
            return;
        case CE_HeaderLabel:
            if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
                QStyleOptionHeader calm = *header;
                calm.palette.setColor(QPalette::ButtonText, c.dim);
                calm.rect.adjust(HeaderPadding, 0, -HeaderPadding, 0);
                calm.text = QFontMetrics(smallFont()).elidedText(header->text, Qt::ElideRight, calm.rect.width());
                painter->save();
                painter->setFont(smallFont());
                QProxyStyle::drawControl(element, &calm, painter, widget);
                painter->restore();
                return;
            }
            break;
        case CE_ToolButtonLabel: {
            // Qt leaves all spare room after the text.
            const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
            if (button && button->toolButtonStyle == Qt::ToolButtonTextBesideIcon && !button->icon.isNull()) {
                QStyleOptionToolButton centred = *button;
                const int text = button->fontMetrics.size(Qt::TextShowMnemonic, button->text).width();
                const int spare = button->rect.width() - button->iconSize.width() - text - 2 * IconSpace;
                centred.rect.adjust(qMax(0, spare / 2), 0, 0, 0);
                QProxyStyle::drawControl(element, &centred, painter, widget);
                return;
            }
            break;
        }
        default:
            break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                               const QWidget *widget) const
{
    const Colors &c = colors();
    if (control == CC_ScrollBar) {
        if (const auto *slider = qstyleoption_cast<const QStyleOptionSlider *>(option)) {
            const QBrush base = widget && widget->parentWidget()
                                    ? widget->parentWidget()->palette().brush(QPalette::Base)
                                    : QBrush(c.panel);
            if (!widget || widget->testAttribute(Qt::WA_OpaquePaintEvent))
                painter->fillRect(option->rect, base);
            drawScrollBar(slider, painter, subControlRect(control, option, SC_ScrollBarSlider, widget));
            return;
        }
    }
    if (control == CC_ToolButton) {
        // A flat button has no panel to show the focus.
        if (option->state.testFlag(State_HasFocus) && option->state.testFlag(State_AutoRaise))
            drawButton(option, painter);
        const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
        if (button && !button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup)) {
            // The text says that there is a menu; Fusion's arrow would sit in the corner.
            QStyleOptionToolButton calm = *button;
            calm.features &= ~QStyleOptionToolButton::ToolButtonFeatures(QStyleOptionToolButton::HasMenu);
            QProxyStyle::drawComplexControl(control, &calm, painter, widget);
            return;
        }
        if (button) {
            // One frame around the button and its menu, with a line between them.
            const QRect menu = subControlRect(control, option, SC_ToolButtonMenu, widget);
            const bool isEnabled = option->state.testFlag(State_Enabled);
            drawButton(option, painter);
            const int middle = option->direction == Qt::RightToLeft ? menu.right() : menu.left();
            painter->fillRect(QRect(middle, menu.top() + 1, 1, menu.height() - 2), isEnabled ? c.border : c.line);
            chevron(painter, menu, 0, isEnabled ? c.dim : c.line);
            QStyleOptionToolButton label = *button;
            label.rect = subControlRect(control, option, SC_ToolButton, widget);
            drawControl(CE_ToolButtonLabel, &label, painter, widget);
            return;
        }
    }
    if (control == CC_ComboBox) {
        const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
        if (combo && combo->frame) {
            const bool isEnabled = option->state.testFlag(State_Enabled);
            const bool hover = option->state.testFlag(State_MouseOver) && isEnabled;
            paintRoundedFrame(painter, option->rect, inputPen(option),
                              !isEnabled ? c.window
                              : hover    ? c.field
                                         : c.panel);
            chevron(painter, subControlRect(control, option, SC_ComboBoxArrow, widget), 0, c.dim);
            return;
        }
    }
    if (control == CC_SpinBox) {
        if (const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option); spin && spin->frame) {
            drawSpinBox(spin, painter, subControlRect(control, option, SC_SpinBoxUp, widget),
                        subControlRect(control, option, SC_SpinBoxDown, widget));
            return;
        }
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl subControl,
                            const QWidget *widget) const
{
    if (control == CC_ComboBox && subControl == SC_ComboBoxEditField) {
        const QRect text = QProxyStyle::subControlRect(control, option, subControl, widget);
        const bool isRightToLeft = option->direction == Qt::RightToLeft;
        return text.adjusted(isRightToLeft ? 0 : ComboPadding, 0, isRightToLeft ? -ComboPadding : 0, 0);
    }
    if (control != CC_ScrollBar)
        return QProxyStyle::subControlRect(control, option, subControl, widget);
    // Without arrow buttons: the groove is all of the bar.
    const auto *slider = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (!slider)
        return {};
    const bool vertical = slider->orientation == Qt::Vertical;
    const int room = vertical ? slider->rect.height() : slider->rect.width();
    const qint64 range = qint64(slider->maximum) - slider->minimum;
    int length = room;
    if (range > 0)
        length = qBound(qMin(24, room), int(qint64(room) * slider->pageStep / (range + slider->pageStep)), room);
    const int start = sliderPositionFromValue(slider->minimum, slider->maximum, slider->sliderPosition, room - length,
                                              slider->upsideDown);
    const auto part = [&](int from, int size) {
        return vertical ? QRect(slider->rect.left(), slider->rect.top() + from, slider->rect.width(), size)
                        : QRect(slider->rect.left() + from, slider->rect.top(), size, slider->rect.height());
    };
    QRect result;
    switch (subControl) {
        case SC_ScrollBarSlider:
            result = part(start, length);
            break;
        case SC_ScrollBarSubPage:
            result = part(0, start);
            break;
        case SC_ScrollBarAddPage:
            result = part(start + length, room - start - length);
            break;
        case SC_ScrollBarGroove:
            result = slider->rect;
            break;
        default:
            return {};
    }
    return visualRect(slider->direction, slider->rect, result);
}

QRect Style::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto *edit = qstyleoption_cast<const QStyleOptionFrame *>(option);
    return element == SE_LineEditContents && edit && edit->lineWidth > 0 ? rect.adjusted(4, 0, -4, 0) : rect;
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
        case PM_ScrollBarExtent:
            return ScrollBarWidth;
        case PM_ScrollBarSliderMin:
            return 24;
        case PM_TabCloseIndicatorWidth:
        case PM_TabCloseIndicatorHeight:
            return 17;
        case PM_TabBarTabHSpace:
            return 26;
        case PM_TabBarTabVSpace:
            return dense(15);
        case PM_IndicatorWidth:
        case PM_IndicatorHeight:
        case PM_ExclusiveIndicatorWidth:
        case PM_ExclusiveIndicatorHeight:
        case PM_SmallIconSize:
        case PM_ButtonIconSize:
            return scaled(QProxyStyle::pixelMetric(metric, option, widget));
        case PM_SplitterWidth:
            return 5;
        case PM_ButtonMargin:
            return 10;
        case PM_FocusFrameHMargin:  // Qt adds one to it
            return qobject_cast<const QAbstractItemView *>(widget) ? CellPadding - 1
                                                                   : QProxyStyle::pixelMetric(metric, option, widget);
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                     QStyleHintReturn *returnData) const
{
    switch (hint) {
        case SH_Widget_Animation_Duration:
            return m_reducesMotion ? 0 : QProxyStyle::styleHint(hint, option, widget, returnData);
        case SH_ToolTip_WakeUpDelay:
            return 400;
        case SH_Table_GridLineColor:
            return int(colors().line.rgba());
        case SH_ScrollBar_LeftClickAbsolutePosition:
            return 0;
        case SH_EtchDisabledText:
        case SH_DialogButtonBox_ButtonsHaveIcons:
            return 0;
        default:
            return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

QIcon Style::standardIcon(StandardPixmap pixmap, const QStyleOption *option, const QWidget *widget) const
{
    switch (pixmap) {
        case SP_ToolBarHorizontalExtensionButton:  // of a menu bar, which asks for it before there is anything to hide
            return icon(QStringLiteral("chevron"), Tone::NoResponse);
        case SP_LineEditClearButton:
            return icon(QStringLiteral("close"), Tone::NoResponse);
        case SP_MessageBoxQuestion:
            return icon(QStringLiteral("question"), Tone::Accent);
        case SP_MessageBoxInformation:
            return icon(QStringLiteral("info"), Tone::Accent);
        case SP_MessageBoxWarning:
            return icon(QStringLiteral("warning"), Tone::ToolError);
        case SP_MessageBoxCritical:
            return icon(QStringLiteral("warning"), Tone::ProtocolError);
        default:
            return QProxyStyle::standardIcon(pixmap, option, widget);
    }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                              const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_LineEdit || type == CT_ComboBox)
        result.setHeight(qMax(result.height(), inputHeight()));
    if (type == CT_ComboBox)
        result.rwidth() += ComboPadding + ComboSlack;
    if (type == CT_SpinBox)
        result.setHeight(inputHeight());
    if (type == CT_PushButton) {
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        const int padding = button && !button->text.isEmpty() ? 2 * ButtonPadding : 0;
        result = QSize(result.width() + padding, qMax(result.height(), inputHeight()));
    }
    if (type == CT_HeaderSection)
        result.rwidth() += 2 * HeaderPadding;
    return result;
}

// Enter presses the button with the focus, in the window as in a dialog.
void Style::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    auto *button = qobject_cast<QPushButton *>(widget);
    if (button && !qobject_cast<QDialog *>(button->window()))
        button->setAutoDefault(true);
}

}  // namespace sonde::ui
