// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/sidebar.h"

#include "ui/panels/offertree.h"
#include "ui/panels/serverlist.h"
#include "ui/theme/fittedsplitter.h"
#include "ui/theme/keys.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

SideBar::SideBar(ServerListView *servers, OfferTree *offers, QWidget *parent)
    : QWidget(parent),
      m_servers(servers),
      m_head(new QWidget),
      m_count(new TextLabel),
      m_filter(new LineInput),
      m_splitter(new FittedSplitter)
{
    setObjectName(u"sidebar"_s);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    followFont(this, [this] { setMinimumWidth(scaled(140)); });
    auto *head = new QVBoxLayout(m_head);
    head->setContentsMargins(Grid + 2, Grid, Grid + 2, Grid / 2);
    head->setSpacing(Grid / 2);
    auto *captions = new QHBoxLayout;
    auto *caption = new TextLabel(tr("SERVERS"));
    QFont spaced = smallFont();
    spaced.setLetterSpacing(QFont::AbsoluteSpacing, 0.8);
    spaced.setWeight(QFont::DemiBold);
    for (TextLabel *label : {caption, m_count}) {
        label->setFont(spaced);
        label->setDim(true);
    }
    m_count->setObjectName(u"serverCount"_s);
    captions->addWidget(caption);
    captions->addStretch(1);
    captions->addWidget(m_count);
    head->addLayout(captions);
    m_filter->setObjectName(u"serverFilter"_s);
    m_filter->setAccessibleName(tr("Filter servers"));
    m_filter->setPlaceholderText(tr("Filter servers…"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    head->addWidget(m_filter);

    auto *top = new QWidget;
    auto *column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_servers, 1);
    m_splitter->setObjectName(u"sidebarSplitter"_s);
    m_splitter->addWidget(top);
    m_splitter->addWidget(offers);
    m_splitter->setStretchFactor(1, 1);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_splitter);

    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_servers->setFilter(text);
        onRowsChanged();
    });
    m_splitter->setNeededHeight([this] { return m_head->sizeHint().height() + m_servers->sizeHint().height(); });
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_servers->model(), changed, this, &SideBar::onRowsChanged);
    connect(m_servers->model(), &QAbstractItemModel::modelReset, this, &SideBar::onRowsChanged);
    connect(m_servers->model(), &QAbstractItemModel::dataChanged, this, &SideBar::onRowsChanged);
    onRowsChanged();
}

void SideBar::onRowsChanged()
{
    const int all = m_servers->model()->rowCount();
    const bool isFiltering = !m_filter->text().trimmed().isEmpty();
    // The list may have become short while a filter is in force, or the focus is there.
    m_filter->setVisible(all > RowsWithoutFilter || !m_filter->text().isEmpty() || m_filter->hasFocus());
    m_count->setText(isFiltering ? tr("%1 of %2").arg(m_servers->shownCount()).arg(all) : QString::number(all));
    m_splitter->fit();
}

QByteArray SideBar::saveState() const
{
    return m_splitter->saveUserState();
}

void SideBar::restoreState(const QByteArray &state)
{
    m_splitter->restoreUserState(state);
}

// Rows are as high as the font wants.
void SideBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        m_splitter->fit();
}

bool SideBar::pressInFilter(const QKeyEvent *key)
{
    if (key->key() == Qt::Key_Escape && !m_filter->text().isEmpty()) {
        m_filter->clear();
        return true;
    }
    const bool isDown = key->key() == Qt::Key_Down;
    if (!isDown && !(isEnter(key) && key->modifiers() == Qt::NoModifier))
        return false;
    // A current server that the filter has left in the list stays current.
    const QModelIndex current = m_servers->currentIndex();
    const bool staysCurrent = current.isValid() && !m_servers->isRowHidden(current.row());
    const QModelIndex found = staysCurrent ? current : m_servers->firstShown();
    if (!found.isValid())
        return true;
    m_servers->setFocus(Qt::OtherFocusReason);
    m_servers->setCurrentIndex(found);
    return true;
}

bool SideBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_filter && event->type() == QEvent::KeyPress && pressInFilter(static_cast<QKeyEvent *>(event)))
        return true;
    return QWidget::eventFilter(watched, event);
}

}  // namespace sonde::ui
