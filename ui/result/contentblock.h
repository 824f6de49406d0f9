// A content block of a response, shown by its type.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/types.h"
#include "ui/result/payload.h"
#include "ui/result/resultmenus.h"

#include <QWidget>
#include <functional>

class QMenu;
class QVBoxLayout;

namespace sonde::ui {

class AudioView;
class BlockCaption;
class ImageArea;
class TextBlock;

// Text, image, audio, resource link, embedded resource, or anything else as JSON. Large payloads are decoded on a
// worker and appear afterwards.
class ContentBlock : public QWidget {
    Q_OBJECT
public:
    // captioned: plain text gets a caption too (if there are several blocks).
    ContentBlock(const Content &content, bool captioned, QWidget *parent = nullptr);
    void setMaxTextHeight(int height);
    // Of a text that is the same JSON, shows one line in its place, with a button that shows the text.
    void foldIfSameAs(const json::Value &structuredContent);

Q_SIGNALS:
    void found(const QString &finding);
    void resourceActivated(const QString &uri);
    void linkActivated(const QString &address);  // to be opened in a browser, once the user has agreed
    // A context menu is about to be shown, with all entries about what is in this block.
    void menuRequested(QMenu *menu, const sonde::ui::MenuPlace &place);

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void addTextBlock(TextBlock *block);
    void addActions(QMenu *menu);
    void showText(bool captioned);
    void showLink();
    void showCarried();
    void showPayload(const Payload &payload);
    void showImage(const Payload &payload, BlockCaption *head);
    void copyImage(const QByteArray &bytes, BlockCaption *head);
    void tellFindings(const QStringList &findings);
    void addSaveButton(BlockCaption *caption, const std::function<QByteArray()> &bytes);
    QString captionText(const QString &what) const;
    QString notesText() const;
    void fold();
    Content m_content;
    QVBoxLayout *m_layout;
    AudioView *m_audio = nullptr;
    ImageArea *m_image = nullptr;
    int m_maxTextHeight = 420;
    // What its menu and keys can do beside what a button says. Empty: nothing.
    std::function<void()> m_copyImage;
    std::function<void()> m_save;
};

}  // namespace sonde::ui
