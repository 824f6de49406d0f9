// The tree of a server's offering, with a filter.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/panels/offermodel.h"

#include <QHash>
#include <QWidget>

class QKeyEvent;
class QLineEdit;
class QPoint;
class QTreeView;

namespace sonde::ui {

class EmptyState;
class TextLabel;

class OfferTree : public QWidget {
    Q_OBJECT
public:
    explicit OfferTree(QWidget *parent = nullptr);
    // Each server has a filter of its own.
    void setCatalog(Catalog *catalog, const QString &server = {});
    void setEmptyText(const QString &title, const QString &text);  // shown while there is nothing to list
    void focusFilter();
    void select(const OfferRef &ref);  // Kind::None: nothing
    OfferModel *model() const { return m_model; }

Q_SIGNALS:
    void activated(const sonde::ui::OfferRef &ref);  // by a double click or Enter
    void previewed(const sonde::ui::OfferRef &ref);  // by a click
    void actionActivated(const QString &id);         // a row of the saved calls, see OfferAction
    void menuRequested(const sonde::ui::OfferRef &ref, const QPoint &globalPlace);  // of what the server offers
    // Of a saved call, or of their group, where ref has none.
    void savedCallMenuRequested(const sonde::ui::OfferRef &ref, const QPoint &globalPlace);
    void savedCallRefused(const QString &problem);  // it cannot be opened
    void savedCallRenameRequested(const QString &path);
    void savedCallDeleteRequested(const QString &path);

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void updateState();
    using Signal = void (OfferTree::*)(const OfferRef &ref);
    void activate(const QModelIndex &index, Signal signal);
    void askForMenu(const QPoint &place);
    bool pressOnSavedCall(const QKeyEvent *key);
    OfferModel *m_model;
    OfferFilter *m_filter;
    QLineEdit *m_line;
    TextLabel *m_count;
    QTreeView *m_tree;
    EmptyState *m_empty;
    QString m_emptyTitle;
    QString m_emptyText;
    OfferRef m_selected;
    QString m_server;
    QHash<QString, QString> m_filters;  // of the other servers
};

}  // namespace sonde::ui
