// SPDX-License-Identifier: Apache-2.0
#include "ui/json/findbar.h"

#include "ui/theme/announce.h"
#include "ui/theme/keys.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QHBoxLayout>
#include <algorithm>

namespace sonde::ui {

namespace {

constexpr int MinEditWidth = 90;
constexpr int PinnedWidth = 380;

}  // namespace

FindBar::FindBar(QWidget *parent)
    : QFrame(parent),
      m_edit(new LineInput({}, this)),
      m_count(new TextLabel({}, this)),
      m_previous(addButton(QStringLiteral("findPrevious"), QStringLiteral("up"),
                           tr("Previous match (%1)").arg(keyText(Qt::SHIFT | Qt::Key_F3)))),
      m_next(addButton(QStringLiteral("findNext"), QStringLiteral("down"),
                       tr("Next match (%1)").arg(keyText(QKeyCombination(Qt::Key_F3))))),
      m_close(addButton(QStringLiteral("findClose"), QStringLiteral("close"),
                        tr("Close (%1)").arg(keyText(QKeyCombination(Qt::Key_Escape)))))
{
    setObjectName(QStringLiteral("findBar"));
    setAccessibleName(tr("Find in this page"));
    m_edit->setObjectName(QStringLiteral("findEdit"));
    m_edit->setAccessibleName(tr("Text to find"));
    m_edit->setPlaceholderText(tr("Find"));
    m_edit->setMinimumWidth(MinEditWidth);
    m_edit->installEventFilter(this);
    m_count->setObjectName(QStringLiteral("findCount"));
    m_count->setFont(smallFont());
    m_count->setElided(true);
    m_count->setMinimumWidth(20);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Grid / 2);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_count);
    layout->addWidget(m_previous);
    layout->addWidget(m_next);
    layout->addWidget(m_close);
    connect(m_edit, &QLineEdit::textChanged, this, &FindBar::textChanged);
    connect(m_previous, &QAbstractButton::clicked, this, [this] { Q_EMIT stepRequested(false); });
    connect(m_next, &QAbstractButton::clicked, this, [this] { Q_EMIT stepRequested(true); });
    connect(m_close, &QAbstractButton::clicked, this, &FindBar::closeRequested);
    setCount({}, false);
}

FlatButton *FindBar::addButton(const QString &name, const QString &iconName, const QString &tip)
{
    auto *button = new FlatButton({}, this);
    button->setObjectName(name);
    button->setIcon(icon(iconName));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

void FindBar::begin()
{
    show();
    raise();
    m_edit->selectAll();
    m_edit->setFocus();
}

QString FindBar::text() const
{
    return m_edit->text();
}

void FindBar::setText(const QString &text)
{
    m_edit->setText(text);
}

void FindBar::setTexts(const QString &name, const QString &tip)
{
    setAccessibleName(name);
    m_edit->setAccessibleName(name);
    m_edit->setPlaceholderText(name);
    m_edit->setToolTip(tip);
}

void FindBar::addControl(QWidget *control)
{
    auto *row = static_cast<QHBoxLayout *>(layout());
    row->insertWidget(row->indexOf(m_count), control);
}

void FindBar::setStepsVisible(bool visible)
{
    m_previous->setVisible(visible);
    m_next->setVisible(visible);
}

void FindBar::setCloseVisible(bool visible)
{
    m_close->setVisible(visible);
}

void FindBar::setCount(const QString &text, bool isMissing)
{
    if (m_count->text() != text && isVisible())
        announce(this, text);
    m_count->setText(text);
    m_count->setToolTip(plainToolTip(text));
    m_count->setAccessibleName(text);
    m_count->setTone(isMissing ? Tone::ToolError : Tone::Neutral);
    m_count->setDim(!isMissing);
    m_count->setVisible(!text.isEmpty());
    const bool isFound = !text.isEmpty() && !isMissing;
    m_previous->setEnabled(isFound);
    m_next->setEnabled(isFound);
}

bool FindBar::eventFilter(QObject *watched, QEvent *event)
{
    // Its area may be going: nothing is asked of it at other events.
    if (watched != m_edit && event->type() == QEvent::Resize)
        place();
    if (watched == m_edit && event->type() == QEvent::KeyPress && isEnter(static_cast<QKeyEvent *>(event))) {
        Q_EMIT stepRequested(!(static_cast<QKeyEvent *>(event)->modifiers() & Qt::ShiftModifier));
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void FindBar::pinTo(QAbstractScrollArea *area)
{
    m_area = area;
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    layout()->setContentsMargins(Grid / 2, Grid / 2, Grid / 2, Grid / 2);
    area->viewport()->installEventFilter(this);
}

void FindBar::place()
{
    if (!m_area)
        return;
    const QRect room = m_area->viewport()->geometry();
    const int width = std::min(PinnedWidth, room.width());
    setGeometry(room.right() + 1 - width, 0, width, sizeHint().height());
}

void FindBar::showEvent(QShowEvent *event)
{
    QFrame::showEvent(event);
    place();
}

}  // namespace sonde::ui
