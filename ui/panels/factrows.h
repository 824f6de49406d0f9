// Names and values one below the other, as on the page of a server or a session.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFormLayout>

namespace sonde::ui {

class FactRows : public QFormLayout {
    Q_OBJECT
public:
    FactRows();
    // Nothing where the text is empty. It wraps; what a server wrote in it is made visible.
    void add(const QString &name, const QString &text, bool mono = false);
    void clear();
};

}  // namespace sonde::ui
