// Rows of names and values, as on the page of a server or session.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFormLayout>
#include <memory>

namespace sonde::ui {

class FactRows : public QFormLayout {
    Q_OBJECT
public:
    FactRows();
    // Adds nothing if the text is empty. Text wraps; server text is made visible. beside: goes with the row.
    void add(const QString &name, const QString &text, bool mono = false, std::unique_ptr<QWidget> beside = nullptr);
    void clear();
};

}  // namespace sonde::ui
