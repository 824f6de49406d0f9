// The problems of a form in one line that leads to the first of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractButton>

namespace sonde::ui {

struct FormIssue;

// "2 problems: a; list, item 1 · 1 remark · you can still send it". If there is no room, the end is dropped first
// and then the places are elided; tool tip and accessible name have the full text. Acts as a button; hidden if there
// are no problems.
class ProblemLine : public QAbstractButton {
    Q_OBJECT
public:
    explicit ProblemLine(QWidget *parent = nullptr);
    void clear();
    void setIssues(const QList<FormIssue> &issues);
    void setError(const QString &text);  // a sentence, in the colour of an error
    // The full text. Not text(), in which "&" would mark a mnemonic.
    QString sentence() const;
    QString shownText() const;  // as it is drawn at this width
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void say(const QString &count, const QString &places, const QString &rest);
    QString m_count;  // "3 problems"
    QString m_places;
    QString m_rest;
    bool m_isError = false;
};

}  // namespace sonde::ui
