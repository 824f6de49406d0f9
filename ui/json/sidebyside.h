// Two JSON texts beside each other, with what differs marked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/sidebysidetext.h"

#include <QWidget>

namespace sonde::ui {

class TextLabel;
class TextView;

// Both are laid out and scroll together; lines that differ stand on a colour, with a sign before them: − only at the
// left, + only at the right, ≠ changed, ≈ the same value written otherwise. Large texts are laid out on a worker.
class SideBySide : public QWidget {
    Q_OBJECT
public:
    explicit SideBySide(QWidget *parent = nullptr);

    void setTitles(const QString &left, const QString &right);
    // differences: as json::diff() found them between the two roots. Broken JSON is shown as it is.
    void setDocuments(const json::Document &left, const json::Document &right,
                      const QList<json::Difference> &differences);
    // The same for parts of documents; one that is missing leaves its side empty.
    void setValues(const json::Value &left, const json::Value &right, const QList<json::Difference> &differences);
    // The height that shows all lines, titles and frames, at most this; what is still laid out counts as nothing.
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
