// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/focusring.h"

#include "ui/theme/theme.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QPlainTextEdit>
#include <QTabBar>

namespace sonde::ui {

namespace {

// Masked, so that scrolling what is under it stays cheap.
class RingFrame final : public QWidget {
public:
    explicit RingFrame(QWidget *around) : QWidget(around)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoChildEventsForParent);
        around->installEventFilter(this);
        fit();
        raise();
        show();
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (watched == parent() && event->type() == QEvent::Resize)
            fit();
        return false;
    }

protected:
    void paintEvent(QPaintEvent *) override { QPainter(this).fillRect(rect(), colors().accent); }

private:
    void fit()
    {
        setGeometry(parentWidget()->rect());
        const int width = focusPen().width();
        setMask(QRegion(rect()) - QRegion(rect().adjusted(width, width, -width, -width)));
    }
};

// What the ring is around while that widget has the focus; null: it is drawn with its focus.
QWidget *ringed(QWidget *focused)
{
    auto *area = qobject_cast<QAbstractScrollArea *>(focused);
    // A dialog opens with its focus somewhere that nobody has chosen.
    const bool isSeen = area && (focused->window()->testAttribute(Qt::WA_KeyboardFocusChange) ||
                                 focused->window()->windowType() == Qt::Dialog);
    // An input's text has a box around it.
    const bool hasBox = area && area->frameShape() == QFrame::NoFrame && qobject_cast<QPlainTextEdit *>(area);
    return isSeen && !hasBox ? area : nullptr;
}

}  // namespace

FocusRing::FocusRing(const QApplication *app, QObject *parent) : QObject(parent)
{
    connect(app, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) { onFocusChanged(now); });
}

FocusRing::~FocusRing()
{
    delete m_frame;
}

void FocusRing::onFocusChanged(QWidget *now)
{
    // The current tab shows the focus of its bar, which may have been scrolled away from it. Qt scrolls back to it when
    // anything is set.
    if (auto *bar = qobject_cast<QTabBar *>(now))
        bar->setElideMode(bar->elideMode());
    QWidget *around = ringed(now);
    if (m_frame && m_frame->parentWidget() == around)
        return;
    delete m_frame;
    if (around)
        m_frame = new RingFrame(around);
}

}  // namespace sonde::ui
