// SPDX-License-Identifier: Apache-2.0
#include "core/json/texts.h"

namespace sonde::json {

void addTexts(Builder &builder, QStringView key, const QStringList &texts)
{
    builder.key(key).beginArray();
    for (const QString &text : texts)
        builder.string(text);
    builder.endArray();
}

QStringList textsIn(const Value &list)
{
    QStringList texts;
    for (const Value &text : list)
        texts.append(text.string());
    return texts;
}

}  // namespace sonde::json
