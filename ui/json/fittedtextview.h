// A TextView that is as high as its text, for pages that scroll themselves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/textview.h"

namespace sonde::ui {

// Up to a limit; beyond it the text scrolls.
class FittedTextView : public TextView {
    Q_OBJECT
public:
    explicit FittedTextView(int maxHeight, QWidget *parent = nullptr);
    void setMaxHeight(int height);
    void fit();               // after the text or what is beside it has changed
    bool isScrolled() const;  // there is more than fits

Q_SIGNALS:
    void fitted();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    int m_maxHeight;
};

}  // namespace sonde::ui
