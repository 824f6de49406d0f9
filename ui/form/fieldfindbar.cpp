// SPDX-License-Identifier: Apache-2.0
#include "ui/form/fieldfindbar.h"

#include "ui/theme/widgets.h"

#include <QSignalBlocker>

namespace sonde::ui {

namespace {

constexpr int RoomForSteps = 330;  // px; Enter and F3 do what the buttons do

}  // namespace

FieldFindBar::FieldFindBar(QWidget *parent)
    : FindBar(parent),
      m_required(addFilter(tr("Required"), QStringLiteral("findRequired"), tr("Only required fields"))),
      m_set(addFilter(tr("Set"), QStringLiteral("findSet"), tr("Only fields that are set")))
{
    setTexts(tr("Find field"), tr("Name, title or description of a field"));
    setMinimumWidth(40);
    connect(this, &FindBar::textChanged, this, &FieldFindBar::queryChanged);
}

FlatButton *FieldFindBar::addFilter(const QString &text, const QString &name, const QString &tip)
{
    auto *button = new FlatButton(text, this);
    button->setObjectName(name);
    button->setFont(smallFont());
    button->setCheckable(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    addControl(button);
    connect(button, &FlatButton::toggled, button,
            [button, text](bool on) { button->setText(on ? QStringLiteral("✓ ") + text : text); });
    connect(button, &FlatButton::toggled, this, &FieldFindBar::queryChanged);
    return button;
}

FieldQuery FieldFindBar::query() const
{
    return {text(), m_required->isChecked(), m_set->isChecked()};
}

void FieldFindBar::clear()
{
    const QSignalBlocker blocker(this);
    setText({});
    m_required->setChecked(false);
    m_set->setChecked(false);
}

void FieldFindBar::resizeEvent(QResizeEvent *event)
{
    FindBar::resizeEvent(event);
    setStepsVisible(width() >= RoomForSteps);
}

}  // namespace sonde::ui
