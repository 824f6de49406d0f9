// The keywords that are evaluated, and where schemas lie within schemas.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

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
    Format
};

Keyword keywordOf(const json::Value &member);

// What a keyword's value holds.
enum class Holds : quint8 { NoSchema, Schema, SchemaList, SchemaMap, SchemaOrList };
Holds holdings(Keyword keyword);

// The vocabulary of 2020-12 a keyword belongs to.
enum class Vocabulary : quint8 { Core, Applicator, Unevaluated, Validation, Annotation };
Vocabulary vocabularyOf(Keyword keyword);

}  // namespace sonde::schema
