// SPDX-License-Identifier: Apache-2.0
#include "ui/json/jsontreemodel.h"

#include "core/protocol/visibletext.h"
#include "ui/json/bytestext.h"

#include <vector>

namespace sonde::ui {

namespace {

constexpr int ChildrenAtOnce = 500;
constexpr int ShownCharacters = 600;
constexpr qsizetype DecodedBytes = 4096;

}  // namespace

struct JsonTreeModel::Node {
    json::Value value;
    Node *parent = nullptr;
    int row = 0;
    QString key;
    bool isIndex = false;
    mutable qsizetype size = -1;  // counting walks: once is enough
    std::vector<std::unique_ptr<Node>> children;
    json::Value::Iterator next;
    bool started = false;

    qsizetype count() const
    {
        if (size < 0)
            size = value.isContainer() ? value.size() : 0;
        return size;
    }
};

JsonTreeModel::JsonTreeModel(QObject *parent) : QAbstractItemModel(parent), m_top(std::make_unique<Node>()) {}

JsonTreeModel::~JsonTreeModel() = default;

void JsonTreeModel::setValue(const json::Value &value, const QString &rootName)
{
    beginResetModel();
    m_findings.clear();
    m_within.clear();
    m_top = std::make_unique<Node>();
    if (value.exists() && !rootName.isEmpty()) {
        auto root = std::make_unique<Node>();
        root->value = value;
        root->parent = m_top.get();
        root->key = rootName;
        m_top->size = 1;
        m_top->children.push_back(std::move(root));
    } else if (value.exists()) {
        m_top->value = value;
        if (!value.isContainer()) {
            auto only = std::make_unique<Node>();
            only->value = value;
            only->parent = m_top.get();
            m_top->size = 1;
            m_top->children.push_back(std::move(only));
        }
    }
    endResetModel();
}

void JsonTreeModel::setFindings(const QList<std::pair<json::Pointer, QString>> &findings)
{
    m_findings.clear();
    m_within.clear();
    const Node *root = m_top->value.exists() || m_top->children.empty() ? m_top.get() : m_top->children.front().get();
    for (const auto &[pointer, text] : findings) {
        // A finding about a missing place is shown at the nearest existing parent.
        json::Pointer place = pointer;
        while (!place.isRoot() && !place.resolve(root->value).exists())
            place = place.parent();
        QString &known = m_findings[place.resolve(root->value).offset()];
        known += known.isEmpty() ? text : QStringLiteral("; ") + text;
        while (!place.isRoot()) {
            place = place.parent();
            m_within.insert(place.resolve(root->value).offset());
        }
    }
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0));
}

JsonTreeModel::Node *JsonTreeModel::nodeOf(const QModelIndex &index) const
{
    return index.isValid() ? static_cast<Node *>(index.internalPointer()) : m_top.get();
}

QModelIndex JsonTreeModel::indexOf(Node *node) const
{
    return node == m_top.get() ? QModelIndex() : createIndex(node->row, 0, node);
}

json::Value JsonTreeModel::value(const QModelIndex &index) const
{
    return index.isValid() ? nodeOf(index)->value : json::Value();
}

json::Value JsonTreeModel::parentValue(const QModelIndex &index) const
{
    return nodeOf(index)->value;
}

QModelIndex JsonTreeModel::indexOf(const json::Pointer &pointer)
{
    Node *root = m_top->value.isContainer() || m_top->children.empty() ? m_top.get() : m_top->children.front().get();
    QModelIndex place = indexOf(root);
    json::Pointer path;
    for (const QString &token : pointer.tokens()) {
        path = path.child(token);
        const json::Value wanted = path.resolve(root->value);
        QModelIndex found;
        for (int row = 0; !found.isValid(); ++row) {
            if (row == rowCount(place)) {
                if (!canFetchMore(place))
                    return {};
                fetchMore(place);
            }
            const QModelIndex child = index(row, 0, place);
            if (!child.isValid())
                return {};
            if (nodeOf(child)->value.isSameNode(wanted))
                found = child;
        }
        place = found;
    }
    return place;
}

QModelIndex JsonTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    const Node *node = nodeOf(parent);
    if (row < 0 || column != 0 || size_t(row) >= node->children.size())
        return {};
    return createIndex(row, column, node->children[size_t(row)].get());
}

QModelIndex JsonTreeModel::parent(const QModelIndex &index) const
{
    return index.isValid() ? indexOf(nodeOf(index)->parent) : QModelIndex();
}

int JsonTreeModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : int(nodeOf(parent)->children.size());
}

int JsonTreeModel::columnCount(const QModelIndex &) const
{
    return 1;
}

bool JsonTreeModel::hasChildren(const QModelIndex &parent) const
{
    const Node *node = nodeOf(parent);
    return !node->children.empty() || (node->value.isContainer() && !node->value.isEmpty());
}

bool JsonTreeModel::canFetchMore(const QModelIndex &parent) const
{
    const Node *node = nodeOf(parent);
    return node->value.isContainer() && qsizetype(node->children.size()) < node->count();
}

void JsonTreeModel::fetchMore(const QModelIndex &parent)
{
    Node *node = nodeOf(parent);
    const qsizetype known = qsizetype(node->children.size());
    const qsizetype more = qMin<qsizetype>(ChildrenAtOnce, node->count() - known);
    if (!node->value.isContainer() || more <= 0)
        return;
    if (!node->started) {
        node->next = node->value.begin();
        node->started = true;
    }
    const bool isArray = node->value.isArray();
    beginInsertRows(parent, int(known), int(known + more) - 1);
    for (qsizetype i = known; i < known + more; ++i, ++node->next) {
        auto child = std::make_unique<Node>();
        child->value = *node->next;
        child->parent = node;
        child->row = int(i);
        child->isIndex = isArray;
        child->key = isArray ? QString::number(i) : visibleLine(child->value.key());
        node->children.push_back(std::move(child));
    }
    endInsertRows();
}

QString JsonTreeModel::textOf(const Node &node) const
{
    switch (node.value.kind()) {
        case json::Kind::Array:
            return QStringLiteral("[%1]").arg(node.count());
        case json::Kind::Object:
            return QStringLiteral("{%1}").arg(node.count());
        case json::Kind::String:
            // Of a long string, the start is shown as written; the rest is not read.
            if (node.value.slice().size() > DecodedBytes)
                return visibleLine(decodedUtf8(node.value.slice().first(DecodedBytes)), ShownCharacters);
            return QLatin1Char('"') + visibleLine(node.value.string(), ShownCharacters) + QLatin1Char('"');
        default:
            return visibleLine(decodedUtf8(node.value.slice().first(qMin(DecodedBytes, node.value.slice().size()))),
                               ShownCharacters);
    }
}

QVariant JsonTreeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Node &node = *nodeOf(index);
    switch (role) {
        case Qt::DisplayRole:
            return node.key.isEmpty() && !node.isIndex ? textOf(node) : node.key + QStringLiteral(": ") + textOf(node);
        case Qt::AccessibleDescriptionRole:
        case FindingRole:
            return m_findings.value(node.value.offset());
        case KeyRole:
            return node.key;
        case TextRole:
            return textOf(node);
        case KindRole:
            return int(node.value.kind());
        case WithinRole:
            return m_within.contains(node.value.offset());
        default:
            return {};
    }
}

}  // namespace sonde::ui
