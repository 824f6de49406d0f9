// SPDX-License-Identifier: Apache-2.0
#include "ui/json/sidebysidetext.h"

#include "core/json/builder.h"
#include "core/json/pointer.h"
#include "ui/json/textlines.h"

#include <QHash>
#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using Range = SideBySideText::Range;
constexpr int MaxTextLevels = 8;  // as the comparison

// The UTF-8 bytes of the escape at `at`, and its length in the text.
std::pair<int, int> escapeAt(QByteArrayView slice, qsizetype at)
{
    if (at + 1 >= slice.size() || slice[at + 1] != 'u')
        return {1, 2};
    const auto codeAt = [&](qsizetype from) { return slice.sliced(from, 4).toByteArray().toUInt(nullptr, 16); };
    if (at + 6 > slice.size())
        return {1, 2};
    const uint code = codeAt(at + 2);
    const bool isHigh = code >= 0xd800 && code < 0xdc00;
    if (isHigh && at + 12 <= slice.size() && slice[at + 6] == '\\' && slice[at + 7] == 'u') {
        const uint low = codeAt(at + 8);
        if (low >= 0xdc00 && low < 0xe000)
            return {4, 12};
    }
    return {code < 0x80 ? 1 : code < 0x800 ? 2 : 3, 6};
}

// A place within the decoded text of a string, and its difference.
struct Found {
    qsizetype difference = 0;
    qsizetype start = 0;
    qsizetype end = 0;
};

// Maps places in the decoded text to places in the escaped string.
void toWritten(QByteArrayView slice, QList<Found> *found)
{
    std::vector<qsizetype *> wanted;
    for (Found &each : *found) {
        wanted.push_back(&each.start);
        wanted.push_back(&each.end);
    }
    std::sort(wanted.begin(), wanted.end(), [](const qsizetype *a, const qsizetype *b) { return *a < *b; });
    qsizetype decoded = 0;
    qsizetype at = 1;  // after the quote
    for (qsizetype *place : wanted) {
        while (decoded < *place && at < slice.size()) {
            const auto [bytes, length] = slice[at] == '\\' ? escapeAt(slice, at) : std::pair(1, 1);
            decoded += bytes;
            at += length;
        }
        *place = at;
    }
}

// One side: its text, the places of the differences in it, and their lines.
class Side {
public:
    Side(const SideBySideSource &source, const QList<json::Difference> &differences,
         json::Value json::Difference::*part)
        : m_differences(differences), m_part(part), ranges(differences.size(), Range{-1, 0})
    {
        const json::Value &root = source.value;
        if (!root.exists() || !root.document().isValid()) {
            text = root.exists() && source.text.isEmpty() ? root.bytes() : source.text;
        } else {
            text = json::indented(root);
            locate(root);
        }
        splitLines();
    }

    QByteArrayView line(qsizetype index) const { return QByteArrayView(text).sliced(starts[index], lengthOf(index)); }
    qsizetype lineCount() const { return starts.size(); }
    qsizetype lineAt(qsizetype offset) const
    {
        return std::upper_bound(starts.cbegin(), starts.cend(), offset) - starts.cbegin() - 1;
    }

private:
    qsizetype lengthOf(qsizetype index) const
    {
        return (index + 1 < starts.size() ? starts[index + 1] - 1 : text.size()) - starts[index];
    }

    void splitLines()
    {
        starts.append(0);
        for (qsizetype at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
            starts.append(at + 1);
    }

    // The formatted text has the same nodes in the same order, so both are walked together.
    void locate(const json::Value &root)
    {
        const QByteArray &whole = root.document().text();
        for (qsizetype i = 0; i < m_differences.size(); ++i) {
            const json::Value &value = m_differences[i].*m_part;
            if (!value.exists())
                continue;
            if (value.document().text().constData() == whole.constData()) {
                m_byOffset[value.offset()].append(i);
            } else {
                m_byText[value.document().text()].append(i);
                m_levels = qMin(MaxTextLevels, qMax(m_levels, int(m_differences[i].pointer.count(u"#/"_s)) + 1));
            }
        }
        const json::Value shown = json::parse(text);
        std::vector<std::pair<json::Value, json::Value>> open{{root, shown}};
        while (!open.empty()) {
            const auto [original, laidOut] = std::move(open.back());
            open.pop_back();
            const auto here = m_byOffset.constFind(original.offset());
            if (here != m_byOffset.constEnd()) {
                for (const qsizetype i : *here)
                    ranges[i] = {laidOut.offset(), laidOut.slice().size()};
            }
            if (original.isString() && !m_byText.isEmpty())
                place(laidOut);
            auto right = laidOut.begin();
            for (const json::Value &child : original) {
                if (child.isContainer() || child.isString() || m_byOffset.contains(child.offset()))
                    open.emplace_back(child, *right);
                ++right;
            }
        }
    }

    void place(const json::Value &string)
    {
        const QList<Found> found = within(string, 1);
        if (found.isEmpty())
            return;
        const QString pointer = json::Pointer::to(string).toString();
        for (const Found &each : found) {
            // The same text may occur several times; the pointer selects one.
            const bool isNamed = m_differences[each.difference].pointer.startsWith(pointer + u'#');
            if (isNamed || ranges[each.difference].offset < 0)
                ranges[each.difference] = {each.start, each.end - each.start};
        }
    }

    QList<Found> within(const json::Value &string, int level)
    {
        QList<Found> found;
        const QByteArrayView slice = string.slice();
        if (level > m_levels || (!slice.contains('{') && !slice.contains('[')))
            return found;
        const QByteArray decoded = string.string().toUtf8();
        const QList<qsizetype> direct = m_byText.value(decoded);
        for (const qsizetype i : direct) {
            const json::Value &value = m_differences[i].*m_part;
            found.append({i, value.offset(), value.offset() + value.slice().size()});
        }
        if (level < m_levels) {
            const json::Document document = json::Document::parse(decoded);
            std::vector<json::Value> open{document.root()};
            while (!open.empty()) {
                const json::Value value = std::move(open.back());
                open.pop_back();
                if (value.isString())
                    found += within(value, level + 1);
                for (const json::Value &child : value)
                    open.push_back(child);
            }
        }
        toWritten(slice, &found);
        for (Found &each : found) {
            each.start += string.offset();
            each.end += string.offset();
        }
        return found;
    }

    const QList<json::Difference> &m_differences;
    json::Value json::Difference::*const m_part;
    QHash<qsizetype, QList<qsizetype>> m_byOffset;
    QHash<QByteArray, QList<qsizetype>> m_byText;
    int m_levels = 1;

public:
    QByteArray text;
    QList<qsizetype> starts;  // of lines
    QList<Range> ranges;      // offset -1: not on this side
};

// The difference that a line belongs to; those within one string are one.
class LineOwners {
public:
    LineOwners(const Side &side, const QList<json::Difference> &differences) : m_owners(side.lineCount(), -1)
    {
        QHash<QString, qsizetype> strings;
        for (qsizetype i = 0; i < differences.size(); ++i) {
            const Range &range = side.ranges[i];
            const qsizetype hash = differences[i].pointer.indexOf(u'#');
            qsizetype owner = i;
            if (hash >= 0) {
                const QString string = differences[i].pointer.left(hash);
                owner = strings.value(string, i);
                strings.insert(string, owner);
            }
            if (range.offset < 0)
                continue;
            const qsizetype last = side.lineAt(range.offset + qMax<qsizetype>(0, range.length - 1));
            for (qsizetype line = side.lineAt(range.offset); line <= last; ++line) {
                if (m_owners[line] < 0)
                    m_owners[line] = owner;
            }
        }
    }
    qsizetype of(qsizetype line) const { return m_owners[line]; }

private:
    QList<qsizetype> m_owners;
};

// Aligns lines and remembers their new positions.
class Rows {
public:
    Rows(const Side &left, const Side &right, const QList<json::Difference> &differences)
        : m_left{left, LineOwners(left, differences)},
          m_right{right, LineOwners(right, differences)},
          m_differences(differences)
    {
        while (m_left.next < left.lineCount() || m_right.next < right.lineCount())
            step();
    }

    QByteArray leftText() const { return m_left.text; }
    QByteArray rightText() const { return m_right.text; }
    QList<Range> leftRanges() const { return ranges(m_left, m_right); }
    QList<Range> rightRanges() const { return ranges(m_right, m_left); }

private:
    struct Column {
        const Side &side;
        LineOwners owners;
        qsizetype next = 0;          // line
        QByteArray text = {};        // with the empty lines
        QList<qsizetype> rows = {};  // of lines
        QList<qsizetype> rowStarts = {};

        bool atEnd() const { return next >= side.lineCount(); }
        qsizetype owner() const { return owners.of(next); }
    };

    bool isOneSided(qsizetype difference) const
    {
        const auto kind = m_differences[difference].kind;
        return (kind == json::Difference::Kind::Added || kind == json::Difference::Kind::Removed) &&
               !m_differences[difference].pointer.contains(u'#');
    }

    void step()
    {
        if (m_left.atEnd() || m_right.atEnd())
            return put(!m_left.atEnd(), !m_right.atEnd());
        const qsizetype a = m_left.owner();
        const qsizetype b = m_right.owner();
        if (a >= 0 && isOneSided(a))
            return put(true, false);
        if (b >= 0 && isOneSided(b))
            return put(false, true);
        if (a == b)
            m_common = a;
        else if (a >= 0 && (b < 0 || a == m_common))
            return put(true, false);
        else if (b >= 0 && (a < 0 || b == m_common))
            return put(false, true);
        put(true, true);
    }

    void put(bool left, bool right)
    {
        const qsizetype leftHeight = left ? heightOf(m_left) : 0;
        const qsizetype rightHeight = right ? heightOf(m_right) : 0;
        put(&m_left, left, rightHeight - leftHeight);
        put(&m_right, right, leftHeight - rightHeight);
    }

    // In lines of the view, which breaks very long ones.
    static qsizetype heightOf(const Column &column)
    {
        const QByteArrayView line = column.side.line(column.next);
        if (line.size() <= TextLines::MaxLineLength)
            return 1;
        TextLines lines;
        lines.layOut(line, 0);
        return lines.count();
    }

    static void put(Column *column, bool hasLine, qsizetype emptyLines)
    {
        column->rowStarts.append(column->text.size());
        if (hasLine) {
            column->rows.append(column->rowStarts.size() - 1);
            column->text += column->side.line(column->next++);
            column->text += '\n';
        }
        column->text += QByteArray(qMax<qsizetype>(0, emptyLines), '\n');
    }

    static Range moved(const Column &column, const Range &range)
    {
        const auto place = [&column](qsizetype offset) {
            const qsizetype line = column.side.lineAt(offset);
            return column.rowStarts[column.rows[line]] + offset - column.side.starts[line];
        };
        const qsizetype start = place(range.offset);
        return {start, place(range.offset + range.length) - start};
    }

    QList<Range> ranges(const Column &column, const Column &other) const
    {
        QList<Range> result;
        for (qsizetype i = 0; i < m_differences.size(); ++i) {
            if (column.side.ranges[i].offset >= 0) {
                result.append(moved(column, column.side.ranges[i]));
            } else if (other.side.ranges[i].offset >= 0) {
                const qsizetype row = other.rows[other.side.lineAt(other.side.ranges[i].offset)];
                result.append({column.rowStarts[row], 0});
            } else {
                result.append(Range());
            }
        }
        return result;
    }

    Column m_left;
    Column m_right;
    const QList<json::Difference> &m_differences;
    qsizetype m_common = -2;  // the difference of the last lines that stand across from each other
};

}  // namespace

SideBySideText layOutSideBySide(const SideBySideSource &left, const SideBySideSource &right,
                                const QList<json::Difference> &differences)
{
    const Side leftSide(left, differences, &json::Difference::left);
    const Side rightSide(right, differences, &json::Difference::right);
    const Rows rows(leftSide, rightSide, differences);
    return {rows.leftText(), rows.rightText(), rows.leftRanges(), rows.rightRanges()};
}

}  // namespace sonde::ui
