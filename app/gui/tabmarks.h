// Which tab is a preview, and which ones are pinned.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>

class QTabWidget;
class QWidget;

namespace sonde::app {

// A preview is the one tab that the next preview takes over; its name is in italics. Pinned tabs stay at the left and
// have an icon. A tab is only one of both. Does not own the tabs.
class TabMarks : public QObject {
    Q_OBJECT
public:
    explicit TabMarks(QTabWidget *tabs, QObject *parent = nullptr);

    QWidget *preview() const;        // null: there is none
    void setPreview(QWidget *page);  // the former one is kept
    void forget(QWidget *page);      // its tab goes
    void keep(const QWidget *page);  // it is no preview any more
    bool isPinned(const QWidget *page) const;
    void setPinned(QWidget *page, bool pinned);

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void sort();
    QTabWidget *m_tabs;
    QPointer<QWidget> m_preview;
};

}  // namespace sonde::app
