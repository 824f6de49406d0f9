// SPDX-License-Identifier: Apache-2.0
#include "ui/form/fieldfind.h"

#include "core/protocol/numbertext.h"
#include "ui/form/fieldfindbar.h"
#include "ui/json/background.h"

#include <QApplication>
#include <QKeyEvent>
#include <utility>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxOpened = 50;  // matches; of more, those in collapsed groups are opened one by one

}  // namespace

FieldFind::FieldFind(FormContext *context, FieldFindBar *bar) : QObject(bar), m_context(context), m_bar(bar)
{
    bar->hide();
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, [this] { search(false); });
    connect(bar, &FieldFindBar::queryChanged, this, [this] { search(true); });
    connect(bar, &FindBar::stepRequested, this, &FieldFind::step);
    connect(bar, &FindBar::closeRequested, this, &FieldFind::end);
}

void FieldFind::setForm(const schema::Schema &rules, const Shape &shape, bool isLarge)
{
    m_rules = rules;
    m_shape = shape;
    m_isLarge = isLarge;
    m_bar->setCloseVisible(!isLarge);
    m_bar->setVisible(isLarge);
    m_bar->clear();
    m_atFault.clear();
    search(true);
}

void FieldFind::onLoaded()
{
    m_atFault.clear();
    if (!m_bar->query().isEmpty())
        search(true);
}

void FieldFind::onEdited()
{
    if (!m_bar->query().isEmpty())
        m_later.start();
}

void FieldFind::setAtFault(const QSet<QString> &pointers)
{
    if (m_atFault == pointers)
        return;
    m_atFault = pointers;
    if (m_bar->query().onlySet)
        m_later.start();
}

void FieldFind::open()
{
    QWidget *focus = QApplication::focusWidget();
    if (focus && !m_bar->isAncestorOf(focus))
        m_focusBefore = focus;
    m_bar->begin();
}

bool FieldFind::handleKey(QKeyEvent *event)
{
    const bool isInBar = m_bar->isAncestorOf(QApplication::focusWidget());
    const bool isNext = event->matches(QKeySequence::FindNext);
    const bool isPrevious = event->matches(QKeySequence::FindPrevious);
    const bool isFind = event->matches(QKeySequence::Find);
    const bool isEnd = event->key() == Qt::Key_Escape && (isInBar || !m_bar->query().isEmpty());
    const bool isDown = isInBar && event->key() == Qt::Key_Down && event->modifiers() == Qt::NoModifier;
    if (!isFind && !isNext && !isPrevious && !isEnd && !isDown)
        return false;
    event->accept();
    if (event->type() == QEvent::ShortcutOverride)
        return true;
    if (isEnd)
        end();
    else if (isDown)
        enter();
    else if (isFind || m_bar->isHidden())
        open();
    else
        step(isNext);
    return true;
}

void FieldFind::search(bool isNewQuery)
{
    m_later.stop();
    const int run = ++m_run;
    FieldQuery query = m_bar->query();
    query.inTitles = m_context->isForPerson;
    query.atFault = m_atFault;
    if (query.isEmpty()) {
        m_isSearching = false;
        m_found = {};
        m_current = -1;
        m_shown.reset();
        const bool wasFiltered = m_context->filter != nullptr;
        m_context->filter.reset();
        m_context->opensFound = false;
        Q_EMIT ended();
        if (wasFiltered)
            Q_EMIT filterChanged();
        sayCount();
        return;
    }
    m_isSearching = true;
    if (m_context->isPrepared())
        m_context->settle();
    const std::function<QByteArray()> text =
        m_context->root ? m_context->root->lateBytes() : [] { return QByteArray(); };
    // The reader caches what it reads, so it belongs to that thread.
    runInBackground<FoundFields>(
        this,
        [rules = m_rules, shape = m_shape, text, query] {
            return findFields(ShapeValues(ShapeReader(rules)), shape, json::parse(text()), query);
        },
        [this, run, isNewQuery](const FoundFields &found) {
            if (run == m_run)
                take(found, isNewQuery);
        });
    sayCount();
}

void FieldFind::take(const FoundFields &found, bool isNewQuery)
{
    m_isSearching = false;
    m_found = found;
    m_current = m_shown ? m_found.places.indexOf(*m_shown) : -1;
    if (!isNewQuery) {
        // What was shown stays, and what is at fault since then joins it.
        const auto both = m_context->filter ? std::make_shared<FieldFilter>(*m_context->filter) : nullptr;
        if (both && m_bar->query().onlySet && both->add(*found.shown)) {
            m_context->filter = both;
            Q_EMIT filterChanged();
        }
        sayCount();
        return;
    }
    m_context->filter = m_found.shown;
    m_context->opensFound = m_found.places.size() <= MaxOpened;
    Q_EMIT filterChanged();
    if (m_found.places.isEmpty())
        Q_EMIT ended();
    else
        show(qMax(qsizetype(0), m_current));
    sayCount();
}

void FieldFind::step(bool isForward)
{
    const qsizetype count = m_found.places.size();
    if (count == 0 || m_isSearching)
        return;
    const qsizetype from = m_current >= 0 ? m_current : isForward ? -1 : 0;
    show((from + (isForward ? 1 : -1) + count) % count);
}

void FieldFind::show(qsizetype index)
{
    m_current = index;
    m_shown = m_found.places.at(index);
    Q_EMIT shown(*m_shown);
    sayCount();
}

void FieldFind::enter()
{
    if (m_current >= 0)
        Q_EMIT entered(m_found.places.at(m_current));
}

// The focus goes to the match that is shown, otherwise to where it was before.
void FieldFind::end()
{
    const bool isInBar = m_bar->isAncestorOf(QApplication::focusWidget());
    const bool hadOne = m_current >= 0;
    const json::Pointer place = hadOne ? m_found.places.at(m_current) : json::Pointer();
    m_bar->clear();
    search(true);
    if (isInBar) {
        if (m_focusBefore && m_focusBefore->isVisible())
            m_focusBefore->setFocus();
        else
            m_bar->parentWidget()->setFocus();
        if (hadOne)
            Q_EMIT entered(place);
    }
    if (!m_isLarge)
        m_bar->hide();
}

void FieldFind::sayCount()
{
    QString text;
    const qsizetype count = m_found.places.size();
    const bool isQuery = !m_bar->query().isEmpty();
    if (m_isSearching && count == 0)
        text = tr("Searching…");
    else if (isQuery && count == 0)
        text = tr("No field of %1").arg(grouped(m_found.fields));
    else if (isQuery && m_current >= 0)
        text = tr("%1 of %2 · %3 fields").arg(grouped(m_current + 1), grouped(count), grouped(m_found.fields));
    else if (isQuery)
        text = tr("%1 of %2 fields").arg(grouped(count), grouped(m_found.fields));
    if (isQuery && count > 0 && m_found.isCut)
        text += u'+';
    m_bar->setCount(text, isQuery && count == 0 && !m_isSearching);
}

}  // namespace sonde::ui
