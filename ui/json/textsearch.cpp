// SPDX-License-Identifier: Apache-2.0
#include "ui/json/textsearch.h"

#include "core/json/bytesearch.h"

#include <algorithm>

namespace sonde::ui {

namespace {

template <typename Matches>
qsizetype lastMatch(qsizetype last, qsizetype stop, Matches matches)
{
    for (qsizetype i = last; i >= stop; --i) {
        if (matches(i))
            return i;
    }
    return -1;
}

}  // namespace

qsizetype findText(QByteArrayView text, QByteArrayView needle, qsizetype from, bool forward)
{
    if (needle.isEmpty() || needle.size() > text.size())
        return -1;
    const bool isExact = std::any_of(needle.begin(), needle.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    const CaseInsensitiveMatcher matcher(needle);
    if (forward) {
        const auto search = [&](qsizetype start) {
            return isExact ? text.indexOf(needle, start) : matcher.indexIn(text, start);
        };
        const qsizetype found = from <= text.size() - needle.size() ? search(from) : -1;
        return found >= 0 ? found : search(0);
    }
    const auto matches = [&](qsizetype i) {
        const QByteArrayView there = text.sliced(i, needle.size());
        const bool isPossible = (there.front() | 0x20) == (needle.front() | 0x20);
        return isPossible && (isExact ? there == needle : matcher.isIn(there));
    };
    const qsizetype found = lastMatch(std::min(from - 1, text.size() - needle.size()), 0, matches);
    return found >= 0 ? found : lastMatch(text.size() - needle.size(), from, matches);
}

}  // namespace sonde::ui
