// The message exactly as it was received.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QWidget>

namespace sonde::ui {

class BlockCaption;
class TextView;

class RawPage : public QWidget {
    Q_OBJECT
public:
    explicit RawPage(QWidget *parent = nullptr);
    // Laid out when it is first shown.
    void setMessage(const QByteArray &raw);

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
