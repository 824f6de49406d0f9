// A tab that compares two servers, live or recorded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/compareentry.h"

#include <QWidget>

class QPushButton;
class QStackedWidget;

namespace sonde::ui {

class Badge;
class Banner;
class CompareDetails;
class CompareList;
class EmptyState;
class SideLabel;

// Shows the two sides that it is given; its owner chooses them and says when to read them again. Compares on a worker
// thread, and cancels when it is closed.
class ComparePanel : public QWidget {
    Q_OBJECT
public:
    explicit ComparePanel(QWidget *parent = nullptr);
    ~ComparePanel() override;

    // Compares again. The old result stays until the new one is there. If a side has an error, it is shown.
    void setSides(const CompareSide &left, const CompareSide &right);
    // A note about one side in place of its date, such as "not connected; last known offering". Empty for none.
    void setNote(bool isLeft, const QString &note);
    bool isComparing() const { return m_comparing != nullptr; }
    QString title() const;  // of the tab

Q_SIGNALS:
    void swapRequested();
    void refreshRequested();
    void finished();  // a comparison is shown
    void titleChanged(const QString &title);

private:
    QWidget *makeHeader();
    void showSides(const std::shared_ptr<const ComparedSides> &sides);
    void showVerdict();
    void showBadges();
    void cancel();

    std::shared_ptr<const ComparedSides> m_sides;
    std::shared_ptr<std::atomic_bool> m_cancelled;
    QString m_leftName;
    QString m_rightName;
    std::unique_ptr<QObject> m_comparing;  // whose result is waited for

    SideLabel *m_left;
    SideLabel *m_right;
    QPushButton *m_swap;
    QPushButton *m_refresh;
    Badge *m_changed;
    Badge *m_added;
    Badge *m_removed;
    Banner *m_verdict;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    CompareList *m_list;
    CompareDetails *m_details;
};

}  // namespace sonde::ui
