// Read-only viewer for text of any size, with any length of line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractScrollArea>
#include <QByteArray>
#include <QColor>
#include <QList>
#include <memory>
#include <utility>

namespace sonde::ui {

// Draws only what is visible: 10 MB shows in milliseconds, also on one line (lines are wrapped or hard-broken at
// about 4,000 characters). Selection by mouse and keyboard, copy (the original bytes), find, context menu, accessible
// text. Control and bidi characters are drawn as marks. Has no background and no frame of its own.
class TextView : public QAbstractScrollArea {
    Q_OBJECT
public:
    enum class Highlight { None, Json };

    explicit TextView(QWidget *parent = nullptr);
    ~TextView() override;

    void setText(const QByteArray &utf8, Highlight highlight = Highlight::None);
    QByteArray text() const;
    void setWordWrap(bool wrap);
    bool wordWrap() const;
    // Lines that these bytes touch stand on the tone's soft colour, with the sign before them.
    struct Tint {
        qsizetype offset = 0;
        qsizetype length = 0;
        Tone tone = Tone::Neutral;
        QString sign;
    };
    void setTints(const QList<Tint> &tints);
    void setMarkedRange(qsizetype offset, qsizetype length);  // bytes; scrolls there. Length 0: none
    std::pair<qsizetype, qsizetype> markedRange() const;      // offset and length, as set
    // Remarks drawn behind the line that holds the byte.
    void setRemarks(const QList<std::pair<qsizetype, QString>> &remarks);
    // Selects the next place, around the end if need be. Without capitals in the needle, case does not matter.
    bool find(const QString &needle, bool forward = true);
    QString selectedText() const;
    void selectAll();
    void copy() const;  // the selection, or everything
    // The height that shows all lines at the present width, at most maxHeight: for blocks inside a scrolling page.
    int heightForLines(int maxHeight) const;
    // What is drawn between these lines of the viewport, marks and all; what assistive tools read.
    QString shownText() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void clicked(qsizetype offset);  // a byte of the text; not when a selection was made

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde::ui
