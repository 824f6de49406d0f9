// What a call tab is about: icon, title and badges.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/panels/offermodel.h"

#include <QWidget>

class QBoxLayout;
class QHBoxLayout;

namespace sonde::ui {

class OfferIconLabel;
class TextLabel;

// Badges and the control are beside the title, or below it where that would have to be cut.
class SubjectHead : public QWidget {
    Q_OBJECT
public:
    explicit SubjectHead(QWidget *parent = nullptr);
    // server: the name of the one whose icons these are.
    void setContent(const QString &title, const json::Value &icons, const QString &server,
                    const QList<OfferBadge> &badges);
    void addControl(QWidget *control);  // at the right; at most one
    void setLow(bool isLow);            // one line: without badges, and with a small title

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();
    void placeTitle();

    OfferIconLabel *m_icon;
    TextLabel *m_title;
    QHBoxLayout *m_titleRow;
    QHBoxLayout *m_badges;  // and the control
    QWidget *m_control = nullptr;
    QBoxLayout *m_layout;
    bool m_isLow = false;
};

}  // namespace sonde::ui
