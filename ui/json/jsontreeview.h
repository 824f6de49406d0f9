// JSON as a lazy tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"
#include "ui/theme/quietview.h"

#include <QTreeView>

class QMenu;

namespace sonde::ui {

class JsonTreeModel;

// Children are created when a node is expanded; previews never convert a container. 10 MB opens at once. Is searched by
// the page that it is part of (see PageFind).
class JsonTreeView : public QuietView<QTreeView> {
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
    // The height of all rows that are expanded, at most maxHeight: for blocks in a scrolling page.
    int heightForRows(int maxHeight) const;

Q_SIGNALS:
    void currentValueChanged(const sonde::json::Value &value);
    void heightChanged();  // rows were expanded, collapsed or replaced; not when further ones are fetched
    // The context menu of a value is about to be shown. What is added comes after the entries that copy.
    void menuRequested(QMenu *menu, const sonde::json::Value &value);

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    class Source;
    void expandFirstLevels();
    json::Value m_shown;  // the whole
    JsonTreeModel *m_model;
    Source *m_findSource;
};

}  // namespace sonde::ui
