// SPDX-License-Identifier: Apache-2.0
#include "ui/form/patchedtext.h"

#include "core/json/builder.h"
#include "core/json/scan.h"

#include <QHash>
#include <QList>

namespace sonde::ui {

namespace {

// The same value, however it is laid out. Documents limit how deep values are.
bool isSameValue(const json::Value &before, const json::Value &after)
{
    if (before.kind() != after.kind() || before.size() != after.size())
        return false;
    if (!before.isContainer() || before.slice() == after.slice())
        return before.slice() == after.slice();
    auto other = after.begin();
    for (const json::Value &inner : before) {
        const json::Value now = *other;
        if (inner.keySlice() != now.keySlice() || !isSameValue(inner, now))
            return false;
        ++other;
    }
    return true;
}

// A member or an item, and what stands around it.
struct LaidOut {
    json::Value value;
    QByteArrayView lead;   // behind the bracket or the comma
    QByteArrayView colon;  // between the name and the value; empty in a list
    QByteArrayView trail;  // before the comma or the bracket
};

class Patcher {
public:
    explicit Patcher(const json::Document &before) : m_text(before.text()), m_root(before.root())
    {
        const QList<LaidOut> parts = partsOf(m_root);
        const QByteArrayView lead = parts.isEmpty() ? QByteArrayView() : parts.constFirst().lead;
        const qsizetype line = lead.lastIndexOf('\n');
        m_isLines = parts.isEmpty() || m_text.contains('\n');
        m_unit = line < 0 ? QByteArray() : lead.sliced(line + 1).toByteArray();
        if (m_unit.isEmpty())
            m_unit = "  ";
    }

    QByteArray run(const json::Value &after)
    {
        m_out.reserve(m_text.size() + 256);
        m_out = m_text.left(m_root.offset());
        write(m_root, after);
        m_out += QByteArrayView(m_text).sliced(m_root.offset() + m_root.slice().size());
        return m_out;
    }

private:
    QList<LaidOut> partsOf(const json::Value &container) const
    {
        QList<LaidOut> parts;
        const QByteArrayView text(m_text);
        qsizetype at = container.offset() + 1;
        for (const json::Value &value : container) {
            const QByteArrayView key = value.keySlice();
            const qsizetype start = key.isEmpty() ? value.offset() : key.data() - text.data();
            const qsizetype colon = key.isEmpty() ? start : start + key.size();
            const qsizetype end = value.offset() + value.slice().size();
            const char *next = json::skipSpace(text.data() + end, text.data() + text.size());
            const qsizetype separator = next - text.data();
            parts.append({value, text.sliced(at, start - at), text.sliced(colon, value.offset() - colon),
                          text.sliced(end, separator - end)});
            at = separator + 1;
        }
        return parts;
    }

    // Which former part each of the new ones is; -1: none.
    static QList<qsizetype> matched(const QList<LaidOut> &parts, const QList<json::Value> &now)
    {
        const auto isSame = [&](qsizetype old, qsizetype fresh) {
            const json::Value &value = parts.at(old).value;
            const QByteArrayView key = value.keySlice();
            return key.isEmpty() ? isSameValue(value, now.at(fresh)) : key == now.at(fresh).keySlice();
        };
        QList<qsizetype> from(now.size(), -1);
        const qsizetype common = qMin(parts.size(), now.size());
        if (parts.size() == now.size()) {
            for (qsizetype i = 0; i < common; ++i)
                from[i] = i;
            return from;
        }
        qsizetype first = 0;
        for (; first < common && isSame(first, first); ++first)
            from[first] = first;
        qsizetype last = 0;
        for (; last < common - first && isSame(parts.size() - 1 - last, now.size() - 1 - last); ++last)
            from[now.size() - 1 - last] = parts.size() - 1 - last;
        QHash<QByteArrayView, qsizetype> names;
        for (qsizetype i = first; i < parts.size() - last; ++i)
            names.insert(parts.at(i).value.keySlice(), i);
        qsizetype next = first;
        for (qsizetype i = first; i < now.size() - last && next < parts.size() - last; ++i) {
            const QByteArrayView key = now.at(i).keySlice();
            const qsizetype found = key.isEmpty() ? next : names.value(key, -1);
            if (found < next)
                continue;
            from[i] = found;
            next = found + 1;
        }
        return from;
    }

    void write(const json::Value &before, const json::Value &after)
    {
        const bool isSameKind = before.kind() == after.kind();
        if (isSameKind && (before.slice() == after.slice() || (before.isContainer() && isSameValue(before, after)))) {
            m_out += before.slice();
            return;
        }
        if (!isSameKind || !before.isContainer() || before.isEmpty() || after.isEmpty())
            return writeNew(after);
        const QList<LaidOut> parts = partsOf(before);
        QList<json::Value> now;
        for (const json::Value &inner : after)
            now.append(inner);
        const QList<qsizetype> from = matched(parts, now);
        m_out += before.slice().first(1);
        qsizetype former = 0;  // the last of them that has been written
        for (qsizetype i = 0; i < now.size(); ++i) {
            const qsizetype old = from.at(i);
            if (i > 0)
                m_out += ',';
            m_out += old > 0 && i > 0 ? parts.at(old).lead : leadOf(parts, i, old, former);
            former = qMax(former, old);
            if (after.isObject()) {
                m_out += now.at(i).keySlice();
                m_out += parts.at(former).colon;
            }
            if (old < 0)
                writeNew(now.at(i));
            else
                write(parts.at(old).value, now.at(i));
            if (i + 1 == now.size())
                m_out += parts.constLast().trail;
            else if (old >= 0 && old + 1 < parts.size())
                m_out += parts.at(old).trail;
        }
        m_out += before.slice().last(1);
    }

    // Of the first one, or of one that is new: as that of a neighbour, without the empty lines above that.
    static QByteArrayView leadOf(const QList<LaidOut> &parts, qsizetype index, qsizetype old, qsizetype former)
    {
        const QByteArrayView first = parts.constFirst().lead;
        if (index == 0 && old <= 0)
            return first;
        QByteArrayView lead = index == 0 || parts.size() == 1 ? first : parts.at(qMax(qsizetype(1), former)).lead;
        if (index > 0 && parts.size() == 1 && lead.isEmpty() && parts.constFirst().colon.endsWith(' '))
            lead = " ";
        const qsizetype line = lead.lastIndexOf('\n');
        return line < 0 ? lead : lead.sliced(line);
    }

    void writeNew(const json::Value &value)
    {
        if (!m_isLines || !value.isContainer() || value.isEmpty()) {
            m_out += value.isContainer() ? json::compact(value) : value.bytes();
            return;
        }
        const qsizetype line = m_out.lastIndexOf('\n') + 1;
        qsizetype end = line;
        while (end < m_out.size() && (m_out.at(end) == ' ' || m_out.at(end) == '\t'))
            ++end;
        const QByteArray indent = m_out.sliced(line, end - line);
        const QList<QByteArray> lines = json::indented(value, 1).split('\n');
        for (qsizetype i = 0; i < lines.size(); ++i) {
            qsizetype depth = 0;
            while (depth < lines.at(i).size() && lines.at(i).at(depth) == ' ')
                ++depth;
            if (i > 0)
                m_out += '\n' + indent;
            m_out += m_unit.repeated(depth) + lines.at(i).sliced(depth);
        }
    }

    const QByteArray m_text;
    const json::Value m_root;
    QByteArray m_out;
    QByteArray m_unit;       // of indentation
    bool m_isLines = false;  // a new container has a line for each member
};

}  // namespace

QByteArray patchedText(const json::Document &before, const json::Value &after)
{
    return Patcher(before).run(after);
}

}  // namespace sonde::ui
