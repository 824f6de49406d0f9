// The previous calls of a tab: outcome, arguments, duration, time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "ui/theme/rowtable.h"

#include <QAbstractListModel>
#include <functional>

namespace sonde::ui {

struct PastCall {
    QByteArray arguments;  // as they were sent
    Outcome outcome;
};

class CallHistoryModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;
    // Of calls that cannot have arguments, such as those that read a resource; by itself "(no arguments)".
    void setNoArgumentsText(const QString &text) { m_noArguments = text; }
    // Finds the strings in arguments that are not shown in clear, in the order of the text.
    using FindSecrets = std::function<QList<json::Value>(const json::Value &arguments)>;
    void setSecretFinder(const FindSecrets &finder) { m_findSecrets = finder; }
    // Newest first. The oldest go beyond a hundred, or beyond 64 MB of responses; the session keeps them all.
    void add(const PastCall &call);
    const PastCall &at(int row) const { return m_calls[row]; }
    QByteArray shownArguments(int row) const;  // with dots for secrets

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    QString summaryOf(int row) const;
    QString summaryText(int row) const;

    QList<PastCall> m_calls;
    QStringList m_summaries;  // of these, made once: arguments can be large
    FindSecrets m_findSecrets;
    QString m_noArguments = tr("(no arguments)");
};

// The current row is the one whose response is shown. Every other row has a button that compares it with that one.
class CallHistoryView : public RowListView {
    Q_OBJECT
public:
    explicit CallHistoryView(CallHistoryModel *model, QWidget *parent = nullptr);
    void offerSaving() { m_offersSaving = true; }  // in the context menu
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;  // one row: the others can be scrolled to

Q_SIGNALS:
    void chosen(int row);            // by mouse or keys, to be shown
    void compareRequested(int row);  // with the current one
    void saveRequested(int row);     // as a saved call

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    QModelIndex comparableAt(const QPoint &place) const;  // whose button is there

    QPersistentModelIndex m_pressed;
    bool m_offersSaving = false;
};

}  // namespace sonde::ui
