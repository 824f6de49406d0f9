// SPDX-License-Identifier: Apache-2.0
#include "app/gui/mainwindow.h"

#include "app/gui/actions.h"
#include "app/gui/menubar.h"
#include "app/gui/settings.h"
#include "app/gui/warningbar.h"
#include "core/protocol/visibletext.h"
#include "ui/panels/offertree.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/welcomepanel.h"
#include "ui/requests/requestpanel.h"
#include "ui/theme/keys.h"
#include "ui/theme/readingorder.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QScreen>
#include <QSplitter>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::app {

using ui::Grid;

namespace {

constexpr int TellingMs = 8000;
constexpr int MaxTabWidth = 320;        // pixels
constexpr QSize MinPageSize(570, 200);  // with its tab
constexpr int MinFactWidth = 80;        // in the status line
constexpr int SharedPageWidth = 840;    // wanted beside a server request: 420 px for each half
constexpr int MinRequestWidth = 380;
constexpr int MaxRequestWidth = 520;
constexpr int MinSharedPageWidth = 290;                  // beside a server request
constexpr QMargins UsualFrame(4, 40, 4, 4);              // of window managers, until ours is known
constexpr char NeedsWholeHeight[] = "needsWholeHeight";  // property of a page

// Of what is beside the requests, and of these.
QList<int> firstRequestSizes(int width)
{
    const int requests = qBound(MinRequestWidth, width - SharedPageWidth, MaxRequestWidth);
    return {width - requests, requests};
}

QPushButton *barButton(QAction *action, const QString &name, const QString &iconName = {})
{
    auto *button = new QPushButton;
    if (!iconName.isEmpty())
        button->setIcon(ui::icon(iconName));
    button->setObjectName(name);
    button->setMinimumHeight(28);
    Actions::show(action, button);
    return button;
}

// A button that looks like an empty input and opens the palette.
class GotoButton final : public QPushButton {
public:
    using QPushButton::QPushButton;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        ui::paintRoundedFrame(&painter, rect(), hasFocus() ? ui::colors().accent : ui::colors().border,
                              ui::colors().panel);
        painter.setPen(ui::colors().dim);
        const QRect room = rect().adjusted(Grid + 2, 0, -Grid - 2, 0);
        const QString keys = ui::keyText(ui::keys::GoTo);
        const int keysWidth = QFontMetrics(ui::smallFont()).horizontalAdvance(keys) + Grid;
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                         fontMetrics().elidedText(text(), Qt::ElideRight, room.width() - keysWidth));
        painter.setFont(ui::smallFont());
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignRight, keys);
    }
};

}  // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent),
      actions(new Actions(this)),
      menus(new MenuBar(*actions, this)),
      servers(new ui::ServerListModel(this)),
      serverList(new ui::ServerListView),
      offers(new ui::OfferTree),
      tabs(new QTabWidget),
      welcome(new ui::WelcomePanel),
      timeline(new ui::TimelinePanel),
      requests(new ui::RequestPanel),
      notice(new WarningBar),
      addServer(barButton(actions->addServer, u"addServer"_s, u"plus"_s)),
      openSession(barButton(actions->openSession, u"openSession"_s, u"history"_s)),
      goTo(new GotoButton),
      replay(barButton(actions->replay, u"replay"_s)),
      compare(barButton(actions->compare, u"compare"_s)),
      theme(new QToolButton),
      serverCount(new ui::TextLabel),
      recording(new ui::TextLabel),
      counts(new ui::TextLabel),
      process(new ui::TextLabel),
      told(new ui::TextLabel),
      automatic(new QToolButton),
      m_horizontal(new QSplitter(Qt::Horizontal)),
      m_vertical(new QSplitter(Qt::Vertical)),
      m_work(new QSplitter(Qt::Horizontal)),
      m_facts(new QWidget)
{
    setWindowTitle(u"Sonde"_s);
    setObjectName(u"mainWindow"_s);
    resize(firstSize(screen()->availableSize(), UsualFrame));
    setMinimumSize(900, 560);
    setMenuBar(menus);

    tabs->setObjectName(u"tabs"_s);
    tabs->setDocumentMode(true);
    tabs->setTabsClosable(true);
    tabs->setMovable(true);
    // Names are shortened when they are set; with many tabs the tab bar scrolls instead of shrinking them.
    tabs->setElideMode(Qt::ElideNone);
    tabs->setUsesScrollButtons(true);
    tabs->tabBar()->setSelectionBehaviorOnRemove(QTabBar::SelectPreviousTab);
    tabs->tabBar()->setExpanding(false);
    tabs->tabBar()->setDrawBase(false);
    welcome->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    tabs->addTab(welcome, tr("Welcome"));
    tabs->setMinimumSize(MinPageSize);

    m_vertical->setHandleWidth(1);
    m_vertical->setObjectName(u"verticalSplitter"_s);
    m_work->setHandleWidth(1);
    m_work->setObjectName(u"workSplitter"_s);
    m_work->setChildrenCollapsible(false);
    m_vertical->addWidget(tabs);
    m_vertical->addWidget(timeline);
    m_vertical->setStretchFactor(0, 3);
    m_vertical->setStretchFactor(1, 2);
    m_vertical->setSizes({465, 365});
    m_vertical->setChildrenCollapsible(false);
    m_work->addWidget(m_vertical);
    m_work->addWidget(requests);
    m_work->setStretchFactor(0, 1);

    m_horizontal->setHandleWidth(1);
    m_horizontal->setObjectName(u"horizontalSplitter"_s);
    m_horizontal->addWidget(makeSidebar());
    m_horizontal->addWidget(m_work);
    m_horizontal->setStretchFactor(1, 1);
    m_horizontal->setSizes({280, 1160});
    m_horizontal->setChildrenCollapsible(false);

    auto *central = new QWidget;
    auto *column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeTopBar());
    column->addWidget(new ui::Line(Qt::Horizontal));
    column->addWidget(notice);
    column->addWidget(m_horizontal, 1);
    notice->hide();
    setCentralWidget(central);
    makeStatusLine();
    connect(tabs, &QTabWidget::currentChanged, this, &MainWindow::makeRoom);
}

QSize MainWindow::firstSize(const QSize &available, const QMargins &frame)
{
    return QSize(1440, 900).boundedTo(available.shrunkBy(frame));
}

QWidget *MainWindow::makeTopBar()
{
    auto *bar = new QWidget;
    bar->setAutoFillBackground(true);
    bar->setBackgroundRole(QPalette::Base);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(Grid + 2, 6, Grid + 2, 6);
    row->setSpacing(Grid);
    auto *mark = new QLabel;
    mark->setPixmap(QIcon(u":/icons/sonde.svg"_s).pixmap(QSize(20, 20)));
    auto *name = new ui::TextLabel(u"Sonde"_s);
    QFont bold = name->font();
    bold.setWeight(QFont::Bold);
    name->setFont(bold);
    row->addWidget(mark);
    row->addWidget(name);
    row->addSpacing(Grid / 2);
    addServer->setAccessibleName(tr("Add server"));
    row->addWidget(addServer);
    row->addWidget(openSession);
    row->addStretch(1);
    goTo->setObjectName(u"goTo"_s);
    Actions::show(actions->goTo, goTo);
    goTo->setAccessibleName(tr("Go to tool, resource, prompt or server"));
    goTo->setMinimumSize(240, 28);
    goTo->setMaximumWidth(380);
    goTo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    row->addWidget(goTo, 3);
    row->addStretch(1);
    replay->setAccessibleName(tr("Replay a recorded session"));
    row->addWidget(replay);
    compare->setAccessibleName(tr("Compare two servers or sessions"));
    row->addWidget(compare);
    theme->setObjectName(u"theme"_s);
    theme->setAutoRaise(true);
    theme->setPopupMode(QToolButton::InstantPopup);
    theme->setMinimumSize(30, 28);
    row->addWidget(theme);
    return bar;
}

QWidget *MainWindow::makeSidebar()
{
    auto *side = new QWidget;
    side->setObjectName(u"sidebar"_s);
    side->setAutoFillBackground(true);
    side->setBackgroundRole(QPalette::Base);
    side->setMinimumWidth(190);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(Grid + 2, Grid, Grid + 2, Grid / 2);
    auto *caption = new ui::TextLabel(tr("SERVERS"));
    QFont spaced = ui::smallFont();
    spaced.setLetterSpacing(QFont::AbsoluteSpacing, 0.8);
    spaced.setWeight(QFont::DemiBold);
    caption->setFont(spaced);
    caption->setDim(true);
    serverCount->setFont(spaced);
    serverCount->setDim(true);
    head->addWidget(caption);
    head->addStretch(1);
    head->addWidget(serverCount);
    column->addLayout(head);
    serverList->setModel(servers);
    column->addWidget(serverList);
    column->addWidget(offers, 1);
    return side;
}

void MainWindow::makeStatusLine()
{
    auto *bar = statusBar();
    bar->setSizeGripEnabled(false);
    auto *facts = new QHBoxLayout(m_facts);
    facts->setContentsMargins(0, 0, 0, 0);
    facts->setSpacing(Grid);
    for (ui::TextLabel *label : {recording, counts, process, told}) {
        label->setFont(ui::smallFont());
        label->setContentsMargins(Grid / 2, 0, Grid, 0);
    }
    for (ui::TextLabel *label : {recording, counts, process})
        facts->addWidget(label);
    facts->addStretch(1);
    // Names of files and servers can be longer than the window is wide.
    for (ui::TextLabel *label : {recording, process}) {
        label->setElided(true);
        label->setMinimumWidth(MinFactWidth);
    }
    bar->addWidget(m_facts, 1);
    // Not QStatusBar::showMessage(): it paints over widgets that are shown meanwhile.
    told->setObjectName(u"told"_s);
    told->setElided(true);
    told->setMinimumWidth(40);
    told->hide();
    bar->addWidget(told, 1);
    m_telling.setSingleShot(true);
    m_telling.setInterval(TellingMs);
    connect(&m_telling, &QTimer::timeout, this, [this] {
        told->hide();
        m_facts->show();
    });
    counts->setDim(true);
    process->setDim(true);
    automatic->setObjectName(u"automaticResponses"_s);
    automatic->setAccessibleName(tr("Automatic responses"));
    automatic->setPopupMode(QToolButton::InstantPopup);
    automatic->setAutoRaise(true);
    automatic->hide();
    bar->addPermanentWidget(automatic);
}

void MainWindow::showTheme(ui::ThemeController::Mode mode)
{
    using Mode = ui::ThemeController::Mode;
    theme->setIcon(ui::icon(mode == Mode::System ? u"contrast"_s : mode == Mode::Dark ? u"moon"_s : u"sun"_s));
    theme->setAccessibleName(tr("Theme"));
    theme->setToolTip(tr("Light, dark, or match system"));
}

void MainWindow::tell(const QString &text)
{
    told->setServerText(text);
    told->setToolTip(ui::plainToolTip(text));
    m_facts->hide();
    told->show();
    m_telling.start();
}

int MainWindow::addPage(QWidget *page, const QString &title, const QString &tip, PageHeight height)
{
    page->setProperty(NeedsWholeHeight, height == PageHeight::Whole);
    // The minimum size of one page must not take room from the others, or from the timeline.
    page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    const int index = tabs->addTab(page, QString());
    namePage(page, title, tip);
    return index;
}

void MainWindow::namePage(QWidget *page, const QString &title, const QString &tip)
{
    const QString shown = tabs->fontMetrics().elidedText(visibleLine(title), Qt::ElideMiddle, MaxTabWidth);
    const QString text = QString(shown).replace(u'&', u"&&"_s);
    const int index = tabs->indexOf(page);
    if (tabs->tabText(index) != text)  // or all of them would be laid out for nothing
        tabs->setTabText(index, text);
    tabs->setTabToolTip(index, ui::plainToolTip(tip));
}

void MainWindow::bringForward(QWidget *page)
{
    showTabs();
    tabs->setCurrentWidget(page);
}

void MainWindow::makeRoom()
{
    const QWidget *page = tabs->currentWidget();
    if (!m_hidesTabs)
        timeline->setVisible(!page || !page->property(NeedsWholeHeight).toBool());
}

void MainWindow::toggleTimeline()
{
    m_hidesTabs = !m_hidesTabs;
    if (m_hidesTabs)
        m_timelineSizes = m_vertical->sizes();
    tabs->setVisible(!m_hidesTabs);
    if (!m_hidesTabs)
        m_vertical->setSizes(m_timelineSizes);
    Q_EMIT partsChanged();
}

void MainWindow::showTabs()
{
    if (m_hidesTabs)
        toggleTimeline();
}

// The tabs and the timeline get narrower for that time. A form and its result need the width most.
void MainWindow::showRequests(bool shown)
{
    if (shown == !requests->isHidden())
        return;
    if (!shown)
        m_requestSizes = m_work->sizes();
    requests->setVisible(shown);
    tabs->setMinimumWidth(shown ? MinSharedPageWidth : MinPageSize.width());
    if (shown)
        m_work->setSizes(m_requestSizes.isEmpty() ? firstRequestSizes(m_work->width()) : m_requestSizes);
    Q_EMIT partsChanged();
}

void MainWindow::restore(const Settings &settings)
{
    const QByteArray geometry = settings.bytes(setting::Geometry);
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
    m_horizontal->restoreState(settings.bytes(setting::HorizontalSplitter));
    m_vertical->restoreState(settings.bytes(setting::VerticalSplitter));
    timeline->restoreState(settings.bytes(setting::Timeline));
}

void MainWindow::store(Settings &settings) const
{
    settings.set(setting::Geometry, saveGeometry());
    settings.set(setting::HorizontalSplitter, m_horizontal->saveState());
    if (!m_hidesTabs && timeline->isVisibleTo(m_vertical))
        settings.set(setting::VerticalSplitter, m_vertical->saveState());
    settings.set(setting::Timeline, timeline->saveState());
}

// Qt's tab order is the order of creation, and tabs are created last.
bool MainWindow::focusNextPrevChild(bool next)
{
    if (ui::focusNextIn(centralWidget(), next))
        return true;
    const QList<QWidget *> all = ui::focusStops(centralWidget());
    if (all.isEmpty())
        return false;
    (next ? all.first() : all.last())->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    event->ignore();
    Q_EMIT closing();
}

}  // namespace sonde::app
