// SPDX-License-Identifier: Apache-2.0
#include "ui/form/callplaceholders.h"

#include "core/savedcalls/placeholders.h"

namespace sonde::ui {

CallString callStringOf(const json::Value &value)
{
    if (!value.isString())
        return CallString::Plain;
    const Result<QList<PlaceholderUse>> uses = placeholdersIn(value);
    if (!uses || uses->isEmpty())
        return CallString::Plain;
    const QList<Placeholder> &placeholders = uses->constFirst().placeholders;
    const bool isOne = placeholders.size() == 1 && placeholders.constFirst().text == value.string();
    return isOne ? CallString::Placeholder : CallString::WithPlaceholders;
}

}  // namespace sonde::ui
