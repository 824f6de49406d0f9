// SPDX-License-Identifier: Apache-2.0
#include "ui/form/issuetext.h"

#include "ui/form/draft.h"

namespace sonde::ui {

QStringList placeWords(const Draft &draft)
{
    QStringList words;
    for (const Draft *at = &draft; const Draft *parent = at->parent(); at = parent) {
        const bool isItem = parent->kind() == json::Kind::Array;
        words.prepend(isItem ? itemWord(parent->indexOf(at)) : at->name());
    }
    return words;
}

}  // namespace sonde::ui
