// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/numbertext.h"

#include <algorithm>

namespace sonde {

QString grouped(qint64 number)
{
    QString digits = QString::number(number);
    for (qsizetype i = digits.size() - 3; i > (number < 0 ? 1 : 0); i -= 3)
        digits.insert(i, QChar(0x2009));
    return digits;
}

QString counted(qint64 count, const QString &one, const QString &many)
{
    return count == 1 ? one : many.arg(grouped(count));
}

QString secondsText(std::chrono::milliseconds duration)
{
    return QString::number(double(duration.count()) / 1000);
}

double milliseconds(qint64 ns)
{
    const qint64 microseconds = std::max<qint64>(ns, 0) / 1000;
    return double(microseconds) / 1e3;
}

}  // namespace sonde
