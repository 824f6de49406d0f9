// SPDX-License-Identifier: Apache-2.0
#include "core/schema/patternexample.h"

#include <QList>
#include <QStringView>

#include <algorithm>
#include <utility>

namespace sonde::schema {

namespace {

constexpr int MaxGroups = 16;
constexpr qsizetype MaxSample = 1'000;

class PatternSampler {
public:
    PatternSampler(QStringView pattern, int repeats) : m_pattern(pattern), m_repeats(repeats) {}

    QString sample()
    {
        const QString text = alternatives(0);
        return m_failed || m_at < m_pattern.size() ? QString() : text;
    }

private:
    bool atEnd() const { return m_failed || m_at >= m_pattern.size(); }
    QChar peek() const { return m_pattern.at(m_at); }
    bool take(QChar c)
    {
        const bool isNext = !atEnd() && peek() == c;
        m_at += isNext ? 1 : 0;
        return isNext;
    }
    QString fail()
    {
        m_failed = true;
        return {};
    }

    // The first of them; the others are only read.
    QString alternatives(int depth)
    {
        if (depth > MaxGroups)
            return fail();
        QString first = sequence(depth);
        while (take(u'|'))
            (void)sequence(depth);
        return first;
    }

    QString sequence(int depth)
    {
        QString text;
        while (!atEnd() && peek() != u'|' && peek() != u')') {
            const QString one = atom(depth);
            const int count = quantifier();
            if (text.size() + one.size() * count > MaxSample)
                return fail();
            text += one.repeated(count);
        }
        return text;
    }

    QString atom(int depth)
    {
        const QChar c = peek();
        ++m_at;
        switch (c.unicode()) {
            case u'^':
            case u'$':
                return {};
            case u'.':
                return QStringLiteral("a");
            case u'(':
                return group(depth);
            case u'[':
                return characterClass();
            case u'\\':
                return escape();
            default:
                return c;
        }
    }

    QString group(int depth)
    {
        bool looksAround = false;  // what it says of the text around it is left to the caller's check
        if (take(u'?') && !take(u':')) {
            const bool isBehind = take(u'<');
            looksAround = take(u'=') || take(u'!');
            const qsizetype end = looksAround || !isBehind ? -1 : m_pattern.indexOf(u'>', m_at);
            if (!looksAround && end < 0)
                return fail();
            if (!looksAround)
                m_at = end + 1;  // behind its name
        }
        const QString text = alternatives(depth + 1);
        if (!take(u')'))
            return fail();
        return looksAround ? QString() : text;
    }

    // Its first character, or one that a negated class does not exclude.
    QString characterClass()
    {
        const bool isNegated = take(u'^');
        QList<std::pair<QChar, QChar>> ranges;
        while (!atEnd() && peek() != u']')
            addRanges(&ranges);
        if (!take(u']') || ranges.isEmpty())
            return fail();
        if (!isNegated)
            return ranges.constFirst().first;
        for (const QChar c : QStringView(u"a0A_ .-!")) {
            if (std::none_of(ranges.begin(), ranges.end(),
                             [c](const auto &range) { return range.first <= c && c <= range.second; }))
                return c;
        }
        return fail();
    }

    // One character of a class, or a range of them.
    void addRanges(QList<std::pair<QChar, QChar>> *ranges)
    {
        QChar first = peek();
        ++m_at;
        if (first == u'\\') {
            const QChar escaped = atEnd() ? QChar() : peek();
            if (escaped == u'w')
                *ranges += {{u'a', u'z'}, {u'A', u'Z'}, {u'_', u'_'}};
            if (escaped == u'w' || escaped == u'd') {
                ++m_at;
                ranges->append({u'0', u'9'});
                return;
            }
            const QString text = escape();
            if (text.isEmpty())
                return;
            first = text.front();
        }
        QChar last = first;
        if (m_pattern.sliced(qMin(m_at, m_pattern.size())).startsWith(u'-') && m_at + 1 < m_pattern.size() &&
            m_pattern.at(m_at + 1) != u']' && m_pattern.at(m_at + 1) != u'\\') {
            last = m_pattern.at(m_at + 1);
            m_at += 2;
        }
        ranges->append({first, last});
    }

    QString escape()
    {
        if (atEnd())
            return fail();
        const QChar c = peek();
        ++m_at;
        switch (c.unicode()) {
            case u'd':
                return QStringLiteral("1");
            case u'w':
                return QStringLiteral("a");
            case u's':
                return QStringLiteral(" ");
            case u'D':
            case u'S':
                return QStringLiteral("a");
            case u'W':
                return QStringLiteral("-");
            case u't':
                return QStringLiteral("\t");
            case u'n':
                return QStringLiteral("\n");
            case u'r':
                return QStringLiteral("\r");
            case u'p':
                return property();
            case u'x':
                return code(2);
            case u'u':
                return code(4);
            case u'b':
            case u'B':
                return {};
            default:
                return c.isLetterOrNumber() ? fail() : QString(c);
        }
    }

    // "\p{L}": a character of the properties that are common; of others a letter, which the caller checks.
    QString property()
    {
        const qsizetype end = m_pattern.indexOf(u'}', m_at);
        if (!take(u'{') || end < 0)
            return fail();
        const QStringView name = m_pattern.sliced(m_at, end - m_at);
        m_at = end + 1;
        const QStringView value = name.mid(name.indexOf(u'=') + 1);
        return value.startsWith(u'N')   ? QStringLiteral("1")
               : value == u"Lu"         ? QStringLiteral("A")
               : value.startsWith(u'P') ? QStringLiteral("-")
               : value.startsWith(u'Z') ? QStringLiteral(" ")
                                        : QStringLiteral("a");
    }

    QString code(qsizetype digits)
    {
        bool isNumber = false;
        const ushort unit = m_pattern.mid(m_at, digits).toUShort(&isNumber, 16);
        if (!isNumber || m_pattern.size() - m_at < digits)
            return fail();
        m_at += digits;
        return QChar(unit);
    }

    int quantifier()
    {
        int count = 1;
        if (take(u'*')) {
            count = m_repeats;
        } else if (take(u'+')) {
            count = std::max(1, m_repeats);
        } else if (take(u'?')) {
            count = 0;
        } else if (!atEnd() && peek() == u'{') {
            const qsizetype end = m_pattern.indexOf(u'}', m_at);
            if (end < 0) {
                (void)fail();
                return 0;
            }
            const QStringView bounds = m_pattern.sliced(m_at + 1, end - m_at - 1);
            const qsizetype comma = bounds.indexOf(u',');
            count = bounds.first(comma < 0 ? bounds.size() : comma).toInt();
            const QStringView highest = comma < 0 ? QStringView() : bounds.sliced(comma + 1);
            if (comma >= 0)
                count = std::max(count, highest.isEmpty() ? m_repeats : std::min(m_repeats, highest.toInt()));
            m_at = end + 1;
        } else {
            return 1;
        }
        (void)take(u'?');  // how greedy it is does not matter
        return std::clamp(count, 0, int(MaxSample));
    }

    const QStringView m_pattern;
    const int m_repeats;
    qsizetype m_at = 0;
    bool m_failed = false;
};

}  // namespace

QString patternExample(const QString &pattern, int repeats)
{
    return PatternSampler(pattern, repeats).sample();
}

}  // namespace sonde::schema
