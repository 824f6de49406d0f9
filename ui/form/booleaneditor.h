// Editor of a boolean: true, false, and omitted or null if possible.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

namespace sonde::ui {

class SegmentedControl;

class BooleanEditor : public Editor {
    Q_OBJECT
public:
    BooleanEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent);
    QWidget *control() const override;
    void rename(const QString &pointer) override;
    bool showsPresence() const override { return true; }
    void hidePresence() override;

private:
    void load();
    void write(int segment);
    SegmentedControl *m_choice;
    int m_null = -1;
    int m_notSent = -1;
    bool m_loading = false;
};

}  // namespace sonde::ui
