// Read-only viewer for text of any size and line length.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractScrollArea>
#include <QByteArray>
#include <QColor>
#include <QList>
#include <memory>
#include <utility>

class QMenu;

namespace sonde::ui {

// Draws only the visible part: 10 MB shows in milliseconds, also on one line (lines wrap, or break at about 4,000
// characters). Selection by mouse and keyboard, copy (the original bytes), find (see PageFind), context menu,
// accessible text. Control and bidi characters are drawn as marks. Has no background or frame.
class TextView : public QAbstractScrollArea {
    Q_OBJECT
public:
    enum class Highlight { None, Json };

    explicit TextView(QWidget *parent = nullptr);
    ~TextView() override;

    void setText(const QByteArray &utf8, Highlight highlight = Highlight::None);
    QByteArray text() const;
    void setFlush();  // without margins: lines up with the text above and below it
    void setWordWrap(bool wrap);
    bool wordWrap() const;
    // Lines with these bytes have the tone's soft background colour and its sign.
    struct Tint {
        qsizetype offset = 0;
        qsizetype length = 0;
        Tone tone = Tone::Neutral;
        QString sign;
    };
    void setTints(const QList<Tint> &tints);
    // Beside the line of the text that begins there, in a column of their own, so that no text can pass for one. A
    // second line of the caption is beside the next line on the screen, where the text wraps. In the order of the
    // offsets.
    struct Caption {
        qsizetype offset = 0;
        QString text;
        Tone tone = Tone::Neutral;
    };
    void setCaptions(const QList<Caption> &captions);
    void showOffset(qsizetype offset);                        // scrolls there
    void setMarkedRange(qsizetype offset, qsizetype length);  // bytes; scrolls there. Length 0: none
    std::pair<qsizetype, qsizetype> markedRange() const;      // offset and length, as set
    // Findings, drawn after the line that holds the byte.
    void setFindings(const QList<std::pair<qsizetype, QString>> &findings);
    QString selectedText() const;
    void selectAll();
    void copy() const;                   // the selection, or everything
    int columnsBesideScrollBar() const;  // that fit on a line, also where a vertical scroll bar is needed
    // The height of all lines at the current width, at most maxHeight: for blocks in a scrolling page.
    int heightForLines(int maxHeight) const;
    // The visible text between these lines of the viewport, including marks; for assistive tools.
    QString shownText() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void clicked(qsizetype offset);  // a byte of the text; not when a selection was made
    // The context menu is about to be shown at this byte. What is added comes after the entries of the view.
    void menuRequested(QMenu *menu, qsizetype offset);

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
    class Accessible;
    class Private;
    class Source;
    std::unique_ptr<Private> d;
};

}  // namespace sonde::ui
