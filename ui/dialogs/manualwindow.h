// The manual: the pages of the documentation, in a window of their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/dialogs/manualpages.h"

#include <QDialog>
#include <QList>
#include <QUrl>

class QAction;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QTreeWidget;
class QTreeWidgetItem;

namespace sonde::ui {

class ManualBrowser;
class TextLabel;

// Contents at the left, or what a search over all pages found. Nothing is fetched: a link that leads elsewhere is only
// named. Ctrl+F finds in the page.
class ManualWindow : public QDialog {
    Q_OBJECT
public:
    // folder: of the pages and their index, which are resources: ":/manual".
    explicit ManualWindow(const QString &folder, QWidget *parent = nullptr);

    void showPlace(const QString &place);  // "manual/forms.md#json"; a page that there is not: the first
    QString currentPage() const;           // "manual/forms.md"

Q_SIGNALS:
    void pageShown(const QString &page);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Visit {
        QString path;
        int scroll = 0;
    };
    QWidget *makeSide();
    QWidget *makeContent();
    QAction *makeStep(const QString &name, const QString &text, const QKeySequence &keys, int by);
    void fillContents();
    void search();
    void openHit(const QListWidgetItem *item);
    void openContents(QTreeWidgetItem *item);
    void visit(const ManualPlace &place);  // a step of the history, unless it is there already
    void step(int by);                     // in the history
    void showPage(const QString &path);    // unless it is shown
    void showAgain();                      // with other colours
    void follow(const QUrl &link);
    void say(const QString &message);
    void updateSteps();

    ManualPages m_pages;
    QLineEdit *m_line;
    QTreeWidget *m_contents;
    QListWidget *m_hits;
    TextLabel *m_count;
    ManualBrowser *m_browser;
    TextLabel *m_message;
    QAction *m_back;
    QAction *m_forward;
    QList<ManualHit> m_found;
    QList<Visit> m_visits;
    qsizetype m_visit = -1;
    QString m_shown;
};

}  // namespace sonde::ui
