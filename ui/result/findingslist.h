// Our remarks beside a result: teal, one line each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

class QVBoxLayout;

namespace sonde::ui {

class TextLabel;

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
    QStringList m_findings;
    QVBoxLayout *m_layout;
    TextLabel *m_more;
};

}  // namespace sonde::ui
