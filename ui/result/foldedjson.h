// JSON that few want to read: one line, which can be unfolded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QWidget>

class QMenu;

namespace sonde::ui {

class TextBlock;

// "_meta {"a":1}" and a button that shows all of it.
class FoldedJson : public QWidget {
    Q_OBJECT
public:
    FoldedJson(const QString &name, const json::Value &value, QWidget *parent = nullptr);

Q_SIGNALS:
    void menuRequested(QMenu *menu, const sonde::json::Value &value);  // of what is unfolded; is about to be shown

private:
    void setUnfolded(bool isUnfolded);

    const json::Value m_value;
    TextBlock *m_block = nullptr;  // once it was unfolded
};

}  // namespace sonde::ui
