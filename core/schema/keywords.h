// The keywords that are evaluated, and where schemas lie within schemas.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QVarLengthArray>
#include <utility>

namespace sonde::schema {

enum class Keyword : quint8 {
    Unknown,
    // core
    Id,
    Schema,
    Ref,
    DynamicRef,
    Anchor,
    DynamicAnchor,
    Defs,
    Definitions,
    // applicators
    AllOf,
    AnyOf,
    OneOf,
    Not,
    If,
    Then,
    Else,
    DependentSchemas,
    Dependencies,
    PrefixItems,
    Items,
    AdditionalItems,
    Contains,
    Properties,
    PatternProperties,
    AdditionalProperties,
    PropertyNames,
    UnevaluatedItems,
    UnevaluatedProperties,
    ContentSchema,
    // assertions
    Type,
    Const,
    Enum,
    MultipleOf,
    Maximum,
    ExclusiveMaximum,
    Minimum,
    ExclusiveMinimum,
    MaxLength,
    MinLength,
    Pattern,
    MaxItems,
    MinItems,
    UniqueItems,
    MaxContains,
    MinContains,
    MaxProperties,
    MinProperties,
    Required,
    DependentRequired,
    // annotations that say what a string holds
    Format,
    ContentEncoding,
    ContentMediaType,
    Nullable  // OpenAPI 3.0: null as well as "type"
};

Keyword keywordOf(const json::Value &member);
Keyword keywordNamed(const QByteArray &name);

// What a keyword's value holds.
enum class Holds : quint8 { NoSchema, Schema, SchemaList, SchemaMap, SchemaOrList };
Holds holdings(Keyword keyword);

// The vocabulary of 2020-12 a keyword belongs to.
enum class Vocabulary : quint8 { Core, Applicator, Unevaluated, Validation, Annotation };
Vocabulary vocabularyOf(Keyword keyword);

// Those of one schema, in its order. The last of duplicate keys counts.
class Keywords {
public:
    void insert(Keyword keyword, const json::Value &value)
    {
        for (auto &entry : m_entries) {
            if (entry.first == keyword) {
                entry.second = value;
                return;
            }
        }
        m_entries.append({keyword, value});
    }
    json::Value operator[](Keyword keyword) const
    {
        for (const auto &[name, value] : m_entries) {
            if (name == keyword)
                return value;
        }
        return {};
    }
    auto begin() const { return m_entries.cbegin(); }
    auto end() const { return m_entries.cend(); }

private:
    QVarLengthArray<std::pair<Keyword, json::Value>, 12> m_entries;
};

}  // namespace sonde::schema
