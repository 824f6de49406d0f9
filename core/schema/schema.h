// JSON Schema 2020-12 and draft-07 over json::Value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"
#include "core/schema/budget.h"

#include <QHash>
#include <QUrl>
#include <memory>

namespace sonde::schema {

struct Issue {
    json::Pointer instance;  // where in the value
    json::Pointer schema;    // where in the schema the keyword stands
    QString keyword;         // "maximum"
    QString message;         // for people, see messages.h: "must be at most 1000"
    // The schema could not be applied here (evil pattern, unresolved $ref, a limit): neither valid nor invalid.
    bool notChecked = false;
    // The value is valid, but an annotation says otherwise: it has not the "format" or encoding that is meant.
    bool isRemark = false;
    // Of that value in its text, or of the one that lacks it; -1: of all. Unlike a name, it tells two members apart.
    qsizetype offset = -1;
};

// What becomes of a value that is not of its "format". To 2020-12 formats are annotations, so such a value is valid.
enum class Formats : quint8 {
    Ignored,
    Noted,  // an issue that is a remark
    Asserted,
};

// Limits against hostile schemas. Evaluation never recurses deeper than maxDepth and stops after maxSteps.
struct Limits {
    int maxDepth = 256;
    qint64 maxSteps = Budget::Bound;
    int maxIssues = 200;
};

// A prepared schema. Cheap to copy, immutable, usable from any thread. Never fetches: a $ref that leads outside the
// schema and the documents given is an issue with notChecked set, as MCP demands ("tools": $ref).
class Schema {
public:
    struct Options {
        Limits limits;
        Formats formats = Formats::Ignored;
        bool admitsNullable = false;            // "nullable": true beside "type" admits null, as in OpenAPI 3.0
        QHash<QString, json::Value> documents;  // further schemas by absolute URI, for $ref
    };
    // How arguments are judged before they are sent: not more strictly than the server will, which may have been made
    // from an OpenAPI description.
    static Options forArguments()
    {
        Options options;
        options.formats = Formats::Noted;
        options.admitsNullable = true;
        return options;
    }
    Schema();
    explicit Schema(const json::Value &schema) : Schema(schema, Options{}) {}
    Schema(const json::Value &schema, const Options &options);

    json::Value root() const;
    // The schema itself is larger than its budget: no value is checked, and references may lead nowhere.
    bool isTooLarge() const;
    // A run that had to be given up is not made again for values of about that size: it costs its time once.
    QList<Issue> validate(const json::Value &instance) const;
    // The parts with an address of their own that were entered on the way to a place, outermost first: what a
    // "$dynamicRef" means there depends on them. Always empty if the schema has none.
    using Scope = QList<int>;
    Scope entered(const json::Value &subschema, const Scope &scope) const;
    // Against a part of this schema: references are still resolved against the whole of it.
    QList<Issue> validateAt(const json::Value &subschema, const json::Value &instance, const Scope &scope = {}) const;
    bool isValid(const json::Value &instance) const;  // and could be checked as a whole
    // Whether a part admits the value, for callers that try many parts out of one budget. False also when that is
    // spent.
    bool admits(const json::Value &subschema, const json::Value &instance, Budget *budget,
                const Scope &scope = {}) const;
    // Whether a pattern occurs in a text. Nothing when the pattern cannot be used, or was given up.
    std::optional<bool> matches(const QString &pattern, const QString &text) const;

    // Follows "$ref" (pointers into the tree and anchors included) from a node to the schema it means, at most
    // 64 hops. Missing when it leads nowhere.
    json::Value resolved(const json::Value &subschema) const;
    // What "$ref" and "$dynamicRef" of one schema mean, without following those of their targets.
    QList<json::Value> targets(const json::Value &subschema, const Scope &scope) const;

private:
    struct Data;
    std::shared_ptr<const Data> m_data;
};

}  // namespace sonde::schema
