// JSON as a lazy tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

#include <QTreeView>

namespace sonde::ui {

class JsonTreeModel;

// Children are made when a node is unfolded; a container is never converted for its preview. 10 MB opens at once.
class JsonTreeView : public QTreeView {
    Q_OBJECT
public:
    explicit JsonTreeView(QWidget *parent = nullptr);
    // rootName: shown at the top ("result"); the first levels are unfolded as far as about fifty rows.
    void setValue(const json::Value &value, const QString &rootName = {});
    // Marks beside nodes, by pointer from the value: "must be integer".
    void setFindings(const QList<std::pair<json::Pointer, QString>> &findings);
    json::Value currentValue() const;
    // Unfolds and selects the innermost node that holds this byte of the document's text.
    void selectAt(qsizetype offset);

Q_SIGNALS:
    void currentValueChanged(const sonde::json::Value &value);

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void unfoldFirstLevels();
    void copyValue() const;
    void copyPointer() const;
    JsonTreeModel *m_model;
};

}  // namespace sonde::ui
