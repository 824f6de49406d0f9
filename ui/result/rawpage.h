// The message exactly as it was received.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QWidget>

class QMenu;

namespace sonde::ui {

class BlockCaption;
class TextView;

class RawPage : public QWidget {
    Q_OBJECT
public:
    explicit RawPage(QWidget *parent = nullptr);
    // Laid out when it is first shown.
    void setMessage(const QByteArray &raw);
    QString selectedText() const;

Q_SIGNALS:
    void menuRequested(QMenu *menu, qsizetype offset);  // at this byte of the message; is about to be shown

protected:
    void showEvent(QShowEvent *event) override;

private:
    void layOut();

    QByteArray m_raw;
    bool m_isLaidOut = true;
    BlockCaption *m_caption;
    TextView *m_text;
};

}  // namespace sonde::ui
