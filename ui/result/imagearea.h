// An image with its zoom.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QKeyEvent;
class QMenu;
class QScrollArea;
class QVBoxLayout;

namespace sonde::ui {

class ImageView;

// As high as its image while that fits the width. Magnified, it scrolls within a limited height.
class ImageArea : public QWidget {
    Q_OBJECT
public:
    ImageArea(ImageView *image, QWidget *parent);
    void addZoomActions(QMenu *menu);
    // + and − magnify, 1 shows the natural size, 0 fits the width. False: the event is for another key.
    bool zoomOnKey(const QKeyEvent *event);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void setZoom(int percent);
    void setScrolled(bool isScrolled);
    void fit();

    ImageView *m_image;
    QVBoxLayout *m_layout;
    QScrollArea *m_scroll = nullptr;  // while it is magnified
};

}  // namespace sonde::ui
