// One block of content of a response, drawn by what it carries.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/types.h"
#include "ui/result/payload.h"

#include <QWidget>
#include <functional>

class QVBoxLayout;

namespace sonde::ui {

class BlockCaption;

// Text, picture, sound, link to a resource, embedded resource, or whatever else came, shown as JSON. Large payloads are
// decoded on a worker and appear when that is done.
class ContentBlock : public QWidget {
    Q_OBJECT
public:
    // captioned: say also of plain text that it is text (where there are several blocks).
    ContentBlock(const Content &content, bool captioned, QWidget *parent = nullptr);
    void setMaxTextHeight(int height);

Q_SIGNALS:
    void found(const QString &finding);
    void resourceActivated(const QString &uri);

private:
    void showText(bool captioned);
    void showLink();
    void showCarried();
    void showPayload(const Payload &payload);
    void addSaveButton(BlockCaption *caption, const std::function<QByteArray()> &bytes);
    QString captionText(const QString &what) const;
    Content m_content;
    QVBoxLayout *m_layout;
    int m_maxTextHeight = 420;
};

}  // namespace sonde::ui
