// Our remarks beside a result: teal, one line each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace sonde::ui {

class FindingsList : public QWidget {
    Q_OBJECT
public:
    explicit FindingsList(QWidget *parent = nullptr);
    void clear();
    void add(const QString &finding);  // the same one only once
    const QStringList &findings() const { return m_findings; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void addLabel(const QString &finding);
    void updateMore();
    QStringList m_findings;
    qsizetype m_shown = 0;  // no more labels than this
    QVBoxLayout *m_layout;
    QToolButton *m_more;
};

}  // namespace sonde::ui
