// SPDX-License-Identifier: Apache-2.0
#include "core/json/diff.h"

#include "core/json/compare.h"

#include <QHash>
#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::json {

namespace {

constexpr int MaxTextLevels = 8;                     // JSON within strings within JSON within strings …
constexpr qsizetype MaxTextSize = 64 * 1024 * 1024;  // longer strings are compared as text
constexpr qsizetype MaxSearchedSize = 64 * 1024;     // larger elements are recognised by their bytes only

// A step from a value to one within it. Kept as a chain, so that a place costs nothing until it differs.
struct Place {
    quint32 parent = 0;    // 0: the root, which has no step
    QString key;           // of a member
    qsizetype index = -1;  // of an element
    bool isText = false;   // into the text of a string
};

struct Work {
    Value left;
    Value right;
    quint32 place = 0;
    int textLevel = 0;
    // Set when this only asks, after everything within the text was compared, whether there was any difference.
    qsizetype foundBefore = -1;
};

// The JSON object or array that a string consists of; nothing for other strings.
Document textDocument(const Value &string)
{
    if (string.slice().size() > MaxTextSize)
        return {};
    const QString text = string.string();
    const auto first = std::find_if_not(text.begin(), text.end(), [](QChar c) { return c.isSpace(); });
    if (first == text.end() || (*first != u'{' && *first != u'['))
        return {};
    const Document document = Document::parse(text.toUtf8());
    return document.isValid() && document.root().isContainer() ? document : Document();
}

std::vector<Value> elements(const Value &array)
{
    std::vector<Value> result;
    result.reserve(size_t(array.size()));
    for (const Value &element : array)
        result.push_back(element);
    return result;
}

bool isSame(const Value &left, const Value &right)
{
    if (left.slice() == right.slice())
        return true;
    return left.slice().size() <= MaxSearchedSize && right.slice().size() <= MaxSearchedSize && equal(left, right);
}

class Comparer {
public:
    explicit Comparer(const DiffOptions &options) : m_options(options), m_places(1) {}

    Diff run(const Value &left, const Value &right)
    {
        m_work.push_back({left, right, 0, 0, -1});
        while (!m_work.empty() && !m_diff.isCut) {
            const Work work = std::move(m_work.back());
            m_work.pop_back();
            compare(work);
        }
        return std::move(m_diff);
    }

private:
    void compare(const Work &work)
    {
        if (work.foundBefore >= 0) {
            if (m_diff.differences.size() == work.foundBefore)
                report(Difference::Kind::TextOnly, work.place, work.left, work.right);
            return;
        }
        if (!work.left.exists() || !work.right.exists()) {
            if (work.left.exists() != work.right.exists())
                report(work.left.exists() ? Difference::Kind::Removed : Difference::Kind::Added, work.place, work.left,
                       work.right);
            return;
        }
        if (work.left.kind() != work.right.kind()) {
            report(Difference::Kind::Changed, work.place, work.left, work.right);
            return;
        }
        // The same bytes mean the same, to the last digit.
        if (work.left.slice() == work.right.slice())
            return;
        switch (work.left.kind()) {
            case Kind::Number:
                report(compareNumbers(work.left.slice(), work.right.slice()) == 0 ? Difference::Kind::TextOnly
                                                                                  : Difference::Kind::Changed,
                       work.place, work.left, work.right);
                break;
            case Kind::String:
                compareStrings(work);
                break;
            case Kind::Array:
                compareArrays(work);
                break;
            case Kind::Object:
                compareObjects(work);
                break;
            case Kind::Bool:
            case Kind::Null:
            case Kind::Missing:
                report(Difference::Kind::Changed, work.place, work.left, work.right);
                break;
        }
    }

    void compareStrings(const Work &work)
    {
        if (work.left.string() == work.right.string())
            return;
        if (m_options.insideText && work.textLevel < MaxTextLevels) {
            const Document left = textDocument(work.left);
            const Document right = left.isNull() ? Document() : textDocument(work.right);
            if (!right.isNull()) {
                m_work.push_back({work.left, work.right, work.place, 0, m_diff.differences.size()});
                m_work.push_back(
                    {left.root(), right.root(), within({work.place, {}, -1, true}), work.textLevel + 1, -1});
                return;
            }
        }
        report(Difference::Kind::Changed, work.place, work.left, work.right);
    }

    void compareArrays(const Work &work)
    {
        const std::vector<Value> left = elements(work.left);
        const std::vector<Value> right = elements(work.right);
        const size_t shorter = std::min(left.size(), right.size());
        size_t tail = 0;  // elements that are the same at the end
        if (left.size() != right.size()) {
            size_t head = 0;
            while (head < shorter && isSame(left[head], right[head]))
                ++head;
            while (tail < shorter - head && isSame(left[left.size() - 1 - tail], right[right.size() - 1 - tail]))
                ++tail;
        }
        // The last in goes first.
        for (size_t i = 0; i < tail; ++i)
            push(work, left[left.size() - 1 - i], right[right.size() - 1 - i], qsizetype(left.size() - 1 - i));
        for (size_t i = right.size() - tail; i > left.size() - tail; --i)
            push(work, {}, right[i - 1], qsizetype(i - 1));
        for (size_t i = left.size() - tail; i > right.size() - tail; --i)
            push(work, left[i - 1], {}, qsizetype(i - 1));
        for (size_t i = shorter - tail; i > 0; --i)
            push(work, left[i - 1], right[i - 1], qsizetype(i - 1));
    }

    void compareObjects(const Work &work)
    {
        QHash<QString, Value> theirs;
        theirs.reserve(work.right.size());
        for (const Value &member : work.right)
            theirs.insert(member.key(), member);
        QHash<QString, Value> mine;
        mine.reserve(work.left.size());
        for (const Value &member : work.left)
            mine.insert(member.key(), member);
        const size_t before = m_work.size();
        for (const Value &member : work.left) {
            const QString key = member.key();
            if (mine.value(key).isSameNode(member))
                push(work, member, theirs.value(key), key);
        }
        for (const Value &member : work.right) {
            const QString key = member.key();
            if (!mine.contains(key) && theirs.value(key).isSameNode(member))
                push(work, {}, member, key);
        }
        std::reverse(m_work.begin() + qsizetype(before), m_work.end());
    }

    void push(const Work &work, const Value &left, const Value &right, qsizetype index)
    {
        if (left.slice() != right.slice())
            m_work.push_back({left, right, within({work.place, {}, index, false}), work.textLevel, -1});
    }
    void push(const Work &work, const Value &left, const Value &right, const QString &key)
    {
        if (left.slice() != right.slice())
            m_work.push_back({left, right, within({work.place, key, -1, false}), work.textLevel, -1});
    }

    quint32 within(Place place)
    {
        m_places.push_back(std::move(place));
        return quint32(m_places.size() - 1);
    }

    QString pointerTo(quint32 at) const
    {
        QStringList steps;
        for (; at != 0; at = m_places[at].parent) {
            const Place &place = m_places[at];
            if (place.isText) {
                steps.append(u"#"_s);
                continue;
            }
            QString key = place.index >= 0 ? QString::number(place.index) : place.key;
            steps.append(u'/' + key.replace(u'~', "~0"_L1).replace(u'/', "~1"_L1));
        }
        std::reverse(steps.begin(), steps.end());
        return steps.join(QString());
    }

    void report(Difference::Kind kind, quint32 place, const Value &left, const Value &right)
    {
        if (m_diff.differences.size() >= m_options.maxDifferences)
            m_diff.isCut = true;
        else
            m_diff.differences.append({kind, pointerTo(place), left, right});
    }

    const DiffOptions m_options;
    std::vector<Place> m_places;
    std::vector<Work> m_work;
    Diff m_diff;
};

}  // namespace

Diff diff(const Value &left, const Value &right, const DiffOptions &options)
{
    return Comparer(options).run(left, right);
}

}  // namespace sonde::json
