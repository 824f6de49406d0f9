// The fields or rows of an object or list, one below the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/formcontext.h"

#include <QWidget>
#include <functional>
#include <utility>

namespace sonde::ui {

class ColumnLayout;
class FlatButton;

// Shows one page of many fields; buttons stand for the ranges that are left out. Each turn of the event loop creates a
// few fields; a field that the user is led to is created at once.
class FieldColumn : public QWidget {
    Q_OBJECT
public:
    using Make = std::function<QWidget *(qsizetype index)>;  // a field, or a row with one; null: nothing is shown there
    FieldColumn(FormContext *context, qsizetype count, Make make, QWidget *parent);

    qsizetype count() const { return m_count; }
    QWidget *at(qsizetype index) const;  // null: not drawn
    qsizetype indexOf(const QWidget *widget) const;
    QList<QWidget *> widgets() const;                      // those drawn, from the top
    QList<std::pair<qsizetype, QWidget *>> drawn() const;  // the same, with their indexes
    bool isWhole() const;                                  // nothing is left out at the end
    bool hasShown() const;                                 // some are not hidden
    void setSpacing(int spacing);
    void setGapName(const QString &name);

    // Hides the others, drawn or not; null: none. What is revealed or inserted later stays visible.
    void setFilter(const std::function<bool(qsizetype index)> &shows);
    QWidget *reveal(qsizetype index);  // drawn now if need be, and its neighbours in the turns that follow
    QWidget *insert(qsizetype index);
    void insertLater(const QList<qsizetype> &indexes);  // ascending; drawn in later turns, as at first
    void remove(qsizetype index);
    void move(qsizetype from, qsizetype to);

    bool drawNext();  // one of those wanted; false: there are none
    void place();     // shows what was drawn

private:
    enum class State { LeftOut, Wanted, Drawn };
    // So many places, one after the other: only one that is drawn is by itself, so millions are a few of these.
    struct Span {
        State state = State::LeftOut;
        QWidget *widget = nullptr;
        bool isHidden = false;
        qsizetype count = 1;
    };
    bool isAbandoned() const;
    qsizetype split(qsizetype index);  // the position of the span that begins there
    Span &single(qsizetype index);
    void want(qsizetype from, qsizetype count);
    void draw(qsizetype index);
    void placeGaps(QList<QWidget *> *order);

    FormContext *m_context;
    Make m_make;
    QString m_gapName;
    ColumnLayout *m_column;
    qsizetype m_count;
    QList<Span> m_spans;
    QList<FlatButton *> m_gaps;
    QList<QWidget *> m_fresh;  // drawn and not shown yet
};

}  // namespace sonde::ui
