// SPDX-License-Identifier: Apache-2.0
#include "ui/form/fieldcolumn.h"

#include "ui/form/editor.h"
#include "ui/form/field.h"
#include "ui/form/stacklayouts.h"
#include "ui/theme/widgets.h"

#include <algorithm>

namespace sonde::ui {

namespace {

constexpr qsizetype Neighbours = 12;  // created on either side of a revealed field

}  // namespace

FieldColumn::FieldColumn(FormContext *context, qsizetype count, Make make, QWidget *parent)
    : QWidget(parent), m_context(context), m_make(std::move(make)), m_column(new ColumnLayout(this)), m_places(count)
{
    m_column->setContentsMargins(0, 0, 0, 0);
    want(0, FormContext::PageSize);
}

qsizetype FieldColumn::indexOf(const QWidget *widget) const
{
    const auto found = std::find_if(m_places.cbegin(), m_places.cend(),
                                    [widget](const Place &place) { return place.widget == widget; });
    return found == m_places.cend() ? -1 : found - m_places.cbegin();
}

QList<QWidget *> FieldColumn::widgets() const
{
    QList<QWidget *> drawn;
    for (const Place &place : m_places) {
        if (place.widget)
            drawn.append(place.widget);
    }
    return drawn;
}

bool FieldColumn::isWhole() const
{
    const auto last =
        std::find_if(m_places.crbegin(), m_places.crend(), [](const Place &place) { return !place.isHidden; });
    return last == m_places.crend() || last->state != State::LeftOut;
}

bool FieldColumn::hasShown() const
{
    return std::any_of(m_places.cbegin(), m_places.cend(), [](const Place &place) { return !place.isHidden; });
}

void FieldColumn::setFilter(const std::function<bool(qsizetype index)> &shows)
{
    for (qsizetype i = 0; i < m_places.size(); ++i) {
        Place &place = m_places[i];
        place.isHidden = shows && !shows(i);
        if (place.state == State::Wanted)
            place.state = State::LeftOut;
    }
    want(0, FormContext::PageSize);
    this->place();
}

void FieldColumn::setSpacing(int spacing)
{
    m_column->setSpacing(spacing);
}

void FieldColumn::setGapName(const QString &name)
{
    m_gapName = name;
    for (qsizetype i = 0; i < m_gaps.size(); ++i)
        m_gaps.at(i)->setObjectName(i == 0 ? name : name + u':' + QString::number(i));
}

void FieldColumn::want(qsizetype from, qsizetype count)
{
    const qsizetype first = qBound(qsizetype(0), from, m_places.size());
    qsizetype left = count + qMin(qsizetype(0), from);
    bool isAny = false;
    for (qsizetype i = first; i < m_places.size() && left > 0; ++i) {
        if (m_places.at(i).isHidden)
            continue;
        --left;
        isAny = true;
        if (m_places.at(i).state == State::LeftOut)
            m_places[i].state = State::Wanted;
    }
    m_next = qMin(m_next, first);
    if (isAny)
        m_context->want(this);
}

// A replaced editor is hidden until it is deleted; its fields need not be created.
bool FieldColumn::isAbandoned() const
{
    for (const QWidget *widget = this; widget; widget = widget->parentWidget()) {
        if (qobject_cast<const Editor *>(widget) && widget->isHidden() &&
            widget->testAttribute(Qt::WA_WState_ExplicitShowHide))
            return true;
    }
    return false;
}

bool FieldColumn::drawNext()
{
    if (isAbandoned())
        return false;
    for (; m_next < m_places.size(); ++m_next) {
        if (m_places.at(m_next).state == State::Wanted) {
            draw(m_next);
            return true;
        }
    }
    return false;
}

void FieldColumn::draw(qsizetype index)
{
    m_places[index].state = State::Drawn;
    QWidget *widget = m_make(index);
    m_places[index].widget = widget;
    if (widget)
        m_fresh.append(widget);
}

// Nothing is laid out before all fields are there: each new one would lay out all parents again.
void FieldColumn::place()
{
    m_column->setEnabled(false);
    const QList<QWidget *> fresh = std::exchange(m_fresh, {});
    for (QWidget *widget : fresh) {
        m_column->addWidget(widget);
        if (const auto *field = qobject_cast<const Field *>(widget); field && field->isShort())
            m_column->setShort(widget);
    }
    QList<QWidget *> order;
    placeGaps(&order);
    m_column->setOrder(order);
    for (const Place &place : std::as_const(m_places)) {
        if (place.widget && place.widget->isHidden() != place.isHidden)
            place.widget->setVisible(!place.isHidden);
    }
    m_column->setEnabled(true);
    m_column->invalidate();
}

// One button for each range of fields that are left out.
void FieldColumn::placeGaps(QList<QWidget *> *order)
{
    qsizetype used = 0;
    for (qsizetype i = 0; i < m_places.size(); ++i) {
        if (m_places.at(i).widget)
            order->append(m_places.at(i).widget);
        if (m_places.at(i).state != State::LeftOut || m_places.at(i).isHidden)
            continue;
        const qsizetype first = i;
        qsizetype left = 1;
        for (; i + 1 < m_places.size(); ++i) {
            const Place &next = m_places.at(i + 1);
            if (!next.isHidden && next.state != State::LeftOut)
                break;
            if (next.widget)
                order->append(next.widget);
            left += next.isHidden ? 0 : 1;
        }
        if (used == m_gaps.size()) {
            auto *made = new FlatButton({}, this);
            made->setFramed(true);
            m_column->addWidget(made, Qt::AlignLeft);
            m_gaps.append(made);
        }
        FlatButton *button = m_gaps.at(used);
        button->setText(tr("Show %1 more (%2 hidden)").arg(qMin(left, qsizetype(FormContext::PageSize))).arg(left));
        button->setAccessibleName(button->text());
        button->updateGeometry();
        button->disconnect(this);
        connect(button, &FlatButton::clicked, this, [this, first] {
            want(first, FormContext::PageSize);
            m_context->draw();
        });
        button->show();
        order->append(button);
        ++used;
    }
    for (qsizetype i = used; i < m_gaps.size(); ++i) {
        m_gaps.at(i)->hide();
        order->append(m_gaps.at(i));
    }
    setGapName(m_gapName);
}

QWidget *FieldColumn::reveal(qsizetype index)
{
    if (index < 0 || index >= m_places.size())
        return nullptr;
    const bool wasHidden = std::exchange(m_places[index].isHidden, false);
    if (m_places.at(index).state == State::Drawn && wasHidden)
        place();
    if (m_places.at(index).state != State::Drawn) {
        draw(index);
        place();
        want(index - Neighbours, 2 * Neighbours + 1);
    }
    return m_places.at(index).widget;
}

QWidget *FieldColumn::insert(qsizetype index)
{
    m_places.insert(index, Place());
    m_next = 0;
    draw(index);
    place();
    return m_places.at(index).widget;
}

void FieldColumn::insertLater(const QList<qsizetype> &indexes)
{
    for (const qsizetype index : indexes)
        m_places.insert(index, Place());
    m_next = 0;
    want(0, FormContext::PageSize);
    place();
}

void FieldColumn::remove(qsizetype index)
{
    QWidget *widget = m_places.takeAt(index).widget;
    m_next = 0;
    if (widget) {
        m_fresh.removeOne(widget);
        m_column->removeWidget(widget);
        widget->hide();
        widget->setEnabled(false);  // the second click of a double click may still come to its buttons
        widget->deleteLater();
    }
    place();
}

void FieldColumn::move(qsizetype from, qsizetype to)
{
    m_places.move(from, to);
    m_next = 0;
    place();
}

}  // namespace sonde::ui
