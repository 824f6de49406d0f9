// SPDX-License-Identifier: Apache-2.0
#include "ui/diff/sidebysidetext.h"

#include "core/json/builder.h"
#include "core/json/pointer.h"
#include "ui/json/textlines.h"

#include <QHash>
#include <QSet>
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using Range = SideBySideText::Range;

// What is laid out.
struct Sides {
    json::Value left;
    json::Value right;
    QList<json::Difference> differences;
};

// Finds the strings that hold JSON with differences. A key may contain a '#' too.
class TextFinder {
public:
    explicit TextFinder(const Sides &sides) : m_sides(sides) {}

    // Where the pointer of a difference enters the text of a string; -1: nowhere.
    qsizetype entry(const json::Difference &difference)
    {
        const bool isLeft = difference.left.exists();
        const json::Value &value = isLeft ? difference.left : difference.right;
        const json::Value &root = isLeft ? m_sides.left : m_sides.right;
        if (value.document().text().constData() == root.document().text().constData())
            return -1;
        const QString &pointer = difference.pointer;
        qsizetype hash = pointer.indexOf(u'#');
        while (hash >= 0 && !isString(pointer.left(hash)))
            hash = pointer.indexOf(u'#', hash + 1);
        return hash;
    }

private:
    bool isString(const QString &place)
    {
        const auto known = m_known.constFind(place);
        if (known != m_known.constEnd())
            return *known;
        const std::optional<json::Pointer> pointer = json::Pointer::fromString(place);
        return *m_known.insert(
            place, pointer && pointer->resolve(m_sides.left).isString() && pointer->resolve(m_sides.right).isString());
    }

    const Sides &m_sides;
    QHash<QString, bool> m_known;
};

json::Value stringAt(const json::Value &root, const QString &place)
{
    return json::Pointer::fromString(place)->resolve(root);
}

// Missing where a string does not hold JSON.
json::Value withEmbeddedJson(const json::Value &root, const QSet<QString> &places)
{
    QList<json::Value> strings;
    for (const QString &place : places)
        strings.append(stringAt(root, place));
    std::sort(strings.begin(), strings.end(),
              [](const json::Value &a, const json::Value &b) { return a.offset() > b.offset(); });
    QByteArray whole = root.bytes();
    for (const json::Value &string : std::as_const(strings))
        whole.replace(string.offset() - root.offset(), string.slice().size(), string.string().toUtf8());
    const json::Document document = json::Document::parse(whole);
    return document.isValid() ? document.root() : json::Value();
}

// Replaces the strings that hold JSON with differences by that JSON. Nothing where there are none, or where the same
// differences are not found again.
std::optional<Sides> withEmbeddedJson(const Sides &sides)
{
    TextFinder texts(sides);
    QSet<QString> places;
    QStringList pointers;  // as they are when the strings are replaced
    for (const json::Difference &difference : sides.differences) {
        const qsizetype entry = texts.entry(difference);
        if (entry >= 0)
            places.insert(difference.pointer.left(entry));
        pointers.append(entry < 0 ? difference.pointer : QString(difference.pointer).remove(entry, 1));
    }
    if (places.isEmpty())
        return std::nullopt;
    Sides result{withEmbeddedJson(sides.left, places), withEmbeddedJson(sides.right, places), {}};
    if (!result.left.exists() || !result.right.exists())
        return std::nullopt;
    QHash<std::pair<int, QString>, json::Difference> found;
    for (const json::Difference &difference : json::diff(result.left, result.right).differences)
        found.insert({int(difference.kind), difference.pointer}, difference);
    for (qsizetype i = 0; i < pointers.size(); ++i) {
        const auto same = found.constFind({int(sides.differences[i].kind), pointers[i]});
        if (same == found.constEnd())
            return std::nullopt;
        result.differences.append(*same);
    }
    return result;
}

// Differences within strings that could not be replaced are differences of these strings.
void markWholeStrings(Sides *sides)
{
    TextFinder texts(*sides);
    for (json::Difference &difference : sides->differences) {
        if (const qsizetype entry = texts.entry(difference); entry >= 0) {
            const QString place = difference.pointer.left(entry);
            difference = {json::Difference::Kind::Changed, place, stringAt(sides->left, place),
                          stringAt(sides->right, place)};
        }
    }
}

// One side: its text, the places of the differences in it, and their lines.
class Side {
public:
    Side(const json::Value &root, const QByteArray &otherText, const QList<json::Difference> &differences,
         json::Value json::Difference::*part)
        : ranges(differences.size(), Range{-1, 0})
    {
        if (!root.exists() || !root.document().isValid()) {
            text = root.exists() && otherText.isEmpty() ? root.bytes() : otherText;
        } else {
            text = json::indented(root);
            locate(root, differences, part);
        }
        starts.append(0);
        for (qsizetype at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
            starts.append(at + 1);
    }

    QByteArrayView line(qsizetype index) const { return QByteArrayView(text).sliced(starts[index], lengthOf(index)); }
    qsizetype lineCount() const { return starts.size(); }
    qsizetype lineAt(qsizetype offset) const
    {
        return std::upper_bound(starts.cbegin(), starts.cend(), offset) - starts.cbegin() - 1;
    }

    QByteArray text;
    QList<qsizetype> starts;  // of lines
    QList<Range> ranges;      // offset -1: not on this side

private:
    qsizetype lengthOf(qsizetype index) const
    {
        return (index + 1 < starts.size() ? starts[index + 1] - 1 : text.size()) - starts[index];
    }

    // The formatted text has the same nodes in the same order, so both are walked together.
    void locate(const json::Value &root, const QList<json::Difference> &differences,
                json::Value json::Difference::*part)
    {
        QHash<qsizetype, QList<qsizetype>> byOffset;
        for (qsizetype i = 0; i < differences.size(); ++i) {
            if (const json::Value &value = differences[i].*part; value.exists())
                byOffset[value.offset()].append(i);
        }
        const json::Value shown = json::parse(text);
        std::vector<std::pair<json::Value, json::Value>> open{{root, shown}};
        while (!open.empty()) {
            const auto [original, laidOut] = std::move(open.back());
            open.pop_back();
            for (const qsizetype i : byOffset.value(original.offset()))
                ranges[i] = {laidOut.offset(), laidOut.slice().size()};
            auto right = laidOut.begin();
            for (const json::Value &child : original) {
                if (child.isContainer() || byOffset.contains(child.offset()))
                    open.emplace_back(child, *right);
                ++right;
            }
        }
    }
};

// The difference that a line belongs to.
class LineOwners {
public:
    explicit LineOwners(const Side &side) : m_owners(side.lineCount(), -1)
    {
        for (qsizetype i = 0; i < side.ranges.size(); ++i) {
            const Range &range = side.ranges[i];
            if (range.offset < 0)
                continue;
            const qsizetype last = side.lineAt(range.offset + qMax<qsizetype>(0, range.length - 1));
            for (qsizetype line = side.lineAt(range.offset); line <= last; ++line) {
                if (m_owners[line] < 0)
                    m_owners[line] = i;
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
        : m_left{left, LineOwners(left)}, m_right{right, LineOwners(right)}, m_differences(differences)
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
        return kind == json::Difference::Kind::Added || kind == json::Difference::Kind::Removed;
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
    Sides sides{left.value, right.value, differences};
    bool hasEmbeddedJson = false;
    // JSON in a string of JSON in a string: one level at a time.
    for (std::optional<Sides> next = withEmbeddedJson(sides); next; next = withEmbeddedJson(sides)) {
        sides = *next;
        hasEmbeddedJson = true;
    }
    markWholeStrings(&sides);
    const Side leftSide(sides.left, left.text, sides.differences, &json::Difference::left);
    const Side rightSide(sides.right, right.text, sides.differences, &json::Difference::right);
    const Rows rows(leftSide, rightSide, sides.differences);
    return {rows.leftText(),    rows.rightText(),  rows.leftRanges(),
            rows.rightRanges(), sides.differences, hasEmbeddedJson};
}

}  // namespace sonde::ui
