// Where the schemas are: resources by URI, anchors within them, and what every reference leads to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/valueindex.h"
#include "core/schema/budget.h"
#include "core/schema/schema.h"

#include <QHash>
#include <QUrl>
#include <span>

namespace sonde::schema {

enum class Draft : quint8 { Draft7, Draft2020 };

// A schema with a URI of its own, and what is peculiar to it.
struct Resource {
    QUrl base;  // without fragment
    json::Value root;
    Draft draft = Draft::Draft2020;
    bool applies = true;    // its meta-schema has the applicator vocabulary
    bool validates = true;  // … the validation vocabulary
    bool unevaluates = true;
    bool assertsFormats = false;
    QHash<QString, json::Value> anchors;
    QHash<QString, json::Value> dynamicAnchors;
};

// A schema together with the resource it belongs to: its references are relative to that.
struct Place {
    json::Value schema;  // Missing: leads nowhere
    int resource = -1;
};

// Built once from a schema, its embedded resources, the documents given and the meta-schemas; then only read. What is
// asked for at every value is found without a search: targets of references, members of large objects, large enums.
class Registry {
public:
    Registry(const json::Value &root, const QHash<QString, json::Value> &documents, bool assertFormats);

    const Resource &resource(int index) const { return m_resources.at(index); }
    // It was larger than one schema's budget: the rest of it is unknown here, so nothing may be concluded from it.
    bool isCut() const { return m_budget.isSpent(); }
    // The resource that begins at this node, or -1.
    int resourceAt(const json::Value &node) const;
    // The resource that a node of one of the documents belongs to.
    int resourceOf(const json::Value &node) const;
    // What a reference, as it appears in that resource, means.
    Place resolve(const QString &reference, int resource) const;
    // The same for the value of a "$ref".
    Place target(const json::Value &reference, int resource) const;
    // Like object[name].
    json::Value member(const json::Value &object, const QString &name) const;
    // The values of a large "enum"; null for a small one.
    const json::ValueIndex *valuesOf(const json::Value &enumeration) const;
    // The same for a "$dynamicRef". scope: the resources entered on the way to it, outermost first.
    Place dynamicTarget(const json::Value &reference, int resource, std::span<const int> scope) const;

    bool usesUnevaluated() const { return m_usesUnevaluated; }
    bool usesDynamicReferences() const { return m_usesDynamicReferences; }

private:
    struct Task {
        json::Value schema;
        int resource;
    };
    struct Reference {
        json::Value value;
        int resource;
    };

    int addDocument(const json::Value &root, const QUrl &retrieval, Draft draft);
    int addResource(const json::Value &root, const QUrl &base, const Resource *parent, Draft draft);
    void addMetaSchema(Resource &resource);
    void scan(const json::Value &schema, int resource);
    void scanOne(const Task &task, QList<Task> *tasks);
    void scanChildren(const json::Value &keyword, int resource, QList<Task> *tasks);
    void addTable(const json::Value &object);
    int enterId(const json::Value &schema, int resource);
    bool load(const QUrl &address, Draft draft);
    void followReferences();
    QString dynamicName(const QString &reference, int resource, const Place &place) const;
    Place atPointer(const json::Value &root, int resource, const QString &fragment) const;

    QHash<QString, json::Value> m_documents;
    bool m_assertFormats;
    bool m_usesUnevaluated = false;
    bool m_usesDynamicReferences = false;
    QList<Resource> m_resources;
    QHash<QString, int> m_byAddress;
    QHash<const char *, int> m_byNode;   // by the first byte of the node, which no other node shares
    QHash<const char *, int> m_scanned;  // the same of every schema that was found, with its resource
    QList<Reference> m_references;
    QHash<const char *, Place> m_targets;  // of references
    QHash<const char *, QHash<QString, json::Value>> m_tables;
    QHash<const char *, json::ValueIndex> m_enums;
    Budget m_budget;
};

}  // namespace sonde::schema
