// A prompt next to the steps: a sentence, its subject and buttons.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

#include <QFrame>

class QHBoxLayout;
class QPushButton;

namespace sonde::ui {

class TextLabel;

// Hidden until setContent(); its owner hides it after the decision.
class ReplayPrompt : public QFrame {
    Q_OBJECT
public:
    explicit ReplayPrompt(QWidget *parent = nullptr);

    void setContent(Tone tone, const QString &title, const QString &text);
    QPushButton *addButton(const QString &text, const QString &objectName);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Tone m_tone = Tone::Neutral;
    TextLabel *m_title;
    TextLabel *m_text;
    QHBoxLayout *m_row;
};

}  // namespace sonde::ui
