// SPDX-License-Identifier: Apache-2.0
#include "app/gui/mainwindow.h"

#include "app/gui/actions.h"
#include "app/gui/menubar.h"
#include "app/gui/reconnectbar.h"
#include "app/gui/settings.h"
#include "app/gui/warningbar.h"
#include "core/protocol/visibletext.h"
#include "ui/panels/offertree.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/sidebar.h"
#include "ui/panels/welcomepanel.h"
#include "ui/requests/requestpanel.h"
#include "ui/theme/announce.h"
#include "ui/theme/keys.h"
#include "ui/theme/readingorder.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QResizeEvent>
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
constexpr int MaxTabWidth = 320;  // pixels
constexpr QSize MinSize(800, 560);
constexpr QSize MinPageSize(570, 200);  // with its tab
constexpr int MinFactWidth = 80;        // in the status line
constexpr int SharedPageWidth = 840;    // wanted beside a server request: 420 px for each half
constexpr int MinRequestWidth = 320;
constexpr int RequestWidth = 380;  // for which there must be room beside the smallest page
constexpr int MaxRequestWidth = 520;
constexpr int PageHeightWanted = 465;                    // with its tab
constexpr int HeightForTwo = 360;                        // of tabs and the timeline below them
constexpr int HeightForThree = 640;                      // of tabs, timeline and a request below each other
constexpr QMargins UsualFrame(4, 40, 4, 4);              // of window managers, until ours is known
constexpr char NeedsWholeHeight[] = "needsWholeHeight";  // property of a page

// Of tabs and the timeline. A form and its result need a certain height; in a low window they get most of it.
QList<int> firstHeights(int height)
{
    const int timeline = qMin(qMax(height - PageHeightWanted, height / 3), height * 4 / 9);
    return {height - timeline, timeline};
}

// Of what is beside the requests or above them, and of these.
QList<int> firstRequestSizes(const QSplitter *work, const QWidget *requestPanel)
{
    if (work->orientation() == Qt::Vertical) {
        const int requests = qMin(requestPanel->sizeHint().height(), work->height() * 3 / 5);
        return {work->height() - requests, requests};
    }
    const int requests = qBound(MinRequestWidth, work->width() - SharedPageWidth, MaxRequestWidth);
    return {work->width() - requests, requests};
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
    QSize minimumSizeHint() const override { return minimumSize(); }  // a longer text is elided

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        ui::paintRoundedFrame(&painter, rect(), hasFocus() ? ui::focusPen() : ui::colors().border, ui::colors().panel);
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
      reconnect(new ReconnectBar),
      notice(new WarningBar),
      addServer(barButton(actions->addServer, u"addServer"_s, u"plus"_s)),
      openSession(barButton(actions->openSession, u"openSession"_s, u"history"_s)),
      goTo(new GotoButton),
      replay(barButton(actions->replay, u"replay"_s)),
      compare(barButton(actions->compare, u"compare"_s)),
      theme(new QToolButton),
      recording(new ui::TextLabel),
      counts(new ui::TextLabel),
      process(new ui::TextLabel),
      told(new ui::TextLabel),
      automatic(new QToolButton),
      requestChip(new QToolButton),
      m_sideBar(nullptr),
      m_horizontal(new QSplitter(Qt::Horizontal)),
      m_vertical(new QSplitter(Qt::Vertical)),
      m_work(new QSplitter(Qt::Horizontal)),
      m_facts(new QWidget)
{
    setWindowTitle(u"Sonde"_s);
    setObjectName(u"mainWindow"_s);
    resize(firstSize(screen()->availableSize(), UsualFrame));
    // Scaled, a screen can be smaller than that.
    const QSize available = screen()->availableSize();
    const bool isLarge = available.expandedTo(MinSize) == available;
    setMinimumSize(isLarge ? MinSize : MinSize.boundedTo(available.shrunkBy(UsualFrame)));
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
    welcome->setProperty(NeedsWholeHeight, true);  // until there is something in the timeline
    tabs->addTab(welcome, tr("Welcome"));
    tabs->setMinimumSize(MinPageSize);
    m_vertical->setMinimumWidth(MinPageSize.width());  // also while the timeline has all of it

    m_vertical->setHandleWidth(1);
    m_vertical->setObjectName(u"verticalSplitter"_s);
    m_work->setHandleWidth(1);
    m_work->setObjectName(u"workSplitter"_s);
    m_work->setChildrenCollapsible(false);
    m_vertical->addWidget(tabs);
    m_vertical->addWidget(timeline);
    m_vertical->setStretchFactor(0, 3);
    m_vertical->setStretchFactor(1, 2);
    m_vertical->setChildrenCollapsible(false);
    m_work->addWidget(m_vertical);
    m_work->addWidget(requests);
    m_work->setStretchFactor(0, 1);

    serverList->setModel(servers);
    m_sideBar = new ui::SideBar(serverList, offers);
    m_horizontal->setHandleWidth(1);
    m_horizontal->setObjectName(u"horizontalSplitter"_s);
    m_horizontal->addWidget(m_sideBar);
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
    column->addWidget(reconnect);
    column->addWidget(m_horizontal, 1);
    setCentralWidget(central);
    makeStatusLine();
    connect(tabs, &QTabWidget::currentChanged, this, &MainWindow::makeRoom);
    connect(m_vertical, &QSplitter::splitterMoved, this, [this] { m_heights = m_vertical->saveState(); });
    connect(m_work, &QSplitter::splitterMoved, this,
            [this] { m_requestSizes[m_work->orientation()] = m_work->sizes(); });
    connect(requests, &ui::RequestPanel::heightWanted, this, &MainWindow::fitRequests);
    m_work->installEventFilter(this);
    m_vertical->installEventFilter(this);
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
    bold.setWeight(QFont::DemiBold);
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
    goTo->setMinimumSize(120, 28);
    goTo->setMaximumWidth(380);
    goTo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    row->addWidget(goTo, 50);  // all of the room, up to its greatest width
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
    requestChip->setObjectName(u"requestChip"_s);
    requestChip->setAccessibleName(tr("Server requests"));
    requestChip->setToolTip(tr("Show the requests of servers"));
    requestChip->setIcon(ui::icon(u"up"_s));
    requestChip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    requestChip->setAutoRaise(true);
    requestChip->hide();
    bar->addPermanentWidget(requestChip);
}

void MainWindow::showTheme(ui::ThemeController::Mode mode)
{
    using Mode = ui::ThemeController::Mode;
    theme->setIcon(ui::icon(mode == Mode::Light ? u"sun"_s : mode == Mode::Dark ? u"moon"_s : u"contrast"_s));
    theme->setAccessibleName(tr("Theme"));
    theme->setToolTip(tr("Light, dark, high contrast, or match system"));
}

void MainWindow::tell(const QString &text)
{
    told->setServerText(text);
    told->setToolTip(ui::plainToolTip(text));
    m_facts->hide();
    told->show();
    m_telling.start();
    ui::announce(this, text);
}

int MainWindow::addPage(QWidget *page, const QString &title, const QString &tip, PageHeight height)
{
    setPageHeight(page, height);
    // The minimum size of one page must not take room from the others, or from the timeline.
    page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    const int index = tabs->addTab(page, QString());
    namePage(page, title, tip);
    return index;
}

void MainWindow::setPageHeight(QWidget *page, PageHeight height)
{
    const bool needsWhole = height == PageHeight::Whole;
    if (page->property(NeedsWholeHeight).toBool() == needsWhole)
        return;
    page->setProperty(NeedsWholeHeight, needsWhole);
    if (tabs->currentWidget() == page)
        makeRoom();
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

bool MainWindow::isCrowded(int height) const
{
    const bool hasThree = !requests->isHidden() && m_work->orientation() == Qt::Vertical;
    return height < (hasThree ? HeightForThree : HeightForTwo);
}

void MainWindow::makeRoom()
{
    const QWidget *page = tabs->currentWidget();
    if (!m_hidesTabs)
        timeline->setVisible(!isCrowded(m_work->height()) && (!page || !page->property(NeedsWholeHeight).toBool()));
}

// Until the user has moved the handle, or had in an earlier run.
void MainWindow::divideHeight()
{
    if (m_heights.isEmpty())
        m_vertical->setSizes(firstHeights(m_vertical->height()));
}

void MainWindow::showTimeline()
{
    if (!timeline->isHidden())
        return;
    if (isCrowded(m_work->height()))
        toggleTimeline();
    else
        timeline->show();
}

void MainWindow::toggleTimeline()
{
    m_hidesTabs = !m_hidesTabs;
    if (m_hidesTabs) {
        m_timelineSizes = m_vertical->sizes();
        timeline->show();
    }
    tabs->setVisible(!m_hidesTabs);
    if (!m_hidesTabs) {
        m_vertical->setSizes(m_timelineSizes);
        divideHeight();
        makeRoom();
    }
    Q_EMIT partsChanged();
}

void MainWindow::showTabs()
{
    if (m_hidesTabs)
        toggleTimeline();
}

// What has been folded stays so until the user wants to see it, or until nothing is asked any more.
void MainWindow::showRequests(bool shown)
{
    if (!shown)
        requestChip->hide();
    const bool isInSight = shown && !areRequestsFolded();
    if (isInSight == !requests->isHidden()) {
        fitRequests();
        Q_EMIT partsChanged();
        return;
    }
    requests->setVisible(isInSight);
    placeRequests();
    if (isInSight)
        m_work->setSizes(m_requestSizes.value(m_work->orientation(), firstRequestSizes(m_work, requests)));
    makeRoom();
    Q_EMIT partsChanged();
}

void MainWindow::foldRequests(bool folded)
{
    requestChip->setVisible(folded);
    showRequests(true);
}

// A form and its result need the width most: there is room for a request beside them only in a wide window.
void MainWindow::placeRequests()
{
    const bool isBeside = m_work->width() >= MinPageSize.width() + RequestWidth;
    const Qt::Orientation orientation = isBeside ? Qt::Horizontal : Qt::Vertical;
    const bool isShown = !requests->isHidden();
    if (orientation == m_work->orientation())
        return;
    m_work->setOrientation(orientation);
    if (isShown)
        m_work->setSizes(m_requestSizes.value(orientation, firstRequestSizes(m_work, requests)));
}

// Below the tabs, another request may be higher than the one before. None makes them smaller again.
void MainWindow::fitRequests()
{
    if (requests->isHidden() || m_work->orientation() != Qt::Vertical || m_requestSizes.contains(Qt::Vertical))
        return;
    const QList<int> sizes = firstRequestSizes(m_work, requests);
    if (sizes.constLast() > m_work->sizes().constLast())
        m_work->setSizes(sizes);
}

// As long as there is as much room as before, a timeline that the user has shown beside a replay stays.
bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_vertical && event->type() == QEvent::Resize)
        divideHeight();
    if (watched == m_work && event->type() == QEvent::Resize) {
        const QSize before = static_cast<QResizeEvent *>(event)->oldSize();
        const bool wasCrowded = isCrowded(before.height());
        placeRequests();
        if (!before.isValid() || isCrowded(m_work->height()) != wasCrowded)
            makeRoom();
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::restore(const Settings &settings)
{
    const QByteArray geometry = settings.bytes(setting::Geometry);
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
    m_horizontal->restoreState(settings.bytes(setting::HorizontalSplitter));
    m_sideBar->restoreState(settings.bytes(setting::SidebarSplitter));
    m_heights = settings.bytes(setting::VerticalSplitter);
    m_vertical->restoreState(m_heights);
    timeline->restoreState(settings.bytes(setting::Timeline));
}

void MainWindow::store(Settings &settings) const
{
    settings.set(setting::Geometry, saveGeometry());
    settings.set(setting::HorizontalSplitter, m_horizontal->saveState());
    settings.set(setting::SidebarSplitter, m_sideBar->saveState());
    if (!m_heights.isEmpty())
        settings.set(setting::VerticalSplitter, m_heights);
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
