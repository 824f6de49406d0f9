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
    : QWidget(parent), m_context(context), m_make(std::move(make)), m_column(new ColumnLayout(this)), m_count(count)
{
    m_column->setContentsMargins(0, 0, 0, 0);
    if (count > 0)
        m_spans.append({State::LeftOut, nullptr, false, count});
    want(0, FormContext::PageSize);
}

qsizetype FieldColumn::split(qsizetype index)
{
    qsizetype position = 0;
    for (; position < m_spans.size() && index >= m_spans.at(position).count; ++position)
        index -= m_spans.at(position).count;
    if (index <= 0 || position == m_spans.size())
        return position;
    Span rest = m_spans.at(position);
    rest.count -= index;
    m_spans[position].count = index;
    m_spans.insert(position + 1, rest);
    return position + 1;
}

FieldColumn::Span &FieldColumn::single(qsizetype index)
{
    const qsizetype position = split(index);
    (void)split(index + 1);
    return m_spans[position];
}

QWidget *FieldColumn::at(qsizetype index) const
{
    for (const Span &span : m_spans) {
        if (index >= 0 && index < span.count)
            return span.widget;
        index -= span.count;
    }
    return nullptr;
}

QList<std::pair<qsizetype, QWidget *>> FieldColumn::drawn() const
{
    QList<std::pair<qsizetype, QWidget *>> drawn;
    qsizetype index = 0;
    for (const Span &span : m_spans) {
        if (span.widget)
            drawn.append({index, span.widget});
        index += span.count;
    }
    return drawn;
}

qsizetype FieldColumn::indexOf(const QWidget *widget) const
{
    const QList<std::pair<qsizetype, QWidget *>> all = drawn();
    const auto found = std::find_if(all.cbegin(), all.cend(), [widget](const auto &at) { return at.second == widget; });
    return found == all.cend() ? -1 : found->first;
}

QList<QWidget *> FieldColumn::widgets() const
{
    QList<QWidget *> widgets;
    for (const Span &span : m_spans) {
        if (span.widget)
            widgets.append(span.widget);
    }
    return widgets;
}

bool FieldColumn::isWhole() const
{
    const auto last = std::find_if(m_spans.crbegin(), m_spans.crend(), [](const Span &span) { return !span.isHidden; });
    return last == m_spans.crend() || last->state != State::LeftOut;
}

bool FieldColumn::hasShown() const
{
    return std::any_of(m_spans.cbegin(), m_spans.cend(), [](const Span &span) { return !span.isHidden; });
}

void FieldColumn::setFilter(const std::function<bool(qsizetype index)> &shows)
{
    const QList<Span> before = std::exchange(m_spans, {});
    qsizetype index = 0;
    const auto add = [this](const Span &span) {
        Span *last = m_spans.isEmpty() ? nullptr : &m_spans.last();
        if (last && span.state == State::LeftOut && last->state == State::LeftOut && last->isHidden == span.isHidden)
            last->count += span.count;
        else
            m_spans.append(span);
    };
    for (Span span : before) {
        if (span.state == State::Wanted)
            span.state = State::LeftOut;
        const qsizetype end = index + span.count;
        if (!shows) {
            span.isHidden = false;
            add(span);
            index = end;
            continue;
        }
        span.count = 1;
        for (; index < end; ++index) {
            span.isHidden = !shows(index);
            add(span);
        }
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
    qsizetype left = count + qMin(qsizetype(0), from);
    bool isAny = false;
    for (qsizetype at = split(qMax(qsizetype(0), from)); at < m_spans.size() && left > 0; ++at) {
        if (m_spans.at(at).isHidden)
            continue;
        if (m_spans.at(at).count > left) {
            Span rest = m_spans.at(at);
            rest.count -= left;
            m_spans[at].count = left;
            m_spans.insert(at + 1, rest);
        }
        left -= m_spans.at(at).count;
        isAny = true;
        if (m_spans.at(at).state == State::LeftOut)
            m_spans[at].state = State::Wanted;
    }
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
    qsizetype index = 0;
    for (const Span &span : std::as_const(m_spans)) {
        if (span.state == State::Wanted) {
            draw(index);
            return true;
        }
        index += span.count;
    }
    return false;
}

void FieldColumn::draw(qsizetype index)
{
    single(index).state = State::Drawn;
    QWidget *widget = m_make(index);
    single(index).widget = widget;
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
            m_column->setShort(widget, field->shortWidth());
    }
    QList<QWidget *> order;
    placeGaps(&order);
    m_column->setOrder(order);
    for (const Span &span : std::as_const(m_spans)) {
        if (span.widget && span.widget->isHidden() != span.isHidden)
            span.widget->setVisible(!span.isHidden);
    }
    m_column->setEnabled(true);
    m_column->invalidate();
}

// One button for each range of fields that are left out.
void FieldColumn::placeGaps(QList<QWidget *> *order)
{
    qsizetype used = 0;
    qsizetype index = 0;
    for (qsizetype i = 0; i < m_spans.size(); ++i) {
        const Span &span = m_spans.at(i);
        const qsizetype first = index;
        index += span.count;
        if (span.widget)
            order->append(span.widget);
        if (span.state != State::LeftOut || span.isHidden)
            continue;
        qsizetype left = span.count;
        for (; i + 1 < m_spans.size(); ++i) {
            const Span &next = m_spans.at(i + 1);
            if (!next.isHidden && next.state != State::LeftOut)
                break;
            if (next.widget)
                order->append(next.widget);
            left += next.isHidden ? 0 : next.count;
            index += next.count;
        }
        if (used == m_gaps.size()) {
            auto *made = new FlatButton({}, this);
            made->setFramed(true);
            m_column->addWidget(made, Qt::AlignLeft);
            m_gaps.append(made);
        }
        FlatButton *button = m_gaps.at(used);
        const qsizetype next = qMin(left, qsizetype(FormContext::PageSize));
        button->setText(next < left ? tr("Show %1 more (%2 hidden)").arg(next).arg(left)
                                    : tr("Show %1 more").arg(next));
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
    if (index < 0 || index >= m_count)
        return nullptr;
    const bool wasHidden = std::exchange(single(index).isHidden, false);
    const bool wasDrawn = single(index).state == State::Drawn;
    if (!wasDrawn)
        draw(index);
    if (!wasDrawn || wasHidden)
        place();
    if (!wasDrawn) {
        m_context->setRevealed();
        want(index - Neighbours, 2 * Neighbours + 1);
    }
    return at(index);
}

QWidget *FieldColumn::insert(qsizetype index)
{
    m_spans.insert(split(index), Span());
    ++m_count;
    draw(index);
    place();
    return at(index);
}

void FieldColumn::insertLater(const QList<qsizetype> &indexes)
{
    for (const qsizetype index : indexes)
        m_spans.insert(split(index), Span());
    m_count += indexes.size();
    want(0, FormContext::PageSize);
    place();
}

void FieldColumn::remove(qsizetype index)
{
    QWidget *widget = single(index).widget;
    m_spans.removeAt(split(index));
    --m_count;
    if (widget) {
        m_fresh.removeOne(widget);
        m_column->removeWidget(widget);
        widget->setEnabled(false);  // the second click of a double click may still come to its buttons
        m_context->discard(widget);
    }
    place();
}

void FieldColumn::move(qsizetype from, qsizetype to)
{
    const Span moved = single(from);
    m_spans.removeAt(split(from));
    m_spans.insert(split(to), moved);
    place();
}

}  // namespace sonde::ui
