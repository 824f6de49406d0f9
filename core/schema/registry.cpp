// SPDX-License-Identifier: Apache-2.0
#include "core/schema/registry.h"

#include "core/schema/keywords.h"
#include "core/schema/metaschemas.h"

namespace sonde::schema {

using namespace Qt::StringLiterals;

namespace {

// A schema without a URI gets one that nothing else has, so that relative references have a base.
constexpr QLatin1StringView Nameless("json-schema:///");

constexpr qsizetype FewValues = 32;   // of an enum, compared one by one
constexpr qsizetype FewMembers = 12;  // of an object, found by looking at each
constexpr qint64 CostOfReference = 20;
constexpr qint64 CostOfAddress = 80;  // of a reference that is not only a fragment

const char *identityOf(const json::Value &node)
{
    return node.slice().data();
}

QUrl withoutFragment(const QUrl &url)
{
    return url.adjusted(QUrl::RemoveFragment);
}

QString keyOf(const QUrl &url)
{
    return withoutFragment(url).toString(QUrl::FullyEncoded);
}

QString fragmentOf(const QUrl &url)
{
    return url.fragment(QUrl::FullyEncoded);
}

// Drafts before 2019-09 all follow the rules of draft-07 where they matter here.
std::optional<Draft> draftNamed(const QString &metaSchema)
{
    if (metaSchema.contains("json-schema.org/draft-0"_L1))
        return Draft::Draft7;
    if (metaSchema.contains("json-schema.org/draft/"_L1))
        return Draft::Draft2020;
    return std::nullopt;
}

}  // namespace

Registry::Registry(const json::Value &root, const QHash<QString, json::Value> &documents, bool assertFormats)
    : m_documents(documents), m_assertFormats(assertFormats)
{
    addDocument(root, QUrl(Nameless), Draft::Draft2020);
    followReferences();
}

int Registry::resourceAt(const json::Value &node) const
{
    return m_byNode.value(identityOf(node), -1);
}

int Registry::resourceOf(const json::Value &node) const
{
    if (const auto known = m_scanned.constFind(identityOf(node)); known != m_scanned.cend())
        return *known;
    int resource = 0;
    json::Value place = node.document().root();
    const auto enter = [&] {
        const int here = resourceAt(place);
        if (here >= 0)
            resource = here;
    };
    enter();
    const json::Pointer path = json::Pointer::to(node);
    for (const QString &token : path.tokens()) {
        place = json::Pointer(QStringList{token}).resolve(place);
        enter();
    }
    return resource;
}

Place Registry::target(const json::Value &reference, int resource) const
{
    const auto known = m_targets.constFind(identityOf(reference));
    return known != m_targets.cend() ? *known : resolve(reference.string(), resource);
}

json::Value Registry::member(const json::Value &object, const QString &name) const
{
    const auto table = m_tables.constFind(identityOf(object));
    return table != m_tables.cend() ? table->value(name) : object[name];
}

const json::ValueIndex *Registry::valuesOf(const json::Value &enumeration) const
{
    const auto index = m_enums.constFind(identityOf(enumeration));
    return index != m_enums.cend() ? &*index : nullptr;
}

Place Registry::resolve(const QString &reference, int resource) const
{
    // Nearly all references are of this kind, and reading a URL takes long.
    if (reference.startsWith("#/"_L1) && !reference.contains(u'%'))
        return atPointer(m_resources.at(resource).root, resource, reference.mid(1));
    const QUrl address = m_resources.at(resource).base.resolved(QUrl(reference));
    const int target = m_byAddress.value(keyOf(address), -1);
    if (target < 0)
        return {};
    const Resource &found = m_resources.at(target);
    const QString fragment = fragmentOf(address);
    if (fragment.isEmpty())
        return {found.root, target};
    if (fragment.startsWith(u'/'))
        return atPointer(found.root, target, fragment);
    const QString name = QUrl::fromPercentEncoding(fragment.toUtf8());
    return {found.anchors.value(name), target};
}

Place Registry::dynamicTarget(const json::Value &reference, int resource, std::span<const int> scope) const
{
    const Place first = target(reference, resource);
    const QString name = dynamicName(reference.string(), resource, first);
    if (name.isEmpty())
        return first;
    // The outermost resource on the way here that has such an anchor (core, section 8.2.3.2).
    for (const int entered : scope) {
        if (const json::Value anchored = m_resources.at(entered).dynamicAnchors.value(name); anchored.exists())
            return {anchored, entered};
    }
    return first;
}

// Whether a "$dynamicRef" leads to a dynamic anchor at first, and its name.
QString Registry::dynamicName(const QString &reference, int resource, const Place &place) const
{
    const QUrl address = m_resources.at(resource).base.resolved(QUrl(reference));
    const QString name = QUrl::fromPercentEncoding(fragmentOf(address).toUtf8());
    if (place.resource < 0 || name.isEmpty() || !m_resources.at(place.resource).dynamicAnchors.contains(name))
        return {};
    return name;
}

Place Registry::atPointer(const json::Value &root, int resource, const QString &fragment) const
{
    const std::optional<json::Pointer> pointer = json::Pointer::fromFragment(QString(u'#' + fragment));
    if (!pointer)
        return {};
    Place place{root, resource};
    for (const QString &token : pointer->tokens()) {
        place.schema = place.schema.isObject() ? member(place.schema, token)
                                               : json::Pointer(QStringList{token}).resolve(place.schema);
        if (!place.schema.exists())
            return {};
        const int here = resourceAt(place.schema);
        if (here >= 0)
            place.resource = here;
    }
    return place;
}

// A document may name itself otherwise than by the address it is had at; both names hold. One that does not say which
// draft it is written in is taken to be written in that of who refers to it.
int Registry::addDocument(const json::Value &root, const QUrl &retrieval, Draft draft)
{
    int index = resourceAt(root);
    if (index >= 0) {
        m_byAddress.insert(keyOf(retrieval), index);
        return index;
    }
    index = addResource(root, retrieval, nullptr, draft);
    scan(root, index);
    return index;
}

int Registry::addResource(const json::Value &root, const QUrl &base, const Resource *parent, Draft draft)
{
    Resource resource;
    if (parent) {
        resource = *parent;
        resource.anchors.clear();
        resource.dynamicAnchors.clear();
    } else {
        resource.assertsFormats = m_assertFormats;
        resource.draft = draft;
    }
    resource.base = withoutFragment(base);
    resource.root = root;
    if (root[u"$schema"].isString())
        addMetaSchema(resource);
    const int index = int(m_resources.size());
    m_resources.append(resource);
    m_byAddress.insert(keyOf(base), index);
    m_byNode.insert(identityOf(root), index);
    return index;
}

// What a meta-schema of its own switches off: its "$vocabulary" leaves it out.
void Registry::addMetaSchema(Resource &resource)
{
    const QString name = resource.root[u"$schema"].string();
    if (const std::optional<Draft> draft = draftNamed(name)) {
        resource.draft = *draft;
        return;
    }
    json::Value metaSchema;
    for (auto it = m_documents.cbegin(); it != m_documents.cend() && !metaSchema.exists(); ++it) {
        if (keyOf(QUrl(it.key())) == keyOf(QUrl(name)))
            metaSchema = it.value();
    }
    if (const std::optional<Draft> draft = draftNamed(metaSchema[u"$schema"].string()))
        resource.draft = *draft;
    const json::Value vocabularies = metaSchema[u"$vocabulary"];
    if (!vocabularies.isObject())
        return;
    const auto has = [&](QStringView part) {
        return vocabularies.contains(QString(u"https://json-schema.org/draft/2020-12/vocab/%1"_s.arg(part)));
    };
    resource.applies = has(u"applicator");
    resource.validates = has(u"validation");
    resource.unevaluates = has(u"unevaluated");
    resource.assertsFormats = resource.assertsFormats || has(u"format-assertion");
}

void Registry::scan(const json::Value &schema, int resource)
{
    QList<Task> tasks{{schema, resource}};
    while (!tasks.isEmpty() && !isCut())
        scanOne(tasks.takeLast(), &tasks);
}

void Registry::scanOne(const Task &task, QList<Task> *tasks)
{
    if (!task.schema.isObject() || m_scanned.contains(identityOf(task.schema)))
        return;
    if (!m_budget.spend(8 + task.schema.size() * 3))
        return;
    const int index = enterId(task.schema, task.resource);
    m_scanned.insert(identityOf(task.schema), index);
    for (const json::Value &member : task.schema) {
        const Keyword keyword = keywordOf(member);
        switch (keyword) {
            case Keyword::Ref:
            case Keyword::DynamicRef:
                m_usesDynamicReferences = m_usesDynamicReferences || keyword == Keyword::DynamicRef;
                if (member.isString())
                    m_references.append({member, index});
                break;
            case Keyword::Anchor:
                m_resources[index].anchors.insert(member.string(), task.schema);
                break;
            case Keyword::DynamicAnchor:
                m_resources[index].anchors.insert(member.string(), task.schema);
                m_resources[index].dynamicAnchors.insert(member.string(), task.schema);
                break;
            case Keyword::Enum:
                if (member.size() > FewValues && m_budget.spend(member.size() * 2))
                    m_enums.insert(identityOf(member), json::ValueIndex(member));
                break;
            case Keyword::UnevaluatedItems:
            case Keyword::UnevaluatedProperties:
                m_usesUnevaluated = true;
                break;
            default:
                break;
        }
        scanChildren(member, index, tasks);
    }
}

void Registry::scanChildren(const json::Value &keyword, int resource, QList<Task> *tasks)
{
    switch (holdings(keywordOf(keyword))) {
        case Holds::NoSchema:
            return;
        case Holds::SchemaOrList:
        case Holds::Schema:
            if (!keyword.isArray()) {
                tasks->append({keyword, resource});
                return;
            }
            [[fallthrough]];
        case Holds::SchemaList:
        case Holds::SchemaMap:
            if (!m_budget.spend(keyword.size() * 4))
                return;
            addTable(keyword);
            for (const json::Value &child : keyword)
                tasks->append({child, resource});
            return;
    }
}

void Registry::addTable(const json::Value &object)
{
    if (!object.isObject() || object.size() <= FewMembers)
        return;
    QHash<QString, json::Value> &table = m_tables[identityOf(object)];
    table.reserve(object.size());
    for (const json::Value &member : object)
        table.insert(member.key(), member);
}

// The resource a schema belongs to, a new one when it names itself.
int Registry::enterId(const json::Value &schema, int resource)
{
    const json::Value id = schema[u"$id"];
    if (!id.isString())
        return resource;
    const Draft draft = draftNamed(schema[u"$schema"].string()).value_or(m_resources.at(resource).draft);
    // Draft-07: what is beside "$ref" does not count.
    if (draft == Draft::Draft7 && schema.contains(u"$ref"))
        return resource;
    const QString text = id.string();
    const QUrl address = m_resources.at(resource).base.resolved(QUrl(text));
    int index = resource;
    if (!text.startsWith(u'#')) {
        const Resource parent = m_resources.at(resource);
        if (resourceAt(schema) == resource) {
            m_resources[resource].base = withoutFragment(address);
            m_byAddress.insert(keyOf(address), resource);
        } else {
            index = addResource(schema, address, &parent, parent.draft);
        }
    }
    const QString fragment = fragmentOf(address);
    if (draft == Draft::Draft7 && !fragment.isEmpty())
        m_resources[index].anchors.insert(QUrl::fromPercentEncoding(fragment.toUtf8()), schema);
    return index;
}

// Makes known what an address means, if one of the documents at hand is meant. Nothing is ever fetched.
bool Registry::load(const QUrl &address, Draft draft)
{
    const QString key = keyOf(address);
    if (m_byAddress.contains(key))
        return true;
    json::Value document = m_documents.value(key);
    if (!document.exists())
        document = m_documents.value(key + u'#');
    if (!document.exists())
        document = metaSchema(key);
    if (!document.exists())
        return false;
    addDocument(document, address, draft);
    return true;
}

// References lead to places that have not been looked at yet, which hold further references, anchors and addresses.
void Registry::followReferences()
{
    for (qsizetype i = 0; i < m_references.size() && m_budget.spend(CostOfReference); ++i) {
        const Reference reference = m_references.at(i);
        const QString text = reference.value.string();
        if (!text.startsWith(u'#')) {
            m_budget.spend(CostOfAddress);
            const Resource &from = m_resources.at(reference.resource);
            load(from.base.resolved(QUrl(text)), from.draft);
        }
        const Place place = resolve(text, reference.resource);
        if (place.schema.exists())
            scan(place.schema, place.resource);
    }
    for (const Reference &reference : std::as_const(m_references)) {
        if (!m_budget.spend(CostOfReference))
            return;
        m_targets.insert(identityOf(reference.value), resolve(reference.value.string(), reference.resource));
    }
}

}  // namespace sonde::schema
