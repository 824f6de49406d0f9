// SPDX-License-Identifier: Apache-2.0
#include "ui/result/imagearea.h"

#include "ui/result/imageview.h"

#include <QKeyEvent>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace sonde::ui {

namespace {

constexpr std::array Zooms{25, 50, 100, 200, 400, 800};  // percent
constexpr int MaxMagnifiedHeight = 480;
constexpr int MaxMagnifiedSide = 16'000;  // px

}  // namespace

ImageArea::ImageArea(ImageView *image, QWidget *parent)
    : QWidget(parent), m_image(image), m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("imageArea"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->addWidget(image);
}

void ImageArea::addZoomActions(QMenu *menu)
{
    const auto add = [&](const QString &text, int percent, Qt::Key key) {
        QAction *action = menu->addAction(text, this, [this, percent] { setZoom(percent); });
        action->setCheckable(true);
        action->setChecked(m_image->zoom() == percent);
        if (key != Qt::Key_unknown)
            action->setShortcut(key);
    };
    add(tr("Fit width"), 0, Qt::Key_0);
    for (const int percent : Zooms)
        add(tr("%1%").arg(percent), percent, percent == 100 ? Qt::Key_1 : Qt::Key_unknown);
}

bool ImageArea::zoomOnKey(const QKeyEvent *event)
{
    const int now = m_image->zoom() == 0 ? 100 : m_image->zoom();
    if (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal) {
        const auto *next = std::upper_bound(Zooms.begin(), Zooms.end(), now);
        setZoom(next == Zooms.end() ? Zooms.back() : *next);
    } else if (event->key() == Qt::Key_Minus) {
        const auto *next = std::lower_bound(Zooms.begin(), Zooms.end(), now);
        setZoom(next == Zooms.begin() ? Zooms.front() : *(next - 1));
    } else if (event->key() == Qt::Key_1) {
        setZoom(100);
    } else if (event->key() == Qt::Key_0) {
        setZoom(0);
    } else {
        return false;
    }
    return true;
}

// What is wider than any screen would be no more than a waste of memory.
void ImageArea::setZoom(int percent)
{
    const QSize natural = m_image->naturalSize();
    const int longest = std::max({natural.width(), natural.height(), 1});
    if (percent > 100)
        percent = std::max(100, std::min(percent, int(qint64(MaxMagnifiedSide) * 100 / longest)));
    m_image->setZoom(percent);
    setScrolled(percent > 0);
    if (m_scroll)
        m_image->resize(m_image->sizeHint());
    fit();
}

void ImageArea::setScrolled(bool isScrolled)
{
    if (isScrolled == (m_scroll != nullptr))
        return;
    const bool hadFocus = m_image->hasFocus();
    if (isScrolled) {
        m_layout->removeWidget(m_image);
        m_scroll = new QScrollArea(this);
        m_scroll->setFrameShape(QFrame::NoFrame);
        m_scroll->setFocusPolicy(Qt::NoFocus);  // the image has it
        m_scroll->viewport()->setAutoFillBackground(false);
        m_scroll->setWidget(m_image);
        m_image->setAutoFillBackground(false);
        m_layout->addWidget(m_scroll);
    } else {
        m_layout->addWidget(m_scroll->takeWidget());
        m_layout->removeWidget(m_scroll);
        m_scroll->hide();
        m_scroll->deleteLater();  // its key may be on its way through it
        m_scroll = nullptr;
        m_image->show();
    }
    if (hadFocus)
        m_image->setFocus();
}

void ImageArea::fit()
{
    if (!m_scroll)
        return;
    const int bar = m_image->width() > width() ? m_scroll->horizontalScrollBar()->sizeHint().height() : 0;
    const int height = std::min(m_image->height() + bar, MaxMagnifiedHeight);
    if (m_scroll->height() != height)
        m_scroll->setFixedHeight(height);
}

void ImageArea::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

}  // namespace sonde::ui
