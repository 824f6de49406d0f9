// Where the schemas are: resources by URI, anchors within them, and what every reference leads to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/schema/schema.h"

#include <QHash>
#include <QSet>
#include <QUrl>

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

// Built once from a schema, its embedded resources, the documents given and the meta-schemas; then only read.
class Registry {
public:
    Registry(const json::Value &root, const QHash<QString, json::Value> &documents, bool assertFormats);

    const Resource &resource(int index) const { return m_resources.at(index); }
    // The resource that begins at this node, or -1.
    int resourceAt(const json::Value &node) const;
    // The resource that a node of one of the documents belongs to.
    int resourceOf(const json::Value &node) const;
    // What a reference, as it stands in that resource, means.
    Place resolve(const QString &reference, int resource) const;
    // Whether a "$dynamicRef" leads to a dynamic anchor at first, and its name.
    QString dynamicName(const QString &reference, int resource, const Place &place) const;

    bool usesUnevaluated() const { return m_usesUnevaluated; }

private:
    struct Task {
        json::Value schema;
        int resource;
    };
    struct Reference {
        QString text;
        int resource;
    };

    int addDocument(const json::Value &root, const QUrl &retrieval, Draft draft);
    int addResource(const json::Value &root, const QUrl &base, const Resource *parent, Draft draft);
    void addMetaSchema(Resource &resource);
    void scan(const json::Value &schema, int resource);
    void scanOne(const Task &task, QList<Task> *tasks);
    void scanChildren(const json::Value &keyword, int resource, QList<Task> *tasks) const;
    int enterId(const json::Value &schema, int resource);
    bool load(const QUrl &address, Draft draft);
    void followReferences();
    Place atPointer(const json::Value &root, int resource, const QString &fragment) const;

    QHash<QString, json::Value> m_documents;
    bool m_assertFormats;
    bool m_usesUnevaluated = false;
    QList<Resource> m_resources;
    QHash<QString, int> m_byAddress;
    QHash<const char *, int> m_byNode;  // by the first byte of the node, which no other node shares
    QSet<const char *> m_scanned;
    QList<Reference> m_references;
};

}  // namespace sonde::schema
