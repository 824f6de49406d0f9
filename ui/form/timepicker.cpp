// SPDX-License-Identifier: Apache-2.0
#include "ui/form/timepicker.h"

#include "ui/form/inputs.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"

#include <QCalendarWidget>
#include <QDateTime>
#include <QHBoxLayout>
#include <QPainter>
#include <QScreen>
#include <QTextCharFormat>
#include <QTimeEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int CalendarWidth = 290;  // px: room for the names of days

}  // namespace

TimePicker::TimePicker(TimeText::Kind kind, const QString &text, QWidget *parent)
    : QFrame(parent, Qt::Popup), m_kind(kind), m_text(TimeText::fromText(kind, text))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setAttribute(Qt::WA_NoMouseReplay);  // a click on the button that opened it only closes it
    setAccessibleName(kind == TimeText::Kind::Date   ? tr("Pick a date")
                      : kind == TimeText::Kind::Time ? tr("Pick a time")
                                                     : tr("Pick a date and time"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(Grid, Grid, Grid, Grid);
    column->setSpacing(Grid);
    const QDateTime now = m_text.now();
    if (kind != TimeText::Kind::Time)
        addCalendar(m_text.date.isValid() ? m_text.date : now.date());
    auto *row = new QHBoxLayout;
    row->setSpacing(Grid);
    column->addLayout(row);
    if (kind != TimeText::Kind::Date) {
        const QTime minute(now.time().hour(), now.time().minute());
        addClock(m_text.time.isValid() ? m_text.time : minute);
        row->addWidget(new InputBox(m_clock));
        m_offset = new TextLabel;
        m_offset->setDim(true);
        m_offset->setObjectName(u"offset"_s);
        m_offset->setToolTip(m_text.offset.isEmpty() ? tr("The offset of this computer")
                                                     : tr("The offset in the text"));
        row->addWidget(m_offset);
        showOffset();
        connect(m_clock, &QTimeEdit::timeChanged, this, &TimePicker::showOffset);
        if (m_calendar)
            connect(m_calendar, &QCalendarWidget::selectionChanged, this, &TimePicker::showOffset);
    }
    row->addStretch(1);
    auto *today = new FlatButton(kind == TimeText::Kind::Date ? tr("Today") : tr("Now"));
    today->setObjectName(u"now"_s);
    today->setFramed(true);
    row->addWidget(today);
    connect(today, &FlatButton::clicked, this, &TimePicker::showNow);
    if (kind != TimeText::Kind::Date) {
        auto *done = new FlatButton(tr("OK"));
        done->setObjectName(u"pick"_s);
        done->setFramed(true);
        row->addWidget(done);
        connect(done, &FlatButton::clicked, this, &TimePicker::pick);
    }
    if (m_calendar)
        m_calendar->setFocus();
    else
        m_clock->setFocus();
}

void TimePicker::addCalendar(const QDate &date)
{
    m_calendar = new QCalendarWidget;
    m_calendar->setObjectName(u"calendar"_s);
    m_calendar->setAccessibleName(tr("Date"));
    m_calendar->setVerticalHeaderFormat(QCalendarWidget::NoVerticalHeader);
    m_calendar->setHorizontalHeaderFormat(QCalendarWidget::ShortDayNames);
    m_calendar->setDateEditEnabled(false);
    m_calendar->setDateRange(QDate(1, 1, 1), QDate(9999, 12, 31));
    m_calendar->setSelectedDate(date);
    m_calendar->setMinimumWidth(CalendarWidth);
    // Qt's own arrows are pictures in green, and its bar looks like a selection.
    if (auto *bar = m_calendar->findChild<QWidget *>(u"qt_calendar_navigationbar"_s))
        bar->setBackgroundRole(QPalette::Base);
    for (const auto &[name, arrow] :
         {std::pair(u"qt_calendar_prevmonth"_s, u"◂"_s), {u"qt_calendar_nextmonth"_s, u"▸"_s}}) {
        if (auto *button = m_calendar->findChild<QToolButton *>(name)) {
            button->setIcon({});
            button->setText(arrow);
        }
    }
    // Red weekends would look like errors.
    QTextCharFormat plain;
    plain.setForeground(colors().text);
    for (int day = Qt::Monday; day <= Qt::Sunday; ++day)
        m_calendar->setWeekdayTextFormat(Qt::DayOfWeek(day), plain);
    layout()->addWidget(m_calendar);
    connect(m_calendar, &QCalendarWidget::activated, this, &TimePicker::pick);
    if (m_kind == TimeText::Kind::Date)
        connect(m_calendar, &QCalendarWidget::clicked, this, &TimePicker::pick);
}

void TimePicker::addClock(const QTime &time)
{
    m_clock = new QTimeEdit(time);
    m_clock->setObjectName(u"clock"_s);
    m_clock->setAccessibleName(tr("Time"));
    m_clock->setDisplayFormat(u"HH:mm:ss"_s);
    m_clock->setFrame(false);
    m_clock->setFixedHeight(inputHeight() - 2);
    m_clock->setWrapping(true);
}

void TimePicker::showAt(const QWidget *input)
{
    adjustSize();
    const QRect room = input->screen()->availableGeometry();
    const QPoint below = input->mapToGlobal(QPoint(0, input->height() + 1));
    const QPoint above = input->mapToGlobal(QPoint(0, -height() - 1));
    const int top = below.y() + height() <= room.bottom() || above.y() < room.top() ? below.y() : above.y();
    move(qBound(room.left(), below.x(), qMax(room.left(), room.right() - width())), top);
    show();
}

// Summer time may make it another one.
void TimePicker::showOffset()
{
    const QDate date = m_calendar ? m_calendar->selectedDate() : QDate();
    const QString offset = m_text.offset.isEmpty() ? localOffset(date, m_clock->time()) : m_text.offset.toUpper();
    m_offset->setText(offset == "Z"_L1 ? u"UTC"_s : u"UTC"_s + offset);
}

// Of a date alone, that is the choice.
void TimePicker::showNow()
{
    const QDateTime now = m_text.now();
    if (m_clock)
        m_clock->setTime(now.time());
    if (m_calendar)
        m_calendar->setSelectedDate(now.date());
    if (!m_clock)
        pick();
}

void TimePicker::pick()
{
    if (!isVisible())
        return;
    const QDate date = m_calendar ? m_calendar->selectedDate() : m_text.date;
    const QTime time = m_clock ? m_clock->time() : QTime();
    Q_EMIT picked(m_text.picked(m_kind, date, time));
    close();
}

void TimePicker::keyPressEvent(QKeyEvent *event)
{
    if (isPlainEnter(event))
        pick();
    else if (event->key() == Qt::Key_Escape)
        close();
    else
        QFrame::keyPressEvent(event);
}

void TimePicker::hideEvent(QHideEvent *event)
{
    QFrame::hideEvent(event);
    Q_EMIT closed();
}

void TimePicker::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(colors().border);
    painter.setBrush(colors().panel);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace sonde::ui
