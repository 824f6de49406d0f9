// SPDX-License-Identifier: Apache-2.0
#include "ui/form/draft.h"

#include "core/json/builder.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace sonde::ui {

namespace {

json::Kind kindOf(const QByteArray &json)
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

}  // namespace

Draft::Ptr Draft::make(const QByteArray &json)
{
    auto draft = std::make_shared<Draft>();
    draft->m_bytes = json;
    draft->m_present = !json.isEmpty();
    return draft;
}

bool Draft::hasBytes() const
{
    return !m_clean || !m_bytes.isEmpty();
}

json::Kind Draft::kind() const
{
    if (!m_present)
        return json::Kind::Missing;
    if (m_clean)
        return kindOf(m_bytes);
    return m_isArray ? json::Kind::Array : json::Kind::Object;
}

QByteArray Draft::bytes() const
{
    return m_present ? text() : QByteArray();
}

QByteArray Draft::text() const
{
    if (m_clean)
        return m_bytes;
    QByteArray text(1, m_isArray ? '[' : '{');
    for (const Ptr &child : std::as_const(m_children)) {
        if (!child->m_present)
            continue;
        if (text.size() > 1)
            text += ',';
        if (!m_isArray)
            text += child->m_key + ':';
        text += child->bytes();
    }
    text += m_isArray ? ']' : '}';
    m_bytes = text;
    m_clean = true;
    return text;
}

QByteArrayList Draft::pieces() const
{
    QByteArrayList pieces;
    addPieces(&pieces);
    return pieces;
}

void Draft::addPieces(QByteArrayList *pieces) const
{
    if (!m_present)
        return;
    if (m_clean) {
        pieces->append(m_bytes);
        return;
    }
    pieces->append(m_isArray ? "[" : "{");
    const qsizetype first = pieces->size();
    for (const Ptr &child : std::as_const(m_children)) {
        if (!child->m_present)
            continue;
        if (pieces->size() > first)
            pieces->append(",");
        if (!m_isArray)
            pieces->append(child->m_key + ':');
        child->addPieces(pieces);
    }
    pieces->append(m_isArray ? "]" : "}");
}

json::Value Draft::value() const
{
    return m_present ? json::parse(bytes()) : json::Value();
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
    return !m_present && m_parent &&
           std::any_of(m_parent->m_children.cbegin(), m_parent->m_children.cend(),
                       [this](const Ptr &child) { return child.get() == this; });
}

void Draft::assign(const QByteArray &json)
{
    announce();
    detachChildren();
    m_opened = false;
    m_isContainer = false;
    m_bytes = json;
    m_clean = true;
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
    if (m_present)
        return m_children;
    QList<Ptr> blank;
    std::copy_if(m_children.cbegin(), m_children.cend(), std::back_inserter(blank),
                 [](const Ptr &child) { return !child->m_present; });
    return blank;
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

qsizetype Draft::indexOf(const Draft *child) const
{
    qsizetype index = 0;
    for (const Ptr &item : std::as_const(m_children)) {
        if (item.get() == child)
            return index;
        index += item->m_present ? 1 : 0;
    }
    return -1;
}

Draft::Ptr Draft::insertItem(qsizetype index, const QByteArray &json)
{
    announce();
    if (!m_present && members().isEmpty()) {
        detachChildren();
        m_bytes = "[]";
        m_clean = true;
        m_opened = false;
    }
    open();
    const Ptr child = makeChild(this, {}, json);
    m_children.insert(qBound(qsizetype(0), index, m_children.size()), child);
    if (child->m_present)
        makePresent();
    touch();
    return child;
}

void Draft::insertItems(qsizetype index, const QByteArrayList &jsons)
{
    announce();
    open();
    QList<Ptr> children = m_children.mid(0, index);
    for (const QByteArray &json : jsons)
        children.append(makeChild(this, {}, json));
    m_children = children + m_children.mid(index);
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

void Draft::moveItem(qsizetype from, qsizetype to)
{
    announce();
    open();
    m_children.move(from, to);
    touch();
}

void Draft::remove(const Ptr &child)
{
    if (m_children.contains(child)) {
        announce();
        m_children.removeOne(child);
        child->m_parent = nullptr;
        touch();
    }
}

void Draft::open() const
{
    if (m_opened)
        return;
    m_opened = true;
    const json::Value value = json::parse(m_bytes);
    m_isArray = value.isArray();
    m_isContainer = value.isContainer();
    if (!m_isContainer)
        return;
    auto *self = const_cast<Draft *>(this);
    for (const json::Value &item : value) {
        const Ptr child = make(item.bytes());
        child->m_parent = self;
        if (!m_isArray) {
            child->m_name = item.key();
            child->m_key = item.keySlice().toByteArray();
        }
        m_children.append(child);
    }
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
    if (!m_children.contains(self)) {
        m_parked.removeOne(self);
        m_children.insert(m_isArray ? m_children.size() : positionFor(child->m_name), self);
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
    if (m_present && value.slice() == bytes())
        return {};
    // What has never been opened has nobody who shows a part of it.
    if (m_present && m_opened && value.isContainer() && value.kind() == kind())
        return m_isArray ? becomeList(value) : becomeObject(value);
    assign(value.bytes());
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
        assign(value.bytes());
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
        child->m_bytes = member.bytes();
        child->m_clean = true;
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

QList<Draft::Ptr> Draft::becomeList(const json::Value &value)
{
    QList<Ptr> sent = m_children;
    sent.removeIf([](const Ptr &child) { return !child->m_present; });
    QList<json::Value> items;
    for (const json::Value &item : value)
        items.append(item);
    QList<Ptr> changed;
    if (sent.size() == items.size()) {
        for (qsizetype i = 0; i < items.size(); ++i)
            changed += sent.at(i)->become(items.at(i));
        return changed;
    }
    announce();
    const qsizetype common = qMin(sent.size(), items.size());
    qsizetype first = 0;
    while (first < common && sent.at(first)->bytes() == items.at(first).slice())
        ++first;
    qsizetype last = 0;
    while (last < common - first &&
           sent.at(sent.size() - 1 - last)->bytes() == items.at(items.size() - 1 - last).slice())
        ++last;
    QList<Ptr> children = sent.first(first);
    for (qsizetype i = first; i < items.size() - last; ++i)
        children.append(makeChild(this, {}, items.at(i).bytes()));
    children += sent.last(last);
    for (const Ptr &child : std::as_const(m_children)) {
        if (!children.contains(child))
            child->m_parent = nullptr;
    }
    m_children = children;
    touch();
    return {shared_from_this()};
}

Draft::State Draft::state() const
{
    State state{m_present, isBlank(), text(), {}};
    QList<std::pair<const Draft *, QStringList>> open{{this, {}}};
    while (!open.isEmpty()) {
        const auto [place, path] = open.takeFirst();
        for (qsizetype i = 0; i < place->m_children.size(); ++i) {
            const Draft &child = *place->m_children.at(i);
            if (!child.m_present)
                state.blanks.append({path, i, child.m_name});
            else if (!child.m_children.isEmpty())
                open.append({&child, path + QStringList{place->m_isArray ? QString::number(i) : child.m_name}});
        }
    }
    return state;
}

void Draft::setState(const State &state)
{
    detachChildren();
    m_opened = false;
    m_isContainer = false;
    m_bytes = state.bytes;
    m_clean = true;
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
        place->m_children.insert(qMin(blank.index, place->m_children.size()), makeChild(place.get(), blank.name, {}));
    }
    touch();
}

QStringList Draft::path() const
{
    QStringList path;
    for (const Draft *place = this; place->m_parent; place = place->m_parent) {
        const QList<Ptr> &siblings = place->m_parent->m_children;
        const auto self = std::find_if(siblings.cbegin(), siblings.cend(),
                                       [place](const Ptr &child) { return child.get() == place; });
        path.prepend(place->m_parent->m_isArray ? QString::number(self - siblings.cbegin()) : place->m_name);
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
            place = place->m_children.value(token.toLongLong());
        if (!place)
            break;
    }
    return place;
}

void Draft::touch()
{
    for (Draft *place = this; place; place = place->m_parent) {
        if (place->m_opened && place->m_isContainer)
            place->m_clean = false;
    }
}

}  // namespace sonde::ui
