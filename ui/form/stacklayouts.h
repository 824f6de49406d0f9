// Layouts of a form: fields below each other, and the parts of a field in a row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLayout>
#include <QList>

namespace sonde::ui {

// For widgets only, not for nested layouts. Unlike the stock box layouts, these ask a widget for its height only at the
// current width: with nested groups and wrapped descriptions, each such query is passed on to all children. A height is
// asked for once per width, and again only after a change.
class StackLayout : public QLayout {
    Q_OBJECT
public:
    explicit StackLayout(QWidget *parent) : QLayout(parent) {}
    ~StackLayout() override;

    void addItem(QLayoutItem *item) override;
    int count() const override { return int(m_entries.size()); }
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    void invalidate() override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;     // as wide as it is now
    QSize minimumSize() const override;  // only the width is limited
    Qt::Orientations expandingDirections() const override { return {}; }
    void setGeometry(const QRect &area) override;

protected:
    struct Entry {
        QLayoutItem *item;
        int stretch = 0;
        int shortWidth = 0;
    };
    void insert(int index, QWidget *widget, int stretch, Qt::Alignment alignment);
    // Returns the height that is taken; only asks when not told to place.
    virtual int arrange(const QRect &area, bool place) const = 0;
    virtual int leastWidth() const = 0;

    QList<Entry> m_entries;

private:
    mutable int m_width = -1;
    mutable int m_height = 0;
    mutable int m_leastWidth = -1;
};

// One below the other. A widget is as wide as the column, or as it wants to be where it is aligned to a side.
class ColumnLayout : public StackLayout {
    Q_OBJECT
public:
    explicit ColumnLayout(QWidget *parent) : StackLayout(parent) {}
    void addWidget(QWidget *widget, Qt::Alignment alignment = {}) { insert(-1, widget, 0, alignment); }
    void insertWidget(int index, QWidget *widget) { insert(index, widget, 0, {}); }
    void setOrder(const QList<QWidget *> &widgets);  // all of them, from the top
    // Where there is room for two columns, or for both of these widths, it shares a line with one that is short as well
    // and follows it.
    void setShort(QWidget *widget, int width);

protected:
    int arrange(const QRect &area, bool place) const override;
    int leastWidth() const override;

private:
    qsizetype nextBeside(qsizetype index, int width) const;
};

// One beside the other, each at the top and as high as it wants to be. Those with a stretch share the width that the
// others leave.
class RowLayout : public StackLayout {
    Q_OBJECT
public:
    explicit RowLayout(QWidget *parent) : StackLayout(parent) {}
    void addWidget(QWidget *widget, int stretch = 0) { insert(-1, widget, stretch, {}); }
    void insertWidget(int index, QWidget *widget, int stretch = 0) { insert(index, widget, stretch, {}); }

protected:
    int arrange(const QRect &area, bool place) const override;
    int leastWidth() const override;
};

// A row where there is room for one. Otherwise those with a stretch go below the others, of which the last one stays at
// the end of its line.
class BreakingRowLayout : public RowLayout {
    Q_OBJECT
public:
    explicit BreakingRowLayout(QWidget *parent) : RowLayout(parent) {}

protected:
    int arrange(const QRect &area, bool place) const override;
    int leastWidth() const override;

private:
    int rowWidth() const;
};

// The line above an editor: a name, a detail about it, and buttons at the end. A name that is too long for the line has
// more of them. Where little room is left beside it, the detail has a line of its own.
class HeaderLayout : public StackLayout {
    Q_OBJECT
public:
    HeaderLayout(QWidget *parent, QWidget *name, QWidget *detail);
    void addWidget(QWidget *widget) { insert(-1, widget, 0, {}); }
    void insertWidget(int index, QWidget *widget) { insert(index, widget, 0, {}); }
    int fullWidth() const;  // of all in one line

protected:
    int arrange(const QRect &area, bool place) const override;
    int leastWidth() const override;

private:
    bool isButton(const Entry &entry) const;  // or a mark: as wide as it is
    int gap() const;                          // between the name and the detail
    QWidget *m_name;
    QWidget *m_detail;
};

}  // namespace sonde::ui
