// SPDX-License-Identifier: Apache-2.0
#include "core/json/closestname.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace sonde::json {
namespace {

constexpr qsizetype MaxLength = 100;  // of a word that anybody mistypes

// The optimal string alignment distance: how many letters have to be added, removed, replaced or swapped with their
// neighbour. Rows of the usual table, of which three are needed.
qsizetype distance(const QString &from, const QString &to)
{
    const auto width = size_t(to.size()) + 1;
    std::vector<qsizetype> beforeLast(width);
    std::vector<qsizetype> last(width);
    std::vector<qsizetype> current(width);
    for (size_t column = 0; column < width; ++column)
        current[column] = qsizetype(column);
    for (qsizetype row = 1; row <= from.size(); ++row) {
        beforeLast.swap(last);
        last.swap(current);
        current[0] = row;
        for (qsizetype column = 1; column <= to.size(); ++column) {
            const auto at = size_t(column);
            const bool isSame = from.at(row - 1) == to.at(column - 1);
            current[at] = std::min({last[at] + 1, current[at - 1] + 1, last[at - 1] + (isSame ? 0 : 1)});
            const bool isSwapped =
                row > 1 && column > 1 && from.at(row - 1) == to.at(column - 2) && from.at(row - 2) == to.at(column - 1);
            if (isSwapped)
                current[at] = std::min(current[at], beforeLast[at - 2] + 1);
        }
    }
    return current.back();
}

}  // namespace

QString closestName(const QString &word, const QStringList &names)
{
    const QString wanted = word.toCaseFolded();
    if (wanted.size() > MaxLength)
        return {};
    const qsizetype tolerated = std::clamp<qsizetype>((wanted.size() + 1) / 3, 1, 4);
    qsizetype least = std::min(tolerated + 1, wanted.size());  // of one letter nothing would be left
    QString closest;
    for (const QString &name : names) {
        if (std::abs(name.size() - wanted.size()) >= least)
            continue;
        if (const qsizetype found = distance(wanted, name.toCaseFolded()); found < least) {
            least = found;
            closest = name;
        }
    }
    return closest;
}

}  // namespace sonde::json
