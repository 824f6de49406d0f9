// Findings beside a result, in teal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

class QVBoxLayout;

namespace sonde::ui {

class FlatButton;

class FindingsList : public QWidget {
    Q_OBJECT
public:
    explicit FindingsList(QWidget *parent = nullptr);
    // For little room: one line each, only the first two. allRequested() leads to the others.
    void setBrief();
    void clear();
    void add(const QString &finding);  // the same one only once
    const QStringList &findings() const { return m_findings; }

Q_SIGNALS:
    void allRequested();  // of a brief one

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void addLabel(const QString &finding);
    void updateMore();
    QStringList m_findings;
    bool m_isBrief = false;
    qsizetype m_shown = 0;  // no more labels than this
    QVBoxLayout *m_layout;
    FlatButton *m_more;
};

}  // namespace sonde::ui
