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

// Shows what it is given; who the two are and when they are read again is somebody else's business. Compares on a
// worker thread, and gives up there when it is closed.
class ComparePanel : public QWidget {
    Q_OBJECT
public:
    explicit ComparePanel(QWidget *parent = nullptr);
    ~ComparePanel() override;

    // Compares anew. What is shown stays until the result is there. A side with an error is shown with it.
    void setSides(const CompareSide &left, const CompareSide &right);
    // A remark on one side in place of its date: "not connected: this is what it offered before". Empty for none.
    void setNote(bool isLeft, const QString &note);
    bool isComparing() const { return m_isComparing; }
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
    quint64 m_generation = 0;
    bool m_isComparing = false;

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
