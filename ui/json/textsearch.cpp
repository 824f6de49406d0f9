// SPDX-License-Identifier: Apache-2.0
#include "ui/json/textsearch.h"

#include <algorithm>
#include <cstring>

namespace sonde::ui {

namespace {

char folded(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c + 32) : c;
}

char otherCase(char c)
{
    return c >= 'a' && c <= 'z' ? char(c - 32) : c;
}

bool matchesFolded(const char *text, QByteArrayView caseInsensitiveMatcher)
{
    return std::equal(caseInsensitiveMatcher.begin(), caseInsensitiveMatcher.end(), text,
                      [](char wanted, char found) { return wanted == folded(found); });
}

qsizetype position(const char *base, qsizetype from, qsizetype size, char wanted)
{
    const void *found = from < size ? std::memchr(base + from, wanted, size_t(size - from)) : nullptr;
    return found ? static_cast<const char *>(found) - base : size;
}

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

qsizetype indexOfFolded(QByteArrayView text, QByteArrayView caseInsensitiveMatcher, qsizetype from)
{
    if (caseInsensitiveMatcher.isEmpty())
        return qMin(from, text.size());
    // memchr runs at the speed of memory; the two cases of the first letter leapfrog each other.
    const qsizetype size = text.size() - caseInsensitiveMatcher.size() + 1;
    const char lower = caseInsensitiveMatcher.front();
    const char upper = otherCase(lower);
    qsizetype nextLower = position(text.data(), from, size, lower);
    qsizetype nextUpper = lower == upper ? size : position(text.data(), from, size, upper);
    for (qsizetype at = std::min(nextLower, nextUpper); at < size; at = std::min(nextLower, nextUpper)) {
        if (matchesFolded(text.data() + at, caseInsensitiveMatcher))
            return at;
        if (at == nextLower)
            nextLower = position(text.data(), at + 1, size, lower);
        else
            nextUpper = position(text.data(), at + 1, size, upper);
    }
    return -1;
}

qsizetype findText(QByteArrayView text, QByteArrayView needle, qsizetype from, bool forward)
{
    if (needle.isEmpty() || needle.size() > text.size())
        return -1;
    const bool exact = std::any_of(needle.begin(), needle.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (forward) {
        const auto search = [&](qsizetype start) {
            return exact ? text.indexOf(needle, start) : indexOfFolded(text, needle, start);
        };
        const qsizetype found = from <= text.size() - needle.size() ? search(from) : -1;
        return found >= 0 ? found : search(0);
    }
    const auto matches = [&](qsizetype i) {
        return exact ? std::equal(needle.begin(), needle.end(), text.begin() + i)
                     : matchesFolded(text.data() + i, needle);
    };
    const qsizetype found = lastMatch(std::min(from - 1, text.size() - needle.size()), 0, matches);
    return found >= 0 ? found : lastMatch(text.size() - needle.size(), from, matches);
}

}  // namespace sonde::ui
