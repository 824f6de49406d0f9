// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/gotomatch.h"

#include "ui/dialogs/gotopalette.h"

#include <algorithm>

namespace sonde::ui {

namespace {

constexpr int ByLetters = 16;  // more than any match by parts
constexpr int ByDetail = 8;
constexpr int NoMatch = 1000;

// All of the text, then its start, then the start of a word, then anywhere.
int partScore(const QString &text, const QString &word)
{
    const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
    if (at < 0)
        return NoMatch;
    if (at == 0)
        return text.size() == word.size() ? 0 : 1;
    return text[at - 1].isLetterOrNumber() ? 3 : 2;
}

// Letters in their order: the first ones of words, or a few pieces. Any long text has most words letter by letter.
int letterScore(const QString &text, const QString &word)
{
    int pieces = 0;
    bool areFirstOnes = true;
    qsizetype last = -1;
    for (const QChar letter : word) {
        const qsizetype at = text.indexOf(letter, last + 1, Qt::CaseInsensitive);
        if (at < 0)
            return NoMatch;
        if (at != last + 1 || last < 0) {
            ++pieces;
            areFirstOnes = areFirstOnes && (at == 0 || !text[at - 1].isLetterOrNumber());
        }
        last = at;
    }
    return areFirstOnes || pieces <= 1 + word.size() / 3 ? ByLetters + pieces : NoMatch;
}

int wordScore(const GotoEntry &entry, const QString &word)
{
    // A name typed in full is meant before everything that only has it as a title.
    const int byPart = std::min(partScore(entry.text, word), std::max(partScore(entry.title, word), 1));
    if (byPart < NoMatch)
        return byPart;
    const int byDetail = partScore(entry.detail, word);
    if (byDetail < NoMatch)
        return ByDetail + byDetail;
    return std::min(letterScore(entry.text, word), letterScore(entry.title, word));
}

}  // namespace

std::optional<int> gotoScore(const GotoEntry &entry, const QStringList &words)
{
    int sum = 0;
    for (const QString &word : words) {
        const int score = wordScore(entry, word);
        if (score >= NoMatch)
            return std::nullopt;
        sum += score;
    }
    return sum;
}

}  // namespace sonde::ui
