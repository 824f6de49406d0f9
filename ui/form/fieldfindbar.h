// The line above a form in which fields are looked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/fieldsearch.h"
#include "ui/json/findbar.h"

namespace sonde::ui {

class FlatButton;

// A find bar with two filters: only what is required, only what is set.
class FieldFindBar : public FindBar {
    Q_OBJECT
public:
    explicit FieldFindBar(QWidget *parent);
    FieldQuery query() const;
    void clear();  // says nothing

Q_SIGNALS:
    void queryChanged();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    FlatButton *addFilter(const QString &text, const QString &name, const QString &tip);

    FlatButton *m_required;
    FlatButton *m_set;
};

}  // namespace sonde::ui
