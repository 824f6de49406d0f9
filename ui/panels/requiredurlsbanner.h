// Shown by a call panel above an error that asks the person to open URLs first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/requiredurls.h"
#include "ui/theme/widgets.h"

#include <memory>

class QPushButton;

namespace sonde::ui {

// Hidden until watch(). Says how far each URL is; consent is given in the panel of server requests.
class RequiredUrlsBanner : public Banner {
    Q_OBJECT
public:
    explicit RequiredUrlsBanner(QWidget *parent = nullptr);

    void watch(std::unique_ptr<RequiredUrls> urls);  // null: hidden

Q_SIGNALS:
    void tryAgainRequested();

private:
    void refresh();
    std::unique_ptr<RequiredUrls> m_urls;
    QPushButton *m_tryAgain;
};

}  // namespace sonde::ui
