// What is wrong with a form, in one line that leads to the first of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractButton>

namespace sonde::ui {

// "3 problems: a, b, c · you can still send it". Where there is no room its end goes first, then the places are cut
// with "…"; tool tip and accessible name have all of it. Clicked or pressed like a button; hidden while it says
// nothing.
class ProblemLine : public QAbstractButton {
    Q_OBJECT
public:
    explicit ProblemLine(QWidget *parent = nullptr);
    void clear();
    void setProblems(QStringList places);  // of each problem, as the schema writes it; "" for the whole
    void setError(const QString &text);    // a sentence, in the colour of an error
    // All of it. Not text(), in which an & would make a key.
    QString sentence() const { return m_lead + m_places + m_rest; }
    QString shownText() const;  // as it is drawn at this width
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void say(const QString &lead, const QString &places, const QString &rest);
    QString m_lead;
    QString m_places;
    QString m_rest;
    bool m_isError = false;
};

}  // namespace sonde::ui
