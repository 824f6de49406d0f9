// The context of the texts in this folder that belong to no QObject.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>

namespace sonde {

struct SavedCallText {
    Q_DECLARE_TR_FUNCTIONS(sonde::SavedCall)
};

}  // namespace sonde
