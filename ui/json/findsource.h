// What a find bar searches: a text, a tree or a table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/findword.h"

#include <QObject>
#include <QRect>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

namespace sonde::ui {

// In ascending order; each source has its own meaning of the numbers.
using FindPlaces = std::vector<quint32>;

// One search through a source. Runs on a worker and does not touch the view.
class FindScan {
public:
    virtual ~FindScan() = default;
    // Appends the next places after a bounded amount of work. False: there are no more.
    virtual bool next(FindPlaces *places) = 0;

    // To be kept to by next(), so that a search that is no longer wanted ends soon.
    static constexpr qsizetype BytesAtOnce = 4 * 1024 * 1024;
    static constexpr qsizetype PlacesAtOnce = 50'000;
    static constexpr int ValuesAtOnce = 20'000;
};

// A child of the view that it searches, through which PageFind gets to know of it.
class FindSource : public QObject {
    Q_OBJECT
public:
    explicit FindSource(QWidget *view);
    QWidget *view() const { return m_view; }
    QWidget *canvas() const;  // where it is drawn: the viewport of what scrolls, otherwise the view

    virtual std::shared_ptr<FindScan> scan(const FindWord &word) const = 0;
    // Marks all places, to which more may be added while they are shown. Null: none.
    virtual void mark(const FindWord &word, const std::shared_ptr<const FindPlaces> &places) = 0;
    virtual void showMore();  // places were added
    // Selects it and scrolls there; returns where it is in the canvas.
    virtual QRect show(quint32 place) = 0;
    virtual void deselect() = 0;  // another source has the match that is shown
    // Where its cursor is, in a text that is edited: the search begins and goes on there. Nothing: it has none.
    virtual std::optional<quint32> cursor() const { return std::nullopt; }
    // What was found no longer holds: the view has something else, or is shown or hidden.
    void setChanged();
    void setEdited();  // the same while the user types in it: the cursor stays where it is

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *m_view;
};

}  // namespace sonde::ui
