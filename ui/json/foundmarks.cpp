// SPDX-License-Identifier: Apache-2.0
#include "ui/json/foundmarks.h"

#include "core/json/stringcodec.h"
#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>

namespace sonde::ui {

void paintFoundMarks(QPainter *painter, const QRect &rect, const QString &text, const FindWord &word)
{
    if (word.isEmpty())
        return;
    const QFontMetrics metrics(painter->font());
    for (qsizetype at = text.indexOf(word.text(), 0, word.caseSensitivity()); at >= 0;
         at = text.indexOf(word.text(), at + word.text().size(), word.caseSensitivity())) {
        const int left = metrics.horizontalAdvance(text, int(at));
        const int width = metrics.horizontalAdvance(text, int(at + word.text().size())) - left;
        painter->fillRect(rect.left() + left, rect.top() + 1, width, rect.height() - 2, softColor(Tone::ToolError));
    }
}

bool isInJson(QByteArrayView slice, const FindWord &word)
{
    if (!slice.startsWith('"') || slice.size() < 2)
        return word.indexIn(slice) >= 0;
    const QByteArrayView inside = slice.sliced(1, slice.size() - 2);
    if (inside.contains('\\'))
        return word.indexIn(json::decoded(slice).toUtf8()) >= 0;
    return word.indexIn(inside) >= 0;
}

}  // namespace sonde::ui
