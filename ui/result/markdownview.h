// Markdown from a server, rendered without loading anything.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTextBrowser>
#include <memory>

class QMenu;

namespace sonde::ui {

class DocumentFind;

// Images are replaced by their descriptions, and HTML is shown as text. A link shows its address and has a menu;
// nothing is opened without it. A worker reads the text. Is searched by the page that it is part of (see PageFind).
class MarkdownView : public QTextBrowser {
    Q_OBJECT
public:
    // A larger text takes too long to be laid out.
    static constexpr qsizetype MaxBytes = 128 * 1024;

    explicit MarkdownView(QWidget *parent = nullptr);
    ~MarkdownView() override;
    void setMarkdownText(const QByteArray &utf8);
    // The height of the text at the current width, at most maxHeight: for blocks in a scrolling page.
    int heightForText(int maxHeight) const;
    QVariant loadResource(int type, const QUrl &name) override;

Q_SIGNALS:
    void heightChanged();
    void linkActivated(const QString &address);  // to be opened, once the user has agreed
    void menuRequested(QMenu *menu);             // is about to be shown

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void read();
    void showLinkMenu(const QUrl &link);

    QByteArray m_markdown;
    std::shared_ptr<QTextDocument> m_read;
    int m_asked = 0;  // the result of an earlier reading is dropped
    DocumentFind *m_findSource;
};

}  // namespace sonde::ui
