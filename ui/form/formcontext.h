// What the fields of one form share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/draft.h"
#include "ui/form/shape.h"

#include <QObject>

namespace sonde::ui {

class FormContext : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // Groups beyond these are closed until somebody opens them; pages are drawn one at a time.
    static constexpr int EagerFields = 200;
    static constexpr int EagerDepth = 6;  // of what is required and not sent yet
    static constexpr int OpenDepth = 12;  // of what is sent
    static constexpr int PageSize = 100;

    ShapeReader reader;
    Draft::Ptr root;
    int fieldCount = 0;

    bool isLarge() const { return fieldCount >= EagerFields; }

Q_SIGNALS:
    void edited(const sonde::json::Pointer &place);  // by the person
    void built();                                    // fields came or went: issues must be shown again
    void submitted();
};

}  // namespace sonde::ui
