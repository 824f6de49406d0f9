// Asks before an address is opened in the browser.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

namespace sonde::ui {

class TextLabel;

// Shows all of the address and what is odd about it; nothing is opened or fetched before the person agrees. Deletes
// itself once it is closed.
class OpenAddressDialog : public QDialog {
    Q_OBJECT
public:
    // question: where the address comes from, if that should be said.
    explicit OpenAddressDialog(const QString &address, QWidget *parent, const QString &question = {});

private:
    void carryOut();
    const QString m_address;
    TextLabel *m_failure;
};

}  // namespace sonde::ui
