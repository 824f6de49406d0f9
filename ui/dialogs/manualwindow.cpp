// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/manualwindow.h"

#include "ui/dialogs/manualbrowser.h"
#include "ui/json/findbar.h"
#include "ui/json/foundmarks.h"
#include "ui/json/pagefind.h"
#include "ui/theme/keys.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QScrollBar>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int SideWidth = 280;
constexpr int MaxHits = 200;
constexpr int LineBefore = 24;  // characters of a long line that are shown before a word
enum { HitLineRole = Qt::UserRole + 1 };
enum { PathRole = Qt::UserRole + 1, AnchorRole };

QStringList wordsOf(const QLineEdit *line)
{
    return line->text().split(u' ', Qt::SkipEmptyParts);
}

// So that the first of the words is to be seen.
QString excerpt(const QString &line, const QStringList &words)
{
    qsizetype first = line.size();
    for (const QString &word : words) {
        const qsizetype at = line.indexOf(word, 0, Qt::CaseInsensitive);
        if (at >= 0)
            first = std::min(first, at);
    }
    if (first == line.size() || first <= LineBefore)
        return line;
    const qsizetype space = line.indexOf(u' ', first - LineBefore);
    return u'…' + line.mid(space >= 0 && space < first ? space + 1 : first);
}

// Rows as high as those of other lists.
class ContentsDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return {QStyledItemDelegate::sizeHint(option, index).width(), rowHeight()};
    }
};

// Where it is, and below that the line with the word.
class HitDelegate final : public QStyledItemDelegate {
public:
    HitDelegate(const QLineEdit *line, QObject *parent) : QStyledItemDelegate(parent), m_line(line) {}

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const override
    {
        return {SideWidth / 2, option.fontMetrics.height() + QFontMetrics(smallFont()).height() + Grid};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, colors().selection);
        QRect room = option.rect.adjusted(Grid, Grid / 2, -Grid, 0);
        painter->setPen(colors().text);
        painter->setFont(option.font);
        room.setHeight(option.fontMetrics.height());
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, room.width()));
        painter->setFont(smallFont());
        const QFontMetrics small(smallFont());
        room.translate(0, room.height());
        room.setHeight(small.height());
        const QString line = small.elidedText(index.data(HitLineRole).toString(), Qt::ElideRight, room.width());
        for (const QString &word : wordsOf(m_line))
            paintFoundMarks(painter, room, line, FindWord(word));
        painter->setPen(colors().dim);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, line);
        painter->restore();
    }

private:
    const QLineEdit *m_line;
};

}  // namespace

ManualWindow::ManualWindow(const QString &folder, QWidget *parent)
    : QDialog(parent, Qt::Window),
      m_pages(folder),
      m_line(new LineInput),
      m_contents(new QTreeWidget),
      m_hits(new QListWidget),
      m_count(new TextLabel),
      m_browser(new ManualBrowser(folder)),
      m_message(new TextLabel),
      m_back(makeStep(u"manualBack"_s, tr("Back"), QKeySequence::Back, -1)),
      m_forward(makeStep(u"manualForward"_s, tr("Forward"), QKeySequence::Forward, 1))
{
    setObjectName(u"manual"_s);
    setWindowTitle(tr("Sonde manual"));
    resize(1080, 720);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(Grid, Grid, Grid, Grid);
    auto *parts = new QSplitter;
    parts->setChildrenCollapsible(false);
    parts->addWidget(makeSide());
    parts->addWidget(makeContent());
    parts->setStretchFactor(1, 1);
    parts->setSizes({scaled(SideWidth), width() - scaled(SideWidth)});
    row->addWidget(parts);
    fillContents();
    search();
    connect(m_line, &QLineEdit::textChanged, this, &ManualWindow::search);
    connect(m_contents, &QTreeWidget::itemClicked, this, &ManualWindow::openContents);
    connect(m_contents, &QTreeWidget::itemActivated, this, &ManualWindow::openContents);
    connect(m_hits, &QListWidget::itemClicked, this, &ManualWindow::openHit);
    connect(m_hits, &QListWidget::itemActivated, this, &ManualWindow::openHit);
    connect(m_browser, &QTextBrowser::anchorClicked, this, &ManualWindow::follow);
    connect(m_browser, &ManualBrowser::colorsChanged, this, &ManualWindow::showAgain);
    m_line->setFocus();
}

QWidget *ManualWindow::makeSide()
{
    m_line->setObjectName(u"manualSearch"_s);
    m_line->setPlaceholderText(tr("Search all pages"));
    m_line->setAccessibleName(tr("Search all pages"));
    m_line->setClearButtonEnabled(true);
    m_line->installEventFilter(this);
    m_contents->setObjectName(u"manualPages"_s);
    m_contents->setAccessibleName(tr("Contents"));
    m_contents->setItemDelegate(new ContentsDelegate(m_contents));
    m_contents->setHeaderHidden(true);
    m_contents->setRootIsDecorated(false);
    m_contents->setIndentation(2 * Grid);
    m_contents->setExpandsOnDoubleClick(false);
    m_hits->setObjectName(u"manualHits"_s);
    m_hits->setAccessibleName(tr("Places with these words"));
    m_hits->setItemDelegate(new HitDelegate(m_line, m_hits));
    m_hits->setUniformItemSizes(true);
    m_count->setObjectName(u"manualCount"_s);
    m_count->setDim(true);
    m_count->setWordWrap(true);
    auto *side = new QWidget;
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    column->addWidget(m_line);
    column->addWidget(m_count);
    column->addWidget(m_contents, 1);
    column->addWidget(m_hits, 1);
    return side;
}

QWidget *ManualWindow::makeContent()
{
    m_browser->setObjectName(u"manualPage"_s);
    m_message->setElided(true);
    m_message->setDim(true);
    m_message->setObjectName(u"manualMessage"_s);
    m_message->hide();
    auto *content = new QWidget;
    auto *steps = new QHBoxLayout;
    steps->setSpacing(Grid / 2);
    for (QAction *action : {m_back, m_forward}) {
        auto *button = new FlatButton({});
        button->setDefaultAction(action);
        button->setObjectName(action->objectName());
        button->setAccessibleName(action->toolTip());
        steps->addWidget(button);
    }
    steps->addWidget(m_message, 1);
    steps->addStretch();
    auto *bar = new FindBar(content);
    new PageFind(this, bar);
    steps->addWidget(bar);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    column->addLayout(steps);
    column->addWidget(m_browser, 1);
    return content;
}

QAction *ManualWindow::makeStep(const QString &name, const QString &text, const QKeySequence &keys, int by)
{
    auto *action = new QAction(by < 0 ? u"←"_s : u"→"_s, this);
    action->setObjectName(name);
    action->setShortcut(keys);
    action->setToolTip(tr("%1 (%2)").arg(text, keys.toString(QKeySequence::NativeText)));
    action->setEnabled(false);
    addAction(action);
    connect(action, &QAction::triggered, this, [this, by] { step(by); });
    return action;
}

void ManualWindow::fillContents()
{
    QTreeWidgetItem *chapter = nullptr;
    for (const ManualPage &page : m_pages.all()) {
        if (!chapter || chapter->text(0) != page.chapter) {
            chapter = new QTreeWidgetItem(m_contents, {page.chapter});
            chapter->setFlags(Qt::ItemIsEnabled);
            QFont bold = font();
            bold.setBold(true);
            chapter->setFont(0, bold);
            chapter->setExpanded(true);
        }
        auto *item = new QTreeWidgetItem(chapter, {page.title});
        item->setData(0, PathRole, page.path);
        item->setToolTip(0, page.title);
    }
}

QString ManualWindow::currentPage() const
{
    return m_shown;
}

void ManualWindow::showPlace(const QString &place)
{
    m_line->clear();
    const QString path = place.section(u'#', 0, 0);
    if (m_pages.page(path))
        visit({path, place.section(u'#', 1)});
    else if (!m_pages.all().isEmpty())
        visit({m_pages.all().first().path, {}});
}

void ManualWindow::search()
{
    const QStringList words = wordsOf(m_line);
    m_contents->setVisible(words.isEmpty());
    m_hits->setVisible(!words.isEmpty());
    m_count->setVisible(!words.isEmpty());
    m_hits->clear();
    m_found = m_pages.find(words);
    m_count->setText(
        m_found.isEmpty() ? tr("No page has these words.")
        : m_found.size() > MaxHits
            ? tr("%1 matches, of which the first %2 are listed").arg(grouped(m_found.size()), grouped(MaxHits))
            : counted(m_found.size(), tr("1 place"), tr("%1 places")));
    if (words.isEmpty())
        m_browser->clearMarks();
    for (const ManualHit &hit : m_found.first(std::min<qsizetype>(m_found.size(), MaxHits))) {
        const QString title = m_pages.page(hit.path)->title;
        const QString where = hit.heading == title ? title : tr("%1 › %2").arg(title, hit.heading);
        auto *item = new QListWidgetItem(where, m_hits);
        item->setData(HitLineRole, excerpt(hit.line, words));
        item->setData(Qt::AccessibleTextRole, tr("%1: %2").arg(where, hit.line));
    }
    m_hits->setCurrentRow(0);
}

void ManualWindow::openHit(const QListWidgetItem *item)
{
    if (!item)
        return;
    const ManualHit hit = m_found[m_hits->row(item)];
    visit({hit.path, {}});
    m_browser->mark(wordsOf(m_line), hit.position);
}

void ManualWindow::openContents(QTreeWidgetItem *item)
{
    const QString path = item->data(0, PathRole).toString();
    if (path.isEmpty())
        item->setExpanded(!item->isExpanded());
    else
        visit({path, item->data(0, AnchorRole).toString()});
}

void ManualWindow::visit(const ManualPlace &place)
{
    if (m_visit >= 0)
        m_visits[m_visit].scroll = m_browser->verticalScrollBar()->value();
    if (m_visit < 0 || m_visits[m_visit].path != place.path || !place.anchor.isEmpty()) {
        m_visits.resize(m_visit + 1);
        m_visits.append({place.path, 0});
        ++m_visit;
    }
    showPage(place.path);
    m_browser->goTo(place.anchor);
    say({});
    updateSteps();
}

void ManualWindow::step(int by)
{
    const qsizetype next = m_visit + by;
    if (next < 0 || next >= m_visits.size())
        return;
    m_visits[m_visit].scroll = m_browser->verticalScrollBar()->value();
    m_visit = next;
    showPage(m_visits[next].path);
    m_browser->verticalScrollBar()->setValue(m_visits[next].scroll);
    say({});
    updateSteps();
}

void ManualWindow::updateSteps()
{
    m_back->setEnabled(m_visit > 0);
    m_forward->setEnabled(m_visit + 1 < m_visits.size());
}

void ManualWindow::showPage(const QString &path)
{
    const ManualPage *page = m_pages.page(path);
    if (m_shown == path || !page)
        return;
    m_shown = path;
    m_browser->setPage(*page);
    // Its headings are listed below it, those of other pages are not.
    for (QTreeWidgetItemIterator at(m_contents); *at; ++at) {
        QTreeWidgetItem *item = *at;
        if (item->data(0, PathRole).isNull() || !item->data(0, AnchorRole).isNull())
            continue;
        qDeleteAll(item->takeChildren());
        if (item->data(0, PathRole).toString() != path)
            continue;
        for (const QString &heading : m_browser->headings()) {
            auto *below = new QTreeWidgetItem(item, {heading});
            below->setData(0, PathRole, path);
            below->setData(0, AnchorRole, ManualPages::anchorOf(heading));
        }
        item->setExpanded(true);
        m_contents->setCurrentItem(item);
    }
    Q_EMIT pageShown(path);
}

void ManualWindow::showAgain()
{
    const ManualPage *page = m_pages.page(m_shown);
    if (!page)
        return;
    const int scroll = m_browser->verticalScrollBar()->value();
    const int position = m_browser->textCursor().selectionStart();
    const bool isMarked = !m_browser->extraSelections().isEmpty();
    m_browser->setPage(*page);
    if (isMarked)
        m_browser->mark(wordsOf(m_line), position);
    m_browser->verticalScrollBar()->setValue(scroll);
}

void ManualWindow::follow(const QUrl &link)
{
    const ManualPlace place = m_pages.target(m_shown, link);
    if (place.path.isEmpty())
        say(tr("Not in this manual: %1").arg(link.toString()));
    else
        visit(place);
}

void ManualWindow::say(const QString &message)
{
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
}

// Esc leads back to the contents first.
void ManualWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !m_line->text().isEmpty())
        m_line->clear();
    else if (!isEnter(event))  // no button is the default
        QDialog::keyPressEvent(event);
}

// From the search line the places are gone through without leaving it.
bool ManualWindow::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_line || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    auto *key = static_cast<QKeyEvent *>(event);
    if (isPlainEnter(key)) {
        openHit(m_hits->currentItem());
        return true;
    }
    const int by = key->key() == Qt::Key_Down ? 1 : key->key() == Qt::Key_Up ? -1 : 0;
    if (by == 0 || m_hits->count() == 0)
        return QDialog::eventFilter(watched, event);
    m_hits->setCurrentRow(qBound(0, m_hits->currentRow() + by, m_hits->count() - 1));
    return true;
}

}  // namespace sonde::ui
