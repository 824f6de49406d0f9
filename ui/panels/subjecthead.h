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

// The badges are beside the title, or below it where that would have to be cut.
class SubjectHead : public QWidget {
    Q_OBJECT
public:
    explicit SubjectHead(QWidget *parent = nullptr);
    // server: the name of the one whose icons these are.
    void setContent(const QString &title, const json::Value &icons, const QString &server,
                    const QList<OfferBadge> &badges);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();

    OfferIconLabel *m_icon;
    TextLabel *m_title;
    QHBoxLayout *m_titleRow;
    QHBoxLayout *m_badges;
    QBoxLayout *m_layout;
};

}  // namespace sonde::ui
