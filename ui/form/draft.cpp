// SPDX-License-Identifier: Apache-2.0
#include "ui/form/draft.h"

#include "core/json/builder.h"

#include <QHash>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype SharedFrom = qsizetype(64) * 1024;  // is shared with what it was read from, not copied

json::Kind kindOf(QByteArrayView json)
{
    if (json.isEmpty())
        return json::Kind::Missing;
    switch (json.front()) {
        case '{':
            return json::Kind::Object;
        case '[':
            return json::Kind::Array;
        case '"':
            return json::Kind::String;
        case 't':
        case 'f':
            return json::Kind::Bool;
        case 'n':
            return json::Kind::Null;
        default:
            return json::Kind::Number;
    }
}

// In pieces, which are compared much faster than single bytes.
qsizetype sameBytes(QByteArrayView left, QByteArrayView right)
{
    constexpr qsizetype piece = 4096;
    const qsizetype common = qMin(left.size(), right.size());
    qsizetype at = 0;
    while (at + piece <= common && left.sliced(at, piece) == right.sliced(at, piece))
        at += piece;
    const qsizetype last = qMin(common, at + piece);
    return std::mismatch(left.begin() + at, left.begin() + last, right.begin() + at).first - left.begin();
}

qsizetype sameBytesAtEnd(QByteArrayView left, QByteArrayView right)
{
    constexpr qsizetype piece = 4096;
    const qsizetype common = qMin(left.size(), right.size());
    qsizetype at = 0;
    while (at + piece <= common && left.chopped(at).last(piece) == right.chopped(at).last(piece))
        at += piece;
    while (at < common && left.at(left.size() - 1 - at) == right.at(right.size() - 1 - at))
        ++at;
    return at;
}

}  // namespace

Draft::Ptr Draft::make(const QByteArray &json)
{
    auto draft = std::make_shared<Draft>();
    draft->m_bytes = json;
    draft->m_present = !json.isEmpty();
    return draft;
}

void Draft::setText(const QByteArray &json) const
{
    m_bytes = json;
    m_value = {};
    m_clean = true;
}

void Draft::setText(const json::Value &value) const
{
    const bool isLong = value.slice().size() > SharedFrom;
    setText(isLong ? QByteArray() : value.bytes());
    if (isLong)
        m_value = value;
}

bool Draft::hasBytes() const
{
    return !m_clean || !written().isEmpty();
}

json::Kind Draft::kind() const
{
    if (!m_present)
        return json::Kind::Missing;
    if (m_clean)
        return kindOf(written());
    return m_isArray ? json::Kind::Array : json::Kind::Object;
}

QByteArray Draft::bytes() const
{
    return m_present ? text() : QByteArray();
}

QByteArray Draft::text() const
{
    if (!m_clean) {
        QList<Piece> pieces;
        addPieces(&pieces);
        setText(joined(pieces));
    } else if (m_bytes.isNull() && m_value.exists()) {
        const QByteArray &whole = m_value.document().text();
        m_bytes = whole.size() == m_value.slice().size() ? whole : m_value.bytes();
    }
    return m_bytes;
}

qsizetype Draft::size() const
{
    if (!m_present)
        return 0;
    QList<Piece> pieces;
    addPieces(&pieces);
    qsizetype size = 0;
    for (const Piece &piece : std::as_const(pieces))
        size += piece.size;
    return size;
}

std::function<QByteArray()> Draft::lateBytes() const
{
    QList<Piece> pieces;
    if (m_present)
        addPieces(&pieces);
    return [pieces] { return joined(pieces); };
}

QByteArray Draft::joined(const QList<Piece> &pieces)
{
    if (pieces.size() == 1 && !pieces.constFirst().source.exists())
        return pieces.constFirst().bytes;
    qsizetype size = 0;
    for (const Piece &piece : pieces)
        size += piece.size;
    QByteArray text;
    text.reserve(size);
    for (const Piece &piece : pieces)
        text +=
            piece.source.exists() ? piece.source.slice().sliced(piece.from, piece.size) : QByteArrayView(piece.bytes);
    return text;
}

// Sent or not.
void Draft::addPieces(QList<Piece> *pieces) const
{
    const auto add = [pieces](const QByteArray &bytes) { pieces->append({bytes, {}, 0, bytes.size()}); };
    if (m_clean) {
        if (m_bytes.isNull() && m_value.exists())
            pieces->append({{}, m_value, 0, m_value.slice().size()});
        else
            add(m_bytes);
        return;
    }
    add(m_isArray ? "["_ba : "{"_ba);
    const qsizetype first = pieces->size();
    const auto separate = [&] {
        if (pieces->size() > first)
            add(","_ba);
    };
    for (const DraftItems::Part &part : m_items.parts()) {
        if (part.item && !part.item->m_present)
            continue;
        separate();
        if (part.item)
            part.item->addPieces(pieces);
        else
            pieces->append({{}, m_items.source(), part.from, part.end - part.from});
    }
    for (const Ptr &child : std::as_const(m_children)) {
        if (!child->m_present)
            continue;
        separate();
        add(child->m_key + ':');
        child->addPieces(pieces);
    }
    add(m_isArray ? "]"_ba : "}"_ba);
}

json::Value Draft::value() const
{
    if (!m_present)
        return {};
    if (m_clean && m_value.exists())
        return m_value;
    const json::Value value = json::parse(bytes());
    if (m_bytes.size() > SharedFrom && value.slice().size() == m_bytes.size())
        setText(value);
    return value;
}

json::Pointer Draft::pointer() const
{
    QStringList tokens;
    for (const Draft *place = this; place->m_parent; place = place->m_parent) {
        const bool isItem = place->m_parent->m_isArray;
        tokens.prepend(isItem ? QString::number(place->m_parent->indexOf(place)) : place->m_name);
    }
    return json::Pointer(tokens);
}

bool Draft::isDeclared() const
{
    return m_parent && m_parent->m_order.contains(m_name);
}

bool Draft::isBlank() const
{
    if (m_present || !m_parent)
        return false;
    return m_parent->m_items.indexOf(this) >= 0 ||
           std::any_of(m_parent->m_children.cbegin(), m_parent->m_children.cend(),
                       [this](const Ptr &child) { return child.get() == this; });
}

void Draft::assign(const QByteArray &json)
{
    replace([this, &json] { setText(json); });
}

void Draft::replace(const std::function<void()> &setText)
{
    announce();
    detachChildren();
    m_opened = false;
    m_isContainer = false;
    setText();
    makePresent();
    touch();
}

void Draft::retract()
{
    if (!m_present)
        return;
    if (!m_parent || m_parent->m_isArray)
        return makeBlank();
    text();  // what restore() brings back
    // Otherwise an earlier duplicate would reappear; omitting a member omits its name.
    QList<Ptr> &siblings = m_parent->m_children;
    const auto isNamesake = [this](const Ptr &sibling) { return sibling->m_name == m_name; };
    if (std::count_if(siblings.cbegin(), siblings.cend(), isNamesake) > 1)
        m_parent->announce();
    else
        announce();
    m_present = false;
    const Ptr self = shared_from_this();
    siblings.removeIf([this](const Ptr &sibling) { return sibling->m_name == m_name || sibling.get() == this; });
    m_parent->m_parked.append(self);
    m_parent->touch();
}

void Draft::makeBlank()
{
    if (!m_present)
        return;
    announce();
    text();  // what restore() brings back
    m_present = false;
    if (m_parent)
        m_parent->touch();
}

void Draft::restore()
{
    if (m_present || !hasBytes())
        return;
    announce();
    makePresent();
    touch();
}

Draft::Ptr Draft::existingMember(const QString &name) const
{
    open();
    for (auto it = m_children.crbegin(); it != m_children.crend(); ++it) {
        if ((*it)->m_name == name)
            return *it;
    }
    return {};
}

Draft::Ptr Draft::member(const QString &name)
{
    if (const Ptr child = existingMember(name))
        return child;
    for (const Ptr &child : std::as_const(m_parked)) {
        if (child->m_name == name)
            return child;
    }
    const Ptr child = makeChild(this, name, {});
    m_parked.append(child);
    return child;
}

QList<Draft::Ptr> Draft::members() const
{
    open();
    QList<Ptr> all = m_isArray ? m_items.all(makeItem()) : m_children;
    if (!m_present)
        all.removeIf([](const Ptr &child) { return child->m_present; });
    return all;
}

qsizetype Draft::itemCount() const
{
    open();
    return m_present ? m_items.count() : items().size();
}

Draft::Ptr Draft::item(qsizetype row) const
{
    open();
    return m_present ? m_items.at(row, makeItem()) : items().value(row);
}

qsizetype Draft::rowOf(qsizetype index) const
{
    open();
    qsizetype row = 0;
    for (const DraftItems::Part &part : m_items.parts()) {
        const bool isSent = !part.item || part.item->m_present;
        if (isSent && index < part.count)
            return row + index;
        index -= isSent ? part.count : 0;
        row += part.count;
    }
    return -1;
}

Draft::Ptr Draft::appendMember(const QString &name, const QByteArray &json)
{
    announce();
    open();
    const Ptr child = makeChild(this, name, json);
    m_children.append(child);
    m_isContainer = true;
    if (child->m_present)
        makePresent();
    touch();
    return child;
}

void Draft::rename(const QString &name)
{
    if (name == m_name)
        return;
    if (m_parent)
        m_parent->announce();
    m_name = name;
    m_key = json::quoted(name);
    if (m_parent && m_present)
        m_parent->touch();
}

QSet<qsizetype> Draft::blankRows() const
{
    open();
    QSet<qsizetype> rows;
    qsizetype row = 0;
    for (const DraftItems::Part &part : m_items.parts()) {
        if (part.item && !part.item->m_present)
            rows.insert(row);
        row += part.count;
    }
    return rows;
}

qsizetype Draft::indexOf(const Draft *child) const
{
    qsizetype index = 0;
    for (const DraftItems::Part &part : m_items.parts()) {
        if (part.item.get() == child)
            return index;
        index += !part.item || part.item->m_present ? part.count : 0;
    }
    return -1;
}

Draft::Ptr Draft::insertItem(qsizetype index, const QByteArray &json)
{
    announce();
    if (!m_present && members().isEmpty()) {
        detachChildren();
        setText("[]");
        m_opened = false;
    }
    open();
    const Ptr child = makeChild(this, {}, json);
    m_items.insert(qBound(qsizetype(0), index, m_items.count()), {child});
    if (child->m_present)
        makePresent();
    touch();
    return child;
}

void Draft::insertItems(qsizetype index, const QByteArrayList &jsons)
{
    announce();
    open();
    QList<Ptr> children;
    for (const QByteArray &json : jsons)
        children.append(makeChild(this, {}, json));
    m_items.insert(index, children);
    touch();
}

Draft::Ptr Draft::makeChild(Draft *parent, const QString &name, const QByteArray &json)
{
    const Ptr child = make(json);
    child->m_parent = parent;
    child->m_name = name;
    if (!parent->m_isArray)
        child->m_key = json::quoted(name);
    return child;
}

Draft::Ptr Draft::childOf(const json::Value &value) const
{
    auto child = std::make_shared<Draft>();
    child->m_parent = const_cast<Draft *>(this);
    child->m_present = true;
    child->setText(value);
    if (!m_isArray) {
        child->m_name = value.key();
        child->m_key = value.keySlice().toByteArray();
    }
    return child;
}

DraftItems::Make Draft::makeItem() const
{
    return [this](const json::Value &value) { return childOf(value); };
}

void Draft::moveItem(qsizetype from, qsizetype to)
{
    announce();
    open();
    m_items.move(from, to);
    touch();
}

void Draft::remove(const Ptr &child)
{
    const qsizetype row = m_items.indexOf(child.get());
    if (row < 0 && !m_children.contains(child))
        return;
    announce();
    if (row >= 0)
        m_items.remove(row);
    m_children.removeOne(child);
    child->m_parent = nullptr;
    touch();
}

void Draft::open() const
{
    if (m_opened)
        return;
    m_opened = true;
    const json::Value value = m_value.exists() ? m_value : json::parse(m_bytes);
    m_isArray = value.isArray();
    m_isContainer = value.isContainer();
    if (m_isArray)
        m_items.reset(value);
    for (const json::Value &member : value.isObject() ? value : json::Value())
        m_children.append(childOf(member));
}

// The position of a member that was omitted: next to its neighbours in the schema's order.
qsizetype Draft::positionFor(const QString &name) const
{
    const qsizetype rank = m_order.indexOf(name);
    if (rank < 0)
        return m_children.size();
    qsizetype firstLater = -1;
    qsizetype best = -1;
    qsizetype bestRank = -1;
    for (qsizetype i = 0; i < m_children.size(); ++i) {
        const qsizetype other = m_order.indexOf(m_children.at(i)->m_name);
        if (other > rank && firstLater < 0)
            firstLater = i;
        if (other >= 0 && other < rank && other >= bestRank) {
            best = i;
            bestRank = other;
        }
    }
    if (best >= 0)
        return best + 1;
    return firstLater >= 0 ? firstLater : m_children.size();
}

void Draft::attach(Draft *child)
{
    open();
    const Ptr self = child->shared_from_this();
    if (!m_isArray && !m_children.contains(self)) {
        m_parked.removeOne(self);
        m_children.insert(positionFor(child->m_name), self);
    }
    m_isContainer = true;
    makePresent();
}

void Draft::makePresent()
{
    if (!m_present) {
        if (m_parent && !m_parent->m_present)
            m_parent->announce();
        m_present = true;
        if (m_parent)
            m_parent->attach(this);
    }
}

void Draft::detachChildren()
{
    for (const DraftItems::Part &part : m_items.parts()) {
        if (part.item)
            part.item->m_parent = nullptr;
    }
    m_items.clear();
    for (const Ptr &child : std::as_const(m_children))
        child->m_parent = nullptr;
    for (const Ptr &child : std::as_const(m_parked))
        child->m_parent = nullptr;
    m_children.clear();
    m_parked.clear();
}

void Draft::announce()
{
    const Draft *root = this;
    while (root->m_parent)
        root = root->m_parent;
    if (root->m_observer)
        root->m_observer(this);
}

QList<Draft::Ptr> Draft::become(const json::Value &value)
{
    if (m_present && m_clean && value.slice() == written())
        return {};
    // What has never been opened has nobody who shows a part of it.
    if (m_present && m_opened && value.isContainer() && value.kind() == kind()) {
        const QList<Ptr> changed = m_isArray ? becomeList(value) : becomeObject(value);
        setText(value);
        return changed;
    }
    replace([this, &value] { setText(value); });
    return {shared_from_this()};
}

QList<Draft::Ptr> Draft::becomeObject(const json::Value &value)
{
    // Of the members, those sent and those that have rows instead of fields.
    const auto layoutOf = [this](const QList<Ptr> &members, bool isRows) {
        QByteArrayList keys;
        for (const Ptr &member : members) {
            if (member->m_present && !(isRows && m_order.contains(member->m_name)))
                keys.append(member->m_key);
        }
        return keys;
    };
    QHash<QString, Ptr> known;
    for (const Ptr &child : std::as_const(m_parked))
        known.insert(child->m_name, child);
    bool isUnique = true;
    for (const Ptr &child : std::as_const(m_children)) {
        isUnique = isUnique && !(child->m_present && known.contains(child->m_name));
        known.insert(child->m_name, child);
    }
    QList<Ptr> members;
    QSet<QString> names;
    for (const json::Value &member : value) {
        const QString name = member.key();
        const Ptr child = known.contains(name) ? known.value(name) : makeChild(this, name, {});
        isUnique = isUnique && !names.contains(name);
        names.insert(name);
        members.append(child);
    }
    const Ptr self = shared_from_this();
    if (!isUnique) {
        replace([this, &value] { setText(value); });
        return {self};
    }
    const auto keysOf = [&value] {
        QByteArrayList keys;
        for (const json::Value &member : value)
            keys.append(member.keySlice().toByteArray());
        return keys;
    }();
    if (keysOf != layoutOf(m_children, false))
        announce();
    const QByteArrayList rows = layoutOf(m_children, true);
    QList<Ptr> changed;
    qsizetype index = 0;
    for (const json::Value &member : value) {
        const Ptr &child = members.at(index);
        child->m_key = keysOf.at(index++);
        if (child->m_present) {
            changed += child->become(member);
            continue;
        }
        child->detachChildren();
        child->m_opened = false;
        child->m_isContainer = false;
        child->setText(member);
        child->m_present = true;
        m_parked.removeOne(child);
        changed.append(child);
    }
    for (const Ptr &child : std::as_const(m_children)) {
        if (names.contains(child->m_name))
            continue;
        if (!child->m_present) {
            members.append(child);  // a row without a value
            continue;
        }
        child->text();  // what restore() brings back
        child->m_present = false;
        if (m_order.contains(child->m_name))
            m_parked.append(child);
        else
            child->m_parent = nullptr;
        changed.append(child);
    }
    m_children = members;
    touch();
    return rows == layoutOf(m_children, true) ? changed : QList<Ptr>{self};
}

// The other list is the text between its brackets.
Draft::Common Draft::commonStart(QByteArrayView items) const
{
    Common common;
    for (const DraftItems::Part &part : m_items.parts()) {
        const QByteArray own = part.item && part.item->m_present ? part.item->text() : QByteArray();
        const QByteArrayView text = part.item ? QByteArrayView(own) : m_items.text(part);
        if (text.isEmpty()) {
            ++common.rows;
            continue;
        }
        if (common.bytes >= items.size())
            break;
        const QByteArrayView there = items.sliced(common.bytes);
        const bool isWhole = there.startsWith(text) && (there.size() == text.size() || there.at(text.size()) == ',');
        if (!isWhole && part.item)
            break;
        qsizetype count = part.count;
        qsizetype bytes = text.size() + 1;
        if (!isWhole) {
            const qsizetype same = sameBytes(text, there);
            const bool isEnd = same == there.size() && text.at(same) == ',';
            count = m_items.itemAt(part, same) + (isEnd ? 1 : 0);
            bytes = m_items.offsetOf(part, count);
        }
        common.rows += count;
        common.items += count;
        common.bytes += bytes;
        if (!isWhole)
            break;
    }
    return common;
}

Draft::Common Draft::commonEnd(QByteArrayView items, const QList<DraftItems::Part> &parts) const
{
    Common common;
    for (auto part = parts.crbegin(); part != parts.crend(); ++part) {
        const QByteArray own = part->item && part->item->m_present ? part->item->text() : QByteArray();
        const QByteArrayView text = part->item ? QByteArrayView(own) : m_items.text(*part);
        if (text.isEmpty()) {
            ++common.rows;
            continue;
        }
        if (common.bytes >= items.size())
            break;
        const QByteArrayView there = items.chopped(common.bytes);
        const bool isWhole =
            there.endsWith(text) && (there.size() == text.size() || there.at(there.size() - text.size() - 1) == ',');
        if (!isWhole && part->item)
            break;
        qsizetype count = part->count;
        qsizetype bytes = text.size() + 1;
        if (!isWhole) {
            const qsizetype from = text.size() - sameBytesAtEnd(text, there);
            const qsizetype first = from == text.size() ? count : m_items.itemAt(*part, from) + 1;
            bytes = first == count ? 0 : bytes - m_items.offsetOf(*part, first);
            count -= first;
        }
        common.rows += count;
        common.items += count;
        common.bytes += bytes;
        if (!isWhole)
            break;
    }
    return common;
}

// Items are compared as text: those that are the same at both ends stay the same.
QList<Draft::Ptr> Draft::becomeList(const json::Value &value)
{
    constexpr qsizetype maxAlone = 20;  // items that change each by itself; more are a change of the list
    const QByteArrayView items = value.slice().sliced(1, value.slice().size() - 2);
    const Common start = commonStart(items);
    const QList<DraftItems::Part> rest = m_items.partsOf(start.rows, m_items.count());
    const Common end = commonEnd(items.sliced(qMin(start.bytes, items.size())), rest);
    const qsizetype firstEnd = m_items.count() - end.rows;
    const qsizetype fresh = value.size() - start.items - end.items;
    QList<DraftItems::Part> middle = m_items.partsOf(start.rows, firstEnd);
    const auto isBlank = [](const DraftItems::Part &part) { return part.item && !part.item->m_present; };
    qsizetype former = 0;
    for (const DraftItems::Part &part : std::as_const(middle))
        former += isBlank(part) ? 0 : part.count;
    // What stays is a part of this text from now on, not of the whole that it may have been read from.
    const json::Value source = value.slice().size() > SharedFrom ? value : json::parse(value.bytes());
    QList<Ptr> changed;
    if (former == fresh && fresh <= maxAlone) {
        qsizetype index = start.items;
        for (qsizetype row = start.rows; row < firstEnd; ++row) {
            const Ptr item = m_items.at(row, makeItem());
            if (item->m_present)
                changed += item->become(source.at(index++));
        }
        m_items.rebase(source, m_items.parts());
        return changed;
    }
    announce();
    for (const DraftItems::Part &part : std::as_const(middle)) {
        if (part.item)
            part.item->m_parent = nullptr;
    }
    middle = fresh > 0 ? QList<DraftItems::Part>{{nullptr, fresh}} : QList<DraftItems::Part>();
    if (fresh > 0)
        middle.first().end = items.size() - start.bytes - end.bytes;
    QList<DraftItems::Part> parts =
        m_items.partsOf(0, start.rows) + middle + m_items.partsOf(firstEnd, m_items.count());
    for (const DraftItems::Part &part : std::as_const(parts)) {
        if (isBlank(part))
            part.item->m_parent = nullptr;
    }
    parts.removeIf(isBlank);
    m_items.rebase(source, parts);
    touch();
    return {shared_from_this()};
}

Draft::State Draft::state() const
{
    State state{m_present, isBlank(), text(), {}};
    QList<std::pair<const Draft *, QStringList>> open{{this, {}}};
    while (!open.isEmpty()) {
        const std::pair<const Draft *, QStringList> next = open.takeFirst();
        const Draft *place = next.first;
        const QStringList &path = next.second;
        const auto look = [&](const Draft &child, qsizetype index) {
            if (!child.m_present)
                state.blanks.append({path, index, child.m_name});
            else if (child.m_opened)
                open.append({&child, path + QStringList{place->m_isArray ? QString::number(index) : child.m_name}});
        };
        qsizetype row = 0;
        for (const DraftItems::Part &part : place->m_items.parts()) {
            if (part.item)
                look(*part.item, row);
            row += part.count;
        }
        for (qsizetype i = 0; i < place->m_children.size(); ++i)
            look(*place->m_children.at(i), i);
    }
    return state;
}

void Draft::setState(const State &state)
{
    detachChildren();
    m_opened = false;
    m_isContainer = false;
    setText(state.bytes);
    if (state.isPresent)
        makePresent();
    else if (state.isBlank)
        makeBlank();
    else
        retract();
    for (const State::Blank &blank : state.blanks) {
        const Ptr place = at(blank.path);
        if (!place)
            continue;
        place->open();
        const Ptr child = makeChild(place.get(), blank.name, {});
        if (place->m_isArray)
            place->m_items.insert(blank.index, {child});
        else
            place->m_children.insert(qMin(blank.index, place->m_children.size()), child);
    }
    touch();
}

QStringList Draft::path() const
{
    QStringList path;
    for (const Draft *place = this; place->m_parent; place = place->m_parent) {
        const Draft &list = *place->m_parent;
        path.prepend(list.m_isArray ? QString::number(list.m_items.indexOf(place)) : place->m_name);
    }
    return path;
}

Draft::Ptr Draft::at(const QStringList &path)
{
    Ptr place = shared_from_this();
    for (const QString &token : path) {
        place->open();
        if (!place->m_isArray)
            place = place->member(token);
        else
            place = place->m_items.at(token.toLongLong(), place->makeItem());
        if (!place)
            break;
    }
    return place;
}

void Draft::touch()
{
    for (Draft *place = this; place; place = place->m_parent) {
        if (!place->m_opened || !place->m_isContainer)
            continue;
        place->m_clean = false;
        place->m_bytes = {};
        place->m_value = {};
    }
}

}  // namespace sonde::ui
