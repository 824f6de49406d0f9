// JSON as a lazy tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

#include <QTreeView>

namespace sonde::ui {

class JsonTreeModel;

// Children are created when a node is expanded; previews never convert a container. 10 MB opens at once.
class JsonTreeView : public QTreeView {
    Q_OBJECT
public:
    explicit JsonTreeView(QWidget *parent = nullptr);
    // rootName: shown at the top ("result"); the first levels are expanded, up to about fifty rows.
    void setValue(const json::Value &value, const QString &rootName = {});
    // Marks next to nodes, by pointer: "must be integer".
    void setFindings(const QList<std::pair<json::Pointer, QString>> &findings);
    json::Value currentValue() const;
    // Expands to and selects the innermost node that holds this byte of the document's text.
    void selectAt(qsizetype offset);

Q_SIGNALS:
    void currentValueChanged(const sonde::json::Value &value);

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void expandFirstLevels();
    void copyValue() const;
    void copyPointer() const;
    JsonTreeModel *m_model;
};

}  // namespace sonde::ui
