// Finds a word in everything that a page shows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/findsource.h"

#include <QPointer>
#include <QTimer>
#include <utility>

namespace sonde::ui {

class FindBar;

// Searches all visible FindSources within a page, in the order in which they are read, and handles the keys for this
// wherever the focus is in the page: Ctrl+F, F3, Shift+F3, and Esc while the bar is open. Workers search, a piece at a
// time, so a match is shown while further ones are counted.
class PageFind : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype MaxFound = 1'000'000;  // then the count ends

    // A child of the page. bar: within the page, placed by the caller, or in the corner of a page that scrolls.
    PageFind(QWidget *page, FindBar *bar);
    static PageFind *around(const QWidget *view);  // that of the nearest page; null: there is none

    void open();  // with the word of the last time
    void close();
    void step(bool isForward);  // around the end
    // Searches again, soon, if the bar is open; from the match that is shown, or from the start of another page.
    void refresh();
    void recount();  // the same after an edit: no match is shown before the next step
    void startOver();
    // Behind the count: what of the page is not searched. Empty: nothing.
    void setUnsearched(const QString &what);

Q_SIGNALS:
    // To be scrolled to, if the canvas of the source is in something that scrolls: where, in the canvas.
    void shown(QWidget *canvas, const QRect &where);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Part {
        QPointer<FindSource> source;
        std::shared_ptr<FindPlaces> places;
    };
    struct Piece {
        FindPlaces places;
        bool isLast = true;
    };
    using Position = std::pair<qsizetype, quint32>;  // part and place

    bool handleKey(QKeyEvent *event);
    void start();
    void search();
    void takeCursor();
    void unmark();
    void scanPart(qsizetype part);
    void scanOn(qsizetype part, const std::shared_ptr<FindScan> &scan);
    void take(qsizetype part, const std::shared_ptr<FindScan> &scan, const Piece &piece);
    void finish();
    void show(Position position);
    qsizetype total() const;
    qsizetype indexOf(Position position) const;
    Position at(qsizetype index) const;
    void sayCount();

    QWidget *m_page;
    FindBar *m_bar;
    QPointer<QWidget> m_focusBefore;
    QTimer m_soon;
    int m_run = 0;  // what belongs to an earlier one is dropped
    bool m_isCounting = false;
    bool m_isCut = false;
    bool m_hasCurrent = false;
    bool m_isQuiet = false;  // no match is shown by itself
    std::vector<Part> m_parts;
    Position m_current{0, 0};  // also without a match there: the next search begins there
    QString m_unsearched;
};

}  // namespace sonde::ui
