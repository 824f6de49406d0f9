// Findings beside a result, in teal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

class QMenu;
class QVBoxLayout;

namespace sonde::ui {

class FlatButton;

// Is searched by the page that it is part of (see PageFind).
class FindingsList : public QWidget {
    Q_OBJECT
public:
    explicit FindingsList(QWidget *parent = nullptr);
    // For little room: one line each, only the first two. allRequested() leads to the others.
    void setBrief();
    void setLow(bool isLow);  // only the first one, until all are asked for
    void clear();
    void add(const QString &finding);  // the same one only once
    const QStringList &findings() const { return m_findings; }

Q_SIGNALS:
    void allRequested();              // of a brief one
    void menuRequested(QMenu *menu);  // is about to be shown

protected:
    void paintEvent(QPaintEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    class Source;
    void showFirst(qsizetype count);
    void addLabel(const QString &finding);
    void updateMore();
    void copyAll() const;
    QStringList m_findings;
    bool m_isBrief = false;
    bool m_isLow = false;
    qsizetype m_shown = 0;  // no more labels than this
    QVBoxLayout *m_layout;
    FlatButton *m_more;
    Source *m_findSource;
    QList<qsizetype> m_found;  // findings that have the word
    qsizetype m_current = -1;  // of those, the match that is shown
};

}  // namespace sonde::ui
