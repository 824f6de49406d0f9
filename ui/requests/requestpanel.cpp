// SPDX-License-Identifier: Apache-2.0
#include "ui/requests/requestpanel.h"

#include "core/client/responsecheck.h"
#include "ui/requests/requestpage.h"
#include "ui/theme/announce.h"
#include "ui/theme/keys.h"
#include "ui/theme/quietview.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int ClockMs = 1000;
constexpr int MaxShownRows = 4;
constexpr int MaxRemembered = 20;
constexpr int DeclineArmingMs = 500;  // as the buttons of a page
constexpr int NarrowColumn = 12 * Grid;
constexpr int RowPadding = Grid - 2;  // so that the texts of rows stand under those above and below

}  // namespace

RequestPanel::RequestPanel(QWidget *parent)
    : QWidget(parent),
      m_model(new RequestModel(this)),
      m_list(new QuietView<QTableView>),
      m_all(new QWidget),
      m_count(new TextLabel),
      m_declineAll(new QPushButton(tr("Decline all"))),
      m_fold(new FlatButton({}, this)),
      m_gone(new TextLabel),
      m_pages(new QStackedWidget)
{
    setObjectName(u"requestPanel"_s);
    setAccessibleName(tr("Server requests"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    setUpRows(m_list);
    m_list->setObjectName(u"requestList"_s);
    m_list->setAccessibleName(tr("Open server requests"));
    m_list->setModel(m_model);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->horizontalHeader()->hide();
    m_list->horizontalHeader()->setSectionResizeMode(RequestModel::MessageColumn, QHeaderView::Stretch);
    m_list->horizontalHeader()->setSectionResizeMode(RequestModel::TimeColumn, QHeaderView::ResizeToContents);
    m_list->horizontalHeader()->setSectionResizeMode(RequestModel::KindColumn, QHeaderView::ResizeToContents);
    for (const int narrow : {RequestModel::ServerColumn, RequestModel::CallColumn})
        m_list->setColumnWidth(narrow, NarrowColumn);
    m_list->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto *all = new QHBoxLayout(m_all);
    all->setContentsMargins(2 * Grid, Grid / 2, 2 * Grid, Grid / 2);
    m_count->setObjectName(u"requestCount"_s);
    m_count->setDim(true);
    all->addWidget(m_count, 1);
    m_declineAll->setObjectName(u"requestDeclineAll"_s);
    m_declineAll->setToolTip(tr("Declines all waiting requests, including those of other servers"));
    all->addWidget(m_declineAll);
    connect(m_declineAll, &QPushButton::clicked, this, &RequestPanel::declineAll);
    m_arming.setSingleShot(true);
    m_arming.setInterval(DeclineArmingMs);
    connect(&m_arming, &QTimer::timeout, this, [this] { m_declineAll->setEnabled(true); });
    m_all->hide();
    column->addWidget(m_all);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(2 * Grid - RowPadding, 0, 2 * Grid - RowPadding, 0);
    row->addWidget(m_list);
    column->addLayout(row);
    column->addWidget(m_pages, 1);
    m_fold->setObjectName(u"requestFold"_s);
    m_fold->setIcon(icon(u"down"_s));
    m_fold->setAccessibleName(tr("Fold to the status line"));
    m_fold->setToolTip(tr("Fold to the status line; nothing is sent"));
    connect(m_fold, &FlatButton::clicked, this, &RequestPanel::foldRequested);
    m_pages->installEventFilter(this);
    m_gone->setObjectName(u"requestsGone"_s);
    m_gone->setDim(true);
    m_gone->setFont(smallFont());
    m_gone->setContentsMargins(2 * Grid, 0, 2 * Grid, Grid);
    column->addWidget(m_gone);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &now) { show(now.row()); });
    m_clock.setInterval(ClockMs);
    connect(&m_clock, &QTimer::timeout, this, [this] {
        m_model->refreshTimes();
        if (RequestPage *page = current())
            page->showTime(m_model->at(m_model->rowOf(page->number())).waiting());
    });
    hide();
}

RequestPanel::~RequestPanel()
{
    m_list->selectionModel()->disconnect(this);
}

void RequestPanel::add(InputRequest *request, QObject *connection, const RequestOrigin &origin)
{
    WaitingRequest waiting;
    waiting.number = ++m_lastNumber;
    waiting.request = request;
    waiting.connection = connection;
    waiting.origin = origin;
    waiting.kind = kindOf(*request);
    waiting.message = messageOf(*request);
    waiting.ruleKey = ruleKeyOf(*request);
    waiting.elicitationId = request->params()[u"elicitationId"].string();
    waiting.since.start();
    connect(request, &InputRequest::ended, this, [this, request, number = waiting.number](InputRequest::End how) {
        onEnded(number, how, request->endReason());
    });
    // A client that is deleted says nothing else.
    connect(request, &QObject::destroyed, this,
            [this, number = waiting.number] { onEnded(number, InputRequest::End::Lost); });
    m_model->append(waiting);
    if (!current())
        m_list->setCurrentIndex(m_model->index(0, 0));
    refresh();
    announce(this, tr("Request from %1: %2").arg(origin.server, waiting.message));
}

void RequestPanel::setCall(const InputRequest *request, const QString &call, const RequestId &id)
{
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (m_model->at(row).request != request)
            continue;
        m_model->setCall(row, call, id);
        showColumns();
        Q_EMIT changed();
        if (RequestPage *page = pageOf(m_model->at(row).number))
            page->showCall(call);
        return;
    }
}

void RequestPanel::complete(const QObject *connection, const QString &elicitationId)
{
    for (int row = 0; row < m_model->rowCount() && !elicitationId.isEmpty(); ++row) {
        const WaitingRequest &waiting = m_model->at(row);
        if (waiting.connection != connection || waiting.elicitationId != elicitationId)
            continue;
        if (RequestPage *page = pageOf(waiting.number))
            page->showCompleted();
        if (waiting.state == WaitingRequest::State::Opened)
            m_model->setState(row, WaitingRequest::State::Completed);
    }
}

void RequestPanel::forget(const QObject *connection)
{
    QList<int> numbers;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (m_model->at(row).connection == connection)
            numbers.append(m_model->at(row).number);
    }
    for (const int number : currentLast(numbers))
        finish(number, {});
}

int RequestPanel::respondAlike(const QObject *connection, const QByteArray &key, const QByteArray &result)
{
    int count = 0;
    for (const int number : currentLast(m_model->openNumbers())) {
        const int row = m_model->rowOf(number);
        if (row < 0 || m_model->at(row).connection != connection || m_model->at(row).ruleKey != key)
            continue;
        const QPointer<InputRequest> request = m_model->at(row).request;
        if (!request || !problemOfResponse(*request, json::parse(result)).isEmpty() || request->respond(result))
            continue;
        ++count;
        finish(number, {});
    }
    return count;
}

// One that cannot be told has ended by that, as it says itself.
void RequestPanel::declineAll()
{
    const bool hadFocus = m_declineAll->hasFocus();
    for (const int number : currentLast(m_model->openNumbers())) {
        const int row = m_model->rowOf(number);
        const QPointer<InputRequest> request = row < 0 ? nullptr : m_model->at(row).request;
        if (request && !request->decline())
            finish(number, {});
    }
    if (hadFocus && isEmpty())
        Q_EMIT focusLeft();
    else if (hadFocus)
        m_list->setFocus();
}

// So that no page is made for one that is about to go.
QList<int> RequestPanel::currentLast(QList<int> numbers) const
{
    const RequestPage *page = current();
    if (page && numbers.removeAll(page->number()) > 0)
        numbers.append(page->number());
    return numbers;
}

int RequestPanel::rowFor(const QObject *connection, const Call &call) const
{
    int found = -1;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const WaitingRequest &waiting = m_model->at(row);
        if (waiting.state != WaitingRequest::State::Open || waiting.connection != connection || !waiting.isDuring(call))
            continue;
        if (current() && current()->number() == waiting.number)
            return row;
        if (found < 0)
            found = row;
    }
    return found;
}

std::optional<AwaitedInput> RequestPanel::isWaitedForBy(const QObject *connection, const Call &call) const
{
    const int row = rowFor(connection, call);
    if (row < 0)
        return std::nullopt;
    return AwaitedInput{m_model->at(row).waiting(),
                        isVisible() && current() && current()->number() == m_model->at(row).number};
}

void RequestPanel::showRequestOf(const QObject *connection, const Call &call)
{
    if (const int row = rowFor(connection, call); row >= 0)
        m_list->setCurrentIndex(m_model->index(row, 0));
    focusCurrent();
}

int RequestPanel::openCount() const
{
    return m_model->openCount();
}

RequestPage *RequestPanel::current() const
{
    return qobject_cast<RequestPage *>(m_pages->currentWidget());
}

RequestPage *RequestPanel::pageOf(int number) const
{
    for (int i = 0; i < m_pages->count(); ++i) {
        auto *page = static_cast<RequestPage *>(m_pages->widget(i));
        if (page->number() == number)
            return page;
    }
    return nullptr;
}

// A page is made when its request is looked at, and kept with what is typed there.
void RequestPanel::show(int row)
{
    if (row < 0 || row >= m_model->rowCount())
        return;
    const WaitingRequest &waiting = m_model->at(row);
    RequestPage *page = pageOf(waiting.number);
    if (!page && waiting.request) {
        page = new RequestPage(waiting);
        page->setLast(m_last.value(page->ruleKey()));
        connect(page, &RequestPage::responded, this,
                [this, number = waiting.number](const QByteArray &draft) { finish(number, draft); });
        connect(page, &RequestPage::opened, this, [this, number = waiting.number] {
            const int opened = m_model->rowOf(number);
            if (opened < 0)
                return;
            m_model->setState(opened, WaitingRequest::State::Opened);
            for (int next = 0; next < m_model->rowCount(); ++next) {
                if (m_model->at(next).state == WaitingRequest::State::Open) {
                    goOn(next);
                    break;
                }
            }
            refresh();
        });
        connect(page, &RequestPage::closed, this, [this, number = waiting.number] { finish(number, {}); });
        connect(page, &RequestPage::ruleRequested, this,
                [this, page, connection = waiting.connection](const QByteArray &result, bool alsoWaiting) {
                    Q_EMIT ruleRequested(connection, page->ruleKey(), result, alsoWaiting);
                });
        page->setAlikeCount([this, number = waiting.number] { return m_model->alikeNumbers(number).size(); });
        m_pages->addWidget(page);
    }
    if (page) {
        m_pages->setCurrentWidget(page);
        page->showTime(waiting.waiting());
    }
    refresh();
}

// Of those that nobody looks at only the number is kept.
void RequestPanel::onEnded(int number, InputRequest::End how, const QString &reason)
{
    const int row = m_model->rowOf(number);
    if (row < 0 || how == InputRequest::End::Answered || m_model->at(row).state != WaitingRequest::State::Open)
        return;
    if (RequestPage *page = current(); page && page->number() == number) {
        m_model->setState(row, WaitingRequest::State::Ended);
        page->showEnd(how, reason);
        refresh();
        return;
    }
    ++m_goneCount;
    finish(number, {});
}

void RequestPanel::finish(int number, const QByteArray &draft)
{
    const int row = m_model->rowOf(number);
    if (row < 0)
        return;
    RequestPage *gone = pageOf(number);
    const bool wasCurrent = gone && gone == current();
    const bool hadFocus = gone && gone->isAncestorOf(QApplication::focusWidget());
    if (gone && !draft.isEmpty()) {
        if (m_last.size() >= MaxRemembered)
            m_last.clear();
        m_last.insert(gone->ruleKey(), draft);
    }
    // To the list, not into the next request: what is typed on must not go there.
    if (hadFocus)
        setFocus();
    if (gone) {
        gone->disconnect(this);
        m_pages->removeWidget(gone);
        gone->hide();
        gone->deleteLater();
    }
    {
        // The list would move to a neighbour by itself.
        const QSignalBlocker quiet(m_list->selectionModel());
        m_model->remove(row);
    }
    if (wasCurrent && !isEmpty()) {
        m_list->selectionModel()->clear();
        // Those that wait come first.
        const int last = qMax(openCount(), 1) - 1;
        m_list->setCurrentIndex(m_model->index(qMin(row, last), 0));
        if (hadFocus)
            m_list->setFocus();
    }
    if (isEmpty())
        m_goneCount = 0;
    refresh();
    if (isEmpty() && hadFocus)
        Q_EMIT focusLeft();
}

// To the list, not into the request: what is typed on must not go there.
void RequestPanel::goOn(int row)
{
    const bool hadFocus = m_pages->isAncestorOf(QApplication::focusWidget());
    m_list->show();
    m_list->setCurrentIndex(m_model->index(row, 0));
    if (hadFocus)
        m_list->setFocus();
}

void RequestPanel::showColumns()
{
    for (const auto column : {RequestModel::ServerColumn, RequestModel::KindColumn, RequestModel::CallColumn}) {
        if (m_list->isColumnHidden(column) == m_model->differs(column))
            m_list->setColumnHidden(column, !m_model->differs(column));
    }
}

void RequestPanel::refresh()
{
    const int count = m_model->rowCount();
    m_list->setVisible(count > 1);
    m_list->setFixedHeight(qMin(count, MaxShownRows) * rowHeight() + 2);
    if (RequestPage *page = current())
        page->showPlace(m_model->rowOf(page->number()), openCount());
    showColumns();
    const int open = openCount();
    m_count->setText(tr("%1 requests waiting for you").arg(open));
    if (open > 1 && m_all->isHidden()) {
        m_declineAll->setEnabled(false);
        m_arming.start();
    }
    m_all->setVisible(open > 1);
    m_gone->setText(counted(m_goneCount, tr("1 more request ended without a response."),
                            tr("%1 more requests ended without a response.")));
    m_gone->setVisible(m_goneCount > 0);
    if (isEmpty())
        m_clock.stop();
    else if (!m_clock.isActive())
        m_clock.start();
    Q_EMIT changed();
}

void RequestPanel::focusCurrent()
{
    if (!isEmpty())
        Q_EMIT sightRequested();
    if (RequestPage *page = current())
        page->focusFirst();
}

// All of what is shown; a stack of pages is as high as the highest of them.
QSize RequestPanel::sizeHint() const
{
    QSize size = QWidget::sizeHint();
    if (const RequestPage *page = current())
        size.rheight() += page->heightForWidth(width()) - m_pages->sizeHint().height();
    return size;
}

QSize RequestPanel::minimumSizeHint() const
{
    return {300, 200};
}

bool RequestPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_pages && (event->type() == QEvent::Resize || event->type() == QEvent::Move)) {
        m_fold->resize(m_fold->sizeHint());
        m_fold->move(m_pages->geometry().right() - m_fold->width() - Grid / 2, m_pages->y() + Grid);
        m_fold->raise();
    }
    return QWidget::eventFilter(watched, event);
}

// The window's shortcuts of these keys are about the call in the tab, not about what is asked here.
bool RequestPanel::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest && isVisible() && sizeHint().height() > height())
        Q_EMIT heightWanted();
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape || isCtrlEnter(key)) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void RequestPanel::keyPressEvent(QKeyEvent *event)
{
    RequestPage *page = current();
    if (isCtrlEnter(event) && page && page->isAncestorOf(QApplication::focusWidget()))
        page->accept();
    else if (event->key() != Qt::Key_Escape && !isCtrlEnter(event))
        QWidget::keyPressEvent(event);
}

void RequestPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), softColor(Tone::Asks));
}

}  // namespace sonde::ui
