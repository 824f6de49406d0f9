// The list of servers: what is configured, what is running, and what failed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/rowtable.h"
#include "ui/theme/theme.h"

#include <QAbstractListModel>

namespace sonde::ui {

struct ServerItem {
    enum class Kind { Server, Session };  // a session is a recording that was opened without its server
    Kind kind = Kind::Server;
    QString name;
    QString detail;  // "stdio · 2025-11-25 · 4 ms", or why it is not there
    Tone tone = Tone::NoResponse;
    bool isFailure = false;  // the detail is drawn in the tone
    bool canStart = true;
    bool canStop = false;
    bool operator==(const ServerItem &) const = default;
};

class ServerListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { DetailRole = Qt::UserRole + 1, ToneRole, FailureRole, CanStartRole, CanStopRole, KindRole };

    using QAbstractListModel::QAbstractListModel;
    void setItems(const QList<ServerItem> &items);  // keeps rows that stay what they are
    const QList<ServerItem> &items() const { return m_items; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    QList<ServerItem> m_items;
};

// Two lines per server and a button to start or stop it. Everything else is in the context menu and on keys.
class ServerListView : public RowListView {
    Q_OBJECT
public:
    explicit ServerListView(QWidget *parent = nullptr);
    QSize sizeHint() const override;  // for all rows that are shown
    QSize minimumSizeHint() const override;
    // Rows in which a word is missing are hidden.
    void setFilter(const QString &words);
    int shownCount() const;
    QModelIndex firstShown() const;  // invalid: none

Q_SIGNALS:
    void startRequested(const QModelIndex &index);
    void stopRequested(const QModelIndex &index);
    void renameRequested(const QModelIndex &index);
    void removeRequested(const QModelIndex &index);

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void rowsInserted(const QModelIndex &parent, int start, int end) override;
    void dataChanged(const QModelIndex &first, const QModelIndex &last, const QList<int> &roles) override;
    void reset() override;

private:
    void applyFilter();
    // The button of a row, and what it does.
    struct Mark {
        int row = -1;  // none
        bool stops = false;
        bool operator==(const Mark &) const = default;
    };
    QRect buttonRect(const QModelIndex &index) const;
    Mark markAt(const QPoint &position) const;
    Mark m_pressed;
    QStringList m_words;  // of the filter
};

}  // namespace sonde::ui
