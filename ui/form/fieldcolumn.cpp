// SPDX-License-Identifier: Apache-2.0
#include "ui/form/fieldcolumn.h"

#include "ui/form/editor.h"
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
    return m_places.isEmpty() || m_places.constLast().state != State::LeftOut;
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
    const qsizetype end = qBound(first, from + count, m_places.size());
    for (qsizetype i = first; i < end; ++i) {
        if (m_places.at(i).state == State::LeftOut)
            m_places[i].state = State::Wanted;
    }
    m_next = qMin(m_next, first);
    if (first < end)
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
    for (QWidget *widget : fresh)
        m_column->addWidget(widget);
    QList<QWidget *> order;
    placeGaps(&order);
    m_column->setOrder(order);
    for (QWidget *widget : fresh)
        widget->show();
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
        if (m_places.at(i).state != State::LeftOut)
            continue;
        const qsizetype first = i;
        while (i + 1 < m_places.size() && m_places.at(i + 1).state == State::LeftOut)
            ++i;
        const qsizetype left = i + 1 - first;
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
