// Two JSON texts side by side, with their differences marked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/sidebysidetext.h"

#include <QWidget>

namespace sonde::ui {

class TextLabel;
class TextView;

// Both are formatted and scroll together; different lines have a colour and a sign: − only on the left, + only on the
// right, ≠ changed, ≈ the same value with a different spelling. Large texts are formatted on a worker.
class SideBySide : public QWidget {
    Q_OBJECT
public:
    explicit SideBySide(QWidget *parent = nullptr);

    void setTitles(const QString &left, const QString &right);
    // differences: from json::diff() of the two roots. Invalid JSON is shown unchanged.
    void setDocuments(const json::Document &left, const json::Document &right,
                      const QList<json::Difference> &differences);
    // The same for parts of documents; a missing one leaves its side empty.
    void setValues(const json::Value &left, const json::Value &right, const QList<json::Difference> &differences);
    // The height for all lines, titles and frames, at most this; texts that are still being formatted count as empty.
    int heightForLines(int maxHeight) const;
    void showDifference(qsizetype index);  // scrolls both sides there and marks it; -1 marks none

Q_SIGNALS:
    void differenceClicked(qsizetype index);

private:
    void layOut(const SideBySideSource &left, const SideBySideSource &right);
    void showText(const SideBySideText &text);
    void scrollTogether(TextView *from, TextView *to);
    qsizetype differenceAt(const QList<SideBySideText::Range> &ranges, qsizetype offset) const;

    QList<json::Difference> m_differences;
    SideBySideText m_text;
    qsizetype m_shown = -1;
    int m_generation = 0;
    TextLabel *m_leftTitle;
    TextLabel *m_rightTitle;
    TextView *m_left;
    TextView *m_right;
};

}  // namespace sonde::ui
