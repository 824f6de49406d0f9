// SPDX-License-Identifier: Apache-2.0
#include "ui/json/pagefind.h"

#include "core/protocol/numbertext.h"
#include "ui/json/background.h"
#include "ui/json/findbar.h"

#include <QApplication>
#include <QKeyEvent>
#include <algorithm>

namespace sonde::ui {

PageFind::PageFind(QWidget *page, FindBar *bar) : QObject(page), m_page(page), m_bar(bar)
{
    bar->hide();
    page->installEventFilter(this);
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &PageFind::search);
    connect(bar, &FindBar::textChanged, this, &PageFind::start);
    connect(bar, &FindBar::stepRequested, this, &PageFind::step);
    connect(bar, &FindBar::closeRequested, this, &PageFind::close);
}

PageFind *PageFind::around(const QWidget *view)
{
    for (; view; view = view->parentWidget()) {
        if (auto *find = view->findChild<PageFind *>(QString(), Qt::FindDirectChildrenOnly))
            return find;
        if (view->isWindow())
            break;
    }
    return nullptr;
}

void PageFind::open()
{
    QWidget *focus = QApplication::focusWidget();
    if (focus && !m_bar->isAncestorOf(focus))
        m_focusBefore = focus;
    const bool wasOpen = !m_bar->isHidden();
    m_bar->begin();
    if (!wasOpen)
        start();
}

void PageFind::close()
{
    m_bar->hide();
    start();
    QWidget *before = m_focusBefore && m_focusBefore->isVisible() ? m_focusBefore.data() : m_page;
    before->setFocus();
}

void PageFind::refresh()
{
    if (m_bar->isHidden())
        return;
    m_isQuiet = false;
    ++m_run;  // what a worker still finds is of what was there before
    if (!m_soon.isActive())
        m_soon.start();
}

void PageFind::recount()
{
    if (m_bar->isHidden() || m_soon.isActive())
        return;
    m_isQuiet = true;
    ++m_run;
    m_soon.start();
}

void PageFind::startOver()
{
    m_current = {0, 0};
    refresh();
}

void PageFind::setUnsearched(const QString &what)
{
    m_unsearched = what;
    sayCount();
}

bool PageFind::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress)
        return handleKey(static_cast<QKeyEvent *>(event)) || QObject::eventFilter(watched, event);
    return QObject::eventFilter(watched, event);
}

bool PageFind::handleKey(QKeyEvent *event)
{
    const bool isOpen = !m_bar->isHidden();
    const bool isNext = event->matches(QKeySequence::FindNext);
    const bool isPrevious = event->matches(QKeySequence::FindPrevious);
    const bool isFind = event->matches(QKeySequence::Find);
    const bool isClose = isOpen && event->key() == Qt::Key_Escape;
    if (!isFind && !isNext && !isPrevious && !isClose)
        return false;
    event->accept();
    if (event->type() == QEvent::ShortcutOverride)
        return true;
    if (isClose)
        close();
    else if (isFind || !isOpen)
        open();
    else
        step(isNext);
    return true;
}

void PageFind::unmark()
{
    for (const Part &part : m_parts) {
        if (part.source)
            part.source->mark({}, nullptr);
    }
    m_parts.clear();
}

void PageFind::start()
{
    m_isQuiet = false;
    search();
}

void PageFind::search()
{
    m_soon.stop();
    ++m_run;
    unmark();
    m_isCounting = m_isCut = m_hasCurrent = false;
    if (m_bar->isHidden())
        return;
    const FindWord word(m_bar->text());
    if (!word.isEmpty()) {
        const QList<FindSource *> sources = m_page->findChildren<FindSource *>();
        for (FindSource *source : sources) {
            if (source->view()->isVisibleTo(m_page))
                m_parts.push_back({source, std::make_shared<FindPlaces>()});
        }
        const auto placeOf = [this](const Part &part) {
            const QPoint place = part.source->view()->mapTo(m_page, QPoint());
            return std::pair(place.y(), place.x());
        };
        std::stable_sort(m_parts.begin(), m_parts.end(),
                         [&](const Part &left, const Part &right) { return placeOf(left) < placeOf(right); });
        if (!m_isQuiet)
            takeCursor();
        for (const Part &part : m_parts) {
            if (!m_isQuiet)
                part.source->deselect();
            part.source->mark(word, part.places);
        }
        m_isCounting = true;
        scanPart(0);
    }
    sayCount();
}

// Where the user has moved the cursor away from the match that is shown, the next one is looked for from there.
void PageFind::takeCursor()
{
    for (size_t part = 0; part < m_parts.size(); ++part) {
        const FindSource *source = m_parts[part].source;
        const std::optional<quint32> cursor = source ? source->cursor() : std::nullopt;
        const Position here{qsizetype(part), cursor.value_or(0)};
        if (!cursor || here == m_current || (m_hasCurrent && m_current.first != here.first))
            continue;
        m_current = here;
        m_hasCurrent = false;
    }
}

void PageFind::scanPart(qsizetype part)
{
    if (part >= qsizetype(m_parts.size()) || m_isCut) {
        finish();
        return;
    }
    const FindSource *source = m_parts[size_t(part)].source;
    if (source)
        scanOn(part, source->scan(FindWord(m_bar->text())));
    else
        scanPart(part + 1);
}

void PageFind::scanOn(qsizetype part, const std::shared_ptr<FindScan> &scan)
{
    runInBackground<Piece>(
        this,
        [scan] {
            Piece piece;
            piece.isLast = !scan->next(&piece.places);
            return piece;
        },
        [this, part, scan, run = m_run](const Piece &piece) {
            if (run == m_run)
                take(part, scan, piece);
        });
}

void PageFind::take(qsizetype part, const std::shared_ptr<FindScan> &scan, const Piece &piece)
{
    const Part &here = m_parts[size_t(part)];
    const qsizetype room = MaxFound - total();
    const qsizetype taken = std::min<qsizetype>(room, qsizetype(piece.places.size()));
    here.places->insert(here.places->end(), piece.places.begin(), piece.places.begin() + taken);
    m_isCut = taken < qsizetype(piece.places.size());
    if (here.source && taken > 0)
        here.source->showMore();
    // What is typed further moves on only if the place that is shown does not match any more.
    if (!m_hasCurrent && taken > 0 && !m_isQuiet) {
        const bool isHere = m_current.first == part;
        const auto next = isHere ? std::lower_bound(here.places->cbegin(), here.places->cend(), m_current.second)
                                 : here.places->cbegin();
        if (m_current.first <= part && next != here.places->cend())
            show({part, *next});
    }
    if (piece.isLast || m_isCut)
        scanPart(part + 1);
    else
        scanOn(part, scan);
    sayCount();
}

void PageFind::finish()
{
    m_isCounting = false;
    if (!m_hasCurrent && total() > 0 && !m_isQuiet)
        show(at(0));
    sayCount();
}

void PageFind::step(bool isForward)
{
    if (m_soon.isActive()) {  // what was found may be gone
        start();
        return;
    }
    const qsizetype count = total();
    if (count == 0)
        return;
    m_isQuiet = false;
    takeCursor();
    const qsizetype from = indexOf(m_current);
    const qsizetype next = !isForward ? from - 1 : m_hasCurrent ? from + 1 : from;
    show(at((next + count) % count));
    sayCount();
}

void PageFind::show(Position position)
{
    FindSource *source = m_parts[size_t(position.first)].source;
    if (!source)
        return;
    const Position before = std::exchange(m_current, position);
    const bool moves = std::exchange(m_hasCurrent, true) && before.first != position.first;
    if (FindSource *left = moves ? m_parts[size_t(before.first)].source.data() : nullptr)
        left->deselect();
    const QRect where = source->show(position.second);
    Q_EMIT shown(source->canvas(), where);
}

qsizetype PageFind::total() const
{
    qsizetype count = 0;
    for (const Part &part : m_parts)
        count += qsizetype(part.places->size());
    return count;
}

qsizetype PageFind::indexOf(Position position) const
{
    if (position.first >= qsizetype(m_parts.size()))
        return total();
    qsizetype before = 0;
    for (qsizetype part = 0; part < position.first; ++part)
        before += qsizetype(m_parts[size_t(part)].places->size());
    const FindPlaces &places = *m_parts[size_t(position.first)].places;
    return before + (std::lower_bound(places.cbegin(), places.cend(), position.second) - places.cbegin());
}

PageFind::Position PageFind::at(qsizetype index) const
{
    for (size_t part = 0; part < m_parts.size(); ++part) {
        const auto count = qsizetype(m_parts[part].places->size());
        if (index < count)
            return {qsizetype(part), (*m_parts[part].places)[size_t(index)]};
        index -= count;
    }
    return {0, 0};
}

void PageFind::sayCount()
{
    const qsizetype count = total();
    QString text;
    if (count > 0 && m_hasCurrent)
        text = tr("%1 of %2").arg(grouped(indexOf(m_current) + 1), grouped(count));
    else if (count > 0)
        text = counted(count, tr("1 match"), tr("%1 matches"));
    else if (m_isCounting)
        text = tr("Searching");
    else if (!m_bar->text().isEmpty())
        text = tr("Not found");
    if (m_isCounting)
        text += u'…';
    else if (m_isCut)
        text += u'+';
    const bool isMissing = count == 0 && !m_isCounting && !m_bar->text().isEmpty();
    m_bar->setCount(m_unsearched.isEmpty() || text.isEmpty() ? text : tr("%1 · %2").arg(text, m_unsearched), isMissing);
}

}  // namespace sonde::ui
