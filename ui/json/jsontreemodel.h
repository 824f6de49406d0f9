// JSON as a tree model with nodes created on request.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

#include <QAbstractItemModel>
#include <QHash>
#include <QSet>
#include <memory>

namespace sonde::ui {

class JsonTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    // The parts of a row's text, for the delegate.
    enum Role {
        KeyRole = Qt::UserRole + 1,
        TextRole,     // the value, or "[3]", "{2}" for containers
        KindRole,     // json::Kind as int
        FindingRole,  // a finding about this node, or empty
        WithinRole    // true: there is a finding somewhere below
    };

    explicit JsonTreeModel(QObject *parent = nullptr);
    ~JsonTreeModel() override;

    void setValue(const json::Value &value, const QString &rootName);
    void setFindings(const QList<std::pair<json::Pointer, QString>> &findings);
    json::Value value(const QModelIndex &index) const;
    // The value whose children are below the index; without an index, at the top: Missing if the value has a row of its
    // own.
    json::Value parentValue(const QModelIndex &index) const;
    QModelIndex indexOf(const json::Pointer &pointer);  // makes the nodes on the way

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    bool hasChildren(const QModelIndex &parent = {}) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    struct Node;
    Node *nodeOf(const QModelIndex &index) const;
    QModelIndex indexOf(Node *node) const;
    QString textOf(const Node &node) const;
    std::unique_ptr<Node> m_top;           // invisible; its only child is the value
    QHash<qsizetype, QString> m_findings;  // by offset of the value
    QSet<qsizetype> m_within;
};

}  // namespace sonde::ui
