// An address that the person is to open: its host, the whole of it, and what is odd about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/consenturl.h"

#include <QWidget>

namespace sonde::ui {

// Opens nothing. Spec: client/elicitation, "Safe URL Handling".
class AddressBox : public QWidget {
    Q_OBJECT
public:
    explicit AddressBox(const QString &address, QWidget *parent = nullptr);
    const ConsentUrl &target() const { return m_target; }

private:
    const ConsentUrl m_target;
};

}  // namespace sonde::ui
