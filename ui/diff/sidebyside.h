// Two JSON texts side by side, with their differences marked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/diff/sidebysidetext.h"

#include <QWidget>
#include <memory>

namespace sonde::ui {

class TextLabel;
class TextView;

// Both are formatted, also the JSON in strings that differs, and scroll together; different lines have a colour and a
// sign: − only on the left, + only on the right, ≠ changed, ≈ the same value with a different spelling. Large texts are
// formatted on a worker.
class SideBySide : public QWidget {
    Q_OBJECT
public:
    explicit SideBySide(QWidget *parent = nullptr);

    void setTitles(const QString &left, const QString &right);
    // Documents or parts of them; where one is missing, the other is shown alone. Invalid JSON is shown unchanged.
    // differences: those from json::diff() that count.
    void setSides(const SideBySideSource &left, const SideBySideSource &right,
                  const QList<json::Difference> &differences);
    // The height for all lines, titles and frames, at most this; texts that are still being formatted count as empty.
    int heightForLines(int maxHeight) const;
    void showDifference(qsizetype index);  // scrolls both sides there and marks it; -1 marks none

Q_SIGNALS:
    void differenceClicked(qsizetype index);

private:
    void hideIf(bool isMissing, TextLabel *title, TextView *view, int column);
    void showText(const SideBySideText &text);
    void scrollTogether(TextView *from, TextView *to);
    qsizetype differenceAt(const QList<SideBySideText::Range> &ranges, qsizetype offset) const;

    SideBySideText m_text;
    qsizetype m_shown = -1;
    std::unique_ptr<QObject> m_layingOut;  // whose result is waited for
    TextLabel *m_leftTitle;
    TextLabel *m_rightTitle;
    TextLabel *m_embedded;
    TextView *m_left;
    TextView *m_right;
};

}  // namespace sonde::ui
