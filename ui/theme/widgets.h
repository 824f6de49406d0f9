// Small widgets shared by all screens.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/numbertext.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

class QButtonGroup;
class QHBoxLayout;

namespace sonde::ui {

// For setToolTip(): a tool tip guesses whether its text is HTML, so server text must be escaped where it looks like it.
// Not everywhere: assistive tools would read the tags of the HTML.
QString plainToolTip(const QString &text);

using sonde::counted;

// Fills a widget that has no layout with a scrollable page, and returns the page.
QWidget *addScrolledPage(QWidget *owner);

// Always plain text; server text is passed through visibleText(). Copying returns the original, without marks.
class TextLabel : public QLabel {
    Q_OBJECT
public:
    explicit TextLabel(const QString &text = {}, QWidget *parent = nullptr);
    void setServerText(const QString &text);
    void setTone(Tone tone);  // Neutral: the ordinary text colour
    void setDim(bool dim);
    void setStrong();  // bold: a caption
    // One line with "…" where there is no room, instead of being cut. Names often differ at their ends: in the middle.
    void setElided(bool elided, Qt::TextElideMode where = Qt::ElideRight);
    void select(int from, int length);
    void deselect();

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void makeSelectable();
    void recolor();
    Tone m_tone = Tone::Neutral;
    bool m_dim = false;
    Qt::TextElideMode m_elide = Qt::ElideNone;
    bool m_updating = false;
};

// A rounded label such as "✓ OK" or "read-only".
class Badge : public QWidget {
    Q_OBJECT
public:
    explicit Badge(const QString &text = {}, Tone tone = Tone::Neutral, QWidget *parent = nullptr);
    void setContent(const QString &text, Tone tone);
    QString text() const { return m_text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;  // for where a layout may make it smaller: the text is cut with "…"
    // For delegates: draws the same and returns its width. align: left or right within rect.
    static int paint(QPainter *painter, const QRect &rect, const QString &text, Tone tone,
                     Qt::Alignment align = Qt::AlignLeft);
    static int widthFor(const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text;
    Tone m_tone;
};

// Joined buttons, of which exactly one is on: Form | JSON.
class SegmentedControl : public QWidget {
    Q_OBJECT
public:
    explicit SegmentedControl(QWidget *parent = nullptr);
    int addSegment(const QString &text, const QString &accessibleName = {});
    int current() const;
    void setCurrent(int index);  // -1: none
    void setSegmentVisible(int index, bool visible);
    QAbstractButton *button(int index) const;
    // The room beside the texts is given up only where a smaller minimumWidth() is set.
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void currentChanged(int index);

private:
    QButtonGroup *m_group;
};

// A button in the accent colour, for the main action of a screen.
class PrimaryButton : public QPushButton {
    Q_OBJECT
public:
    explicit PrimaryButton(const QString &text, QWidget *parent = nullptr);
    void setPrimary(bool primary);  // false: an ordinary button, while something else matters more
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    bool m_isPrimary = true;
};

// A small button that shows a frame only under the mouse or with the focus.
class FlatButton : public QToolButton {
    Q_OBJECT
public:
    explicit FlatButton(const QString &text, QWidget *parent = nullptr);
    void setFramed(bool framed) { setAutoRaise(!framed); }  // always with a frame, and as high as an input
    void setFlush(bool flush) { m_isFlush = flush; }        // its text is on the margin, like the text above it
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void keyPressEvent(QKeyEvent *event) override;  // Enter presses it too
    void initStyleOption(QStyleOptionToolButton *option) const override;
    void paintEvent(QPaintEvent *event) override;

private:
    QColor textColor() const;
    bool m_isFlush = false;
};

// A banner with a coloured bar, a bold title and a text: the outcome of a call, a warning.
class Banner : public QFrame {
    Q_OBJECT
public:
    explicit Banner(QWidget *parent = nullptr);
    void setContent(Tone tone, const QString &title, const QString &text = {});
    void addControl(QWidget *control);  // at the right

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Tone m_tone = Tone::Neutral;
    QHBoxLayout *m_row;
    TextLabel *m_title;
    TextLabel *m_text;
};

// A hairline in the palette's line colour.
class Line : public QWidget {
    Q_OBJECT
public:
    explicit Line(Qt::Orientation orientation, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

// Shown by an empty list or panel: what is missing and what to do.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(const QString &title, const QString &text, QWidget *parent = nullptr);
    void setContent(const QString &title, const QString &text);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void breakLines();
    QString m_wholeTitle;
    QString m_wholeText;
    TextLabel *m_title;
    TextLabel *m_text;
};

}  // namespace sonde::ui
