// The manual: the pages of the documentation, in a window of their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QList>
#include <QUrl>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace sonde::ui {

class TextLabel;

// Markdown, without pictures. Nothing is fetched: a link that leads elsewhere is only named.
class ManualWindow : public QDialog {
    Q_OBJECT
public:
    // folder: of the pages, which are resources: ":/manual".
    explicit ManualWindow(const QString &folder, QWidget *parent = nullptr);

    void showPage(const QString &name);  // "filter-language"; one that there is not: the first

private:
    struct Page {
        QString name;
        QString title;
        QString text;
    };
    void readPages(const QString &folder);
    void filter();
    void showCurrent();
    void showText(const QString &markdown);
    void findNext();
    void follow(const QUrl &link);

    QList<Page> m_pages;
    QLineEdit *m_line;
    QListWidget *m_list;
    QTextBrowser *m_browser;
    TextLabel *m_message;
    int m_shown = -1;
};

}  // namespace sonde::ui
