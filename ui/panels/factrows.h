// Rows of names and values, as on the page of a server or session.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

#include <QFormLayout>
#include <QList>
#include <QPointer>
#include <QString>

namespace sonde::ui {

class FittedTextView;
class TextLabel;

struct Fact {
    QString name;
    QString text;  // wraps; server text is made visible. Empty: no row, unless there is something in its place.
    // A command line, an address or a path: in one line in which nothing is out of sight, and which wraps anywhere.
    bool mono = false;
    // Is in the row, alone where there is no text; is hidden while there is no row, and stays its maker's.
    QWidget *beside = nullptr;
};

// A row whose fact is still told stays, and with it what is selected, focused or pressed in it: pages are refreshed
// whenever something has arrived.
class FactRows : public QFormLayout {
    Q_OBJECT
public:
    static constexpr int NameWidth = 15 * Grid;  // at least, so that several lists on one page are aligned

    FactRows();
    void setFacts(const QList<Fact> &facts);
    void setGeometry(const QRect &rect) override;

private:
    struct Row {
        QString name;
        QString text;
        TextLabel *value;       // null: m_exact
        FittedTextView *exact;  // of a fact that is mono
        QPointer<QWidget> beside;
    };

    static void show(const Row &row);
    void insert(int place, const Fact &fact);
    void remove(int place);

    QList<Row> m_rows;  // as they are in the layout
};

}  // namespace sonde::ui
