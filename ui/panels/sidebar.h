// The side bar: the list of servers, and below it what the current one offers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QKeyEvent;
class QLineEdit;

namespace sonde::ui {

class FittedSplitter;
class OfferTree;
class ServerListView;
class TextLabel;

// The list is as high as its rows need, up to half of the side bar, until the user moves the splitter. Long lists have
// a filter.
class SideBar : public QWidget {
    Q_OBJECT
public:
    static constexpr int RowsWithoutFilter = 10;

    SideBar(ServerListView *servers, OfferTree *offers, QWidget *parent = nullptr);  // servers: with its model
    QByteArray saveState() const;  // empty: the user has not moved the splitter
    void restoreState(const QByteArray &state);

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void onRowsChanged();
    bool pressInFilter(const QKeyEvent *key);

    ServerListView *m_servers;
    QWidget *m_head;
    TextLabel *m_count;
    QLineEdit *m_filter;
    FittedSplitter *m_splitter;
};

}  // namespace sonde::ui
