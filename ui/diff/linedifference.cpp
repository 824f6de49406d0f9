// SPDX-License-Identifier: Apache-2.0
#include "ui/diff/linedifference.h"

#include "core/protocol/numbertext.h"
#include "ui/json/textview.h"

#include <QByteArrayView>
#include <QCoreApplication>
#include <QHash>
#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int ContextLines = 3;
// The cost rises with the square of it.
constexpr int MaxEdits = 1500;

struct LineDifferenceText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::LineDifference)
};

// Without their ends; a text that ends with a line break has no empty line after it.
std::vector<QByteArrayView> linesOf(const QByteArray &text)
{
    std::vector<QByteArrayView> lines;
    const QByteArrayView view(text);
    for (qsizetype start = 0; start < view.size();) {
        qsizetype end = view.indexOf('\n', start);
        if (end < 0)
            end = view.size();
        lines.push_back(view.sliced(start, end - start));
        start = end + 1;
    }
    return lines;
}

// Equal lines have equal numbers.
class LineNumbers {
public:
    std::vector<int> of(const std::vector<QByteArrayView> &lines)
    {
        std::vector<int> numbers;
        numbers.reserve(lines.size());
        for (const QByteArrayView line : lines) {
            const auto known = m_numbers.constFind(line);
            numbers.push_back(known != m_numbers.constEnd() ? *known : int(m_numbers.size()));
            if (known == m_numbers.constEnd())
                m_numbers.insert(line, numbers.back());
        }
        return numbers;
    }

private:
    QHash<QByteArrayView, int> m_numbers;
};

struct EqualLines {
    int older = 0;
    int newer = 0;
};

// Myers, "An O(ND) Difference Algorithm and Its Variations": the furthest points that d edits reach on each diagonal,
// kept for each d, and then the way back. Nothing when there are too many edits.
std::vector<EqualLines> equalLines(const int *older, int olderSize, const int *newer, int newerSize)
{
    std::vector<std::vector<int>> steps;
    std::vector<int> furthest(size_t(2 * MaxEdits + 3), 0);
    const int middle = MaxEdits + 1;
    int edits = -1;
    for (int d = 0; d <= std::min(MaxEdits, olderSize + newerSize) && edits < 0; ++d) {
        steps.emplace_back(furthest.begin() + (middle - d), furthest.begin() + (middle + d + 1));
        for (int k = -d; k <= d; k += 2) {
            const bool isDown =
                k == -d || (k != d && furthest[size_t(middle + k - 1)] < furthest[size_t(middle + k + 1)]);
            int x = isDown ? furthest[size_t(middle + k + 1)] : furthest[size_t(middle + k - 1)] + 1;
            int y = x - k;
            while (x < olderSize && y < newerSize && older[x] == newer[y]) {
                ++x;
                ++y;
            }
            furthest[size_t(middle + k)] = x;
            if (x >= olderSize && y >= newerSize) {
                edits = d;
                break;
            }
        }
    }
    std::vector<EqualLines> equal;
    if (edits < 0)
        return equal;
    int x = olderSize;
    int y = newerSize;
    for (int d = edits; d >= 0; --d) {
        // What the step before had reached, on the diagonals -d to d.
        const std::vector<int> &before = steps[size_t(d)];
        const auto reached = [&](int k) { return before[size_t(k + d)]; };
        const int k = x - y;
        const bool isDown = k == -d || (k != d && reached(k - 1) < reached(k + 1));
        const int fromX = d == 0 ? 0 : reached(isDown ? k + 1 : k - 1);
        const int fromY = d == 0 ? 0 : fromX - (isDown ? k + 1 : k - 1);
        const int startX = d == 0 ? 0 : isDown ? fromX : fromX + 1;
        while (x > startX) {
            --x;
            --y;
            equal.push_back({x, y});
        }
        x = fromX;
        y = fromY;
    }
    std::reverse(equal.begin(), equal.end());
    return equal;
}

class DifferenceWriter {
public:
    void addEqual(const std::vector<QByteArrayView> &lines, int from, int to, bool isFirst, bool isLast)
    {
        const int head = isFirst ? 0 : ContextLines;
        const int tail = isLast ? 0 : ContextLines;
        // A line that says how many were left out takes the place of at least two.
        const bool isCut = to - from > head + tail + 1;
        for (int line = from; line < to; ++line) {
            if (isCut && line == from + head) {
                const int left = to - from - head - tail;
                difference.text +=
                    counted(left, LineDifferenceText::tr("… 1 equal line"), LineDifferenceText::tr("… %1 equal lines"))
                        .toUtf8() +
                    '\n';
                line = to - tail;
                if (line >= to)
                    break;
            }
            add(lines[size_t(line)]);
        }
    }

    void addChanged(const std::vector<QByteArrayView> &lines, int from, int to, bool isAdded)
    {
        if (from == to)
            return;
        const qsizetype offset = difference.text.size();
        for (int line = from; line < to; ++line)
            add(lines[size_t(line)]);
        difference.changes.append({offset, difference.text.size() - 1 - offset, isAdded});
        (isAdded ? difference.added : difference.removed) += to - from;
    }

    LineDifference difference;

private:
    void add(QByteArrayView line) { difference.text.append(line).append('\n'); }
};

}  // namespace

LineDifference differenceOfLines(const QByteArray &older, const QByteArray &newer)
{
    const std::vector<QByteArrayView> olderLines = linesOf(older);
    const std::vector<QByteArrayView> newerLines = linesOf(newer);
    LineNumbers numbers;
    const std::vector<int> left = numbers.of(olderLines);
    const std::vector<int> right = numbers.of(newerLines);

    const auto head = int(std::mismatch(left.begin(), left.end(), right.begin(), right.end()).first - left.begin());
    int tail = 0;
    const int shorter = int(std::min(left.size(), right.size()));
    while (tail < shorter - head && left[left.size() - 1 - size_t(tail)] == right[right.size() - 1 - size_t(tail)])
        ++tail;
    const int leftEnd = int(left.size()) - tail;
    const int rightEnd = int(right.size()) - tail;
    std::vector<EqualLines> equal =
        equalLines(left.data() + head, leftEnd - head, right.data() + head, rightEnd - head);
    equal.push_back({leftEnd - head, rightEnd - head});  // behind the last

    DifferenceWriter writer;
    int olderAt = head;
    int newerAt = head;
    int equalFrom = 0;  // where the last stretch of equal lines began
    for (const EqualLines &each : equal) {
        const int olderLine = each.older + head;
        const int newerLine = each.newer + head;
        if (olderLine > olderAt || newerLine > newerAt) {
            writer.addEqual(olderLines, equalFrom, olderAt, writer.difference.isEmpty(), false);
            writer.addChanged(olderLines, olderAt, olderLine, false);
            writer.addChanged(newerLines, newerAt, newerLine, true);
            equalFrom = olderLine;
        }
        olderAt = olderLine + 1;
        newerAt = newerLine + 1;
    }
    if (!writer.difference.isEmpty())
        writer.addEqual(olderLines, equalFrom, int(olderLines.size()), false, true);
    return writer.difference;
}

void showLineDifference(TextView *view, const LineDifference &difference)
{
    QList<TextView::Tint> tints;
    for (const LineDifference::Change &change : difference.changes)
        tints.append({change.offset, change.length, change.isAdded ? Tone::Ok : Tone::ProtocolError,
                      change.isAdded ? u"+"_s : u"−"_s});
    view->setText(difference.text);
    view->setTints(tints);
}

}  // namespace sonde::ui
